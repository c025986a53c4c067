"""Fit how likely block patterns are for clues without a grid (`LOG_ODDS`), and check that Bayes' rule needs no power.

    python tests/bench/fit_gridless.py

Material: our own minis and the tuning half of those in newspaper style, never a puzzle that results are reported for.
The weights maximise the likelihood of the true patterns among all that have their numbers, with a penalty; then the
lexicon weighs the fillings of those that would be tried, with the grid's size given and without it, and the likelihood
of the true ones among these is compared for powers of the fillings' share; the program takes it as it is. Both together
are measured by cross-validation: each tenth of the puzzles with the weights and the power that the other nine give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from bench_gridless import MINIS, stripped, summed, tools
from common import keep
from numpy.typing import NDArray

from agent.api import open_puzzle
from agent.candidates.ranking import rank
from agent.core import Budget
from agent.grid import ClueText, Grid, Puzzle
from agent.gridless.patterns import LIKELY_SIZES, SIZE_STEP, features, infer_patterns, likely_patterns, reaches_edges
from agent.gridless.solve import CLOSE, MOST_PATTERNS, TRIAL_WORDS, questions_by_length, try_patterns

PENALTY = 1.0
"""Standard deviation of the weights' prior: 93 puzzles tell little about weights beyond it."""

POWERS = (0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0)
FOLDS = 10
NEVER = 1e-6
"""Probability of a pattern that was not tried."""

Floats = NDArray[np.float64]
Case = tuple[Floats, int]
"""The features of all patterns of a puzzle's numbers, and the index of the true one."""


@cache
def counted(grid: Grid) -> tuple[int, ...]:
    """Return a pattern's features, the irregularities counted from its slots."""
    covered = Counter(cell for slot in grid.slots for cell in slot.cells)
    unchecked = sum(times == 1 for times in covered.values())
    return features(grid.blocks, grid.width, unchecked + sum(len(slot) == 2 for slot in grid.slots))


@cache
def inferred(clues: ClueText) -> tuple[list[Grid], Floats]:
    """Return the patterns of some numbers, once for all puzzles that have them, and their features."""
    assert clues.size is not None
    found = [grid for grid, _ in infer_patterns(clues, *clues.size)]
    grids = [grid for grid in found if reaches_edges(grid.blocks, grid.width)]
    return grids, np.array([counted(grid) for grid in grids], float)


def case(puzzle: Puzzle) -> Case:
    """Return the patterns that have a puzzle's numbers, and the true one."""
    clues = stripped(Puzzle(puzzle.grid, ()), sized=True)
    grids, rows = inferred(clues)
    return rows, grids.index(puzzle.grid)


def likelihood(cases: Sequence[Case], weights: Floats) -> float:
    """Return the log-likelihood of the true patterns, less the penalty."""
    scores = [rows @ weights for rows, _ in cases]
    found = sum(score[true] - np.logaddexp.reduce(score) for score, (_, true) in zip(scores, cases, strict=True))
    return float(found - (weights**2).sum() / 2 / PENALTY**2)


def fit(cases: Sequence[Case]) -> Floats:
    """Maximise it: Newton's method, halving steps that do not help."""
    weights = np.zeros(cases[0][0].shape[1])
    best = likelihood(cases, weights)
    while True:
        slope, curve = -weights / PENALTY**2, np.eye(len(weights)) / PENALTY**2
        for rows, true in cases:
            scores = rows @ weights
            shares = np.exp(scores - np.logaddexp.reduce(scores))
            mean = shares @ rows
            slope += rows[true] - mean
            curve += (rows * shares[:, None]).T @ rows - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        while likelihood(cases, weights + step) < best and abs(step).max() > 1e-9:
            step /= 2
        reached = likelihood(cases, weights + step)
        if reached < best + 1e-9:
            return weights
        weights, best = weights + step, reached


