"""Tighten: move costs between crossing slots until the sum of each slot's cheapest word is a strong lower bound.

"Each slot takes its cheapest word" ignores that crossing slots must agree. But a cell's letter may be charged in
either of its two slots: adding any amount per letter to one and taking it from the other changes no filling's total.
Block-coordinate ascent over these amounts (max-product linear programming in its star form, Globerson and Jaakkola
2007; "soft arc consistency" in the constraint literature, Cooper et al. 2010) raises the bound at every step. On
minis it mostly meets the optimum, so that the search only has to write it down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from agent.core.outcome import never
from agent.grid import Place
from agent.puzzles.crossword.domain import Costs, Domain, Letters

SWEEPS = 10
"""Maximum number of sweeps over all slots: as measured, ten bring the bound within 0.3 nats of that of eighty."""

ENOUGH = 0.05
"""Stop when a sweep raises the bound by less than this many nats: far less than the difference of two fillings."""

PROVABLE = 20.0
"""Nats from the bound to the limit that further sweeps and a search may close. On our minis 12 at most are left after
the first sweep; where more than 20 are, as in large grids about which the clues say little, they stay."""

WORTH_GOING_ON = 1 / 3
"""Share of a wider gap that a sweep has to close, so that another one follows."""

WORTH_CUTTING = 0.9
"""Words are left out during the sweeps if at most this share of a slot's words stays: their places are found anew."""

CUT_PASSES = 2
"""Passes over all crossings when domains are cut to a limit; the second still finds something, a third rarely does."""


class _Places:
    """The positions of letters in a list of words; slots with the same list share this."""

    def __init__(self, letters: Letters) -> None:
        self.codes = [column.astype(np.intp) for column in letters.T]
        self.order = [np.argsort(column, kind="stable") for column in letters.T]  # of bytes: a radix sort
        self.present: list[NDArray[np.intp]] = []
        self.starts: list[NDArray[np.intp]] = []
        for codes, order in zip(self.codes, self.order, strict=True):
            ordered = codes[order]
            starts = np.flatnonzero(np.diff(ordered, prepend=-1))
            self.present.append(ordered[starts])
            self.starts.append(starts)


class _Column:
    """One slot during the sweeps: the present cost of its words, and the minimum over each letter at each position."""

    def __init__(self, domain: Domain, places: _Places) -> None:
        self.domain = domain
        self.reduced = domain.costs.copy()
        self.open_cost = domain.open_cost
        self.open_letters = domain.open_letters.copy()
        self.moved = np.zeros_like(domain.open_letters)
        self.places = places

    def cut(self, most: float) -> None:
        """Leave out the words that cost more than `most` by now."""
        keep = self.reduced <= most
        if np.count_nonzero(keep) < WORTH_CUTTING * len(keep):
            self.domain, self.reduced = self.domain.select(keep), self.reduced[keep]
            self.places = _Places(self.domain.letters)

    def tightened(self) -> Domain:
        """Return the domain with the costs that were moved."""
        domain = self.domain
        costs = domain.costs.copy()
        for position, moved in enumerate(self.moved):
            costs += moved[domain.letters[:, position]]
        return replace(domain, costs=costs, open_letters=domain.open_letters + self.moved)

    def add(self, position: int, amount: Costs) -> None:
        """Charge `amount` (26,) per letter at a position."""
        self.moved[position] += amount
        self.open_letters[position] += amount
        self.reduced += amount.take(self.places.codes[position])

    def letter_minima(self, position: int) -> Costs:
        """Return the cost of the slot's cheapest filling for each letter at a position, shape (26,)."""
        cheapest = self.open_letters.min(axis=1)
        minima: Costs = self.open_cost + (cheapest.sum() - cheapest[position]) + self.open_letters[position]
        if len(self.reduced):
            places, present = self.places, self.places.present[position]
            words = np.minimum.reduceat(self.reduced.take(places.order[position]), places.starts[position])
            minima[present] = np.minimum(minima[present], words)
        return minima

    def minimum(self) -> float:
        """Return the cost of the slot's cheapest filling."""
        spelled = self.open_cost + float(self.open_letters.min(axis=1).sum())
        return min(spelled, float(self.reduced.min())) if len(self.reduced) else spelled


