"""JSON of Crosshare: the puzzle of a page, with long names, or a record of its database, with short ones. Read only."""

from __future__ import annotations

from collections.abc import Iterator

from agent.formats.common import assemble, flat_grid, full, plain, with_bars, written
from agent.formats.node import Node
from agent.grid import BLOCK, Puzzle

SHORT = frozenset(("g", "w", "h", "ac", "an", "dc", "dn"))
"""The fields that every record of the database has."""

TECHNICAL = (
    "authorId",
    "category",
    "moderated",
    "publishTime",
    "isPrivate",
    "likes",
    "comments",
    "a",
    "c",
    "m",
    "p",
    "f",
)
"""Fields that say nothing about the puzzle."""


BARS = {"vBars": "R", "hBars": "B"}
"""Lists of the cells with a bar, and the side it is at."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"size": {"rows": 1, "cols": 1}, "grid": ["A"], "clues": []}))
    True
    """
    return document.has("props") or document.has("pageProps") or set(document.fields()) >= SHORT or _is_long(document)


def _is_long(document: Node) -> bool:
    return isinstance(document.peek("size"), dict) and document.has("grid") and isinstance(document.peek("clues"), list)


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> clue = {"dir": 0, "num": 1, "clue": "Not yes"}
    >>> document = {"title": "T", "size": {"rows": 1, "cols": 2}, "grid": ["N", "O"], "clues": [clue]}
    >>> read(Node({"pageProps": {"puzzle": document}})).clue("1A")
    'Not yes'
    """
    if document.has("props"):
        return read(document.get("props"))
    if document.has("pageProps"):
        return read(document.get("pageProps").get("puzzle"))
    document.skip(*TECHNICAL)
    is_long = _is_long(document)
    size = document.get("size") if is_long else document
    width, height = (size.get("cols"), size.get("rows")) if is_long else (size.get("w"), size.get("h"))
    found = document.get("grid" if is_long else "g")
    cells = [BLOCK if cell.text() == "." else written(cell.text(), cell.where) for cell in found]
    solution = flat_grid(cells, width.integer(), height.integer(), found.where)
    marks = document.get("highlighted" if is_long else "hs")
    marked = [cell.integer() for cell in marks] if marks.value is not None else []
    is_shade = document.get("highlight").value == "shade" or document.get("s").value is True
    grid = solution.emptied()
    for field, side in BARS.items():
        bars = [cell.integer() for cell in document.get(field)] if document.has(field) else []
        if any(cell >= len(cells) for cell in bars):
            raise document.get(field).fail(f"cells from 0 to {len(cells) - 1}")
        grid = with_bars(grid, dict.fromkeys(bars, side))
    names = ("title", "authorName", "constructorNotes", "guestConstructor") if is_long else ("t", "n", "cn", "gc")
    title, author, notes, guest = (plain(document.get(name).text("")) for name in names)
    return assemble(
        grid,
        _clues(document) if is_long else _short_clues(document),
        full(solution),
        circles=() if is_shade else marked,
        shaded=marked if is_shade else (),
        about={
            "title": title,
            "author": guest or author,
            "publisher": author if guest else "",
            "notes": notes,
            "copyright": plain(document.get("copyright").text("")),
            "id": document.get("id").label(""),
        },
    )


def _clues(document: Node) -> Iterator[tuple[int, str, str]]:
    for clue in document.get("clues"):
        yield clue.get("num").integer(), "D" if clue.get("dir").integer() else "A", plain(clue.get("clue").text())


def _short_clues(document: Node) -> Iterator[tuple[int, str, str]]:
    for letter, texts, numbers in (("A", "ac", "an"), ("D", "dc", "dn")):
        found, numbered = document.get(texts).items(), document.get(numbers).items()
        if len(found) != len(numbered):
            raise document.get(numbers).fail(f"a number for each of {len(found)} clues")
        for number, text in zip(numbered, found, strict=True):
            yield number.integer(), letter, plain(text.text())
