"""Small cases, made by hand: what a proof, a limit and a clear case mean."""

from __future__ import annotations

import numpy as np
import pytest

from agent.grid import Grid
from agent.puzzles.crossword import FORBIDDEN, Domain, Fill, Filling, believe
from agent.puzzles.crossword.domain import cheapest
from agent.puzzles.crossword.tighten import cut


def test_only_a_filling_that_costs_the_least_possible_is_proved():
    grid = Grid.blank(2, 2)
    fillings = (Filling(grid, 3.0), Filling(grid, 4.0))
    assert [Fill(fillings, lower, grid, "found").proved for lower in (2.9, 3.0)] == [False, True]
    assert not Fill((), 3.0, grid, "exhausted").proved


def test_words_of_a_filling_that_costs_just_the_limit_are_kept():
    free = np.zeros((2, 26))
    across = Domain(np.array([[0, 1], [2, 1]], np.uint8), np.array([1.0, 2.0]), FORBIDDEN, free)
    down = Domain(np.array([[2, 3], [0, 3]], np.uint8), np.array([1.0, 4.0]), FORBIDDEN, free)
    crossings = [[(1, 0), None], [(0, 0), None]]
    assert [len(domain) for domain in cut([across, down], crossings, 3.0)] == [1, 1]
    assert [len(domain) for domain in cut([across, down], crossings, 5.0)] == [2, 2]


def test_a_filling_far_above_the_lower_bound_is_not_clear():
    lists = {"1A": {"AB": 0.99, "CB": 0.01}, "3A": {"DA": 0.9}, "1D": {"CD": 0.99, "AD": 1e-9}, "2D": {"BA": 0.9}}
    belief = believe(Grid.blank(2, 2), {slot: Domain.of(words) for slot, words in lists.items()})
    assert belief.found is None
    assert belief.best().grid.rows == ("CB", "DA")


def test_if_every_filling_is_rare_the_one_with_most_likely_letters_is_shown():
    words = {"AAA": 0.09} | {f"B{second}{third}": 0.08 for second in "CDE" for third in "FGHI"}
    best = believe(Grid.blank(3, 1), {"1A": Domain.of(words)}).best()
    assert best.grid.rows[0][0] == "B"


def test_words_that_their_own_clues_all_but_exclude_count_if_no_others_cross():
    likely, rare = {"AB": 0.9, "AE": 0.1}, 1e-9
    down = {"1D": {"CF": 0.5, "EF": 0.4}, "2D": {"DG": 0.9}}
    lists = {"1A": likely | {"CD": rare, "ED": rare}, "3A": {"FG": 0.9}, **down}
    belief = believe(Grid.blank(2, 2), {slot: Domain.of(words, open_cost=60.0) for slot, words in lists.items()})
    assert belief.sample.log_total == pytest.approx(np.log(rare * 0.9 * (0.5 + 0.4) * 0.9), abs=0.01)


def test_two_fillings_that_both_count_are_not_clear():
    lists = {"1A": {"AB": 0.5, "CB": 0.4}, "3A": {"DA": 0.9}, "1D": {"CD": 0.5, "AD": 0.5}, "2D": {"BA": 0.9}}
    domains = {slot: Domain.of(words, open_cost=20.0) for slot, words in lists.items()}
    belief = believe(Grid.blank(2, 2), domains)
    assert belief.found is None
    assert [round(belief.share(filling.cost), 2) for filling in belief.fillings(2)] == [0.56, 0.44]


@pytest.mark.parametrize("values", [1, 2, 50, 10**6])
@pytest.mark.parametrize("count", [1, 6, 400, 1000])
def test_the_cheapest_of_many_costs_are_found_whatever_the_ties(count, values):
    costs = np.random.default_rng(count).integers(0, values, 5000).astype(float)
    found = cheapest(costs, count)
    assert len(set(found.tolist())) == count
    assert costs[found].max() <= np.delete(costs, found).min()
