"""Walk everything a function can reach, to prove that a pruning function loses no goal.

On the small instances of a domain the whole space of states can be walked by the trusted functions, which gives all
goals. A function that never returns what it must not, walked from the same start, either reaches each of them or
shows which one it lost.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from agent.autotos.cases import Case
from agent.autotos.compare import examine
from agent.autotos.domain import Domain, Instance, State, freeze, picture
from agent.autotos.session import Session


def reachable(start: State, successors: Callable[[State], set[State]]) -> set[State]:
    """Return every state that can be reached.

    >>> sorted(reachable((("a",),), lambda s: {(("b",),)}))
    [(('a',),), (('b',),)]
    """
    seen = {start}
    stack = [start]
    while stack:
        for child in successors(stack.pop()):
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return seen


@lru_cache(maxsize=16)
def all_goals(domain_name: str, seed: int) -> tuple[tuple[Instance, frozenset[State]], ...]:
    """Return the small instances of a domain with all their goals, found by walking the trusted functions."""
    from agent.autotos.domains import DOMAINS

    domain = DOMAINS[domain_name]
    found = []
    for instance in domain.small(Random(seed)):
        arguments = instance.arguments
        states = reachable(instance.start, lambda state, a=arguments: domain.successors(state, a))  # type: ignore[misc]
        found.append((instance, frozenset(state for state in states if domain.is_goal(state, arguments))))
    return tuple(found)


def loses_a_goal(domain: Domain, session: Session, seed: int) -> str:
    """Walk the function's own space on the small instances; return what was lost or went wrong, or "" if nothing.

    Every successor on the way is checked against the trusted set, so the walk is also a proof of soundness there.
    """
    for instance, goals in all_goals(domain.name, seed):
        trouble: list[str] = []

        def successors(state: State, instance: Instance = instance, trouble: list[str] = trouble) -> set[State]:
            if trouble:
                return set()
            case = Case(instance, state, domain.successors(state, instance.arguments))
            reply = session.call(case)
            for finding in examine(domain, "successor", case, reply):
                if finding.kind not in ("missing", "parent", "duplicate", "shared-rows"):
                    trouble.append(f"on the way to a goal {finding.note}")
                    return set()
            return {freeze(child) for child in reply.answer["value"]}

        reached = reachable(instance.start, successors)
        if trouble:
            return trouble[0]
        lost = goals - reached
        if lost:
            rows = picture(min(lost, key=repr)).replace(" ", "").replace("\n", "/")
            return f"{len(lost)} of {len(goals)} goals of a small instance can no longer be reached, such as {rows}"
    return ""
