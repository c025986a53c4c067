"""Barred grids: bars end slots as blocks do, from the file over the search to the drawing and back."""

from __future__ import annotations

import dataclasses
import json

import pytest
from foreign import SHAPES

from agent.api import open_tools, read_puzzle, solve
from agent.assist import judge_cells, official_key
from agent.candidates.wording import draw_grid
from agent.errors import FormatError, UsageError
from agent.formats import not_kept, write_puzzle
from agent.formats.common import sides_of, with_bars
from agent.grid import Clue, Grid, Puzzle
from agent.questions import ask
from agent.verify.crossword import verify_crossword

WIDE = with_bars(Grid.parse("ASIT\nTONE"), {1: "R"})
TALL = with_bars(Grid.parse("AT\nSO\nIN\nTE"), {4: "T"})
NAMES = {"wide": ["1A", "3A", "5A", "1D", "2D", "3D", "4D"], "tall": ["1A", "3A", "4A", "5A", "1D", "2D", "4D"]}


def puzzle(solution):
    clues = tuple(Clue(slot.name, f"Clue of {slot.name}") for slot in solution.slots)
    return Puzzle(solution.emptied(), clues, title="Barred", solution=solution)


PUZZLES = {"wide": puzzle(WIDE), "tall": puzzle(TALL)}


@pytest.mark.parametrize("way", PUZZLES)
def test_a_bar_ends_slots_and_takes_part_in_the_numbering(way):
    grid = PUZZLES[way].solution
    assert sorted(slot.name for slot in grid.slots) == sorted(NAMES[way])
    assert {grid.answer(slot) for slot in grid.slots} == {"AS", "IT", "TONE", "AT", "SO", "IN", "TE"}


@pytest.mark.parametrize("form", ["json", "ipuz", "jpz"])
@pytest.mark.parametrize("way", PUZZLES)
def test_bars_come_back_from_every_format_that_can_hold_them(way, form):
    one = dataclasses.replace(PUZZLES[way], progress=PUZZLES[way].grid.fill({0: "A"}))
    written = write_puzzle(one, form)
    assert read_puzzle(written) == one
    assert read_puzzle(written).left_out == ()
    assert not_kept(one, form, written) == ()


@pytest.mark.parametrize("form", ["puz", "xd", "text"])
def test_a_format_without_bars_says_which_can_hold_them(form):
    with pytest.raises(FormatError, match=r"cannot hold a grid with bars: .jpz, .json, .ipuz can"):
        write_puzzle(PUZZLES["wide"], form)


def test_bars_of_any_side_are_read():
    for sides in ({1: "R"}, {2: "L"}, {1: "TRBL", 2: "T"}):
        found = with_bars(WIDE.emptied(), sides).bars
        assert ((1, 2) in found, (2, 6) in found) == (True, False)
    assert with_bars(Grid.parse(".#.\n..."), {0: "TL", 1: "RLB", 5: "BR"}).bars == frozenset()
    both = with_bars(Grid.blank(3, 3), {4: "LT", 8: "T"})
    assert with_bars(Grid.blank(3, 3), sides_of(both)) == both


def test_walls_of_puzzleme_are_bars():
    one = PUZZLES["wide"]
    document = json.loads(SHAPES["PuzzleMe JSON"](one))
    document["cellInfos"] = [{"x": 1, "y": 0, "rightWall": True}]
    assert read_puzzle(json.dumps(document)).grid == one.grid


def test_what_is_no_bar_is_refused():
    document = json.loads(write_puzzle(PUZZLES["wide"], "ipuz"))
    document["puzzle"][0][2]["style"]["barred"] = "X"
    with pytest.raises(FormatError, match=r"\[0\]\[2\].style.barred: expected letters of T, R, B and L, found 'X'"):
        read_puzzle(json.dumps(document))
    for bars in ([[0, 2]], [[1, 0]], [[3, 4]], [[0]], [[7, 8]]):
        document = {**json.loads(write_puzzle(PUZZLES["wide"], "json")), "bars": bars}
        with pytest.raises(FormatError, match="bars: expected pairs of neighbouring cells"):
            read_puzzle(json.dumps(document))
    with pytest.raises(UsageError, match="a bar is between two neighbouring cells"):
        Grid(2, 1, ("A", "B"), frozenset({(-1, 0)}))


@pytest.mark.parametrize("way", PUZZLES)
def test_a_barred_grid_is_solved_and_checked(way, tmp_path):
    one = PUZZLES[way]
    lines = [
        {"clue": one.clue(slot), "length": len(slot), "candidates": [[one.solution.answer(slot), 0.9]]}
        for slot in one.grid.slots
    ]
    (tmp_path / "clues.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with open_tools(clue_set=tmp_path / "clues.jsonl") as tools:
        found = solve(one, tools)
    assert found.solved
    assert found.grid == one.solution
    assert {answer.slot: answer.answer for answer in found.answers}["1A"] == one.solution.answer("1A")


def test_a_model_is_shown_no_grid_that_lacks_the_bars():
    assert [draw_grid(ask(one)) for one in PUZZLES.values()] == ["", ""]


def test_the_checker_reads_words_from_bar_to_bar():
    grid = PUZZLES["wide"].grid
    answers = {slot.name: {WIDE.answer(slot)} for slot in grid.slots}
    assert verify_crossword(grid.rows, WIDE.rows, answers, grid.bars).holds
    assert verify_crossword(grid.rows, WIDE.rows, answers).faults[0] == "1A: ASIT is not one of its answers"


def test_the_official_solution_helps_in_a_barred_grid():
    one = PUZZLES["wide"]
    judged = judge_cells(official_key(one), one.grid.fill({0: "A", 1: "X"}))
    assert [found.judgement for found in judged.values()] == ["right", "wrong"]


def test_bars_are_drawn():
    assert WIDE.text().splitlines() == [
        "+---+---+---+---+",
        "|1  |2  ‖3  |4  |",
        "| A | S ‖ I | T |",
        "+---+---+---+---+",
        "|5  |   |   |   |",
        "| T | O | N | E |",
        "+---+---+---+---+",
    ]
    assert TALL.text().splitlines()[6] == "+===+---+"
    assert "M73 1v36" in WIDE.svg()
    assert "M1 73h36" in TALL.svg()
