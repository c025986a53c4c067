"""Score solutions against official ones, compare stated probabilities with the truth, and sum up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, lgamma, log, log1p
from typing import Any, Literal, get_args

from agent.evaluate.lines import Line, ResultLine, Score, Statements
from agent.grid import BLOCK, EMPTY, Grid
from agent.solution import Solution


def score(found: Grid, official: Grid | None) -> Score:
    """Count the right letters and words of a grid; a rebus cell counts by its first letter.

    >>> score(Grid.parse("AB\\nCD"), Grid.parse("AB\\nCE"))
    {'solved': False, 'letters': [3, 4], 'words': [2, 4]}
    """
    if official is None:
        return {"solved": None, "letters": None, "words": None}
    pairs = [(a[0], b[0]) for a, b in zip(found.cells, official.cells, strict=True) if b != BLOCK]
    right = sum(a == b for a, b in pairs)
    words = [all(found.cells[c][0] == official.cells[c][0] for c in slot.cells) for slot in official.slots]
    return {"solved": right == len(pairs), "letters": [right, len(pairs)], "words": [sum(words), len(words)]}


BINS = 10
"""Probability bins of a calibration table: tenths, as is usual (Guo et al. 2017)."""

KINDS = {
    "grids": "grid_calibration_error",
    "slots": "calibration_error",
    "letters": "letter_calibration_error",
}
"""Kinds of statements with a probability, and the name of their calibration error."""


def bin_of(probability: float) -> int:
    """Return the number of a probability's bin.

    >>> bin_of(0.05), bin_of(1.0)
    (0, 9)
    """
    return min(int(probability * BINS), BINS - 1)


def deviation(count: int, mean: float) -> float:
    """Return the mean absolute deviation of a binomial distribution from its mean (de Moivre's formula).

    >>> round(deviation(2, 1.0), 6)
    0.5
    """
    if not 0 < mean < count:
        return 0.0
    rate, most = mean / count, int(mean) + 1
    return 2 * most * exp(
        lgamma(count + 1) - lgamma(most + 1) - lgamma(count - most + 1)
        + most * log(rate) + (count - most + 1) * log1p(-rate)
    )  # fmt: skip


class Bins:
    """Stated probabilities of whole grids, slots or letters, and how often they were right, in bins of a tenth.

    >>> bins = Bins()
    >>> bins.add(0.95, right=True)
    >>> bins.add(0.97, right=False)
    >>> bins.rows()
    [[9, 2, 1.92, 1]]
    >>> bins.error()
    0.46
    """

    def __init__(self) -> None:
        self.counts = [0] * BINS
        self.stated = [0.0] * BINS
        self.right = [0] * BINS

    @classmethod
    def of(cls, counts: Iterable[float], stated: Iterable[float], right: Iterable[float]) -> Bins:
        """Return bins made from sums, one number per bin."""
        bins = cls()
        bins.pool(zip(range(BINS), counts, stated, right, strict=True))
        return bins

    def add(self, probability: float, *, right: bool) -> None:
        """Add one statement."""
        self.pool([[bin_of(probability), 1, probability, right]])

    def pool(self, rows: Iterable[Sequence[float]]) -> None:
        """Add the statements of other bins, as :meth:`rows` returns them."""
        for index, count, stated, right in rows:
            self.counts[int(index)] += int(count)
            self.stated[int(index)] += stated
            self.right[int(index)] += int(right)

    def rows(self) -> list[list[float]]:
        """Return [bin, statements, sum of their probabilities, how many are right] for each bin that has any."""
        return [
            [index, count, round(stated, 4), right]
            for index, (count, stated, right) in enumerate(zip(self.counts, self.stated, self.right, strict=True))
            if count
        ]

    def table(self) -> list[dict[str, float]]:
        """Return a row for each bin that has statements; `stated` and `right` are means."""
        return [
            {
                "from": index / BINS,
                "count": count,
                "stated": round(self.stated[index] / count, 4),
                "right": round(self.right[index] / count, 4),
            }
            for index, count in enumerate(self.counts)
            if count
        ]

    def error(self) -> float | None:
        """Return the expected calibration error: the mean distance of stated and true rate, weighted by statements."""
        total = sum(self.counts)
        if not total:
            return None
        return round(sum(abs(s - r) for s, r in zip(self.stated, self.right, strict=True)) / total, 4)

    def luck(self) -> float | None:
        """Return the expected error if all statements were calibrated and independent of each other.

        An error of this size is not evidence against the numbers. Whole grids are independent; slots and letters of one
        grid are not, so for them it is too small.

        >>> bins = Bins()
        >>> bins.add(0.5, right=True)
        >>> bins.luck()
        0.5
        """
        total = sum(self.counts)
        if not total:
            return None
        return round(sum(map(deviation, self.counts, self.stated)) / total, 4)


def statements(solution: Solution, official: Grid | None) -> Statements:
    """Return the probabilities that a solution states for its slots and letters, and whether each is right.

    Cells that are empty or were given state nothing, nor do slots with empty cells.
    """
    if official is None:
        return {"slots": [], "cells": []}
    grid, cells = solution.grid, Bins()
    right = [found[0] == wanted[0] for found, wanted in zip(grid.cells, official.cells, strict=True)]
    for index in sorted({index for slot in grid.slots for index in slot.cells}):
        if grid.cells[index] != EMPTY and solution.puzzle.grid.cells[index] == EMPTY:
            cells.add(solution.confidence[index], right=right[index])
    slots = [
        [round(answer.probability, 4), all(right[index] for index in grid.slot(answer.slot).cells)]
        for answer in solution.answers
        if EMPTY not in answer.answer
    ]
    return {"slots": slots, "cells": cells.rows()}


def calibration(lines: Iterable[Line]) -> dict[str, Bins]:
    """Pool the statements of result lines about whole grids, slots and letters.

    A line counts if its puzzle has an official solution.

    >>> line = {"solved": True, "probability": 0.9, "slots": [[0.95, True], [0.97, False]], "cells": [[9, 4, 3.8, 3]]}
    >>> {kind: bins.error() for kind, bins in calibration([line]).items()}
    {'grids': 0.1, 'slots': 0.46, 'letters': 0.2}
    """
    pooled = {kind: Bins() for kind in KINDS}
    for line in lines:
        if "error" not in line:
            _pool(pooled, line)
    return pooled


def _pool(pooled: Mapping[str, Bins], line: ResultLine) -> None:
    if line["solved"] is not None:
        pooled["grids"].add(line["probability"], right=line["solved"])
        for probability, right in line["slots"]:
            pooled["slots"].add(probability, right=bool(right))
        pooled["letters"].pool(line["cells"])


Counted = Literal[
    "claimed", "consistent", "false_consistent", "expansions", "generated", "calls", "cache_hits", "tokens"
]
COUNTED: tuple[Counted, ...] = get_args(Counted)
"""Fields of a line that are summed."""


class Tally:
    """Sums over result lines as they come, so that none has to be kept.

    >>> Tally([{"id": "a", "seed": 0, "error": "no such file"}]).summary(1.0)["failed"]
    1
    """

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._sums: Counter[str] = Counter()
        self._cost: float | None = 0.0
        self._seconds = 0.0
        self._bins = calibration(())
        for line in lines:
            self.add(line)

    def add(self, line: Line) -> None:
        """Add one line."""
        sums = self._sums
        sums["puzzles"] += 1
        if "error" in line:
            sums["failed"] += 1
            return
        _pool(self._bins, line)
        if line["solved"] is not None:
            sums["scored"] += 1
            sums["solved"] += line["solved"]
            sums["claimed_wrong"] += line["claimed"] and not line["solved"]
            for field, counts in (("letters", line["letters"]), ("words", line["words"])):
                right, total = counts or (0, 0)
                sums[field] += right
                sums[f"all {field}"] += total
        for field in COUNTED:
            sums[field] += line[field]
        sums["proved"] += line["proof"] == "optimal"
        self._seconds += line["seconds"]
        self._cost = None if self._cost is None or line["cost"] is None else self._cost + line["cost"]

    def summary(self, seconds: float) -> dict[str, Any]:
        """Return the sums; `seconds` is the wall time of the whole run, letters and words are [right, total].

        `solved` counts grids that are the official filling, `claimed` those that the solver calls solved, and
        `claimed_wrong` the claimed ones that are not the official filling. `consistent` counts grids that are full with
        nothing but candidates, `false_consistent` those of them that an independent check refuses, which must be 0.
        `proved` counts optima, `failed` puzzles that ended in an error. Calibration errors are None if no puzzle has an
        official solution; `grid_calibration_luck` is the expected error of whole grids if all their probabilities were
        right (:meth:`Bins.luck`).
        """
        sums = self._sums
        return {
            "puzzles": sums["puzzles"],
            "scored": sums["scored"],
            "solved": sums["solved"],
            "letters": [sums["letters"], sums["all letters"]],
            "words": [sums["words"], sums["all words"]],
            "claimed": sums["claimed"],
            "claimed_wrong": sums["claimed_wrong"],
            **{name: self._bins[kind].error() for kind, name in KINDS.items()},
            "grid_calibration_luck": self._bins["grids"].luck(),
            "consistent": sums["consistent"],
            "false_consistent": sums["false_consistent"],
            "proved": sums["proved"],
            "expansions": sums["expansions"],
            "generated": sums["generated"],
            "failed": sums["failed"],
            "calls": sums["calls"],
            "cache_hits": sums["cache_hits"],
            "tokens": sums["tokens"],
            "cost": None if self._cost is None else round(self._cost, 6),
            "seconds": round(seconds, 3),
            "search_seconds": round(self._seconds, 3),
        }
