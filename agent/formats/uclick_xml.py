"""XML of Universal Uclick: `AllAnswer` has the letters, `across` and `down` an element for each clue. Read only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from agent.formats.common import assemble, clue_of, full, numbered_by_clues, plain
from agent.formats.node import Node
from agent.formats.uclick import ABOUT, letters
from agent.formats.xml_node import parse_xml
from agent.grid import Grid, Puzzle

START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<crossword\b", re.DOTALL)


def looks_like(text: str) -> bool:
    """Return whether a text is of this format.

    >>> looks_like('<crossword><Width v="2"/><AllAnswer v="NO"/></crossword>')
    True
    """
    return START.match(text) is not None and "<AllAnswer" in text


def read(text: str) -> Puzzle:
    """Read a puzzle.

    >>> board = '<Width v="2"/><Height v="1"/><AllAnswer v="NO"/>'
    >>> clue = '<across><a1 a="NO" c="Not%20yes" n="1" cn="1"/></across>'
    >>> read(f"<crossword>{board}{clue}</crossword>").clue("1A")
    'Not yes'
    """
    document = parse_xml(text)
    width, height = (Node(_first(document, name).text(), name).integer() for name in ("Width", "Height"))
    solution = letters(_first(document, "AllAnswer"), width, height)
    listed = [(way, clue) for way in ("across", "down") for clue in _listed(document, way)]
    starts = [(_start(clue), Node(clue.get("cn").text(), clue.where).integer()) for _, clue in listed]
    grid = numbered_by_clues(solution.emptied(), [(at, number) for at, number in starts if at >= 0], "clues")
    about = {name.lower(): plain(unquote(_first(document, name).text(""))) for name in ABOUT}
    document.skip("Category", "Type", "LetterCount")
    clues = list(_clues(listed, starts, grid))
    return assemble(grid, clues, full(solution), left_out=document.unread(), about=about)


def _first(document: Node, name: str) -> Node:
    """Return the value of the only element of a name."""
    return document.get(name).items()[0].get("v") if document.has(name) else document.get(name)


def _listed(document: Node, way: str) -> Iterator[Node]:
    """Yield the clues of a direction: elements called by their number, such as a12."""
    for part in document.get(way) if document.has(way) else ():
        for name in part.fields():
            if isinstance(part.peek(name), list):
                yield from part.get(name)


def _start(clue: Node) -> int:
    clue.skip("a")  # the answer, which the letters tell as well
    return Node(clue.get("n").text(), clue.where).integer() - 1


def _clues(listed: list[tuple[str, Node]], starts: list[tuple[int, int]], grid: Grid) -> Iterator[tuple[int, str, str]]:
    slots = {(slot.direction, slot.cells[0]): slot.cells for slot in grid.slots}
    for (way, clue), (start, number) in zip(listed, starts, strict=True):
        cells = next((cells for (of, at), cells in slots.items() if (of, at) == (way, start)), ())
        yield clue_of(grid, cells, number, plain(unquote(clue.get("c").text(""))), f"{way} {number}")
