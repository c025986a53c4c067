"""Pictures for the page: a board as SVG, and the expansions of searches on a logarithmic axis.

Only attributes, no styles: the page's policy forbids those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, log10
from typing import Any

from agent.grid import BLOCK, EMPTY, Puzzle
from agent.kinds import KindPuzzle
from agent.puzzles.nonogram import Nonogram, picture
from agent.web.boards import rows_of

CELL = 36
"""Units of a cell's side."""

ROW, LEFT, WIDTH = 20, 190, 480
"""Units of the chart: height of a row, room for names, length of the axis."""


def board_svg(puzzle: Puzzle | KindPuzzle, cells: Sequence[str]) -> str:
    """Draw what is filled in, with the numbers of a crossword.

    >>> from agent.grid import Grid
    >>> board_svg(Puzzle(Grid.parse("..#"), ()), "A.#").count("<rect")
    3
    """
    if isinstance(puzzle, Nonogram):
        return picture.svg(rows_of(puzzle, cells))
    board = puzzle.grid if isinstance(puzzle, Puzzle) else puzzle
    numbers = puzzle.grid.slot_numbers if isinstance(puzzle, Puzzle) else {}
    width, height = CELL * board.width + 2, CELL * board.height + 2
    parts = [_svg(width, height)]
    for index, cell in enumerate(cells):
        row, column = divmod(index, board.width)
        x, y = 1 + CELL * column, 1 + CELL * row
        fill = "#222" if cell == BLOCK else "#fff"
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="#222"/>')
        if index in numbers:
            parts.append(f'<text x="{x + 2}" y="{y + 10}" font-size="9">{numbers[index]}</text>')
        if cell not in {BLOCK, EMPTY}:
            size = 0.6 * CELL / max(1, len(cell) / 2)
            place = f'x="{x + CELL / 2}" y="{y + 0.75 * CELL}" text-anchor="middle"'
            parts.append(f'<text {place} font-size="{size:.0f}">{escape(cell)}</text>')
    return "".join([*parts, "</svg>"])


def expansions_svg(searches: Sequence[Mapping[str, Any]]) -> str:
    """Draw a dot for each search, hollow where it did not solve; empty text where there are none.

    >>> search = {"who": "f", "strategy": "dfs", "instance": "1", "ended": "solved", "solved": True, "expansions": 900}
    >>> expansions_svg([search]).count("<circle")
    1
    """
    if not searches:
        return ""
    decades = max(1, ceil(log10(max(max(search["expansions"], 1) for search in searches))))

    def x(value: float) -> float:
        return LEFT + WIDTH * log10(max(value, 1)) / decades

    names = list(dict.fromkeys(_name(search) for search in searches))
    bottom = ROW * len(names)
    parts = [_svg(LEFT + WIDTH + 60, bottom + 2 * ROW)]
    step = ceil(decades / 8)
    for decade in range(0, decades + 1, step):
        at = x(10**decade)
        parts.append(f'<line x1="{at:.0f}" x2="{at:.0f}" y1="0" y2="{bottom}" stroke="#bbb"/>')
        label = f'y="{bottom + 16}" text-anchor="middle" font-size="12"'
        parts.append(f'<text x="{at:.0f}" {label}>{10**decade:,}</text>')
    for place, name in enumerate(names):
        parts.append(f'<text x="0" y="{ROW * place + 14}" font-size="12">{escape(name[:28])}</text>')
    for search in searches:
        fill = "#246" if search["solved"] else "none"
        told = escape(f"{_name(search)}: {search['expansions']:,} expansions, {search['ended']}")
        y = ROW * names.index(_name(search)) + 10
        dot = f'cx="{x(search["expansions"]):.1f}" cy="{y}" r="5" fill="{fill}" stroke="#246"'
        parts.append(f"<circle {dot}><title>{told}</title></circle>")
    return "".join([*parts, "</svg>"])


def _name(search: Mapping[str, Any]) -> str:
    return f"{search['who']}, {search['strategy']}, {search['instance']}"


def _svg(width: float, height: float) -> str:
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" role="img">'
