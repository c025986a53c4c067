"""Help gives no more away than was asked for, and calls wrong only what is surely wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.assist import (
    hint_cell,
    hint_letter,
    hint_slot,
    judge_cells,
    judge_rows,
    official_solution,
    verify_filled,
)
from agent.candidates.clueset import ClueSet
from agent.formats import open_puzzle
from agent.grid import EMPTY, Grid, Puzzle
from agent.kinds import read_puzzle, solve_kind
from agent.puzzles.crossword import Domain
from agent.solution import Solution
from agent.solve import solve
from agent.tools import Tools

MINIS = Path(__file__).parents[1] / "data" / "minis"


@pytest.fixture(scope="module")
def solved() -> Solution:
    return solve(open_puzzle(MINIS / "mini-01.xd"), Tools([ClueSet.open(MINIS / "minis_llm.clues.jsonl")]))


def test_a_hint_is_one_letter_that_is_not_there_yet_until_all_are(solved):
    partial = solved.puzzle.grid
    given = 0
    while (hint := hint_letter(solved, partial)) is not None:
        cell = partial.slot(hint.slot).cells[hint.position]
        assert len(hint.text) == 1
        assert partial.cells[cell] == EMPTY
        partial = partial.fill({cell: hint.text})
        given += 1
    assert partial == solved.grid
    assert given == solved.puzzle.grid.cells.count(EMPTY)


def test_the_surest_letter_comes_first(solved):
    doubtful = replace(solved, confidence=tuple(0.5 if i != 7 else 0.99 for i in range(25)))
    assert hint_letter(doubtful, solved.puzzle.grid).probability == 0.99


def test_a_letter_of_a_slot_is_of_that_slot(solved):
    hint = hint_letter(solved, solved.puzzle.grid, "5a")
    assert hint.slot == "5A"
    assert solved.answer("5A").answer[hint.position] == hint.text
    assert hint_letter(solved, solved.puzzle.grid.write("5A", "PILOT"), "5A") is None


def test_a_slot_is_given_whole_and_only_that_slot(solved):
    hint = hint_slot(solved, "7a")
    assert (hint.slot, hint.text) == ("7A", "NEW")
    assert str(hint).startswith("7A: is NEW (")


def test_a_slot_that_is_not_there_is_named(solved):
    with pytest.raises(KeyError, match="no slot 99A"):
        hint_slot(solved, "99A")
    with pytest.raises(KeyError, match="no slot 99A"):
        hint_letter(solved, solved.puzzle.grid, "99A")


def test_cells_are_wrong_where_another_letter_is_sure_and_unsure_where_it_is_not(solved):
    partial = solved.puzzle.grid.fill({2: "B", 3: "X", 6: "X"})
    confidence = tuple(0.99 if i != 6 else 0.6 for i in range(25))
    assert judge_cells(replace(solved, confidence=confidence), partial) == {2: "fine", 3: "wrong", 6: "unsure"}


def test_a_right_grid_has_no_wrong_cell_and_an_empty_one_none_at_all(solved):
    assert set(judge_cells(solved, solved.grid).values()) == {"fine"}
    assert judge_cells(solved, solved.puzzle.grid) == {}


@pytest.mark.parametrize("other", [Grid.blank(5, 5), Grid.blank(4, 4)])
def test_a_grid_of_another_shape_is_refused(solved, other):
    with pytest.raises(ValueError, match="does not have the puzzle's blocks"):
        judge_cells(solved, other)


def test_a_filled_grid_is_verified_against_the_candidates(solved):
    domains = {a.slot: Domain.of([a.answer]) for a in solved.answers}
    assert verify_filled(solved.puzzle, solved.grid, domains).holds
    proof = verify_filled(solved.puzzle, solved.grid.fill({2: "D"}), domains)
    assert proof.faults == ("1A: DIG is not one of its answers", "1D: DELOW is not one of its answers")
    assert not verify_filled(solved.puzzle, solved.grid.fill({2: EMPTY}), domains).holds


def test_the_official_solution_helps_like_the_agents():
    puzzle = open_puzzle(MINIS / "mini-01.xd")
    official = official_solution(puzzle)
    assert set(judge_cells(official, puzzle.solution).values()) == {"fine"}
    hint = hint_letter(official, puzzle.grid)
    assert hint is not None
    assert puzzle.solution.answer(hint.slot)[hint.position] == hint.text


def test_a_puzzle_without_an_official_solution_has_none_to_help_with():
    with pytest.raises(ValueError, match="no official solution"):
        official_solution(Puzzle(Grid.parse(".."), ()))


def test_of_a_rebus_the_first_letter_counts():
    official = official_solution(Puzzle(Grid.blank(2, 1), (), solution=Grid(2, 1, ("HEART", "S"))))
    assert judge_cells(official, Grid(2, 1, ("H", "S"))) == {0: "fine", 1: "fine"}
    assert judge_cells(official, Grid(2, 1, ("HEART", "X"))) == {0: "fine", 1: "wrong"}


def test_hints_for_a_gogen_lead_to_its_solution():
    result = solve_kind(read_puzzle((MINIS.parent / "gogen" / "made-1.json").read_bytes()))
    rows = list(result.puzzle.board)
    while (found := hint_cell(result, rows)) is not None:
        r, c, letter = found
        rows[r] = rows[r][:c] + letter + rows[r][c + 1 :]
    assert tuple(rows) == result.solutions[0].rows
    assert set(judge_rows(result, rows).values()) == {"fine"}


def test_where_there_are_two_solutions_nothing_is_surely_wrong():
    result = solve_kind(read_puzzle("1\n1\n\n1\n1"))
    other = [row[::-1] for row in result.solutions[0].rows]
    assert set(judge_rows(result, other).values()) == {"unsure"}
