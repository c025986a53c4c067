"""Help reveals no more than was asked for, and calls a letter wrong only if that is certain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.assist import (
    Key,
    agent_key,
    hint_cell,
    hint_letter,
    hint_slot,
    judge_cells,
    judge_rows,
    key_without_solving,
    official_key,
    verify_filled,
)
from agent.candidates.clueset import ClueSet
from agent.draw.letters import in_rows
from agent.grid import EMPTY, Grid, Puzzle
from agent.kinds import read_kind, solve_kind
from agent.puzzles.crossword import Domain
from agent.solve import solve
from agent.tools import Tools
from agent.web.assisting import NothingLeftError, reveal

MINIS = Path(__file__).parents[1] / "data" / "minis"


@pytest.fixture(scope="module")
def solved() -> Key:
    """Return the agent's solution."""
    return agent_key(solve(open_puzzle(MINIS / "mini-01.xd"), Tools([ClueSet.open(MINIS / "minis_llm.clues.jsonl")])))


def test_a_hint_is_one_letter_that_is_missing(solved):
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


def test_an_unfilled_slot_gives_no_hint_and_stays_hidden():
    puzzle = Puzzle(Grid.parse("..\n.."), ())
    unknown = solve(puzzle, Tools())
    assert hint_slot(agent_key(unknown), "1A") is None
    with pytest.raises(NothingLeftError):
        reveal(agent_key(unknown), {"slot": "1A"})


def test_the_surest_letter_comes_first(solved):
    doubtful = replace(solved, confidence=tuple(0.5 if i != 7 else 0.99 for i in range(25)))
    assert hint_letter(doubtful, solved.puzzle.grid).probability == 0.99


def test_a_letter_of_a_slot_is_of_that_slot(solved):
    hint = hint_letter(solved, solved.puzzle.grid, "5a")
    assert hint.slot == "5A"
    assert solved.grid.answer("5A")[hint.position] == hint.text
    assert hint_letter(solved, solved.puzzle.grid.write("5A", "PILOT"), "5A") is None


def test_a_slot_is_given_whole_and_only_that_slot(solved):
    hint = hint_slot(solved, "7a")
    assert (hint.slot, hint.text) == ("7A", "NEW")
    assert str(hint).startswith("7A is NEW (")


def test_a_missing_slot_is_named(solved):
    with pytest.raises(KeyError, match="no slot 99A"):
        hint_slot(solved, "99A")
    with pytest.raises(KeyError, match="no slot 99A"):
        hint_letter(solved, solved.puzzle.grid, "99A")


@pytest.mark.parametrize("confidence", [0.999, 0.6, 0.1])
def test_the_agent_never_calls_a_letter_right_or_wrong(solved, confidence):
    partial = solved.puzzle.grid.fill({2: "B", 3: "X"})
    judged = judge_cells(replace(solved, confidence=(confidence,) * 25), partial)
    assert {cell: said.judgement for cell, said in judged.items()} == {2: "same", 3: "other"}
    said = [str(one) for one in judged.values()]
    assert said[1].startswith("the agent would write I here (")
    assert not any("right" in one or "wrong" in one for one in said)
    assert ("a guess" in said[1]) == (confidence < 0.5)


def test_cells_that_the_agent_left_empty_are_not_mentioned(solved):
    empty = replace(solved, grid=solved.puzzle.grid)
    assert judge_cells(empty, solved.grid) == {}


def test_a_right_grid_is_the_agents_own(solved):
    assert {said.judgement for said in judge_cells(solved, solved.grid).values()} == {"same"}
    assert judge_cells(solved, solved.puzzle.grid) == {}


def test_a_hint_that_is_a_guess_says_so(solved):
    doubtful = replace(solved, confidence=(0.41,) * 25, words=dict.fromkeys(solved.words, 0.2))
    letter, word = hint_letter(doubtful, solved.puzzle.grid), hint_slot(doubtful, "7A")
    assert (letter.is_guess, word.is_guess) == (True, True)
    assert letter.refusal == "not sure enough to say (41 %)"
    assert str(word) == "7A is NEW (20 %, a guess)"
    assert not hint_slot(solved, "7A").is_guess


