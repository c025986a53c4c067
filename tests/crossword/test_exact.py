"""On small grids the crossword search finds the same fillings as brute force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from bench_search import cp_sat
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agent import cpsat
from agent.api import open_puzzle
from agent.candidates.clueset import ClueSet
from agent.candidates.ranking import rank
from agent.core import Budget
from agent.grid import BLOCK, EMPTY, Grid
from agent.puzzles.crossword import FORBIDDEN, SAME, Domain, Filling, believe, fill, is_filling
from agent.puzzles.crossword.board import SHORT
from agent.puzzles.crossword.domain import LETTERS
from agent.puzzles.crossword.layers import layered
from agent.puzzles.crossword.sample import HOPELESS
from agent.puzzles.crossword.tighten import PROVABLE, cut, tighten
from agent.questions import ask

EXAMPLES = settings(max_examples=settings.default.max_examples // 2)
"""Few, for each tries everything; no deadline, for the machine may be busy."""

MOST_FILLINGS = 1500
"""Fillings that are tried one by one; larger grids are redrawn with fewer letters."""

CLOSE = 1e-5

SETTLED = 0.01
"""What is dropped as hopeless may add up to, and a little more."""

TINY = 1e-4
"""Weight of all fillings together below which hardly anything fits: then what was dropped as hopeless matters too."""


CLEAR = 1e-5
"""Probability by which a clear case may differ from the long way."""


@pytest.fixture(scope="module")
def recorded_minis():
    """Return (grid, domain per slot) of our own minis, from the recorded clue set."""
    folder = Path(__file__).parents[2] / "data" / "minis"
    clues = ClueSet.open(folder / "minis_llm.clues.jsonl")
    cases = []
    for path in sorted(folder.glob("*.xd")):
        puzzle = open_puzzle(path)
        questions = ask(puzzle)
        cases.append((puzzle.grid, rank(questions, clues.propose(questions)).domains))
    return cases


@dataclass(frozen=True)
class Instance:
    """A grid, a domain per slot, and every filling of it over the first letters of the alphabet."""

    grid: Grid
    domains: dict[str, Domain]
    alphabet: int

    @property
    def listed(self) -> list[Domain]:
        return [self.domains[slot.name] for slot in self.grid.slots]

    def fillings(self) -> np.ndarray:
        """Every filling that keeps the given letters, shape (fillings, cells), -1 where no slot goes."""
        cells = sorted({cell for slot in self.grid.slots for cell in slot.cells})
        choices = [
            range(self.alphabet) if self.grid.cells[cell] == EMPTY else [LETTERS.index(self.grid.cells[cell])]
            for cell in cells
        ]
        every = np.array(np.meshgrid(*choices, indexing="ij")).reshape(len(cells), -1).T
        filled = np.full((len(every), len(self.grid.cells)), -1)
        filled[:, cells] = every
        return filled

    def slot_costs(self, filled: np.ndarray, domains: list[Domain]) -> np.ndarray:
        """Return the cost of each slot in each filling, listed or spelled, shape (fillings, slots)."""
        columns = []
        for slot, domain in zip(self.grid.slots, domains, strict=True):
            words = filled[:, slot.cells]
            costs = domain.open_cost + domain.open_letters[np.arange(len(slot)), words].sum(axis=1)
            if domain.open_pairs is not None:
                costs = costs + domain.open_pairs[np.arange(len(slot) - 1), words[:, :-1], words[:, 1:]].sum(axis=1)
            for letters, cost in zip(domain.letters, domain.costs, strict=True):
                costs = np.where((words == letters).all(axis=1), np.minimum(costs, cost), costs)
            columns.append(costs)
        return np.array(columns).T

    def has_duplicate(self, filled: np.ndarray) -> np.ndarray:
        """Which fillings have an answer twice, shape (fillings,)."""
        twice = np.zeros(len(filled), bool)
        for one, other in combinations(self.grid.slots, 2):
            if len(one) == len(other):
                twice |= (filled[:, one.cells] == filled[:, other.cells]).all(axis=1)
        return twice

    def legal_costs(self) -> list[float]:
        """Costs of all fillings without an answer twice and without anything forbidden, cheapest first."""
        filled = self.fillings()
        costs = self.slot_costs(filled, self.listed).sum(axis=1)[~self.has_duplicate(filled)]
        return sorted(costs[costs < FORBIDDEN].tolist())

    def cost(self, grid: Grid) -> float:
        """Return the cost of a complete grid."""
        filled = np.array([[LETTERS.find(cell) for cell in grid.cells]])
        return float(self.slot_costs(filled, self.listed).sum())


def grids(side: int = 4):
    """Small grids with blocks and a few given letters, at least one slot."""

    @st.composite
    def draw_grid(draw) -> Grid:
        width, height = draw(st.integers(1, side)), draw(st.integers(1, side))
        signs = st.sampled_from([EMPTY] * 12 + [BLOCK] * 3 + ["A"])
        grid = Grid(width, height, tuple(draw(st.lists(signs, min_size=width * height, max_size=width * height))))
        assume(grid.slots)
        return grid

    return draw_grid()


@st.composite
def instances(draw) -> Instance:
    """Random lists of random probabilities; every slot may stay open at some price, or no slot may.

    What a spelling costs may also depend on neighbouring letters.
    """
    grid = draw(grids())
    empty = sum(grid.cells[cell] == EMPTY for cell in {cell for slot in grid.slots for cell in slot.cells})
    alphabet = draw(st.sampled_from([n for n in (2, 3, 4) if n**empty <= MOST_FILLINGS] or [1]))
    assume(alphabet > 1)
    may_stay_open = draw(st.booleans())
    has_pairs = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    density = draw(st.sampled_from([0.2, 0.5, 0.9]))
    dearest = draw(st.sampled_from([6, 6, 30]))  # 30: words that only the crossings can bring in
    domains = {}
    for slot in grid.slots:
        words = np.array(np.meshgrid(*[range(alphabet)] * len(slot), indexing="ij")).reshape(len(slot), -1).T
        words = words[rng.random(len(words)) < density].astype(np.uint8)
        spelled = np.full((len(slot), 26), FORBIDDEN)
        spelled[:, :alphabet] = rng.uniform(0, 2, (len(slot), alphabet))
        open_cost = float(rng.uniform(1, 6)) if may_stay_open else FORBIDDEN
        pairs = rng.uniform(0, 3, (len(slot) - 1, 26, 26)) if has_pairs else None
        domains[slot.name] = Domain(words, rng.uniform(0.05, dearest, len(words)), open_cost, spelled, pairs)
    return Instance(grid, domains, alphabet)


@EXAMPLES
@given(instances())
def test_the_first_filling_is_the_optimum_and_proved_to_be(instance):
    expected = instance.legal_costs()
    found = fill(instance.grid, instance.domains)
    if not expected:
        assert not found.fillings or found.fillings[0].cost >= FORBIDDEN
        return
    assert found.fillings[0].cost == pytest.approx(expected[0], abs=CLOSE)
    assert found.fillings[0].cost == pytest.approx(instance.cost(found.fillings[0].grid), abs=CLOSE)
    assert found.proved
    assert found.termination in {"found", "exhausted"}


@EXAMPLES
@given(instances(), st.data(), st.floats(0, 4), st.sampled_from([0, SHORT]))
def test_a_known_filling_leads_to_the_same_proof_or_none(instance, data, slack, short):
    filled = instance.fillings()
    costs = instance.slot_costs(filled, instance.listed).sum(axis=1)
    legal = np.flatnonzero(~instance.has_duplicate(filled) & (costs < FORBIDDEN))
    assume(len(legal))
    row = data.draw(st.sampled_from(legal.tolist()))
    cells = [
        LETTERS[code] if sign == EMPTY and code >= 0 else sign
        for code, sign in zip(filled[row].tolist(), instance.grid.cells, strict=True)
    ]
    known = Filling(replace(instance.grid, cells=tuple(cells)), float(costs[row]))
    with patch("agent.puzzles.crossword.SHORT", short):
        found, alone = (fill(instance.grid, instance.domains, known=one, slack=slack) for one in (known, None))
    if found.proved:
        assert [one.cost for one in found.fillings] == pytest.approx([one.cost for one in alone.fillings], abs=CLOSE)
    else:
        assert found.fillings == (known,)
        assert known.cost - found.lower > PROVABLE - slack - CLOSE
    timeless = fill(instance.grid, instance.domains, known=known, budget=Budget(seconds=0))
    assert timeless.fillings[0].cost <= known.cost + CLOSE
    assert max(found.lower, timeless.lower) <= min(costs[legal]) + CLOSE


@EXAMPLES
@given(instances(), st.integers(1, 6), st.floats(0, 4))
def test_runners_up_are_the_next_best_within_the_slack(instance, count, slack):
    expected = instance.legal_costs()
    assume(expected)
    found = fill(instance.grid, instance.domains, count=count, slack=slack)
    near = [cost for cost in expected if cost <= expected[0] + slack - CLOSE][:count]
    costs = [filling.cost for filling in found.fillings]
    assert costs[: len(near)] == pytest.approx(near, abs=CLOSE)
    assert all(cost <= expected[0] + slack + CLOSE for cost in costs)
    assert len({filling.grid for filling in found.fillings}) == len(found.fillings) <= count


@EXAMPLES
@given(instances())
def test_fillings_keep_what_is_given_and_repeat_no_answer(instance):
    for filling in fill(instance.grid, instance.domains, count=4).fillings:
        for before, after in zip(instance.grid.cells, filling.grid.cells, strict=True):
            assert before in {EMPTY, after}
        answers = [filling.grid.answer(slot) for slot in instance.grid.slots]
        assert EMPTY not in "".join(answers)
        assert len(answers) == len(set(answers))


@EXAMPLES
@given(instances())
def test_without_a_limit_narrow_layers_still_find_a_filling(instance):
    few = {"FEW_EXPANSIONS": 0, "NARROW": 1, "WIDE": 1, "FINDING_EXPANSIONS": MOST_FILLINGS}
    with patch.multiple("agent.puzzles.crossword", **few):
        found = fill(instance.grid, instance.domains)
    assert found.termination in {"found", "exhausted"}
    assert bool(found.fillings) == bool(instance.legal_costs())


@pytest.mark.parametrize("reach", [0.0, 9.0], ids=["no proof is tried", "a proof is tried and given up"])
@EXAMPLES
@given(instance=instances())
def test_a_filling_that_layers_chose_among_few_claims_no_more_than_is_true(reach, instance):
    expected = instance.legal_costs()
    assume(expected)
    coarse = {"SHORT": 0, "FEW_EXPANSIONS": 0, "NARROW": 1, "WIDE": 1, "NARROWEST": 1}
    proof = {"PROOF_REACH": reach, "PROOF_EXPANSIONS": 1, "FINDING_EXPANSIONS": 0}
    with patch.multiple("agent.puzzles.crossword", **coarse, **proof):
        found = fill(instance.grid, instance.domains)
    assert found.lower <= expected[0] + CLOSE
    if found.fillings:
        assert found.proved == (found.fillings[0].cost <= found.lower + SAME)
    else:
        assert found.termination == "budget"


@EXAMPLES
@given(instances(), st.integers(0, 3))
def test_out_of_budget_only_the_optimum_is_called_proved(instance, expansions):
    expected = instance.legal_costs()
    assume(expected)
    found = fill(instance.grid, instance.domains, budget=Budget(expansions=expansions))
    assert found.lower <= expected[0] + CLOSE
    if found.fillings:
        assert found.fillings[0].cost >= expected[0] - CLOSE
        assert found.proved <= (found.fillings[0].cost <= expected[0] + CLOSE)
    else:
        assert found.termination == "budget"


@EXAMPLES
@given(instances())
def test_tightening_keeps_costs_and_never_lowers_the_bound(instance):
    filled = instance.fillings()
    tight = tighten(instance.listed, instance.grid.crossings)
    before = instance.slot_costs(filled, instance.listed).sum(axis=1)
    after = instance.slot_costs(filled, tight).sum(axis=1)
    assert after == pytest.approx(before, abs=CLOSE)
    lower = sum(domain.least() for domain in tight)
    assert lower >= sum(domain.least() for domain in instance.listed) - CLOSE
    assert lower <= before.min() + CLOSE


@pytest.mark.parametrize("open_cost", [9.0, FORBIDDEN])
@pytest.mark.parametrize("seed", range(3))
def test_tightening_long_lists_holds_for_the_words_that_no_sweep_saw(seed, open_cost):
    chance = np.random.default_rng(seed)
    grid = Grid.parse("...\n...\n...")
    letters = np.stack(np.unravel_index(np.arange(26**3), (26, 26, 26)), axis=1).astype(np.uint8)
    # Words across are cheap if they end early in the alphabet, words down if they do not: the cheapest never cross.
    ends = letters.sum(axis=1) / 4.0
    domains = [
        Domain(letters, chance.exponential(4, len(letters)) + favour, open_cost, np.full((3, 26), np.log(26)))
        for favour in (ends, ends.max() - ends)
        for _ in range(3)
    ]
    codes = chance.integers(0, 26, (200, 9))
    places = [codes[:, slot.cells] @ [26 * 26, 26, 1] for slot in grid.slots]
    before = sum(domain.costs[at] for domain, at in zip(domains, places, strict=True))
    tight = tighten(domains, grid.crossings)
    assert sum(domain.costs[at] for domain, at in zip(tight, places, strict=True)) == pytest.approx(before)
    assert sum(domain.least() for domain in domains) < sum(domain.least() for domain in tight) <= before.min() + CLOSE
    best = codes[before.argmin()]
    cut_too = tighten(domains, grid.crossings, float(before.min()) + CLOSE)
    assert sum(map(len, cut_too)) < sum(map(len, tight))
    for slot, domain in zip(grid.slots, cut_too, strict=True):
        assert "".join(LETTERS[code] for code in best[list(slot.cells)]) in domain


@EXAMPLES
@given(instances(), st.floats(0, 8))
def test_cutting_keeps_every_word_of_fillings_under_the_limit(instance, room):
    filled = instance.fillings()
    for domains in (instance.listed, tighten(instance.listed, instance.grid.crossings)):
        costs = instance.slot_costs(filled, domains)
        limit = float(costs.sum(axis=1).min()) + room
        left = cut(domains, instance.grid.crossings, limit)
        used = filled[costs.sum(axis=1) <= limit - CLOSE]
        for slot, domain, before, column in zip(
            instance.grid.slots, left, domains, instance.slot_costs(used, domains).T, strict=True
        ):
            for row, cost in zip(used[:, slot.cells], column, strict=True):
                word = "".join(LETTERS[code] for code in row)
                index = before.find(word)
                if index is not None and abs(before.costs[index] - cost) < CLOSE:
                    assert word in domain


@EXAMPLES
@given(instances(), st.floats(0, 8), st.sampled_from([1, 3, 20, 100_000]))
def test_layers_list_every_filling_or_say_what_may_be_missing(instance, room, width):
    filled = instance.fillings()
    distinct = [is_filling(instance.grid, "".join(LETTERS[code] for code in row)) for row in filled]
    every = np.sort(instance.slot_costs(filled[distinct], instance.listed).sum(axis=1))
    assume(len(every))
    limit = float(every[0]) + room
    found = layered(instance.grid, instance.listed, limit, width)
    assert list(found.costs) == sorted(found.costs)
    assert found.missed <= limit
    for text, cost in zip(found.letters, found.costs, strict=True):
        assert cost == pytest.approx(instance.cost(replace(instance.grid, cells=tuple(text))), abs=CLOSE)
    complete_to = found.missed if found.missed < limit else limit + CLOSE
    expected = every[every < complete_to - 2 * CLOSE]
    assert list(found.costs)[: len(expected)] == pytest.approx(expected.tolist(), abs=CLOSE)
    if width == 100_000:
        assert found.missed == limit


@EXAMPLES
@given(instances())
def test_beliefs_are_the_exact_marginals(instance):
    filled = instance.fillings()[~instance.has_duplicate(instance.fillings())]
    weights = np.exp(-instance.slot_costs(filled, instance.listed).sum(axis=1))
    assume(weights.sum() > TINY)
    total = np.log(weights.sum())
    weights /= weights.sum()
    belief = believe(instance.grid, instance.domains)
    assert belief.sample.log_total == pytest.approx(total, abs=SETTLED)
    for slot in instance.grid.slots:
        domain = instance.domains[slot.name]
        exact = [float(weights[(filled[:, slot.cells] == letters).all(axis=1)].sum()) for letters in domain.letters]
        assert belief.words[slot.name] == pytest.approx(exact, abs=SETTLED)
        assert belief.unlisted[slot.name] == pytest.approx(1 - sum(exact), abs=SETTLED)
    for cell, shares in belief.letters.items():
        for code in range(instance.alphabet):
            assert shares[code] == pytest.approx(float(weights[filled[:, cell] == code].sum()), abs=SETTLED)


@EXAMPLES
@given(instances())
def test_what_was_believed_before_does_not_count(instance):
    filled = instance.fillings()[~instance.has_duplicate(instance.fillings())]
    total = np.exp(-instance.slot_costs(filled, instance.listed).sum(axis=1)).sum()
    assume(total > TINY)
    others = {slot: replace(domain, costs=domain.costs[::-1]) for slot, domain in instance.domains.items()}
    belief = believe(instance.grid, instance.domains, before=believe(instance.grid, others))
    assert belief.sample.log_total == pytest.approx(np.log(total), abs=SETTLED)


@EXAMPLES
@given(instances())
def test_the_filling_shown_has_most_letters_likely_right(instance):
    filled = instance.fillings()[~instance.has_duplicate(instance.fillings())]
    weights = np.exp(-instance.slot_costs(filled, instance.listed).sum(axis=1))
    assume(weights.sum() > TINY)
    weighed = filled[weights > weights.max() * np.exp(-HOPELESS)]  # the likeliest letters may make no words
    weights /= weights.sum()
    cells = np.flatnonzero((filled >= 0).any(axis=0))
    expected = [sum(weights[row[cell] == filled[:, cell]].sum() for cell in cells) for row in weighed]
    best = believe(instance.grid, instance.domains).best()
    assert best is not None
    shown = np.array([LETTERS.find(sign) for sign in best.grid.cells])
    right = sum(weights[shown[cell] == filled[:, cell]].sum() for cell in cells)
    assert right == pytest.approx(max(expected), abs=SETTLED * len(cells))


@EXAMPLES
@given(instances())
def test_a_filling_that_was_missed_can_be_added(instance):
    found = fill(instance.grid, instance.domains)
    assume(found.fillings and found.fillings[0].cost < FORBIDDEN)
    belief = believe(instance.grid, instance.domains, Budget(seconds=0))
    assert len(belief.sample) == 0
    added = belief.including(found.fillings)
    assert len(added.sample) == len(found.fillings)
    assert added.including(found.fillings) is added
    assert {one.grid for one in added.fillings(9)} == {one.grid for one in found.fillings}


def test_a_clear_case_is_weighed_as_the_long_way_weighs_it(recorded_minis):
    clear = 0
    for grid, domains in recorded_minis:
        belief = believe(grid, domains)
        with patch("agent.puzzles.crossword.belief.clear_case", return_value=None):
            long = believe(grid, domains)
        assert long.found is None
        if belief.found is None:
            continue
        clear += 1
        assert belief.found.fillings == fill(grid, domains).fillings[:1] == belief.fillings(1)
        assert belief.found.proved
        assert belief.share(belief.found.fillings[0].cost) == pytest.approx(
            long.share(long.fillings(1)[0].cost), abs=CLEAR
        )
        for slot in grid.slots:
            assert belief.words[slot.name] == pytest.approx(long.words[slot.name], abs=CLEAR)
            assert belief.words[slot.name].sum() + belief.unlisted[slot.name] == pytest.approx(1)
        for cell, shares in belief.letters.items():
            assert shares == pytest.approx(long.letters[cell], abs=CLEAR)
    assert clear > len(recorded_minis) / 2


@pytest.mark.skipif(not cpsat.available(), reason="needs the extra: pip install gridwright[ortools]")
def test_an_optimum_of_recorded_lists_is_that_of_cp_sat(recorded_minis):
    for grid, domains in recorded_minis:
        found = fill(grid, domains)
        assert found.proved
        assert found.fillings[0].cost == pytest.approx(cp_sat(grid, domains)[1], abs=CLOSE * len(grid.cells))


def test_a_clear_case_needs_time():
    domains = {slot.name: Domain.of({"AB": 0.9, "CD": 0.1}) for slot in Grid.blank(2, 1).slots}
    assert believe(Grid.blank(2, 1), domains, Budget(seconds=0)).found is None


@EXAMPLES
@given(instances())
def test_a_word_is_found_in_its_place(instance):
    for domain in instance.domains.values():
        with patch("agent.puzzles.crossword.domain.FEW", 0):
            places = [domain.find(domain.word(index)) for index in range(len(domain))]
        again = replace(domain)
        assert places == [again.find(domain.word(index)) for index in range(len(domain))] == list(range(len(domain)))
        assert again.find("Z" * domain.length) is None
        assert again.find("A" * (domain.length + 1)) is None


@EXAMPLES
@given(instances())
def test_beliefs_add_up_to_one(instance):
    belief = believe(instance.grid, instance.domains)
    for slot in instance.grid.slots:
        assert belief.words[slot.name].sum() + belief.unlisted[slot.name] == pytest.approx(1)
        assert belief.words[slot.name].min(initial=0) >= 0
    for shares in belief.letters.values():
        assert shares.sum() == pytest.approx(1)


@EXAMPLES
@given(instances())
def test_a_given_letter_is_certain(instance):
    belief = believe(instance.grid, instance.domains)
    for cell, shares in belief.letters.items():
        if instance.grid.cells[cell] != EMPTY:
            assert shares[LETTERS.index(instance.grid.cells[cell])] == 1
