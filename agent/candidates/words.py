"""The ranking's interface to a lexicon: its words, a distribution over them for any clue, and spelling costs."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Words(Protocol):
    """All words of one length: `letters` of shape (words, length), 0 for A."""

    @property
    def letters(self) -> NDArray[np.uint8]:
        """The words as letters."""

    def find(self, word: str) -> int | None:
        """Return the index of a word, None if it is in no list."""

    def __len__(self) -> int: ...


class Distribution(Protocol):
    """The lexicon's distribution for a clue: `log_p` per word of the length, `unlisted` the mass of all other words."""

    @property
    def log_p(self) -> NDArray[np.float32]:
        """Log-probability of each word."""

    @property
    def unlisted(self) -> float:
        """Probability that the answer is in no list."""


class Lexicon(Protocol):
    """A distribution over all words of a length for any clue, and the reasons for it."""

    @property
    def lengths(self) -> Container[int]:
        """Lengths of its words; a slot of another length has only listed words."""

    def words(self, length: int) -> Words:
        """Return the words of a length."""

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the distribution for a clue."""

    def spelling(self, length: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the costs of spelling an unlisted word: by letter (length, 26), by pair (length - 1, 26, 26)."""

    def why(self, clue: str, word: str) -> str:
        """Return the reason for an answer in a few words."""