@pytest.mark.parametrize("other", [Grid.blank(5, 5), Grid.blank(4, 4)])
def test_a_grid_of_another_shape_is_refused(solved, other):
    with pytest.raises(ValueError, match="does not have the puzzle's blocks"):
        judge_cells(solved, other)


def test_a_filled_grid_is_verified_against_the_candidates(solved):
    domains = {slot.name: Domain.of([solved.grid.answer(slot)]) for slot in solved.grid.slots}
    assert verify_filled(solved.puzzle, solved.grid, domains).holds
    found = verify_filled(solved.puzzle, solved.grid.fill({2: "D"}), domains)
    assert found.faults == ("1A: DIG is not one of its answers", "1D: DELOW is not one of its answers")
    assert not verify_filled(solved.puzzle, solved.grid.fill({2: EMPTY}), domains).holds


def test_the_official_solution_helps_and_says_so():
    puzzle = open_puzzle(MINIS / "mini-01.xd")
    official = official_key(puzzle)
    assert {said.judgement for said in judge_cells(official, puzzle.solution).values()} == {"right"}
    hint = hint_letter(official, puzzle.grid)
    assert puzzle.solution.answer(hint.slot)[hint.position] == hint.text
    assert str(hint).endswith("(from the official solution)")


def test_the_official_solution_comes_first_by_default():
    puzzle = open_puzzle(MINIS / "mini-01.xd")
    for against in ("", "official"):
        assert key_without_solving(puzzle, against) == official_key(puzzle)
    assert key_without_solving(puzzle, "agent") is None
    bare = replace(puzzle, solution=None)
    assert key_without_solving(bare) is None
    with pytest.raises(ValueError, match="no official solution"):
        key_without_solving(bare, "official")
    with pytest.raises(ValueError, match="must be official or agent, not everybody"):
        key_without_solving(puzzle, "everybody")


def test_help_by_an_official_solution_needs_one():
    with pytest.raises(ValueError, match="no official solution"):
        official_key(Puzzle(Grid.parse(".."), ()))


def test_of_a_rebus_the_first_letter_counts():
    official = official_key(Puzzle(Grid.blank(2, 1), (), solution=Grid(2, 1, ("HEART", "S"))))
    assert [said.judgement for said in judge_cells(official, Grid(2, 1, ("H", "S"))).values()] == ["right", "right"]
    assert [said.judgement for said in judge_cells(official, Grid(2, 1, ("HEART", "X"))).values()] == ["right", "wrong"]


def test_hints_for_a_gogen_lead_to_its_solution():
    result = solve_kind(read_kind((MINIS.parent / "gogen" / "made-1.json").read_bytes()))
    rows = result.puzzle.board
    while (found := hint_cell(result, rows)) is not None:
        cells = "".join(rows)
        rows = in_rows(cells[: found.cell] + found.text + cells[found.cell + 1 :], result.puzzle.width)
    assert rows == result.solutions[0].rows
    assert set(judge_rows(result, rows).cells.values()) == {"right"}


def test_with_two_solutions_no_cell_is_right_or_wrong():
    result = solve_kind(read_kind("1\n1\n\n1\n1"))
    other = [row[::-1] for row in result.solutions[0].rows]
    assert set(judge_rows(result, other).cells.values()) == {"same"}, "another solution, but one"
    assert set(judge_rows(result, [other[0], "??"]).cells.values()) == {"other"}
    assert set(judge_rows(result, result.solutions[0].rows).cells.values()) == {"same"}


def test_without_a_known_solution_no_cell_is_judged():
    result = solve_kind(read_kind("1\n\n0"))
    assert not result.solutions
    assert not judge_rows(result, ["#"]).cells
