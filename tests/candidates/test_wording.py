"""The text that a language model reads: the grid, the clues, and choices that do not lead."""

from dataclasses import replace

import pytest

from agent.api import open_puzzle
from agent.candidates.provider import Crossing, Question
from agent.candidates.wording import draw_grid, first_look, heading, options, second_look
from agent.grid import Candidate, Clue, Grid, Puzzle
from agent.solve import ask

PUZZLE = open_puzzle("data/minis/mini-01.xd")
ASKED = ask(PUZZLE)


def puzzle(rows, **clues):
    return ask(Puzzle(Grid.parse(rows), tuple(Clue(slot, text) for slot, text in clues.items())))


def test_the_drawing_has_the_blocks_and_the_numbers():
    assert draw_grid(ASKED).splitlines() == ["# # 1 2 3", "# 4 . . .", "5 . . . .", "6 . . . #", "7 . . # #"]


def test_numbers_of_two_digits_keep_their_cells_apart():
    lines = draw_grid(ask(Puzzle(Grid.blank(12, 2), ()))).splitlines()
    assert [len(line.split()) for line in lines] == [12, 12]
    assert lines[0].endswith("9 10 11 12")


def test_a_slot_without_a_clue_may_be_missing_if_others_cover_it():
    assert draw_grid([question for question in ASKED if question.slot != "5A"]) == draw_grid(ASKED)


@pytest.mark.parametrize(
    "questions",
    [
        [],
        ASKED[:1],
        [question for question in ASKED if question.slot in {"1A", "4A", "1D"}],
        [replace(question, start=None) for question in ASKED],
        [replace(ASKED[0], start=None), *ASKED[1:]],
        [replace(question, several_lengths=True) for question in ASKED],
        [replace(ASKED[0], start=(99, 99)), *ASKED[1:]],
        [replace(ASKED[0], length=2, pattern=""), *ASKED[1:]],
    ],
)
def test_no_grid_is_drawn_that_is_not_known_whole(questions):
    assert draw_grid(questions) == ""


def test_a_title_is_above_the_grid_on_one_line():
    titled = [replace(question, title="Fit to\n be tied " + "x" * 200) for question in ASKED]
    assert heading(ASKED).splitlines()[-5:] == draw_grid(ASKED).splitlines()
    first, *grid = heading(titled).splitlines()
    assert first == "Title: Fit to be tied " + "x" * 65
    assert grid == draw_grid(ASKED).splitlines()
    assert heading([]) == ""


def test_each_crossing_is_named_once():
    text = first_look(ASKED)
    assert text.splitlines()[1].startswith("4A (4 4D1 1D2 2D2 3D2): ")
    assert all(" " not in line.partition(":")[0].partition(" ")[2] for line in text.splitlines() if line[1] == "D")


def test_a_part_names_its_crossings_with_the_other_part():
    downs = [question for question in ASKED if question.slot.endswith("D")]
    assert first_look(downs).splitlines()[0].startswith("1D (5 1A1 4A2 5A3 6A3 7A3): ")
    assert first_look([ASKED[0], *downs]).splitlines()[1].startswith("1D (5 . 4A2 5A3 6A3 7A3): ")


def test_unchecked_cells_and_known_letters_are_shown():
    (across, down) = puzzle("A..\n.##", **{"1A": "Not out", "1D": "Yes"})
    assert first_look([across, down]).splitlines() == ["1A (3 A?? 1D1 . .): Not out", "1D (2 A?): Yes"]


def test_a_clue_that_is_asked_as_well_is_not_repeated_as_a_note():
    questions = puzzle("..#\n..#", **{"1A": "With 3-Across, at once", "3A": "See 1-Across", "1D": "I", "2D": "We"})
    assert first_look(questions).splitlines()[1].endswith("): See 1-Across")
    assert first_look(questions[1:]).splitlines()[0].endswith("[1-Across (2): With 3-Across, at once]")


CROSSINGS = (
    Crossing(0, "1D", 0, "Not out", "IN", 0.9),
    Crossing(1, "2D", 2, "Scarlet\n", "RED", 0.553),
    Crossing(2, "3D", 1, "Hm"),
)


def choice(pattern, *words, crossings=CROSSINGS):
    return Question("7A", "Sour", len(pattern), pattern, crossings, choices=tuple(Candidate(w, 0.5, "") for w in words))


def test_words_are_offered_in_no_order_of_merit():
    assert options(choice("T???", "TART", "TACO", "TANG")) == ("TACO", "TANG", "TART")
    assert second_look([choice("T???", "TART", "TACO")]) == second_look([choice("T???", "TACO", "TART")])


def test_words_that_contradict_the_letters_known_are_not_offered():
    assert options(choice("T??T", "TART", "TACO", "PAST")) == ("TART",)
    assert options(choice("T??T", "TACO")) == ()


def test_only_letters_in_doubt_have_their_crossings_shown():
    assert second_look([choice("T??T", "TART", "TOOT")]).splitlines() == [
        "7A (4 T??T): Sour",
        " TART / TOOT, or none of these?",
        " letter 2 is 2D3: RED 55%, Scarlet",
        " letter 3 is 3D2: Hm",
    ]


def test_a_pattern_without_doubt_is_a_yes_or_no_question():
    assert second_look([choice("TART", "TART", "TACO")]).splitlines() == ["7A (4): Sour", " TART: yes or no?"]


def test_a_crossing_clue_that_is_asked_as_well_is_not_repeated():
    other = Question("2D", "Scarlet", 3, choices=(Candidate("RED", 0.6, ""),))
    assert " letter 2 is 2D3: RED 55%" in second_look([choice("T?RT", "TART"), other]).splitlines()


def test_a_crossing_word_that_is_as_good_as_ruled_out_is_not_told():
    crossings = (Crossing(1, "2D", 2, "Scarlet", "RED", 0.0),)
    assert " letter 2 is 2D3: Scarlet" in second_look([choice("T?RT", "TART", crossings=crossings)]).splitlines()


def test_a_slot_without_choices_is_asked_openly_among_choices():
    assert second_look([choice("T?RT", crossings=())]) == "7A (4 T?RT): Sour\n no word yet: which one?"
