"""The clear case: short lists that agree on one filling, weighed by the search alone.

Lists of a good model mostly leave one filling that is far more probable than all others. The search then needs a few
steps to see every filling up to a limit, and to prove that there are no others below it. Belief propagation and layers
of partial fillings would find the same, in eight times the time. If more than one filling counts, or an answer is in no
list, the case is not clear, and :mod:`agent.puzzles.crossword.belief` goes the long way.

Every filling of at most the lower bound + ROOM was seen; the total weight of costlier ones is not known. It is taken as
e^-HOPELESS of the best, which is also the least that a sample reports as missed. On recorded lists the long way finds
between 1 and 2 times that. As their number grows with the grid, only minis are tried.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agent.core import Budget
from agent.grid import Grid
from agent.puzzles.crossword.board import SHORT, Board, State
from agent.puzzles.crossword.domain import LETTERS, Domain
from agent.puzzles.crossword.exact import best_first_over, render
from agent.puzzles.crossword.filling import Fill, Filling
from agent.puzzles.crossword.sample import HOPELESS, Sample

LARGEST = 49
"""Cells of the largest grid tried, 7x7: few larger ones were compared with the long way."""

ROOM = HOPELESS + 2.0
"""Nats above the lower bound up to which every filling is looked for: as the best one may cost two more than the bound,
all others that matter are seen."""

FEW_EXPANSIONS = 4
"""Expansions after which a case is not clear: most clear ones need none, the others soon cost more than they save."""

MOST = 50
"""Fillings after which a case is not clear."""

CERTAIN = 0.99
"""Share of all fillings that the best one has in a clear case. So its runners-up are too rare to be listed."""


def clear_case(grid: Grid, domains: Sequence[Domain], budget: Budget) -> tuple[Fill, Sample] | None:
    """Return the best filling with its proof, and the sample of all that matter; None if the case is not clear."""
    if not domains or len(grid.cells) > LARGEST or sum(map(len, domains)) > SHORT or budget.is_over():
        return None
    lower = sum(domain.least() for domain in domains)
    board = Board(grid, domains, lower + ROOM)
    outcome = best_first_over(board, budget.at_most(expansions=FEW_EXPANSIONS), HOPELESS, MOST)
    best = outcome.goal
    is_whole = outcome.termination == "exhausted" or (outcome.termination == "found" and len(outcome.goals) < MOST)
    if best is None or not is_whole or best.bound + HOPELESS > lower + ROOM:
        return None
    goals = [goal for goal in outcome.goals if goal.bound <= best.bound + HOPELESS]
    sample = _sample(board, goals)
    if sample.shares()[0] < CERTAIN or -1 in sample.words[0]:
        return None
    filling = Filling(render(grid, best), best.bound)
    effort = (outcome.expansions, outcome.generated, outcome.duplicates)
    return Fill((filling,), best.bound, filling.grid, outcome.termination, *effort), sample


def _sample(board: Board, goals: Sequence[State]) -> Sample:
    """Turn complete states, cheapest first, into a sample; `missed` is the least that any sample reports."""
    letters = [
        [LETTERS.find(letter) if through else -1 for letter, through in zip(goal.letters, board.through, strict=True)]
        for goal in goals
    ]
    # One word at most is left of each slot, by its number; a slot with none is spelled by its crossings.
    words = [
        [order[left.bit_length() - 1] if left else -1 for order, left in zip(board.order, goal.words, strict=True)]
        for goal in goals
    ]
    weights = -np.array([goal.bound for goal in goals])
    return Sample(np.array(letters, np.int8), np.array(words, np.intp), weights, float(weights[0]) - HOPELESS)
