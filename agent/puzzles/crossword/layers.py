"""Layer by layer: branch and bound over all cells in reading order, thousands of partial fillings at a time.

If clues say little, best-first search has to look at many states that are almost equally good. Then it pays to
take them a layer at a time: all partial fillings that agree on which cells are written, as numpy arrays, each
extended by all letters at once. A layer keeps the `width` best. It also remembers the best it ever dropped, so that
the result is either complete (every filling up to the limit was seen: a proof) or bounds the cost of a missed one.

Slots are walked as tries: their words sorted, each prefix a node that knows the cheapest word below it. A partial
filling is dropped as soon as it has an answer twice.

The invariant: a partial filling's cost is a lower bound of every filling that completes it (the cheapest word below
each slot's prefix, or its spelling so far and the least letters to come), and it only rises from layer to layer. So
one dropped at a cost of c leads to no filling below c, and `missed`, the least such c or the limit, holds for all
fillings that are not in the result. Only slots that have begun and not ended are carried along: a slot that has not
begun costs its least in every partial filling, and the cost of one that has ended is in the sum already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.core.outcome import never
from agent.grid import BLOCK, EMPTY, Grid
from agent.puzzles.crossword.domain import LETTERS, Costs, Domain, Letters
from agent.slots import Slot

Nodes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Layered:
    """Complete fillings, cheapest first, with their costs; `missed` is the least cost of one that may be missing."""

    letters: tuple[str, ...]
    costs: tuple[float, ...]
    missed: float


BITS = np.left_shift(1, np.arange(26), dtype=np.int32)
"""A bit for each letter."""


class Prefixes:
    """The prefixes of a list of words, as nodes by depth; slots with the same list share them."""

    def __init__(self, letters: Letters) -> None:
        self.order = np.lexsort(letters.T[::-1])
        # Per depth, for each child the first of its words in sorted order.
        self._firsts: list[NDArray[np.intp]] = []
        # Per depth, by node: a bit for each letter that goes on, and the number of its first child, less one. A node's
        # children are numbered one after the other. The last row stands for "no word has this prefix": as an index, -1
        # leads to it, and it has no child but -1. So a partial filling that left the list stays outside.
        self._goes_on: list[Nodes] = []
        self._before: list[Nodes] = []
        self.columns = np.ascontiguousarray(letters.T).take(self.order, axis=1)
        """The letters of the sorted words, (length, words)."""
        parents = np.zeros(len(letters), np.int32)
        nodes = 1 if len(letters) else 0
        for column in self.columns:
            new = np.ones(len(letters), bool)
            new[1:] = (parents[1:] != parents[:-1]) | (column[1:] != column[:-1])
            first = np.flatnonzero(new)
            count = np.bincount(parents[first], minlength=nodes + 1)
            self._goes_on.append(np.bincount(parents[first], BITS[column[first]], nodes + 1).astype(np.int32))
            self._before.append((np.cumsum(count) - count - 1).astype(np.int32))
            self._firsts.append(first)
            parents = (np.cumsum(new) - 1).astype(np.int32)
            nodes = len(first)

    def children(self, depth: int, nodes: Nodes) -> Nodes:
        """Return the child of each node at a depth for each letter, (nodes, 26), -1 if no word goes on like that."""
        has = (self._goes_on[depth][nodes][:, None] & BITS) != 0
        return np.where(has, np.cumsum(has, axis=1, dtype=np.int32) + self._before[depth][nodes][:, None], -1)

    def word(self, leaves: Nodes) -> NDArray[np.intp]:
        """Return the words that end at nodes of the last depth, -1 for none."""
        return np.append(self.order, -1)[leaves]  # each word is a leaf of its own

    def cheapest(self, costs: Costs) -> list[Costs]:
        """Return per depth the cost of the cheapest word below each child, and last, where -1 leads, infinity."""
        ordered = costs.take(self.order)
        return [self.below(np.minimum, ordered, depth, np.inf) for depth in range(len(self._firsts))]

    def below(self, combine: np.ufunc, ordered: Costs, depth: int, nothing: float) -> Costs:
        """Combine the values of the sorted words below each child at a depth; last, where -1 leads, is `nothing`."""
        first = self._firsts[depth]
        is_whole = len(first) == len(ordered)  # each child is one word: nothing to combine, which would take longest
        return np.append(ordered if is_whole else combine.reduceat(ordered, first), nothing)


def prefixes_of(domains: Sequence[Domain]) -> list[Prefixes]:
    """Return each domain's prefixes; domains with the same words share them."""
    shared: dict[int, Prefixes] = {}
    for domain in domains:
        if id(domain.letters) not in shared:
            shared[id(domain.letters)] = Prefixes(domain.letters)
    return [shared[id(domain.letters)] for domain in domains]


