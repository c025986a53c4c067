"""Pictures for the page: a board of any kind as it is filled, and the expansions of searches on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.draw.chart import expansions_chart
from agent.draw.fillin import fillin_svg
from agent.draw.gogen import gogen_svg
from agent.draw.grid import grid_svg
from agent.draw.nonogram import nonogram_svg
from agent.draw.svg import Svg
from agent.grid import BLOCK, EMPTY, Puzzle
from agent.kinds import KindPuzzle
from agent.puzzles.gogen import Gogen, paths
from agent.puzzles.nonogram import Nonogram
from agent.web.boards import rows_of, start_cells


def board_svg(puzzle: Puzzle | KindPuzzle, cells: Sequence[str], confidence: Sequence[float] = ()) -> Svg:
    """Draw what is filled in, givens bold; of a crossword with its numbers, and shaded where confidence is given.

    >>> from agent.grid import Grid
    >>> "A, empty, block" in board_svg(Puzzle(Grid.parse("..#"), ()), "A.#")
    True
    """
    if isinstance(puzzle, Nonogram):
        return nonogram_svg(rows_of(puzzle, cells), puzzle.rows, puzzle.columns, title=puzzle.title or puzzle.id)
    given = [index for index, cell in enumerate(start_cells(puzzle)) if cell not in {BLOCK, EMPTY}]
    if isinstance(puzzle, Gogen):
        rows = rows_of(puzzle, cells)
        return gogen_svg(rows, paths(puzzle, rows), bold=given, title=puzzle.id)
    if not isinstance(puzzle, Puzzle):
        filled = rows_of(puzzle, cells)
        return fillin_svg(filled, puzzle.words, givens=puzzle.grid, spare=puzzle.spare, title=puzzle.id)
    grid = puzzle.grid
    lines = [list(cells[start : start + grid.width]) for start in range(0, len(cells), grid.width)]
    title = puzzle.title or puzzle.id
    return grid_svg(lines, numbers=grid.slot_numbers, confidence=confidence, bold=given, title=title)


def expansions_svg(searches: Sequence[Mapping[str, Any]]) -> str:
    """Draw a mark for each search, hollow where it did not solve; empty text if there are none.

    >>> search = {"who": "f", "strategy": "dfs", "instance": "1", "ended": "solved", "solved": True, "expansions": 900}
    >>> "1, f dfs: 900" in expansions_svg([search])
    True
    """
    if not searches:
        return ""
    return expansions_chart(
        (search["instance"], f"{search['who']} {search['strategy']}", search["expansions"], search["solved"])
        for search in searches
    )
