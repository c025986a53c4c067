"""Walk what a function can reach, to prove that a pruning function loses no goal.

If moves only add to a state, each way to a goal keeps to states that may lead to it (:attr:`Domain.toward`): walking
those decides whether the goal can be reached. Otherwise the whole space of each small instance is walked: by the
trusted functions, which gives all goals, and by the function itself. Either proof holds for the walked instances: a
verdict of "goal-preserving" is not a theorem about others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from agent.autotos.cases import instances, space, successor_case
from agent.autotos.compare import examine
from agent.autotos.domain import Domain, Instance, Key, State, leaves, show
from agent.autotos.faults import weight
from agent.autotos.forms import conform
from agent.autotos.session import Session

Moves = Callable[[State], Iterable[State]]


class Lost(Exception):  # noqa: N818 - it ends the walk with a clause, not a failure of this program
    """The function shows a worse fault on the way to a goal."""


@lru_cache(maxsize=16)
def small_spaces(domain: Domain, seed: int) -> tuple[tuple[Instance, dict[Key, tuple[State, int]]], ...]:
    """Return the goals of each instance whose space is small, by key, with the least number of moves to each."""
    found = []
    for instance in instances(domain, seed):
        reached = space(domain, instance)
        goals = {key: one for key, one in (reached or {}).items() if domain.holds(one[0], instance)}
        if goals:
            found.append((instance, goals))
    return tuple(found)


def reaches(domain: Domain, start: State, goal: State, toward: Callable[[State, State], bool], moves: Moves) -> bool:
    """Return whether a goal can be reached by steps that may lead to it, fullest states first."""
    wanted, seen, stack = domain.key(goal), {domain.key(start)}, [start]
    while stack:
        state = stack.pop()
        if domain.key(state) == wanted:
            return True
        new = {domain.key(child): child for child in moves(state) if toward(child, goal)}
        fresh = [child for key, child in new.items() if key not in seen]
        seen |= new.keys()
        stack += sorted(fresh, key=lambda child: (leaves(child), show(child)))
    return False


def moves_to_all(domain: Domain, start: State, moves: Moves) -> dict[Key, int]:
    """Return the least number of moves to each state that can be reached, by its key."""
    found, queue = {domain.key(start): 0}, [start]
    for state in queue:
        for child in moves(state):
            key = domain.key(child)
            if key not in found:
                found[key] = found[domain.key(state)] + 1
                queue.append(child)
    return found


def loses_a_goal(domain: Domain, session: Session, seed: int) -> str:
    """Walk the function's own moves towards every goal; return the goal that was lost or the error, "" if none.

    Every successor on the way is checked against the trusted ones.
    """

    def moves_of(instance: Instance) -> Moves:
        def moves(state: State) -> Iterator[State]:
            case = successor_case(domain, instance, state)
            reply = session.call(case)
            for finding in examine(domain, "successor", case, reply):
                if weight(finding.kind) in ("contract", "unsound"):
                    raise Lost(f"on the way to a goal {finding.note}")
            for child in reply.answer["value"]:
                yield conform(child, domain.form)

        return moves

    def lost(goal: State, how: str) -> str:
        return f"the goal {show(goal)} can no longer be reached from the start{how}"

    try:
        if domain.toward is not None:
            for instance in instances(domain, seed):
                for goal in instance.goals:
                    if not reaches(domain, instance.start, goal, domain.toward, moves_of(instance)):
                        return lost(goal, "")
            return ""
        for instance, goals in small_spaces(domain, seed):
            found = moves_to_all(domain, instance.start, moves_of(instance))
            for key, (goal, least) in goals.items():
                if key not in found:
                    return lost(goal, "")
                if domain.shortest and found[key] > least:
                    return lost(goal, f" in {least} moves, only in {found[key]}")
    except Lost as fault:
        return str(fault)
    return (
        "" if domain.toward is not None or small_spaces(domain, seed) else "no small instance shows that none is lost"
    )
