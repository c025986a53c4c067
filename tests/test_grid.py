"""Grids number themselves as newspapers do, whatever their blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import UsageError
from agent.formats.common import with_bars
from agent.grid import BLOCK, EMPTY, MAX_SIDE, Clue, Grid, Puzzle
from agent.text import answer_letters


@st.composite
def grids(draw):
    """Any grid up to 12 a side, some cells filled, some parted by bars."""
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    cells = st.lists(st.sampled_from([BLOCK, EMPTY, "A", "Z"]), min_size=width * height, max_size=width * height)
    grid = Grid(width, height, tuple(draw(cells)))
    sides = st.dictionaries(st.integers(0, width * height - 1), st.sampled_from(["T", "L", "RB"]), max_size=9)
    return with_bars(grid, draw(sides))


@given(grids())
def test_a_grid_is_read_back_from_its_rows(grid):
    assert Grid.parse("\n".join(grid.rows)) == replace(grid, bars=frozenset())


@given(grids())
def test_slots_are_the_longest_runs_of_two_or_more_white_cells(grid):
    width = grid.width
    lines = {"across": [range(row * width, (row + 1) * width) for row in range(grid.height)]}
    lines["down"] = [range(column, len(grid.cells), width) for column in range(width)]
    for direction, found in lines.items():
        # a bar after a cell ends a run as a block after it would
        texts = ["".join(grid.cells[at] + BLOCK * ((at, at + line.step) in grid.bars) for at in line) for line in found]
        runs = sorted(run for text in texts for run in text.split(BLOCK) if len(run) > 1)
        assert sorted(grid.answer(slot) for slot in grid.slots if slot.direction == direction) == runs


@given(grids())
def test_numbers_count_up_from_one_in_reading_order(grid):
    first_cells = sorted(grid.slot_numbers)
    assert [grid.slot_numbers[cell] for cell in first_cells] == list(range(1, len(first_cells) + 1))


@given(grids())
def test_two_slots_of_one_direction_never_share_a_cell(grid):
    for direction in ("across", "down"):
        cells = [cell for slot in grid.slots if slot.direction == direction for cell in slot.cells]
        assert len(cells) == len(set(cells))


@given(grids(), st.data())
def test_writing_into_a_slot_changes_nothing_else(grid, data):
    if not grid.slots:
        return
    slot = data.draw(st.sampled_from(grid.slots))
    answer = data.draw(st.text("ABCXYZ", min_size=len(slot), max_size=len(slot)))
    written = grid.write(slot, answer)
    assert written.answer(slot.name) == answer
    assert all(written.cells[i] == grid.cells[i] for i in range(len(grid.cells)) if i not in slot.cells)
    assert written.emptied() == grid.emptied()


def test_a_rebus_shows_its_first_letter_and_answers_in_full():
    grid = Grid(2, 1, ("HEART", "S"))
    assert (grid.rows, grid.answer("1A")) == (("HS",), "HEARTS")


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (MAX_SIDE + 1, 5)])
def test_sizes_no_crossword_has_are_refused(width, height):
    with pytest.raises(UsageError, match=f"a grid has 1 to {MAX_SIDE} cells a side"):
        Grid(width, height, (EMPTY,) * (width * height))


def test_an_empty_text_is_not_a_cell():
    with pytest.raises(UsageError, match="a cell is a block"):
        Grid(1, 1, ("",))


@pytest.mark.parametrize("text", ["", "AB\nA", "   "])
def test_rows_of_unequal_length_are_refused(text):
    with pytest.raises(UsageError, match="rows of equal length"):
        Grid.parse(text)


def test_a_missing_slot_is_named_with_those_that_exist():
    with pytest.raises(KeyError, match="no slot 9A: this grid has 1A, 3A, 1D, 2D"):
        Grid.blank(2, 2).slot("9A")


def test_a_puzzle_refuses_clues_that_fit_no_slot():
    grid = Grid.blank(2, 2)
    with pytest.raises(UsageError, match="a clue for 2A, but the grid has no such slot"):
        Puzzle(grid, (Clue("2A", "x"),))
    with pytest.raises(UsageError, match="a slot has two clues"):
        Puzzle(grid, (Clue("1A", "x"), Clue("1A", "y")))
    with pytest.raises(UsageError, match="the solution's blocks, bars or numbers are not the grid's"):
        Puzzle(grid, (), solution=Grid.parse("A#\nAB"))


def test_the_solution_never_shows():
    puzzle = Puzzle(Grid.blank(2, 2), (), solution=Grid.parse("QX\nXQ"))
    assert "Q" not in f"{puzzle} {puzzle!r} {puzzle._repr_html_()}"


def test_clues_are_escaped_in_the_html_picture():
    puzzle = Puzzle(Grid.blank(2, 2), (Clue("1A", "<script>"),), title="<b>")
    assert "<script>" not in puzzle._repr_html_()
    assert "<b><b>" not in puzzle._repr_html_()


@given(st.text())
def test_answers_fold_to_plain_capitals(text):
    assert set(answer_letters(text)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
