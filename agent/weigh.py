"""From proposals to a posterior: rank, learn trust in each source, search, and choose the filling to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.candidates.provider import Question
from agent.candidates.ranking import Constants, Ranking, rank
from agent.candidates.trust import learned
from agent.candidates.words import Lexicon
from agent.core import Budget, OnEvent
from agent.core.outcome import ignore
from agent.core.search import UNLIMITED
from agent.grid import Candidate, Grid
from agent.puzzles.crossword import Belief, Fill, Filling, believe, fill

TRUST_LOOKS = 2
"""Further passes over the grid to learn trust in the sources; a third changed nothing on tuning puzzles."""


SEARCH_SHARE = 0.7
"""Share of the remaining seconds that the search may take; the later steps have to end in time as well."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A grid, weighed: one distribution per slot, the search's proof, and the posterior.

    `shown` is the filling to show, None if none is known.
    """

    ranking: Ranking
    found: Fill
    belief: Belief
    shown: Filling | None

    @property
    def grid(self) -> Grid:
        """The grid to show: the filling, else each cell's likeliest letter; unchanged if nothing was proposed."""
        if self.shown:
            return self.shown.grid
        return self.belief.cell_by_cell() if self.ranking.has_words else self.belief.grid


def weigh(
    grid: Grid,
    questions: Sequence[Question],
    proposals: Mapping[str, Iterable[Candidate]],
    lexicon: Lexicon | None,
    constants: Constants,
    *,
    budget: Budget = UNLIMITED,
    on_event: OnEvent = ignore,
) -> Weighed:
    """Rank the candidates and weigh the fillings; a source whose lists fail to cross is trusted less."""
    fitted, listed = constants, {slot: tuple(candidates) for slot, candidates in proposals.items()}
    ranking = rank(questions, listed, lexicon, constants)
    belief = believe(grid, ranking.domains, budget)
    for _ in range(TRUST_LOOKS):
        better = None if budget.is_over() else learned(ranking, belief, constants, fitted)
        if better is None:
            break
        constants = better
        ranking = rank(questions, listed, lexicon, constants)
        belief = believe(grid, ranking.domains, budget, before=belief)
    return settle(grid, ranking, belief, budget=budget, on_event=on_event)


def settle(
    grid: Grid, ranking: Ranking, belief: Belief, *, budget: Budget = UNLIMITED, on_event: OnEvent = ignore
) -> Weighed:
    """Search unless the case is clear, add the fillings found to the belief, and choose the one to show."""
    found = belief.found
    if found is None:
        known = next(iter(belief.fillings(1)), None)
        left = budget.at_most(share=SEARCH_SHARE)
        found = fill(grid, ranking.domains, known=known, budget=left, on_event=on_event)
        belief = belief.including(found.fillings)
    return Weighed(ranking, found, belief, belief.best() if ranking.has_words else None)
