"""A nonogram: its clues along two sides, filled cells, and cells not known yet."""

from __future__ import annotations

from collections.abc import Sequence

from agent.draw.svg import INK, Svg, element, number, picture, text

FILLED, BLANK = "#", "."
"""Any other sign stands for a cell that is not known."""

CELL = 16
"""Pixels of a cell's side: 60 cells fit on a screen."""

LETTERS = 10
"""Font size of the clues."""

EVERY = 5
"""Each fifth line is heavier, as in print: people count by it."""

Clues = Sequence[Sequence[int]]


def nonogram_svg(rows: Sequence[str], row_clues: Clues = (), column_clues: Clues = (), *, title: str = "") -> Svg:
    """Draw rows of `#` (filled), `.` (blank) and any other sign (not known: shaded faintly), with the clues.

    An empty clue is a 0. Raises ValueError if rows differ in length, or the clues are not one for each line.

    >>> nonogram_svg(["##?"], [[2]], [[1], [1], []]).count("<rect")
    2
    """
    height, width = len(rows), len(rows[0]) if rows else 0
    if any(len(row) != width for row in rows):
        raise ValueError("a picture needs rows of equal length")
    for clues, count in ((row_clues, height), (column_clues, width)):
        if clues and len(clues) != count:
            raise ValueError(f"expected {count} clues, found {len(clues)}")
    labels = [" ".join(map(str, clue)) or "0" for clue in row_clues]
    left = 6 + 0.56 * LETTERS * max(map(len, labels), default=-1)
    top = 4 + (LETTERS + 2) * max((len(clue) or 1 for clue in column_clues), default=0)
    parts = []
    for r, label in enumerate(labels):
        parts.append(text(label, left - 4, top + CELL * r + 12, LETTERS, text_anchor="end"))
    for c, clue in enumerate(column_clues):
        for place, run in enumerate(reversed(clue or (0,))):
            x, y = left + CELL * (c + 0.5), top - 4 - (LETTERS + 2) * place
            parts.append(text(str(run), x, y, LETTERS, text_anchor="middle"))
    for r, row in enumerate(rows):
        parts += _runs(row, left, top + CELL * r)
    thin = _lines(left, top, width, height, 1)
    heavy = _lines(left, top, width, height, EVERY)
    parts.append(element("path", d=thin, stroke=INK, stroke_opacity=0.35, stroke_width=0.5, fill="none"))
    parts.append(element("path", d=heavy, stroke=INK, fill="none"))
    known = sum(cell in (FILLED, BLANK) for row in rows for cell in row)
    filled = sum(row.count(FILLED) for row in rows)
    words = f"{width} columns, {height} rows: {filled} cells filled, {width * height - known} not known."
    size = left + CELL * width + 2, top + CELL * height + 2
    return picture(*size, *parts, title=title or "Nonogram", desc=words)


def _runs(row: str, left: float, y: float) -> list[str]:
    """Draw one rectangle for each run of cells that are filled or not known."""
    parts = []
    begin = 0
    while begin < len(row):
        end = begin
        while end < len(row) and row[end] == row[begin]:
            end += 1
        if row[begin] != BLANK:
            opacity = 1 if row[begin] == FILLED else 0.12
            parts.append(
                element(
                    "rect",
                    x=left + CELL * begin,
                    y=y,
                    width=CELL * (end - begin),
                    height=CELL,
                    fill=INK,
                    fill_opacity=opacity,
                )
            )
        begin = end
    return parts


def _lines(left: float, top: float, width: int, height: int, step: int) -> str:
    """Draw every `step`th line, and always the outer ones."""
    across = sorted({*range(0, height + 1, step), height})
    down = sorted({*range(0, width + 1, step), width})
    rows = "".join(f"M{number(left)} {number(top + CELL * r)}h{CELL * width}" for r in across)
    return rows + "".join(f"M{number(left + CELL * c)} {number(top)}v{CELL * height}" for c in down)
