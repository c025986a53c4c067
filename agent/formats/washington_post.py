"""JSON of the Washington Post's crosswords: `cells` row by row, and `words` with their clues. Read only.

A word has the indexes of its cells; without them, words stand in the order of their slots.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.formats.common import (
    assemble,
    clue_of,
    clues_in_order,
    flat_grid,
    full,
    numbered,
    parted,
    plain,
    shades,
    with_bars,
    written,
)
from agent.formats.node import Node
from agent.grid import BLOCK, Grid, Puzzle
from agent.slots import Direction

NAMES = {"title": "title", "author": "creator", "copyright": "copyright", "notes": "description", "date": "date"}
"""Our fields and theirs."""

SIDES = {1: "T", 2: "L", 4: "R", 8: "B"}
"""Bits of a cell's bars."""

BOTH: tuple[Direction, Direction] = ("across", "down")


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"cells": [], "words": []}))
    True
    """
    return isinstance(document.peek("cells"), list) and isinstance(document.peek("words"), list)


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> word = {"direction": "across", "clue": "Not yes", "indexes": [0, 1]}
    >>> read(Node({"width": 2, "cells": [{"answer": "N"}, {"answer": "O"}], "words": [word]})).clue("1A")
    'Not yes'
    """
    cells, width = document.get("cells").items(), document.get("width").integer()
    solution = flat_grid([_letters(cell) for cell in cells], width, len(cells) // max(width, 1), "cells")
    bars = {at: cell.get("bars").integer() for at, cell in enumerate(cells) if cell.has("bars")}
    grid = with_bars(
        solution.emptied(), {at: [side for bit, side in SIDES.items() if of & bit] for at, of in bars.items()}
    )
    printed = [Node(label, cell.where).integer() if (label := cell.get("number").label("")) else None for cell in cells]
    words = document.get("words")
    grid, unmarked = parted(grid, [(_cells(word), word.where) for word in words if word.has("indexes")])
    grid = numbered(grid, printed, "cells")
    shaded, left_out = shades({at: cell.get("background").text("") for at, cell in enumerate(cells)})
    return assemble(
        grid,
        list(_clues(words, grid)),
        full(solution),
        circles=[at for at, cell in enumerate(cells) if cell.get("circle").value is True],
        shaded=shaded,
        left_out=[*left_out, *unmarked],
        about={ours: plain(document.get(theirs).text("")) for ours, theirs in NAMES.items()},
    )


def _letters(cell: Node) -> str:
    is_block = cell.get("type").text("") in {"locked", "void"}
    return BLOCK if is_block else written(cell.get("answer").text(""), cell.where)


def _cells(word: Node) -> tuple[int, ...]:
    return tuple(cell.integer() for cell in word.get("indexes"))


def _clues(words: Node, grid: Grid) -> Iterator[tuple[int, str, str]]:
    if not all(word.has("indexes") for word in words):
        for way in BOTH:
            texts = [plain(word.get("clue").text("")) for word in words if word.get("direction").text() == way]
            yield from clues_in_order(grid, way, texts, f"words {way}")
        return
    numbers = {slot.cells: slot.number for slot in grid.slots}
    for word in words:
        word.get("direction")
        cells = _cells(word)
        yield clue_of(grid, cells, numbers.get(cells, 0), plain(word.get("clue").text("")), word.where)
