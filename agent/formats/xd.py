"""The .xd format: headers, a grid of letters, and clues such as `A1. Interviewee's hope ~ JOB`.

Follows version 3 of the format's description in the repository century-arcade/xd, with sections told apart by blank
lines or by `## Grid` headings. Many files in the wild draw blocks as `.`; that is noticed by the numbering.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.errors import FormatError
from agent.formats.common import about, assemble, best_solution, clean, numbering_in_words, shown, split_solution
from agent.formats.rows import XD_SIGNS, format_rows, parse_rebus, parse_rows
from agent.grid import BLOCK, EMPTY, Grid, Puzzle, answer_letters

CLUE = re.compile(r"([AD])(\d{1,4})\.(?:\s+(.*))?$")
CLUE_NOTE = re.compile(r"[AD]\d{1,4} \^")
ANSWER = re.compile(r"(?:(.*)\s)?~(?:\s+(\S.*))?$")
MARKUP = re.compile(r"\{([/*_-])(.{0,300}?)\1\}")
SECTION = re.compile(r"##\s+(\w+)\s*$")
HEADER = re.compile(r"[^\W\d][\w -]*:")
ROW = re.compile(r"[^\s:]{2,}$")
HEADERS = ("title", "author", "copyright", "date")


def looks_like(text: str) -> bool:
    """Return whether a text is .xd rather than a pasted clue list.

    >>> looks_like("A1. Interviewee's hope ~ JOB"), looks_like("1. Interviewee's hope")
    (True, False)
    """
    return bool(re.search(r"^[AD]\d{1,4}\..*\s~(\s|$)", text, re.MULTILINE)) or bool(
        re.search(r"^##\s+(metadata|grid)\s*$", text, re.IGNORECASE | re.MULTILINE)
    )


def parts(text: str) -> list[tuple[int, str]]:
    """Return the puzzles of a text, each as (its first line, its text below as many empty lines as it had above it).

    A puzzle begins at rows of a grid that follow clues, if they have clues of their own or a title and the like above
    them. Headers above the rows belong to it.

    >>> tiny = "Title: Tiny\\n\\n\\nNO\\nOH\\n\\n\\nA1. Not yes ~ NO\\n"
    >>> [(line, read(part).title) for line, part in parts(tiny + tiny.replace("Tiny", "Small"))]
    [(1, 'Tiny'), (9, 'Small')]
    """
    lines = [line.strip() for line in text.split("\n")]
    starts = [0]
    for clue, following in pairwise([*(at for at, line in enumerate(lines) if CLUE.match(line)), len(lines)]):
        rows = next((at for at in range(clue + 1, following - 1) if _is_grid(lines[at : at + 2])), None)
        if rows is None:
            continue
        first = rows
        while not lines[first - 1] or SECTION.match(lines[first - 1]) or HEADER.match(lines[first - 1]):
            first -= 1  # ends at the clue if not before
        headed = any(line.partition(":")[0].lower() in HEADERS for line in lines[first:rows])
        if headed or following < len(lines):  # else notes, which may hold anything
            starts.append(next(at for at in range(first, rows + 1) if lines[at]))
    ends = [*starts[1:], len(lines)]
    return [(start + 1, "\n" * start + "\n".join(lines[start:end])) for start, end in zip(starts, ends, strict=True)]


def _is_grid(pair: Sequence[str]) -> bool:
    """Return whether two lines look like rows of one grid."""
    return all(ROW.match(line) and not CLUE.match(line) for line in pair) and len(pair[0]) == len(pair[1])


def read(text: str) -> Puzzle:
    """Read a puzzle; a filled grid is the solution.

    >>> puzzle = read("Title: Tiny\\n\\n\\nNO\\nOH\\n\\n\\nA1. Not yes ~ NO\\nD2. My! ~ OH\\n")
    >>> puzzle.title, puzzle.clue("2D"), puzzle.grid.rows, puzzle.solution.rows
    ('Tiny', 'My!', ('..', '..'), ('NO', 'OH'))
    """
    headers, rows, clues = _sections(text)
    rebus = parse_rebus(headers.get("rebus", ""), "header Rebus")
    if not rows:
        raise FormatError("expected a grid, found none")
    grid = parse_rows([row for _, row in rows], rebus, XD_SIGNS, f"grid from line {rows[0][0]}")
    numbers = {f"{number}{letter}" for _, letter, number, _, _ in clues}
    dotted = Grid(grid.width, grid.height, tuple(BLOCK if cell == EMPTY else cell for cell in grid.cells))
    if BLOCK not in grid.cells and numbers == {slot.name for slot in dotted.slots}:
        grid = dotted
    slots = {slot.name: slot for slot in grid.slots}
    for line, letter, number, _, answer in clues:
        slot = slots.get(f"{number}{letter}")
        if slot is None:
            raise FormatError(f"there is a clue {letter}{number}, but {numbering_in_words(grid)}", f"line {line}")
        there = grid.answer(slot)
        said = answer_letters(answer)
        if said and EMPTY not in there and EMPTY not in answer and said != answer_letters(there):
            raise FormatError(f"the answer of {letter}{number} is {answer}, but the grid has {there}", f"line {line}")
    known = {key: headers[key] for key in HEADERS if key in headers}
    pattern, solution = split_solution(grid)
    numbered = ((number, letter, clue) for _, letter, number, clue, _ in clues)
    return assemble(pattern, numbered, solution, **known)


def write(puzzle: Puzzle, filled: Grid | None = None) -> str:
    """Write the puzzle with `filled`, else its solution, else the letters that are given.

    >>> print(write(read("NO\\nOH\\n\\n\\nA1. Not yes ~ NO")), end="")
    <BLANKLINE>
    <BLANKLINE>
    NO
    OH
    <BLANKLINE>
    <BLANKLINE>
    A1. Not yes ~ NO
    <BLANKLINE>
    """
    grid = best_solution(puzzle, filled) or puzzle.grid
    rows, rebus = format_rows(grid)
    known = about(puzzle)
    lines = [f"{key.title()}: {known[key]}" for key in HEADERS if key in known]
    lines += [f"Rebus: {rebus}"] if rebus else []
    lines += ["", "", *rows, "", ""]
    for direction in ("across", "down"):
        for slot in grid.slots:
            text = clean(puzzle.clue(slot))
            if slot.direction == direction and text:
                lines.append(f"{direction[0].upper()}{slot.number}. {text} ~ {grid.answer(slot)}")
        lines.append("")
    return "\n".join(lines)


def _sections(text: str) -> tuple[dict[str, str], list[tuple[int, str]], list[tuple[int, str, int, str, str]]]:
    """Separate headers, grid rows (line, row) and clues (line, A or D, number, text, answer)."""
    headers: dict[str, str] = {}
    rows: list[tuple[int, str]] = []
    clues: list[tuple[int, str, int, str, str]] = []
    section, explicit, blanks = "metadata", False, 0
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line:
            blanks += 1
            continue
        if heading := SECTION.match(line):
            section, explicit = heading[1].lower(), True
        elif not explicit:
            section = _next_section(section, line, blanks, bool(rows))
        where = f"line {number}"
        if SECTION.match(line):
            pass
        elif section == "metadata":
            key, colon, value = line.partition(":")
            if not colon:
                raise FormatError(f"expected a header such as Title: ..., found {shown(line)}", where)
            headers.setdefault(key.strip().lower(), value.strip())
        elif section == "grid":
            rows.append((number, line))
        elif section == "clues" and not CLUE_NOTE.match(line):
            match = CLUE.match(line)
            if not match:
                raise FormatError(f"expected a clue such as A1. text ~ ANSWER, found {shown(line)}", where)
            rest = match[3] or ""
            parts = ANSWER.match(rest)
            clue, answer = (parts[1] or "", parts[2] or "") if parts else (rest, "")
            clues.append((number, match[1], int(match[2]), clean(MARKUP.sub(r"\2", clue)), answer))
        blanks = 0
    return headers, rows, clues


def _next_section(section: str, line: str, blanks: int, has_rows: bool) -> str:
    """Return the section that a line belongs to if none is declared."""
    if section == "clues":
        return "notes" if blanks >= 2 and not CLUE.match(line) else "clues"
    if section == "notes" or CLUE.match(line):
        return "clues" if section != "notes" else "notes"
    if section == "metadata" and ":" in line and not has_rows:
        return "metadata"
    return "grid"
