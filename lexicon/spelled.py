"""Words spelled like a word: old and variant spellings (`To fetch` -> FETTE), agents and other forms.

Letter pairs find the similar ones among all words of a length, then a weighted edit distance orders them: vowels
change for vowels easily, and endings are cheap.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexicon.senses import Floats

CLOSEST = 200
"""Words that go from letter pairs to the edit distance, per clue word: each costs a step of the distance."""

VOWEL_CHANGE = 0.4
"""Cost of one vowel for another, against 1 for other changes: spellings differ in vowels first."""

VOWEL_GAP = 0.6
"""Cost of an added or missing vowel."""

ENDING_GAP = 0.35
"""Cost of each letter of the clue word left over at its end: -ing, -ed, -er say little about the spelling."""

_VOWELS = np.isin(np.arange(26), [0, 4, 8, 14, 20, 24])
_WALL = 26


class Spellings:
    """Letter pairs of all words of one length, inverted."""

    def __init__(self, columns: NDArray[np.uint8]) -> None:
        length, self.size = columns.shape
        wall = np.full((1, self.size), _WALL, np.int32)
        padded = np.concatenate([wall, columns.astype(np.int32), wall])
        pair = (padded[:-1] * 27 + padded[1:]).ravel().astype(np.int16)
        order = np.argsort(pair, kind="stable")
        self._words = (order % self.size).astype(np.int32)
        self._starts = np.searchsorted(pair[order], np.arange(27 * 27 + 1))
        self._columns = columns
        self._pairs = length + 1

    def similar(self, word: str) -> tuple[NDArray[np.intp], Floats]:
        """Return the words spelled most like an upper-case word, and how much, from 0 to 1."""
        code = [_WALL, *(ord(letter) - 65 for letter in word if letter.isalpha()), _WALL]
        pairs = sorted({a * 27 + b for a, b in pairwise(code)})
        found = np.concatenate([self._words[self._starts[pair] : self._starts[pair + 1]] for pair in pairs])
        shared = np.bincount(found, minlength=self.size)
        at_least = np.cumsum(np.bincount(shared)[::-1])[::-1]
        bar = int(np.searchsorted(-at_least, -CLOSEST, side="right")) - 1  # the highest count that leaves enough words
        near = np.flatnonzero(shared >= max(bar, 2))[: 3 * CLOSEST]
        distance = edit_distance(self._columns[:, near], np.array(code[1:-1]))
        return near, np.maximum(0, 1 - distance / max(self._pairs - 1, 3)).astype(np.float32)


def edit_distance(columns: NDArray[np.uint8], word: NDArray[np.int_]) -> Floats:
    """Return the weighted edit distances of words, given as columns of letters, to one word.

    >>> columns = np.frombuffer(b"FETTE", np.uint8).reshape(5, 1) - 65
    >>> edit_distance(columns, np.frombuffer(b"FETCH", np.uint8).astype(int) - 65).tolist()
    [1.95...]
    """
    length, count = columns.shape
    vowels = _VOWELS[columns]
    gap = np.where(vowels, np.float32(VOWEL_GAP), np.float32(1))
    row = np.zeros((length + 1, count), np.float32)
    row[1:] = np.cumsum(gap, axis=0)
    best: Floats = row[-1] + ENDING_GAP * len(word)
    for place, letter in enumerate(word):
        skip = np.float32(VOWEL_GAP if _VOWELS[letter] else 1)
        change = np.where(columns == letter, 0, np.where(vowels & _VOWELS[letter], VOWEL_CHANGE, 1)).astype(np.float32)
        new = np.empty_like(row)
        new[0] = row[0] + skip
        for j in range(length):
            new[j + 1] = np.minimum(np.minimum(row[j] + change[j], row[j + 1] + skip), new[j] + gap[j])
        row = new
        best = np.minimum(best, row[-1] + ENDING_GAP * (len(word) - place - 1))
    return best