def tighten(
    domains: Sequence[Domain],
    crossings: Sequence[Sequence[Place | None]],
    limit: float = inf,
    is_over: Callable[[], bool] = never,
) -> list[Domain]:
    """Return the domains with costs moved between crossing slots; the cost of every complete filling stays the same.

    Words that cannot stand in a filling of at most `limit` (nats) may be left out. `is_over` is asked before each slot;
    stopping at any point is sound.

    `crossings[slot][position]` names the other slot through that cell, None if no other slot goes through.

    >>> across, down = Domain.of({"AB": 0.6, "CB": 0.4}), Domain.of({"CD": 0.9, "AD": 0.1})
    >>> lower = lambda ds: round(sum(float(d.costs.min()) for d in ds), 3)
    >>> tight = tighten([across, down], [[(1, 0), None], [(0, 0), None]])
    >>> lower([across, down]), lower(tight)  # the optimum is CB with CD: 0.916 + 0.105
    (0.616, 1.022)
    """
    shared: dict[int, _Places] = {}
    for domain in domains:
        if is_over():
            return list(domains)
        if id(domain.letters) not in shared:
            shared[id(domain.letters)] = _Places(domain.letters)
    columns = [_Column(domain, shared[id(domain.letters)]) for domain in domains]
    bound = sum(column.minimum() for column in columns)
    for _ in range(SWEEPS):
        if limit < inf:
            for column in columns:
                column.cut(limit - bound + column.minimum())
        for slot, column in enumerate(columns):
            if is_over():
                break
            _star(columns, column, crossings[slot])
        before, bound = bound, sum(column.minimum() for column in columns)
        closed, gap = bound - before, limit - before
        if closed < ENOUGH or (limit < inf and gap - closed > PROVABLE and closed < WORTH_GOING_ON * gap):
            break
    return [column.tightened() for column in columns]


def _star(columns: Sequence[_Column], centre: _Column, crossings: Sequence[Place | None]) -> None:
    """Move the crossing slots' costs of each letter into one slot, then return an equal share to each of them."""
    legs = [(i, columns[crossing[0]], crossing[1]) for i, crossing in enumerate(crossings) if crossing is not None]
    for i, other, j in legs:
        drawn = other.letter_minima(j)
        other.add(j, -drawn)
        centre.add(i, drawn)
    shares = [centre.letter_minima(i) / (len(legs) + 1) for i, _, _ in legs]
    for (i, other, j), share in zip(legs, shares, strict=True):
        centre.add(i, -share)
        other.add(j, share)


def cut(domains: Sequence[Domain], crossings: Sequence[Sequence[Place | None]], limit: float) -> list[Domain]:
    """Return the domains without the words that stand in no filling of at most `limit`.

    A word is dropped if it alone raises the sum of the cheapest above the limit, or if one of its letters does so
    together with the cheapest word that takes this letter in the crossing slot.

    >>> across, down = Domain.of({"AB": 0.6, "CB": 0.4}), Domain.of({"CD": 0.9, "AD": 0.1})
    >>> [len(domain) for domain in cut([across, down], [[(1, 0), None], [(0, 0), None]], 1.5)]
    [1, 1]
    """
    least = [domain.least() for domain in domains]
    room = limit - sum(least)
    domains = [domain.select(domain.costs <= low + room) for domain, low in zip(domains, least, strict=True)]
    for _ in range(CUT_PASSES):
        least = [domain.least() for domain in domains]
        room = limit - sum(least)
        for slot, across in enumerate(crossings):
            for i, crossing in enumerate(across):
                if crossing is None or crossing[0] < slot:
                    continue  # nothing crosses, or the crossing was handled from the other side
                other, j = crossing
                rise = domains[slot].letter_minima(i) - least[slot] + domains[other].letter_minima(j) - least[other]
                for index, position in ((slot, i), (other, j)):
                    keep = (rise <= room)[domains[index].letters[:, position]]
                    if not keep.all():
                        domains[index] = domains[index].select(keep)
    return domains
