"""The crossword: fill a grid so that the sum of its slots' costs is least, and prove it.

The cost of a word is -log p(word | clue), so the cheapest filling is the most probable one. `fill` tightens the
domains, cuts them to what a filling near the bound can use, and runs the core's best-first search over partial
fillings: cell by cell, the clearest decision first. Because the bound never overestimates, the first filling found
is the best one there is; the next ones are the runners-up, from which confidence is computed.

Roads not taken: slot by slot branching (ten times the nodes on lists of 1,000), integer programming (no answer in
24 s on such lists), beam search over cells (fast, proves nothing).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from agent.core import Budget, OnEvent, Outcome, best_first, depth_first
from agent.core.outcome import ignore
from agent.core.search import UNLIMITED
from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.belief import Belief, believe
from agent.puzzles.crossword.board import Board, State, crossings_by_slot
from agent.puzzles.crossword.domain import FORBIDDEN, Domain
from agent.puzzles.crossword.tighten import tighten

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

EXACT_EXPANSIONS = 1500
"""Expansions after which a search that has found nothing dives for any filling first, to have one to show and to cut
by: a 5x5 needs a few dozen, only large or hopeless grids get here."""

LOOSE_WORDS = 600
"""Words in all slots together up to which a search without tightening is tried first: short lists mostly settle by
themselves, in less time than tightening takes."""

LOOSE_EXPANSIONS = 0
"""Expansions of that first try."""

FIRST_ROOM = 1.0
"""Nats above the lower bound, that the first limit allows; it doubles until a filling is found."""

DIVE_EXPANSIONS = 4000
"""Expansions of that dive."""


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
        if isinstance(found, Fill):
            return found
    tight = tighten(given, crossings_by_slot(grid))
    found = _exact(grid, tight, clock, slack, count, on_event, EXACT_EXPANSIONS)
    return found if isinstance(found, Fill) else _anytime(grid, tight, clock, slack, count, on_event)


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


def _anytime(grid: Grid, tight: list[Domain], clock: _Clock, slack: float, count: int, on_event: OnEvent) -> Fill:
    """Find any filling by a dive, then improve on it for as long as the budget lasts."""
    board = Board(grid, tight, float("inf"))
    dive = _depth_first(board, clock.left(DIVE_EXPANSIONS), on_event)
    clock.spend(dive)
    if dive.goal is not None:
        board = Board(grid, tight, dive.goal.bound)
    outcome = _best_first(board, clock.left(), slack, count, on_event)
    clock.spend(outcome)
    if outcome.goal is not None:
        return _found(board, outcome, outcome.goal.bound, clock)
    return _found(board, replace(outcome, goals=dive.goals), outcome.bound, clock)


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


def _depth_first(board: Board, budget: Budget, on_event: OnEvent) -> Outcome[State]:
    root = start(board)
    if root is None:
        return Outcome("exhausted")
    return depth_first(root, partial(successors, board), partial(is_goal, board), budget=budget, on_event=on_event)


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
