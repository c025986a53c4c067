"""Belief propagation: crossing slots pass messages about their letters.

Slots send each other, cell by cell, the probability of each letter, until nothing changes (sum-product on the
factor graph of slots and cells; Pearl 1988, loopy form Murphy, Weiss and Jordan 1999). Exact on a grid without loops.
A crossword is all loops: evidence comes back to its source and is counted again, so the belief after
many rounds is too sure and at times plainly wrong. Here it only guides :mod:`agent.puzzles.crossword.sample`, which
weighs complete fillings, and stands in for the fillings that the sample has missed.

Two invariants: a slot's message about a position never contains the message it got there, or the two slots of a cell
would confirm each other by echo; and no message is ever 0 (FLOOR), so that dividing by a message is safe, and a word
that contradicts its crossings is improbable instead of gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from agent.core.outcome import never
from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.domain import LETTERS, Costs, Domain, Letters

ROUNDS = 8
"""Maximum number of rounds, each across and then down: two cross a mini, the rest lets loops settle."""

SETTLED = 0.003
"""A slot is silent unless a probability in a message to it has moved by more than this."""

DAMPING = 0.3
"""Share of the old message that is kept: prevents oscillation of two slots that contradict each other."""

PAIRED = 2000
"""Words from which on letters are looked up in pairs: half the look-ups, in a table that a short list is not worth."""

LONG_RUN = 8
"""Words that begin alike, on average, from which on their weights are first summed by themselves."""

FLOOR = 1e-12
"""Least value of a message: nothing is quite impossible, so that contradictions stay finite."""


class Messages:
    """The words of all slots, and the messages to each slot about each of its positions.

    `told[slot]` has shape (length, 26) and sums to 1 at each position: uniform if no slot crosses, certain if a
    letter is given; `is_told[slot][position]` is False in both cases. `weights[slot]` are the probabilities of a slot's
    words relative to its best; `open_weights` and `open_letters` are the same for an answer in no list.

    Even words that their clue makes most improbable take part: of the eighty answers of a large grid some are such
    words, and without them every filling that is found would look far surer than it is.
    """

    def __init__(self, grid: Grid, domains: Sequence[Domain]) -> None:
        self.grid, self.domains = grid, domains
        self.slots = grid.slots
        self.crossings = grid.crossings
        self.is_told = [
            [
                crossing is not None and grid.cells[cell] == EMPTY
                for cell, crossing in zip(slot.cells, crossings, strict=True)
            ]
            for slot, crossings in zip(self.slots, self.crossings, strict=True)
        ]
        self.least = [domain.least() for domain in domains]
        self.groups = _groups(domains)
        self.weights = [np.exp(least - domain.costs) for least, domain in zip(self.least, domains, strict=True)]
        self.open_weights = [
            float(np.exp(least - domain.open_cost)) for least, domain in zip(self.least, domains, strict=True)
        ]
        self.open_letters = [_spelling(domain) for domain in domains]
        self.told = [np.full((domain.length, 26), 1 / 26) for domain in domains]
        self.news = [1.0] * len(domains)
        """The largest change, by slot, of a probability that it was told, or kept back, since it last spoke."""
        for told, slot in zip(self.told, self.slots, strict=True):
            for position, cell in enumerate(slot.cells):
                if grid.cells[cell] != EMPTY:
                    told[position] = FLOOR
                    told[position, LETTERS.index(grid.cells[cell][0])] = 1.0

    def settle(self, over: Callable[[], bool] = never) -> None:
        """Pass messages across and down until they settle or `over` returns True."""
        in_turn = sorted(range(len(self.slots)), key=lambda slot: self.slots[slot].direction)
        for _ in range(ROUNDS):
            is_settled = True
            for speaker in in_turn:
                if self.news[speaker] < SETTLED:
                    continue  # it would repeat itself
                if over():
                    return
                self._tell(speaker)
                is_settled = False
            if is_settled:
                return

    def _tell(self, speaker: int) -> None:
        """Send one slot's messages to all that cross it."""
        said = self.says(speaker)
        self.news[speaker] = 0.0
        for position, crossing in enumerate(self.crossings[speaker]):
            if crossing is not None and self.is_told[speaker][position]:
                listener, there = crossing
                change = said[position] - self.told[listener][there]
                self.told[listener][there] += (1 - DAMPING) * change
                most = float(np.abs(change).max())
                self.news[listener] = max(self.news[listener], (1 - DAMPING) * most)
                self.news[speaker] = max(self.news[speaker], DAMPING * most)  # what damping kept back

    def joint(self, slot: int) -> tuple[Costs, float]:
        """Return the weights of a slot's words and of none of them, given all messages to the slot."""
        joint = self.weights[slot].copy()
        for group in self.groups[slot]:
            told = self.told[slot][group.first : group.first + group.count]
            joint *= reduce(np.multiply.outer, told).ravel().take(group.codes)
        return joint, self.open_weights[slot] * float((self.open_letters[slot] * self.told[slot]).sum(axis=1).prod())

    def says(self, slot: int) -> Costs:
        """Return a slot's probability of each letter at each position, without the message it got there.

        Shape (length, 26); each position sums to 1.
        """
        joint, unlisted = self.joint(slot)
        told = self.told[slot]
        opens = self.open_letters[slot] * told
        opens *= unlisted / np.maximum(opens.sum(axis=1, keepdims=True), FLOOR**2)
        listed = np.concatenate([group.shares(joint) for group in self.groups[slot]])
        message = (listed + opens) / np.maximum(told, FLOOR)
        total = message.sum(axis=1, keepdims=True)
        message = np.maximum(np.divide(message, total, out=np.full_like(message, 1 / 26), where=total > 0), FLOOR)
        return np.asarray(message / message.sum(axis=1, keepdims=True))

    def words(self, slot: int) -> tuple[Costs, float]:
        """Return the probability of each word of a slot's domain, and of none of them."""
        joint, unlisted = self.joint(slot)
        total = float(joint.sum()) + unlisted
        if total == 0:
            return joint, 1.0  # no word fits at all: the answer must be in no list
        return joint / total, unlisted / total

    def agreement(self, slot: int, position: int) -> float:
        """Return the log of how well a slot and the one that crosses it there agree on the letter."""
        listener, there = self.crossings[slot][position] or (slot, position)
        return float(np.log(max(float((self.told[slot][position] * self.told[listener][there]).sum()), FLOOR)))

    def log_total(self) -> float:
        """Estimate the log of the sum of exp(-cost) over all fillings (Bethe's free energy; Yedidia et al. 2005).

        Each crossing is counted by both of its slots, so one agreement is subtracted for each.
        """
        total = 0.0
        for slot, domain in enumerate(self.domains):
            joint, unlisted = self.joint(slot)
            total += float(np.log(max(float(joint.sum()) + unlisted, FLOOR**domain.length))) - self.least[slot]
            for position, cell in enumerate(self.slots[slot].cells):
                if self.is_told[slot][position]:
                    total -= self.agreement(slot, position) / 2
                elif self.grid.cells[cell] == EMPTY:
                    total += float(np.log(26))  # unchecked: the message was 1/26 for every letter
        return total


