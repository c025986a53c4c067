"""The states that functions are judged on: walks of trusted moves for successors, goals and near-goals for goal tests.

Everything is made from a seed, so the same seed judges on the same states. Nothing is taken from the instances of the
evaluation run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from agent.autotos.domain import Domain, Instance, Key, Role, State, leaves, show

STATES_PER_INSTANCE = 12
"""States of each instance for successor functions: 33 x 12 = 396 in all for the crossword."""

LONGEST_WALK = 8
"""Moves of a random walk; most walks end earlier, in a state without moves, which is judged as well."""
WALKS = 4 * STATES_PER_INSTANCE
"""Walks per instance at most: small spaces have fewer states than are wanted."""

PROBED_FULLY = 5
"""Instances whose near goals are all judged, every cell empty and every cell other among them."""
PROBES = 20
"""Near goals judged of each further instance: enough to cover its peculiarity."""
TWISTED = 3
"""Instances whose goal is judged again with each rule broken on its own, about 110 ways for a crossword."""

SMALL = 1_500
"""States of a space that is walked as a whole, to find its goals and to see whether a function reaches them."""

HELD_OUT_SEED = 7919
"""Seed of the instances that efficiency is measured on; the judge's own seeds make others."""


@dataclass(frozen=True)
class Case:
    """One call to be judged: an instance, a state, and the result of the trusted function.

    `expected` are the successors by their keys, or whether the state is a goal.
    """

    instance: Instance
    state: State
    expected: Any

    @cached_property
    def size(self) -> tuple[int, int, str]:
        """The size of the case as a counter-example: items of the state, characters of the arguments, then its text."""
        text = show(dict(self.instance.arguments))
        return leaves(self.state), len(text), show(self.state)


def successor_case(domain: Domain, instance: Instance, state: State) -> Case:
    """Return the case of a state for the successor function."""
    return Case(instance, state, domain.children(state, instance))


def goal_case(domain: Domain, instance: Instance, state: State) -> Case:
    """Return the case of a state for the goal test."""
    return Case(instance, state, domain.holds(state, instance))


Moves = Callable[[State], Sequence[State]]
"""The trusted successors of an instance's state."""


def remembered(domain: Domain, instance: Instance) -> Moves:
    """Return the moves of an instance, found once for each state."""
    known: dict[Key, list[State]] = {}

    def moves(state: State) -> list[State]:
        key = domain.key(state)
        if key not in known:
            known[key] = list(domain.children(state, instance).values())
        return known[key]

    return moves


def walk(domain: Domain, start: State, moves: Moves, random: Random, steps: int, goal: State = None) -> State:
    """Return the state after up to `steps` random trusted moves from the start, towards a goal if one is given."""
    state = start
    for _ in range(steps):
        children = moves(state)
        if goal is not None and domain.toward is not None:
            children = [child for child in children if domain.toward(child, goal)]
        if not children:
            break
        state = random.choice(children)
    return state


def states_of(domain: Domain, instance: Instance, random: Random) -> list[State]:
    """Return states of walks, blind and towards a goal, with dead ends and goals among them."""
    states = {domain.key(instance.start): instance.start}
    moves = remembered(domain, instance)
    for attempt in range(WALKS):
        if len(states) >= STATES_PER_INSTANCE:
            break
        steps = random.randrange(1, LONGEST_WALK + 1)
        goal = random.choice(instance.goals) if instance.goals and attempt % 3 == 0 else None
        state = walk(domain, instance.start, moves, random, steps + 2 * (goal is not None), goal)
        states.setdefault(domain.key(state), state)
    return list(states.values())


def space(domain: Domain, instance: Instance, limit: int = SMALL) -> dict[Key, tuple[State, int]] | None:
    """Return each state that trusted moves reach, by its key, with the number of moves; None if there are too many.

    >>> from agent.autotos.domains.game24 import GAME24
    >>> [state for state, moves in space(GAME24, Instance("", [24, 1])).values() if moves == 1]
    [[-23], [0.041666666666666664], [23], [24], [25]]
    """
    found = {domain.key(instance.start): (instance.start, 0)}
    queue = [instance.start]
    for state in queue:
        moves = found[domain.key(state)][1] + 1
        for key, child in domain.children(state, instance).items():
            if key not in found:
                found[key] = (child, moves)
                queue.append(child)
        if len(found) > limit:
            return None
    return found


