"""Tighten: move costs between crossing slots until the sum of each slot's cheapest word is a strong lower bound.

"Each slot takes its cheapest word" ignores that crossing slots must agree. But a cell's letter may be charged in
either of its two slots: adding any amount per letter to one and taking it from the other changes no filling's total.
Block-coordinate ascent over these amounts (max-product linear programming in its star form, Globerson and Jaakkola
2007; "soft arc consistency" in the constraint literature, Cooper et al. 2010) raises the bound at every step. On
minis it mostly meets the optimum, so that the search only has to write it down.

Hardly any of a slot's 40,000 words matters for what to move: so the sweeps see the few cheapest alone, and what they
move is then charged to all words (as columns are generated for a large linear program). Words that turn out to be
cheaper than those that were seen are among the few of the next round. Whatever is moved, the bound holds, for it is
always that of all words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from agent.core.outcome import never
from agent.grid import Place
from agent.puzzles.crossword.domain import FORBIDDEN, Costs, Domain

NEAREST = 1000
"""Words per slot, the cheapest ones, that the sweeps see: with 300 more rounds are needed, with 3000 longer sweeps."""

ROUNDS = 6
"""Maximum number of rounds; two mostly do: one that moves, and one that finds nothing more to be moved."""

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
"""Largest share of the words that stays, so that leaving out the others is worth it."""

CUT_PASSES = 2
"""Passes over all crossings when domains are cut to a limit, if the first was worth it; a third rarely finds more."""


class _Column:
    """A few words of one slot during the sweeps: their present cost, and their places by letter and position."""

    def __init__(self, domain: Domain) -> None:
        self.costs = domain.costs.copy()
        self.open_cost = domain.open_cost
        self.open_letters = domain.open_letters.copy()
        self.letters = domain.letters.T.astype(np.intp)
        self.order = np.argsort(domain.letters.T, axis=1, kind="stable")  # of bytes: a radix sort
        ordered = np.take_along_axis(self.letters, self.order, axis=1)
        self.starts = [np.flatnonzero(np.diff(row, prepend=-1)) for row in ordered]
        self.present = [row[starts] for row, starts in zip(ordered, self.starts, strict=True)]

    def add(self, position: int, amount: Costs) -> None:
        """Charge `amount` (26,) per letter at a position."""
        self.open_letters[position] += amount
        self.costs += amount.take(self.letters[position])

    def letter_minima(self, position: int) -> Costs:
        """Return the cost of the slot's cheapest filling for each letter at a position, shape (26,)."""
        cheapest = self.open_letters.min(axis=1)
        minima: Costs = self.open_cost + (cheapest.sum() - cheapest[position]) + self.open_letters[position]
        if len(self.costs):
            present = self.present[position]
            words = np.minimum.reduceat(self.costs.take(self.order[position]), self.starts[position])
            minima[present] = np.minimum(minima[present], words)
        return minima

    def minimum(self) -> float:
        """Return the cost of the slot's cheapest filling."""
        return float(self.costs.min(initial=self.open_cost + float(self.open_letters.min(axis=1).sum())))


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
    tight = list(domains)
    loose = bound = sum(domain.least() for domain in domains)
    for _ in range(ROUNDS):
        if is_over():
            break
        columns = [_Column(_few(domain)) for domain in tight]
        reach = _sweep(columns, crossings, limit, is_over)
        tight = [_charged(domain, column.open_letters) for domain, column in zip(tight, columns, strict=True)]
        least = [domain.least() for domain in tight]
        before, bound = bound, sum(least)
        if limit < inf:
            tight = [_cut_to(domain, limit - bound + low) for domain, low in zip(tight, least, strict=True)]
        # Words that were not seen may bring the bound below that of the round before: the next round sees them.
        if reach - bound < ENOUGH or 0 <= bound - before < ENOUGH or PROVABLE < limit - reach < inf:
            break
    return tight if bound >= loose else list(domains)


def _few(domain: Domain) -> Domain:
    """Return a domain with the words that the sweeps see.

    They see all of a slot that cannot be left open: a letter that only words they do not see have would be impossible.
    """
    return domain.nearest(NEAREST) if domain.open_cost < FORBIDDEN else domain


def _sweep(
    columns: Sequence[_Column],
    crossings: Sequence[Sequence[Place | None]],
    limit: float,
    is_over: Callable[[], bool],
) -> float:
    """Move costs between the columns in place until it hardly raises their bound, and return that bound."""
    bound = sum(column.minimum() for column in columns)
    for _ in range(SWEEPS):
        for slot, column in enumerate(columns):
            if is_over():
                break
            _star(columns, column, crossings[slot])
        before, bound = bound, sum(column.minimum() for column in columns)
        closed, gap = bound - before, limit - before
        if closed < ENOUGH or (limit < inf and gap - closed > PROVABLE and closed < WORTH_GOING_ON * gap):
            break
    return bound


def _star(columns: Sequence[_Column], centre: _Column, crossings: Sequence[Place | None]) -> None:
    """Move the crossing slots' costs of each letter into one slot, then return an equal share to each of them."""
    legs = [(i, columns[crossing[0]], crossing[1]) for i, crossing in enumerate(crossings) if crossing is not None]
    drawn = [other.letter_minima(j) for _, other, j in legs]
    for (i, _, _), amount in zip(legs, drawn, strict=True):
        centre.add(i, amount)
    shares = [centre.letter_minima(i) / (len(legs) + 1) for i, _, _ in legs]
    for (i, other, j), amount, share in zip(legs, drawn, shares, strict=True):
        centre.add(i, -share)
        other.add(j, share - amount)


def _charged(domain: Domain, open_letters: Costs) -> Domain:
    """Return a domain with words charged per letter what an answer in no list was: that now costs `open_letters`."""
    costs = domain.costs.copy()
    for position, amount in enumerate(open_letters - domain.open_letters):
        costs += amount.take(domain.letters[:, position])
    return replace(domain, costs=costs, open_letters=open_letters)


def _cut_to(domain: Domain, most: float) -> Domain:
    """Leave out the words that cost more than `most`, if they are worth leaving out."""
    keep = domain.costs <= most
    return domain.select(keep) if np.count_nonzero(keep) < WORTH_CUTTING * len(keep) else domain


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
        before = sum(map(len, domains))
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
        if sum(map(len, domains)) > WORTH_CUTTING * before:
            break
    return domains
