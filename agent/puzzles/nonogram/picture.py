"""Pictures of a nonogram: half blocks for a terminal, SVG, PNG and HTML.

A picture is rows of `#` (filled), `.` (empty) and `?` (not known).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

FILLED, BLANK, UNKNOWN = "#", ".", "?"
CELL = 12
"""Pixels a cell in PNG and SVG: a 60x60 picture fits on a screen."""
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
GREY = {FILLED: 0x22, BLANK: 0xFF, UNKNOWN: 0xC8}


def half_blocks(rows: Sequence[str]) -> str:
    """Draw two rows a line, each cell one character wide, so that cells are nearly square in a terminal.

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


def svg(rows: Sequence[str]) -> str:
    """Draw a picture as SVG: one rectangle per run of filled or unknown cells.

    >>> svg(["##."]).count("<rect")
    2
    """
    width, height = CELL * len(rows[0]), CELL * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for r, row in enumerate(rows):
        begin = 0
        while begin < len(row):
            end = begin
            while end < len(row) and row[end] == row[begin]:
                end += 1
            if row[begin] != BLANK:
                colour = f"#{GREY[row[begin]]:02x}" + f"{GREY[row[begin]]:02x}" * 2
                parts.append(
                    f'<rect x="{CELL * begin}" y="{CELL * r}" width="{CELL * (end - begin)}" height="{CELL}" '
                    f'fill="{colour}"/>'
                )
            begin = end
    return "".join(parts) + "</svg>"


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


def html(rows: Sequence[str], row_clues: Sequence[Sequence[int]], column_clues: Sequence[Sequence[int]]) -> str:
    """Draw a picture as an HTML table with its clues.

    >>> html(["#"], [[1]], [[1]]).count("<td")
    2
    """
    box = "width:14px;height:14px;border:1px solid #ddd;padding:0"
    colour = {FILLED: "#222", BLANK: "#fff", UNKNOWN: "#c8c8c8"}
    head = "".join(
        f'<th style="vertical-align:bottom;font-weight:normal">{"<br>".join(map(str, clue)) or 0}</th>'
        for clue in column_clues
    )
    lines = [f"<tr><td></td>{head}</tr>"]
    for row, clue in zip(rows, row_clues, strict=True):
        cells = "".join(f'<td style="{box};background:{colour[cell]}"></td>' for cell in row)
        label = " ".join(map(str, clue)) or 0
        lines.append(f'<tr><th style="text-align:right;font-weight:normal">{label}</th>{cells}</tr>')
    return f'<table style="border-collapse:collapse;font:10px sans-serif">{"".join(lines)}</table>'
