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
    parted,
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
    words = document.get("placedWords")
    entries = [(_cells(word, width, height), _number(word), _text(word), word.where) for word in words]
    grid, unmarked = parted(with_bars(grid, barred), [(cells, where) for cells, _, _, where in entries])
    grid = numbered_by_clues(grid, [(cells[0], number) for cells, number, _, _ in entries], words.where)
    names = {"title": "title", "author": "author", "copyright": "copyright", "notes": "description"}
    known = {ours: plain(document.get(theirs).text("")) for ours, theirs in names.items()}
    known["date"] = document.get("publishTime").day()
    return assemble(
        grid,
        [clue_of(grid, *entry) for entry in entries],
        full(solution),
        circles=circles,
        shaded=shaded,
        left_out=[*left_out, *unmarked],
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


def _cells(word: Node, width: int, height: int) -> range:
    """Return the cells of a word."""
    word.skip("word", "originalTerm", "clueSection", "boxesForWord", "wordNbr", "hashCode")
    start, length = _place(word, width, height), word.get("nBoxes").integer()
    is_across = word.get("acrossNotDown").value is True
    room = width - start % width if is_across else height - start // width
    if not 1 <= length <= room:
        raise word.get("nBoxes").fail("a word inside the grid")
    step = 1 if is_across else width
    return range(start, start + step * length, step)


def _text(word: Node) -> str:
    return plain(word.get("clue").get("clue").text(""))


def _number(word: Node) -> int:
    return Node(word.get("clueNum").label(""), word.where + ".clueNum").integer()
