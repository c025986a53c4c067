"""Rows of cells as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def spaced(rows: Sequence[str], box: tuple[int, int] = (0, 0)) -> str:
    """Return rows with spaces between the cells, and lines between boxes of `box` columns and rows.

    >>> print(spaced(["ab", "cd"]))
    a b
    c d
    >>> print(spaced(["1.", ".2"], (1, 1)))
    1 | .
    --+--
    . | 2
    """
    wide, high = box[0] or len(rows[0]), box[1] or len(rows)
    parts = range(0, len(rows[0]), wide)
    lines = [" | ".join(" ".join(row[x : x + wide]) for x in parts) for row in rows]
    rule = "+".join(["-" * (2 * wide + 1)] * len(parts))[1:-1]
    return f"\n{rule}\n".join("\n".join(lines[y : y + high]) for y in range(0, len(lines), high))


def place(cell: int, width: int) -> str:
    """Return a cell's row and column in words, from 1.

    >>> place(5, 3)
    'row 2, column 3'
    """
    return f"row {cell // width + 1}, column {cell % width + 1}"


def in_rows(text: str, width: int) -> tuple[str, ...]:
    """Cut cells into rows.

    >>> in_rows("abcd", 2)
    ('ab', 'cd')
    """
    return tuple(text[start : start + width] for start in range(0, len(text), width))
