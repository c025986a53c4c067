"""The words of one length: letters, prior, look-up by word, by pattern, by the letters they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

UNKNOWN = "?"
"""The sign for an unknown letter in a pattern."""


class WordList:
    """All words of one length, sorted; every other array about them is aligned with this list.

    `letters` is (n, length) with 0 for A to 25 for Z, `log_prior` (n,) holds natural logarithms of probabilities that
    sum to 1. Both are read-only.
    """

    def __init__(self, columns: NDArray[np.uint8], log_prior: NDArray[np.float32]) -> None:
        self.length = int(columns.shape[0])
        self.columns = columns
        self.log_prior = log_prior
        self.log_prior.flags.writeable = False

    @cached_property
    def letters(self) -> NDArray[np.uint8]:
        """The words as letters, (n, length)."""
        letters = np.ascontiguousarray(self.columns.T)
        letters.flags.writeable = False
        return letters

    @cached_property
    def _keys(self) -> NDArray[np.bytes_]:
        return (self.letters + np.uint8(65)).view(f"S{self.length}").ravel()

    def __len__(self) -> int:
        return int(self.columns.shape[1])

    def word(self, position: int) -> str:
        """Return the word at a position."""
        return bytes(self.columns[:, position] + np.uint8(65)).decode()

    def find(self, word: str) -> int | None:
        """Return the position of an upper-case word, or None."""
        key = word.encode("ascii", "replace")
        if len(key) != self.length:
            return None
        place = int(np.searchsorted(self._keys, np.bytes_(key)))
        return place if place < len(self) and bytes(self._keys[place]) == key else None

    def matching(self, pattern: str) -> NDArray[np.intp]:
        """Return the positions of all words that agree with a pattern such as `A?R?`."""
        fits = np.ones(len(self), bool)
        for column, letter in zip(self.columns, pattern, strict=True):
            if letter != UNKNOWN:
                fits &= column == ord(letter) - ord("A")
        return np.flatnonzero(fits)

    def made_of(self, letters: Iterable[str]) -> NDArray[np.intp]:
        """Return the positions of all words that use exactly these letters."""
        wanted = np.sort(np.array([ord(letter) - ord("A") for letter in letters], np.uint8))
        return np.flatnonzero((np.sort(self.letters, axis=1) == wanted).all(axis=1))
