"""The likeliest fillings, weighed: what stands for the posterior over all of them.

Cell by cell in reading order, thousands of partial fillings at a time, as :mod:`agent.puzzles.crossword.layers` does.
There a partial filling is valued by the cheapest filling that may complete it; here by the *sum* of the probabilities
of all that complete it, as far as the messages of belief propagation can tell it (a particle filter that keeps the best
instead of drawing, with a look-ahead; Fearnhead and Clifford 2003, Guarniero, Johansen and Lee 2017). The look-ahead
only decides what is kept. At the end every filling has its exact weight, so errors of the messages cost fillings, but
falsify none. What was dropped on the way is summed up, so that the result says how much it may have missed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.core.outcome import never
from agent.grid import BLOCK, EMPTY
from agent.puzzles.crossword.board import crossings_by_cell
from agent.puzzles.crossword.domain import FORBIDDEN, LETTERS, Costs
from agent.puzzles.crossword.layers import Prefixes, without_repeats
from agent.puzzles.crossword.messages import Messages

WIDTH = 2000
"""Partial fillings a layer in a grid of up to CELLS cells; three times as many changed no letter on our minis."""

CELLS = 36
"""Cells up to which layers have their full width; in larger grids they are narrower, so that time grows no faster."""

HOPELESS = 14.0
"""Partial fillings this many nats below a layer's best are dropped. At least as much is taken as missed: nothing that
is known of words makes a filling certain."""

NOTHING = -np.inf


@dataclass(frozen=True, slots=True)
class Sample:
    """Complete fillings, the weightiest first.

    `letters` has shape (fillings, cells), 0 for A, -1 for a block; `words` (fillings, slots) the index of each answer
    in its slot's domain, -1 if it is in no list; `log_weights` are -cost, `missed` estimates the log of the summed
    weight of all fillings that are not here. With no filling at all, `missed` is all there is.
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
        """Return the sample with further fillings, each if it is not there yet."""
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
        """Return each filling's share of the whole; what is left to 1 is the share of those that were missed."""
        return np.asarray(np.exp(self.log_weights - self.log_total), np.float64)


class _Masses:
    """One slot's prefixes: for each node by depth, the weight of all words below it under the messages to come."""

    def __init__(self, messages: Messages, slot: int, prefixes: Prefixes) -> None:
        told, domain = messages.told[slot], messages.domains[slot]
        weights = np.zeros(len(domain))
        weights[messages.kept[slot]] = messages.weights[slot]
        below, letters = weights[prefixes.order], domain.letters[prefixes.order]
        self.below: list[Costs] = [np.empty(0)] * domain.length
        for depth in reversed(range(domain.length)):
            first = prefixes.firsts[depth]
            self.below[depth] = np.append(np.add.reduceat(below, first) if len(first) else np.empty(0), 0.0)
            below = below * told[depth][letters[:, depth]]
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
    """Collect the likeliest fillings under settled messages; an empty sample if `over` says that time is up.

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
    shared: dict[int, Prefixes] = {}
    for domain in domains:
        if id(domain.letters) not in shared:
            shared[id(domain.letters)] = Prefixes(domain.letters)
    tries = [shared[id(domain.letters)] for domain in domains]
    masses = [_Masses(messages, slot, trie) for slot, trie in enumerate(tries)]
    width = max(1, WIDTH * CELLS // max(CELLS, len(grid.cells)))
    node = np.zeros((1, len(domains)), np.int32)
    opens = np.array([messages.open_weights])  # with the letters written so far
    mass = np.array([[one.whole for one in masses]])
    letters = np.full((1, len(grid.cells)), -1, np.int8)
    # Cells to come are told to both of their slots: the agreement is taken back once, the same for all of a layer.
    twice = sum(
        messages.agreement(slot, position) / 2
        for slot in range(len(slots))
        for position, is_told in enumerate(messages.is_told[slot])
        if is_told
    )
    dropped = [NOTHING]
    for cell, through in enumerate(crossings_by_cell(grid)):
        if not through:
            continue
        if over():
            return _nothing(messages)
        with np.errstate(divide="ignore"):
            log_mass = np.log(mass)
        here = [slot for slot, _ in through]
        rest = log_mass.sum(axis=1) - log_mass[:, here].sum(axis=1)
        slot, position = through[0]
        if messages.is_told[slot][position]:
            twice -= messages.agreement(*through[0])
        below, spelled = [], []
        for slot, depth in through:
            before = letters[:, slots[slot].cells[depth - 1]] if depth else None
            open_here = opens[:, slot][:, None] * masses[slot].spelled(depth, before)
            children = tries[slot].children[depth][node[:, slot]]
            spelled.append(open_here)
            listed = masses[slot].below[depth][children]
            if depth + 1 < domains[slot].length:
                below.append(listed + open_here * masses[slot].open_ahead[depth + 1])
            else:
                below.append(np.maximum(listed, open_here))  # a word is listed or spelled: it costs the less of both
        with np.errstate(divide="ignore"):
            total = rest[:, None] + sum(np.log(one) for one in below)
        if grid.cells[cell] not in {EMPTY, BLOCK}:
            total[:, [code for code in range(26) if LETTERS[code] != grid.cells[cell][0]]] = NOTHING
        flat = total.ravel()
        best = float(flat.max(initial=NOTHING))
        if best == NOTHING:
            return _nothing(messages)
        kept = np.flatnonzero(flat > best - HOPELESS)
        if len(kept) > width:
            kept = kept[np.argpartition(flat[kept], -width)[-width:]]
        shares = np.exp(flat - best)
        shares[kept] = 0.0
        with np.errstate(divide="ignore"):
            dropped.append(best - twice + float(np.log(shares.sum())))
        parent, letter = np.divmod(kept, 26)
        node, opens, mass, letters = node[parent], opens[parent], mass[parent], letters[parent]
        letters[:, cell] = letter
        for (slot, depth), slot_mass, slot_open in zip(through, below, spelled, strict=True):
            node[:, slot] = tries[slot].children[depth][node[:, slot], letter]
            opens[:, slot] = slot_open[parent, letter]
            mass[:, slot] = slot_mass[parent, letter]
        ended = [slot for slot, depth in through if depth + 1 == len(slots[slot])]
        fresh = without_repeats(slots, ended, cell, letters)
        if not fresh.all():
            node, opens, mass, letters = node[fresh], opens[fresh], mass[fresh], letters[fresh]
    if not len(letters):
        return _nothing(messages)
    with np.errstate(divide="ignore"):
        weights = np.log(mass).sum(axis=1) - sum(messages.least)
    order = np.argsort(-weights, kind="stable")
    words = np.empty(node.shape, np.intp)
    for slot, trie in enumerate(tries):
        words[:, slot] = trie.word(node[order, slot])
    missed = float(np.logaddexp.reduce(dropped)) - sum(messages.least)
    return Sample(letters[order], words, weights[order], max(missed, float(weights.max()) - HOPELESS))


def _nothing(messages: Messages) -> Sample:
    slots, cells = len(messages.domains), len(messages.grid.cells)
    none = np.empty((0, slots), np.intp)
    return Sample(np.empty((0, cells), np.int8), none, np.empty(0), messages.log_total())