def layered(
    grid: Grid,
    domains: Sequence[Domain],
    limit: float,
    width: int,
    *,
    narrow: int = 0,
    is_over: Callable[[], bool] = never,
) -> Layered:
    """Find fillings of at most `limit`, keeping `width` partial fillings a layer; given letters stay.

    Once `is_over`, which is asked before each cell, only `narrow` of them are kept: it ends soon, with a filling.
    With 0 it gives up instead.

    >>> lists = [["AB", "CB"], ["AD", "DA"], ["CD", "AA"], ["BA"]]
    >>> found = layered(Grid.parse("..\\n.."), [Domain.of(words) for words in lists], 100.0, 50)
    >>> found.letters, round(found.costs[0], 3), found.missed
    (('CBDA',), 2.079, 100.0)
    """
    tries = prefixes_of(domains)
    cheapest = [trie.cheapest(domain.costs) for trie, domain in zip(tries, domains, strict=True)]
    spelled = [domain.open_letters for domain in domains]
    least = [rows.min(axis=1) for rows in spelled]
    # Per slot that has been begun, for each partial filling: its node, its cost if left open, its bound.
    node: dict[int, Nodes] = {}
    opens: dict[int, Costs] = {}
    bounds: dict[int, Costs] = {}
    letters = np.full((1, len(grid.cells)), -1, np.int8)
    costs = np.array([float(sum(domain.least() for domain in domains))])
    missed = limit
    for cell, through in enumerate(grid.through):
        if not through:
            continue
        if is_over():
            if not narrow:
                return Layered((), (), min(missed, float(costs.min())))
            width = min(width, narrow)
        total = np.broadcast_to(costs[:, None], (len(costs), 26))
        children, slot_bounds, slot_opens = [], [], []
        for slot, depth in through:
            if not depth:
                node[slot] = np.zeros(len(costs), np.int32)
                opens[slot] = np.full(len(costs), domains[slot].open_cost + float(least[slot].sum()))
                bounds[slot] = np.full(len(costs), domains[slot].least())
            open_here = (opens[slot] - least[slot][depth])[:, None] + spelled[slot][depth]
            pairs = domains[slot].open_pairs
            if pairs is not None and depth:
                open_here = open_here + pairs[depth - 1][letters[:, grid.slots[slot].cells[depth - 1]]]
            slot_opens.append(open_here)
            children.append(tries[slot].children(depth, node[slot]))
            slot_bounds.append(np.minimum(cheapest[slot][depth][children[-1]], open_here))
            total = total + (slot_bounds[-1] - bounds[slot][:, None])
        if grid.cells[cell] not in {EMPTY, BLOCK}:
            total[:, [code for code in range(26) if LETTERS[code] != grid.cells[cell][0]]] = np.inf
        ended = {slot for slot, _ in through if grid.slots[slot].cells[-1] == cell}
        parent, letter, dropped = _kept(total, limit, width, grid.slots, ended, cell, letters)
        missed = min(missed, dropped)
        if not len(parent):
            return Layered((), (), missed)
        costs, letters = total[parent, letter], letters[parent]
        letters[:, cell] = letter
        here = {slot for slot, _ in through}
        for slot in node:
            if slot not in here:
                node[slot], opens[slot], bounds[slot] = node[slot][parent], opens[slot][parent], bounds[slot][parent]
        for (slot, _), child, slot_bound, slot_open in zip(through, children, slot_bounds, slot_opens, strict=True):
            node[slot] = child[parent, letter]
            opens[slot] = slot_open[parent, letter]
            bounds[slot] = slot_bound[parent, letter]
        for slot in ended:
            del node[slot], opens[slot], bounds[slot]
    order = np.argsort(costs, kind="stable")
    signs = np.array([*LETTERS, EMPTY])
    written = signs[letters[order]]
    for cell, through in enumerate(grid.through):
        if not through:
            written[:, cell] = grid.cells[cell][0]
    texts = written.view(f"U{len(grid.cells)}").ravel().tolist()
    return Layered(tuple(texts), tuple(costs[order].tolist()), missed)


def _kept(
    total: Costs,
    limit: float,
    width: int,
    slots: Sequence[Slot],
    ended: Collection[int],
    cell: int,
    letters: NDArray[np.int8],
) -> tuple[NDArray[np.intp], NDArray[np.intp], float]:
    """Choose the `width` best extensions (parent, letter) under the limit; return also the cost of the best dropped.

    Those that write an answer a second time are not fillings. If all of the best do, others replace them.
    """
    flat = total.ravel()
    found = np.flatnonzero(flat <= limit)
    for most in dict.fromkeys((min(width, len(found)), len(found))):
        kept, dropped = found, np.inf
        if most < len(found):
            part = np.argpartition(flat[found], most)
            kept, dropped = found[part[:most]], float(flat[found[part[most:]]].min())
        parent, letter = np.divmod(kept, 26)
        if ended:
            written = letters[parent]
            written[:, cell] = letter
            fresh = without_repeats(slots, ended, cell, written)
            kept, parent, letter = kept[fresh], parent[fresh], letter[fresh]
        if len(kept):
            break
    if len(kept) > width:
        part = np.argpartition(flat[kept], width)
        dropped = min(dropped, float(flat[kept[part[width:]]].min()))
        parent, letter = parent[part[:width]], letter[part[:width]]
    return parent, letter, dropped


def without_repeats(
    slots: Sequence[Slot], ended: Iterable[int], cell: int, letters: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Return which partial fillings have no answer twice, as far as the slots that end in this cell are concerned."""
    fresh = np.ones(len(letters), bool)
    for slot in map(slots.__getitem__, ended):
        for other in slots:
            if len(other) == len(slot) and other.cells[-1] <= cell and other is not slot:
                fresh &= (letters[:, other.cells] != letters[:, slot.cells]).any(axis=1)
    return fresh
