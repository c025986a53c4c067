"""Recall: where the right answers stand in a provider's lists, and in the ranking of all together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.api import open_puzzle
from agent.candidates.clueset import ClueSet, Entry
from agent.candidates.lexicon import LexiconProvider
from agent.evaluate.recall import places_in_lists, places_in_ranking, recall
from agent.tools import Tools

TINY = open_puzzle(Path(__file__).parents[2] / "data" / "minis" / "tiny-01.xd")


def clue_set(**lists: list[str]) -> ClueSet:
    """Candidates for slots of the puzzle, the first ones the more probable."""
    return ClueSet(
        [
            Entry(TINY.clue(slot), 4, tuple((word, 1 / place) for place, word in enumerate(words, 1)), "llm:test")
            for slot, words in lists.items()
        ]
    )


def test_places_count_from_one_and_may_be_missing():
    listed = clue_set(**{"1A": ["HALT", "STOP"], "5A": ["WANT"]})
    assert places_in_lists([TINY], listed) == [2, None, None, None, None, None, None, None]


def test_the_ranking_of_all_puts_two_that_agree_before_one():
    fused = places_in_ranking([TINY], Tools([clue_set(**{"1A": ["HALT", "STOP"]}), clue_set(**{"1A": ["STOP"]})]))
    assert fused[0] == 1
    assert fused[1:] == [None] * 7


def test_the_lexicon_orders_every_word_behind_the_lists():
    places = places_in_ranking([TINY], Tools([], LexiconProvider()))
    assert None not in places


def test_a_puzzle_without_its_solution_is_refused():
    with pytest.raises(ValueError, match="expected a puzzle with its solution"):
        places_in_lists([replace(TINY, solution=None)], clue_set())


@given(st.lists(st.none() | st.integers(1, 50), min_size=1))
def test_recall_never_falls_and_ends_with_all_that_were_found(places):
    shares = [share for _, share in recall(places, range(1, 51))]
    assert shares == sorted(shares)
    assert shares[-1] == sum(place is not None for place in places) / len(places)
