"""Trust in a source of candidates, learned from the puzzle itself: lists that keep failing to cross are trusted less.

A model states how sure it is, and the constants weigh such a statement as that of a good model. A weak one states
the same of wrong words. The crossings show it: by the posterior, its lists hold the answer in a number of slots. If
that is fewer than the lists were credited with, the credit is lowered until the two agree (expectation maximisation,
Dempster, Laird and Rubin 1977, with one step for each look at the grid). Nothing has to be known about the model.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp

from agent.candidates.ranking import LEADING, Constants, Ranking, family, weight_of
from agent.candidates.registry import Trust
from agent.puzzles.crossword.belief import Belief

PRIOR_SLOTS = 3.0
"""Weight, in slots, of the prior that a source is as good as the constants; two and five did the same in tuning."""

LEAST_CHANGE = 0.25
"""Nats below which another look at the grid is not worth its time."""

MOST_DISTRUST = 8.0
"""Maximum number of nats by which a source's credit is lowered: its words then weigh less than those in no list."""

HALVINGS = 30
"""Steps of the bisection: far finer than LEAST_CHANGE."""


def learned(ranking: Ranking, belief: Belief, constants: Constants, fitted: Constants) -> Constants | None:
    """Return constants that credit each source as the crossings support it; None if that changes too little.

    `constants` are those of the ranking; no source is credited with more than `fitted` gives it. Answers to leading
    questions prove nothing about their source: they are trusted as its independent ones are.
    """
    sources = {candidate.source for words in ranking.listed.values() for named in words.values() for candidate in named}
    distrust = {name: _distrust(*_record(name, ranking, belief, fitted)) for name in set(map(family, sources))}
    trust = {
        name: Trust(one.listed - distrust.get(LEADING.get(name, name), 0.0), one.weight)
        for name, one in fitted.trust.items()
    }
    moved = max(abs(trust[name].listed - constants.trust[name].listed) for name in trust)
    return replace(constants, trust=trust) if moved >= LEAST_CHANGE else None


def _record(name: str, ranking: Ranking, belief: Belief, fitted: Constants) -> tuple[list[float], float]:
    """Return the weight of each list of a family against "none of these", and how many of them hold the answer."""
    stated, borne_out = [], 0.0
    for slot, words in ranking.listed.items():
        own = {
            answer: mine for answer, named in words.items() if (mine := [c for c in named if family(c.source) == name])
        }
        if own:
            stated.append(sum(weight_of(candidates, fitted) for candidates in own.values()) / exp(fitted.unlisted))
            places = [place for answer in own if (place := ranking.domains[slot].find(answer)) is not None]
            borne_out += float(belief.words[slot][places].sum())
    return stated, borne_out


def _distrust(stated: list[float], borne_out: float) -> float:
    """Return by how many nats lists must weigh less, so that they are credited with as many answers as they have.

    `stated` is for each slot the weight of the listed words over that of "none of these".

    >>> _distrust([9.0, 9.0, 9.0], 2.7), round(_distrust([9.0, 9.0, 9.0], 0.9), 1)
    (0.0, 1.8)
    """

    def credited(distrust: float) -> float:
        return sum(weight * exp(-distrust) / (weight * exp(-distrust) + 1) for weight in stated)

    expected = credited(0.0)
    aim = (borne_out + PRIOR_SLOTS * expected / len(stated)) * len(stated) / (len(stated) + PRIOR_SLOTS)
    low, high = 0.0, MOST_DISTRUST
    if expected <= aim:
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if credited(middle) > aim else (low, middle)
    return low
