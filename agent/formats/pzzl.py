"""The text of pzzl.com: a name, a date, title, author, sizes, rows and clues, with an empty line between each.

Read only. In a row `#` is a block, `%` circles the cell that follows and `^` shades it, a comma joins the letters of a
rebus, and a `.` is no cell. The notes stand before the author, as `<NOTEPAD>...</NOTEPAD>`.
"""

from __future__ import annotations

import re

from agent.errors import FormatError
from agent.formats.common import assemble, clues_in_order, make_grid, plain, split_solution, written
from agent.grid import BLOCK, Puzzle

START = re.compile(r"[^\n]+\n\n\d{6}\n\n[^\n]*\n\n[^\n]*\n\n(?:\d+\n\n){4}")
NOTE = re.compile(r"<NOTEPAD>(.*?)</NOTEPAD>(.*)", re.DOTALL)
CELL = re.compile(r"([%^]*)([^%^,](?:,[^%^,])*)")
NO_CELL = "."

DATE, TITLE, AUTHOR, SIZE, ROWS = 2, 4, 6, 8, 16
"""Lines on which the parts begin, counted from 0."""


def looks_like(text: str) -> bool:
    """Return whether a text is of this format.

    >>> looks_like("tiny\\n\\n261123\\n\\nTiny\\n\\nA. Setter\\n\\n2\\n\\n1\\n\\n1\\n\\n0\\n\\nNO\\n\\nNot yes\\n")
    True
    """
    return START.match(text) is not None


def read(text: str) -> Puzzle:
    """Read a puzzle.

    >>> text = "tiny\\n\\n261123\\n\\nTiny\\n\\nA. Setter\\n\\n2\\n\\n1\\n\\n1\\n\\n0\\n\\n%NO\\n\\nNot yes\\n"
    >>> puzzle = read(text)
    >>> puzzle.date, puzzle.solution.rows, puzzle.circles
    ('2026-11-23', ('NO',), frozenset({0}))
    """
    lines = [line.strip() for line in text.split("\n")]
    width, height, across, down = (int(line[:6]) for line in lines[SIZE:ROWS:2])
    cells = [CELL.findall(row) for row in lines[ROWS : ROWS + height]]
    rows = [[(marks, sign.replace(",", "")) for marks, sign in row if sign != NO_CELL] for row in cells]
    rows = [row for row in rows if row]
    where = f"grid from line {ROWS + 1}"
    found = make_grid([[BLOCK if sign == BLOCK else written(sign, where) for _, sign in row] for row in rows], where)
    if found.width != width:
        raise FormatError(f"expected {width} cells in a row, found {found.width}", where)
    grid, solution = split_solution(found)
    marks = [marks for row in rows for marks, _ in row]
    first = ROWS + height + 1
    second = first + across + 1
    clues = clues_in_order(grid, "across", _texts(lines[first : first + across]), f"across from line {first + 1}")
    clues += clues_in_order(grid, "down", _texts(lines[second : second + down]), f"down from line {second + 1}")
    note = NOTE.match(lines[AUTHOR])
    year, month, day = (lines[DATE][at : at + 2] for at in (0, 2, 4))
    about = {
        "id": lines[0],
        "title": plain(lines[TITLE]),
        "author": plain(note[2] if note else lines[AUTHOR]),
        "notes": plain(note[1]) if note else "",
        "date": f"20{year}-{month}-{day}",
    }
    circles, shaded = ([at for at, of in enumerate(marks) if sign in of] for sign in "%^")
    left_out = ["lines below the clues"] if any(lines[second + down :]) else []
    return assemble(grid, clues, solution, circles=circles, shaded=shaded, left_out=left_out, about=about)


def _texts(lines: list[str]) -> list[str]:
    return [plain(line) for line in lines]
