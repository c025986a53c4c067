"""Clue numbers alone bring back the block pattern: always among those found, nearly always among the first."""

from __future__ import annotations

import itertools
import json
import math
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.grid import ClueText, Grid, NumberedClue
from agent.gridless import patterns
from agent.gridless.patterns import features, infer_patterns, likely_patterns, likely_sizes, reaches_edges
from agent.slots import number_slots

MINIS = sorted((Path(__file__).parents[2] / "data" / "minis").glob("*.xd"))
FITTED = Path(__file__).parents[1] / "bench" / "results" / "fit-gridless.json"


def listed(slots, *, lengths=False) -> ClueText:
    """Make the clue text of some slots."""

    def way(direction):
        return tuple(
            NumberedClue(slot.number, "", len(slot) if lengths else None)
            for slot in slots
            if slot.direction == direction
        )

    return ClueText(way("across"), way("down"))


def numbered(across, down, size=None) -> ClueText:
    """Make the clue text of some numbers."""
    return ClueText(*(tuple(NumberedClue(number, "") for number in numbers) for numbers in (across, down)), size=size)


@cache
def infer(clues: ClueText, width: int, height: int):
    """Infer the patterns once for all minis of the same numbers."""
    return infer_patterns(clues, width, height)


def inferred(path: Path):
    """Infer a mini's pattern from its numbers: return the grid and the patterns."""
    grid = open_puzzle(path).grid
    return grid, infer(listed(grid.slots), grid.width, grid.height)


@pytest.mark.parametrize("path", MINIS, ids=lambda path: path.stem)
def test_the_true_pattern_is_among_the_first(path):
    grid, found = inferred(path)
    assert math.isclose(sum(share for _, share in found), 1)
    rank = 1 + [pattern for pattern, _ in found].index(grid)
    assert rank <= 8


@pytest.mark.parametrize("path", MINIS, ids=lambda path: path.stem)
def test_answer_lengths_leave_fewer_patterns(path):
    grid = open_puzzle(path).grid
    found = infer_patterns(listed(grid.slots, lengths=True), grid.width, grid.height)
    assert grid in [pattern for pattern, _ in found]
    assert len(found) <= 8


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
        assert {pattern.blocks for pattern, _ in found} == wanted


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
    assert infer_patterns(clues, 5, 5) == ()


def test_the_size_of_a_large_grid_is_found():
    grid = open_puzzle(next(path for path in MINIS if path.stem == "midi-01")).grid
    assert likely_sizes(listed(grid.slots))[0] == (9, 9)


def test_of_grids_too_large_to_infer_no_pattern_is_listed():
    assert infer_patterns(listed(Grid.blank(30, 30).slots), 30, 30) == ()


def test_the_true_size_is_among_the_likely_ones():
    grids = [open_puzzle(path).grid for path in MINIS]
    assert all((grid.width, grid.height) in likely_sizes(listed(grid.slots)) for grid in grids)


def test_the_weights_are_those_that_were_fitted():
    fitted = json.loads(FITTED.read_text("utf-8"))
    by_power = fitted["log-likelihood by power"]
    assert fitted["weights"] == list(patterns.LOG_ODDS)
    assert by_power["1"] == pytest.approx(max(by_power.values()), abs=0.01)


@pytest.mark.parametrize(
    ("rows", "symmetries"),
    [
        ("#..\n...\n..#", (1, 0, 0)),
        ("#.#\n...\n#.#", (1, 0, 0)),
        ("#.#\n...\n...", (0, 1, 0)),
        ("#..\n...\n#..", (0, 1, 0)),
        ("#..\n...\n...", (0, 0, 1)),
        ("#...\n....\n....", (0, 0, 0)),
        (".#..\n....\n....\n....", (0, 0, 0)),
    ],
)
def test_a_half_turn_counts_before_a_mirror_and_a_diagonal(rows, symmetries):
    grid = Grid.parse(rows)
    assert features(grid.blocks, grid.width, 0)[3:] == symmetries


def test_of_two_corners_and_one_the_pattern_with_the_half_turn_is_likelier():
    found = likely_patterns(numbered((1, 5, 6, 7, 8), (1, 2, 3, 4, 5), (5, 5)))
    shares = {grid.rows: share for grid, share in found}
    whole = "....."
    assert shares["#....", whole, whole, whole, "....#"] > 5 * shares["#....", whole, whole, whole, whole]


@pytest.mark.parametrize("size", [None, (5, 5)])
def test_an_empty_row_at_the_edge_is_left_to_smaller_sizes(size):
    found = likely_patterns(numbered((2, 6, 7), (1, 2, 3, 4, 5), size))
    assert found
    assert all(grid.rows[-1] != "#####" for grid, _ in found if grid.height == 5)


def test_a_pattern_inside_an_empty_border_is_one_of_a_smaller_size():
    grid = Grid.parse("...\n...\n...")
    assert all(found.rows[-1] != "####" for found, _ in likely_patterns(listed(grid.slots)))
    assert likely_patterns(listed(grid.slots))[0][0] == grid


def test_clues_of_a_grid_smaller_than_all_likely_ones_get_a_grid_without_border():
    found = likely_patterns(numbered((1, 3), (1, 2)))
    assert ("..", "..") in [grid.rows for grid, _ in found]
    assert all(reaches_edges(grid.blocks, grid.width) for grid, _ in found)
    assert math.isclose(sum(share for _, share in found), 1)
    assert len({grid for grid, _ in found}) == len(found)


@pytest.mark.parametrize("side", [3, 4])
def test_without_any_time_the_grid_that_holds_the_clues_is_listed(side):
    square = Grid.blank(side, side)
    listed_at_once = likely_patterns(listed(square.slots), lambda: True)
    assert [grid for grid, _ in listed_at_once][:1] == [square]


def test_without_any_time_the_likeliest_size_is_taken_if_none_is_decided():
    grid = Grid.parse("##...\n#....\n.....\n....#\n...##")
    assert likely_sizes(listed(grid.slots), lambda: True) == [(5, 5)]
