"""JSON of the Guardian's crossword pages: `entries`, each with a place, a direction, a length and a clue. Read only.

There is no grid: a cell of no entry is a block. A clue's text ends with the lengths of its words, which stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.formats.common import assemble, clue_of, flat_grid, full, numbered_by_clues, parted, plain, written
from agent.formats.node import Node
from agent.grid import BLOCK, EMPTY, MAX_SIDE, Puzzle

TECHNICAL = ("crosswordType", "solutionAvailable", "pdf", "webPublicationDate", "dateSolutionAvailable", "type")
"""Fields that say nothing about the puzzle."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"entries": [], "dimensions": {}}))
    True
    """
    return document.has("entries") and document.has("dimensions")


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> entry = {"number": 1, "clue": "Not yes (2)", "direction": "across", "length": 2, "position": {"x": 0, "y": 0}}
    >>> read(Node({"dimensions": {"cols": 2, "rows": 1}, "entries": [entry | {"solution": "NO"}]})).solution.rows
    ('NO',)
    """
    document.skip(*TECHNICAL)
    size = document.get("dimensions")
    width, height = size.get("cols").integer(), size.get("rows").integer()
    cells = [BLOCK] * min(width * height, MAX_SIDE**2)
    flat_grid(cells, width, height, size.where)
    entries = document.get("entries").items()
    places = [_cells(entry, width, height) for entry in entries]
    for entry, place in zip(entries, places, strict=True):
        for cell, letter in zip(place, _letters(entry, len(place)), strict=True):
            if cells[cell] not in {BLOCK, EMPTY, letter} and letter != EMPTY:
                raise entry.get("solution").fail(f"{cells[cell]} where it crosses another")
            cells[cell] = letter if letter != EMPTY or cells[cell] == BLOCK else cells[cell]
    solution = flat_grid(cells, width, height)
    numbers = [entry.get("number").integer() for entry in entries]
    starts = [(place[0], number) for place, number in zip(places, numbers, strict=True) if place]
    grid, unmarked = parted(
        solution.emptied(), [(place, entry.where) for entry, place in zip(entries, places, strict=True)]
    )
    grid = numbered_by_clues(grid, starts, "entries")
    clues = [
        clue_of(grid, place, number, plain(entry.get("clue").text("")), entry.where)
        for entry, place, number in zip(entries, places, numbers, strict=True)
    ]
    for entry in entries:
        entry.skip("id", "humanNumber")
    creator = document.get("creator").get("name").text("") if document.has("creator") else ""
    return assemble(
        grid,
        clues,
        full(solution),
        left_out=unmarked,
        about={
            "title": plain(document.get("name").text("")),
            "author": plain(creator),
            "id": document.get("id").label("") or document.get("number").label(""),
            "date": document.get("date").day(),
            "notes": plain(document.get("instructions").text("")),
        },
    )


def _cells(entry: Node, width: int, height: int) -> tuple[int, ...]:
    """Return the cells of an entry."""
    place, direction = entry.get("position"), entry.get("direction").text().lower()
    x, y, length = place.get("x").integer(), place.get("y").integer(), entry.get("length").integer()
    if direction not in {"across", "down"}:
        raise entry.get("direction").fail("across or down")
    right, below = (x + length, y + 1) if direction == "across" else (x + 1, y + length)
    if right > width or below > height:
        raise entry.get("length").fail("an entry inside the grid")
    step = 1 if direction == "across" else width
    return tuple(range(y * width + x, y * width + x + length * step, step))


def _letters(entry: Node, length: int) -> Sequence[str]:
    """Return the solution of an entry, one letter for each cell; empty cells if there is none."""
    letters = [written(letter, entry.where) for letter in entry.get("solution").text("")] or [EMPTY] * length
    if len(letters) != length:
        raise entry.get("solution").fail(f"{length} letters")
    return letters
