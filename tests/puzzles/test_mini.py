"""Minis are made of the words given, the same from the same seed, any number of them."""

from itertools import islice

from agent import minis
from agent.solve import solve_lists
from lexicon import load

WORDS = [load(permissive=True).words(length).word(index) for length in (3, 4, 5) for index in range(2500)]


def test_a_number_of_minis_is_the_minis_of_as_many_seeds():
    several = list(islice(minis.minis(WORDS, seed=3), 4))
    assert several == [minis.mini(WORDS, seed=seed) for seed in range(3, 7)]
    assert len(set(several)) == 4
    for grid in several:
        answers = [grid.answer(slot) for slot in grid.slots]
        assert set(answers) <= set(WORDS)
        assert len(set(answers)) == len(answers)


def test_the_lists_of_a_puzzle_hold_its_answers_among_others():
    by_length = {length: [word for word in WORDS if len(word) == length] for length in (3, 4, 5)}
    grid = minis.mini(WORDS, seed=1)
    puzzle = minis.with_lists(grid, by_length, length=30, seed=1)
    assert puzzle == minis.with_lists(grid, by_length, length=30, seed=1)
    assert puzzle.grid == grid.emptied()
    for slot in grid.slots:
        assert len(set(puzzle.answers[slot.name])) == 30
        assert grid.answer(slot) in puzzle.answers[slot.name]
    solution = solve_lists(puzzle.grid, puzzle.answers)
    assert solution.consistent
