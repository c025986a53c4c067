"""A Gogen: the board, and the path of each word traced on a small one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from agent.draw.grid import CELL, grid_svg
from agent.draw.letters import place
from agent.draw.svg import COLOURS, INK, Svg, element, inside, number, picture, text

Path = Sequence[tuple[int, int]]
"""Row and column of each letter, from 0."""

SMALL = 14
"""Pixels of a cell where a path is traced."""

GAP = 16
ROW_WIDTH = 560
"""Small boards are laid out in rows of about this width, that of a page's text."""


def gogen_svg(
    board: Sequence[str], paths: Mapping[str, Path] | None = None, *, bold: Collection[int] = (), title: str = ""
) -> Svg:
    """Draw a board with `.` for empty cells, and under it each word's path: a ring where it begins, an arrow's end.

    `bold` are the cells (row * width + column) of the givens.

    >>> gogen_svg(["AB"], {"BA": [(0, 1), (0, 0)]}).count("<polyline")
    1
    """
    height, width = len(board), len(board[0])
    paths = paths or {}
    main = grid_svg(board, bold=bold, title=title or f"Gogen, {width} by {height}")
    box = max(SMALL * width, 0.6 * 12 * max(map(len, paths), default=0)) + GAP
    in_row = max(1, int(ROW_WIDTH // box))
    step = SMALL * height + 12 + GAP
    parts = [inside(main, 0, 0)]
    top = CELL * height + 2 + GAP
    for at, (word, path) in enumerate(paths.items()):
        parts += _traced(word, path, width, height, box * (at % in_row) + 1, top + step * (at // in_row))
    lines = -(-len(paths) // in_row)
    size = max(CELL * width + 2, box * min(in_row, len(paths))), top - GAP + (GAP + step * lines if paths else 0)
    said = [f"Row {count}: {', '.join(row)}." for count, row in enumerate(board, 1)]
    for word, path in paths.items():
        where = ", ".join(f"{board[r][c]} in {place(r * width + c, width)}" for r, c in path)
        said.append(f"{word}: {where}.")
    return picture(*size, *parts, title=title or f"Gogen, {width} by {height}", desc=" ".join(said))


def _traced(word: str, path: Path, width: int, height: int, x: float, y: float) -> list[str]:
    """Trace one word on a board of dots, with its name below."""
    at = [(x + SMALL * (c + 0.5), y + SMALL * (r + 0.5)) for r, c in path]
    dots = "".join(
        f"M{number(x + SMALL * (c + 0.5))} {number(y + SMALL * (r + 0.5))}h0"
        for r in range(height)
        for c in range(width)
    )
    parts = [element("path", d=dots, stroke=INK, stroke_opacity=0.35, stroke_width=3, stroke_linecap="round")]
    points = " ".join(f"{number(px)},{number(py)}" for px, py in at)
    line: dict[str, str | float] = {"fill": "none", "stroke": COLOURS[0], "stroke_width": 2}
    parts.append(element("polyline", points=points, stroke_linejoin="round", **line))
    if at:
        parts.append(element("circle", cx=at[0][0], cy=at[0][1], r=4.5, **line))
    if len(at) > 1:
        parts.append(_arrow(at[-2], at[-1]))
    parts.append(text(word, x + SMALL * width / 2, y + SMALL * height + 12, 12, text_anchor="middle"))
    return parts


def _arrow(before: tuple[float, float], end: tuple[float, float]) -> str:
    """Draw the head of an arrow that comes from `before`; a letter that stays where it is gets a dot."""
    (x, y), dx, dy = end, end[0] - before[0], end[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5
    if not length:
        return element("circle", cx=x, cy=y, r=2.5, fill=COLOURS[0])
    dx, dy = 5 * dx / length, 5 * dy / length
    corners = (
        (x + dx * 0.4, y + dy * 0.4),
        (x - dx - dy * 0.7, y - dy + dx * 0.7),
        (x - dx + dy * 0.7, y - dy - dx * 0.7),
    )
    return element("polygon", points=" ".join(f"{number(px)},{number(py)}" for px, py in corners), fill=COLOURS[0])
