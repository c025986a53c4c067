"""Pictures of a nonogram: half blocks for a terminal, and PNG."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from agent.draw.letters import spaced
from agent.puzzles.nonogram.colours import BLANK, FILLED, UNKNOWN
from agent.puzzles.nonogram.puzzle import Nonogram

CELL = 12
"""Pixels per cell in PNG: a 60x60 picture fits on a screen."""
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
GREY = bytes.fromhex("C8C8C8")
"""The colour of cells that are not known."""


def drawn(puzzle: Nonogram, rows: Sequence[str]) -> str:
    """Draw a picture for a terminal: in half blocks, or in the signs of its colours with their names below.

    >>> from agent.puzzles.nonogram.files import parse
    >>> print(drawn(parse("colours: r red FF0000, b blue 0000FF\\nrows: 1r 1b\\ncolumns: 1r / 1b"), ["rb"]))
    r b
    <BLANKLINE>
    r red, b blue
    """
    if len(puzzle.colours) == 2:
        return half_blocks(rows)
    names = ", ".join(f"{colour.sign} {colour.name}" for colour in puzzle.colours[1:])
    return f"{spaced(rows)}\n\n{names}"


def half_blocks(rows: Sequence[str]) -> str:
    """Draw two rows per line, each cell one character wide, so that cells are nearly square in a terminal.

    A picture that is not complete is drawn cell by cell instead, as half a block cannot show what is unknown.

    >>> print(half_blocks(["#.#", "##."]))
    █▄▀
    >>> print(half_blocks(["#?"]))
    ██░░
    """
    if any(UNKNOWN in row for row in rows):
        signs = {FILLED: "██", BLANK: "  ", UNKNOWN: "░░"}
        return "\n".join("".join(signs[cell] for cell in row).rstrip() for row in rows)
    lines = []
    for top in range(0, len(rows), 2):
        under = rows[top + 1] if top + 1 < len(rows) else BLANK * len(rows[top])
        pairs = zip(rows[top], under, strict=True)
        lines.append("".join(HALVES[a == FILLED, b == FILLED] for a, b in pairs).rstrip())
    return "\n".join(lines)


def png(puzzle: Nonogram, rows: Sequence[str], cell: int = CELL) -> bytes:
    """Draw a picture as PNG (the puzzle's colours as a palette, `cell` pixels a cell), without any imaging library.

    >>> from agent.puzzles.nonogram.files import parse
    >>> png(parse("1\\n\\n1\\n0"), ["#."])[:4]
    b'\\x89PNG'
    """

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    signs = puzzle.signs + UNKNOWN
    lines = [b"\0" + b"".join(bytes([signs.index(sign)]) * cell for sign in row) for row in rows]
    pixels = b"".join(line * cell for line in lines)
    header = struct.pack(">IIBBBBB", cell * len(rows[0]), cell * len(rows), 8, 3, 0, 0, 0)
    palette = b"".join(bytes.fromhex(colour.rgb) for colour in puzzle.colours) + GREY
    parts = {b"IHDR": header, b"PLTE": palette, b"IDAT": zlib.compress(pixels, 9), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts.items())
