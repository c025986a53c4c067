"""Words spelled like a word: old and variant spellings (`To fetch` -> FETTE), agents and other forms.

Shared letter pairs pick candidates from all words of a length, then a weighted edit distance ranks them: a vowel for
another vowel costs little, and so do endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexicon.senses import Floats

CLOSEST = 100
"""Candidates per clue word whose edit distance is computed."""

LANES = 8
"""Maximum number of words whose letter pairs are counted at once: the bytes of a 64-bit number."""

VOWEL_CHANGE = 0.4
"""Cost of one vowel for another, against 1 for other changes: spellings differ in vowels first."""

VOWEL_GAP = 0.6
"""Cost of an added or missing vowel."""

ENDING_GAP = 0.35
"""Cost of each letter of the clue word left over at its end: -ing, -ed, -er say little about the spelling."""

_VOWELS = np.isin(np.arange(27), [0, 4, 8, 14, 20, 24])
_WALL = 26


def letter_pairs(columns: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Return the pairs of neighbouring letters of words, (length + 1, words), 26 standing before and after a word.

    >>> letter_pairs(np.array([[0], [25]], np.uint8)).ravel().tolist() == [26 * 27 + 0, 0 * 27 + 25, 25 * 27 + 26]
    True
    """
    padded = np.full((len(columns) + 2, columns.shape[1]), _WALL, np.int16)
    padded[1:-1] = columns
    return padded[:-1] * 27 + padded[1:]


def similar(columns: NDArray[np.uint8], words: Sequence[str]) -> tuple[NDArray[np.intp], Floats]:
    """Return which of the words in `columns` are spelled most like upper-case words, and how much, from 0 to 1.

    At most `LANES` words are looked at, the first ones. A word of the columns may come twice.

    >>> columns = np.frombuffer(b"FETTECANOE", np.uint8).reshape(2, 5).T - np.uint8(65)
    >>> places, value = similar(columns, ["FETCH"])
    >>> places.tolist(), [round(float(one), 2) for one in value]
    ([0], [0.61])
    """
    codes = [[ord(letter) - 65 for letter in word if letter.isalpha()] for word in words[:LANES]]
    if not codes:
        return np.zeros(0, np.intp), np.zeros(0, np.float32)
    near = [_most(shared) for shared in _shared_pairs(columns, codes)]
    given = np.full((max(map(len, codes)), len(codes)), _WALL)
    for column, code in enumerate(codes):
        given[: len(code), column] = code
    places = np.concatenate(near)
    asked = np.repeat(np.arange(len(codes)), [len(found) for found in near])
    distance = edit_distance(columns.take(places, axis=1), given.take(asked, axis=1))
    return places, np.maximum(0, 1 - distance / max(len(columns), 3)).astype(np.float32)


def _shared_pairs(columns: NDArray[np.uint8], codes: Sequence[Sequence[int]]) -> NDArray[np.uint8]:
    """Return how many letter pairs each word of the columns shares with each given word, (given, words).

    The counts for all given words are the bytes of one number, so that each pair is looked up once.
    """
    has = np.zeros((27 * 27, LANES), np.uint8)
    for lane, code in enumerate(codes):
        has[[a * 27 + b for a, b in pairwise([_WALL, *code, _WALL])], lane] = 1
    whole = has.view(np.uint64).ravel()
    shared = np.zeros(columns.shape[1], np.uint64)
    for pairs in letter_pairs(columns):
        shared += whole.take(pairs)
    return np.ascontiguousarray(shared.view(np.uint8).reshape(-1, LANES).T[: len(codes)])


def _most(shared: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the places of the words that share most letter pairs, at least two: `CLOSEST` or more if there are."""
    most = int(shared.max(initial=0))
    bar = next((bar for bar in range(most, 2, -1) if np.count_nonzero(shared >= bar) >= CLOSEST), 2)
    return np.flatnonzero(shared >= bar)[: 3 * CLOSEST]


def edit_distance(columns: NDArray[np.uint8], given: NDArray[np.int_]) -> Floats:
    """Return the weighted edit distances of words, given as columns of letters, to as many others, 26 past their ends.

    >>> columns = np.frombuffer(b"FETTE", np.uint8).reshape(5, 1) - 65
    >>> edit_distance(columns, np.frombuffer(b"FETCH", np.uint8).astype(int).reshape(5, 1) - 65).round(4).tolist()
    [1.95...]
    """
    vowels, asked_vowels = _VOWELS[columns], _VOWELS[given]
    gap = np.where(vowels, np.float32(VOWEL_GAP), np.float32(1))
    skip = np.where(asked_vowels, np.float32(VOWEL_GAP), np.float32(1))
    change = np.where(vowels & asked_vowels[:, None], np.float32(VOWEL_CHANGE), np.float32(1))
    change[columns == given[:, None]] = 0
    gaps = np.zeros((len(columns) + 1, columns.shape[1]), np.float32)
    np.cumsum(gap, axis=0, out=gaps[1:])
    row = gaps
    ends = [row[-1]]
    for place in range(len(given)):
        base = row + skip[place]
        np.minimum(base[1:], row[:-1] + change[place], out=base[1:])
        # Letters of the word that the other has not: the cheapest way to here, or to a place before and over a gap.
        row = np.minimum.accumulate(base - gaps, axis=0) + gaps
        ends.append(row[-1])
    left = (given != _WALL).sum(axis=0) - np.arange(len(given) + 1)[:, None]
    # Positions past the end of a word are padding and must not count as a leftover ending.
    distance = np.where(left >= 0, np.stack(ends) + np.float32(ENDING_GAP) * left, np.inf)
    best: Floats = distance.min(axis=0).astype(np.float32)
    return best
