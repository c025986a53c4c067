"""The trusted functions: golden counts of all their states, and what every caller may rely on."""

from __future__ import annotations

import copy
from itertools import chain, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.verify.reference import is_goal_state, runs, successor_state

GOLDEN = Path(__file__).with_name("reference_counts.txt")

INSTANCES = {
    # two rows and columns without a choice but the order
    "2x2": ([[None, None], [None, None]], [["at"], ["no"]], [["an"], ["to"]]),
    # answers that exclude each other, one too long, one doubled
    "3x3": (
        [[None] * 3 for _ in range(3)],
        [["bit", "bat", "bits"], ["ice", "ace"], ["ten", "ten"]],
        [["bit", "bat"], ["ice", "ace"], ["ten", "net"]],
    ),
    # the corners are blocks, a letter is given, an unchecked run hangs at the end
    "blocks": (
        [["#", None, None, "#"], ["s", None, None, None], ["#", None, None, "#"]],
        [["at", "on"], ["snow", "slow", "stow"], ["ed", "ow"]],
        [["ale", "one", "ano"], ["tod", "now", "nod"]],
    ),
}


def freeze(state):
    return tuple(map(tuple, state))


def counts(state, horizontal, vertical, depth):
    """Count distinct states, yielded states and goals at a depth, as chess programs count their moves (perft)."""
    layer = {freeze(state): state}
    yielded = 0
    for _ in range(depth):
        children = [child for one in layer.values() for child in successor_state(one, horizontal, vertical)]
        yielded = len(children)
        layer = {freeze(child): child for child in children}
    goals = sum(is_goal_state(one, horizontal, vertical) for one in layer.values())
    return yielded, len(layer), goals


def golden():
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, *numbers = line.split()
            yield name, *map(int, numbers)


@pytest.mark.parametrize(("name", "depth", "yielded", "distinct", "goals"), list(golden()))
def test_states_are_as_many_as_they_always_were(name, depth, yielded, distinct, goals):
    assert counts(*INSTANCES[name], depth) == (yielded, distinct, goals)


def test_the_two_by_two_is_counted_by_hand():
    """Four words, in any order; after three, the fourth stands there already."""
    assert [counts(*INSTANCES["2x2"], depth)[:2] for depth in (1, 2, 3)] == [(4, 4), (12, 5), (4, 1)]


LETTERS = "ab"


@st.composite
def problems(draw):
    """States of at most 3x4 cells with blocks and letters, and lists of fitting and unfitting answers."""
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    signs = st.sampled_from([None, None, None, "#", *LETTERS])
    state = [[draw(signs) for _ in range(width)] for _ in range(height)]
    across, down = runs(state)

    def answers(run):
        return draw(st.lists(st.text(LETTERS, min_size=len(run), max_size=len(run) + 1), max_size=4))

    return state, [answers(run) for run in across], [answers(run) for run in down]


@given(problems())
def test_successors_change_neither_the_state_nor_the_lists(problem):
    before = copy.deepcopy(problem)
    list(successor_state(*problem))
    is_goal_state(*problem)
    assert problem == before


@given(problems())
def test_successors_share_no_row_with_state_or_siblings(problem):
    children = list(successor_state(*problem))
    rows = [row for grid in (problem[0], *children) for row in grid]
    assert len({id(row) for row in rows}) == len(rows)


@given(problems())
def test_successors_write_one_fitting_answer_each_once(problem):
    state, horizontal, vertical = problem
    across, down = runs(state)
    expected = set()
    for run, answers in zip([*across, *down], [*horizontal, *vertical], strict=True):
        for answer in answers:
            written = {cell: sign for cell, sign in zip(run, answer, strict=False)}  # noqa: C416 - zip may end early
            fits = len(answer) == len(run) and all(state[r][c] in (None, sign) for (r, c), sign in written.items())
            if fits and any(state[r][c] is None for r, c in run):
                expected.add(
                    tuple(
                        tuple(written.get((r, c), cell) if (r, c) in written else cell for c, cell in enumerate(row))
                        for r, row in enumerate(state)
                    )
                )
    children = [freeze(child) for child in successor_state(*problem)]
    assert set(children) == expected
    assert len(children) == len(expected)


@given(problems())
def test_every_successor_has_more_letters_and_the_same_blocks(problem):
    state = problem[0]
    for child in successor_state(*problem):
        assert sum(cell is None for row in child for cell in row) < sum(cell is None for row in state for cell in row)
        for before, after in zip(chain(*state), chain(*child), strict=True):
            assert before in (None, after)
            assert (before == "#") == (after == "#")


def test_a_goal_has_every_run_from_its_own_list():
    horizontal, vertical = [["ab", "ba"], ["ba", "bb"]], [["ab", "bb"], ["ba", "ab"]]
    for letters in product("ab", repeat=4):
        state = [list(letters[:2]), list(letters[2:])]
        rows = ["".join(row) for row in state]
        columns = ["".join(column) for column in zip(*state, strict=True)]
        expected = all(
            word in answers for word, answers in zip([*rows, *columns], [*horizontal, *vertical], strict=True)
        )
        assert is_goal_state(state, horizontal, vertical) == expected


def test_an_empty_cell_is_not_a_goal_even_outside_all_runs():
    assert not is_goal_state([["a", "b", "#"], ["#", "#", None]], [["ab"]], [])
    assert is_goal_state([["a", "b", "#"], ["#", "#", "x"]], [["ab"]], [])


def test_upper_and_lower_case_are_different_letters():
    assert not is_goal_state([["a", "b"]], [["AB"]], [])
    assert list(successor_state([[None, "b"]], [["AB", "ab"]], [])) == [[["a", "b"]]]


def test_a_filled_run_is_not_written_again():
    assert list(successor_state([["a", "b"]], [["ab", "ba"]], [])) == []


@pytest.mark.parametrize(("horizontal", "vertical"), [([["ab"]], []), ([["ab"], ["ab"]], [["ab"]]), ([], [])])
def test_lists_that_are_not_one_per_run_are_refused(horizontal, vertical):
    state = [[None, None], [None, None]]
    with pytest.raises(ValueError, match="2 horizontal and 2 vertical runs, but there are"):
        list(successor_state(state, horizontal, vertical))
    with pytest.raises(ValueError, match="2 horizontal and 2 vertical runs, but there are"):
        is_goal_state([["a", "b"], ["b", "a"]], horizontal, vertical)
