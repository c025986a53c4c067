"""JSON in the shape of XWord Info, in which the largest open archives of newspaper crosswords are kept. Read only.

`grid` is one flat list of cells (`.` for a block, several letters for a rebus), `gridnums` their numbers, `clues` has
lists of `"1. text"`, `circles` a 1 for each marked cell, which `shadecircles` makes a shaded one; `rbars` and `bbars`
have a 1 for each cell with a bar at its right or its bottom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.formats.common import assemble, flat_grid, full, numbered, plain, with_bars, written
from agent.formats.node import Node
from agent.grid import BLOCK, Puzzle

CLUE = re.compile(r"\s*(\d{1,3})\s*[.:]?\s*(.*)", re.DOTALL)

TECHNICAL = ("answers", "acrossmap", "downmap", "dow", "valid", "admin", "track", "hold", "code", "autowrap", "id2")
"""Fields that say nothing more about the puzzle."""


BARS = {"rbars": "R", "bbars": "B"}
"""Lists of the cells with a bar, and the side it is at."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"grid": ["A"], "size": {"rows": 1, "cols": 1}, "clues": {"across": [], "down": []}}))
    True
    """
    return isinstance(document.peek("size"), dict) and document.has("grid") and isinstance(document.peek("clues"), dict)


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> size, clues = {"rows": 1, "cols": 2}, {"across": ["1. Not yes"], "down": []}
    >>> read(Node({"size": size, "grid": ["N", "O"], "clues": clues, "circles": [1, 0]})).circles
    frozenset({0})
    """
    document.skip(*TECHNICAL)
    size = document.get("size")
    cells = [BLOCK if cell.text() == "." else written(cell.text(), cell.where) for cell in document.get("grid")]
    solution = flat_grid(cells, size.get("cols").integer(), size.get("rows").integer(), "grid")
    grid = solution.emptied()
    for name, side in BARS.items():
        bars = document.get(name).items() if document.has(name) else []
        if len(bars) > len(cells):
            raise document.get(name).fail(f"{len(cells)} marks")
        grid = with_bars(grid, {at: side for at, bar in enumerate(bars) if bar.value})
    if document.has("gridnums"):
        grid = numbered(grid, [number.integer() for number in document.get("gridnums")], "gridnums")
    circles = document.get("circles")
    marked = [at for at, mark in enumerate(circles.items() if document.has("circles") else ()) if mark.value]
    is_shade = document.get("shadecircles").value is True
    names = ("title", "author", "editor", "publisher", "copyright", "date", "id")
    known = {name: plain(document.get(name).label("")) for name in names}
    known["notes"] = plain(f"{document.get('notepad').text('')} {document.get('jnotes').text('')}")
    return assemble(
        grid,
        _clues(document.get("clues")),
        full(solution),
        circles=() if is_shade else marked,
        shaded=marked if is_shade else (),
        about=known,
    )


def _clues(clues: Node) -> Iterator[tuple[int, str, str]]:
    for direction in ("across", "down"):
        for clue in clues.get(direction):
            found = CLUE.fullmatch(clue.text())
            if not found:
                raise clue.fail("a clue such as 1. text")
            yield int(found[1]), direction[0].upper(), plain(found[2])
