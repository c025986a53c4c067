"""Crossword Compiler's XML, as it is or packed into a .jpz file (zip or gzip).

Cells have places counted from 1, words have cells, and clues belong to words; a clue's direction follows from its
cells. Written is the plain XML, which programs that read .jpz take as well.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from agent.errors import FormatError
from agent.formats.common import (
    assemble,
    best_solution,
    clean,
    clue_of,
    flat_grid,
    full,
    numbered,
    parted,
    shades,
    shown,
    sides_of,
    with_bars,
    written,
)
from agent.formats.node import Node
from agent.formats.xml_node import parse_xml
from agent.grid import BLOCK, EMPTY, Grid, Puzzle
from agent.reading import decode

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET
    from zipfile import ZipFile

START = re.compile(rb"<(?:\w+:)?(?:crossword-compiler|rectangular-puzzle)[\s>-]")
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"

MAX_BYTES = 4_000_000
"""A packed file that unpacks to more is refused: the largest puzzle has a tenth of it."""

MOST_PACKED = 50
"""Files of an archive that are looked into."""

HEAD = 4096
"""Bytes in which the first element begins."""

PUZZLE = "http://crossword.info/xml/rectangular-puzzle"
COMPILER = "http://crossword.info/xml/crossword-compiler"

NAMES = {
    "title": "title",
    "author": "creator",
    "editor": "editor",
    "publisher": "publisher",
    "copyright": "copyright",
    "date": "created-at",
    "id": "identifier",
    "notes": "description",
}
"""Our fields and theirs."""

TEXTS = frozenset(("clue", "title", "description", *NAMES.values()))
"""Elements whose markup is left out."""

BARS = {"T": "top-bar", "R": "right-bar", "B": "bottom-bar", "L": "left-bar"}
"""Attributes of a cell for the bars at its sides."""

SHADE = "#cccccc"


def looks_like(data: bytes) -> bool:
    """Return whether bytes are such a file: a packed one, or the XML.

    >>> looks_like(b'<?xml version="1.0"?><crossword-compiler-applet>'), looks_like(b"PK\\x03\\x04...")
    (True, True)
    """
    return data.startswith((ZIP, GZIP)) or _is_xml(data[:HEAD])


def _is_xml(head: bytes) -> bool:
    return START.search(head.replace(b"\0", b"")) is not None


def read(data: bytes) -> Puzzle:
    """Read a puzzle. Raises FormatError for a damaged file, and for another kind of puzzle."""
    document = parse_xml(decode(_unpacked(data), wanted="a puzzle in XML"), TEXTS)
    puzzle = document
    if document.has("rectangular-puzzle"):
        (puzzle, *others) = document.get("rectangular-puzzle").items()
        if others:
            raise FormatError(f"expected one puzzle, found {1 + len(others)}")
        document.skip("applet-settings")
    if not puzzle.has("crossword"):
        found = next((name for name in puzzle.fields() if name not in {"metadata", "text", "alphabet"}), "nothing")
        raise FormatError(f"expected a crossword, found {found}", "rectangular-puzzle")
    board = puzzle.get("crossword").items()[0]
    grids = board.get("grid").items()
    size = grids[0]
    size.skip("grid-look")
    width, height = (Node(size.get(side).text(), f"grid.{side}").integer() for side in ("width", "height"))
    cells = dict(_placed(size.get("cell"), width, height)) if size.has("cell") else {}
    solution = flat_grid([_content(cells.get(at)) for at in range(min(width * height, 1000))], width, height, "grid")
    given = {at: solution.cells[at] for at, cell in cells.items() if _is_given(cell)}
    grid = solution.emptied().fill({at: letter for at, letter in given.items() if letter != BLOCK})
    barred = {at: [side for side, bar in BARS.items() if cell.get(bar).value == "true"] for at, cell in cells.items()}
    words = {word.get("id").text(): _word(word, width) for word in board.get("word")} if board.has("word") else {}
    entries = list(_entries(board, words))
    grid, unmarked = parted(with_bars(grid, barred), [(cells, where) for cells, _, _, where in entries])
    grid = numbered(grid, [_number(cells.get(at)) for at in range(len(grid.cells))], "grid")
    shaded, left_out = shades({at: cell.get("background-color").text("") for at, cell in cells.items()})
    entered = {at: _entered(cell) for at, cell in cells.items() if at not in given and grid.cells[at] != BLOCK}
    circles = [at for at, cell in cells.items() if cell.get("background-shape").value == "circle"]
    about = _about(puzzle)
    puzzle.skip("alphabet")
    return assemble(
        grid,
        [clue_of(grid, *entry) for entry in entries],
        full(solution),
        circles=circles,
        shaded=[at for at in shaded if at not in _blocks(grid)],
        progress=grid.fill(entered),
        left_out=(*left_out, *unmarked, *document.unread()),
        about=about,
    )


def _blocks(grid: Grid) -> set[int]:
    return {at for at, cell in enumerate(grid.cells) if cell == BLOCK}


def _about(puzzle: Node) -> dict[str, str]:
    """Return what the metadata say."""
    if not puzzle.has("metadata"):
        return {}
    metadata = puzzle.get("metadata").items()[0]
    texts = {ours: metadata.get(theirs) for ours, theirs in NAMES.items()}
    return {ours: " ".join(one.get("text").text("") for one in found) for ours, found in texts.items() if found.value}


def _packed(archive: ZipFile) -> str:
    """Return the name of the one puzzle in an archive, which may hold other files besides. Raises FormatError."""
    names = [one.filename for one in archive.infolist() if not one.is_dir()]
    found = []
    for name in names[:MOST_PACKED]:
        with archive.open(name) as file:
            found += [name] if _is_xml(file.read(HEAD)) else []
    if len(found) == 1:
        return found[0]
    inside = ", ".join(map(shown, names[:3])) or "nothing"
    what = f"{len(found)} puzzles" if found else f"an archive of other files ({inside})"
    raise FormatError(f"expected a .jpz file, found {what}: unpack it and name one file")


def _unpacked(data: bytes) -> bytes:
    try:
        if data.startswith(ZIP):
            import zipfile

            with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_packed(archive)) as file:
                data = file.read(MAX_BYTES + 1)
        elif data.startswith(GZIP):
            data = zlib.decompressobj(wbits=31).decompress(data, MAX_BYTES + 1)
    except FormatError:
        raise
    except Exception as error:  # zipfile may raise anything for damaged bytes, and there may be no file
        reason = clean(str(error))[:100]  # it may quote much of the file
        raise FormatError(f"expected a .jpz file, found a damaged one: {reason}") from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"expected at most {MAX_BYTES:,} bytes of XML, found more")
    return data


def _placed(cells: Node, width: int, height: int) -> Iterator[tuple[int, Node]]:
    for cell in cells:
        x, y = (Node(cell.get(side).text(), f"{cell.where}.{side}").integer() for side in "xy")
        if not (1 <= x <= width and 1 <= y <= height):
            raise cell.fail(f"a cell inside {width}x{height}")
        yield (y - 1) * width + x - 1, cell


def _content(cell: Node | None) -> str:
    """Return the solution of a cell; one that is not there, void, or of a clue and no letter is a block."""
    if cell is None or cell.get("type").text("letter") in {"block", "void"}:
        return BLOCK
    if cell.get("type").value == "clue" and not _is_given(cell):
        return BLOCK
    return written(cell.get("solution").text(""), cell.where)


def _is_given(cell: Node) -> bool:
    """Return whether a cell's letter is given: a hint, or a cell of the clue that has a letter."""
    is_clue = cell.get("type").value == "clue" and bool(cell.get("solution").text("").strip())
    return is_clue or cell.get("hint").value == "true"


