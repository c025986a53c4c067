"""Axes: the position of a value on a line, and the round numbers next to it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

TICKS = 6
"""About this many numbers stand along an axis: more crowd it, fewer leave the reader guessing. Chosen by eye."""

DECADES_WITH_HALVES = 2
"""A log axis of at most this many powers of ten also gets 2 and 5 times each, or it might have only one number."""

ZERO_BELOW = 0.7
"""Powers of ten between the zero of a log axis and the next number above: a place of its own. Chosen by eye."""

ALIKE = 1e-6
"""Values that differ by no more than this share of their size count as one: no label could tell its ends apart."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A line from pixel `start` to pixel `end` (either way round), with `ticks` at round values.

    `low` and `high` are values, on a log axis their logarithms to base 10. Zero has no logarithm: it stands at `low`.
    """

    start: float
    end: float
    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def at(self, value: float) -> float:
        """Return the pixel of a value.

        >>> axis_over([0, 200], 0, 100).at(50)
        25.0
        """
        if self.log:
            value = math.log10(value) if value > 0 else self.low
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def axis_over(values: Iterable[float], start: float, end: float, *, log: bool = False) -> Axis:
    """Return an axis over values, widened to round numbers; without values, from 0 to 1 (log: 1 to 10).

    Raises ValueError for a value that is not finite, and for a negative one on a log axis.

    >>> axis_over([3, 17], 0, 100).ticks
    (0.0, 5.0, 10.0, 15.0, 20.0)
    >>> axis_over([0, 40, 90_000], 0, 100, log=True).ticks
    (0, 10.0, 100.0, 1000.0, 10000.0, 100000.0)
    """
    known = list(values)
    if not all(math.isfinite(value) for value in known):
        raise ValueError("a chart shows finite numbers only")
    return _log_axis(known, start, end) if log else _linear_axis(known, start, end)


def _linear_axis(values: list[float], start: float, end: float) -> Axis:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if 0 < low <= high / 2:
        low = 0.0  # values that begin far below their end are compared from zero
    if high - low <= ALIKE * max(abs(low), abs(high)):
        low, high = min(low, 0.0), max(high, 0.0) or 1.0
    step = round_step((high - low) / (TICKS - 1))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(k * step, 12) for k in range(first, last + 1))
    return Axis(start, end, ticks[0], ticks[-1], ticks)


def _log_axis(values: list[float], start: float, end: float) -> Axis:
    if any(value < 0 for value in values):
        raise ValueError("a log axis shows no negative numbers")
    positive = [value for value in values if value > 0] or [1.0]
    first, last = math.floor(math.log10(min(positive))), math.ceil(math.log10(max(positive)))
    last = max(last, first + 1)
    step = math.ceil((last - first) / (2 * TICKS))
    decades = range(first, last + 1, step)
    multiples = (1, 2, 5) if last - first <= DECADES_WITH_HALVES else (1,)
    ticks = [m * 10.0**k for k in decades for m in multiples if k < last or m == 1]
    if 0 in values:
        return Axis(start, end, first - ZERO_BELOW, last, (0, *ticks), log=True)
    return Axis(start, end, first, last, tuple(ticks), log=True)


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that is not below `least` (more than 0).

    >>> round_step(0.13), round_step(3), round_step(70)
    (0.2, 5.0, 100.0)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1 - 1e-9))


def label(value: float) -> str:
    """Return a tick's number, short: thousands, millions and billions as k, M and G.

    >>> [label(v) for v in (0, 0.25, 5.0, 1500, 20_000, 3e6, 1e9, 1e-5)]
    ['0', '0.25', '5', '1500', '20k', '3M', '1G', '1e-05']
    """
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / min(size, 1e3 if sign == 'k' else size):.4g}{sign}"
    return f"{value:.6g}"
