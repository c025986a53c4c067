"""Ranking: the one place where the scores of different providers meet.

Each slot's candidates become one probability distribution with mass reserved for "none of these", in two steps (a
nested logit, McFadden 1978). First, listed or not: the weight of a listed word is the sum, over the families that list
it, of a bonus times its probability to the power of trust; "none of these" has a fixed weight. Then which word: among
the listed by those weights, among all others by the lexicon. (A power of the lexicon among the listed words was fitted
too: the best is 0.0, as a language model knows the dictionary.)

The constants were fitted by `tests/bench/fit_ranking.py` on GooBix puzzles 100-155, never on puzzles with reported
results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from agent.candidates.clues import definition, given_away
from agent.candidates.joint import halves
from agent.candidates.provider import Question
from agent.candidates.registry import PROVIDERS, Trust
from agent.candidates.words import Lexicon
from agent.grid import Candidate
from agent.puzzles.crossword.domain import Domain

LEAST_PROBABILITY = 1e-4
"""Lower bound of candidates' probabilities: a provider that lists a word does not mean "never"."""


MOST_SLOTS = 2
"""A source that expects one answer in more slots than this is not believed in any of them: no answer occurs twice, and
a model that gives the same word everywhere would have lists that cross perfectly."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The fitted numbers: trust by family, and the log-weight of "none of these" among lists."""

    trust: Mapping[str, Trust]
    unlisted: float


CHOICE = " choice"
"""Ending of the family of words that a provider picked from an offer."""

FITTED = Constants(
    trust={
        **{entry.name: entry.trust for entry in PROVIDERS if entry.trust},
        **{entry.name + CHOICE: entry.choice for entry in PROVIDERS if entry.choice},
        "other": Trust(listed=0.0, weight=1.0),  # by hand: the probabilities in a user's own list are taken as they are
    },
    unlisted=-2.5,
)

LEADING = {entry.name + CHOICE: entry.name for entry in PROVIDERS if entry.choice}
"""Families of answers to leading questions, and the family of the provider that gave them."""

