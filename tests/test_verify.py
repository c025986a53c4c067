"""The checker accepts right grids, names faults, and shares nothing with the code that it checks."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import agent.verify.crossword
from agent.kinds import NAMES
from agent.verify.crossword import verify_crossword

PATTERN = ["##...", "#....", ".....", "....#", "...##"]
FILLED = ["##BIG", "#ZERO", "PILOT", "INON#", "NEW##"]
ANSWERS = {
    "1A": {"BIG"},
    "4A": {"ZERO", "NILL"},
    "5A": {"PILOT"},
    "6A": {"INON"},
    "7A": {"NEW"},
    "1D": {"BELOW"},
    "2D": {"IRON"},
    "3D": {"GOT"},
    "4D": {"ZINE"},
    "5D": {"PIN"},
}


def changed(row: int, column: int, sign: str) -> list[str]:
    rows = [list(line) for line in FILLED]
    rows[row][column] = sign
    return ["".join(line) for line in rows]


def test_a_right_grid_is_verified():
    found = verify_crossword(PATTERN, FILLED, ANSWERS)
    assert (found.holds, found.faults, str(found)) == (True, (), "verified")


def test_letters_that_were_given_may_stay():
    given_letters = ["##B..", "#....", "PILOT", "....#", "...##"]
    assert verify_crossword(given_letters, FILLED, ANSWERS).holds


def test_a_changed_letter_is_named_in_both_its_words():
    assert verify_crossword(PATTERN, changed(2, 2, "X"), ANSWERS).faults == (
        "5A: PIXOT is not one of its answers",
        "1D: BEXOW is not one of its answers",
    )


@pytest.mark.parametrize("cell", [at for at, sign in enumerate("".join(PATTERN)) if sign != "#"])
def test_a_given_letter_that_was_changed_is_named(cell):
    row, column = divmod(cell, 5)
    before = [*PATTERN]
    before[row] = before[row][:column] + "X" + before[row][column + 1 :]
    said = f"row {row + 1} column {column + 1}: X was given, {FILLED[row][column]} stands there"
    assert verify_crossword(before, FILLED, ANSWERS).faults == (said,)


def test_an_empty_cell_is_named():
    assert verify_crossword(PATTERN, changed(0, 2, "."), ANSWERS).faults == ("row 1 column 3: the cell is empty",)


def test_an_empty_cell_hides_no_fault_in_another_word():
    assert verify_crossword(PATTERN, changed(0, 2, "."), ANSWERS | {"7A": {"OLD"}}).faults == (
        "row 1 column 3: the cell is empty",
        "7A: NEW is not one of its answers",
    )


@pytest.mark.parametrize(("row", "column", "sign"), [(0, 0, "A"), (2, 2, "#")])
def test_a_block_that_moved_is_named(row, column, sign):
    faults = verify_crossword(PATTERN, changed(row, column, sign), ANSWERS).faults
    assert f"row {row + 1} column {column + 1}: a block is not where the pattern has it" in faults


def test_a_word_of_another_slots_list_is_wrong():
    swapped = ANSWERS | {"1A": {"NEW"}, "7A": {"BIG"}}
    assert verify_crossword(PATTERN, FILLED, swapped).faults == (
        "1A: BIG is not one of its answers",
        "7A: NEW is not one of its answers",
    )


def test_a_slot_without_answers_cannot_be_right():
    missing = {name: words for name, words in ANSWERS.items() if name != "3D"}
    assert verify_crossword(PATTERN, FILLED, missing).faults == ("3D: GOT is not one of its answers",)


def test_a_word_that_occurs_twice_is_named_with_its_first_place():
    answers = {"1A": {"AB"}, "3A": {"BA"}, "1D": {"AB"}, "2D": {"BA"}}
    assert verify_crossword(["..", ".."], ["AB", "BA"], answers).faults == (
        "1D: AB stands at 1A already",
        "2D: BA stands at 3A already",
    )


@pytest.mark.parametrize("filled", [[], ["##BIG"], ["##BI", "#ZERO", "PILOT", "INON#", "NEW##"], [*FILLED, "....."]])
def test_another_size_is_refused(filled):
    found = verify_crossword(PATTERN, filled, ANSWERS)
    assert found.faults == ("the grid does not have the size of its pattern",)


@given(st.integers(0, 4), st.integers(0, 4), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ#.é?1 "))
def test_no_single_changed_cell_goes_unseen(row, column, sign):
    assume(FILLED[row][column] != sign)
    assert not verify_crossword(PATTERN, changed(row, column, sign), ANSWERS).holds


@given(st.lists(st.text("AB#.", min_size=4, max_size=4), min_size=1, max_size=4))
def test_words_are_numbered_like_the_grid_numbers_its_slots(rows):
    from agent.grid import Grid

    grid = Grid.parse("\n".join(rows))
    full = [row.replace(".", "A") for row in rows]
    words = {slot.name: {Grid.parse("\n".join(full)).answer(slot)} for slot in grid.slots}
    faults = verify_crossword(grid.emptied().rows, full, words).faults
    assert all("stands at" in fault for fault in faults)


def test_the_checker_imports_nothing_of_the_project():
    tree = ast.parse(Path(agent.verify.crossword.__file__).read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert not {name for name in imported if name.split(".")[0] in {"agent", "lexicon"}}
    assert {name.split(".")[0] for name in imported} <= sys.stdlib_module_names


CHECKERS = ["agent.verify.crossword", *(f"agent.puzzles.{name}.check" for name in NAMES)]


@pytest.mark.parametrize("checker", CHECKERS)
def test_loading_a_checker_loads_none_of_the_search(checker):
    code = f"import sys, {checker}; print(*sorted(m for m in sys.modules if m.startswith(('agent.', 'lexicon'))))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    packages = {checker.rsplit(".", parts)[0] for parts in range(3)}
    assert set(loaded.split()) <= {*packages, "agent.verify", "agent.verify.rows"}
