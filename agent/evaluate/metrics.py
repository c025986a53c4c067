"""Score solutions against official ones, and sum up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from agent.grid import BLOCK, Grid

Line = Mapping[str, Any]


def score(found: Grid, official: Grid | None) -> dict[str, Any]:
    """Count the right letters and words of a grid: `solved`, `letters` and `words` as [right, total].

    Without an official grid everything is None: nothing can be counted. A rebus cell counts by its first letter.

    >>> score(Grid.parse("AB\\nCD"), Grid.parse("AB\\nCE"))
    {'solved': False, 'letters': [3, 4], 'words': [2, 4]}
    """
    if official is None:
        return {"solved": None, "letters": None, "words": None}
    pairs = [(a[0], b[0]) for a, b in zip(found.cells, official.cells, strict=True) if b != BLOCK]
    right = sum(a == b for a, b in pairs)
    words = [all(found.cells[c][0] == official.cells[c][0] for c in slot.cells) for slot in official.slots]
    return {"solved": right == len(pairs), "letters": [right, len(pairs)], "words": [sum(words), len(words)]}


class Tally:
    """Sums over result lines as they come, so that nobody has to keep them.

    >>> tally = Tally()
    >>> tally.add({"id": "a", "error": "no such file"})
    >>> tally.summary(1.0)["failed"]
    1
    """

    def __init__(self) -> None:
        self._sums: Counter[str] = Counter()
        self._cost: float | None = 0.0
        self._seconds = 0.0
        self._bins = Bins()

    def add(self, line: Line) -> None:
        """Count one line."""
        sums = self._sums
        sums["puzzles"] += 1
        if "error" in line:
            sums["failed"] += 1
            return
        self._bins.add(line)
        if line["solved"] is not None:
            sums["scored"] += 1
            sums["solved"] += line["solved"]
            sums["wrong"] += line["verified"] and not line["solved"]
            for field in ("letters", "words"):
                sums[field] += line[field][0]
                sums[f"all {field}"] += line[field][1]
        for field in ("verified", "false_verified", "expansions", "generated", "calls", "cache_hits", "tokens"):
            sums[field] += line[field]
        sums["proved"] += line["proof"] == "optimal"
        self._seconds += line["seconds"]
        self._cost = None if self._cost is None or line["cost"] is None else self._cost + line["cost"]

    def summary(self, seconds: float) -> dict[str, Any]:
        """Sum up: counts, letters and words as [right, total], work, and wall `seconds` of the whole run.

        `verified` counts grids that the solver claims to be complete and proved against the candidates,
        `false_verified` those of them that an independent check of the line's own grid refuses, `wrong` those that
        hold but are not the official filling. `failed` counts puzzles that ended in an error.
        """
        sums = self._sums
        return {
            "puzzles": sums["puzzles"],
            "scored": sums["scored"],
            "solved": sums["solved"],
            "letters": [sums["letters"], sums["all letters"]],
            "words": [sums["words"], sums["all words"]],
            "verified": sums["verified"],
            "false_verified": sums["false_verified"],
            "wrong": sums["wrong"],
            "proved": sums["proved"],
            "expansions": sums["expansions"],
            "generated": sums["generated"],
            "failed": sums["failed"],
            "calibration_error": self._bins.error(),
            "calls": sums["calls"],
            "cache_hits": sums["cache_hits"],
            "tokens": sums["tokens"],
            "cost": None if self._cost is None else round(self._cost, 6),
            "seconds": round(seconds, 3),
            "search_seconds": round(self._seconds, 3),
            "puzzles_per_second": round(sums["puzzles"] / seconds, 1) if seconds else None,
        }


def summarise(lines: Iterable[Line], seconds: float) -> dict[str, Any]:
    """Sum up result lines; `seconds` is the wall time of the whole run.

    >>> summarise([{"id": "a", "error": "no such file"}], 1.0)["puzzles"]
    1
    """
    tally = Tally()
    for line in lines:
        tally.add(line)
    return tally.summary(seconds)


BINS = 10
"""Probability bins of the calibration table: tenths, as is usual (Guo et al. 2017)."""


def bin_of(probability: float) -> int:
    """Return the number of a probability's bin.

    >>> bin_of(0.05), bin_of(1.0)
    (0, 9)
    """
    return min(int(probability * BINS), BINS - 1)


class Bins:
    """Stated probabilities and hit rates, slot by slot, in bins of a tenth."""

    def __init__(self) -> None:
        self.slots = [0] * BINS
        self.stated = [0.0] * BINS
        self.right = [0] * BINS

    def add(self, line: Line) -> None:
        """Count the slots of one line."""
        for probability, right in line.get("slots") or ():
            index = bin_of(probability)
            self.slots[index] += 1
            self.stated[index] += probability
            self.right[index] += right

    def table(self) -> list[dict[str, float]]:
        """Return a row for each bin that has slots."""
        return [
            {
                "from": index / BINS,
                "slots": slots,
                "stated": round(stated / slots, 4),
                "right": round(right / slots, 4),
            }
            for index, (slots, stated, right) in enumerate(zip(self.slots, self.stated, self.right, strict=True))
            if slots
        ]

    def error(self) -> float | None:
        """Return the expected calibration error: the mean distance of stated and true rate, weighted by slots."""
        total = sum(self.slots)
        if not total:
            return None
        return round(sum(abs(s - r) for s, r in zip(self.stated, self.right, strict=True)) / total, 4)


def calibration(lines: Iterable[Line]) -> list[dict[str, float]]:
    """Compare stated probabilities with hit rates.

    >>> calibration([{"slots": [[0.95, True], [0.97, False]]}])
    [{'from': 0.9, 'slots': 2, 'stated': 0.96, 'right': 0.5}]
    """
    bins = Bins()
    for line in lines:
        bins.add(line)
    return bins.table()
