"""A fill-in: the grid, and its words in columns by length, those that are in the grid ticked off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.draw.grid import BLOCK, CELL, EMPTY, grid_svg
from agent.draw.svg import Svg, inside, picture, text

LINE = 17
"""Pixels from one word to the next."""

LETTERS = 12
LEAST_LINES = 12
"""A column of words is as high as the grid, but holds at least this many."""


def fillin_svg(
    grid: Sequence[str], words: Sequence[str], *, givens: Sequence[str] = (), spare: bool = False, title: str = ""
) -> Svg:
    """Draw a fill-in with its words at the right, the shorter first; a word that is in the grid is ticked.

    `givens` is the grid as it was handed out; its letters are bold. With `spare` words may be left over.

    >>> svg = fillin_svg(["ab", "_#"], ["ab", "ax"])
    >>> "✓ ab" in svg, "✓ ax" in svg
    (True, False)
    """
    height, width = len(grid), len(grid[0])
    bold = {
        r * width + c
        for r, row in enumerate(givens)
        for c, sign in enumerate(row)
        if sign != BLOCK and sign not in EMPTY
    }
    name = title or f"Fill-in, {width} by {height}"
    left, most = CELL * width + 24, max(LEAST_LINES, CELL * height // LINE)
    in_grid = Counter(runs(grid))
    parts = [inside(grid_svg(grid, bold=bold, title=name), 0, 0)]
    ordered = sorted(words, key=len)
    x, ticked = float(left), 0
    for begin in range(0, len(ordered), most):
        column = ordered[begin : begin + most]
        for place, word in enumerate(column):
            done = in_grid[word] > 0
            in_grid[word] -= done
            ticked += done
            faint: dict[str, str | float] = {"fill_opacity": 0.65} if done else {}
            mark = "✓ " if done else ""
            parts.append(text(mark + word, x if done else x + LETTERS, LINE * (place + 1), LETTERS, **faint))
        x += LETTERS + 8 + 0.62 * LETTERS * len(column[-1]) + 8
    deep = LINE * min(most, len(ordered)) + 8
    left_over = " Words may be left over." if spare else ""
    desc = f"{width} by {height} cells; {ticked} of {len(words)} words stand in the grid.{left_over}"
    return picture(max(x, left), max(CELL * height + 2, deep), *parts, title=name, desc=desc)


def runs(grid: Sequence[str]) -> list[str]:
    """Return the runs of two or more letters, across and down, that have no empty cell.

    >>> runs(["ab", "_#"])
    ['ab']
    """
    lines = [*grid, *map("".join, zip(*grid, strict=True))]
    found = [run for line in lines for run in line.split(BLOCK) if len(run) > 1]
    return [run for run in found if not EMPTY & set(run)]
