"""How sure each answer and each letter is: marginal probabilities by belief propagation.

A filling's probability is the product of its words' probabilities over all fillings that agree at the crossings.
Slots tell each other, cell by cell, how probable they find each letter, until nothing changes (sum-product on the
factor graph of slots and cells; Pearl 1988, loopy form Murphy, Weiss and Jordan 1999). Exact on a grid without
loops, close on others, and its cost does not depend on how many fillings there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.board import crossings_by_cell, crossings_by_slot
from agent.puzzles.crossword.domain import LETTERS, Costs, Domain

ROUNDS = 12
"""Rounds of messages: information has crossed a mini after four, the rest lets loops settle."""

DAMPING = 0.3
"""Share of the old message that is kept: prevents oscillation of two slots that contradict each other."""

RANGE = 16.0
"""Words more than this many nats worse than their slot's best are left out: together below a millionth."""

FLOOR = 1e-12
"""Least value of a message: nothing is quite impossible, so that contradictions stay finite."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Marginals: per slot the probability of each word of its domain and of "none of these", per cell of each letter.

    `words[slot]` has shape (words,) in the domain's order; `unlisted[slot]` is the rest to 1;
    `letters[cell]` has shape (26,), only for cells of a slot.
    """

    words: Mapping[str, Costs]
    unlisted: Mapping[str, float]
    letters: Mapping[int, Costs]

    def letter(self, cell: int, letter: str) -> float:
        """Give the probability of a letter in a cell."""
        return float(self.letters[cell][LETTERS.index(letter)])


class _Node:
    """One slot's words, and the messages that its crossings send it."""

    def __init__(self, domain: Domain, given: str) -> None:
        self.size = len(domain)
        near = domain.costs <= domain.least() + RANGE
        self.kept = np.flatnonzero(near)
        self.codes = domain.letters[near].T.astype(np.intp)
        self.weights = np.exp(-domain.costs[near])
        self.open_weight = np.exp(-domain.open_cost)
        self.open_letters = np.exp(-domain.open_letters)
        self.incoming = np.full((domain.length, 26), 1 / 26)
        self.given = [LETTERS.find(letter) for letter in given]
        for position, letter in enumerate(self.given):
            if letter >= 0:
                self.incoming[position] = FLOOR
                self.incoming[position, letter] = 1.0

    def posterior(self) -> tuple[Costs, float]:
        """Give the probabilities of the kept words, and of none of them, with all messages taken in."""
        joint = self.weights.copy()
        for position, codes in enumerate(self.codes):
            joint *= self.incoming[position][codes]
        unlisted = self.open_weight * float((self.open_letters * self.incoming).sum(axis=1).prod())
        total = float(joint.sum()) + unlisted
        return joint / total, unlisted / total

    def outgoing(self) -> Costs:
        """Give what the slot thinks of each letter at each position, leaving out what it was told there."""
        joint, unlisted = self.posterior()
        opens = self.open_letters * self.incoming
        opens *= unlisted / opens.sum(axis=1, keepdims=True)
        message = np.stack([np.bincount(codes, joint, 26) for codes in self.codes]) + opens
        message /= np.maximum(self.incoming, FLOOR)
        message = np.maximum(message / message.sum(axis=1, keepdims=True), FLOOR)
        return np.asarray(message / message.sum(axis=1, keepdims=True))


def believe(grid: Grid, domains: Mapping[str, Domain]) -> Belief:
    """Compute marginals for every slot and cell; letters that stand in the grid are taken as certain.

    >>> grid = Grid.parse("..\\n..")
    >>> lists = {"1A": {"AB": 0.5, "CB": 0.4}, "3A": {"DA": 0.9}, "1D": {"CD": 0.9}, "2D": {"BA": 0.9}}
    >>> belief = believe(grid, {slot: Domain.of(words, open_cost=3.0) for slot, words in lists.items()})
    >>> bool(belief.words["1A"][1] > 0.9)  # the crossings prefer CB
    True
    """
    slots = grid.slots
    crossings = crossings_by_slot(grid)
    nodes = [_Node(domains[slot.name], grid.answer(slot)) for slot in slots]
    for _ in range(ROUNDS):
        messages = [node.outgoing() for node in nodes]
        for slot, node in enumerate(nodes):
            for position, crossing in enumerate(crossings[slot]):
                if crossing is not None and node.given[position] < 0:
                    told = messages[crossing[0]][crossing[1]]
                    node.incoming[position] = DAMPING * node.incoming[position] + (1 - DAMPING) * told
    words, unlisted = {}, {}
    for slot_, node in zip(slots, nodes, strict=True):
        joint, unlisted[slot_.name] = node.posterior()
        words[slot_.name] = np.zeros(node.size)
        words[slot_.name][node.kept] = joint
    messages = [node.outgoing() for node in nodes]
    letters = {}
    for cell, through in enumerate(crossings_by_cell(grid)):
        if not through:
            continue
        product = np.prod([messages[slot][position] for slot, position in through], axis=0)
        if grid.cells[cell] != EMPTY:
            product = np.eye(26)[LETTERS.index(grid.cells[cell][0])]
        letters[cell] = product / product.sum()
    return Belief(words, unlisted, letters)
