"""The crossword: fill a grid so that the sum of its slots' costs is least, and prove it.

The cost of a word is -log p(word | clue), so the cheapest filling is the most probable one. `fill` tightens the
domains, cuts them to what a filling near the bound can use, and runs the core's best-first search over partial
fillings: cell by cell, the clearest decision first. Because the bound never overestimates, the first filling found
is the best one there is. If clues say so little that this takes long, partial fillings are first extended layer by
layer, thousands at a time, and best-first search then only has to prove the result. A filling that is known already,
from `believe`, limits all of this from the start; if the bound is far below it, nothing can be proved, and it stays.
If the budget runs out, the search becomes coarser: the last layers are narrow and quickly done, but the grid is filled.

Roads not taken: branching slot by slot (a node writes many cells, but has hundreds of children), integer programming
(no answer in 24 s on lists of 1,000), a depth-first dive for a first filling (on flat distributions its filling is
tens of nats worse than that of the layers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from agent.core import Budget, OnEvent, Outcome, Termination
from agent.core.outcome import ignore
from agent.core.search import UNLIMITED
from agent.grid import Grid
from agent.puzzles.crossword.belief import Belief, believe
from agent.puzzles.crossword.board import SHORT, Board, State
from agent.puzzles.crossword.domain import FORBIDDEN, Domain, own_answers
from agent.puzzles.crossword.exact import best_first_over, is_filling, is_goal, priority, render, start, successors
from agent.puzzles.crossword.filling import SAME, Fill, Filling
from agent.puzzles.crossword.layers import Layered, layered
from agent.puzzles.crossword.tighten import PROVABLE, cut, tighten

__all__ = [
    "FORBIDDEN",
    "SAME",
    "Belief",
    "Domain",
    "Fill",
    "Filling",
    "believe",
    "fill",
    "is_filling",
    "is_goal",
    "own_answers",
    "priority",
    "render",
    "start",
    "successors",
]

SLACK = 3.0
"""Fillings this many nats (a factor of 150) less probable than the best still count for confidence; rarer ones do not
change a per cent."""

RUNNERS_UP = 2
"""Maximum number of fillings kept: further ones only respell the same doubtful corner."""

FEW_EXPANSIONS = 12
"""Expansions of the first, plain best-first search: enough if clues say much, and then nothing else is needed."""

NARROW, WIDE = 400, 6000
"""Partial fillings per layer if best-first search alone is not enough: first for any filling at all, whose cost then
limits the second pass. On our minis from the lexicon alone, four times the width changed no filling."""

NARROWEST, COARSE_WORDS = 40, 400
"""Partial fillings per layer, and words per slot, when the time is up: a filling of some kind in a fraction of a
second."""

PROOF_REACH = 2.0
"""Maximum gap (nats) between the best filling and one possibly missed for which a proof is tried: a wider one takes
minutes to close."""

PROOF_EXPANSIONS = 20
"""Expansions of that try: about 0.2 s if all words of a length compete."""

FINDING_EXPANSIONS = 200
"""Expansions of a last try if not even narrow layers found a filling: seconds on a mini. Beyond them, the posterior has
as good a grid to show."""

FEW_WORDS = 20_000
"""Words that the cost of a known filling leaves in all slots up to which the others are cut before anything else: if it
leaves more, cutting takes longer than it saves."""

LONG_ROOM = 4.0
"""Room up to which long lists are searched like that before layers are used instead; at once if a known filling is more
than `FIRST_ROOM` away."""

MET = 0.1
"""Nats from the bound to a known filling below which the two meet."""

WIDEST_ROOM = 64.0
"""Room after which the next limit only asks whether any filling exists."""

FIRST_ROOM = 1.0
"""Nats above the lower bound that the first limit allows; it doubles until a filling is found. Short lists start with
eight times as much: a search over few words is cheap, a restart is not."""


def fill(
    grid: Grid,
    domains: Mapping[str, Domain],
    *,
    known: Filling | None = None,
    budget: Budget = UNLIMITED,
    slack: float = SLACK,
    count: int = RUNNERS_UP,
    on_event: OnEvent = ignore,
) -> Fill:
    """Fill a grid at the least total cost (nats), given a domain per slot name.

    Letters that stand in the grid stay. A filling that is `known` bounds the cost of those that are looked for, and is
    returned if no cheaper one is found; also if no proof of it is in reach. Fillings within `slack` of the best are
    found as well, at most `count`. When the budget runs out, the grid is still filled if possible, only less well.
    Raises KeyError if a slot has no domain.

    >>> grid = Grid.parse("..\\n..")
    >>> lists = {"1A": ["AB", "CB"], "3A": ["AD", "DA"], "1D": ["CD", "AA"], "2D": ["BA"]}
    >>> found = fill(grid, {slot: Domain.of(words) for slot, words in lists.items()})
    >>> print(found.fillings[0].grid, found.proved)
    C B
    D A True
    """
    given = [domains[slot.name] for slot in grid.slots]
    search = _Search(grid, budget, slack if count > 1 else 0.0, count, on_event)
    limit = known.cost + search.slack + SAME if known else inf
    if known and sum(map(len, given)) > SHORT and _words_within(given, limit) <= FEW_WORDS:
        given = cut(given, grid.crossings, limit)
    if sum(map(len, given)) <= SHORT:
        # Not tightened yet: the root alone decides most short lists, in less time than tightening takes.
        found = search.exact(given, None, expansions=0)
        if found is not None:
            return found
    tight = tighten(given, grid.crossings, limit, search.is_over)
    is_far = known is not None and known.cost - sum(domain.least() for domain in tight) > FIRST_ROOM
    found = None if is_far and sum(map(len, tight)) > SHORT else search.exact(tight, known, FEW_EXPANSIONS)
    return found or search.by_layers(tight, known)


def _words_within(domains: Sequence[Domain], limit: float) -> int:
    """Return how many words stay within a limit if each other slot takes its cheapest."""
    least = [domain.least() for domain in domains]
    room = limit - sum(least)
    return sum(int(np.count_nonzero(domain.costs <= low + room)) for domain, low in zip(domains, least, strict=True))


class _Search:
    """The parameters of one call of `fill`, and the total effort of its searches."""

    def __init__(self, grid: Grid, budget: Budget, slack: float, count: int, on_event: OnEvent) -> None:
        self.grid, self.budget, self.slack, self.count, self.on_event = grid, budget, slack, count, on_event
        self.expansions = self.generated = self.duplicates = 0

    def is_over(self) -> bool:
        """Return whether the budget is spent."""
        return self.budget.stop_reason(self.expansions) is not None

    def best_first(self, board: Board, expansions: float, slack: float, count: int) -> Outcome[State]:
        """Search a board for at most `expansions`, within the budget, and count those spent."""
        left = self.budget.at_most(expansions=min(expansions, self.budget.expansions - self.expansions))
        outcome = best_first_over(board, left, slack, count, self.on_event)
        self.expansions += outcome.expansions
        self.generated += outcome.generated
        self.duplicates += outcome.duplicates
        return outcome

    def found(self, outcome: Outcome[State], lower: float) -> Fill:
        """Return the fillings found, with the effort of all searches."""
        return Fill(
            fillings=tuple(Filling(render(self.grid, goal), goal.bound) for goal in outcome.goals),
            lower=lower,
            partial=self.grid if outcome.best_partial is None else render(self.grid, outcome.best_partial),
            termination=outcome.termination,
            expansions=self.expansions,
            generated=self.generated,
            duplicates=self.duplicates,
        )

    def merged(self, found: Layered, goals: Sequence[State]) -> tuple[State, ...]:
        """Return the cheapest of the fillings in layers and of others within the slack, each once."""
        states = [State(*filling, (), (), ()) for filling in zip(found.letters, found.costs, strict=True)]
        cheapest = list(dict.fromkeys(sorted((*states[: self.count], *goals), key=priority)))
        return tuple(goal for goal in cheapest[: self.count] if goal.bound <= cheapest[0].bound + self.slack + SAME)

    def exact(self, domains: list[Domain], known: Filling | None, expansions: int) -> Fill | None:
        """Return the optimum and its runners-up, found under a rising limit; None if that takes too many expansions.

        If the bound meets the cost of a known filling, the first limit is that of its runners-up.
        """
        lower = sum(domain.least() for domain in domains)
        if lower >= FORBIDDEN / 2:
            return self.found(Outcome("exhausted"), float("inf"))  # proved: some slot can take nothing
        is_long = sum(map(len, domains)) > SHORT
        room = FIRST_ROOM if is_long else 8 * FIRST_ROOM
        if known and known.cost - lower < MET:
            room = max(room, known.cost - lower + self.slack)
        while not self.is_over():
            board = Board(self.grid, domains, lower + room)
            outcome = self.best_first(board, expansions, self.slack, self.count)
            if outcome.goal is not None:
                reach = outcome.goal.bound - lower + self.slack
                if self.is_over() or (reach <= room + SAME and outcome.termination in {"found", "exhausted"}):
                    return self.found(outcome, outcome.goal.bound)
                if outcome.termination == "budget":
                    return None  # the optimum, but not yet all its runners-up
                room = reach  # once more, so that all runners-up are seen
            elif outcome.termination != "exhausted":
                return None
            elif lower + room >= FORBIDDEN / 2:
                return self.found(outcome, float("inf"))  # proved: nothing fits
            elif is_long and room >= LONG_ROOM:
                return None  # the bound is loose here, and starting over many words costs more than layers do
            else:
                room = 2 * room if room < WIDEST_ROOM else FORBIDDEN / 2 - lower
        return None

    def by_layers(self, tight: list[Domain], known: Filling | None) -> Fill:
        """Find good fillings layer by layer, then try to prove the best one within the budget."""
        lower = missed = sum(domain.least() for domain in tight)  # one that is dropped unseen costs at least this
        if known:
            goals: tuple[State, ...] = (State("".join(cell[0] for cell in known.grid.cells), known.cost, (), (), ()),)
        else:
            coarse = self.is_over()
            few = [domain.nearest(COARSE_WORDS) for domain in tight] if coarse else tight
            first = layered(self.grid, few, FORBIDDEN / 2, NARROW, narrow=NARROWEST, is_over=self.is_over)
            goals = self.merged(first, ())
            missed = lower if coarse else max(lower, first.missed)
        limit = goals[0].bound + self.slack + SAME if goals else FORBIDDEN / 2
        is_provable = known is None or limit - lower <= PROVABLE
        if is_provable and not self.is_over():
            tight = cut(tight, self.grid.crossings, limit)
            wide = layered(self.grid, tight, limit, WIDE, narrow=0 if goals else NARROWEST, is_over=self.is_over)
            goals, missed = self.merged(wide, goals), max(missed, wide.missed)
        best = goals[0].bound if goals else limit
        ended: Termination = self.budget.stop_reason(self.expansions) or (
            "found" if goals else "exhausted" if missed >= limit else "budget"
        )
        outcome: Outcome[State] = Outcome(ended, goals)
        if self.is_over() or missed >= best or (goals and best - missed > PROOF_REACH):
            return self.found(outcome, min(best, missed))
        expansions = PROOF_EXPANSIONS if goals else FINDING_EXPANSIONS
        search = self.best_first(Board(self.grid, tight, best), expansions, 0.0, 1)
        if search.goal is not None:
            better = (search.goal, *(goal for goal in goals if goal != search.goal))
            return self.found(replace(outcome, goals=better[: self.count], termination="found"), search.goal.bound)
        if search.termination == "exhausted":
            return self.found(replace(outcome, termination="found" if goals else "exhausted"), best)
        ended = search.termination if self.is_over() or not goals else "found"
        outcome = replace(outcome, best_partial=search.best_partial, termination=ended)
        return self.found(outcome, min(best, max(search.bound, missed)))
