"""A puzzle as a file to take away: in the formats of the library, or as a picture."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from typing import get_args

from agent.formats import ClueText, Format, FormatError, write_puzzle
from agent.grid import BLOCK, EMPTY, Grid, Puzzle
from agent.kinds import KindPuzzle
from agent.puzzles.nonogram import Nonogram, picture
from agent.solution import Solution
from agent.text import fold
from agent.web.boards import read_cells, rows_of
from agent.web.shelf import Entry

MEDIA = {
    "svg": "image/svg+xml",
    "json": "application/json",
    "ipuz": "application/json",
    "puz": "application/octet-stream",
    "xd": "text/plain; charset=utf-8",
    "text": "text/plain; charset=utf-8",
}
"""Media type of each format."""


def export(entry: Entry, format_name: str, cells: object) -> tuple[bytes, str, str]:
    """Return a puzzle with what is filled in as a file: bytes, media type, and name.

    Raises FormatError where there is no such format or it cannot hold the puzzle, ValueError for other cells.
    """
    if format_name not in MEDIA:
        raise FormatError(f"expected one of {', '.join(MEDIA)}, found {format_name[:20]!r}")
    puzzle = entry.puzzle
    if isinstance(puzzle, ClueText) and isinstance(entry.answer, Solution):
        puzzle = entry.answer.puzzle
    if isinstance(puzzle, ClueText):
        raise FormatError("these clues have no grid yet: solve them first")
    filled = read_cells(cells, puzzle)
    ending = "txt" if format_name == "text" else format_name
    name = f"{file_name(getattr(puzzle, 'title', '') or puzzle.id)}.{ending}"
    if format_name == "svg":
        return draw(puzzle, filled).encode(), MEDIA["svg"], name
    if isinstance(puzzle, Puzzle):
        grid = Grid(puzzle.grid.width, puzzle.grid.height, filled)
        wanted = next(known for known in get_args(Format) if known == format_name)
        return write_puzzle(puzzle, wanted, filled=grid if grid != puzzle.grid else None), MEDIA[format_name], name
    if format_name != "json":
        raise FormatError(f"expected svg or json for this kind of puzzle, found {format_name}")
    return (json.dumps(puzzle.to_json(), ensure_ascii=False) + "\n").encode(), MEDIA["json"], name


def draw(puzzle: Puzzle | KindPuzzle, cells: Sequence[str]) -> str:
    """Draw what is filled in as SVG."""
    if isinstance(puzzle, Nonogram):
        return picture.svg(rows_of(puzzle, cells))
    board = puzzle.grid if isinstance(puzzle, Puzzle) else puzzle
    numbers = puzzle.grid.slot_numbers if isinstance(puzzle, Puzzle) else {}
    side = CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side * board.width + 2} {side * board.height + 2}" '
        f'width="{side * board.width + 2}" height="{side * board.height + 2}" font-family="sans-serif">'
    ]
    for index, cell in enumerate(cells):
        row, column = divmod(index, board.width)
        x, y = 1 + side * column, 1 + side * row
        fill = "#222" if cell == BLOCK else "#fff"
        parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="#222"/>')
        if index in numbers:
            parts.append(f'<text x="{x + 2}" y="{y + 10}" font-size="9">{numbers[index]}</text>')
        if cell not in {BLOCK, EMPTY}:
            size = side * 0.6 / max(1, len(cell) / 2)
            parts.append(
                f'<text x="{x + side / 2}" y="{y + side * 0.75}" font-size="{size:.0f}" text-anchor="middle">'
                f"{html.escape(cell)}</text>"
            )
    return "".join([*parts, "</svg>"])


CELL = 36
"""Pixels a cell."""


def file_name(title: str) -> str:
    """Make a file's name of a title: ASCII letters and digits with dashes, `puzzle` where nothing is left.

    >>> file_name("Le café: n° 1"), file_name("../")
    ('le-cafe-n-1', 'puzzle')
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(title).lower())[:60].strip("-") or "puzzle"
