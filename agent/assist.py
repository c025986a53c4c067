"""Help for somebody who solves alone: a hint that gives no more away than asked, and a check of a partial grid.

What is compared with is a Solution: the agent's own, or the official one as `official_solution` wraps it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.grid import BLOCK, EMPTY, Grid, Puzzle
from agent.kinds import GridResult, Kind
from agent.puzzles.crossword import Domain
from agent.solution import Answer, Solution
from agent.verify import Proof, verify_crossword

SURE = 0.9
"""Probability from which a cell's letter counts as sure; between the two, what differs is called unsure."""

OPEN: Mapping[Kind, str] = {"fillin": "_", "gogen": ".", "nonogram": "?"}
"""Sign for a cell that is not filled yet, by kind."""

Judgement = Literal["wrong", "unsure", "fine"]


@dataclass(frozen=True, slots=True)
class Hint:
    """One letter, or one whole answer: `text` for the cells of `slot` from `position` (0 is the first)."""

    slot: str
    position: int
    text: str
    probability: float

    def __str__(self) -> str:
        what = f"letter {self.position + 1} is {self.text}" if len(self.text) == 1 else f"is {self.text}"
        return f"{self.slot}: {what} ({100 * self.probability:.0f} % sure)"


def official_solution(puzzle: Puzzle) -> Solution:
    """Wrap the official solution of a puzzle, for hints and checks. Raises ValueError where it carries none.

    >>> puzzle = Puzzle(Grid.parse("..#"), (), solution=Grid.parse("NO#"))
    >>> print(hint_slot(official_solution(puzzle), "1A"))
    1A: is NO (100 % sure)
    """
    grid = puzzle.solution
    if grid is None:
        raise ValueError("this puzzle carries no official solution")
    answers = tuple(Answer(slot.name, puzzle.clue(slot), grid.answer(slot), 1.0, "official") for slot in grid.slots)
    return Solution(puzzle, grid, answers, (1.0,) * len(grid.cells), 1.0, (), "solved", "none")


def hint_letter(solution: Solution, partial: Grid, slot: str = "") -> Hint | None:
    """Give the surest letter that is not yet in the partial grid, of one slot or of any; None where all are.

    Raises KeyError where there is no such slot.
    """
    grid = solution.grid
    slots = [grid.slot(slot)] if slot else list(grid.slots)
    open_cells = [
        (solution.confidence[cell], s.name, position, grid.cells[cell])
        for s in slots
        for position, cell in enumerate(s.cells)
        if partial.cells[cell] == EMPTY and grid.cells[cell] != EMPTY
    ]
    if not open_cells:
        return None
    confidence, name, position, letter = max(open_cells, key=lambda found: found[0])
    return Hint(name, position, letter, confidence)


def hint_slot(solution: Solution, slot: str) -> Hint:
    """Give the answer of one slot. Raises KeyError where there is no such slot."""
    answer = solution.answer(slot)
    return Hint(answer.slot, 0, answer.answer, answer.probability)


def judge_cells(solution: Solution, partial: Grid) -> Mapping[int, Judgement]:
    """Judge every filled cell of a partial grid: cell index -> wrong, unsure or fine.

    Raises ValueError where the partial grid's blocks are not the puzzle's.
    """
    if partial.width != solution.grid.width or partial.blocks != solution.grid.blocks:
        raise ValueError("the partial grid does not have the puzzle's blocks")
    judged: dict[int, Judgement] = {}
    for cell, letter in enumerate(partial.cells):
        if letter in {EMPTY, BLOCK}:
            continue
        if letter[0] == solution.grid.cells[cell][0]:  # of a rebus the first letter is enough
            judged[cell] = "fine"
        else:
            judged[cell] = "wrong" if solution.confidence[cell] >= SURE else "unsure"
    return judged


def hint_cell(result: GridResult, partial: Sequence[str]) -> tuple[int, int, str] | None:
    """Give row, column and content of the first cell that rows of a fill-in, Gogen or nonogram do not have yet.

    None where all are there, or no solution is known.

    >>> from agent.kinds import read_puzzle, solve_kind
    >>> hint_cell(solve_kind(read_puzzle("2\\n\\n1\\n1")), ["#?"])
    (0, 1, '#')
    """
    if not result.solutions:
        return None
    for r, (row, solved) in enumerate(zip(partial, result.solutions[0].rows, strict=True)):
        for c, (cell, content) in enumerate(zip(row, solved, strict=True)):
            if cell == OPEN[result.kind]:
                return r, c, content
    return None


def judge_rows(result: GridResult, partial: Sequence[str]) -> Mapping[tuple[int, int], Judgement]:
    """Judge every filled cell of rows of a fill-in, Gogen or nonogram: (row, column) -> wrong, unsure or fine.

    A cell is surely wrong only where the solution is proved to be the only one.

    >>> from agent.kinds import read_puzzle, solve_kind
    >>> judge_rows(solve_kind(read_puzzle("2\\n\\n1\\n1")), ["#."])
    {(0, 0): 'fine', (0, 1): 'wrong'}
    """
    judged: dict[tuple[int, int], Judgement] = {}
    solutions = result.solutions
    for r, row in enumerate(partial):
        for c, cell in enumerate(row):
            if cell == OPEN[result.kind] or (cell == BLOCK and result.kind != "nonogram"):
                continue
            if solutions and cell == solutions[0].rows[r][c]:
                judged[r, c] = "fine"
            else:
                judged[r, c] = "wrong" if result.unique else "unsure"
    return judged


def verify_filled(puzzle: Puzzle, filled: Grid, domains: Mapping[str, Domain]) -> Proof:
    """Check a filled grid: every answer a candidate of its clue, all crossings right, no answer twice."""
    answers = {
        slot.name: {filled.answer(slot)}
        if EMPTY not in filled.answer(slot) and filled.answer(slot) in domains[slot.name]
        else set[str]()
        for slot in puzzle.grid.slots
    }
    return verify_crossword(puzzle.grid.rows, filled.rows, answers)
