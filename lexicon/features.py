"""Features of words that depend on no clue, kept as codes: a few bytes a word, however many features there are.

Most features say of which of a few sorts a word is. So the scores of all words need no table of all features: the few
possible values of a code are scored, and each word looks its own up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lexicon.senses import Floats

BYTE = np.arange(256, dtype=np.uint8)
"""All values of a code of one byte."""


@dataclass(frozen=True, slots=True)
class Coded:
    """Features that words with the same code share: `code` is (n,), `table` is (codes, features)."""

    code: NDArray[np.unsignedinteger]
    table: Floats

    @property
    def count(self) -> int:
        """Number of features."""
        return int(self.table.shape[1])

    def columns(self) -> Floats:
        """Return the features of all words, (features, n)."""
        return self.table.T[:, self.code]

    def scores(self, weights: Floats) -> Floats:
        """Return the weighted sums of each word's features, (n, sums), by weights (features, sums)."""
        found: Floats = (self.table @ weights).take(self.code, axis=0)
        return found


@dataclass(frozen=True, slots=True)
class Measured:
    """One feature with a value of its own for each word, (n,)."""

    values: Floats
    count = 1

    def columns(self) -> Floats:
        """Return the values as a row, (1, n)."""
        return self.values[None]

    def scores(self, weights: Floats) -> Floats:
        """Return the values times the weights, (n, sums), by weights (1, sums)."""
        found: Floats = self.values[:, None] * weights
        return found


def by_code(code: NDArray[np.unsignedinteger], *features: ArrayLike) -> Coded:
    """Return features given for each value of a code, (codes,) each.

    >>> by_code(np.array([2, 0], np.uint8), [1, 1, 1], [0, 0.5, 1]).columns().tolist()
    [[1.0, 1.0], [1.0, 0.0]]
    """
    return Coded(code, np.array(features, np.float32).T)


def one_of(code: NDArray[np.uint8], *values: int) -> Coded:
    """Return a feature for each of some values of a code: 1 for the words that have it.

    >>> one_of(np.array([2, 0], np.uint8), 1, 2).columns().tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    return by_code(code, *(value == BYTE for value in values))


def flags(*columns: NDArray[np.bool_]) -> Coded:
    """Return features that a word has or has not, given as (n,) each.

    >>> flags(np.array([True, False]), np.array([True, True])).columns().tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    code = np.zeros(len(columns[0]), np.uint16)
    for bit, column in enumerate(columns):
        code |= column.astype(np.uint16) << bit
    codes = np.arange(1 << len(columns))
    return by_code(code, *(codes >> bit & 1 for bit in range(len(columns))))