def _entered(cell: Node) -> str:
    """Return what a person has entered so far."""
    return written(cell.get("solve-state").text(""), cell.where)


def _number(cell: Node | None) -> int | None:
    if cell is None or not cell.get("number").text("").strip():
        return None
    return Node(cell.get("number").text().strip(), f"{cell.where}.number").integer()


def _word(word: Node, width: int) -> tuple[int, ...]:
    """Return the cells of a word: a range of places, or one place after the other."""
    parts = [word] if word.has("x") else word.get("cells").items()
    if word.has("x"):
        parts += word.get("cells").items() if word.has("cells") else []
    return tuple(y * width + x for part in parts for y in _range(part.get("y")) for x in _range(part.get("x")))


def _range(places: Node) -> range:
    """Read `3` or `3-7`, counted from 1, as a range from 0."""
    first, dash, last = places.text().partition("-")
    start = Node(first, places.where).integer()
    end = Node(last, places.where).integer() if dash else start
    if not 1 <= start <= end <= 100:
        raise places.fail("a place such as 3 or 3-7")
    return range(start - 1, end)


def _entries(board: Node, words: dict[str, tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], int, str, str]]:
    """Yield the cells, the number and the text of each clue, and its place in the file."""
    for listed in board.get("clues") if board.has("clues") else ():
        listed.skip("title", "ordering")
        for clue in listed.get("clue") if listed.has("clue") else ():
            clue.skip("format", "is-link")
            cells = words.get(clue.get("word").text())
            if cells is None:
                raise clue.get("word").fail("the id of a word")
            number = Node(clue.get("number").text("").strip(), f"{clue.where}.number").integer()
            yield cells, number, clue.get("text").text(""), clue.where


