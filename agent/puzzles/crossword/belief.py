"""How sure each answer and each letter is: marginal probabilities by belief propagation.

A filling's probability is the product of its words' probabilities over all fillings that agree at the crossings.
Slots tell each other, cell by cell, how probable they find each letter, until nothing changes (sum-product on the
factor graph of slots and cells; Pearl 1988, loopy form Murphy, Weiss and Jordan 1999). Exact on a grid without
loops, close on others, and its cost does not depend on how many fillings there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.board import crossings_by_cell, crossings_by_slot
from agent.puzzles.crossword.domain import LETTERS, Costs, Domain

ROUNDS = 12
"""Most rounds of messages: information has crossed a mini after four, the rest lets loops settle."""

SETTLED = 0.003
"""Stop when no probability in any message moves by more than this."""

DAMPING = 0.3
"""Share of the old message that is kept: prevents oscillation of two slots that contradict each other."""

RANGE = 16.0
"""Words more than this many nats worse than their slot's best are left out: together below a millionth."""

MOST_WORDS = 250_000
"""Words in all slots together that are taken into account, the cheapest of each: all of a mini's, memory for larger."""

FLOOR = 1e-12
"""Least value of a message: nothing is quite impossible, so that contradictions stay finite."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Marginals: per slot the probability of each word of its domain and of "none of these", per cell of each letter.

    `words[slot]` has shape (words,) in the domain's order; `unlisted[slot]` is the rest to 1;
    `letters[cell]` has shape (26,), only for cells of a slot. `log_total` estimates the log of the summed
    probabilities exp(-cost) of all fillings: exp(-cost - log_total) is a filling's share of them.
    """

    words: Mapping[str, Costs]
    unlisted: Mapping[str, float]
    letters: Mapping[int, Costs]
    log_total: float

    def letter(self, cell: int, letter: str) -> float:
        """Give the probability of a letter in a cell."""
        return float(self.letters[cell][LETTERS.index(letter)])


class _Factors:
    """All slots' words in flat arrays: one row per word, one column per position, padded to the longest slot.

    Messages have shape (slots, longest, 26); a padded position always carries ones and is never told anything.
    """

    def __init__(self, grid: Grid, domains: Sequence[Domain]) -> None:
        self.longest = max((domain.length for domain in domains), default=0)
        most = MOST_WORDS // max(len(domains), 1)
        self.kept = [_nearest(domain, most) for domain in domains]
        sizes = [len(kept) for kept in self.kept]
        self.least = sum(domain.least() for domain in domains)
        self.cells = sum(domain.length for domain in domains)
        self.slot_of = np.repeat(np.arange(len(domains)), sizes)
        near = [d.least() - d.costs[kept] for d, kept in zip(domains, self.kept, strict=True)]
        self.weights = np.exp(np.concatenate([np.empty(0), *near]))
        shape = (len(domains), self.longest, 26)
        self.incoming = np.ones(shape)
        self.open_weights = np.exp([domain.least() - domain.open_cost for domain in domains])
        self.open_letters = np.full(shape, 1 / 26)
        self.index = np.empty((sum(sizes), self.longest), np.intp)
        """Where in a flat message array each word finds its letters."""
        row = 0
        for slot, (domain, kept) in enumerate(zip(domains, self.kept, strict=True)):
            opens = np.exp(-domain.open_letters)
            if domain.open_pairs is not None:  # neighbours are taken as independent here, each summing to 1
                opens /= opens.sum(axis=1, keepdims=True)
            self.open_letters[slot, : domain.length] = opens
            self.incoming[slot, : domain.length] = 1 / 26
            offsets = (slot * self.longest + np.arange(self.longest)) * 26
            self.index[row : row + len(kept)] = offsets
            self.index[row : row + len(kept), : domain.length] += domain.letters[kept]
            row += len(kept)
        self.fixed = np.zeros(shape[:2], bool)
        for slot, place in enumerate(grid.slots):
            for position, cell in enumerate(place.cells):
                if grid.cells[cell] != EMPTY:
                    self.fixed[slot, position] = True
                    self.incoming[slot, position] = FLOOR
                    self.incoming[slot, position, LETTERS.index(grid.cells[cell][0])] = 1.0

    def posterior(self) -> tuple[Costs, Costs]:
        """Give the probability of each word and, per slot, of none of them, with all messages taken in."""
        joint = self.weights * self.incoming.ravel()[self.index].prod(axis=1)
        unlisted = self.open_weights * (self.open_letters * self.incoming).sum(axis=2).prod(axis=1)
        total = np.bincount(self.slot_of, joint, len(unlisted)) + unlisted
        unlisted[total == 0] = total[total == 0] = 1.0  # nothing fits at all: it must be something else
        return joint / total[self.slot_of], unlisted / total

    def log_total(self, pairs: Sequence[tuple[int, int, int, int]]) -> float:
        """Estimate the log of the sum of exp(-cost) over all fillings (Bethe's free energy; Yedidia et al. 2005).

        Each crossing is counted by both of its slots, so that one agreement is taken back for each.
        """
        joint = self.weights * self.incoming.ravel()[self.index].prod(axis=1)
        totals = np.bincount(self.slot_of, joint, len(self.open_weights))
        totals += self.open_weights * (self.open_letters * self.incoming).sum(axis=2).prod(axis=1)
        agreed = [
            np.log(max(float((self.incoming[a, i] * self.incoming[b, j]).sum()), FLOOR)) for a, i, b, j in pairs if a < b
        ]
        unchecked = self.cells - len(pairs) - int(self.fixed.sum())  # told 1/26 of every letter
        return float(np.log(np.maximum(totals, FLOOR)).sum() - sum(agreed) - self.least + np.log(26) * unchecked)

    def outgoing(self) -> Costs:
        """Give what each slot thinks of each letter at each position, leaving out what it was told there."""
        joint, unlisted = self.posterior()
        opens = self.open_letters * self.incoming
        opens *= unlisted[:, None, None] / opens.sum(axis=2, keepdims=True)
        listed = np.bincount(self.index.ravel(), np.repeat(joint, self.longest), self.incoming.size)
        message = (listed.reshape(self.incoming.shape) + opens) / np.maximum(self.incoming, FLOOR)
        message = np.maximum(message / message.sum(axis=2, keepdims=True), FLOOR)
        return np.asarray(message / message.sum(axis=2, keepdims=True))


