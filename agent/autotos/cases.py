"""The states that functions are judged on: walks of trusted moves for successors, goals and near-goals for goal tests.

Everything is made from a seed, so the same seed judges on the same states. None of it comes from the instances of
the evaluation run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from agent.autotos.domain import Domain, Instance, Role, State, letters

STATES_PER_INSTANCE = 12
"""Successor functions see this many states of each instance, 26 x 12 = 312 in all for the crossword."""

LONGEST_WALK = 8
"""Moves of a random walk; most walks end earlier, in a state that allows no further move, which is judged as well."""

TWISTED = 3
"""Instances whose goal is judged again with each rule broken on its own, about 110 ways for a crossword."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call to be judged: an instance, a state, and what the trusted function says of it.

    `expected` is the set of successors, or whether the state is a goal.
    """

    instance: Instance
    state: State
    expected: Any

    @property
    def size(self) -> tuple[int, int]:
        """How big the case is as a counter-example: filled cells first, then characters of the arguments."""
        return letters(self.state), len(str(self.instance.arguments))


def walk(domain: Domain, instance: Instance, random: Random, steps: int) -> State:
    """Make up to `steps` random trusted moves from the start."""
    state = instance.start
    for _ in range(steps):
        children = sorted(domain.successors(state, instance.arguments), key=repr)
        if not children:
            break
        state = random.choice(children)
    return state


def towards(domain: Domain, instance: Instance, goal: State, random: Random, steps: int) -> State:
    """Make up to `steps` random trusted moves that agree with a goal."""
    state = instance.start
    for _ in range(steps):
        children = [
            child
            for child in sorted(domain.successors(state, instance.arguments), key=repr)
            if all(
                c in (None, g)
                for cells, full in zip(child, goal, strict=True)
                for c, g in zip(cells, full, strict=True)
            )
        ]
        if not children:
            break
        state = random.choice(children)
    return state


def _states(domain: Domain, instance: Instance, random: Random) -> list[State]:
    states = {instance.start: None}
    for attempt in range(4 * STATES_PER_INSTANCE):
        if len(states) >= STATES_PER_INSTANCE:
            break
        steps = random.randrange(1, LONGEST_WALK + 1)
        if instance.goals and attempt % 3 == 0:
            states[towards(domain, instance, random.choice(instance.goals), random, steps + 2)] = None
        else:
            states[walk(domain, instance, random, steps)] = None
    return list(states)


def successor_cases(domain: Domain, instances: Sequence[Instance], random: Random) -> list[Case]:
    """Make the states of random walks, blind and towards a goal, dead ends and goals among them."""
    return [
        Case(instance, state, domain.successors(state, instance.arguments))
        for instance in instances
        for state in _states(domain, instance, random)
    ]


def goal_cases(domain: Domain, instances: Sequence[Instance], random: Random) -> list[Case]:
    """Make goals, states that are nearly goals, and states of walks."""
    cases = []
    for instance in instances:
        states: dict[State, None] = dict.fromkeys(instance.goals)
        full = instance.goals or tuple(
            goal for other in instances for goal in other.goals if len(goal) == len(instance.start)
        )
        states.update(dict.fromkeys(domain.probes(instance, random.choice(full), random)))
        states.update(dict.fromkeys(_states(domain, instance, random)[: STATES_PER_INSTANCE // 2]))
        cases += [Case(instance, state, domain.is_goal(state, instance.arguments)) for state in states]
    for instance in [one for one in instances if one.goals][:: len(instances) // TWISTED + 1]:
        goal = instance.goals[0]
        for arguments in domain.twists(instance.arguments, goal, random):
            twisted = replace(instance, arguments=arguments, goals=())
            cases.append(Case(twisted, goal, domain.is_goal(goal, arguments)))
    return cases


@lru_cache(maxsize=16)
def _made(domain_name: str, role: Role, seed: int) -> tuple[Case, ...]:
    from agent.autotos.domains import DOMAINS

    domain = DOMAINS[domain_name]
    random = Random(seed)
    make = successor_cases if role == "successor" else goal_cases
    return tuple(make(domain, domain.instances(random), random))


def cases(domain: Domain, role: Role, seed: int = 0) -> tuple[Case, ...]:
    """Return the cases of a domain for a role, smallest first; the same for the same seed.

    >>> from agent.autotos.domains import CROSSWORD
    >>> len(cases(CROSSWORD, "successor")) >= 240, len(cases(CROSSWORD, "goal")) >= 400
    (True, True)
    """
    return tuple(sorted(_made(domain.name, role, seed), key=lambda case: case.size))
