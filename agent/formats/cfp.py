"""CrossFire's files (.cfp): XML with rows of letters (`.` is a block) and a `WORD` for each clue. Read only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.errors import FormatError
from agent.formats.common import assemble, make_grid, plain, split_solution, written
from agent.formats.node import Node
from agent.formats.xml_node import parse_xml
from agent.grid import BLOCK, EMPTY, Puzzle

START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<CROSSFIRE\b", re.DOTALL)

GRID = re.compile(r"<GRID\b[^>]*>\r?\n?(.*?)</GRID>", re.DOTALL)
"""The rows, whose blanks are empty cells, which the XML's own text would not keep."""

ABOUT = {"title": "TITLE", "author": "AUTHOR", "copyright": "COPYRIGHT", "notes": "NOTES"}
"""Our fields and theirs."""

TECHNICAL = ("VERSION", "SYMMETRY", "THEME", "DICTIONARIES")
"""Elements that say nothing about the puzzle."""

EMPTY_SIGNS = frozenset(" -?")


def looks_like(text: str) -> bool:
    """Return whether a text is of this format.

    >>> looks_like('<?xml version="1.0"?><CROSSFIRE><GRID width="2">NO</GRID></CROSSFIRE>')
    True
    """
    return START.match(text) is not None


def read(text: str) -> Puzzle:
    """Read a puzzle.

    >>> clue = '<WORDS><WORD dir="ACROSS" id="0" num="1">Not yes</WORD></WORDS>'
    >>> read(f'<CROSSFIRE><GRID width="2">NO</GRID>{clue}</CROSSFIRE>').clue("1A")
    'Not yes'
    """
    document = parse_xml(text, {"WORD", *ABOUT.values()})
    drawn = GRID.search(text)
    if drawn is None:
        raise FormatError("expected a GRID, found none")
    board = document.get("GRID").items()[0]
    board.skip("text")
    width = Node(board.get("width").text(), "GRID.width").integer()
    rebus = dict(_rebus(document))
    rows = [line for line in drawn[1].splitlines() if line.strip() or len(line) == width]
    grid, solution = split_solution(make_grid([[_cell(sign, rebus) for sign in row.ljust(width)] for row in rows]))
    if grid.width != width:
        raise FormatError(f"expected {grid.width} as in the rows, found {width}", "GRID.width")
    circles = [Node(at.strip(), "CIRCLES").integer() for at in _text(document, "CIRCLES").split(",") if at.strip()]
    known = {ours: plain(_text(document, theirs)) for ours, theirs in ABOUT.items()}
    document.skip(*TECHNICAL)
    clues = list(_clues(document))
    return assemble(grid, clues, solution, circles=circles, left_out=document.unread(), about=known)


def _text(document: Node, name: str) -> str:
    """Return the text of the only element of a name, empty if there is none."""
    return document.get(name).items()[0].get("text").text("") if document.has(name) else ""


def _cell(sign: str, rebus: dict[str, str]) -> str:
    if sign in rebus:
        return rebus[sign]
    return BLOCK if sign == "." else EMPTY if sign in EMPTY_SIGNS else written(sign, "GRID")


def _rebus(document: Node) -> Iterator[tuple[str, str]]:
    for one in document.get("REBUSES") if document.has("REBUSES") else ():
        for rebus in one.get("REBUS") if one.has("REBUS") else ():
            rebus.skip("display")
            yield rebus.get("input").text(), written(rebus.get("letters").text(), "REBUS")


def _clues(document: Node) -> Iterator[tuple[int, str, str]]:
    for listed in document.get("WORDS") if document.has("WORDS") else ():
        for word in listed.get("WORD") if listed.has("WORD") else ():
            word.skip("id", "isTheme")
            way = word.get("dir").text()
            if way not in {"ACROSS", "DOWN"}:
                raise word.get("dir").fail("ACROSS or DOWN")
            yield Node(word.get("num").text(), "WORD.num").integer(), way[0], plain(word.get("text").text(""))
