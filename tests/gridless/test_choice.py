"""Block patterns compete by what patterns are like and by what the clues say; two that are close are both shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.candidates.lexicon import LexiconProvider
from agent.core import Budget
from agent.grid import ClueText, NumberedClue
from agent.gridless.solve import choose_pattern
from agent.tools import Tools
from lexicon import load

MINIS = Path(__file__).parents[2] / "data" / "minis"


@pytest.fixture(scope="module")
def tools():
    return Tools((), LexiconProvider(load(permissive=True)))


def chosen(name, tools):
    """Choose the pattern for a mini's clues; return the choice and the true pattern."""
    puzzle = open_puzzle(MINIS / f"{name}.xd")
    across, down = (
        tuple(NumberedClue(slot.number, puzzle.clue(slot)) for slot in puzzle.grid.slots if slot.direction == way)
        for way in ("across", "down")
    )
    return choose_pattern(ClueText(across, down), tools, Budget())[0], puzzle.grid


def test_of_patterns_that_are_filled_as_well_the_one_with_a_half_turn_is_chosen(tools):
    choice, true = chosen("mini-04", tools)
    assert choice.grid == true
    assert choice.probability > 0.9
    assert choice.other is None


def test_of_two_patterns_that_are_close_both_are_shown(tools):
    choice, true = chosen("mini-11", tools)
    assert choice.other is not None
    assert true in {choice.grid, choice.other}
    assert choice.probability < 0.8
