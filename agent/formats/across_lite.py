"""The text of Across Lite, from which .puz files are made: `<ACROSS PUZZLE>` and sections in capitals. Read only.

Clues stand without numbers, in the order of their slots. Version 2 has `<REBUS>`, with lines such as `1:HEART:H`, where
`MARK;` makes cells in lower case circled ones.
"""

from __future__ import annotations

import re

from agent.errors import FormatError
from agent.formats.common import assemble, clues_in_order, shown, split_solution, written
from agent.formats.rows import parse_rows
from agent.grid import BLOCK, EMPTY, Puzzle
from agent.slots import Direction

START = re.compile(r"\s*<ACROSS PUZZLE( V2)?>")
SECTION = re.compile(r"<([A-Z]+)>\s*$")
REBUS = re.compile(r"(.):([^:]+)(?::(.*))?$")

SIGNS = {".": BLOCK, ":": BLOCK, "-": EMPTY}

BOTH: tuple[Direction, Direction] = ("across", "down")

ABOUT = ("title", "author", "copyright", "notes")


def looks_like(text: str) -> bool:
    """Return whether a text is of this format.

    >>> looks_like("<ACROSS PUZZLE V2>")
    True
    """
    return START.match(text) is not None


def read(text: str) -> Puzzle:
    """Read a puzzle.

    >>> puzzle = read("<ACROSS PUZZLE>\\n<TITLE>\\nTiny\\n<SIZE>\\n2x1\\n<GRID>\\nNO\\n<ACROSS>\\nNot yes\\n<DOWN>\\n")
    >>> puzzle.title, puzzle.clue("1A"), puzzle.solution.rows
    ('Tiny', 'Not yes', ('NO',))
    """
    sections = _sections(text)
    rebus, are_circled = _rebus(sections.get("rebus", []))
    lines = sections.get("grid", [])
    if not lines:
        raise FormatError("expected rows of cells below <GRID>, found none")
    rows = [line for _, line in lines]
    where = f"grid from line {lines[0][0]}"
    grid, solution = split_solution(parse_rows(rows, rebus, SIGNS, where))
    size = [line for _, line in sections.get("size", [])]
    if size and "".join(size).replace(" ", "").lower() != f"{grid.width}x{grid.height}":
        raise FormatError(f"expected the size {grid.width}x{grid.height} of the grid, found {shown(size[0])}", "<SIZE>")
    clues = []
    for direction in BOTH:
        lines = sections.get(direction, [])
        clues += clues_in_order(grid, direction, [line for _, line in lines], f"<{direction.upper()}>")
    circles = [at for at, sign in enumerate("".join(rows)) if are_circled and sign.islower()]
    sections["notes"] = sections.pop("notepad", [])
    known = {name: " ".join(line for _, line in sections.get(name, [])) for name in ABOUT}
    others = [
        f"<{name.upper()}>" for name in sections if name not in {*ABOUT, "size", "grid", "rebus", "across", "down"}
    ]
    return assemble(grid, clues, solution, circles=circles, left_out=others, about=known)


def _sections(text: str) -> dict[str, list[tuple[int, str]]]:
    """Return the lines (number, text) below each heading."""
    found: dict[str, list[tuple[int, str]]] = {}
    name = ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if heading := SECTION.match(line):
            name = heading[1].lower()
            found[name] = []
        elif line and name:
            found[name].append((number, line))
        elif line and not START.match(line):
            raise FormatError(f"expected a section such as <TITLE>, found {shown(line)}", f"line {number}")
    return found


def _rebus(lines: list[tuple[int, str]]) -> tuple[dict[str, str], bool]:
    """Return the content of each sign, and whether cells in lower case are circled."""
    keys: dict[str, str] = {}
    are_circled = False
    for number, line in lines:
        if line.upper() == "MARK;":
            are_circled = True
        elif found := REBUS.match(line.rstrip(";")):
            keys[found[1]] = written(found[2], f"line {number}")
        else:
            raise FormatError(f"expected a rebus such as 1:HEART:H, found {shown(line)}", f"line {number}")
    return keys, are_circled
