"""The crossword: fill a grid so that the sum of its slots' costs is least, and prove it.

The cost of a word is -log p(word | clue), so the cheapest filling is the most probable one. `fill` tightens the
domains, cuts them to what a filling near the bound can use, and runs the core's best-first search over partial
fillings: cell by cell, the clearest decision first. Because the bound never overestimates, the first filling found
is the best one there is. Where clues say so little that this takes long, partial fillings are first taken layer by
layer, thousands at a time, and best-first search then only has to prove the result.

Roads not taken: branching slot by slot (a node writes many cells, but has hundreds of children), integer programming
(no answer in 24 s on lists of 1,000), a depth-first dive for a first filling (on flat distributions its filling is
tens of nats worse than that of the layers).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from agent.core import Budget, OnEvent, Outcome, best_first
from agent.core.outcome import ignore
from agent.core.search import UNLIMITED
from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.belief import Belief, believe
from agent.puzzles.crossword.board import Board, State, crossings_by_slot
from agent.puzzles.crossword.domain import FORBIDDEN, Domain
from agent.puzzles.crossword.layers import layered
from agent.puzzles.crossword.tighten import cut, tighten

__all__ = [
    "FORBIDDEN",
    "Belief",
    "Domain",
    "Fill",
    "Filling",
    "believe",
    "fill",
    "is_goal",
    "priority",
    "render",
    "start",
    "successors",
]

SLACK = 3.0
"""Fillings this many nats (a factor of 150) less probable than the best still count for confidence; rarer ones do not
change a per cent."""

RUNNERS_UP = 2
"""Most fillings that are kept: beyond it the alternatives are spellings of the same doubtful corner."""

FEW_EXPANSIONS = 12
"""Expansions of the first, plain best-first search: enough where clues say much, and then nothing else is needed."""

NARROW, WIDE = 400, 6000
"""Partial fillings a layer when best-first search alone is not enough: first for any filling at all, whose cost then
limits the second pass. On our minis from the lexicon alone, four times the width changed no filling."""

PROOF_EXPANSIONS = 150
"""Expansions that are spent on proving a filling which the layers could not prove; about a second at worst."""

LOOSE_WORDS = 600
"""Words in all slots together up to which a search without tightening is tried first: short lists mostly settle by
themselves, in less time than tightening takes."""

LOOSE_EXPANSIONS = 0
"""Expansions of that first try."""

FIRST_ROOM = 1.0
"""Nats above the lower bound, that the first limit allows; it doubles until a filling is found."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A complete filling and its cost in nats."""

    grid: Grid
    cost: float


@dataclass(frozen=True, slots=True)
class Fill:
    """What `fill` found: fillings, cheapest first, the proof, and what it cost.

    `lower` is the least that any filling costs: with `proved` the first filling is the optimum. `partial` is the
    furthest state where there is no filling.
    """

    fillings: tuple[Filling, ...]
    lower: float
    partial: Grid
    outcome: Outcome[State]

    @property
    def proved(self) -> bool:
        """True when no filling is cheaper than the first."""
        return bool(self.fillings) and self.fillings[0].cost <= self.lower + 1e-6

    @property
    def gap(self) -> float:
        """How much cheaper (nats) a filling that was not found might be; infinite where none was found."""
        return max(0.0, self.fillings[0].cost - self.lower) if self.fillings else float("inf")


def start(board: Board) -> State | None:
    """Return the first state: the given letters and all that follows from them; None where nothing fits."""
    return board.root()


def successors(board: Board, state: State) -> Iterator[State]:
    """Yield the states one decision on from a state.

    A state is settled when it is taken up, not when it is generated, since most are never taken up.
    """
    settled = board.settle(state)
    if settled is None:
        return
    if settled.letters != state.letters and is_goal(board, settled):
        yield settled
    elif EMPTY in settled.letters:
        yield from board.branches(settled)


def is_goal(board: Board, state: State) -> bool:
    """Say whether a state is complete: every cell of a slot filled, and no answer twice."""
    if any(letter == EMPTY and board.through[cell] for cell, letter in enumerate(state.letters)):
        return False
    answers = ["".join(state.letters[cell] for cell in slot.cells) for slot in board.slots]
    return len(set(answers)) == len(answers)


def priority(state: State) -> float:
    """Give the lower bound of every filling that completes a state."""
    return state.bound


def render(board: Board, state: State) -> Grid:
    """Draw a state as a grid."""
    return replace(board.grid, cells=tuple(state.letters))


