"""The likeliest fillings with their weights: they stand for the posterior over all.

Cell by cell in reading order, thousands of partial fillings at a time, as :mod:`agent.puzzles.crossword.layers` does.
There a partial filling is valued by the cheapest filling that may complete it; here by the *sum* of the probabilities
of all that complete it, as estimated by the messages of belief propagation (a particle filter that keeps the best
instead of drawing, with a look-ahead; Fearnhead and Clifford 2003, Guarniero, Johansen and Lee 2017). The look-ahead
only decides which to keep. At the end every filling has its exact weight, so errors of the messages lose fillings, but
falsify none. The weight of all that was dropped is summed up, so the result states how much it may have missed.

Why the weights end up exact: a slot's mass counts an open letter as the messages value it, and a letter written as 1.
After the last letter the product of the slots' masses is the filling's weight. Before that, both slots through an open
cell have a message about it from the other, so its agreement is in the product twice; `twice` is the correction for
masses that are dropped, and shrinks to nothing as cells are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.core.outcome import never
from agent.grid import EMPTY
from agent.puzzles.crossword.domain import FORBIDDEN, LETTERS, Costs
from agent.puzzles.crossword.layers import Nodes, Prefixes, prefixes_of, without_repeats
from agent.puzzles.crossword.messages import Messages
from agent.slots import Slot

WIDTH = 2000
"""Partial fillings per layer in a grid of up to CELLS cells; three times as many changed no letter on our minis."""

CELLS = 36
"""Cells up to which layers have their full width; in larger grids they are narrower, so that time grows no faster."""

HOPELESS = 14.0
"""Partial fillings this many nats below a layer's best are dropped. At least this much counts as missed: no filling is
ever certain."""

NOTHING = -np.inf


@dataclass(frozen=True, slots=True)
class Sample:
    """Complete fillings, the weightiest first.

    `letters` has shape (fillings, cells), 0 for A, -1 for a block; `words` (fillings, slots) the index of each answer
    in its slot's domain, -1 if it is in no list; `log_weights` are -cost, `missed` estimates the log of the summed
    weight of all fillings that are not here. Without any filling, `missed` is the whole.
    """

    letters: NDArray[np.int8]
    words: NDArray[np.intp]
    log_weights: Costs
    missed: float

    def __len__(self) -> int:
        return len(self.log_weights)

    @property
    def log_total(self) -> float:
        """Log of the summed weights of all fillings, those that were missed included."""
        return float(np.logaddexp.reduce(np.append(self.log_weights, self.missed)))

    def including(self, letters: NDArray[np.int8], words: NDArray[np.intp], log_weights: Costs) -> Sample:
        """Return the sample with those of further fillings that it lacks."""
        known = {row.tobytes() for row in self.letters}
        new = [index for index, row in enumerate(letters) if row.tobytes() not in known]
        if not new:
            return self
        weights = np.concatenate([self.log_weights, log_weights[new]])
        order = np.argsort(-weights, kind="stable")
        return Sample(
            np.concatenate([self.letters, letters[new]])[order],
            np.concatenate([self.words, words[new]])[order],
            weights[order],
            self.missed,
        )

    def shares(self) -> Costs:
        """Return each filling's share of the whole; the rest to 1 is the share of those that were missed."""
        return np.asarray(np.exp(self.log_weights - self.log_total), np.float64)


class _Masses:
    """One slot's prefixes: for each node by depth, the weight of all words below it under the messages to come."""

    def __init__(self, messages: Messages, slot: int, prefixes: Prefixes) -> None:
        told, domain = messages.told[slot], messages.domains[slot]
        below = messages.weights[slot].take(prefixes.order)
        self.below: list[Costs] = [np.empty(0)] * domain.length
        for depth in reversed(range(domain.length)):
            self.below[depth] = prefixes.below(np.add, below, depth, 0.0)
            below *= told[depth].take(prefixes.columns[depth])
        self.words = float(below.sum())
        ahead = (messages.open_letters[slot] * told).sum(axis=1)
        self.open_ahead = [float(ahead[depth:].prod()) for depth in range(domain.length + 1)]
        self.letters: Costs = np.exp(-domain.open_letters)
        self.pairs = None if domain.open_pairs is None else np.exp(-domain.open_pairs)
        self.whole = self.words + messages.open_weights[slot] * self.open_ahead[0]

    def spelled(self, depth: int, before: NDArray[np.int8] | None) -> Costs:
        """Return the probability of each letter at a depth in a word in no list, shape (1 or partials, 26)."""
        if self.pairs is None or before is None:
            return self.letters[depth : depth + 1]
        return np.asarray(self.letters[depth] * self.pairs[depth - 1][before])