def tried(puzzle: Puzzle, *, sized: bool) -> dict[Grid, float]:
    """Return the patterns that the lexicon weighs for a puzzle's clues: grid -> `fillings` of its trial."""
    clues = stripped(puzzle, sized=sized)
    patterns = likely_patterns(clues)[:MOST_PATTERNS]
    questions = questions_by_length([clues.on(grid) for grid, _ in patterns])
    ranking = rank(list(questions.values()), {}, tools("lexicon").lexicon)
    domains = {key: ranking.domains[question.key].nearest(TRIAL_WORDS) for key, question in questions.items()}
    return {trial.grid: trial.fillings for trial in try_patterns(patterns, domains, Budget(), lambda _: None)}


def shares(fillings: Mapping[Grid, float], weights: Floats, power: float) -> dict[Grid, float]:
    """Return the probability of each pattern that was tried."""
    sizes = sorted({(grid.width, grid.height) for grid in fillings}, key=LIKELY_SIZES.index)
    own = {grid: float(np.array(counted(grid), float) @ weights) for grid in fillings}
    total = {
        size: np.logaddexp.reduce([own[grid] for grid in fillings if (grid.width, grid.height) == size])
        for size in sizes
    }
    grids = list(fillings)
    scores = np.array(
        [
            own[grid]
            - total[grid.width, grid.height]
            - SIZE_STEP * sizes.index((grid.width, grid.height))
            + power * fillings[grid]
            for grid in grids
        ]
    )
    return dict(zip(grids, np.exp(scores - np.logaddexp.reduce(scores)).tolist(), strict=True))


def best_power(trials: Sequence[tuple[Puzzle, Mapping[Grid, float]]], weights: Floats) -> dict[float, float]:
    """Return the mean log-likelihood of the true patterns for each power."""
    return {
        power: float(
            np.mean(
                [
                    np.log(max(shares(fillings, weights, power).get(puzzle.grid, 0), NEVER))
                    for puzzle, fillings in trials
                ]
            )
        )
        for power in POWERS
    }


def line(puzzle: Puzzle, found: Mapping[Grid, float], *, sized: bool) -> dict[str, object]:
    """Return what is stated of a puzzle, in the form of bench_gridless.py."""
    (chosen, sure), *others = sorted(found.items(), key=lambda pair: -pair[1])
    close = [grid for grid, share in others[:1] if share >= CLOSE]
    return {
        "puzzle": puzzle.id,
        "sized": sized,
        "right": chosen == puzzle.grid,
        "probability": round(sure, 4),
        "asks": bool(close),
        "among two": puzzle.grid in {chosen, *close},
    }


def main() -> None:
    """Fit, cross-validate, keep."""
    paths = [*sorted(MINIS.glob("*.xd")), *sorted((MINIS / "tune").glob("*.xd"))]
    puzzles = {path.stem: puzzle for path in paths if isinstance(puzzle := open_puzzle(path), Puzzle)}
    cases = {name: case(puzzle) for name, puzzle in puzzles.items()}
    weights = fit(list(cases.values()))
    ways = [(name, sized) for name in puzzles for sized in (False, True)]
    trials = {(name, sized): (puzzles[name], tried(puzzles[name], sized=sized)) for name, sized in ways}
    powers = best_power(list(trials.values()), weights)
    lines = []
    for fold in range(FOLDS):
        left_out = list(puzzles)[fold::FOLDS]
        others = fit([cases[name] for name in puzzles if name not in left_out])
        known = best_power([trial for (name, _), trial in trials.items() if name not in left_out], others)
        power = max(POWERS, key=known.__getitem__)
        for name, sized in (way for way in ways if way[0] in left_out):
            puzzle, fillings = trials[name, sized]
            lines.append({**line(puzzle, shares(fillings, others, power), sized=sized), "puzzle": name})
    own = {path.stem for path in paths if path.parent == MINIS}
    held = {
        f"{kind}, {'size given' if sized else 'no size'}": summed(
            [one for one in lines if one["sized"] == sized and (one["puzzle"] in own) == (kind == "minis")]
        )
        for kind in ("minis", "daily-tune")
        for sized in (False, True)
    }
    keep(
        "fit-gridless",
        {
            "weights": weights.round(2).tolist(),
            "log-likelihood by power": {f"{power:g}": round(found, 4) for power, found in powers.items()},
            "power": max(POWERS, key=powers.__getitem__),
            "cross-validated": held,
            "lines": lines,
        },
    )


if __name__ == "__main__":
    main()