def fill(
    grid: Grid,
    domains: Mapping[str, Domain],
    *,
    budget: Budget = UNLIMITED,
    slack: float = SLACK,
    count: int = RUNNERS_UP,
    on_event: OnEvent = ignore,
) -> Fill:
    """Fill a grid at the least total cost (nats), given a domain per slot name.

    Letters that stand in the grid stay. Fillings within `slack` of the best are found as well, at most `count`.
    Raises KeyError where a slot has no domain.

    >>> grid = Grid.parse("..\\n..")
    >>> lists = {"1A": ["AB", "CB"], "3A": ["AD", "DA"], "1D": ["CD", "AA"], "2D": ["BA"]}
    >>> found = fill(grid, {slot: Domain.of(words) for slot, words in lists.items()})
    >>> print(found.fillings[0].grid, found.proved)
    C B
    D A True
    """
    given = [domains[slot.name] for slot in grid.slots]
    slack = slack if count > 1 else 0.0
    clock = _Clock(budget)
    if sum(map(len, given)) <= LOOSE_WORDS:
        found = _exact(grid, given, clock, slack, count, on_event, LOOSE_EXPANSIONS)
        if found is not None:
            return found
    tight = tighten(given, crossings_by_slot(grid))
    found = _exact(grid, tight, clock, slack, count, on_event, FEW_EXPANSIONS)
    return found if found is not None else _by_layers(grid, tight, clock, slack, count, on_event)


def _exact(
    grid: Grid, domains: list[Domain], clock: _Clock, slack: float, count: int, on_event: OnEvent, expansions: int
) -> Fill | None:
    """Look for the optimum and its runners-up under a rising limit; None where that takes too many expansions."""
    lower = sum(domain.least() for domain in domains)
    room = FIRST_ROOM
    while True:
        board = Board(grid, domains, lower + room)
        outcome = _best_first(board, clock.left(expansions), slack, count, on_event)
        clock.spend(outcome)
        if outcome.goal is not None:
            reach = outcome.goal.bound - lower + slack
            if reach <= room + 1e-9 or outcome.termination in {"budget", "cancelled"}:
                return _found(board, outcome, outcome.goal.bound, clock)
            room = reach  # once more, so that all runners-up are seen
        elif outcome.termination != "exhausted":
            return _found(board, outcome, outcome.bound, clock) if clock.is_over else None
        elif room > FORBIDDEN * (len(domains) + 1):
            return _found(board, outcome, float("inf"), clock)  # proved: nothing fits
        else:
            room *= 2


def _by_layers(grid: Grid, tight: list[Domain], clock: _Clock, slack: float, count: int, on_event: OnEvent) -> Fill:
    """Find good fillings layer by layer, then prove the best of them for as long as the budget lasts."""
    crossings = crossings_by_slot(grid)
    first = layered(grid, tight, float("inf"), NARROW)
    limit = (first.costs[0] if first.costs else FORBIDDEN * (len(tight) + 1)) + slack
    tight = cut(tight, crossings, limit)
    second = layered(grid, tight, limit, WIDE)
    board = Board(grid, tight, limit)
    states = [State(letters, cost, (), (), ()) for letters, cost in zip(second.letters, second.costs, strict=True)]
    goals = tuple(state for state in states if is_goal(board, state))[:count]
    outcome: Outcome[State] = Outcome("solved" if goals else "exhausted", goals, bound=second.missed)
    best = goals[0].bound if goals else limit
    if second.missed >= best:
        return _found(board, outcome, best, clock)
    search = _best_first(Board(grid, tight, best), clock.left(PROOF_EXPANSIONS), 0.0, 1, on_event)
    clock.spend(search)
    if search.goal is not None:
        better = (search.goal, *(goal for goal in goals if goal != search.goal))
        return _found(board, replace(outcome, goals=better[:count]), search.goal.bound, clock)
    if search.termination == "exhausted":
        return _found(board, outcome, best, clock)
    lower = max(sum(domain.least() for domain in tight), min(search.bound, best))
    ended = search.termination if clock.is_over or not goals else "solved"
    outcome = replace(outcome, best_partial=search.best_partial, termination=ended)
    return _found(board, outcome, lower, clock)


class _Clock:
    """What is left of a budget that several searches share, and what they spent together."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.started = time.perf_counter()
        self.expansions = self.generated = self.duplicates = 0

    def left(self, most: float = float("inf")) -> Budget:
        """Give what is left, at most so many expansions."""
        seconds = self.budget.seconds - (time.perf_counter() - self.started)
        return replace(self.budget, seconds=seconds, expansions=min(most, self.budget.expansions - self.expansions))

    def spend(self, outcome: Outcome[State]) -> None:
        """Count what a search did."""
        self.expansions += outcome.expansions
        self.generated += outcome.generated
        self.duplicates += outcome.duplicates

    @property
    def is_over(self) -> bool:
        """True when nothing is left."""
        return self.budget.stop_reason(self.expansions, self.started) is not None


def _best_first(board: Board, budget: Budget, slack: float, count: int, on_event: OnEvent) -> Outcome[State]:
    root = start(board)
    if root is None:
        return Outcome("exhausted")
    return best_first(
        root,
        partial(successors, board),
        partial(is_goal, board),
        priority,
        budget=budget,
        count=count,
        slack=slack,
        on_event=on_event,
    )


def _found(board: Board, outcome: Outcome[State], lower: float, clock: _Clock) -> Fill:
    return Fill(
        fillings=tuple(Filling(render(board, goal), goal.bound) for goal in outcome.goals),
        lower=lower,
        partial=board.grid if outcome.best_partial is None else render(board, outcome.best_partial),
        outcome=replace(
            outcome,
            expansions=clock.expansions,
            generated=clock.generated,
            duplicates=clock.duplicates,
            seconds=time.perf_counter() - clock.started,
        ),
    )
