"""The 24 game, as published: combine two numbers of a list until 24 is left.

Trusted moves are exact: each number stands for the fraction next to it. States are the same if their numbers agree,
in any order, to eight places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import isclose, isfinite
from random import Random
from typing import Any

from agent.autotos.domain import Domain, Instance, Kind

PLACES = 8
"""Decimal places to which numbers must agree: rounding errors of three operations are below 1e-12."""
DENOMINATOR = 10**6


def exact(number: float) -> Fraction:
    """Return the fraction that a float stands for.

    >>> exact(2 / 3)
    Fraction(2, 3)
    """
    return Fraction(number).limit_denominator(DENOMINATOR)


def successor_states(state: list[float]) -> Iterator[list[float]]:
    """Return the steps of a search in the 24 game, in which four integers are to be combined to 24.

    `state` is a list of at most four numbers, such as [6, 6, 2, 1]. One step takes two of the numbers, at two places of
    the list, and puts the result of one operation in their place: their sum, the difference or the quotient either way
    round, or their product. Nothing is divided by zero. Each successor is a new list that is one number shorter, in any
    order; numbers may be negative or fractions (floats). A list of one number has no successors.
    """
    for i, j in combinations(range(len(state)), 2):
        rest = [number for place, number in enumerate(state) if place not in (i, j)]
        a, b = exact(state[i]), exact(state[j])
        for result in (a + b, a - b, b - a, a * b, *((a / b,) if b else ()), *((b / a,) if a else ())):
            yield [*rest, int(result) if result.denominator == 1 else float(result)]


def is_goal_state(state: list[float]) -> bool:
    """Recognise a goal of the 24 game.

    `state` is a list of at most four numbers. Return True exactly when it holds a single number and that is 24.
    """
    return len(state) == 1 and isfinite(state[0]) and isclose(state[0], 24, abs_tol=1e-6)


def why(state: list[float]) -> str:
    """Return what keeps a state from being a goal."""
    return f"it holds {len(state)} numbers, not one" if len(state) != 1 else f"{state[0]} is not 24"


def key(state: list[float]) -> tuple[float, ...]:
    """Name a state by its numbers in order.

    >>> key([3, 1 / 3, -0.0])
    (0.0, 0.33333333, 3)
    """
    return tuple(sorted(round(number, PLACES) + 0 for number in state))


SPECIAL = ((0, 7, 24), (6,) * 4, (1,) * 4, (0, 5, 5, 0), (3, 3, 8, 8), (1, 5, 5, 5), (2, 2, 12), (0, 24), (-3, -8))
"""All alike, with zeros, only to be solved with fractions, short ones, negative ones."""


def instances(random: Random) -> list[Instance]:
    """Return lists of four numbers with and without repetition, shorter ones, fractions, and pairs one step from 24.

    What can be solved at all is solved without a negative difference, as from the game's own positive numbers: a
    function that returns only |a - b| for both differences loses no goal. Negative numbers come up on the way.
    """
    quads = [[random.randint(1, 13) for _ in range(4)] for _ in range(14)]
    made = [Instance("four numbers", quad) for quad in quads]
    made += [Instance("special", list(numbers)) for numbers in SPECIAL]
    for _ in range(12):
        a, b = random.randint(1, 13), random.randint(1, 13)
        pair = random.choice(([24 - a, a], [24 + a, a], [24 * a, a], [24 / a, a], [-a, 24 + a], [a, a - 24]))
        made.append(Instance("two numbers", pair))
        made.append(Instance("three numbers", [a, b, random.choice([a, 24 - a * b, 24 / a + b, (24 + b) / a])]))
    made += [Instance("three numbers", [random.randint(0, 13) for _ in range(3)]) for _ in range(8)]
    return made


PROBES: tuple[list[Any], ...] = (
    *([], [3], [0], [23], [25], [-24], [2.4], [240], [23.9], [24.05], [24.5], [24], [24.0]),
    *([24, 1], [24, 24], [0, 24], [12, 12], [8, 3], [-24, 48], [1, 6, 4], [1, 1, 4, 6], [24, 24, 24, 24]),
)


ROUNDED: tuple[list[float], ...] = ([8 / (3 - 8 / 3)], [4 / (1 - 5 / 6)])
"""What a search in floats is left with when it solves 3, 3, 8, 8 and 1, 4, 5, 6: a little less and more than 24.
Trusted moves are exact, and so are their goals."""


def fault(state: list[float], child: list[float]) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    if len(child) != len(state) - 1:
        return "length", f"a successor of {len(state)} numbers has {len(child)}, not {len(state) - 1}"
    if not all(map(isfinite, child)):
        return "division-by-zero", f"{child} holds a number that is not finite: nothing may be divided by zero"
    kept = Counter(key(state)) & Counter(key(child))
    if kept.total() < len(state) - 2:
        return "wrong-numbers", f"only {kept.total()} numbers were kept, not the {len(state) - 2} that take no part"
    return "wrong-result", f"{child} does not come from one operation on two of the numbers"


KINDS = {
    "length": Kind(
        "a successor is not one number shorter",
        "Take exactly two numbers out, by their places and not by their values, and put one result in.",
    ),
    "division-by-zero": Kind("a number was divided by zero", "Leave a quotient out if its divisor is zero."),
    "wrong-numbers": Kind(
        "numbers were lost or changed",
        "Keep every number that takes no part: choose the two by their places in the list, as values can be equal.",
    ),
    "wrong-result": Kind(
        "a number is not the result of one operation",
        "Use sum, both differences, product and both quotients of the two numbers, unrounded, and nothing else.",
    ),
}


def smaller(
    _role: str, state: list[float], arguments: Mapping[str, Any]
) -> Iterator[tuple[list[float], Mapping[str, Any]]]:
    """Yield the list without one of its numbers."""
    for place in range(len(state) if len(state) > 2 else 0):
        yield state[:place] + state[place + 1 :], arguments


GAME24 = Domain(
    name="game24",
    successors=successor_states,
    is_goal=is_goal_state,
    instances=instances,
    key=key,
    kinds=KINDS,
    fault=fault,
    why=why,
    probes=lambda *_: PROBES,
    rounded=ROUNDED,
    smaller=smaller,
    advice={"missing": "For every pair of places return sum, both differences, product and both quotients."},
    priority=len,
    read=lambda name, data: [Instance(name, list(data))],
)
