"""Compare configurations on the puzzles that all of them did, with intervals by paired bootstrap over puzzles.

The letters of one puzzle are right or wrong together, so whole puzzles are resampled, not letters. Each resample has
the same puzzles for all configurations ("paired"), so that a difference between two is not drowned by the difficulty of
the puzzles (Efron & Tibshirani 1993, ch. 13; Koehn 2004). Intervals are percentiles of the resamples. Several seeds of
one puzzle are summed first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.errors import UsageError
from agent.evaluate.coverage import STEPS, accuracy
from agent.evaluate.lines import ResultLine
from agent.evaluate.metrics import BINS, KINDS, Bins, calibration
from agent.evaluate.results import read_records
from agent.warn import Warn, ignore_warning

RESAMPLES = 2000
"""Draws of the bootstrap: the ends of an interval are the 50th draw from either side, stable to the last digit."""
LEVEL = 0.95
"""Share of the draws inside an interval."""
DRAWN_AT_ONCE = 1_000_000
"""Drawn puzzles in memory at one time: some arrays of 8 MB, for any number of puzzles."""

Floats = NDArray[np.float64]

COUNTS = ("letters", "all letters", "words", "all words", "solved", "scored", "claimed wrong")
SPENT = (
    "runs", "seconds", "waited", "calls", "cache hits", "tokens", "cost", "claimed", "consistent", "false consistent",
    "warned",
)  # fmt: skip
COLUMN = {name: number for number, name in enumerate((*COUNTS, *SPENT))}
FIRST_BIN = {kind: len(COLUMN) + number * 3 * BINS for number, kind in enumerate(KINDS)}
WIDTH = len(COLUMN) + len(KINDS) * 3 * BINS
"""Columns of a puzzle's row of sums: counts, usage, and for each kind of statement and each calibration bin the number
of statements, the sum of their probabilities, and how many are right. In draws the curve of coverage follows."""


@dataclass(slots=True)
class Contestant:
    """One configuration's results for each puzzle (id and content): a row of sums, and the values of single runs.

    `grids` has (stated probability of the whole grid, whether it is right) for each run that can be scored.
    """

    name: str
    rows: dict[str, Floats] = field(default_factory=dict)
    grids: dict[str, list[tuple[float, bool]]] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def add(self, puzzle: str, line: ResultLine) -> None:
        """Add one line."""
        row = self.rows.setdefault(puzzle, np.zeros(WIDTH))
        row += row_of(line)
        if line["solved"] is not None:
            self.grids.setdefault(puzzle, []).append((line["probability"], line["solved"]))
        self.seconds.setdefault(puzzle, []).append(line["seconds"] + line.get("waited", 0.0))


def row_of(line: ResultLine) -> Floats:
    """Return a line's row of sums; an unknown cost is NaN, and so is every sum with it.

    >>> line = {"solved": None, "seconds": 0.5, "calls": 1, "cache_hits": 0, "tokens": 90, "cost": None,
    ...         "claimed": True, "consistent": True, "false_consistent": False, "warnings": []}
    >>> row_of(line)[[COLUMN["tokens"], COLUMN["scored"]]].tolist()
    [90.0, 0.0]
    """
    row = np.zeros(WIDTH)
    if line["solved"] is not None:
        wrongly = line["claimed"] and not line["solved"]
        row[: len(COUNTS)] = [*(line["letters"] or ()), *(line["words"] or ()), line["solved"], 1, wrongly]
        for kind, bins in calibration([line]).items():
            row[FIRST_BIN[kind] : FIRST_BIN[kind] + 3 * BINS] = [*bins.counts, *bins.stated, *bins.right]
    cost = np.nan if line["cost"] is None else line["cost"]
    row[len(COUNTS) : len(COLUMN)] = [
        1, line["seconds"], line.get("waited", 0.0), line["calls"], line["cache_hits"], line["tokens"], cost,
        line["claimed"], line["consistent"], line["false_consistent"], bool(line["warnings"]),
    ]  # fmt: skip
    return row


def bins_in(sums: Floats, kind: str) -> Floats:
    """Return the calibration bins in rows of sums: (..., 3, BINS) for statements, stated and right."""
    return sums[..., FIRST_BIN[kind] : FIRST_BIN[kind] + 3 * BINS].reshape(*sums.shape[:-1], 3, BINS)


def ratio(over: str, under: str) -> Callable[[Floats], Floats]:
    """Return a function that divides one column's sum by another's; NaN for 0 / 0."""

    def divide(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = sums[..., COLUMN[over]] / sums[..., COLUMN[under]]
        return found

    return divide


def off_by(kind: str) -> Callable[[Floats], Floats]:
    """Return a function that computes the expected calibration error, the distance of stated and true rates."""

    def error(sums: Floats) -> Floats:
        count, stated, right = np.moveaxis(bins_in(sums, kind), -2, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = abs(stated - right).sum(-1) / count.sum(-1)
        return found

    return error


def step(number: int) -> Callable[[Floats], Floats]:
    """Return a function that takes the accuracy at one step of the curve of coverage."""
    return lambda sums: sums[..., WIDTH + number]


def area(sums: Floats) -> Floats:
    """Return the area under the curve of coverage."""
    found: Floats = sums[..., WIDTH:].mean(-1)
    return found


FIGURES: Mapping[str, Callable[[Floats], Floats]] = {
    "letters": ratio("letters", "all letters"),
    "words": ratio("words", "all words"),
    "puzzles": ratio("solved", "scored"),
    **{name: off_by(kind) for kind, name in KINDS.items()},
    "coverage_area": area,
    "seconds": ratio("seconds", "runs"),
    "waited": ratio("waited", "runs"),
    "calls": ratio("calls", "runs"),
    "tokens": ratio("tokens", "runs"),
    "cost": ratio("cost", "runs"),
}
"""Figures compared: rates of right letters, words and puzzles; calibration of grids, slots and letters; accuracy
against coverage; and means per run of a puzzle."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval.

    >>> print(Estimate(0.5, 0.25, 0.75))
    0.5 [0.25, 0.75]
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True, slots=True)
class Standing:
    """One configuration's figures; `against` are the differences to the first configuration, None for itself.

    Unknown figures, such as cost without prices, are left out. `calibration` has a table for each kind of
    statement, `grid_luck` is the calibration error of whole grids to expect by chance. `coverage` has the share right
    of the surest grids at each of :data:`agent.evaluate.coverage.COVERAGES`, and is empty if no puzzle has an official
    solution. `seconds` is the time of every run, sorted, search and waiting for servers together.
    """

    name: str
    puzzles: int
    runs: int
    scored: int
    claimed: int
    claimed_wrong: int
    consistent: int
    false_consistent: int
    warned: int
    figures: Mapping[str, Estimate]
    against: Mapping[str, Estimate] | None
    calibration: Mapping[str, Sequence[Mapping[str, float]]]
    grid_luck: float | None
    coverage: tuple[Estimate, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Configurations on the same puzzles; `left_out` counts puzzles not done by all of them."""

    standings: tuple[Standing, ...]
    puzzles: int
    left_out: int
    resamples: int
    seed: int


def read_contestants(paths: Sequence[Path], warn: Warn = ignore_warning) -> list[Contestant]:
    """Read result files; each configuration of each file is a contestant, named by its label, its file, or both.

    A file that is named twice counts once.
    Raises UsageError for a file of something else or without results, OSError for one that cannot be read.
    """
    found: dict[tuple[Path, str], Contestant] = {}
    for path in dict.fromkeys(paths):
        last = {record["key"]: place for place, record in read_records(path, warn)}
        if not last:
            raise UsageError(f"{path}: expected results, found none")
        for place, record in read_records(path):
            if last.get(record["key"]) == place:
                puzzle, digest, _ = record["key"].rsplit("|", 2)
                found.setdefault((path, digest), Contestant(record["configuration"])).add(puzzle, record["line"])
    ways = (
        [contestant.name for contestant in found.values()],
        [path.stem for path, _ in found],
        [f"{path.stem}: {contestant.name}" for (path, _), contestant in found.items()],
        [f"{path}: {contestant.name} ({digest})" for (path, digest), contestant in found.items()],
    )
    names = next((names for names in ways if len(set(names)) == len(found)), ways[-1])
    return [replace(contestant, name=name) for name, contestant in zip(names, found.values(), strict=True)]


def compare(contestants: Sequence[Contestant], *, resamples: int = RESAMPLES, seed: int = 0) -> Comparison:
    """Compare configurations; the first is the baseline.

    The same results, draws and seed give the same intervals. Raises UsageError if they have no puzzle in common.
    """
    names = [set(contestant.rows) for contestant in contestants]
    common = sorted(set.intersection(*names))
    if not common:
        raise UsageError("the configurations have no puzzle in common: there is nothing to compare")
    whole = [sums_of(contestant, common, np.ones((1, len(common))))[0] for contestant in contestants]
    parts = [
        [sums_of(contestant, common, times) for contestant in contestants]
        for times in draws(len(common), resamples, seed)
    ]
    totals, drawn = np.stack(whole), np.concatenate([np.stack(part) for part in parts], axis=1)
    standings = []
    for number, contestant in enumerate(contestants):
        figures = {name: estimate(figure, totals[number], drawn[number]) for name, figure in FIGURES.items()}
        against = None
        if number:
            against = {
                name: estimate(lambda sums, figure=figure: figure(sums[1]) - figure(sums[0]),  # type: ignore[misc]
                               totals[[0, number]], drawn[[0, number]])
                for name, figure in FIGURES.items()
            }  # fmt: skip
        total = totals[number]
        scored = int(total[COLUMN["scored"]])
        pooled = {kind: Bins.of(*bins_in(total, kind).tolist()) for kind in KINDS}
        standings.append(
            Standing(
                name=contestant.name,
                puzzles=len(common),
                runs=int(total[COLUMN["runs"]]),
                scored=scored,
                claimed=int(total[COLUMN["claimed"]]),
                claimed_wrong=int(total[COLUMN["claimed wrong"]]),
                consistent=int(total[COLUMN["consistent"]]),
                false_consistent=int(total[COLUMN["false consistent"]]),
                warned=int(total[COLUMN["warned"]]),
                figures=known(figures),
                against=None if against is None else known(against),
                calibration={kind: bins.table() for kind, bins in pooled.items()},
                grid_luck=pooled["grids"].luck(),
                coverage=tuple(estimate(step(k), total, drawn[number]) for k in range(STEPS) if scored),
                seconds=tuple(sorted(second for puzzle in common for second in contestant.seconds[puzzle])),
            )
        )
    return Comparison(tuple(standings), len(common), len(set.union(*names)) - len(common), resamples, seed)


def draws(puzzles: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield how often each puzzle is drawn, with replacement, as (draws, puzzles), some draws at a time."""
    chance = np.random.default_rng(seed)
    at_once = max(1, DRAWN_AT_ONCE // puzzles)
    for begun in range(0, resamples, at_once):
        count = min(at_once, resamples - begun)
        drawn = chance.integers(puzzles, size=(count, puzzles)) + puzzles * np.arange(count)[:, None]
        times = np.bincount(drawn.ravel(), minlength=count * puzzles).reshape(count, puzzles)
        yield times.astype(np.float64)


def sums_of(contestant: Contestant, puzzles: Sequence[str], times: Floats) -> Floats:
    """Return a configuration's sums with each puzzle taken `times` times, as (draws, WIDTH + STEPS)."""
    rows = np.stack([contestant.rows[puzzle] for puzzle in puzzles])
    runs = [
        (number, stated, right)
        for number, puzzle in enumerate(puzzles)
        for stated, right in contestant.grids.get(puzzle, ())
    ]
    of, stated, right = np.array(runs, np.float64).reshape(-1, 3).T
    return np.hstack([times @ rows, accuracy(stated, right, times[:, of.astype(np.intp)])])


def estimate(figure: Callable[[Floats], Floats], totals: Floats, drawn: Floats) -> Estimate:
    """Return a figure and the interval that holds LEVEL of its draws, without draws in which it is undefined."""
    found = figure(drawn)
    found = found[~np.isnan(found)]
    if not found.size:
        return Estimate(float(figure(totals)), np.nan, np.nan)
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(figure(totals)), float(low), float(high))


def known(figures: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return the figures without the unknown ones."""
    return {name: found for name, found in figures.items() if not np.isnan(found.value)}
