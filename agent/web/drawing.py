"""Pictures for the page: a board of any kind with its cells, and the expansions of searches on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.draw.chart import expansions_chart
from agent.draw.grid import grid_svg
from agent.draw.svg import Svg
from agent.grid import BLOCK, EMPTY, Puzzle
from agent.kinds import GridPuzzle
from agent.web.boards import rows_of, start_cells


def board_svg(puzzle: Puzzle | GridPuzzle, cells: Sequence[str], confidence: Sequence[float] = ()) -> Svg:
    """Draw a board's cells, givens bold; a crossword with its numbers, and shaded if confidence is given.

    >>> from agent.grid import Grid
    >>> "A, empty, block" in board_svg(Puzzle(Grid.parse("..#"), ()), "A.#")
    True
    """
    if not isinstance(puzzle, Puzzle):
        return puzzle.svg(rows_of(puzzle, cells))
    given = [index for index, cell in enumerate(start_cells(puzzle)) if cell not in {BLOCK, EMPTY}]
    grid = puzzle.grid
    lines = [list(cells[start : start + grid.width]) for start in range(0, len(cells), grid.width)]
    title = puzzle.title or puzzle.id
    numbers = grid.slot_numbers
    return grid_svg(lines, numbers=numbers, bars=grid.bars, confidence=confidence, bold=given, title=title)


def expansions_svg(searches: Sequence[Mapping[str, Any]]) -> str:
    """Draw a mark for each search, hollow if it did not solve; empty text if there are none.

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
