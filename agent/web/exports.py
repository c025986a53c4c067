"""A puzzle as a file to download: in the formats of the library, or as a picture; its answer as a report."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent.draw.svg import standalone
from agent.errors import FormatError
from agent.filetypes import WRITTEN, format_of
from agent.formats import not_kept, write_puzzle
from agent.grid import EMPTY, ClueText, Puzzle
from agent.result import PICTURE, REPORTS
from agent.solution import Solution
from agent.text import fold
from agent.web.boards import read_cells
from agent.web.drawing import board_svg
from agent.web.puzzle_store import Entry

SVG = PICTURE.ending[1:]

MEDIA = {
    **{one.ending[1:]: one.media for one in WRITTEN},
    **{one.ending[1:]: one.media for one in REPORTS},
}
"""Ending -> media type of each file that the page can ask for."""

OF_ANSWER = {one.ending[1:]: one for one in REPORTS if one is not PICTURE}
"""Ending -> report of the agent's answer. The picture is not among them: it shows the board as it is."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A file: its bytes, media type, name, and what it does not hold of the puzzle, in words."""

    content: bytes
    media: str
    name: str
    lost: tuple[str, ...] = ()


def offered(entry: Entry) -> list[str]:
    """Return the endings of the files that a puzzle can be written to, as the page lists them; reports once solved.

    >>> from agent.grid import Grid
    >>> found = offered(Entry("h", Puzzle(Grid.parse(".."), ())))
    >>> "xd" in found, "svg" in found, "html" in found
    (True, True, False)
    """
    puzzle = entry.puzzle
    is_plain = not isinstance(puzzle, Puzzle) or puzzle.grid.is_plain
    written = [one.ending[1:] for one in WRITTEN if one.any_grid or is_plain]
    files = written if isinstance(puzzle, Puzzle | ClueText) else ["json"]
    return [*files, SVG, *(OF_ANSWER if entry.answer else ())]


def export(entry: Entry, ending: str, body: Mapping[str, Any]) -> Exported:
    """Return a puzzle with its cells filled in (`cells`) as a file: bytes, media type, name, and what it cannot hold.

    A person's letters are progress, and never replace the official solution; the agent's (`"whose": "agent"`) are
    the solution that it found.
    With `confidence` a picture is shaded by how sure the agent is of each cell.
    Raises FormatError if there is no such format or it cannot hold the puzzle, UsageError for other cells.
    """
    puzzle = entry.puzzle
    if isinstance(puzzle, ClueText) and isinstance(entry.answer, Solution):
        puzzle = entry.answer.puzzle
    if ending not in offered(entry):
        raise FormatError(f"expected one of {', '.join(offered(entry))}, found {ending[:20]!r}")
    if isinstance(puzzle, ClueText):
        raise FormatError("these clues have no grid yet: solve them first")
    filled = read_cells(body.get("cells"), puzzle)
    lost: tuple[str, ...] = ()
    name = f"{file_name(getattr(puzzle, 'title', '') or puzzle.id)}.{ending}"
    if ending in OF_ANSWER and entry.answer:
        content = OF_ANSWER[ending].write(entry.answer).encode()
    elif ending == SVG:
        sure = confidence_of(entry, filled) if body.get("confidence") is True else ()
        content = standalone(board_svg(puzzle, filled, sure)).encode()
    elif isinstance(puzzle, Puzzle):
        known = format_of(Path(name)).name
        grid = replace(puzzle.grid, cells=filled)
        found = grid if body.get("whose") == "agent" else None
        puzzle = puzzle if found or grid == puzzle.grid else replace(puzzle, progress=grid)
        content = write_puzzle(puzzle, known, filled=found)
        lost = not_kept(puzzle, known, content, filled=found)
    else:
        content = (json.dumps(puzzle.to_json(), ensure_ascii=False) + "\n").encode()
    return Exported(content, MEDIA[ending], name, lost)


def confidence_of(entry: Entry, cells: Sequence[str]) -> Sequence[float]:
    """Return how sure the agent is of each cell; nothing if any letter is not the agent's own."""
    if not isinstance(entry.answer, Solution):
        return ()
    own = zip(entry.answer.grid.cells, cells, strict=True)
    return entry.answer.confidence if all(cell in {filled, EMPTY} for filled, cell in own) else ()


def file_name(title: str) -> str:
    """Return a file's name for a title: ASCII letters and digits with dashes, `puzzle` if nothing is left.

    >>> file_name("Le café: n° 1"), file_name("../")
    ('le-cafe-n-1', 'puzzle')
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(title).lower())[:60].strip("-") or "puzzle"
