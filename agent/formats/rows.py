"""Grids as rows of characters, with a key for cells of several letters: shared by .xd and clue text."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence

from agent.errors import FormatError
from agent.formats.common import make_grid, written
from agent.grid import BLOCK, EMPTY, Grid

KEYS = string.digits[1:] + "0" + string.ascii_lowercase + "!$%&*+=?@^"
"""Characters that may stand for a rebus, in the order they are used; lower-case ones as the .xd format allows."""


def parse_rebus(header: str, where: str = "") -> dict[str, str]:
    """Read a header such as `1=HEART 2=DIAMOND`.

    >>> parse_rebus("1=HEART 2=DIAMOND")
    {'1': 'HEART', '2': 'DIAMOND'}
    """
    keys = {}
    for pair in header.split():
        key, equals, content = pair.partition("=")
        if len(key) != 1 or not equals or not content:
            raise FormatError(f"expected a rebus such as 1=HEART, found {pair[:40]!r}", where)
        keys[key] = written(content, where)
    return keys


def parse_rows(rows: Sequence[str], rebus: Mapping[str, str], signs: Mapping[str, str], where: str = "") -> Grid:
    """Read rows of one character per cell; `signs` maps the signs of blocks and empty cells."""

    def cell(sign: str) -> str:
        return rebus[sign] if sign in rebus else signs.get(sign) or written(sign, where)

    return make_grid([[cell(sign) for sign in row] for row in rows], where)


def format_rows(grid: Grid, signs: str = KEYS) -> tuple[list[str], str]:
    """Return a grid as rows and a rebus header, empty if no cell has several letters; `signs` may stand for a rebus.

    >>> format_rows(Grid(2, 1, ("HEART", "#")))
    (['1#'], '1=HEART')
    """
    single = {cell for cell in grid.cells if len(cell) == 1}
    several = [cell for cell in dict.fromkeys(grid.cells) if len(cell) > 1]
    free = [sign for sign in signs if sign not in single]
    if len(several) > len(free):
        raise FormatError(f"a grid of rows has room for {len(free)} different rebuses, not {len(several)}")
    keys = dict(zip(several, free, strict=False))
    drawn = [keys.get(cell, cell) for cell in grid.cells]
    rows = ["".join(drawn[i : i + grid.width]) for i in range(0, len(drawn), grid.width)]
    return rows, " ".join(f"{key}={cell}" for cell, key in keys.items())


TEXT_SIGNS = {BLOCK: BLOCK, **dict.fromkeys("■█⬛▉", BLOCK), **dict.fromkeys("._-?·□⬜▢", EMPTY)}
"""Signs in a pasted grid; `.` and `_` are empty cells."""

XD_SIGNS = {BLOCK: BLOCK, "_": BLOCK, EMPTY: EMPTY}
"""Signs in a .xd grid; `_` is a cell that does not exist."""
