"""How sure each answer, each letter and the whole grid is: the posterior over fillings.

A filling's probability is the product of its words' probabilities, over all fillings that agree at the crossings.
:mod:`agent.puzzles.crossword.sample` collects the likeliest of them with exact weights; for the share that it has
missed, the marginals of belief propagation (:mod:`agent.puzzles.crossword.messages`) stand in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp

import numpy as np

from agent.core import Budget
from agent.core.search import UNLIMITED
from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.clear import clear_case
from agent.puzzles.crossword.domain import LETTERS, Costs, Domain, cheapest
from agent.puzzles.crossword.filling import Fill, Filling
from agent.puzzles.crossword.messages import Messages
from agent.puzzles.crossword.sample import Sample, draw

TRACE = 1e-9
"""Share of each slot's own distribution in a clear case: too small to show, it orders words in no filling."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Marginals: per slot the probability of each word of its domain and of "none of these", per cell of each letter.

    `words[slot]` has shape (words,) in the domain's order; `unlisted[slot]` is the rest to 1;
    `letters[cell]` has shape (26,), only for cells of a slot. `sample` holds the likeliest fillings, `messages` the
    part that stands for all others. In a clear case there are no messages, and `found` holds the search's fillings.
    """

    grid: Grid
    domains: Sequence[Domain] = field(repr=False)
    words: Mapping[str, Costs]
    unlisted: Mapping[str, float]
    letters: Mapping[int, Costs]
    sample: Sample = field(repr=False)
    messages: Messages | None = field(default=None, repr=False)
    found: Fill | None = field(default=None, repr=False)

    def letter(self, cell: int, letter: str) -> float:
        """Return the probability of a letter in a cell."""
        return float(self.letters[cell][LETTERS.index(letter)])

    def likeliest(self, slot: str, count: int) -> list[int]:
        """Return the indexes of a slot's most probable words in its domain, at most `count`, best first."""
        shares = self.words[slot]
        best = cheapest(-shares, count)
        return [int(index) for index in best[np.argsort(-shares[best], kind="stable")]]

    def share(self, cost: float) -> float:
        """Return the share of a filling of this cost (nats) among all fillings: the probability that it is right."""
        return min(1.0, float(np.exp(-cost - self.sample.log_total)))

    def scaled(self, share: float) -> Belief:
        """Return the marginals times a probability: that of what all fillings rest on."""
        if share == 1:
            return self
        return replace(
            self,
            words={slot: share * words for slot, words in self.words.items()},
            unlisted={slot: share * unlisted for slot, unlisted in self.unlisted.items()},
            letters={cell: share * letters for cell, letters in self.letters.items()},
        )

    def including(self, fillings: Sequence[Filling]) -> Belief:
        """Return the belief with these fillings added; a search may have found some that the sample missed.

        In a clear case none that matters was missed.
        """
        if not fillings or self.messages is None:
            return self
        letters = np.array([_codes(filling.grid) for filling in fillings], np.int8)
        words = np.array([_places(filling.grid, self.domains) for filling in fillings], np.intp)
        sample = self.sample.including(letters, words, np.array([-filling.cost for filling in fillings]))
        return self if sample is self.sample else _marginals(self.messages, sample)

    def fillings(self, count: int) -> tuple[Filling, ...]:
        """Return the most probable fillings, at most `count`, best first."""
        rows = zip(self.sample.letters[:count], self.sample.log_weights[:count], strict=True)
        return tuple(Filling(_written(self.grid, row), -float(weight)) for row, weight in rows)

    def best(self) -> Filling | None:
        """Return the filling to show: of all that were weighed, the one with most letters likely right."""
        sample = self.sample
        if not len(sample):
            return None
        right = np.zeros(len(sample))
        for cell, letters in self.letters.items():
            right += letters[sample.letters[:, cell]]
        chosen = int(right.argmax())
        return Filling(_written(self.grid, sample.letters[chosen]), -float(sample.log_weights[chosen]))

    def cell_by_cell(self) -> Grid:
        """Return the grid of each cell's likeliest letter, whether they make words or not."""
        open_cells = [cell for cell in self.letters if self.grid.cells[cell] == EMPTY]
        return self.grid.fill({cell: LETTERS[int(self.letters[cell].argmax())] for cell in open_cells})


