"""Grids as rows of characters, with a key for cells of several letters: shared by .xd and clue text."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Mapping, Sequence

from agent.errors import FormatError
from agent.formats.common import make_grid, written
from agent.grid import BLOCK, EMPTY, Grid

KEYS = string.digits[1:] + "0" + string.ascii_lowercase + "!$%&*+=?@^"
"""Characters that may stand for a rebus, in the order they are used; lower-case ones as the .xd format allows."""


def parse_rebus(header: str, where: str = "") -> tuple[dict[str, str], list[str]]:
    """Read a header such as `1=HEART 2=DIAMOND`: the content of each key, and the contents that have two readings.

    The pairs may be separated by commas. Of a content such as `C/P`, which reads differently across and down, the first
    reading is taken.

    >>> parse_rebus("1=HEART 2=DIAMOND"), parse_rebus("1=HEART,2=C/P")
    (({'1': 'HEART', '2': 'DIAMOND'}, []), ({'1': 'HEART', '2': 'C'}, ['C/P']))
    """
    keys, split = {}, []
    for pair in re.split(r"[\s,;]+", header.strip(" \t,;")) if header else ():
        key, equals, content = pair.partition("=")
        if len(key) != 1 or not equals or not content:
            raise FormatError(f"expected a rebus such as 1=HEART, found {pair[:40]!r}", where)
        first, slash, second = content.partition("/")
        keys[key] = written(first or second, where)
        split += [content] if slash else []
    return keys, split


def parse_rows(rows: Sequence[str], rebus: Mapping[str, str], signs: Mapping[str, str], where: str = "") -> Grid:
    """Read rows of one character per cell; `signs` maps the signs of blocks and empty cells."""

    def cell(sign: str) -> str:
        return rebus[sign] if sign in rebus else signs.get(sign) or written(sign, where)

    return make_grid([[cell(sign) for sign in row] for row in rows], where)


def format_rows(grid: Grid, signs: str = KEYS, *, special: Collection[int] = ()) -> tuple[list[str], str]:
    """Return a grid as rows and a rebus header, empty if no cell has several letters; `signs` may stand for a rebus.

    Cells in `special` are written in lower case, and other cells are not.

    >>> format_rows(Grid(2, 1, ("HEART", "#"))), format_rows(Grid(3, 1, ("HEART", "A", "B")), special={0, 1})
    ((['1#'], '1=HEART'), (['zaB'], 'z=HEART'))
    """
    single = {cell for cell in grid.cells if len(cell) == 1}
    several = list(dict.fromkeys((cell, at in special) for at, cell in enumerate(grid.cells) if len(cell) > 1))
    free = [sign for sign in signs if sign not in single and not (special and sign.islower())]
    small = [sign for sign in string.ascii_lowercase if sign.upper() not in single]
    keys: dict[tuple[str, bool], str] = {}
    for cell, is_special in several:
        left = small if is_special else free
        if not left:
            raise FormatError(f"a grid of rows has no signs for {len(several)} different rebuses")
        keys[cell, is_special] = left.pop(-1 if is_special else 0)

    def sign_of(at: int, cell: str) -> str:
        is_special = at in special
        return keys.get((cell, is_special)) or (cell.lower() if is_special and cell.isascii() else cell)

    drawn = [sign_of(at, cell) for at, cell in enumerate(grid.cells)]
    rows = ["".join(drawn[i : i + grid.width]) for i in range(0, len(drawn), grid.width)]
    return rows, " ".join(f"{key}={cell}" for (cell, _), key in keys.items())


TEXT_SIGNS = {BLOCK: BLOCK, **dict.fromkeys("■█⬛▉", BLOCK), **dict.fromkeys("._-?·□⬜▢", EMPTY)}
"""Signs in a pasted grid; `.` and `_` are empty cells."""

XD_SIGNS = {BLOCK: BLOCK, "_": BLOCK, EMPTY: EMPTY}
"""Signs in a .xd grid; `_` is a cell that does not exist."""
