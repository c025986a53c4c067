"""Layer by layer: branch and bound over all cells in reading order, thousands of partial fillings at a time.

Where clues say little, best-first search has to look at many states that are almost equally good. Then it pays to
take them a layer at a time: all partial fillings that agree on which cells are written, as numpy arrays, each
extended by all letters at once. A layer keeps the `width` best. It also remembers the best it ever dropped, so that
the result is either complete (every filling up to the limit was seen: a proof) or says how good a missed one may be.

Slots are walked as tries: their words sorted, each prefix a node that knows the cheapest word below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.grid import BLOCK, EMPTY, Grid
from agent.puzzles.crossword.board import crossings_by_cell
from agent.puzzles.crossword.domain import LETTERS, Costs, Domain

Nodes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Layered:
    """Complete fillings, cheapest first, with their costs; `missed` is the least cost of one that may be missing."""

    letters: tuple[str, ...]
    costs: tuple[float, ...]
    missed: float


class _Trie:
    """The words of one slot by prefix: per depth, the child of each node for each letter, and its cheapest word."""

    def __init__(self, domain: Domain) -> None:
        order = np.lexsort(domain.letters.T[::-1])
        letters, costs = domain.letters[order], domain.costs[order]
        parents = np.zeros(len(order), np.int32)
        self.children: list[Nodes] = []
        self.cheapest: list[Costs] = []
        nodes = 1 if len(order) else 0
        for depth in range(domain.length):
            # one row more than there are nodes: the last stands for "no word has this prefix"
            child = np.full((nodes + 1, 26), -1, np.int32)
            cheapest = np.full((nodes + 1, 26), np.inf)
            if len(order):
                new = np.ones(len(order), bool)
                new[1:] = (parents[1:] != parents[:-1]) | (letters[1:, depth] != letters[:-1, depth])
                first = np.flatnonzero(new)
                at = (parents[first], letters[first, depth])
                child[at] = np.arange(len(first))
                cheapest[at] = np.minimum.reduceat(costs, first)
                parents = (np.cumsum(new) - 1).astype(np.int32)
                nodes = len(first)
            self.children.append(child)
            self.cheapest.append(cheapest)


def layered(grid: Grid, domains: Sequence[Domain], limit: float, width: int) -> Layered:
    """Find fillings of at most `limit`, keeping `width` partial fillings a layer; given letters stay.

    >>> lists = [["AB", "CB"], ["AD", "DA"], ["CD", "AA"], ["BA"]]
    >>> found = layered(Grid.parse("..\\n.."), [Domain.of(words) for words in lists], 100.0, 50)
    >>> found.letters, round(found.costs[0], 3), found.missed
    (('CBDA',), 2.079, 100.0)
    """
    tries = [_Trie(domain) for domain in domains]
    spelled = [domain.open_letters for domain in domains]
    least = [rows.min(axis=1) for rows in spelled]
    start = [domain.open_cost + float(low.sum()) for domain, low in zip(domains, least, strict=True)]
    node = np.zeros((1, len(domains)), np.int32)
    opens = np.array([start])
    bounds = np.array([[domain.least() for domain in domains]])
    letters = np.full((1, len(grid.cells)), -1, np.int8)
    missed = limit
    for cell, through in enumerate(crossings_by_cell(grid)):
        if not through:
            continue
        rest = bounds.sum(axis=1)
        slot_bounds, slot_opens = [], []
        for slot, depth in through:
            rest = rest - bounds[:, slot]
            open_here = (opens[:, slot] - least[slot][depth])[:, None] + spelled[slot][depth]
            slot_opens.append(open_here)
            slot_bounds.append(np.minimum(tries[slot].cheapest[depth][node[:, slot]], open_here))
        total = rest[:, None] + sum(slot_bounds)
        if grid.cells[cell] not in {EMPTY, BLOCK}:
            total[:, [code for code in range(26) if LETTERS[code] != grid.cells[cell][0]]] = np.inf
        flat = total.ravel()
        kept = np.flatnonzero(flat <= limit)
        if len(kept) > width:
            part = np.argpartition(flat[kept], width)
            missed = min(missed, float(flat[kept[part[width:]]].min()))
            kept = kept[part[:width]]
        if not len(kept):
            return Layered((), (), missed)
        parent, letter = np.divmod(kept, 26)
        node, opens, bounds, letters = node[parent], opens[parent], bounds[parent], letters[parent]
        letters[:, cell] = letter
        for (slot, depth), slot_bound, slot_open in zip(through, slot_bounds, slot_opens, strict=True):
            node[:, slot] = tries[slot].children[depth][node[:, slot], letter]
            opens[:, slot] = slot_open[parent, letter]
            bounds[:, slot] = slot_bound[parent, letter]
    costs = bounds.sum(axis=1)
    order = np.argsort(costs, kind="stable")
    signs = np.array([*LETTERS, ""])
    fixed = [cell if cell == BLOCK else None for cell in grid.cells]
    texts = []
    for row in letters[order]:
        filled = signs[row].tolist()
        texts.append("".join(f or ch or EMPTY for f, ch in zip(fixed, filled, strict=True)))
    return Layered(tuple(texts), tuple(costs[order].tolist()), missed)
