"""Walk everything a function can reach, to prove that a pruning function loses no goal.

On the small instances of a domain the whole space of states can be walked by the trusted functions, which gives all
goals. A function that never returns a wrong successor, walked from the same start, either reaches each of them or
shows which one it lost. The proof holds for these instances: "goal-preserving" is not a theorem about others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from random import Random

from agent.autotos.cases import Case
from agent.autotos.compare import examine
from agent.autotos.domain import Domain, Instance, State, freeze, letters, picture
from agent.autotos.faults import KINDS
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


def agrees(state: State, goal: State) -> bool:
    """Whether each letter of a state is that of the goal.

    >>> agrees((("a", None),), (("a", "b"),))
    True
    """
    return all(
        cell is None or cell == letter
        for cells, letters in zip(state, goal, strict=True)
        for cell, letter in zip(cells, letters, strict=True)
    )


def reaches(start: State, goal: State, successors: Callable[[State], Iterable[State]]) -> bool:
    """Whether a goal can be reached by steps that agree with it, fullest states first.

    >>> reaches(((None,),), (("a",),), lambda s: [(("b",),), (("a",),)])
    True
    """
    seen = {start}
    stack = [start]
    while stack:
        state = stack.pop()
        if state == goal:
            return True
        new = {child for child in successors(state) if child not in seen and agrees(child, goal)}
        seen |= new
        stack += sorted(new, key=lambda child: (letters(child), repr(child)))
    return False


def loses_a_goal(domain: Domain, session: Session, seed: int) -> str:
    """Walk the function's own space towards every goal; return the goal that was lost or the error, or "" if none.

    A sound move only adds letters, so every way to a goal keeps to states that agree with it: walking those alone
    decides whether the goal can be reached. Walked are all goals of the small instances and the known goals of the
    judged ones. Every successor on the way is checked against the trusted set.
    """
    wanted = [(instance, goal) for instance, goals in all_goals(domain.name, seed) for goal in sorted(goals, key=repr)]
    wanted += [(instance, goal) for instance in domain.instances(Random(seed)) for goal in instance.goals]
    for instance, goal in wanted:
        trouble: list[str] = []

        def successors(state: State, instance: Instance = instance, trouble: list[str] = trouble) -> Iterator[State]:
            if trouble:
                return
            case = Case(instance, state, domain.successors(state, instance.arguments))
            reply = session.call(case)
            for finding in examine(domain, "successor", case, reply):
                if KINDS[finding.kind][0] in ("contract", "unsound"):
                    trouble.append(f"on the way to a goal {finding.note}")
                    return
            yield from map(freeze, reply.answer["value"])

        reached = reaches(instance.start, goal, successors)
        if trouble:
            return trouble[0]
        if not reached:
            rows = picture(goal).replace(" ", "").replace("\n", "/")
            return f"the goal {rows} can no longer be reached from the start"
    return ""
