"""JSON of the Wall Street Journal's puzzle pages: `copy` has what is printed, `grid` the cells, row by row. Read only.

A page's data may stand in `data`. A cell is `{"Letter": "A", "Blank": "", "style": {...}}`; blocks are `blank`, and the
letters are missing until the solution is out.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent.errors import FormatError
from agent.formats.common import assemble, full, make_grid, plain, written
from agent.formats.node import Node
from agent.grid import BLOCK, Puzzle

ABOUT = {
    "title": "title",
    "author": "byline",
    "editor": "editor",
    "publisher": "publisher",
    "date": "date-publish",
    "id": "id",
}
"""Our fields and theirs."""

TECHNICAL = ("settings", "type", "subtype", "gridsize", "date-publish-analytics", "date-release", "date-solution")
"""Fields that say nothing more about the puzzle."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"data": {"copy": {}, "grid": []}})), looks_like(Node({"copy": {}, "grid": []}))
    (True, True)
    """
    data = document.peek("data")
    return isinstance(document.peek("copy"), dict) or (isinstance(data, dict) and isinstance(data.get("copy"), dict))


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> clues = [{"title": "Across", "clues": [{"number": "1", "clue": "Not yes"}]}]
    >>> read(Node({"copy": {"clues": clues}, "grid": [[{"Letter": "N"}, {"Letter": "O"}]]})).solution.rows
    ('NO',)
    """
    data = document.get("data") if document.has("data") else document
    copy = data.get("copy")
    if not data.has("grid"):
        found = "an acrostic" if data.has("celldata") else "another kind of puzzle"
        raise FormatError(f"expected a crossword with grid, found {found}")
    solution = make_grid([[_letters(cell) for cell in row] for row in data.get("grid")], "grid")
    styles = [cell.get("style") for row in data.get("grid") for cell in row]
    circles = [at for at, style in enumerate(styles) if style.value and style.get("shapebg").value == "circle"]
    shaded = [at for at, style in enumerate(styles) if style.value and style.get("highlight").value is True]
    known = {ours: plain(copy.get(theirs).label("")) for ours, theirs in ABOUT.items()}
    known["author"] = known["author"] or plain(data.get("meta").get("author").text("") if data.has("meta") else "")
    known["notes"] = plain(f"{copy.get('description').text('')} {copy.get('crosswordadditionalcopy').text('')}")
    copy.skip(*TECHNICAL)
    data.skip("settings", "meta")
    return assemble(
        solution.emptied(), _clues(copy.get("clues")), full(solution), circles=circles, shaded=shaded, about=known
    )


def _letters(cell: Node) -> str:
    return BLOCK if cell.get("Blank").text("") else written(cell.get("Letter").text(""), cell.where)


def _clues(lists: Node) -> Iterator[tuple[int, str, str]]:
    for one in lists:
        way = one.get("title").text().strip()
        if way.lower() not in {"across", "down"}:
            raise one.get("title").fail("Across or Down")
        for clue in one.get("clues"):
            yield clue.get("number").integer(), way[0].upper(), plain(clue.get("clue").text(""))
