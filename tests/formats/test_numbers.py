"""Crosswords with numbers of their own: slots are called by what is printed, from the file to the drawing and back."""

from __future__ import annotations

import dataclasses
import json

import pytest
from foreign import SHAPES

from agent.api import open_tools, read_puzzle, solve
from agent.errors import FormatError, UsageError
from agent.formats import not_kept, write_puzzle
from agent.grid import Clue, Grid, Puzzle
from agent.verify.crossword import verify_crossword

NUMBERS = ((0, 7), (1, 2), (2, 30), (3, 4))
ODD = Grid(3, 2, tuple("ASHTOE"), numbers=NUMBERS)
ANSWERS = {"7A": "ASH", "4A": "TOE", "7D": "AT", "2D": "SO", "30D": "HE"}


def puzzle(solution):
    clues = tuple(Clue(slot.name, f"Clue of {slot.name}") for slot in solution.slots)
    return Puzzle(solution.emptied(), clues, title="Odd", solution=solution)


ONE = puzzle(ODD)


def test_slots_are_called_by_their_printed_numbers():
    assert [slot.name for slot in ODD.slots] == ["4A", "7A", "2D", "7D", "30D"]
    assert {slot.name: ODD.answer(slot) for slot in ODD.slots} == ANSWERS


def test_runs_that_begin_without_a_number_are_no_slots():
    few = dataclasses.replace(ODD, numbers=((0, 1), (3, 2), (5, 9)))
    assert [slot.name for slot in few.slots] == ["1A", "2A", "1D"]
    assert few.slot_numbers == {0: 1, 3: 2, 5: 9}
    assert [len(places) for places in few.through] == [2, 1, 1, 2, 1, 1]


@pytest.mark.parametrize("form", ["json", "ipuz", "jpz"])
def test_numbers_come_back_from_every_format_that_can_hold_them(form):
    one = dataclasses.replace(ONE, progress=ONE.grid.fill({0: "A"}))
    written = write_puzzle(one, form)
    assert read_puzzle(written) == one
    assert read_puzzle(written).left_out == ()
    assert not_kept(one, form, written) == ()


@pytest.mark.parametrize("form", ["puz", "xd", "text"])
def test_a_format_without_numbers_says_which_can_hold_them(form):
    with pytest.raises(FormatError, match=r"cannot hold a grid with numbers of its own: .jpz, .json, .ipuz can"):
        write_puzzle(ONE, form)


@pytest.mark.parametrize(
    "shape",
    ["newspaper JSON", "newspaper JSON, oldest", "XWord Info JSON", "Guardian JSON", "PuzzleMe JSON", "Uclick XML"],
)
def test_other_tools_files_keep_their_numbers(shape):
    found = read_puzzle(SHAPES[shape](ONE))
    assert (found.grid, found.clues, found.solution) == (ONE.grid, ONE.clues, ONE.solution)


def test_the_standard_numbers_and_none_at_all_are_the_standard_rule():
    plain = puzzle(dataclasses.replace(ODD, numbers=()))
    document = json.loads(write_puzzle(plain, "ipuz"))
    assert read_puzzle(json.dumps(document)).grid.numbers == ()
    document["puzzle"] = [[0] * 3] * 2
    assert read_puzzle(json.dumps(document)).grid.numbers == ()


def test_labels_that_are_not_numbers_are_named():
    document = json.loads(write_puzzle(ONE, "ipuz"))
    document["puzzle"][1][2] = "x"
    found = read_puzzle(json.dumps(document))
    assert found.grid == ONE.grid
    assert found.left_out == ("labels of cells that are not numbers",)


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        (((0, 1), (3, 1)), "two slots are called 1A"),
        (((3, 1), (0, 2)), "in order and one for each"),
        (((0, 1), (0, 2)), "in order and one for each"),
        (((0, 1), (6, 2)), "numbers are of cells of the grid"),
        (((0, 0),), "numbers are from 1"),
    ],
)
def test_numbers_that_do_not_tell_slots_apart_are_refused(numbers, problem):
    with pytest.raises(UsageError, match=problem):
        dataclasses.replace(ODD, numbers=numbers)
    document = {**json.loads(write_puzzle(ONE, "json")), "numbers": numbers}
    with pytest.raises(FormatError, match=f"numbers: expected pairs of a cell and its number: .*{problem}"):
        read_puzzle(json.dumps(document))
    with pytest.raises(UsageError, match="not of blocks"):
        Grid(2, 1, ("#", "A"), numbers=((0, 1),))


def test_a_grid_with_its_own_numbers_is_solved_and_checked(tmp_path):
    lines = [
        {"clue": f"Clue of {name}", "length": len(word), "candidates": [[word, 0.9]]} for name, word in ANSWERS.items()
    ]
    (tmp_path / "clues.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with open_tools(clue_set=tmp_path / "clues.jsonl") as tools:
        found = solve(ONE, tools)
    assert found.solved
    assert {answer.slot: answer.answer for answer in found.answers} == ANSWERS


def test_the_checker_names_words_by_these_numbers():
    allowed = {name: {word} for name, word in ANSWERS.items()}
    rows = ONE.grid.rows
    assert verify_crossword(rows, ODD.rows, allowed, (), NUMBERS).holds
    assert not verify_crossword(rows, ODD.rows, allowed).holds
    assert verify_crossword(rows, ("ASH", "TOO"), allowed, (), NUMBERS).faults == (
        "4A: TOO is not one of its answers",
        "30D: HO is not one of its answers",
    )


def test_they_are_drawn():
    assert ODD.text().splitlines()[:3] == ["+---+---+---+", "|7  |2  |30 |", "| A | S | H |"]
