"""Files that list their words cell by cell: words that end inside a run of cells get bars, others are refused."""

from __future__ import annotations

import json
import re

import pytest
from foreign import SHAPES

from agent.api import read_puzzle
from agent.errors import FormatError
from agent.formats import write_puzzle
from agent.formats.common import with_bars
from agent.grid import Clue, Grid, Puzzle

SOLUTION = with_bars(Grid.parse("ASIT\nTONE"), {1: "R"})
"""Two words in one row, with a bar between them that no file below shows."""

BARRED = Puzzle(
    SOLUTION.emptied(),
    tuple(Clue(slot.name, f"Clue of {slot.name}") for slot in SOLUTION.slots),
    title="Words",
    solution=SOLUTION,
)


def ipuz(puzzle: Puzzle, first: int = 0, **cells: list[list[int]]) -> dict:
    """Make .ipuz without bars whose clues name their cells, counted from `first`; `cells` exchanges those of slots."""
    document = json.loads(write_puzzle(puzzle, "ipuz"))
    for row in document["puzzle"]:
        row[:] = [cell["cell"] if isinstance(cell, dict) else cell for cell in row]
    width = puzzle.grid.width
    for way in ("Across", "Down"):
        document["clues"][way] = [
            {
                "number": number,
                "clue": text,
                "cells": [
                    [x + first, y + first]
                    for x, y in cells.get(
                        f"{number}{way[0]}",
                        [(at % width, at // width) for at in puzzle.grid.slot(f"{number}{way[0]}").cells],
                    )
                ],
            }
            for number, text in document["clues"][way]
        ]
    return document


def jpz(puzzle: Puzzle) -> bytes:
    return re.sub(rb' (left|top)-bar="true"', b"", write_puzzle(puzzle, "jpz"))


def page(puzzle: Puzzle) -> bytes:
    document = json.loads(SHAPES["PuzzleMe JSON"](puzzle))
    for info in document["cellInfos"]:
        info.pop("leftWall", None)
        info.pop("rightWall", None)
    return json.dumps(document).encode()


def post(puzzle: Puzzle) -> bytes:
    document = json.loads(SHAPES["Washington Post JSON"](puzzle))
    for cell in document["cells"]:
        cell.pop("bars", None)
    return json.dumps(document).encode()


FILES = {
    "newspaper JSON": SHAPES["newspaper JSON"],
    "newspaper JSON, page data": SHAPES["newspaper JSON, page data"],
    "newspaper JSON, oldest": SHAPES["newspaper JSON, oldest"],
    "Guardian JSON": SHAPES["Guardian JSON"],
    "PuzzleMe JSON": page,
    "Washington Post JSON": post,
    ".jpz": jpz,
    ".ipuz": lambda puzzle: json.dumps(ipuz(puzzle)),
    ".ipuz, cells from 1": lambda puzzle: json.dumps(ipuz(puzzle, 1)),
}


@pytest.mark.parametrize("shape", FILES)
def test_words_that_end_inside_a_run_are_read_with_bars(shape):
    found = read_puzzle(FILES[shape](BARRED))
    assert (found.grid, found.clues, found.solution) == (BARRED.grid, BARRED.clues, BARRED.solution)
    assert found.left_out == ("that no bar shows where some words end",)
    assert read_puzzle(write_puzzle(found, "ipuz")) == found


@pytest.mark.parametrize("shape", FILES)
def test_words_that_are_whole_runs_get_no_bars(shape):
    solution = Grid.parse("ASIT\nTONE")
    plain = Puzzle(solution.emptied(), tuple(Clue(slot.name, "x") for slot in solution.slots), solution=solution)
    found = read_puzzle(FILES[shape](plain))
    assert (found.grid, found.clues, found.left_out) == (plain.grid, plain.clues, ())


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ([[0, 0], [1, 0], [1, 1]], "words that turn or leave cells out are not read, as (0, 1, 5)"),
        ([[0, 0], [2, 0]], "words that turn or leave cells out are not read, as (0, 2)"),
        ([[1, 0], [0, 0]], "words that turn or leave cells out are not read, as (1, 0)"),
        ([[3, 0], [0, 1]], "words that turn or leave cells out are not read, as (3, 4)"),
        ([[0, 0], [1, 0], [2, 0]], "words that overlap are not read, as two at row 1, column 3"),
        ([[0, 0], [0, 1]], "the cells of clue 1A are not those of its slot"),
        ([[7, 0], [8, 0]], "the cells of clue 1A are not those of its slot"),
        ([[0, 0, 0], [1, 0]], "the cells of clue 1A are not those of its slot"),
    ],
)
def test_words_that_no_bar_can_make_are_refused_by_name(cells, wanted):
    document = ipuz(BARRED)
    document["clues"]["Across"][0]["cells"] = cells
    with pytest.raises(FormatError, match=re.escape(wanted)):
        read_puzzle(json.dumps(document))
