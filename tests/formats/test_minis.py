"""The minis in two halves: clues for every slot, references that lead somewhere, and halves kept apart."""

import re
from pathlib import Path

import pytest

from agent.api import open_puzzle

FOLDER = Path(__file__).parents[2] / "data" / "minis"
HALVES = ("tune", "report")


@pytest.fixture(scope="module")
def halves():
    return {half: [open_puzzle(path) for path in sorted((FOLDER / half).glob("*.xd"))] for half in HALVES}


def clues(puzzles):
    return {clue.text for puzzle in puzzles for clue in puzzle.clues if not clue.text.startswith("See ")}


@pytest.mark.parametrize("half", HALVES)
def test_every_slot_of_a_mini_has_one_clue(halves, half):
    for puzzle in halves[half]:
        asked = sorted(clue.slot for clue in puzzle.clues)
        assert asked == sorted(slot.name for slot in puzzle.grid.slots), puzzle.title


@pytest.mark.parametrize("half", HALVES)
def test_no_answer_occurs_twice_or_in_its_own_clue(halves, half):
    for puzzle in halves[half]:
        answers = {slot.name: puzzle.solution.answer(slot) for slot in puzzle.grid.slots}
        assert len(set(answers.values())) == len(answers), puzzle.title
        for clue in puzzle.clues:
            words = re.findall("[A-Z]+", clue.text.upper().replace("'", ""))
            assert answers[clue.slot] not in words, clue


@pytest.mark.parametrize("half", HALVES)
def test_references_name_slots_of_the_same_mini(halves, half):
    for puzzle in halves[half]:
        named = {f"{n}{way[0]}" for clue in puzzle.clues for n, way in re.findall(r"(\d+)-(Across|Down)", clue.text)}
        assert named <= {slot.name for slot in puzzle.grid.slots}, puzzle.title


def test_the_halves_are_of_one_size_and_share_no_clue(halves):
    tune, report = (halves[half] for half in HALVES)
    assert sorted(str(puzzle.grid.width) for puzzle in tune) == sorted(str(puzzle.grid.width) for puzzle in report)
    assert not clues(tune) & clues(report)
