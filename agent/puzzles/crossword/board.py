"""Board: tightened domains as bitmaps, and deduction from the letters placed so far.

Each slot's words are sorted by cost and numbered; a set of words is one int, and the cheapest word of a set is its
lowest bit. One mask per position and letter turns "the third letter is R" into an AND.

Three invariants carry the proof of an optimum:

- `State.bound` is the sum over all slots of the least that each may still cost by itself: its cheapest word left, or
  its spelling with the least letter at each open position. Crossings can only add to that, so the bound
  never exceeds the cost of a filling that completes the state, and never falls from a state to its children.
- `opens[slot]` is the cost of leaving a slot open: known letters at their cost, unknown ones at their position's least.
  Costs of neighbouring letters are never below 0, so they may be added as late as both letters are known.
- Letters and words are dropped only if every filling with them costs more than `limit`. So a search that is exhausted
  has proved that there is no other filling up to the limit, but nothing about costlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from agent.grid import BLOCK, EMPTY, Grid
from agent.puzzles.crossword.domain import LETTERS, Domain
from agent.puzzles.crossword.tighten import cut
from agent.slots import Slot

INFINITE = float("inf")

SHORT = 600
"""Words in all slots together up to which cutting them to the limit takes longer than searching over all of them."""


@dataclass(frozen=True, slots=True)
class State:
    """A partial filling, and the lower bound of what every filling that completes it costs.

    Two states are the same if their letters are.
    """

    letters: str
    bound: float = field(compare=False)
    words: tuple[int, ...] = field(compare=False, repr=False)
    opens: tuple[float, ...] = field(compare=False, repr=False)
    touched: tuple[int, ...] = field(compare=False, repr=False)
    """Slots narrowed since the state was last settled."""

    def __str__(self) -> str:
        return f"{self.letters} {self.bound:.3f}"


class Board:
    """A grid's slots with their words as bitmaps, cut to those that a filling of at most `limit` can use."""

    def __init__(self, grid: Grid, domains: Sequence[Domain], limit: float) -> None:
        """`domains` are in the order of `grid.slots`; a filling above `limit` (nats) is not looked for."""
        self.grid = grid
        self.limit = limit
        self.slots: tuple[Slot, ...] = grid.slots
        self.through = grid.through
        self.open_letters = [domain.open_letters.tolist() for domain in domains]
        self.open_least = [domain.open_letters.min(axis=1).tolist() for domain in domains]
        self.start_opens = tuple(
            domain.open_cost + sum(least) for domain, least in zip(domains, self.open_least, strict=True)
        )
        self.pairs = [None if d.open_pairs is None else d.open_pairs.tolist() for d in domains]
        self.costs: list[list[float]] = []
        self.masks: list[list[dict[int, int]]] = []
        self.order: list[list[int]] = []
        """For each slot, the index in its domain of each word by number; the domain as cut, if it was cut."""
        if sum(map(len, domains)) > SHORT:
            domains = cut(domains, grid.crossings, limit)
        for domain in domains:
            order = np.argsort(domain.costs, kind="stable")
            self.order.append(order.tolist())
            self.costs.append([*domain.costs[order].tolist(), INFINITE])  # the last one: no word left
            self.masks.append(_masks(domain.letters[order]))

    def cheapest(self, slot: int, words: int, spelled: float) -> float:
        """Return the least cost of a slot: its cheapest word left, or its spelling."""
        # An empty set has no lowest bit: its index is -1, where INFINITE stands.
        return min(self.costs[slot][(words & -words).bit_length() - 1], spelled)

    def root(self) -> State | None:
        """Return the state with the grid's given letters and all that follows from them, None if nothing fits."""
        words = [(1 << (len(costs) - 1)) - 1 for costs in self.costs]
        opens = list(self.start_opens)
        letters = "".join(cell[0] for cell in self.grid.cells)
        known = [BLOCK if letter == BLOCK else EMPTY for letter in letters]
        for cell, letter in enumerate(letters):
            if letter not in (EMPTY, BLOCK):
                self.place(cell, LETTERS.index(letter), words, opens, known)
                known[cell] = letter
        bound = sum(self.cheapest(slot, words[slot], opens[slot]) for slot in range(len(words)))
        return self.settle(State(letters, bound, tuple(words), tuple(opens), tuple(range(len(words)))))

    def neighbour_costs(self, slot: int, position: int, known: Sequence[str]) -> list[float]:
        """Return the cost of each letter at a position next to its known neighbours, in a slot left open."""
        pairs, cells = self.pairs[slot], self.slots[slot].cells
        costs = [0.0] * 26
        if pairs is None:
            return costs
        if position and known[cells[position - 1]] != EMPTY:
            costs = pairs[position - 1][LETTERS.index(known[cells[position - 1]])]
        if position + 1 < len(cells) and known[cells[position + 1]] != EMPTY:
            after = LETTERS.index(known[cells[position + 1]])
            costs = [cost + row[after] for cost, row in zip(costs, pairs[position], strict=True)]
        return costs

    def place(self, cell: int, letter: int, words: list[int], opens: list[float], known: Sequence[str]) -> float:
        """Write a letter: narrow the slots through its cell in place, and return by how much the bound rises."""
        rise = 0.0
        for slot, position in self.through[cell]:
            before = self.cheapest(slot, words[slot], opens[slot])
            words[slot] &= self.masks[slot][position].get(letter, 0)
            opens[slot] += self.open_letters[slot][position][letter] - self.open_least[slot][position]
            opens[slot] += self.neighbour_costs(slot, position, known)[letter]
            rise += self.cheapest(slot, words[slot], opens[slot]) - before
        return rise

    def options(
        self, state_words: Sequence[int], opens: Sequence[float], bound: float, cell: int, known: Sequence[str]
    ) -> dict[int, float]:
        """Return the letters that a cell may take under the limit, each with the bound it leads to.

        Each slot's rise is independent, and the bound is a sum over slots: so the rises add up, and a letter
        that one slot alone lifts above the limit need not be looked at in the other.
        """
        rise: dict[int, float] = {}
        through = self.through[cell]
        for slot, position in through:
            words, spelled = state_words[slot], opens[slot]
            costs, masks = self.costs[slot], self.masks[slot][position]
            now = self.cheapest(slot, words, spelled)
            most = self.limit - bound + now
            base = spelled - self.open_least[slot][position]
            letter_costs = self.open_letters[slot][position]
            slot_rise: dict[int, float] = {}
            for letter, mask in masks.items():
                left = words & mask
                if left and (cost := costs[(left & -left).bit_length() - 1]) <= most:
                    slot_rise[letter] = cost - now
            if spelled <= most:
                if self.pairs[slot] is not None:
                    extra = self.neighbour_costs(slot, position, known)
                    letter_costs = [a + b for a, b in zip(letter_costs, extra, strict=True)]
                spellings = [(n, base + cost - now) for n, cost in enumerate(letter_costs) if base + cost <= most]
                for letter, more in spellings:
                    slot_rise[letter] = min(more, slot_rise.get(letter, INFINITE))
                slot_rise = dict(sorted(slot_rise.items()))  # letters that cost the same are taken in their order
            if slot == through[0][0]:
                rise = slot_rise
            else:
                rise = {letter: rise[letter] + more for letter, more in slot_rise.items() if letter in rise}
        return {letter: bound + more for letter, more in rise.items() if bound + more <= self.limit}

    def settle(self, state: State) -> State | None:
        """Write every letter that has no alternative under the limit, until none is left; None if a cell has none.

        Words that need a letter which their cell cannot take are dropped on the way (arc consistency). A cell is looked
        at again as soon as a slot through it was narrowed, but not if the bound rose elsewhere: so a word may stay that
        could be dropped, which is sound.
        """
        words, opens, bound = list(state.words), list(state.opens), state.bound
        if bound > self.limit:
            return None  # given letters may cost more than the limit
        letters = list(state.letters)
        todo = {cell for slot in state.touched for cell in self.slots[slot].cells if letters[cell] == EMPTY}
        while todo:
            cell = min(todo)
            todo.discard(cell)
            options = self.options(words, opens, bound, cell, letters)
            if not options:
                return None
            if len(options) == 1:
                letter = next(iter(options))
                touched = [slot for slot, _ in self.through[cell]]
                bound += self.place(cell, letter, words, opens, letters)
                letters[cell] = LETTERS[letter]
            else:
                touched = []
                for slot, position in self.through[cell]:
                    masks = self.masks[slot][position]
                    allowed = 0
                    for letter in options:
                        allowed |= masks.get(letter, 0)
                    if words[slot] & ~allowed:
                        before = self.cheapest(slot, words[slot], opens[slot])
                        words[slot] &= allowed
                        bound += self.cheapest(slot, words[slot], opens[slot]) - before
                        touched.append(slot)
            if bound > self.limit:
                return None
            todo.update(c for slot in touched for c in self.slots[slot].cells if letters[c] == EMPTY)
            if len(options) > 1:
                todo.discard(cell)
        return State("".join(letters), bound, tuple(words), tuple(opens), ())

    def branches(self, state: State) -> list[State]:
        """Return a settled state's children: one cell, each letter it may take, the cheapest first.

        The cell is the one whose second best letter costs most more than its best: the clearest decision first.
        """
        chosen, best = -1, (-1.0, 0)
        chosen_options: dict[int, float] = {}
        for cell, letter in enumerate(state.letters):
            if letter != EMPTY or not self.through[cell]:
                continue
            options = self.options(state.words, state.opens, state.bound, cell, state.letters)
            two = sorted(options.values())[:2]
            regret = two[1] - two[0] if len(two) > 1 else INFINITE
            if (regret, -len(options)) > best:
                chosen, chosen_options, best = cell, options, (regret, -len(options))
        children = []
        touched = tuple(slot for slot, _ in self.through[chosen])
        for code, bound in sorted(chosen_options.items(), key=lambda option: option[1]):
            words, opens = list(state.words), list(state.opens)
            self.place(chosen, code, words, opens, state.letters)
            letters = state.letters[:chosen] + LETTERS[code] + state.letters[chosen + 1 :]
            children.append(State(letters, bound, tuple(words), tuple(opens), touched))
        return children


def _masks(letters: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[dict[int, int]]:
    """Turn words (rows of letters 0-25) into one bitmap per position and letter."""
    masks: list[dict[int, int]] = [{} for _ in range(letters.shape[1])]
    if len(letters) <= SHORT // 10:  # counting beats numpy on such a short list
        for row, word in enumerate(letters.tolist()):
            for here, letter in zip(masks, word, strict=True):
                here[letter] = here.get(letter, 0) | 1 << row
        return masks
    for here, column in zip(masks, letters.T, strict=True):
        for letter in np.flatnonzero(np.bincount(column)).tolist():
            packed = np.packbits(column == letter, bitorder="little")
            here[letter] = int.from_bytes(packed.tobytes(), "little")
    return masks
