"""JSON in the shape newspapers' web pages use: `body[0]` with `cells`, `clues` and `dimensions`. Read only.

A cell's `type` says whether it is plain (1), circled (2) or shaded (3).
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.errors import FormatError
from agent.formats.common import assemble, check_number, clean, full, make_grid, plain, shown, written
from agent.formats.node import Node
from agent.grid import BLOCK, EMPTY, MAX_SIDE, Grid, Puzzle

NAMES = {
    "title": "title",
    "copyright": "copyright",
    "editor": "editor",
    "publisher": "publisher",
    "date": "publicationDate",
    "id": "id",
}
"""Our fields and theirs."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"body": []}))
    True
    """
    return document.has("body")


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> cells = [{"answer": "N", "label": "1", "clues": [0]}, {"answer": "O", "clues": [0]}]
    >>> clue = {"cells": [0, 1], "direction": "Across", "label": "1", "text": [{"plain": "Not yes"}]}
    >>> body = {"cells": cells, "clues": [clue], "dimensions": {"width": 2, "height": 1}}
    >>> read(Node({"body": [body]})).clue("1A")
    'Not yes'
    """
    boards = document.get("body").items()
    if not boards:
        raise FormatError("expected a puzzle, found an empty list", "body")
    board = boards[0]
    size = board.get("dimensions")
    width, height = size.get("width").integer(), size.get("height").integer()
    cells = board.get("cells").items()
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise FormatError(f"expected 1 to {MAX_SIDE} cells a side, found {width}x{height}", size.where)
    if len(cells) != width * height:
        raise FormatError(f"expected {width * height} cells for {width}x{height}, found {len(cells)}", "body[0].cells")
    answers = [_answer(cell) for cell in cells]
    solution = make_grid([answers[i : i + width] for i in range(0, len(answers), width)])
    grid = solution.emptied()
    labels = [cell.get("label").label("") for cell in cells]
    if any(labels):
        for index, label in enumerate(labels):
            number = Node(label, cells[index].where + ".label").integer() if label else None
            check_number(grid, index, number, cells[index].where)
    document.skip(*TECHNICAL)
    board.skip("board", "SVG", "clueLists")  # drawn, or told by the cells
    known = {key: document.get(name).label("") for key, name in NAMES.items()}
    for key, name in (("author", "constructors"), ("notes", "notes")):
        if document.has(name):
            known[key] = ", ".join(_note(item) for item in document.get(name))
    types = [cell.get("type").label("") if cell.value else "" for cell in cells]
    circles, shaded = ([at for at, of in enumerate(types) if of == sign] for sign in "23")
    clues = _clues(board.get("clues"), grid)
    return assemble(grid, clues, full(solution), circles=circles, shaded=shaded, about=known)


TECHNICAL = ("lastUpdated", "freePuzzle", "category", "subcategory", "puzzleId", "assets", "relatedContent")
"""Fields that say nothing about the puzzle."""


def _note(item: Node) -> str:
    """Return a text, or that of an object that holds one."""
    return plain(item.text() if isinstance(item.value, str) else item.get("text").text(""))


def _answer(cell: Node) -> str:
    """Return a cell's letters; a cell without answer, clues and type is a block."""
    cell.skip("clues")
    if cell.has("answer"):
        return written(cell.get("answer").text(), cell.where)
    is_block = not cell.has("clues") and cell.get("type").label("0") == "0"
    return BLOCK if is_block else EMPTY


def _clues(clues: Node, grid: Grid) -> Iterator[tuple[int, str, str]]:
    slots = {slot.name: slot for slot in grid.slots}
    for clue in clues:
        direction = clue.get("direction").text().lower()
        if direction not in {"across", "down"}:
            raise clue.get("direction").fail("Across or Down")
        number = clue.get("label").integer()
        slot = slots.get(f"{number}{direction[0].upper()}")
        if slot is not None and clue.has("cells"):
            listed = tuple(cell.integer() for cell in clue.get("cells"))
            if listed != slot.cells:
                raise FormatError(
                    f"{slot.name} has cells {shown(listed)}, but the standard numbering gives it {shown(slot.cells)}",
                    clue.where,
                )
        yield number, direction[0].upper(), _text(clue.get("text"))


def _text(text: Node) -> str:
    """Return the clue: a string, or a list of parts with `plain` and perhaps `formatted` (HTML) text."""
    if isinstance(text.value, str):
        return plain(text.value)
    parts = [
        clean(part.get("plain").text()) if part.has("plain") else plain(part.get("formatted").text("")) for part in text
    ]
    return clean(" ".join(parts))