def draw(messages: Messages, over: Callable[[], bool] = never) -> Sample:
    """Collect the likeliest fillings under settled messages; an empty sample if `over` returns True.

    >>> from agent.grid import Grid
    >>> from agent.puzzles.crossword.domain import Domain
    >>> lists = [{"AB": 0.5, "CB": 0.4}, {"DA": 0.9}, {"CD": 0.6, "AD": 0.3}, {"BA": 0.9}]
    >>> messages = Messages(Grid.parse("..\\n.."), [Domain.of(words, open_cost=9.0) for words in lists])
    >>> messages.settle()
    >>> [round(float(share), 2) for share in draw(messages).shares()[:2]]
    [0.62, 0.38]
    """
    grid, domains = messages.grid, messages.domains
    if sum(messages.least) >= FORBIDDEN / 2:
        return _nothing(messages)
    slots = messages.slots
    tries = prefixes_of(domains)
    masses = [_Masses(messages, slot, trie) for slot, trie in enumerate(tries)]
    width = max(1, WIDTH * CELLS // max(CELLS, len(grid.cells)))
    partials = _Partials(
        node=np.zeros((1, len(domains)), np.int32),
        opens=np.array([messages.open_weights]),
        mass=np.array([[one.whole for one in masses]]),
        letters=np.full((1, len(grid.cells)), -1, np.int8),
    )
    twice = _told_twice(messages)
    dropped = [NOTHING]
    for cell, through in enumerate(grid.through):
        if not through:
            continue
        if over():
            return _nothing(messages)
        slot, position = through[0]
        if messages.is_told[slot][position]:
            twice -= messages.agreement(slot, position)  # from here on the cell is written
        children, listed, spelled = _extended(partials, through, slots, tries, masses)
        total = partials.rest(slot for slot, _ in through)[:, None] + sum(map(_log, listed))
        if grid.cells[cell] != EMPTY:
            total[:, [code for code in range(26) if LETTERS[code] != grid.cells[cell][0]]] = NOTHING
        if total.max(initial=NOTHING) == NOTHING:
            return _nothing(messages)
        kept, lost = _heaviest(total.ravel(), width)
        dropped.append(lost - twice)
        parent, letter = np.divmod(kept, 26)
        partials.select(parent)
        partials.letters[:, cell] = letter
        for (slot, _), child, slot_mass, slot_open in zip(through, children, listed, spelled, strict=True):
            partials.node[:, slot] = child[parent, letter]
            partials.mass[:, slot] = slot_mass[parent, letter]
            partials.opens[:, slot] = slot_open[parent, letter]
        ended = [slot for slot, depth in through if depth + 1 == len(slots[slot])]
        fresh = without_repeats(slots, ended, cell, partials.letters)
        if not fresh.all():
            partials.select(fresh)
    if not len(partials.letters):
        return _nothing(messages)
    weights = partials.rest(()) - sum(messages.least)
    partials.select(np.argsort(-weights, kind="stable"))
    words = np.empty(partials.node.shape, np.intp)
    for slot, trie in enumerate(tries):
        words[:, slot] = trie.word(partials.node[:, slot])
    missed = float(np.logaddexp.reduce(dropped)) - sum(messages.least)
    return Sample(partials.letters, words, np.sort(weights)[::-1], max(missed, float(weights.max()) - HOPELESS))


@dataclass(slots=True)
class _Partials:
    """Partial fillings that agree on which cells are written, one row each.

    By slot: the `node` of its prefix, the weight of its answer if in no list (`opens`), and its `mass`, the summed
    weight of all that may complete it.
    """

    node: NDArray[np.int32]
    opens: Costs
    mass: Costs
    letters: NDArray[np.int8]

    def select(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> None:
        """Go on with some of the rows, by mask or by index."""
        self.node, self.opens = self.node[rows], self.opens[rows]
        self.mass, self.letters = self.mass[rows], self.letters[rows]

    def rest(self, slots: Iterable[int]) -> Costs:
        """Return the log of the mass of all slots except these, by row."""
        log_mass = _log(self.mass)
        return np.asarray(log_mass.sum(axis=1) - log_mass[:, list(slots)].sum(axis=1))


def _extended(
    partials: _Partials,
    through: Sequence[tuple[int, int]],
    slots: Sequence[Slot],
    tries: Sequence[Prefixes],
    masses: Sequence[_Masses],
) -> tuple[list[Nodes], list[Costs], list[Costs]]:
    """Return, for each slot through a cell, its prefix with each letter there, its mass, and its weight if in no list.

    All have shape (partial fillings, 26).
    """
    children, extended, spelled = [], [], []
    for slot, depth in through:
        before = partials.letters[:, slots[slot].cells[depth - 1]] if depth else None
        opens = partials.opens[:, slot][:, None] * masses[slot].spelled(depth, before)
        children.append(tries[slot].children(depth, partials.node[:, slot]))
        listed = masses[slot].below[depth][children[-1]]
        if depth + 1 < len(slots[slot]):
            extended.append(listed + opens * masses[slot].open_ahead[depth + 1])
        else:
            extended.append(np.maximum(listed, opens))  # the answer is whole: listed or spelled, at the less cost
        spelled.append(opens)
    return children, extended, spelled


def _heaviest(log_mass: Costs, width: int) -> tuple[NDArray[np.intp], float]:
    """Choose the extensions to go on with, and return the log of the mass of all others together."""
    best = float(log_mass.max())
    kept = np.flatnonzero(log_mass > best - HOPELESS)
    if len(kept) > width:
        kept = kept[np.argpartition(log_mass[kept], -width)[-width:]]
    others = np.exp(log_mass - best)
    others[kept] = 0.0
    return kept, best + float(_log(others.sum()))


def _told_twice(messages: Messages) -> float:
    """Return the log of the part that is first counted twice: each slot through a cell has the other's message.

    It is the same for all partial fillings of a layer, so it matters only for masses dropped in different layers.
    """
    return sum(
        messages.agreement(slot, position) / 2
        for slot, told in enumerate(messages.is_told)
        for position, is_told in enumerate(told)
        if is_told
    )


def _log(values: Costs) -> Costs:
    """Return logarithms, minus infinity for nothing."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def _nothing(messages: Messages) -> Sample:
    slots, cells = len(messages.domains), len(messages.grid.cells)
    none = np.empty((0, slots), np.intp)
    return Sample(np.empty((0, cells), np.int8), none, np.empty(0), messages.log_total())
