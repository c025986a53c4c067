"""The one rule that decides which function of a source plays a role: for the judge, the loop and the search alike.

It is applied to the names that exist after the source was executed in the sandbox, so it does not matter how a function
was made: by `def`, as a lambda, or by a decorator.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.autotos.domain import ROLES, Role

HINTS: dict[Role, tuple[str, ...]] = {"successor": ("succ", "next_state"), "goal": ("goal", "solved")}
"""Parts of a function's name that give its role away if it does not have the name that was asked for."""


def hinted_roles(name: str) -> tuple[Role, ...]:
    """Return the roles that a function's name hints at.

    >>> hinted_roles("get_successors"), hinted_roles("helper")
    (('successor',), ())
    """
    return tuple(role for role in ROLES if any(hint in name.lower() for hint in HINTS[role]))


def function_for(role: Role, wanted: str, names: Sequence[str]) -> str | None:
    """Return which of a source's functions, named in their order, plays a role; None if that cannot be told.

    It is the one with the wanted name, else the last whose name hints at the role, as helpers come first, else the only
    one, if its name hints at no role. Private names count only if there are no others.

    >>> function_for("successor", "successor_state", ["get_succ", "other"])
    'get_succ'
    >>> function_for("goal", "is_goal_state", ["check", "other"]) is None
    True
    """
    if wanted in names:
        return wanted
    candidates = [name for name in names if not name.startswith("_")] or list(names)
    hinted = [name for name in candidates if role in hinted_roles(name)]
    if hinted:
        return hinted[-1]
    return candidates[0] if len(candidates) == 1 and not hinted_roles(candidates[0]) else None


def none_found(role: Role, wanted: str, names: Sequence[str]) -> str:
    """Return a clause that says which function is missing and what there is.

    >>> none_found("goal", "is_goal_state", ["f", "g"])
    'the source defines no goal function: is_goal_state was asked for, f and g are there'
    """
    there = f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}" if names else "nothing"
    return (
        f"the source defines no {role} function: {wanted} was asked for, {there} {'are' if names[1:] else 'is'} there"
    )
