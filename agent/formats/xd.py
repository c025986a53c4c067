"""The .xd format: headers, a grid of letters, and clues such as `A1. Interviewee's hope ~ JOB`.

Follows version 3 of the format's description in the repository century-arcade/xd, with sections told apart by blank
lines or by `## Grid` headings. Many files in the wild draw blocks as `.`; that is noticed by the numbering. With a
header `Special: circle` or `Special: shaded` the cells in lower case are marked so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from agent.errors import FormatError
from agent.formats.common import assemble, best_solution, clean, numbering_in_words, shown, split_solution
from agent.formats.rows import XD_SIGNS, format_rows, parse_rebus, parse_rows
from agent.grid import BLOCK, EMPTY, TOLD, Grid, Puzzle
from agent.text import answer_letters

CLUE = re.compile(r"([AD])(\d{1,4})\.(?:\s+(.*))?$")
CLUE_NOTE = re.compile(r"[AD]\d{1,4} \^([^:]*)")
ANSWER = re.compile(r"(?:(.*)\s)?~(?:\s+(\S.*))?$")
MARKUP = re.compile(r"\{([/*_-])([^{}]{0,300})\1\}|\{@([^{}|]{0,300})\|[^{}]{0,300}@\}")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
SECTION = re.compile(r"##\s+(\w+)\s*$")
HEADER = re.compile(r"[^\W\d][\w -]*:")
ROW = re.compile(r"[^\s:]{2,}$")
SPECIAL = {"circle": "circles", "shaded": "shaded"}
"""What the header Special may say of cells in lower case, and our name of it."""


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
        headed = any(line.partition(":")[0].lower() in TOLD for line in lines[first:rows])
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
    sections = _sections(COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text))
    headers, rows, clues = sections.headers, sections.rows, sections.clues
    rebus, split = parse_rebus(headers.get("rebus", ""), "header Rebus")
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
        if said and not split and EMPTY not in there and EMPTY not in answer and said != answer_letters(there):
            raise FormatError(
                f"the answer of {letter}{number} is {shown(answer)}, but the grid has {there}", f"line {line}"
            )
    known = {"notes": " ".join(sections.notes)} | {key: headers[key] for key in TOLD if key in headers}
    special = SPECIAL.get(headers.get("special", "").lower())
    marked = [at for at, sign in enumerate("".join(row for _, row in rows)) if sign.islower()]
    others = [key for key, value in headers.items() if value and key not in {*TOLD, "rebus", "special"}]
    left_out = [*others, *sections.left_out, *(f"the second reading of {both}" for both in split)]
    if "special" in headers and not special:
        left_out.append(f"Special: {headers['special']}")
    pattern, solution = split_solution(grid)
    numbered = ((number, letter, clue) for _, letter, number, clue, _ in clues)
    circles, shaded = (marked if special == name else () for name in SPECIAL.values())
    names = dict.fromkeys(left_out)
    return assemble(pattern, numbered, solution, circles=circles, shaded=shaded, left_out=names, about=known)


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
    special, marked = next(
        ((sign, cells) for sign, name in SPECIAL.items() if (cells := getattr(puzzle, name))), ("", ())
    )
    rows, rebus = format_rows(grid, special=marked)
    lines = [f"{key.title()}: {text}" for key, text in puzzle.about.items()]
    lines += [f"Special: {special}"] if special else []
    lines += [f"Rebus: {rebus}"] if rebus else []
    lines += ["", "", *rows, "", ""]
    for direction in ("across", "down"):
        for slot in grid.slots:
            text = clean(puzzle.clue(slot))
            if slot.direction == direction and text:
                lines.append(f"{direction[0].upper()}{slot.number}. {text} ~ {grid.answer(slot)}")
        lines.append("")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Sections:
    """The parts of a file: grid rows as (line, row), clues as (line, A or D, number, text, answer)."""

    headers: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, str]] = field(default_factory=list)
    clues: list[tuple[int, str, int, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def _sections(text: str) -> _Sections:
    """Separate headers, grid rows, clues and notes."""
    found = _Sections()
    section, explicit, blanks = "metadata", False, 0
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line:
            blanks += 1
            continue
        if heading := SECTION.match(line):
            section, explicit = heading[1].lower(), True
        elif not explicit:
            section = _next_section(section, line, blanks, bool(found.rows))
        blanks = 0
        where = f"line {number}"
        if heading:
            continue
        if section == "metadata":
            key, colon, value = line.partition(":")
            if not colon:
                raise FormatError(f"expected a header such as Title: ..., found {shown(line)}", where)
            found.headers.setdefault(key.strip().lower(), value.strip())
        elif section == "grid":
            found.rows.append((number, line))
        elif section == "clues" and (note := CLUE_NOTE.match(line)):
            found.left_out.append(f"{note[1].strip()} of clues")
        elif section == "clues":
            match = CLUE.match(line)
            if not match:
                raise FormatError(f"expected a clue such as A1. text ~ ANSWER, found {shown(line)}", where)
            rest = match[3] or ""
            parts = ANSWER.match(rest)
            clue, answer = (parts[1] or "", parts[2] or "") if parts else (rest, "")
            found.clues.append((number, match[1], int(match[2]), clean(_unmarked(clue)), answer))
        elif section == "notes":
            found.notes.append(line)
        else:
            found.left_out.append(f"the section {section.title()}")
    return found


def _unmarked(clue: str) -> str:
    """Remove markup, the innermost first; of a link the text stays.

    >>> _unmarked("{/A {*bold*} sea/}, {@here|https://example.org@}")
    'A bold sea, here'
    """
    while (plain := MARKUP.sub(lambda found: found[2] if found[1] else found[3], clue)) != clue:
        clue = plain
    return clue


def _next_section(section: str, line: str, blanks: int, has_rows: bool) -> str:
    """Return the section that a line belongs to if none is declared."""
    if section == "clues":
        return "notes" if blanks >= 2 and not CLUE.match(line) else "clues"
    if section == "notes" or CLUE.match(line):
        return "clues" if section != "notes" else "notes"
    if section == "metadata" and ":" in line and not has_rows:
        return "metadata"
    return "grid"
