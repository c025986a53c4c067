"""States that are bitmaps: one for each thing to settle, with a bit for each of its possibilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import TypeVar

from agent.core.propagate import Effort, Propagate, Rules

S = TypeVar("S", bound=Hashable)


def bits(bitmap: int) -> list[int]:
    """List the numbers of the bits that are set.

    >>> bits(0b1010)
    [1, 3]
    """
    found = []
    while bitmap:
        lowest = bitmap & -bitmap
        bitmap ^= lowest
        found.append(lowest.bit_length() - 1)
    return found


def union(bitmaps: Iterable[int]) -> int:
    """Return the bits that are set in any of the bitmaps.

    >>> f"{union([0b101, 0b1]):b}"
    '101'
    """
    return reduce(or_, bitmaps, 0)


def bitmap_rules(
    propagate: Propagate[S],
    branches: Callable[[S], Iterable[tuple[str, S]]],
    bitmaps: Callable[[S], tuple[int, ...]],
    effort: Effort,
) -> Rules[S]:
    """Return the rules of a kind from its deduction and its branches alone.

    A state is a goal if each of its bitmaps has one bit. Its successors are its branches, deduced to the fixed point.

    >>> def branches(s):
    ...     return [(f"first is {bit}", (1 << bit, *s[1:])) for bit in bits(s[0])]
    >>> rules = bitmap_rules(lambda s, on_step=None: s, branches, lambda s: s, Effort())
    >>> list(rules.successors((0b11, 0b1))), rules.is_goal((0b10, 0b1))
    ([(1, 1), (2, 1)], True)
    """

    def successors(state: S) -> Iterator[S]:
        for _, child in branches(state):
            deduced = propagate(child)
            if deduced is not None:
                yield deduced

    def is_goal(state: S) -> bool:
        return not any(mine & (mine - 1) for mine in bitmaps(state))

    def admits(state: S, goal: S) -> bool:
        return all(mine & theirs for mine, theirs in zip(bitmaps(state), bitmaps(goal), strict=True))

    return Rules(propagate, branches, successors, is_goal, admits, effort)