def successor_cases(domain: Domain, instances: Iterable[Instance], random: Random) -> list[Case]:
    """Return the cases of all instances for the successor function."""
    return [
        successor_case(domain, instance, state)
        for instance in instances
        for state in states_of(domain, instance, random)
    ]


def alike(first: Any, second: Any) -> bool:
    """Return whether two states are nested lists of the same lengths, such as grids of one size.

    >>> alike([["a", None]], [[None, None]]), alike([["a"]], [["a", "b"]]), alike({"a"}, {"b"})
    (True, False, False)
    """
    if not isinstance(first, list) or not isinstance(second, list) or len(first) != len(second):
        return False
    return all(
        alike(a, b) if isinstance(a, list) else not isinstance(b, list) for a, b in zip(first, second, strict=True)
    )


def goal_cases(domain: Domain, instances: Sequence[Instance], random: Random) -> list[Case]:
    """Return cases of goals, states that are nearly goals, and states of walks."""
    cases = []
    for place, instance in enumerate(instances):
        states = list(instance.goals)
        full = instance.goals or tuple(
            goal for other in instances for goal in other.goals if alike(goal, instance.start)
        )
        probes = list(domain.probes(instance, random.choice(full), random)) if full else []
        states += probes if place < PROBED_FULLY else random.sample(probes, min(PROBES, len(probes)))
        states += states_of(domain, instance, random)[: STATES_PER_INSTANCE // 2]
        different = {domain.key(state): state for state in reversed(states)}
        cases += [goal_case(domain, instance, state) for state in different.values()]
    known = [one for one in instances if one.goals]
    for instance in known[:: len(instances) // TWISTED + 1]:
        goal = instance.goals[0]
        for arguments in domain.twists(instance.arguments, goal, random):
            cases.append(goal_case(domain, replace(instance, arguments=arguments, goals=()), goal))
    return cases


def with_goals(domain: Domain, instance: Instance) -> Instance:
    """Return an instance with goals: those its maker knows, else those of its space, if that is small."""
    found = None if instance.goals else space(domain, instance)
    if found is None:
        return instance
    return replace(instance, goals=tuple(state for state, _ in found.values() if domain.holds(state, instance)))


@lru_cache(maxsize=16)
def instances(domain: Domain, seed: int) -> tuple[Instance, ...]:
    """Return the instances of a seed, in the form of the contract. Raises DomainError if one is not in it."""
    return tuple(with_goals(domain, domain.checked(one)) for one in domain.instances(Random(seed)))


def held_out(domain: Domain, count: int, seed: int = HELD_OUT_SEED) -> list[Instance]:
    """Return instances with a goal, on which no function is judged.

    >>> from agent.autotos.domains.crossword import CROSSWORD
    >>> len(held_out(CROSSWORD, 3))
    3
    """
    return [one for one in instances(domain, seed) if one.goals][:count]


@lru_cache(maxsize=16)
def _made(domain: Domain, role: Role, seed: int) -> tuple[Case, ...]:
    make = successor_cases if role == "successor" else goal_cases
    return tuple(sorted(make(domain, instances(domain, seed), Random(seed)), key=lambda case: case.size))


def cases(domain: Domain, role: Role, seed: int = 0, extra: Sequence[Instance] = ()) -> tuple[Case, ...]:
    """Return the cases of a domain for a role, smallest first; the same for the same seed.

    `extra` instances add cases for successor functions.

    >>> from agent.autotos.domains.crossword import CROSSWORD
    >>> len(cases(CROSSWORD, "successor")) >= 240, len(cases(CROSSWORD, "goal")) >= 400
    (True, True)
    """
    made = _made(domain, role, seed)
    if role == "goal" or not extra:
        return made
    return tuple(sorted((*made, *successor_cases(domain, extra, Random(seed))), key=lambda case: case.size))