LETTER_SHARES = (
    # share in per mille of each letter A-Z in the answers of the project's own minis, one added to each count
    110, 18, 24, 37, 149, 2, 11, 17, 55, 4, 14, 54, 37, 71, 77, 42, 1, 71, 73, 73, 22, 8, 11, 5, 12, 2,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranking:
    """One distribution per slot, and the lists behind it: slot -> answer -> the candidates that name it."""

    domains: Mapping[str, Domain]
    listed: Mapping[str, Mapping[str, tuple[Candidate, ...]]]

    @property
    def has_words(self) -> bool:
        """True if any slot has a word to choose."""
        return any(len(domain) for domain in self.domains.values())

    def sources(self, slot: str, answer: str) -> tuple[Candidate, ...]:
        """Return the candidates that propose an answer for a slot, none if there are none."""
        return self.listed.get(slot, {}).get(answer, ())


@lru_cache(maxsize=1024)
def family(source: str) -> str:
    """Return the family whose constants apply to a candidate's source.

    >>> family("llm:some-model"), family("llm choice:some-model"), family("my notes")
    ('llm', 'llm choice', 'other')
    """
    head = source.partition(":")[0].strip().lower()
    return head if head in FITTED.trust else "other"


def rank(
    questions: Sequence[Question],
    proposals: Mapping[str, Collection[Candidate]],
    lexicon: Lexicon | None = None,
    constants: Constants = FITTED,
) -> Ranking:
    """Return one distribution per slot, made of all proposals but impossible ones.

    Impossible are those that stand in their own clue, or that their source gives for many slots.

    With a lexicon, every word of the length is in the domain, without one only the listed words; the remaining mass is
    the cost of leaving the slot open to its crossings.

    >>> listed = [Candidate("IN", 0.9, "llm:m"), Candidate("AT", 0.1, "llm:m")]
    >>> ranking = rank([Question("1A", "Not out", 2)], {"1A": listed})
    >>> domain = ranking.domains["1A"]
    >>> [domain.word(i) for i in range(len(domain))]
    ['IN', 'AT']
    """
    domains, listed = {}, {}
    named = _named(questions, proposals)
    together = {} if lexicon is None else halves(questions, lexicon)
    for question in questions:
        by_answer: dict[str, list[Candidate]] = {}
        printed = given_away(question.clue)
        for candidate in proposals.get(question.key, ()):
            everywhere = named[candidate.source, candidate.answer] > MOST_SLOTS
            fits = len(candidate.answer) == question.length and candidate.answer not in printed
            if fits and not everywhere:
                by_answer.setdefault(candidate.answer, []).append(candidate)
        evidence = {answer: log(weight_of(candidates, constants)) for answer, candidates in by_answer.items()}
        if lexicon is None or question.length not in lexicon.lengths:
            domains[question.key] = _from_lists(question.length, evidence, constants)
        else:
            shares = together.get(question.key, {})
            domains[question.key] = _from_lexicon(question, evidence, shares, lexicon, constants)
        listed[question.key] = {answer: tuple(candidates) for answer, candidates in by_answer.items()}
    return Ranking(domains, listed)


def _named(
    questions: Iterable[Question], proposals: Mapping[str, Collection[Candidate]]
) -> Mapping[tuple[str, str], float]:
    """Return in how many slots each source expects each answer: (source, answer) -> the sum of its probabilities."""
    totals: Counter[tuple[str, str]] = Counter()
    for question in questions:
        best: dict[tuple[str, str], float] = {}
        for candidate in proposals.get(question.key, ()):
            key = candidate.source, candidate.answer
            best[key] = max(best.get(key, 0.0), candidate.probability)
        totals.update(best)
    return totals


def weight_of(candidates: Sequence[Candidate], constants: Constants) -> float:
    """Return the sum of the weights that families give one answer: naming it never lowers its weight.

    A family that names it several times counts once, with its best.
    """
    best: dict[str, float] = {}
    for candidate in candidates:
        name = family(candidate.source)
        best[name] = max(best.get(name, LEAST_PROBABILITY), candidate.probability)
    trust = constants.trust
    return sum(exp(trust[name].listed) * float(probability ** trust[name].weight) for name, probability in best.items())


def _from_lists(length: int, evidence: Mapping[str, float], constants: Constants) -> Domain:
    log_total = log(sum(map(exp, evidence.values())) + exp(constants.unlisted))
    return Domain(
        letters=_letters(list(evidence), length),
        costs=log_total - np.array(list(evidence.values()), np.float64),
        open_cost=log_total - constants.unlisted,
        open_letters=_usual_spelling(length),
    )


@lru_cache
def _usual_spelling(length: int) -> NDArray[np.float64]:
    """Return the cost of each letter at each position if nothing is known, shape (length, 26)."""
    return np.tile(-np.log(np.array(LETTER_SHARES) / sum(LETTER_SHARES)), (length, 1))


def _from_lexicon(
    question: Question,
    evidence: Mapping[str, float],
    together: Mapping[str, float],
    lexicon: Lexicon,
    constants: Constants,
) -> Domain:
    words = lexicon.words(question.length)
    distribution = lexicon.distribution(definition(question), question.length)
    by_letter, by_pair = (np.asarray(costs, np.float64) for costs in lexicon.spelling(question.length))
    shared = [(place, share) for answer, share in together.items() if (place := words.find(answer)) is not None]
    log_alone = log(1 - sum(share for _, share in shared))
    log_unlisted = log(max(distribution.unlisted, LEAST_PROBABILITY)) + log_alone
    log_p = np.asarray(distribution.log_p, np.float64) + log_alone
    for place, share in shared:
        log_p[place] = np.logaddexp(log_p[place], log(share))
    printed = [place for word in given_away(question.clue) if (place := words.find(word)) is not None]
    ruled_out = min(float(np.exp(log_p[printed]).sum()) - len(printed) * LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    if ruled_out > 0:
        log_p[printed] = log(LEAST_PROBABILITY)
        log_p, log_unlisted = log_p - log(1 - ruled_out), log_unlisted - log(1 - ruled_out)
    letters = words.letters
    if not evidence:
        return Domain(letters, -log_p, -log_unlisted, by_letter, by_pair)
    places = {answer: words.find(answer) for answer in evidence}
    strange = [answer for answer, place in places.items() if place is None]
    if strange:
        codes = _letters(strange, question.length)
        spelled = log_unlisted - by_letter[np.arange(question.length), codes].sum(axis=1)
        places |= dict(zip(strange, range(len(log_p), len(log_p) + len(strange)), strict=True))
        letters, log_p = np.concatenate([letters, codes]), np.concatenate([log_p, spelled])
    at = np.array([places[answer] for answer in evidence], np.intp)
    scores = np.array(list(evidence.values()), np.float64)
    log_total = log(float(np.exp(scores).sum()) + exp(constants.unlisted))
    rest = 1 - min(float(np.exp(log_p[at]).sum()), 1 - LEAST_PROBABILITY)
    outside = constants.unlisted - log_total - log(rest)
    costs = -log_p - outside
    costs[at] = log_total - scores
    return Domain(letters, costs, -log_unlisted - outside, by_letter, by_pair)


def _letters(words: Sequence[str], length: int) -> NDArray[np.uint8]:
    return np.frombuffer("".join(words).encode("ascii"), np.uint8).reshape(len(words), length) - ord("A")
