"""Ranking: the one place where the scores of different providers meet.

Each slot's candidates become one probability distribution with mass kept for "none of these". The form is a
conditional logit (McFadden 1974): a word scores what the word model thinks of it, plus, for each family of providers
that lists it, a bonus for being listed and its own log-probability weighted by how far that family's numbers are to
be trusted. Scores are exponentiated and normalised over all words and "none of these".

The constants were fitted by `tests/bench/fit_ranking.py` by maximum likelihood on GooBix puzzles 100-155 and the
project's own minis, never on the puzzles that results are reported for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agent.candidates.provider import Question
from agent.grid import Candidate
from agent.puzzles.crossword.domain import Domain

LEAST_PROBABILITY = 1e-4
"""Probabilities of candidates below this are taken as this: a provider that lists a word does not mean "never"."""


@dataclass(frozen=True, slots=True)
class Trust:
    """How one family of providers is heard: score += listed + weight * log(its probability)."""

    listed: float
    weight: float


@dataclass(frozen=True, slots=True)
class Constants:
    """The fitted numbers, for ranking with or without a word model behind the lists.

    `model_weight` multiplies the word model's log-probability; `unlisted` is the score of "none of these" (with a
    word model: added to its own log-mass of words in no list).
    """

    trust: Mapping[str, Trust]
    model_weight: float
    unlisted: float


WITHOUT_MODEL = Constants(
    trust={
        "llm": Trust(listed=0.0, weight=1.75),
        "datamuse": Trust(listed=-1.0, weight=1.0),
        "other": Trust(listed=0.0, weight=1.0),
    },
    model_weight=0.0,
    unlisted=-3.44,
)
WITH_MODEL = Constants(
    trust={
        "llm": Trust(listed=6.0, weight=1.0),
        "datamuse": Trust(listed=2.0, weight=0.5),
        "other": Trust(listed=6.0, weight=1.0),
    },
    model_weight=1.0,
    unlisted=0.0,
)

LETTER_SHARES = (
    # share in per mille of each letter A-Z in the answers of the project's own minis, one added to each count
    110, 18, 24, 37, 149, 2, 11, 17, 55, 4, 14, 54, 37, 71, 77, 42, 1, 71, 73, 73, 22, 8, 11, 5, 12, 2,
)  # fmt: skip


class Words(Protocol):
    """All words of one length: `letters` of shape (words, length), 0 for A."""

    @property
    def letters(self) -> NDArray[np.uint8]:
        """The words as letters."""

    def find(self, word: str) -> int | None:
        """Return the index of a word, None where it is in no list."""

    def __len__(self) -> int: ...


class Distribution(Protocol):
    """What a word model thinks of a clue: `log_p` per word of the length, `unlisted` the mass of all other words."""

    @property
    def log_p(self) -> NDArray[np.float32]:
        """Log-probability of each word."""

    @property
    def unlisted(self) -> float:
        """Probability that the answer is in no list."""


class WordModel(Protocol):
    """A distribution over all words of a length for any clue: the lexicon."""

    def words(self, length: int) -> Words:
        """Return the words of a length."""

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the distribution for a clue."""

    def letter_model(self, length: int) -> NDArray[np.float32]:
        """Return the log-probability of each letter by position in words that are in no list."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """One distribution per slot, and who listed what: slot -> answer -> the candidates that name it."""

    domains: Mapping[str, Domain]
    listed: Mapping[str, Mapping[str, tuple[Candidate, ...]]]

    def sources(self, slot: str, answer: str) -> tuple[Candidate, ...]:
        """Return the candidates that propose an answer for a slot, none where nobody did."""
        return self.listed.get(slot, {}).get(answer, ())


def family(source: str) -> str:
    """Map a candidate's source to the family whose constants count for it.

    >>> family("llm:some-model"), family("my notes")
    ('llm', 'other')
    """
    head = source.partition(":")[0].strip().lower()
    return head if head in WITHOUT_MODEL.trust else "other"


def rank(
    questions: Sequence[Question],
    proposals: Mapping[str, Iterable[Candidate]],
    model: WordModel | None = None,
    constants: Constants | None = None,
) -> Ranking:
    """Fuse everything that was proposed into one distribution per slot.

    With a word model every word of the length is in the domain, without one only the listed ones; what remains is the
    cost of leaving the slot open to its crossings.

    >>> listed = [Candidate("IN", 0.9, "llm:m"), Candidate("AT", 0.1, "llm:m")]
    >>> ranking = rank([Question("1A", "Not out", 2)], {"1A": listed})
    >>> domain = ranking.domains["1A"]
    >>> [domain.word(i) for i in range(len(domain))]
    ['IN', 'AT']
    """
    constants = constants or (WITHOUT_MODEL if model is None else WITH_MODEL)
    domains, listed = {}, {}
    for question in questions:
        by_answer: dict[str, list[Candidate]] = {}
        for candidate in proposals.get(question.slot, ()):
            if len(candidate.answer) == question.length:
                by_answer.setdefault(candidate.answer, []).append(candidate)
        evidence = {answer: _evidence(candidates, constants) for answer, candidates in by_answer.items()}
        if model is None:
            domains[question.slot] = _from_lists(question.length, evidence, constants)
        else:
            domains[question.slot] = _from_model(question, evidence, model, constants)
        listed[question.slot] = {answer: tuple(candidates) for answer, candidates in by_answer.items()}
    return Ranking(domains, listed)


def _evidence(candidates: Sequence[Candidate], constants: Constants) -> float:
    """Sum what each family says for one answer; a family that names it several times is heard once, at its best."""
    best: dict[str, float] = {}
    for candidate in candidates:
        name = family(candidate.source)
        best[name] = max(best.get(name, LEAST_PROBABILITY), candidate.probability)
    return sum(
        constants.trust[name].listed + constants.trust[name].weight * log(probability)
        for name, probability in best.items()
    )


def _from_lists(length: int, evidence: Mapping[str, float], constants: Constants) -> Domain:
    log_total = log(sum(map(exp, evidence.values())) + exp(constants.unlisted))
    shares = np.log(np.array(LETTER_SHARES) / sum(LETTER_SHARES))
    return Domain(
        letters=_letters(list(evidence), length),
        costs=log_total - np.array(list(evidence.values()), np.float64),
        open_cost=log_total - constants.unlisted,
        open_letters=np.tile(-shares, (length, 1)),
    )


def _from_model(question: Question, evidence: Mapping[str, float], model: WordModel, constants: Constants) -> Domain:
    words = model.words(question.length)
    distribution = model.distribution(question.clue, question.length)
    spelling = np.asarray(model.letter_model(question.length), np.float64)
    unlisted = constants.unlisted + constants.model_weight * log(max(distribution.unlisted, LEAST_PROBABILITY))
    scores = constants.model_weight * np.asarray(distribution.log_p, np.float64)
    extra: dict[str, float] = {}
    for answer, amount in evidence.items():
        index = words.find(answer)
        if index is None:
            letters = _letters([answer], question.length)[0]
            extra[answer] = amount + unlisted + float(spelling[np.arange(question.length), letters].sum())
        else:
            scores[index] += amount
    scores = np.concatenate([scores, np.array(list(extra.values()), np.float64)])
    top = float(scores.max()) if len(scores) else unlisted
    log_total = top + log(float(np.exp(scores - top).sum()) + exp(unlisted - top))
    letters = words.letters
    if extra:
        letters = np.concatenate([letters, _letters(list(extra), question.length)])
    return Domain(letters, log_total - scores, log_total - unlisted, -spelling)


def _letters(words: Sequence[str], length: int) -> NDArray[np.uint8]:
    return np.frombuffer("".join(words).encode("ascii"), np.uint8).reshape(len(words), length) - ord("A")
