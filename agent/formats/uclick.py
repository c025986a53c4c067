"""JSON of Universal Uclick: letters in one text, `AllAnswer`, and clues as lines such as `01|text`. Read only."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from agent.formats.common import assemble, flat_grid, full, plain, written
from agent.formats.node import Node
from agent.grid import BLOCK, Grid, Puzzle

BLOCK_SIGN = "-"

ABOUT = ("Title", "Author", "Editor", "Copyright", "Date")
"""Fields that are ours as well, in small letters."""

QUOTE = str.maketrans({"\x92": "'"})
"""An apostrophe of Windows-1252 that was taken for Latin-1."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"AllAnswer": "NO", "AcrossClue": "01|Not yes"}))
    True
    """
    return document.has("AllAnswer")


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> clues = {"AcrossClue": "01|Not yes\\nend\\n", "DownClue": "end"}
    >>> read(Node({"AllAnswer": "NO", "Width": "2", "Height": 1, "Title": "A%26B", **clues})).title
    'A&B'
    """
    solution = letters(document.get("AllAnswer"), document.get("Width").integer(), document.get("Height").integer())
    about = {name.lower(): plain(unquote(document.get(name).label(""))) for name in ABOUT}
    document.skip("Layout", "Solution", "AcrossSolution", "DownSolution")  # the same, in other forms
    clues = [*_clues(document.get("AcrossClue"), "A"), *_clues(document.get("DownClue"), "D")]
    return assemble(solution.emptied(), clues, full(solution), about=about)


def letters(cells: Node, width: int, height: int) -> Grid:
    """Return the grid of letters that stand in one text, row by row."""
    found = [BLOCK if sign == BLOCK_SIGN else written(sign, cells.where) for sign in cells.text()]
    return flat_grid(found, width, height, cells.where)


def _clues(lines: Node, letter: str) -> Iterator[tuple[int, str, str]]:
    for line in lines.text("").splitlines():
        if line.strip() == "end":
            return
        number, bar, text = line.partition("|")
        if line.strip():
            found = Node(number.strip(), lines.where).integer()
            if not bar:
                raise lines.fail("lines such as 01|text")
            yield found, letter, plain(text.translate(QUOTE))
