"""Best-first search over partial fillings of a board: the functions that the core calls, and the call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from agent.core import Budget, OnEvent, Outcome, best_first
from agent.core.outcome import ignore
from agent.grid import EMPTY, Grid
from agent.puzzles.crossword.board import Board, State
from agent.puzzles.crossword.domain import FORBIDDEN


def start(board: Board) -> State | None:
    """Return the first state, the given letters and all that follows from them; None if nothing fits."""
    return board.root()


def successors(board: Board, state: State) -> Iterator[State]:
    """Yield the states one decision on from a state.

    A state is settled when it is expanded, not when it is generated, since most are never expanded.
    """
    settled = board.settle(state)
    if settled is None:
        return
    if settled.letters != state.letters and is_goal(board, settled):
        yield settled
    elif EMPTY in settled.letters:
        yield from board.branches(settled)


def is_goal(board: Board, state: State) -> bool:
    """Return whether a state is complete: every cell of a slot filled, and no answer twice."""
    return is_filling(board.grid, state.letters)


def is_filling(grid: Grid, letters: str) -> bool:
    """Return whether letters, one per cell, fill every slot, and no two slots alike.

    >>> is_filling(Grid.blank(2, 2), "ABBA"), is_filling(Grid.blank(2, 2), "ABCD")
    (False, True)
    """
    answers = ["".join(letters[cell] for cell in slot.cells) for slot in grid.slots]
    return len(set(answers)) == len(answers) and not any(EMPTY in answer for answer in answers)


def priority(state: State) -> float:
    """Return the lower bound of every filling that completes a state."""
    return state.bound


def render(grid: Grid, state: State) -> Grid:
    """Draw a state on its grid."""
    return replace(grid, cells=tuple(state.letters))


def best_first_over(
    board: Board, budget: Budget, slack: float, count: int, on_event: OnEvent = ignore
) -> Outcome[State]:
    """Find the cheapest fillings of a board, at most `count`, each within `slack` nats of the first."""
    root = start(board)
    if root is None or root.bound >= FORBIDDEN / 2:  # a grid that was already full may break the rules
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
