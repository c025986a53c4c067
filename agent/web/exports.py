"""A puzzle as a file to take away: in the formats of the library, or as a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from agent.draw.svg import standalone
from agent.errors import FormatError
from agent.formats import Format, write_puzzle
from agent.grid import EMPTY, ClueText, Grid, Puzzle
from agent.solution import Solution
from agent.text import fold
from agent.web.boards import read_cells
from agent.web.drawing import board_svg
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


def export(entry: Entry, format_name: str, body: Mapping[str, Any]) -> tuple[bytes, str, str]:
    """Return a puzzle with what is filled in (`cells`) as a file: bytes, media type, and name.

    With `confidence` a picture is shaded by how sure the agent is of what it filled in.
    Raises FormatError if there is no such format or it cannot hold the puzzle, ValueError for other cells.
    """
    if format_name not in MEDIA:
        raise FormatError(f"expected one of {', '.join(MEDIA)}, found {format_name[:20]!r}")
    puzzle = entry.puzzle
    if isinstance(puzzle, ClueText) and isinstance(entry.answer, Solution):
        puzzle = entry.answer.puzzle
    if isinstance(puzzle, ClueText):
        raise FormatError("these clues have no grid yet: solve them first")
    filled = read_cells(body.get("cells"), puzzle)
    ending = "txt" if format_name == "text" else format_name
    name = f"{file_name(getattr(puzzle, 'title', '') or puzzle.id)}.{ending}"
    if format_name == "svg":
        sure = confidence_of(entry, filled) if body.get("confidence") is True else ()
        return standalone(board_svg(puzzle, filled, sure)).encode(), MEDIA["svg"], name
    if isinstance(puzzle, Puzzle):
        grid = Grid(puzzle.grid.width, puzzle.grid.height, filled)
        wanted = next(known for known in get_args(Format) if known == format_name)
        return write_puzzle(puzzle, wanted, filled=grid if grid != puzzle.grid else None), MEDIA[format_name], name
    if format_name != "json":
        raise FormatError(f"expected svg or json for this kind of puzzle, found {format_name}")
    return (json.dumps(puzzle.to_json(), ensure_ascii=False) + "\n").encode(), MEDIA["json"], name


def confidence_of(entry: Entry, cells: Sequence[str]) -> Sequence[float]:
    """Return how sure the agent is of each cell; nothing if a letter is not its own, of which it says nothing."""
    if not isinstance(entry.answer, Solution):
        return ()
    own = zip(entry.answer.grid.cells, cells, strict=True)
    return entry.answer.confidence if all(cell in {filled, EMPTY} for filled, cell in own) else ()


def file_name(title: str) -> str:
    """Make a file's name of a title: ASCII letters and digits with dashes, `puzzle` if nothing is left.

    >>> file_name("Le café: n° 1"), file_name("../")
    ('le-cafe-n-1', 'puzzle')
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(title).lower())[:60].strip("-") or "puzzle"
