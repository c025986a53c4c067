"""A clue's distribution over words: normalised, repeatable, robust, and better than chance on our own minis."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexicon
from lexicon.build.material import mini_pairs

LEXICON = lexicon.load(permissive=True)
MINIS = Path(__file__).parents[2] / "data" / "minis"


@pytest.mark.parametrize("length", [2, 3, 5, 9, 21])
def test_probabilities_and_the_unlisted_mass_sum_to_one(length):
    found = LEXICON.distribution("An African antelope; to wander", length)
    assert found.log_p.shape == (len(LEXICON.words(length)),)
    assert np.isfinite(found.log_p).all()
    assert 0 < found.unlisted < 1
    assert np.exp(found.log_p.astype(float)).sum() + found.unlisted == pytest.approx(1, abs=1e-4)


@settings(max_examples=settings.default.max_examples // 2)
@given(clue=st.text(max_size=60), length=st.integers(2, 8))
def test_any_text_gets_a_distribution(clue, length):
    found = LEXICON.distribution(clue, length)
    assert np.exp(found.log_p.astype(float)).sum() + found.unlisted == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("clue", ["", "___", "?", "(5)", "and; or; the", "“”", "a" * 5000, "x; " * 300])
def test_clues_without_meaning_still_get_one(clue):
    assert LEXICON.distribution(clue, 4).unlisted > 0


def test_threads_get_what_one_thread_gets():
    clues = ["A young swan", "To walk with long steps", "Not cooked", "Like a fox"] * 4
    fresh = lexicon.lexicon.Lexicon(LEXICON._pack, LEXICON._model)
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda clue: fresh.distribution(clue, 6).log_p, clues))
    for clue, log_p in zip(clues, together, strict=True):
        assert np.array_equal(log_p, LEXICON.distribution(clue, 6).log_p)


def test_spellings_of_unlisted_words_are_probabilities():
    letters, pairs = (part.astype(float) for part in LEXICON.spelling(3))
    assert (letters.shape, pairs.shape) == ((3, 26), (2, 26, 26))
    costs = letters[0][:, None, None] + letters[1][None, :, None] + letters[2][None, None, :]
    costs = costs + pairs[0][:, :, None] + pairs[1][None, :, :]
    assert np.exp(-costs).sum() == pytest.approx(1.0, abs=1e-4)
    assert pairs.min() >= 0


def test_letters_that_look_like_a_word_are_cheaper_to_spell():
    def cost(word: str) -> float:
        letters, pairs = LEXICON.spelling(len(word))
        codes = [ord(letter) - 65 for letter in word]
        single = sum(letters[i, code] for i, code in enumerate(codes))
        return float(single + sum(pairs[i, a, b] for i, (a, b) in enumerate(pairwise(codes))))

    assert cost("MELNE") < cost("MERNL")
    assert cost("STRAP") < cost("PTRAS")


def test_answers_agree_with_the_pattern_and_come_best_first():
    found = LEXICON.answers("A young swan", pattern="C??N??", count=5)
    assert found[0].word == "CYGNET"
    assert all(answer.word[0] == "C" and answer.word[3] == "N" for answer in found)
    assert [answer.probability for answer in found] == sorted((a.probability for a in found), reverse=True)
    with pytest.raises(ValueError, match="length or a pattern"):
        LEXICON.answers("A young swan")


def test_the_clue_helps_on_our_own_minis():
    pairs = [pair for pair in mini_pairs(MINIS) if len(pair.answer) in LEXICON.lengths][::6]
    gained = []
    for pair in pairs:
        words = LEXICON.words(len(pair.answer))
        place = words.find(pair.answer)
        if place is not None:
            gained.append(LEXICON.distribution(pair.clue, len(pair.answer)).log_p[place] - words.log_prior[place])
    assert np.mean(gained) > 1


def test_reasons_name_relation_class_blank_or_prior():
    assert LEXICON.why("An African antelope", "ELAND").startswith("kind of antelope")
    assert LEXICON.why("Greek letter", "SIGMA").startswith("closed class: Greek letter")
    assert LEXICON.why("___ and cons", "PROS").startswith("goes with CONS")
    assert "fills the blank" in LEXICON.why("San ___, Calif.", "DIEGO")
    assert LEXICON.why("Zzz", "HOUSE") == "only how common the word is"
    assert LEXICON.why("A young swan", "XQZJV") == "in no list"
