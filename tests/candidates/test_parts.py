"""Long puzzles in parts: even, complete, and with related clues in one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.candidates.parts import split
from agent.candidates.provider import Question
from agent.grid import Clue, Grid, Puzzle
from agent.solve import ask

OPEN, SHUT = "....#.....#....\n", "###....#....###\n"
LARGE = Grid.parse((3 * OPEN + SHUT) * 3 + 3 * OPEN)


def large(**clues):
    return ask(Puzzle(LARGE, tuple(Clue(slot.name, clues.get(slot.name, "?")) for slot in LARGE.slots)))


def names(parts):
    return [{question.slot for question in part} for part in parts]


@given(st.integers(0, 300), st.integers(1, 60))
def test_no_question_is_lost_and_no_part_too_long(count, most):
    questions = [Question(f"{i // 2 + 1}{'AD'[i % 2]}", f"See {(i * 7) % 300}-Down", 3) for i in range(count)]
    parts = split(questions, most)
    assert sorted(q.slot for part in parts for q in part) == sorted(q.slot for q in questions)
    assert max(map(len, parts), default=0) <= most
    assert all(parts)


def test_parts_are_even_and_as_few_as_possible():
    questions = large()
    assert len(questions) > 60
    sizes = [len(part) for part in split(questions, 60)]
    assert len(sizes) == 2
    assert max(sizes) - min(sizes) <= 2


def test_a_puzzle_that_fits_stays_in_order():
    questions = large()[:60]
    assert split(questions, 60) == [questions]
    assert split([], 60) == []


def test_slots_of_one_number_and_references_stay_together():
    last = LARGE.slots[-1].name
    questions = large(**{"1A": f"With {last[:-1]}-Down, at once", last: "See 1-Across"})
    for part in names(split(questions, 40)):
        assert ("1A" in part) == (last in part)
        for name in part:
            other = name[:-1] + ("D" if name[-1] == "A" else "A")
            assert other in part or other not in {question.slot for question in questions}


def test_crossing_slots_stay_together_as_far_as_that_goes():
    def inside(parts):
        return sum(c.slot in part for part in names(parts) for q in questions if q.slot in part for c in q.crossings)

    questions = large()
    half = len(questions) // 2
    assert inside(split(questions, 60)) > 1.5 * inside([questions[:half], questions[half:]])


@pytest.mark.parametrize("most", [10, 60])
def test_clues_that_all_refer_to_each_other_are_split_too(most):
    questions = [Question(f"{i}A", f"See {i + 1}-Across", 3) for i in range(1, 100)]
    assert max(len(part) for part in split(questions, most)) <= most
