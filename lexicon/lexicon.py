"""The lexicon: words of a length, and for a clue a probability for each of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from lexicon.evidence import Evidence, pair_signals, similarities, word_features
from lexicon.explain import explain
from lexicon.gloss import Glosses
from lexicon.model import Model
from lexicon.pack import Pack
from lexicon.senses import Floats, Senses
from lexicon.shape import shape as shape_of
from lexicon.signals import ClueSignals
from lexicon.spelling import spelling_model
from lexicon.vocabulary import Vocabulary
from lexicon.words import WordList

SIZE_PER_NAT = 12
"""SCOWL sizes by which a word's prior falls to 1/e: from common to rare it spans a factor of a thousand."""

SPECIAL_COST = 1.0
"""Cost of a word of a less common kind in the prior, in nats."""

GRADE_COSTS = (0, 8, 6, 3.5, 2, 0.5)
"""Cost of a word that the glossary judges, in nats, by its grade: the range of the sizes."""

SPECIAL_KINDS = 0b0111_1100
"""Bits of the kinds that cost: proper names, abbreviations, contractions, foreign spellings, variants."""

SMALLEST = 1e-30
"""Least probability of a listed word: keeps logarithms finite."""


RECENT = 100
"""Clues whose evidence is remembered, at most 25 MB: after the distributions of a full-size puzzle's slots come the
reasons for their answers."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The probability of each word of one length as the answer of a clue.

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


class Lexicon:
    """Words and clues. Read-only; safe to share between threads; make it with `lexicon.load`."""

    def __init__(self, pack: Pack, model: Model | None = None, glosses: Glosses | None = None) -> None:
        self._pack = pack
        self._glosses = glosses
        self._model = model
        self._senses = Senses(pack)
        self._words: dict[int, WordList] = {}
        self._vocabularies: dict[int, Vocabulary] = {}
        self._spellings: dict[int, tuple[Floats, Floats]] = {}
        self._lock = threading.RLock()
        shortest, longest = pack.meta["lengths"]
        self.lengths = range(shortest, longest + 1)
        self._recent = lru_cache(RECENT)(self._collect)

    @cached_property
    def edition(self) -> str:
        """Short hash of the index and the weights: of all that the answers depend on."""
        import hashlib  # OpenSSL takes longer to load than a clue takes, and few ask for this

        files = [self._pack.path, *([self._model.path] if self._model else [])]
        return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()[:12]

    def words(self, length: int) -> WordList:
        """Return all words of a length, always in the same order. Raises ValueError for a length without words."""
        if length not in self.lengths:
            raise ValueError(f"no words of {length} letters, expected {self.lengths[0]} to {self.lengths[-1]}")
        with self._lock:
            if length not in self._words:
                size, kinds, grade = (self._pack[f"{name}/{length}"] for name in ("size", "kinds", "grade"))
                logit = -size.astype(np.float32) / SIZE_PER_NAT - SPECIAL_COST * (kinds & SPECIAL_KINDS > 0)
                logit = np.where(grade > 0, -np.array(GRADE_COSTS)[grade], logit)
                logit -= np.log(np.exp(logit).sum())
                self._words[length] = WordList(self._pack[f"letters/{length}"], logit.astype(np.float32))
            return self._words[length]

    def vocabulary(self, length: int) -> Vocabulary:
        """Return the words of a length with their fixed features."""
        with self._lock:
            if length not in self._vocabularies:
                self._vocabularies[length] = Vocabulary(self._pack, self._senses, length)
            return self._vocabularies[length]

    def _phrases(self, length: int) -> WordList | None:
        return self.words(length) if length in self.lengths else None

    def evidence(self, clue: str, length: int, held_out: int | None = None) -> Evidence:
        """Return the evidence of a clue about the words of a length; `held_out` as in ClueSignals."""
        return self._recent(clue, length, held_out)

    def _collect(self, clue: str, length: int, held_out: int | None) -> Evidence:
        vocabulary = self.vocabulary(length)
        asked = ClueSignals(self._senses, clue, held_out)
        cosines = similarities(vocabulary, asked)
        pairs, signals = pair_signals(vocabulary, asked, cosines)
        return Evidence(
            pairs,
            vocabulary.code(pairs),
            signals,
            *word_features(vocabulary, self.words(length), clue, asked, cosines, self._phrases),
        )

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the probability of every word of a length as the answer of a clue."""
        probabilities = self._probabilities(self.evidence(clue, length), clue, length)
        log_p = np.log(np.maximum(probabilities[:-1], SMALLEST)).astype(np.float32)
        return Distribution(log_p, float(probabilities[-1]))

    def spelling(self, length: int) -> tuple[Floats, Floats]:
        """Return the cost of spelling a word that is in no list, as `spelling_model` does."""
        if length not in self._spellings:
            self._spellings[length] = spelling_model(self.words(length).columns)
        return self._spellings[length]

    def answers(
        self, clue: str, length: int | None = None, pattern: str | None = None, count: int = 20
    ) -> list[Answer]:
        """Return the likeliest answers, best first. Raises ValueError if neither length nor pattern is given.

        >>> import lexicon
        >>> lexicon.load(permissive=True).answers("A young swan", 6, count=1)[0].word
        'CYGNET'
        """
        if length is None:
            if pattern is None:
                raise ValueError("answers needs a length or a pattern")
            length = len(pattern)
        words, evidence = self.words(length), self.evidence(clue, length)
        probabilities = self._probabilities(evidence, clue, length)
        fits = words.matching(pattern.upper()) if pattern else np.arange(len(words))
        best = fits[np.argsort(-probabilities[fits], kind="stable")[:count]]
        return [
            Answer(words.word(i), float(probabilities[i]), self._explain(evidence, clue, length, int(i))) for i in best
        ]

    def why(self, clue: str, word: str) -> str:
        """Return in a few words the reasons for a word as the answer of a clue.

        >>> import lexicon
        >>> lexicon.load(permissive=True).why("An African antelope", "ELAND")
        'kind of antelope; its definition shares african, antelope'
        """
        length = len(word)
        place = self.words(length).find(word) if length in self.lengths else None
        return "in no list" if place is None else self._explain(self.evidence(clue, length), clue, length, place)

    def _explain(self, evidence: Evidence, clue: str, length: int, place: int) -> str:
        return explain(self.vocabulary(length), self._senses, evidence, clue, place, self._glosses)

    def _probabilities(self, evidence: Evidence, clue: str, length: int) -> NDArray[np.float64]:
        if self._model is None:
            raise ValueError("this lexicon was opened without a model, to fit one: it has no probabilities")
        vocabulary = self.vocabulary(length)
        self._model.check(vocabulary)
        return self._model.probabilities(vocabulary, evidence, shape_of(clue))

    def match(self, pattern: str) -> list[str]:
        """Return all words that agree with a pattern such as `A?R?`, in alphabetical order."""
        words = self.words(len(pattern))
        return [words.word(i) for i in words.matching(pattern)]

    def anagrams(self, letters: str) -> list[str]:
        """Return all words made of exactly these letters."""
        words = self.words(len(letters))
        return [words.word(i) for i in words.made_of(letters.upper())]
