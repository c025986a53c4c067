"""JSON in the shapes that a newspaper's web pages have used over the years. Read only.

- `body[0]` with `cells`, `clues` and `dimensions`: today's.
- `gamePageData` with the same and `meta`, directions told by `clueLists`: the pages before.
- `results[0]`, or an object by itself, with `puzzle_meta` and `puzzle_data`: the service before that.

A cell's `type` says whether it is a block (0), plain (1), circled (2) or shaded (3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.errors import FormatError
from agent.formats.common import (
    assemble,
    clean,
    clue_of,
    flat_grid,
    full,
    numbered,
    numbered_by_clues,
    parted,
    plain,
    written,
)
from agent.formats.node import Node
from agent.grid import BLOCK, EMPTY, Grid, Puzzle

NAMES = {
    "title": "title",
    "copyright": "copyright",
    "editor": "editor",
    "publisher": "publisher",
    "date": "publicationDate",
    "id": "id",
}
"""Our fields and theirs."""

TECHNICAL = ("lastUpdated", "freePuzzle", "category", "subcategory", "puzzleId", "assets", "relatedContent")
"""Fields that say nothing about the puzzle."""

CIRCLED, SHADED = "2", "3"


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has one of these shapes.

    >>> looks_like(Node({"body": []})), looks_like(Node({"results": [{"puzzle_data": {}}]}))
    (True, True)
    """
    return any(map(document.has, ("body", "gamePageData", "puzzle_data"))) or _is_old(document)


def _is_old(document: Node) -> bool:
    results = document.peek("results")
    return isinstance(results, list) and bool(results) and isinstance(results[0], dict) and "puzzle_data" in results[0]


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> cells = [{"answer": "N", "label": "1", "clues": [0]}, {"answer": "O", "clues": [0]}]
    >>> clue = {"cells": [0, 1], "direction": "Across", "label": "1", "text": [{"plain": "Not yes"}]}
    >>> body = {"cells": cells, "clues": [clue], "dimensions": {"width": 2, "height": 1}}
    >>> read(Node({"body": [body]})).clue("1A")
    'Not yes'
    """
    if _is_old(document):
        return _read_old(document.get("results").items()[0])
    if document.has("puzzle_data"):
        return _read_old(document)
    if document.has("gamePageData"):
        board = document.get("gamePageData")
        size, about = board.get("dimensions"), board.get("meta")
        width, height = size.get("columnCount"), size.get("rowCount")
        size.skip("aspectRatio")
    else:
        boards = document.get("body").items()
        if not boards:
            raise FormatError("expected a puzzle, found an empty list", "body")
        board, about = boards[0], document
        width, height = board.get("dimensions").get("width"), board.get("dimensions").get("height")
    cells = board.get("cells").items()
    solution = flat_grid([_answer(cell) for cell in cells], width.integer(), height.integer(), board.get("cells").where)
    labels = [cell.get("label") for cell in cells]
    printed = [_number(label) if label.label("") else None for label in labels]
    words = [
        ([cell.integer() for cell in clue.get("cells")], clue.where) for clue in board.get("clues") if clue.has("cells")
    ]
    grid, unmarked = parted(solution.emptied(), words)
    grid = numbered(grid, printed, board.get("cells").where)
    about.skip(*TECHNICAL)
    board.skip("board", "SVG")  # drawn, or told by the cells
    known = {ours: about.get(theirs).label("") for ours, theirs in NAMES.items()}
    for ours, theirs in (("author", "constructors"), ("notes", "notes")):
        if about.has(theirs):
            known[ours] = ", ".join(_note(item) for item in about.get(theirs))
    types = [cell.get("type").label("") if cell.value else "" for cell in cells]
    circles, shaded = ([at for at, of in enumerate(types) if of == sign] for sign in (CIRCLED, SHADED))
    if any(len(_right(cell)) > 1 for cell in cells):
        unmarked.append("all but one answer of cells that have several")
    clues = _clues(board, grid)
    return assemble(grid, clues, full(solution), circles=circles, shaded=shaded, left_out=unmarked, about=known)


def _number(label: Node) -> int:
    return Node(label.label(), label.where).integer()


def _note(item: Node) -> str:
    """Return a text, or that of an object that holds one."""
    item.skip("platforms")
    return plain(item.text() if isinstance(item.value, str) else item.get("text").text(""))


def _answer(cell: Node) -> str:
    """Return a cell's letters, the first if several are right; a cell without answer, clues and type is a block."""
    cell.skip("clues")
    if right := _right(cell):
        return written(right[0], cell.where)
    is_block = not cell.has("clues") and cell.get("type").label("0") == "0"
    return BLOCK if is_block else EMPTY


