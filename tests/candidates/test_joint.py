"""Answers that are read together get the probabilities of the phrases that they are halves of."""

import numpy as np
import pytest

from agent.candidates.joint import BELIEVED, halves
from agent.candidates.provider import Question, Reference
from agent.candidates.ranking import rank
from lexicon.words import WordList

CLUE = "With 4-Across, dinner for two who have never met"
FIRST = Question("1A", CLUE, 5, references=(Reference("4A", "with", 4),))
SECOND = Question("4A", "See 1-Across", 4, references=(Reference("1A", "see", 5, CLUE),))
WORDS = {4: ["DATE", "MEAL"], 5: ["BLIND", "STEAK"], 9: ["BLINDDATE", "STEAKMEAL"]}


class Phrases:
    """A lexicon that finds every word likely as the other of its length, but for phrases."""

    lengths = (4, 5, 9)
    unlisted = 0.1

    def words(self, length):
        letters = np.array([[ord(letter) - 65 for letter in word] for word in WORDS[length]], np.uint8)
        return WordList(np.ascontiguousarray(letters.T), np.zeros(2, np.float32))

    def distribution(self, clue, length):
        assert clue == "dinner for two who have never met"
        self.log_p = np.log(np.array([0.8, 0.1] if length == 9 else [0.45, 0.45]))
        return self

    def spelling(self, length):
        return np.full((length, 26), np.log(26), np.float32), np.zeros((length - 1, 26, 26), np.float32)


def test_both_halves_of_a_phrase_come_first():
    ranking = rank([FIRST, SECOND], {}, Phrases())
    for question, half in ((FIRST, "BLIND"), (SECOND, "DATE")):
        domain = ranking.domains[question.key]
        assert domain.word(int(domain.costs.argmin())) == half
        assert np.exp(-domain.costs).sum() + np.exp(-domain.open_cost) == pytest.approx(1)


def test_halves_leave_room_for_what_is_not_a_phrase():
    found = halves([FIRST, SECOND], Phrases())
    assert found["1A"] == pytest.approx({"BLIND": 0.8 * BELIEVED, "STEAK": 0.1 * BELIEVED})
    assert found["4A"] == pytest.approx({"DATE": 0.8 * BELIEVED, "MEAL": 0.1 * BELIEVED})


def test_a_reference_to_no_slot_or_to_several_changes_nothing():
    assert halves([FIRST], Phrases()) == {}
    assert halves([Question("1A", "Mouser", 3), SECOND], Phrases()) == {}
    several = Question("1A", CLUE, 5, references=(Reference("4A", "with", 4), Reference("5A", "with", 4)))
    assert halves([several, SECOND], Phrases()) == {}
