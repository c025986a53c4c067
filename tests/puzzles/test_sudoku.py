"""Sudoku: against brute force, in every form and size, in steps with their usual names."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import FormatError, NotMadeError
from agent.kinds import GridPuzzle, check, detect, make_puzzle, read_kind, solve_kind
from agent.puzzles.sudoku.files import parse


@cache
def all_grids(wide: int, high: int) -> tuple[tuple[str, ...], ...]:
    """Return every filled 4x4 grid, by trying every order of the digits in every row."""

    def fits(rows: Sequence[str]) -> bool:
        units = ["".join(column) for column in zip(*rows, strict=True)]
        for y in range(0, len(rows), high):
            units += ["".join(row[x : x + wide] for row in rows[y : y + high]) for x in range(0, 4, wide)]
        return all(len(set(unit)) == len(unit) for unit in units)

    grids: list[tuple[str, ...]] = [()]
    for _ in range(4):
        longer = [(*rows, "".join(row)) for rows in grids for row in permutations("1234")]
        grids = [rows for rows in longer if fits(rows)]
    return tuple(grids)


def sudoku(rows: Sequence[str], box: tuple[int, int] = (2, 2)) -> GridPuzzle:
    return read_kind(json.dumps({"sudoku": list(rows), "box": list(box)}))


def test_there_are_as_many_grids_as_is_known():
    assert (len(all_grids(2, 2)), len(all_grids(4, 1))) == (288, 576)


@given(st.text("....1234", min_size=16, max_size=16), st.sampled_from([(2, 2), (4, 1), (1, 4)]))
def test_solutions_are_those_that_trying_everything_finds(cells: str, box: tuple[int, int]):
    rows = [cells[start : start + 4] for start in range(0, 16, 4)]
    expected = {
        grid
        for grid in all_grids(*box)
        if all(sign in (".", own) for sign, own in zip(cells, "".join(grid), strict=True))
    }
    result = solve_kind(sudoku(rows, box), count=1000)
    assert {solution.rows for solution in result.solutions} == expected
    assert result.termination == "exhausted"
    assert result.solved == bool(expected)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.sampled_from(all_grids(2, 2)), st.integers(0, 15), st.sampled_from("1234"))
def test_the_checker_accepts_what_trying_everything_finds(grid: tuple[str, ...], cell: int, digit: str):
    puzzle = sudoku(["...."] * 4)
    assert check(puzzle, grid) == ()
    changed = list("".join(grid))
    changed[cell] = digit
    rows = ["".join(changed[start : start + 4]) for start in range(0, 16, 4)]
    assert bool(check(puzzle, rows)) == (tuple(rows) != grid)


def test_the_checker_names_row_column_and_box():
    puzzle = sudoku(["12..", "....", "....", "...."])
    assert check(puzzle, ["1234", "2143", "3412", "4321"]) == (
        "box 1 holds 1221, not each digit once",
        "box 2 holds 3443, not each digit once",
        "box 3 holds 3443, not each digit once",
        "box 4 holds 1221, not each digit once",
    )
    assert check(puzzle, ["1243", "3412", "2134", "4322"]) == (
        "row 4 holds 4322, not each digit once",
        "column 4 holds 3242, not each digit once",
        "box 4 holds 3422, not each digit once",
    )
    assert "1 was given, 2 stands there" in check(puzzle, ["2134", "3412", "1243", "4321"])[0]


FORMS = [
    "1.3..4.1.1..4...",
    "1030 0401 0100 4000".replace(" ", ""),
    "1 . 3 .\n. 4 . 1\n. 1 . .\n4 . . .\n",
    "1_3_\r\n_4_1\r\n_1__\r\n4___",
    "1 * | 3 *\n* 4 | * 1\n----+----\n* 1 | * *\n4 * | * *",
    "+---+---+\n|1 .|3 .|\n|. 4|. 1|\n+---+---+\n|. 1|. .|\n|4 .|. .|\n+---+---+",
    '{"sudoku": "1.3..4.1.1..4..."}',
    '{"sudoku": ["1.3.", ".4.1", ".1..", "4..."], "box": [2, 2]}',
]


@pytest.mark.parametrize("text", FORMS)
def test_every_form_is_recognised_and_read(text: str):
    assert detect(text) == "sudoku"
    assert read_kind(text).givens == ("1.3.", ".4.1", ".1..", "4...")


@pytest.mark.parametrize("size", [4, 6, 8, 9, 10])
def test_made_puzzles_are_read_back_and_unique(size: int):
    puzzle = make_puzzle("sudoku", size=(size, size), seed=2)
    assert read_kind(json.dumps(puzzle.to_json())) == puzzle
    assert detect(str(puzzle)) == "sudoku"
    assert read_kind(str(puzzle)).givens == puzzle.givens
    result = solve_kind(puzzle, backend=False)
    assert result.verified
    assert read_kind("\n".join(result.solutions[0].rows)).givens == result.solutions[0].rows


def test_boxes_may_have_another_shape():
    upright = sudoku(["123456", "......", "......", "......", "......", "......"], (2, 3))
    result = solve_kind(upright, count=1, prove_unique=False)
    assert result.solved
    assert "1 2 | 3 4 | 5 6" in str(result)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"sudoku": 4}', "as many rows as cells in a row, 4 to 16"),
        ('{"sudoku": "12345"}', "as many rows as cells in a row"),
        ('{"sudoku": "1.3..4.5.1..4..."}', "as many rows as cells in a row"),
        ('{"sudoku": "1.3..4.1.1..4...", "box": [3, 2]}', "a width and a height of 4 cells together"),
        ('{"sudoku": "1.3..4.1.1..4...", "box": 2}', "a width and a height of 4 cells together"),
        ('{"sudoku": "1.3..4.1.1..4...", "box": [-2, -2]}', "a width and a height of 4 cells together"),
    ],
)
def test_bad_files_are_refused_with_what_was_expected(text: str, expected: str):
    with pytest.raises(FormatError, match=re.escape(expected)) as error:
        read_kind(text, source="x.json")
    assert str(error.value).startswith("x.json: ")


@given(st.text('0123456789ABCDEFG.|-+ \n[]"', max_size=90))
def test_no_text_breaks_the_reader(text: str):
    for shape in (text, '{"sudoku": ' + text, f'{{"sudoku": "1.3..4.1.1..4...", "box": {text}}}'):
        with suppress(FormatError):
            read_kind(shape, kind="sudoku")


def test_a_size_without_boxes_is_not_made():
    for size in ((5, 5), (9, 6), (25, 25)):
        with pytest.raises(NotMadeError, match="4, 6, 8, 9, 10, 12, 14, 15, 16 cells a side"):
            make_puzzle("sudoku", size=size)


def test_steps_have_the_names_that_people_use():
    told = set()
    for seed in (2, 3, 6, 24):
        result = solve_kind(make_puzzle("sudoku", seed=seed), explain=True, backend=False)
        assert result.verified
        told |= {step.rule for step in result.steps}
        solution = "".join(result.solutions[0].rows)
        assert all(solution[cell] == digit for step in result.steps for cell, digit in step.cells)
    assert told == {"naked single", "hidden single", "pointing", "claiming", "naked pair", "choice"}


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["11..", "....", "....", "...."], "No digit is left for row 1, column 2."),
        (["..2.", "1...", "...1", "...."], "In row 1, no cell is left for 1."),
    ],
)
def test_a_contradiction_is_named(rows: list[str], reason: str):
    result = solve_kind(sudoku(rows))
    assert (result.proof, result.termination) == ("none", "exhausted")
    assert result.summary == f"There is no solution. {reason}"


def test_few_givens_have_several_solutions():
    result = solve_kind(sudoku(["1...", "....", "....", "...."]))
    assert (result.unique, len(result.solutions)) == (False, 2)
    assert len(solve_kind(sudoku(["1...", "....", "....", "...."]), count=100).solutions) == 72


def test_the_picture_frames_the_boxes():
    puzzle = parse("1.3..4.1.1..4...")
    assert puzzle.svg().count('stroke-width="2.5"') == 1
    assert puzzle._repr_html_() == puzzle.svg()
    assert puzzle.svg().count('font-weight="bold"') == sum(sign != "." for sign in "".join(puzzle.givens))


@pytest.mark.parametrize("seed", range(3))
def test_puzzles_that_need_every_given_are_solved(seed: int):
    cells = list("".join(make_puzzle("sudoku", seed=seed).givens))
    for cell in range(81):
        fewer = [*cells[:cell], ".", *cells[cell + 1 :]]
        if solve_kind(read_kind("".join(fewer)), backend=False).unique:
            cells = fewer
    result = solve_kind(read_kind("".join(cells)), backend=False)
    assert result.verified
    assert sum(cell != "." for cell in cells) < 27
