"""A grid of cells: blocks, bars, numbers, letters, a rebus, doubt shaded and measured, cells that are marked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeGuard

from agent.draw.doubt import GUESS, percent
from agent.draw.svg import INK, Svg, element, number, picture, printable, text

Rows = Sequence[Sequence[str | None]]
"""A cell is a block `#`, empty (None, no text, or one of `EMPTY`), or its letters."""

BLOCK = "#"
EMPTY = frozenset(("", " ", ".", "_"))

CELL = 36
"""Pixels of a cell's side: a letter of 20 pixels, and room for a number above it."""

DOUBT = "#e69600"
"""Shade of a doubtful cell: letters on it keep a contrast of 4.5 to 1 on white and on near black."""

MOST_SHADE = 0.55
"""Opacity of the shade if nothing is known; a sure cell has none."""

VISIBLE_DOUBT = 0.005
"""A doubt of less than half a percent is not drawn."""


def is_grid(value: Any) -> TypeGuard[list[list[str | None]]]:
    """Return whether a JSON value can be drawn as a grid.

    >>> is_grid([["a", None]]), is_grid([["ab"]]), is_grid([["a"], []]), is_grid(True)
    (True, False, False, False)
    """
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, list) and row and len(row) == len(value[0]) for row in value)
        and all(cell is None or (isinstance(cell, str) and len(cell) == 1) for row in value for cell in row)
    )


def grid_svg(
    rows: Rows,
    *,
    numbers: Mapping[int, int] | None = None,
    confidence: Sequence[float] = (),
    marked: Collection[int] = (),
    bold: Collection[int] = (),
    heavy: tuple[int, int] | None = None,
    bars: Collection[tuple[int, int]] = (),
    title: str = "",
) -> Svg:
    """Draw a grid; cells have indexes row * width + column.

    `numbers` (cell -> number) are printed in the cells. `confidence`, for each cell 0 to 1, is shown three
    ways: doubt shades the cell and sets the length of a bar at its foot, and a guess is in lower case.
    `marked` cells get a frame inside, such as those that changed; `bold` ones bold letters, such as givens.
    `heavy` is the width and height of boxes, which get heavier frames; `bars` are heavier lines between two cells.
    Raises ValueError if rows differ in length or there is not one confidence for each cell.

    >>> svg = grid_svg(["A#", "B."], numbers={0: 1}, confidence=[0.25, 1, 1, 1])
    >>> "a, 25 % sure" in svg, svg.count("<rect")
    (True, 2)
    """
    height, width = len(rows), len(rows[0]) if rows else 0
    if any(len(row) != width for row in rows):
        raise ValueError("a grid needs rows of equal length")
    if len(confidence) not in {0, width * height}:
        raise ValueError(f"expected one confidence for each of {width * height} cells, found {len(confidence)}")
    parts = []
    for index in range(width * height):
        row, column = divmod(index, width)
        cell = rows[row][column] or ""
        x, y = 1 + CELL * column, 1 + CELL * row
        if cell == BLOCK:
            parts.append(element("rect", x=x, y=y, width=CELL, height=CELL, fill=INK))
            continue
        sure = confidence[index] if confidence else 1.0
        if 1 - sure > VISIBLE_DOUBT:
            parts += _doubt(x, y, 1 - sure)
        if numbers and index in numbers:
            parts.append(text(str(numbers[index]), x + 3, y + 11, 10))
        if cell not in EMPTY:
            letter = cell.lower() if sure < GUESS else cell
            parts.append(_letter(letter, x, y, bold=index in bold, sure=sure if confidence else None))
        if index in marked:
            parts.append(_mark(x, y))
    lines = "".join(f"M1 {1 + CELL * r}h{CELL * width}" for r in range(height + 1))
    lines += "".join(f"M{1 + CELL * c} 1v{CELL * height}" for c in range(width + 1))
    parts.append(element("path", d=lines, stroke=INK, fill="none"))
    if heavy:
        lines = "".join(f"M1 {1 + CELL * r}h{CELL * width}" for r in range(0, height + 1, heavy[1]))
        lines += "".join(f"M{1 + CELL * c} 1v{CELL * height}" for c in range(0, width + 1, heavy[0]))
        parts.append(_heavy(lines, 2.5))
    if bars:
        parts.append(_heavy("".join(_bar(*bar, width) for bar in sorted(bars)), 4))
    size = CELL * width + 2, CELL * height + 2
    return picture(*size, *parts, title=title or f"Grid, {width} by {height}", desc=in_words(rows))


def in_words(rows: Rows) -> str:
    """Describe a grid in words, row by row, for screen readers; of a large one only the size.

    >>> in_words(["A#", "B."])
    'Row 1: A, block. Row 2: B, empty.'
    """
    if sum(map(len, rows)) > MOST_READ_OUT:
        return f"{len(rows)} rows of {len(rows[0])} cells."

    def say(cell: str | None) -> str:
        return "block" if cell == BLOCK else "empty" if not cell or cell in EMPTY else cell

    return " ".join(f"Row {place}: {', '.join(map(say, row))}." for place, row in enumerate(rows, 1))


MOST_READ_OUT = 225
"""Cells up to which a grid is read out: a 15x15; more would take too long to listen to."""


def _letter(letter: str, x: float, y: float, *, bold: bool, sure: float | None) -> str:
    """Draw the content of a cell; several letters of a rebus share its width."""
    size = min(20.0, 1.6 * (CELL - 4) / len(letter))
    tip = element("title", printable(f"{letter}, {percent(sure)} sure")) if sure is not None else ""
    weight: dict[str, str | float] = {"font_weight": "bold"} if bold else {}
    return text(letter, x + CELL / 2, y + 18.5 + 0.36 * size, size, tip, text_anchor="middle", **weight)


def _doubt(x: float, y: float, doubt: float) -> list[str]:
    shade = element("rect", x=x, y=y, width=CELL, height=CELL, fill=DOUBT, fill_opacity=MOST_SHADE * doubt)
    bar = element("path", d=f"M{number(x)} {number(y + CELL - 2)}h{number(CELL * doubt)}", stroke=INK, stroke_width=3)
    return [shade, bar]


def _heavy(lines: str, stroke: float) -> str:
    return element("path", d=lines, stroke=INK, stroke_width=stroke, stroke_linecap="square", fill="none")


def _bar(one: int, other: int, width: int) -> str:
    """Draw the edge between a cell and the one to its right or below it."""
    row, column = divmod(other, width)
    return f"M{1 + CELL * column} {1 + CELL * row}{'h' if other - one == width else 'v'}{CELL}"


def _mark(x: float, y: float) -> str:
    size = CELL - 6
    return element("rect", x=x + 3, y=y + 3, width=size, height=size, fill="none", stroke="#d6456b", stroke_width=2)
