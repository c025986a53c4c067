"""A nonogram: its clues along two sides, filled cells, and cells not known yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.draw.svg import INK, Svg, element, number, picture, text
from agent.puzzles.nonogram.colours import BLACK, BLANK, UNKNOWN, WHITE, Colour

CELL = 16
"""Pixels of a cell's side: 60 cells fit on a screen."""

LETTERS = 10
"""Font size of the clues."""

EVERY = 5
"""Each fifth line is heavier, as in print: people count by it."""


Clues = Sequence[Sequence[str]]


def nonogram_svg(
    rows: Sequence[str],
    row_clues: Clues,
    column_clues: Clues,
    colours: Sequence[Colour] = (WHITE, BLACK),
    *,
    title: str = "",
) -> Svg:
    """Draw rows of signs in their colours, with clues in words; what is not known is shaded faintly.

    An empty clue is a 0. Raises ValueError if the rows do not have the size that the clues give.

    >>> nonogram_svg(["##?"], [["2"]], [["1"], ["1"], []]).count("<rect")
    2
    """
    height, width = len(row_clues), len(column_clues)
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"expected {height} rows of {width} cells")
    inks = {colour.sign: INK if colour == BLACK else f"#{colour.rgb}" for colour in colours}
    labels = [" ".join(clue) or "0" for clue in row_clues]
    left = 6 + 0.56 * LETTERS * max(map(len, labels))
    top = 4 + (LETTERS + 2) * max(len(clue) or 1 for clue in column_clues)
    parts = []
    for r, label in enumerate(labels):
        parts.append(text(label, left - 4, top + CELL * r + 12, LETTERS, text_anchor="end"))
    for c, clue in enumerate(column_clues):
        for place, word in enumerate(reversed(clue or ("0",))):
            x, y = left + CELL * (c + 0.5), top - 4 - (LETTERS + 2) * place
            parts.append(text(word, x, y, LETTERS, text_anchor="middle"))
    for r, row in enumerate(rows):
        parts += _runs(row, inks, left, top + CELL * r)
    thin = _lines(left, top, width, height, 1)
    heavy = _lines(left, top, width, height, EVERY)
    parts.append(element("path", d=thin, stroke=INK, stroke_opacity=0.35, stroke_width=0.5, fill="none"))
    parts.append(element("path", d=heavy, stroke=INK, fill="none"))
    cells = "".join(rows)
    filled = len(cells) - cells.count(BLANK) - cells.count(UNKNOWN)
    words = f"{width} columns, {height} rows: {filled} cells filled, {cells.count(UNKNOWN)} not known."
    size = left + CELL * width + 2, top + CELL * height + 2
    return picture(*size, *parts, title=title or "Nonogram", desc=words)


def _runs(row: str, inks: Mapping[str, str], left: float, y: float) -> list[str]:
    """Draw one rectangle for each run of cells that are filled or not known."""
    parts = []
    begin = 0
    while begin < len(row):
        end = begin
        while end < len(row) and row[end] == row[begin]:
            end += 1
        if row[begin] != BLANK:
            known = row[begin] != UNKNOWN
            parts.append(
                element(
                    "rect",
                    x=left + CELL * begin,
                    y=y,
                    width=CELL * (end - begin),
                    height=CELL,
                    fill=inks[row[begin]] if known else INK,
                    fill_opacity=1 if known else 0.12,
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
