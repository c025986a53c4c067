"""The lexicon: words of a length, and for a clue a probability for each of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.pack import Pack
from lexicon.senses import Floats, Senses
from lexicon.signals import ClueSignals, signal_names, vector_similarity
from lexicon.spelling import letter_model
from lexicon.text import fold, tokens
from lexicon.words import WordList

UNLISTED_PRIOR = 0.06
"""Share of answers that are in no list, before the clue is read."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """What a clue says about the words of one length.

    `log_p` is (n,), aligned with `Lexicon.words(length)`; `unlisted` is the probability that the answer is in no
    list. The two together sum to 1.
    """

    log_p: Floats
    unlisted: float


@dataclass(frozen=True, slots=True)
class Answer:
    """One word for a clue, its probability, and why."""

    word: str
    probability: float
    why: str


class Senseful:
    """Words of one length joined with senses: the pairs, and the documents whose vectors are compared."""

    def __init__(self, pack: Pack, senses: Senses, length: int) -> None:
        self.word = pack[f"pair/word/{length}"].astype(np.intp)
        self.sense = pack[f"pair/sense/{length}"].astype(np.intp)
        self.form = pack[f"pair/form/{length}"]
        self.used, self.document = np.unique(self.sense, return_inverse=True)


class Lexicon:
    """Words and clues. Read-only; safe to share between threads; make it with `lexicon.load`."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._senses = Senses(pack)
        self._words: dict[int, WordList] = {}
        self._pairs: dict[int, Senseful] = {}
        self._lock = threading.RLock()
        shortest, longest = pack.meta["lengths"]
        self.lengths = range(shortest, longest + 1)

    def words(self, length: int) -> WordList:
        """Return all words of a length, always in the same order. Raises ValueError for a length without words."""
        if length not in self.lengths:
            raise ValueError(f"no words of {length} letters, expected {self.lengths[0]} to {self.lengths[-1]}")
        with self._lock:
            if length not in self._words:
                size = self._pack[f"size/{length}"]
                kinds = self._pack[f"kinds/{length}"]
                logit = -size.astype(np.float32) / 12 - 1.0 * (kinds & 0b111100 > 0)
                logit -= np.log(np.exp(logit).sum())
                self._words[length] = WordList(self._pack[f"letters/{length}"], logit.astype(np.float32))
            return self._words[length]

    def _joined(self, length: int) -> Senseful:
        with self._lock:
            if length not in self._pairs:
                self._pairs[length] = Senseful(self._pack, self._senses, length)
            return self._pairs[length]

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the probability of every word of a length as the answer of a clue."""
        words = self.words(length)
        joined = self._joined(length)
        signals = ClueSignals(self._senses, clue)
        weight = np.zeros(len(signals.names), np.float32)
        for name, value in UNTRAINED.items():
            weight[signals.names.index(name)] = value
        score = (weight @ signals.table)[joined.sense] - 1.0 * (joined.form & 31 > 0)
        best = np.zeros(len(words), np.float32)
        np.maximum.at(best, joined.word, score)
        logit = words.log_prior * 0.6 + best
        for token in tokens(clue):
            place = words.find(fold(token))
            if place is not None:
                logit[place] -= 8
        logit -= logit.max()
        log_p = logit - np.log(np.exp(logit).sum()) + np.log1p(-UNLISTED_PRIOR)
        return Distribution(log_p.astype(np.float32), UNLISTED_PRIOR)

    def letter_model(self, length: int) -> Floats:
        """Return log-probabilities (length, 26) of letters by position, for words in no list."""
        return letter_model(self.words(length).columns)

    def answers(
        self, clue: str, length: int | None = None, pattern: str | None = None, count: int = 20
    ) -> list[Answer]:
        """Return the likeliest answers, best first."""
        if length is None:
            if pattern is None:
                raise ValueError("answers needs a length or a pattern")
            length = len(pattern)
        words = self.words(length)
        log_p = self.distribution(clue, length).log_p
        fits = words.matching(pattern) if pattern else np.arange(len(words))
        best = fits[np.argsort(-log_p[fits], kind="stable")[:count]]
        return [Answer(words.word(i), float(np.exp(log_p[i])), self.why(clue, words.word(i))) for i in best]

    def why(self, clue: str, word: str) -> str:
        """Say in a few words what speaks for a word."""
        return "word prior only" if self.contains(word) else "in no list"

    def match(self, pattern: str) -> list[str]:
        """Return all words that agree with a pattern such as `A?R?`, in alphabetical order."""
        words = self.words(len(pattern))
        return [words.word(i) for i in words.matching(pattern)]

    def anagrams(self, letters: str) -> list[str]:
        """Return all words made of exactly these letters."""
        words = self.words(len(letters))
        return [words.word(i) for i in words.made_of(letters.upper())]

    def contains(self, word: str) -> bool:
        """Whether a word is in any list."""
        return len(word) in self.lengths and self.words(len(word)).find(fold(word)) is not None


UNTRAINED = {
    "gloss cosine": 7.0, "gloss covers clue": 2.0, "name": 7.0, "name inside clue": 2.0, "hypernym": 3.0,
    "hyponym": 5.0, "similar": 5.0, "derived": 2.0, "part": 2.0, "whole": 3.0, "neighbour's gloss": 1.5,
    "hyponym two steps down": 2.0,
}  # fmt: skip
