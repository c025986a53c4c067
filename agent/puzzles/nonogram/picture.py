"""Pictures of a nonogram: half blocks for a terminal, and PNG.

A picture is rows of `#` (filled), `.` (empty) and `?` (not known).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

FILLED, BLANK, UNKNOWN = "#", ".", "?"
CELL = 12
"""Pixels per cell in PNG: a 60x60 picture fits on a screen."""
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
GREY = {FILLED: 0x22, BLANK: 0xFF, UNKNOWN: 0xC8}


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


def png(rows: Sequence[str], cell: int = CELL) -> bytes:
    """Draw a picture as PNG (8-bit grey, `cell` pixels a cell), without any imaging library.

    >>> png(["#."])[:4]
    b'\\x89PNG'
    """

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    lines = [b"\0" + b"".join(bytes([GREY[sign]]) * cell for sign in row) for row in rows]
    pixels = b"".join(line * cell for line in lines)
    header = struct.pack(">IIBBBBB", cell * len(rows[0]), cell * len(rows), 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body
