"""JSON of PuzzleMe, the player of Amuse Labs: `box` holds the letters column by column, `placedWords` the clues.

Read only. A page carries it as `rawc`, in Base64, which is read if it is not scrambled as well.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator

from agent.errors import FormatError
from agent.formats.common import (
    assemble,
    clue_of,
    full,
    make_grid,
    numbered_by_clues,
    plain,
    shades,
    with_bars,
    written,
)
from agent.formats.node import Node, parse_json
from agent.grid import BLOCK, MAX_SIDE, Grid, Puzzle

TECHNICAL = ("boxToPlacedWordsIdxs", "clueNums", "id", "w", "h", "isSolutionHidden", "nPlacedWords", "wordLengthRange")
"""Fields that say nothing more about the puzzle, or are derived from the others."""

WALLS = {"T": "topWall", "R": "rightWall", "B": "bottomWall", "L": "leftWall"}
"""Fields of a cell for the bars at its sides."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"box": [], "placedWords": []})), looks_like(Node({"rawc": "e30="}))
    (True, True)
    """
    return (document.has("box") and document.has("placedWords")) or document.has("rawc")


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> word = {"clue": {"clue": "Not yes"}, "clueNum": 1, "acrossNotDown": True, "x": 0, "y": 0, "nBoxes": 2}
    >>> read(Node({"title": "T", "box": [["N"], ["O"]], "placedWords": [word]})).solution.rows
    ('NO',)
    """
    if document.has("rawc"):
        return read(_unpacked(document.get("rawc")))
    document.skip(*TECHNICAL)
    columns = [column.items() for column in document.get("box")]
    height = len(columns[0]) if columns else 0
    if not (1 <= len(columns) <= MAX_SIDE and 1 <= height <= MAX_SIDE) or {len(one) for one in columns} != {height}:
        raise document.get("box").fail(f"1 to {MAX_SIDE} columns of as many cells each")
    width = len(columns)
    solution = make_grid([[_cell(column[y]) for column in columns] for y in range(height)])
    infos = (
        [(info, _place(info, width, height)) for info in document.get("cellInfos")] if document.has("cellInfos") else []
    )
    void = {at: BLOCK for info, at in infos if info.get("isVoid").value is True}
    solution = solution.fill(void)
    circles = [at for info, at in infos if info.get("isCircled").value is True]
    for box in document.get("backgroundShapeBoxes") if document.has("backgroundShapeBoxes") else ():
        x, y = (part.integer() for part in box.items()[:2])
        circles.append(y * width + x)
    shaded, left_out = shades({at: info.get("bgColor").text("") for info, at in infos})
    grid = solution.emptied()
    grid = grid.fill({at: cell for at, cell in _revealed(document, solution) if cell != BLOCK})
    barred = {at: [side for side, wall in WALLS.items() if info.get(wall).value is True] for info, at in infos}
    grid = with_bars(grid, barred)
    words = document.get("placedWords")
    grid = numbered_by_clues(grid, [(_place(word, width, height), _number(word)) for word in words], words.where)
    names = {"title": "title", "author": "author", "copyright": "copyright", "notes": "description"}
    known = {ours: plain(document.get(theirs).text("")) for ours, theirs in names.items()}
    known["date"] = document.get("publishTime").day()
    return assemble(
        grid,
        list(_clues(words, grid)),
        full(solution),
        circles=circles,
        shaded=shaded,
        left_out=left_out,
        about=known,
    )


def _unpacked(rawc: Node) -> Node:
    try:
        return parse_json(base64.b64decode(rawc.text(), validate=True).decode())
    except (ValueError, FormatError) as error:  # no Base64, no UTF-8, or no JSON
        raise FormatError(
            "expected a puzzle in Base64, found a scrambled one: only its page can open it", "rawc"
        ) from error


def _cell(cell: Node) -> str:
    content = cell.text("")
    return BLOCK if content in {"", "\0"} else written(content, cell.where)


def _place(info: Node, width: int, height: int) -> int:
    x, y = info.get("x").integer(), info.get("y").integer()
    if x >= width or y >= height:
        raise info.fail("a cell inside the grid")
    return y * width + x


def _revealed(document: Node, solution: Grid) -> Iterator[tuple[int, str]]:
    """Yield the cells whose letters are given."""
    if document.has("preRevealIdxs"):
        for x, column in enumerate(document.get("preRevealIdxs")):
            for y, given in enumerate(column):
                at = y * solution.width + x
                if given.value is True and x < solution.width and y < solution.height:
                    yield at, solution.cells[at]


def _clues(words: Node, grid: Grid) -> Iterator[tuple[int, str, str]]:
    for word in words:
        word.skip("word", "originalTerm", "nBoxes", "clueSection", "boxesForWord", "wordNbr", "hashCode")
        start = word.get("y").integer() * grid.width + word.get("x").integer()
        is_across = word.get("acrossNotDown").value is True
        starts = {slot.cells[0]: slot.cells for slot in grid.slots if (slot.direction == "across") == is_across}
        text = plain(word.get("clue").get("clue").text(""))
        yield clue_of(grid, starts.get(start, ()), _number(word), text, word.where)


def _number(word: Node) -> int:
    return Node(word.get("clueNum").label(""), word.where + ".clueNum").integer()
