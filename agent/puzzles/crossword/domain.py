"""Domain: the words of one slot and their costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from agent.grid import Grid

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FORBIDDEN = 100_000.0
"""Cost (nats) of the impossible: larger than any sum of real costs, finite so that costs can be subtracted."""

FEW = 300
"""Up to this many words, all places are indexed at the first look-up; in longer lists only the words looked up."""

SAMPLE_STEP = 16
"""Every so many words are the sample by which the cheapest are found."""

Letters = NDArray[np.uint8]
Costs = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """The words of one slot with their costs, and the cost of leaving it open.

    `letters` has shape (words, length), 0 for A to 25 for Z, no word twice; `costs` shape (words,), in nats:
    -log p(word | clue). A slot that stays open is spelled by its crossings alone; that costs `open_cost` plus, for
    each cell, `open_letters[position, letter]`, shape (length, 26), and for each two neighbours
    `open_pairs[position of the first, first letter, second letter]`, shape (length - 1, 26, 26), nowhere below 0:
    together -log p(spelling | a word in no list). Bounds that look at one letter at a time leave the pairs out.

    >>> domain = Domain.of({"ANT": 0.9, "EMU": 0.1})
    >>> len(domain), domain.word(0), round(float(domain.costs[0]), 3)
    (2, 'ANT', 0.105)
    """

    letters: Letters
    costs: Costs
    open_cost: float
    open_letters: Costs
    open_pairs: Costs | None = None
    _places: dict[str, int | None] = field(default_factory=dict, init=False, repr=False)
    """Cache of look-ups: it follows from `letters`, so that a domain stays a value."""

    @classmethod
    def of(cls, words: dict[str, float] | Sequence[str], open_cost: float = FORBIDDEN, length: int = 0) -> Domain:
        """Return a domain of words of equal length, with their probabilities or, as a list, all equally likely.

        The length must be given if there is no word.
        """
        if not isinstance(words, dict):
            words = dict.fromkeys(words, 1 / max(len(words), 1))
        length = length or len(next(iter(words)))
        letters = np.frombuffer("".join(words).encode("ascii"), np.uint8).reshape(len(words), length) - ord("A")
        costs = np.array([-log(p) for p in words.values()], np.float64)
        return cls(letters, costs, open_cost, np.full((length, 26), log(26)))

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def length(self) -> int:
        """Cells of the slot."""
        return int(self.letters.shape[1])

    def word(self, index: int) -> str:
        """Spell a word."""
        return _spelled(self.letters[index])

    def select(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Domain:
        """Return the domain with some of its words, by mask or by index."""
        rows = np.flatnonzero(keep) if keep.dtype == bool else keep
        return replace(self, letters=self.letters.take(rows, axis=0), costs=self.costs.take(rows))

    def least(self) -> float:
        """Return the cost of the slot's cheapest filling."""
        spelled = self.open_cost + float(self.open_letters.min(axis=1).sum())
        return min(spelled, float(self.costs.min())) if len(self) else spelled

    def letter_minima(self, position: int) -> Costs:
        """Return the cost of the slot's cheapest filling for each letter at a position, shape (26,)."""
        cheapest = self.open_letters.min(axis=1)
        minima: Costs = self.open_cost + (cheapest.sum() - cheapest[position]) + self.open_letters[position]
        np.minimum.at(minima, self.letters[:, position], self.costs)
        return minima

    def nearest(self, count: int) -> Domain:
        """Return the domain with its cheapest words alone, at most `count`."""
        return self if len(self) <= count else self.select(cheapest(self.costs, count))

    def find(self, word: str) -> int | None:
        """Return the index of a word, None if it is not listed; a word is looked for once."""
        if len(self) <= FEW:
            if not self._places:
                text, length = _spelled(self.letters), self.length
                starts = range(0, len(text), length)
                self._places.update({text[start : start + length]: index for index, start in enumerate(starts)})
            return self._places.get(word)
        if word not in self._places:
            self._places[word] = self._find(word)
        return self._places[word]

    def _find(self, word: str) -> int | None:
        code = np.frombuffer(word.encode("ascii"), np.uint8) - ord("A")
        if len(code) != self.length:
            return None
        found = np.flatnonzero(self.letters[:, 0] == code[0])
        for place in range(1, self.length):
            found = found[self.letters[found, place] == code[place]]
        return int(found[0]) if len(found) else None

    def __contains__(self, word: str) -> bool:
        return self.find(word) is not None


def own_answers(grid: Grid, domains: Mapping[str, Domain]) -> dict[str, set[str]]:
    """Return for each slot the answer that stands in a grid, as a set that is empty if its domain does not list it.

    >>> domains = {"1A": Domain.of(["AT", "NO"])}
    >>> own_answers(Grid.parse("AT"), domains), own_answers(Grid.parse("A."), domains)
    ({'1A': {'AT'}}, {'1A': set()})
    """
    answers = {slot.name: grid.answer(slot) for slot in grid.slots}
    return {name: {answer} if answer in domains[name] else set() for name, answer in answers.items()}


def cheapest(costs: Costs, count: int) -> NDArray[np.intp]:
    """Return the places of the `count` least of some costs, of all if there are no more, in no order.

    A sample tells what they hardly exceed, so that few costs are compared with each other: a tenth of the time.

    >>> sorted(cheapest(np.arange(1000.0), 3).tolist())
    [0, 1, 2]
    """
    if len(costs) <= count:
        return np.arange(len(costs))
    sample = costs[::SAMPLE_STEP]
    expected = min(2 * count // SAMPLE_STEP + SAMPLE_STEP, len(sample) - 1)
    near = np.flatnonzero(costs <= np.partition(sample, expected)[expected])
    if len(near) < count:
        near = np.arange(len(costs))
    return near[np.argpartition(costs.take(near), count - 1)[:count]]


def _spelled(letters: Letters) -> str:
    return (letters + ord("A")).tobytes().decode("ascii")
