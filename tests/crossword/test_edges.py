"""The crossword search at its edges: the largest grids, the smallest, no time, no slot, no domain."""

from __future__ import annotations

import threading
from math import log

import numpy as np
import pytest

from agent.core import Budget
from agent.grid import BLOCK, MAX_SIDE, Grid
from agent.puzzles.crossword import Domain, believe, fill, is_filling
from agent.puzzles.crossword.domain import LETTERS


def test_the_largest_grid_is_filled_if_its_slots_say_enough():
    grid = Grid.parse("\n".join(("." * 29 + BLOCK, "#" * 30) * 15))
    rng = np.random.default_rng(1)
    domains = {
        slot.name: Domain.of({"".join(rng.choice(list(LETTERS), len(slot))): p for p in (0.9, 0.01)}, 50.0)
        for slot in grid.slots
    }
    found = fill(grid, domains)
    assert found.proved
    assert [found.fillings[0].grid.answer(slot) for slot in grid.slots] == [d.word(0) for d in domains.values()]


def test_the_largest_open_grid_ends_within_its_budget():
    grid = Grid.blank(MAX_SIDE, MAX_SIDE)
    rng = np.random.default_rng(2)
    domains = {
        slot.name: Domain.of(["".join(rng.choice(list("AEST"), len(slot))) for _ in range(8)], 5.0)
        for slot in grid.slots
    }
    found = fill(grid, domains, budget=Budget(expansions=1))
    assert found.termination == "budget"
    assert found.partial.blocks == grid.blocks


@pytest.mark.parametrize("text", ["..", ".\n.", "..#\n###", "#.\n#.", "A.", "AB"])
def test_grids_of_one_slot_take_its_best_word(text):
    grid = Grid.parse(text)
    (slot,) = grid.slots
    found = fill(grid, {slot.name: Domain.of({"AB": 0.4, "CD": 0.5})})
    assert found.fillings[0].grid.answer(slot) == ("CD" if "A" not in grid.cells else "AB")
    assert found.proved
    assert found.fillings[0].cost == pytest.approx(-log(0.5 if "A" not in grid.cells else 0.4))
    assert believe(grid, {slot.name: Domain.of({"AB": 0.4, "CD": 0.5})}).words[slot.name].sum() == pytest.approx(1)


@pytest.mark.parametrize("text", [".", "#", ".#.\n###"])
def test_grids_without_a_slot_are_full_already(text):
    found = fill(Grid.parse(text), {})
    assert (found.proved, found.fillings[0].cost) == (True, 0)
    assert believe(Grid.parse(text), {}).letters == {}


def hard() -> tuple[Grid, dict[str, Domain]]:
    """Return a 5x5 whose words are all equally likely: best-first search has many states to expand."""
    grid = Grid.blank(5, 5)
    rng = np.random.default_rng(3)
    words = ["".join(word) for word in rng.choice(list("AEINORST"), (2000, 5))]
    return grid, {slot.name: Domain.of(list(dict.fromkeys(words)), 9.0) for slot in grid.slots}


def test_a_cancelled_search_says_so_and_fills_the_grid():
    grid, domains = hard()
    stop = threading.Event()
    stop.set()
    found = fill(grid, domains, budget=Budget(cancelled=stop.is_set))
    assert found.termination == "cancelled"
    assert is_filling(grid, "".join(found.fillings[0].grid.cells))


def test_a_spent_budget_is_reported_and_the_grid_still_filled():
    grid, domains = hard()
    found = fill(grid, domains, budget=Budget(expansions=3))
    assert found.termination == "budget"
    assert found.expansions <= 3
    assert is_filling(grid, "".join(found.fillings[0].grid.cells))


def test_a_slot_without_a_domain_is_named():
    with pytest.raises(KeyError, match="1D"):
        fill(Grid.blank(2, 2), {"1A": Domain.of(["AB"]), "3A": Domain.of(["AB"])})
