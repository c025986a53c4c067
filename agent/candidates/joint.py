"""Answers that are read together: "With 7-Across, board game" and "See 5-Across" share one phrase.

The lexicon is asked for the whole phrase by its one definition. Each half is then as probable as the phrases that it is
a half of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from agent.candidates.clues import definition
from agent.candidates.provider import Question
from agent.candidates.words import Lexicon

MOST_PHRASES = 200
"""Phrases that are taken apart, the most probable ones."""

BELIEVED = 0.8
"""Share of a half's probability that comes from the phrases, if the lexicon knows all phrases; the rest is as usual."""


def halves(questions: Sequence[Question], lexicon: Lexicon) -> dict[str, dict[str, float]]:
    """Return key -> answer -> probability for the questions whose answers are read together with another's.

    The sum over a question's answers is at most `BELIEVED`.
    """
    by_slot = {question.slot: question for question in questions if not question.several_lengths}
    found: dict[str, dict[str, float]] = {}
    for first in by_slot.values():
        with_it = [reference.slot for reference in first.references if reference.role == "with"]
        second = by_slot.get(with_it[0]) if len(with_it) == 1 else None
        if second is not None and first.length + second.length in lexicon.lengths:
            found |= _taken_apart(first, second, lexicon)
    return found


def _taken_apart(first: Question, second: Question, lexicon: Lexicon) -> Mapping[str, dict[str, float]]:
    length = first.length + second.length
    log_p = lexicon.distribution(definition(first), length).log_p
    best = np.argsort(-log_p, kind="stable")[:MOST_PHRASES]
    letters = lexicon.words(length).letters[best] + ord("A")
    shares: dict[str, dict[str, float]] = {first.key: defaultdict(float), second.key: defaultdict(float)}
    for phrase, probability in zip(letters, BELIEVED * np.exp(log_p[best].astype(float)), strict=True):
        text = bytes(phrase.tolist()).decode()
        shares[first.key][text[: first.length]] += probability
        shares[second.key][text[first.length :]] += probability
    return shares
