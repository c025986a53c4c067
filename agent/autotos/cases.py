"""The states that functions are judged on: walks of trusted moves for successors, goals and near-goals for goal tests.

Everything is made from a seed, so the same seed judges on the same states. Nothing is taken from the instances of the
evaluation run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from agent.autotos.domain import Domain, Instance, Role, State, letters, replaced, word_lists

STATES_PER_INSTANCE = 12
"""States of each instance for successor functions, 26 x 12 = 312 in all for the crossword."""

LONGEST_WALK = 8
"""Moves of a random walk; most walks end earlier, in a state without moves, which is judged as well."""

PROBED_FULLY = 5
"""Instances whose near goals are all judged, every cell empty and every cell other among them."""
PROBES = 20
"""Near goals judged of each further instance: enough to cover its peculiarity."""
TWISTED = 3
"""Instances whose goal is judged again with each rule broken on its own, about 110 ways for a crossword."""


HELD_OUT_SEED = 7919
"""Seed of the instances that efficiency is measured on; the judge's own seeds make others."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call to be judged: an instance, a state, and the result of the trusted function.

    `expected` is the set of successors, or whether the state is a goal.
    """

    instance: Instance
    state: State
    expected: Any

    @property
    def size(self) -> tuple[int, int]:
        """The size of the case as a counter-example: filled cells, then characters of the arguments."""
        return letters(self.state), len(str(self.instance.arguments))


def walk(domain: Domain, instance: Instance, random: Random, steps: int) -> State:
    """Return the state after up to `steps` random trusted moves from the start."""
    state = instance.start
    for _ in range(steps):
        children = sorted(domain.successors(state, instance.arguments), key=repr)
        if not children:
            break
        state = random.choice(children)
    return state


def towards(domain: Domain, instance: Instance, goal: State, random: Random, steps: int) -> State:
    """Return the state after up to `steps` random trusted moves that agree with a goal."""
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
    """Return cases from random walks, blind and towards a goal, with dead ends and goals among them."""
    return [
        Case(instance, state, domain.successors(state, instance.arguments))
        for instance in instances
        for state in _states(domain, instance, random)
    ]


def goal_cases(domain: Domain, instances: Sequence[Instance], random: Random) -> list[Case]:
    """Return cases of goals, states that are nearly goals, and states of walks."""
    cases = []
    for place, instance in enumerate(instances):
        states: dict[State, None] = dict.fromkeys(instance.goals)
        full = instance.goals or tuple(
            goal for other in instances for goal in other.goals if len(goal) == len(instance.start)
        )
        probes = list(domain.probes(instance, random.choice(full), random))
        states.update(
            dict.fromkeys(probes if place < PROBED_FULLY else random.sample(probes, min(PROBES, len(probes))))
        )
        states.update(dict.fromkeys(_states(domain, instance, random)[: STATES_PER_INSTANCE // 2]))
        cases += [Case(instance, state, domain.is_goal(state, instance.arguments)) for state in states]
    for instance in [one for one in instances if one.goals][:: len(instances) // TWISTED + 1]:
        goal = instance.goals[0]
        for arguments in domain.twists(instance.arguments, goal, random):
            twisted = replace(instance, arguments=arguments, goals=())
            cases.append(Case(twisted, goal, domain.is_goal(goal, arguments)))
    return cases


def held_out(domain: Domain, count: int, seed: int = HELD_OUT_SEED) -> list[Instance]:
    """Return instances with a goal, on which no function is judged.

    >>> from agent.autotos.domains import CROSSWORD
    >>> len(held_out(CROSSWORD, 3))
    3
    """
    return [one for one in domain.instances(Random(seed)) if one.goals][:count]


def recombined(instances: Sequence[Instance], seed: int) -> tuple[Instance, ...]:
    """Return as many instances as are given, each list of answers taken from another one of them.

    So functions can be judged on real candidate lists while every instance of the evaluation stays unseen. Needs two or
    more instances of one shape; instances of another shape than the first are left out.

    >>> from agent.autotos.domains import CROSSWORD
    >>> given = CROSSWORD.instances(Random(0))[:2]
    >>> len(recombined(given, 0)), recombined(given, 0)[0].arguments in [one.arguments for one in given]
    (2, False)
    """
    random = Random(seed)
    alike = [one for one in instances if one.start == instances[0].start]
    made = []
    for _ in alike if len(alike) > 1 else ():
        arguments = alike[0].arguments
        donor = random.randrange(len(alike))
        for path, _ in list(word_lists(arguments)):
            donor = (donor + random.randrange(1, len(alike))) % len(alike)  # never the same one twice in a row
            arguments = tuple(replaced(arguments, path, dict(word_lists(alike[donor].arguments)).get(path, [])))
        made.append(Instance("recombined", alike[0].start, arguments))
    return tuple(made)


@lru_cache(maxsize=16)
def _made(domain_name: str, role: Role, seed: int) -> tuple[Case, ...]:
    from agent.autotos.domains import DOMAINS

    domain = DOMAINS[domain_name]
    random = Random(seed)
    make = successor_cases if role == "successor" else goal_cases
    return tuple(make(domain, domain.instances(random), random))


def cases(domain: Domain, role: Role, seed: int = 0, extra: Sequence[Instance] = ()) -> tuple[Case, ...]:
    """Return the cases of a domain for a role, smallest first; the same for the same seed.

    `extra` instances add cases for successor functions.

    >>> from agent.autotos.domains import CROSSWORD
    >>> len(cases(CROSSWORD, "successor")) >= 240, len(cases(CROSSWORD, "goal")) >= 400
    (True, True)
    """
    made = list(_made(domain.name, role, seed))
    if role == "successor" and extra:
        made += successor_cases(domain, extra, Random(seed))
    return tuple(sorted(made, key=lambda case: case.size))
