"""Walk what a function can reach, to show that a pruning function loses no goal.

If moves only add to a state, each way to a goal keeps to states that may lead to it (:attr:`Domain.toward`): walking
those decides whether the goal can be reached. Otherwise the whole space of each small instance is walked: by the
trusted functions, which gives all goals, and by the function itself. Either holds for the walked instances only, and
that is what a verdict says: "goal-preserving" is not a theorem about others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache

from agent.autotos.cases import SMALL, Case, instances, space, successor_case
from agent.autotos.compare import Finding, Reply, examine
from agent.autotos.domain import Domain, Instance, Key, State, leaves, show
from agent.autotos.faults import weight
from agent.autotos.forms import conform
from agent.autotos.session import Call, Session

WALKED = 10_000
"""States walked for one verdict, over all instances: each is a call of the function, and takes about 0.3 ms."""

Moves = Callable[[Sequence[State]], Iterable[Iterable[State]]]
"""The function's own successors of each of some states of an instance."""


@dataclass(frozen=True, slots=True)
class Walked:
    """What was shown: a clause on a goal that is lost, "" if none is, and a clause on what was walked."""

    loss: str = ""
    proof: str = ""


class Astray(Exception):  # noqa: N818 - it ends the walk with what was seen, not a failure of this program
    """The function shows a worse fault on the way to a goal."""

    def __init__(self, case: Case, finding: Finding, reply: Reply) -> None:
        super().__init__(finding.note)
        self.case, self.finding, self.reply = case, finding, reply


class Spent(Exception):  # noqa: N818 - the same
    """As many states were walked as are affordable."""


@lru_cache(maxsize=16)
def small_spaces(domain: Domain, seed: int) -> tuple[tuple[Instance, int, dict[Key, tuple[State, int]]], ...]:
    """Return the instances whose space is small and has goals, smallest first: the number of states, and the goals.

    The goals are by key, with the least number of moves to each.
    """
    found = []
    for instance in instances(domain, seed):
        reached = space(domain, instance) or {}
        goals = {key: one for key, one in reached.items() if domain.holds(one[0], instance)}
        if goals:
            found.append((instance, len(reached), goals))
    return tuple(sorted(found, key=lambda one: one[1]))


def reaches(domain: Domain, start: State, goal: State, toward: Callable[[State, State], bool], moves: Moves) -> bool:
    """Return whether a goal can be reached by steps that may lead to it, fullest states first."""
    wanted, seen, stack = domain.key(goal), {domain.key(start)}, [start]
    while stack:
        state = stack.pop()
        if domain.key(state) == wanted:
            return True
        new = {domain.key(child): child for children in moves([state]) for child in children if toward(child, goal)}
        fresh = [child for key, child in new.items() if key not in seen]
        seen |= new.keys()
        stack += sorted(fresh, key=lambda child: (leaves(child), show(child)))
    return False


def moves_to_all(domain: Domain, start: State, moves: Moves) -> dict[Key, int]:
    """Return the least number of moves to each state that can be reached, by its key."""
    found, level, steps = {domain.key(start): 0}, [start], 0
    while level:
        steps += 1
        reached = {domain.key(child): child for children in moves(level) for child in children}
        new = {key: child for key, child in reached.items() if key not in found}
        found |= dict.fromkeys(new, steps)
        level = list(new.values())
    return found


def walk(domain: Domain, session: Session, seed: int, most: int = WALKED) -> Walked:
    """Walk the function's own moves towards every goal, up to a limit of states.

    Every successor on the way is checked against the trusted ones: raises Astray.
    """
    left = most

    def moves_of(instance: Instance) -> Moves:
        def moves(states: Sequence[State]) -> Iterator[list[State]]:
            nonlocal left
            left -= len(states)
            if left < 0:
                raise Spent
            cases = [successor_case(domain, instance, state) for state in states]
            with closing(session.calls(map(Call, cases))) as replies:
                for case, reply in zip(cases, replies, strict=True):
                    for finding in examine(domain, "successor", case, reply):
                        if weight(finding.kind) in ("contract", "unsound"):
                            raise Astray(case, finding, reply)
                    yield [conform(child, domain.form) for child in reply.answer["value"]]

        return moves

    def lost(goal: State, start: str, how: str = "") -> Walked:
        return Walked(f"the goal {show(goal)} can no longer be reached from {start}{how}")

    if domain.toward is not None:
        known = [(instance, goal) for instance in instances(domain, seed) for goal in instance.goals]
        for instance, goal in known:
            try:
                if not reaches(domain, instance.start, goal, domain.toward, moves_of(instance)):
                    return lost(goal, "the start")
            except Spent:
                return Walked(f"{most:,} states do not show that the goal {show(goal)} can still be reached")
        return Walked(proof=f"each of {len(known)} goals is still reached") if known else Walked("no goal is known")
    walked = shown = 0
    for instance, size, goals in small_spaces(domain, seed):
        if size > left:
            break
        found = moves_to_all(domain, instance.start, moves_of(instance))
        for key, (goal, least) in goals.items():
            if key not in found:
                return lost(goal, show(instance.start))
            if domain.shortest and found[key] > least:
                return lost(goal, show(instance.start), f" in {least} moves, only in {found[key]}")
        walked, shown = walked + 1, shown + len(goals)
    if not walked:
        return Walked(f"no space of at most {min(SMALL, most):,} states shows that no goal is lost")
    fewest = " in as few moves" if domain.shortest else ""
    others = len(instances(domain, seed)) - walked
    return Walked(
        proof=f"each goal of {walked} small spaces, {shown} in all, is still reached{fewest}; {others} other instances "
        "have no goal or a wider space"
    )
