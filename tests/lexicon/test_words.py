"""Words of a length: order, prior, look-up, patterns, anagrams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexicon

LEXICON = lexicon.load(permissive=True)
LETTER = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@pytest.mark.parametrize("length", LEXICON.lengths)
def test_every_length_has_words_and_a_normalised_prior(length):
    words = LEXICON.words(length)
    assert words.letters.shape == (len(words), length)
    assert words.letters.max() <= 25
    assert words.log_prior.shape == (len(words),)
    assert np.exp(words.log_prior.astype(float)).sum() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("length", [2, 5, 21])
def test_scores_by_code_are_those_of_the_table_of_features(length):
    vocabulary = LEXICON.vocabulary(length)
    weights = np.random.default_rng(length).normal(size=(len(vocabulary.static_names), 2)).astype(np.float32)
    assert vocabulary.static.shape == (len(LEXICON.words(length)), len(weights))
    assert vocabulary.own_scores(weights) == pytest.approx(vocabulary.static @ weights, abs=1e-4)


def test_lengths_run_from_2_to_21_and_others_are_refused():
    assert (LEXICON.lengths[0], LEXICON.lengths[-1]) == (2, 21)
    with pytest.raises(ValueError, match="expected 2 to 21"):
        LEXICON.words(22)


@given(length=st.integers(2, 21), share=st.floats(0, 1, exclude_max=True))
def test_a_word_is_found_at_its_place(length, share):
    words = LEXICON.words(length)
    place = int(share * len(words))
    assert words.find(words.word(place)) == place


@given(st.text(max_size=8))
def test_whatever_is_asked_for_is_found_or_not_but_never_breaks(text):
    assert LEXICON.words(5).find(text) in {None, *range(len(LEXICON.words(5)))}


@given(st.lists(st.one_of(LETTER, st.just("?")), min_size=3, max_size=6).map("".join))
def test_match_finds_exactly_the_words_of_the_pattern(pattern):
    words = LEXICON.words(len(pattern))
    every = [words.word(i) for i in range(0, len(words), 37)]
    agreeing = {word for word in every if all(p in ("?", w) for p, w in zip(pattern, word, strict=True))}
    found = LEXICON.match(pattern)
    assert agreeing <= set(found)
    assert all(all(p in ("?", w) for p, w in zip(pattern, word, strict=True)) for word in found)
    assert found == sorted(found)


def test_anagrams_use_all_letters():
    assert {"LEMON", "MELON"} <= set(LEXICON.anagrams("nolem"))
    assert all(sorted(word) == sorted("NOLEM") for word in LEXICON.anagrams("nolem"))


def test_phrases_and_words_with_accents_are_listed_folded():
    assert LEXICON.words(8).find("SANDIEGO") is not None
    assert LEXICON.words(5).find("CREME") is not None
    assert LEXICON.words(5).find("XQZJV") is None


def test_arrays_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        LEXICON.words(5).letters[0, 0] = 1