def _nearest(domain: Domain, most: int) -> NDArray[np.intp]:
    """Give the words within range, the `most` cheapest of them."""
    kept = np.flatnonzero(domain.costs <= domain.least() + RANGE)
    return kept if len(kept) <= most else kept[np.argpartition(domain.costs[kept], most)[:most]]


def believe(grid: Grid, domains: Mapping[str, Domain]) -> Belief:
    """Compute marginals for every slot and cell; letters that stand in the grid are taken as certain.

    >>> grid = Grid.parse("..\\n..")
    >>> lists = {"1A": {"AB": 0.5, "CB": 0.4}, "3A": {"DA": 0.9}, "1D": {"CD": 0.9}, "2D": {"BA": 0.9}}
    >>> belief = believe(grid, {slot: Domain.of(words, open_cost=3.0) for slot, words in lists.items()})
    >>> bool(belief.words["1A"][1] > 0.9)  # the crossings prefer CB
    True
    """
    slots = grid.slots
    factors = _Factors(grid, [domains[slot.name] for slot in slots])
    pairs = [
        (slot, position, *crossing)
        for slot, crossed in enumerate(crossings_by_slot(grid))
        for position, crossing in enumerate(crossed)
        if crossing is not None and not factors.fixed[slot, position]
    ]
    to, at, source, there = np.array(pairs, np.intp).reshape(-1, 4).T
    for _ in range(ROUNDS):
        step = (1 - DAMPING) * (factors.outgoing()[source, there] - factors.incoming[to, at])
        factors.incoming[to, at] += step
        if np.abs(step).max(initial=0.0) < SETTLED:
            break
    joint, unlisted = factors.posterior()
    words = {}
    for index, slot in enumerate(slots):
        words[slot.name] = np.zeros(len(domains[slot.name]))
        words[slot.name][factors.kept[index]] = joint[factors.slot_of == index]
    messages = factors.outgoing()
    letters = {}
    for cell, through in enumerate(crossings_by_cell(grid)):
        if not through:
            continue
        product = np.prod([messages[slot, position] for slot, position in through], axis=0)
        if grid.cells[cell] != EMPTY:
            product = np.eye(26)[LETTERS.index(grid.cells[cell][0])]
        letters[cell] = product / product.sum()
    unlisted_by_slot = {slot.name: float(unlisted[i]) for i, slot in enumerate(slots)}
    return Belief(words, unlisted_by_slot, letters, factors.log_total(pairs))