class _Group:
    """Neighbouring positions, `count` from `first` on; `codes` are the words' letters there as a number to base 26."""

    def __init__(self, letters: Letters, first: int, count: int) -> None:
        self.first, self.count = first, count
        columns = letters[:, first : first + count].T.astype(np.intp)
        self.codes: NDArray[np.intp] = reduce(lambda code, column: code * 26 + column, columns)
        self._runs = np.flatnonzero(np.diff(self.codes, prepend=-1))

    def shares(self, weights: Costs) -> Costs:
        """Return the summed weight of the words that have each letter, (count, 26), at the positions."""
        codes = self.codes
        if len(codes) > LONG_RUN * len(self._runs):
            # Words are sorted, so those with the same beginning are neighbours: adding one after the other to the same
            # sum would have to wait for each sum, and takes seven times as long.
            codes, weights = codes[self._runs], np.add.reduceat(weights, self._runs)
        total = np.bincount(codes, weights, 26**self.count).reshape((26,) * self.count)
        return np.array([total.sum(axis=tuple({*range(self.count)} - {at})) for at in range(self.count)])


def _groups(domains: Sequence[Domain]) -> list[list[_Group]]:
    """Return each slot's words as the letters of groups of positions; slots with the same words share them."""
    shared: dict[int, list[_Group]] = {}
    for domain in domains:
        if id(domain.letters) not in shared:
            shared[id(domain.letters)] = _grouped(domain.letters)
    return [shared[id(domain.letters)] for domain in domains]


def _grouped(letters: Letters) -> list[_Group]:
    """Return words, (words, length), as the letters of their groups; long lists in pairs, short ones one by one."""
    length, size = letters.shape[1], 2 if len(letters) > PAIRED else 1
    return [_Group(letters, first, min(size, length - first)) for first in range(0, length, size)]


def _spelling(domain: Domain) -> Costs:
    """Return the probability of each letter at each position of an unlisted answer, neighbours taken as independent."""
    letters = np.exp(-domain.open_letters)
    if domain.open_pairs is not None:
        letters /= letters.sum(axis=1, keepdims=True)
    return letters
