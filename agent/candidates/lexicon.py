"""The embedded lexicon, as a provider and as the ranking's distribution over all words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agent.candidates.clues import definition
from agent.candidates.provider import Question
from agent.candidates.words import Distribution, Words
from agent.grid import Candidate
from lexicon import load

if TYPE_CHECKING:
    from lexicon.lexicon import Lexicon

LISTED = 20
"""Candidates per question that the provider lists; the ranking gets a probability for every word."""


class LexiconProvider:
    """The embedded lexicon: answers any clue with no network and no language model.

    >>> provider = LexiconProvider()
    >>> len(provider.propose([Question("1A", "An Indian antelope", 5)])["1A"])
    20
    """

    name = "lexicon"

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        """Use the given lexicon, or the one with everything the user added."""
        self._given = lexicon

    @cached_property
    def _lexicon(self) -> Lexicon:
        """The lexicon, opened when it is first asked."""
        return self._given or load()

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """List the best words for each question, with the reason for each."""
        proposals = {}
        for question in questions:
            if question.length not in self.lengths:
                continue
            pattern = question.pattern if question.has_letters else None
            found = self._lexicon.answers(definition(question), question.length, pattern=pattern, count=LISTED)
            proposals[question.key] = [
                Candidate(answer.word, answer.probability, self.name, answer.why) for answer in found
            ]
        return proposals

    @property
    def edition(self) -> str:
        """Short hash of all that the lexicon's answers depend on."""
        return self._lexicon.edition

    @property
    def lengths(self) -> range:
        """Lengths of which it has words."""
        return self._lexicon.lengths

    def words(self, length: int) -> Words:
        """Return the words of a length."""
        return self._lexicon.words(length)

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the probability of every word of a length for a clue."""
        return self._lexicon.distribution(clue, length)

    def spelling(self, length: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the costs of spelling a word that is in no list: by letter, and by pair of neighbours."""
        return self._lexicon.spelling(length)

    def why(self, clue: str, word: str) -> str:
        """Return the reasons for an answer in a few words."""
        return self._lexicon.why(clue, word)
