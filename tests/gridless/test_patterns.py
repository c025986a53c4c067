"""Clue numbers alone bring back the block pattern: always among those found, nearly always among the first."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from agent.api import open_puzzle
from agent.grid import ClueText, Grid, NumberedClue
from agent.gridless import patterns
from agent.gridless.patterns import infer_patterns, likely_patterns, likely_sizes
from agent.slots import number_slots

MINIS = sorted((Path(__file__).parents[2] / "data" / "minis").glob("*.xd"))
PENALTY = 1.0
"""Standard deviation of the fit's prior: 26 puzzles tell little about weights beyond it."""


def listed(slots, *, lengths=False) -> ClueText:
    """Make the clue text of some slots."""

    def way(direction):
        return tuple(
            NumberedClue(slot.number, "", len(slot) if lengths else None)
            for slot in slots
            if slot.direction == direction
        )

    return ClueText(way("across"), way("down"))


@cache
def infer(clues: ClueText, width: int, height: int):
    """Infer the patterns once for all minis of the same numbers: return them and the features of each."""
    found = infer_patterns(clues, width, height)
    return found, np.array([counted(pattern) for pattern, _ in found.patterns], float)


def inferred(path: Path):
    """Infer a mini's pattern from its numbers: return the grid and the patterns."""
    grid = open_puzzle(path).grid
    return grid, infer(listed(grid.slots), grid.width, grid.height)[0]


@pytest.mark.parametrize("path", MINIS, ids=lambda path: path.stem)
def test_the_true_pattern_is_among_the_first(path):
    grid, found = inferred(path)
    assert math.isclose(sum(share for _, share in found.patterns), 1)
    rank = 1 + [pattern for pattern, _ in found.patterns].index(grid)
    assert rank <= 20


@pytest.mark.parametrize("path", MINIS, ids=lambda path: path.stem)
def test_answer_lengths_leave_fewer_patterns(path):
    grid = open_puzzle(path).grid
    found = infer_patterns(listed(grid.slots, lengths=True), grid.width, grid.height)
    assert grid in [pattern for pattern, _ in found.patterns]
    assert len(found.patterns) <= 8


@pytest.mark.parametrize(("width", "height"), [(2, 2), (3, 3), (4, 3), (2, 5)])
def test_exactly_the_patterns_of_that_numbering_are_found(width, height):
    by_numbering = defaultdict(set)
    for blocks in itertools.product((False, True), repeat=width * height):
        slots = number_slots(width, height, blocks)
        if sum(blocks) + len({cell for slot in slots for cell in slot.cells}) == width * height:
            by_numbering[tuple(slot.name for slot in slots)].add(blocks)
    for wanted in itertools.islice(by_numbering.values(), 0, None, 7):
        slots = number_slots(width, height, next(iter(wanted)))
        found = infer_patterns(listed(slots), width, height)
        assert found.complete
        assert {pattern.blocks for pattern, _ in found.patterns} == wanted


@pytest.mark.parametrize(
    "clues",
    [
        ClueText((NumberedClue(1, ""), NumberedClue(3, "")), (NumberedClue(1, ""),)),
        ClueText((NumberedClue(99, ""),), (NumberedClue(1, ""),)),
        ClueText((NumberedClue(1, "", 6),), ()),
        ClueText((NumberedClue(1, "", 1),), ()),
    ],
    ids=["a gap", "too many", "too long", "too short"],
)
def test_numbers_that_no_grid_has_give_no_pattern(clues):
    found = infer_patterns(clues, 5, 5)
    assert (found.patterns, found.complete) == ((), True)


def test_large_grids_are_cut_off_and_say_so():
    grid, found = inferred(next(path for path in MINIS if path.stem == "midi-01"))
    assert not found.complete
    assert str(found) == f"{len(found.patterns)} patterns (all with at most {found.irregularities} irregularities)"
    assert likely_sizes(listed(grid.slots))[0] == (9, 9)


def test_grids_too_large_to_infer_say_so():
    found = infer_patterns(listed(Grid.blank(30, 30).slots), 30, 30)
    assert (found.patterns, found.complete, str(found)) == ((), False, "no patterns listed: there are too many")


def test_the_true_size_is_among_the_likely_ones():
    grids = [open_puzzle(path).grid for path in MINIS]
    assert all((grid.width, grid.height) in likely_sizes(listed(grid.slots)) for grid in grids)


def test_the_weights_are_those_that_the_minis_give():
    grids = [open_puzzle(path).grid for path in MINIS]
    fitted = fit([(grid, *infer(listed(grid.slots), grid.width, grid.height)) for grid in grids])
    assert np.allclose(fitted, patterns.LOG_ODDS[:3], atol=0.05), fitted


def fit(found) -> np.ndarray:
    """Maximise the likelihood of the true patterns (Newton's method), the weight of symmetry held."""
    cases = []
    for grid, result, rows in found:
        cases.append(
            (rows[:, :3], rows[:, 3] * patterns.SYMMETRY_LOG_ODDS, [p for p, _ in result.patterns].index(grid))
        )
    weights = np.zeros(3)
    for _ in range(50):
        slope, curve = -weights / PENALTY**2, np.eye(3) / PENALTY**2
        for rows, held, true in cases:
            shares = np.exp(rows @ weights + held)
            shares /= shares.sum()
            mean = shares @ rows
            slope += rows[true] - mean
            curve += (rows * shares[:, None]).T @ rows - np.outer(mean, mean)
        weights += np.linalg.solve(curve, slope)
    return weights


def counted(pattern: Grid):
    """Count a pattern's features, the irregularities from its slots."""
    covered = [cell for slot in pattern.slots for cell in slot.cells]
    unchecked = sum(covered.count(cell) == 1 for cell in set(covered))
    return patterns.features(pattern.blocks, pattern.width, unchecked + sum(len(slot) == 2 for slot in pattern.slots))


def test_a_pattern_inside_an_empty_border_is_one_of_a_smaller_size():
    grid = Grid.parse("...\n...\n...")
    assert all(found.rows[-1] != "####" for found, _ in likely_patterns(listed(grid.slots)))
    assert likely_patterns(listed(grid.slots))[0][0] == grid