def believe(
    grid: Grid, domains: Mapping[str, Domain], budget: Budget = UNLIMITED, *, before: Belief | None = None
) -> Belief:
    """Weigh the fillings of a grid; letters that stand in it are taken as certain.

    If the budget runs out, the belief so far is returned. What was believed `before`, under other costs of the same
    slots, saves rounds of messages.

    >>> grid = Grid.parse("..\\n..")
    >>> lists = {"1A": {"AB": 0.5, "CB": 0.4}, "3A": {"DA": 0.9}, "1D": {"CD": 0.9}, "2D": {"BA": 0.9}}
    >>> belief = believe(grid, {slot: Domain.of(words, open_cost=3.0) for slot, words in lists.items()})
    >>> bool(belief.words["1A"][1] > 0.9)  # the crossings prefer CB
    True
    """
    in_order = [domains[slot.name] for slot in grid.slots]
    clear = clear_case(grid, in_order, budget)
    if clear is not None:
        found, sample = clear
        return _agreed(grid, in_order, found, sample)
    messages = Messages(grid, in_order)
    if before and before.messages:
        messages.told = [told.copy() for told in before.messages.told]
    messages.settle(budget.is_over)
    return _marginals(messages, draw(messages, budget.is_over))


def _agreed(grid: Grid, domains: Sequence[Domain], found: Fill, sample: Sample) -> Belief:
    """Sum up the few fillings of a clear case; missed ones are taken to be like them, but for a trace."""
    shares = sample.shares()
    shares *= (1 - TRACE) / shares.sum()
    rows = list(zip(shares.tolist(), sample.words.tolist(), sample.letters.tolist(), strict=True))
    words, unlisted = {}, {}
    for index, (slot, domain) in enumerate(zip(grid.slots, domains, strict=True)):
        own = np.exp(-domain.costs)
        own_unlisted = exp(-domain.open_cost)
        scale = TRACE / (float(own.sum()) + own_unlisted)
        own *= scale
        rest = own_unlisted * scale
        for share, places, _ in rows:
            if places[index] >= 0:
                own[places[index]] += share
            else:
                rest += share
        words[slot.name], unlisted[slot.name] = own, rest
    by_cell = np.full((len(grid.cells), 26), TRACE / 26)
    cells = [cell for cell, through in enumerate(grid.through) if through]
    for share, _, codes in rows:
        for cell in cells:
            by_cell[cell, codes[cell]] += share
    letters = {cell: by_cell[cell] if grid.cells[cell] == EMPTY else _certain(grid.cells[cell]) for cell in cells}
    return Belief(grid, domains, words, unlisted, letters, sample, None, found)


def _certain(letter: str) -> Costs:
    return np.asarray(np.eye(26)[LETTERS.index(letter[0])])


def _marginals(messages: Messages, sample: Sample) -> Belief:
    """Sum up the fillings of a sample, slot by slot and cell by cell; messages stand for the rest."""
    grid, domains = messages.grid, messages.domains
    shares = sample.shares()
    missed = max(0.0, 1 - float(shares.sum()))
    words, unlisted = {}, {}
    for index, slot in enumerate(grid.slots):
        seen = np.bincount(sample.words[:, index] + 1, shares, len(domains[index]) + 1)
        guessed, guessed_unlisted = messages.words(index)
        words[slot.name] = seen[1:] + missed * guessed
        unlisted[slot.name] = float(seen[0] + missed * guessed_unlisted)
    said = [messages.says(index) for index in range(len(grid.slots))]
    letters = {}
    for cell, through in enumerate(grid.through):
        if not through:
            continue
        if grid.cells[cell] != EMPTY:
            letters[cell] = _certain(grid.cells[cell])
            continue
        guessed = np.prod([said[slot][position] for slot, position in through], axis=0)
        total = missed * guessed / guessed.sum()
        if len(sample):
            total = total + np.bincount(sample.letters[:, cell], shares, 26)
        letters[cell] = total / total.sum()
    return Belief(grid, domains, words, unlisted, letters, sample, messages)


def _codes(grid: Grid) -> list[int]:
    """Return a filled grid as letters, 0 for A; -1 for cells outside all slots."""
    inside = {cell for slot in grid.slots for cell in slot.cells}
    return [LETTERS.index(sign[0]) if cell in inside else -1 for cell, sign in enumerate(grid.cells)]


def _places(grid: Grid, domains: Sequence[Domain]) -> list[int]:
    """Return the index of each answer in its slot's domain, -1 if it is in no list."""
    found = (domain.find(grid.answer(slot)) for slot, domain in zip(grid.slots, domains, strict=True))
    return [-1 if place is None else place for place in found]


def _written(grid: Grid, row: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> Grid:
    """Write a sample's letters into the grid's empty cells."""
    pairs = zip(grid.cells, row.tolist(), strict=True)
    return replace(grid, cells=tuple(LETTERS[code] if sign == EMPTY and code >= 0 else sign for sign, code in pairs))