def write(puzzle: Puzzle, filled: Grid | None = None) -> bytes:
    """Write the XML, with `filled`, else the puzzle's own, as the solution."""
    from xml.etree import ElementTree as ET

    grid = puzzle.grid
    solution = best_solution(puzzle, filled)
    root = ET.Element("crossword-compiler", xmlns=COMPILER)
    rectangular = ET.SubElement(root, "rectangular-puzzle", xmlns=PUZZLE)
    metadata = ET.SubElement(rectangular, "metadata")
    for name, text in puzzle.about.items():
        ET.SubElement(metadata, NAMES[name]).text = clean(text)
    crossword = ET.SubElement(rectangular, "crossword")
    drawn = ET.SubElement(crossword, "grid", width=str(grid.width), height=str(grid.height))
    sides = sides_of(grid)
    for at, given in enumerate(grid.cells):
        y, x = divmod(at, grid.width)
        cell = ET.SubElement(drawn, "cell", x=str(x + 1), y=str(y + 1))
        if given == BLOCK:
            cell.set("type", "block")
            continue
        letters = given if given != EMPTY else solution.cells[at] if solution else EMPTY
        marks = {
            "solution": letters if letters != EMPTY else "",
            "number": str(grid.slot_numbers.get(at, "")),
            "background-shape": "circle" if at in puzzle.circles else "",
            "background-color": SHADE if at in puzzle.shaded else "",
            "hint": "true" if given != EMPTY else "",
            "solve-state": puzzle.progress.cells[at].replace(EMPTY, "") if puzzle.progress and given == EMPTY else "",
            **{BARS[side]: "true" for side in sides.get(at, "")},
        }
        cell.attrib.update({name: text for name, text in marks.items() if text})
    clues: dict[str, ET.Element] = {}
    for identity, slot in enumerate(grid.slots, 1):
        word = ET.SubElement(crossword, "word", id=str(identity))
        for at in slot.cells:
            y, x = divmod(at, grid.width)
            ET.SubElement(word, "cells", x=str(x + 1), y=str(y + 1))
    for identity, slot in enumerate(grid.slots, 1):
        if slot.direction not in clues:
            clues[slot.direction] = ET.SubElement(crossword, "clues", ordering="normal")
            ET.SubElement(ET.SubElement(clues[slot.direction], "title"), "b").text = slot.direction.title()
        if text := clean(puzzle.clue(slot)):
            ET.SubElement(clues[slot.direction], "clue", word=str(identity), number=str(slot.number)).text = text
    return bytes(ET.tostring(root, "utf-8", xml_declaration=True))