def _right(cell: Node) -> list[str]:
    """Return the answers of a cell that count as right, each once."""
    found = [cell.get("answer").text()] if cell.has("answer") and cell.peek("answer") else []
    if cell.has("moreAnswers") and cell.get("moreAnswers").has("valid"):
        found += [answer.text() for answer in cell.get("moreAnswers").get("valid")]
    return list(dict.fromkeys(found))


def _clues(board: Node, grid: Grid) -> Iterator[tuple[int, str, str]]:
    directions = _directions(board)
    for at, clue in enumerate(board.get("clues")):
        clue.skip("list", "relatives")
        way = clue.get("direction").text("") or directions.get(at, "")
        if way.lower() not in {"across", "down"}:
            raise clue.get("direction").fail("Across or Down")
        number, text = _number(clue.get("label")), _text(clue.get("text"))
        if clue.has("cells"):
            yield clue_of(grid, [cell.integer() for cell in clue.get("cells")], number, text, clue.where)
        else:
            yield number, way[0].upper(), text


def _directions(board: Node) -> dict[int, str]:
    """Return the directions of the clues, by their index, from the lists that name them."""
    lists = board.get("clueLists")
    found = lists.items() if lists.value is not None else []
    return {at.integer(): one.get("name").text("") for one in found for at in one.get("clues")}


def _text(text: Node) -> str:
    """Return the clue: a string, or a list of parts with `plain` and perhaps `formatted` (HTML) text."""
    if isinstance(text.value, str):
        return plain(text.value)
    for part in text:
        part.skip("formatted")
    parts = [
        clean(part.get("plain").text()) if part.has("plain") else plain(part.get("formatted").text("")) for part in text
    ]
    return clean(" ".join(parts))


def _read_old(document: Node) -> Puzzle:
    """Read the oldest shape: answers and layout as flat lists, clues with the cell that they start in."""
    about, data = document.get("puzzle_meta"), document.get("puzzle_data")
    layout = [cell.label("") for cell in data.get("layout")]
    answers = data.get("answers").items()
    if len(answers) != len(layout):
        raise data.get("answers").fail(f"{len(layout)} cells as in the layout")
    cells = [BLOCK if kind == "0" else _old_answer(answer) for kind, answer in zip(layout, answers, strict=True)]
    solution = flat_grid(cells, about.get("width").integer(), about.get("height").integer(), data.where)
    starts = [
        (clue.get("clueStart").integer(), _number(clue.get("clueNum")))
        for letter in "AD"
        for clue in data.get("clues").get(letter)
    ]
    grid, unmarked = parted(solution.emptied(), _old_words(data.get("clues"), solution.width))
    grid = numbered_by_clues(grid, starts, data.get("clues").where)
    names = {**NAMES, "date": "printDate", "id": "puzzleId", "author": "author"}
    known = {ours: plain(about.get(theirs).label("")) for ours, theirs in names.items()}
    notes = about.get("notes")
    known["notes"] = " ".join(map(_old_note, notes)) if isinstance(notes.value, list) else plain(notes.text(""))
    about.skip("publishType", "formatType", "printDotw", "volume", "status")
    return assemble(
        grid,
        list(_old_clues(data.get("clues"), grid)),
        full(solution),
        circles=[at for at, kind in enumerate(layout) if kind == CIRCLED],
        shaded=[at for at, kind in enumerate(layout) if kind == SHADED],
        left_out=unmarked,
        about=known,
    )


def _old_answer(answer: Node) -> str:
    """Return the letters of a cell: a text, or the first of a list of them."""
    first: Sequence[Node] = answer.items()[:1] if isinstance(answer.value, list) else [answer]
    return written(first[0].text("") if first else "", answer.where)


def _old_note(note: Node) -> str:
    return plain(
        note.get("txt").text("") or note.get("text").text("") if isinstance(note.value, dict) else note.text("")
    )


def _old_words(clues: Node, width: int) -> Iterator[tuple[Sequence[int], str]]:
    """Yield the cells of each clue that has its end in the file, and its place there."""
    for letter in "AD":
        for clue in clues.get(letter):
            if clue.has("clueEnd"):
                start, end = clue.get("clueStart").integer(), clue.get("clueEnd").integer()
                yield range(start, end + 1, 1 if letter == "A" else width), clue.where


def _old_clues(clues: Node, grid: Grid) -> Iterator[tuple[int, str, str]]:
    for letter in "AD":
        starts = {slot.cells[0]: slot.cells for slot in grid.slots if slot.name.endswith(letter)}
        for clue in clues.get(letter):
            cells = starts.get(clue.get("clueStart").integer(), ())
            yield clue_of(grid, cells, _number(clue.get("clueNum")), plain(clue.get("value").text("")), clue.where)
