"""The binary .puz format, through puzpy.

Text is Latin-1 before version 2.0 and UTF-8 from then on, but some files have Windows-1252 or UTF-8 instead of
Latin-1: :func:`repair` undoes that. A cell that the file marks as revealed keeps its letter as given.
"""

from __future__ import annotations

import importlib
import re
import struct
from types import ModuleType
from typing import Any

from agent.errors import FormatError, UsageError
from agent.formats.common import assemble, best_solution, clean, full, make_grid, written
from agent.grid import BLOCK, EMPTY, Grid, Puzzle

MAGIC = b"ACROSS&DOWN\0"
REVEALED, CIRCLED = 0x40, 0x80
"""Bits of a cell's markup: its letter is given; it has a circle."""

KEPT = ("title", "author", "copyright", "notes")
"""What the format has of the fields that a puzzle says of itself."""

BLOCK_SIGNS = ".:"
BLANK_SIGN = "-"
NO_SOLUTION = 0x0002
SCRAMBLED = 0x0004


def looks_like(data: bytes) -> bool:
    """Return whether bytes are a .puz file, which may have other bytes before its header.

    >>> looks_like(b"\\0\\0ACROSS&DOWN\\0")
    True
    """
    return MAGIC in data[:1024]


def read(data: bytes) -> Puzzle:
    """Read a puzzle, without its solution if that is scrambled with a key. Raises FormatError for a damaged file."""
    puz = _puzpy()
    try:
        file = puz.load(data)
        marks, rebus = file.extensions.get(puz.Extensions.Markup.value, b""), _rebus(puz, file)
    except Exception as error:  # puzpy may raise anything for damaged bytes
        problem = clean(getattr(error, "message", "")) or "its header or its length is wrong"
        raise FormatError(f"expected a .puz file, found a damaged one: {problem}") from error
    size = file.width * file.height
    if not size or len(file.solution) != size or len(file.fill) != size:
        raise FormatError(f"expected {size} cells for {file.width}x{file.height}, found {len(file.solution)}")
    solved = [_cell(sign, rebus.get(index)) for index, sign in enumerate(file.solution)]
    solution = make_grid([solved[i : i + file.width] for i in range(0, size, file.width)])
    given = {
        index: _cell(sign, rebus.get(index))
        for index, sign in enumerate(file.fill)
        if index in _marked(marks, REVEALED) and sign != BLANK_SIGN and solution.cells[index] != BLOCK
    }
    grid = solution.emptied().fill(given)
    slots = sorted(grid.slots, key=lambda slot: (slot.number, slot.direction))
    if len(slots) != len(file.clues):
        raise FormatError(f"expected {len(slots)} clues for the slots of this grid, found {len(file.clues)}")
    clues = [
        (slot.number, slot.direction[0].upper(), clean(repair(text, file.encoding)))
        for slot, text in zip(slots, file.clues, strict=True)
    ]
    known = {key: repair(getattr(file, key), file.encoding) for key in KEPT}
    has_solution = file.solution_state not in {NO_SOLUTION, SCRAMBLED} and set(solution.cells) - {BLOCK} != {"X"}
    entries = grid.fill(
        {
            at: _cell(sign, rebus.get(at) if sign == file.solution[at] else None)
            for at, sign in enumerate(file.fill)
            if sign not in BLANK_SIGN + BLOCK_SIGNS and grid.cells[at] != BLOCK
        }
    )
    left_out = {
        "the solution, which is scrambled: `gridwright convert --key` unlocks it": file.solution_state == SCRAMBLED,
        "the timer": puz.Extensions.Timer.value in file.extensions,
    }
    return assemble(
        grid,
        clues,
        full(solution) if has_solution else None,
        circles=_marked(marks, CIRCLED),
        progress=entries,
        left_out=[what for what, is_there in left_out.items() if is_there],
        about=known,
    )


def unlocked(data: bytes, key: str) -> bytes:
    """Return a .puz file with its scrambled solution in clear.

    Raises UsageError if the key is not four digits from 1 to 9 or does not fit, or if the solution is not scrambled.
    """
    puz = _puzpy()
    read(data)  # names what is damaged
    file = puz.load(data)
    if file.solution_state != SCRAMBLED:
        raise UsageError("--key: the solution of this file is not scrambled")
    if not re.fullmatch("[1-9]{4}", key):
        raise UsageError(f"--key: expected four digits from 1 to 9, not {key}")
    if not file.unlock_solution(int(key)):
        raise UsageError(f"--key: {key} does not unlock the solution of this file")
    return bytes(file.tobytes())


def write(puzzle: Puzzle, filled: Grid | None = None) -> bytes:
    """Write the puzzle, with `filled`, else its own, as the solution; given letters are marked as revealed.

    The person's letters so far are written as the state; of a rebus cell it has the first. So is an incomplete filling,
    which is not a solution.
    The text is Latin-1 if that can hold it, for older programs, otherwise UTF-8.
    """
    puz = _puzpy()
    grid = puzzle.grid
    solution = best_solution(puzzle, filled)
    slots = sorted(grid.slots, key=lambda slot: (slot.number, slot.direction))
    known = puzzle.about
    clues = [clean(puzzle.clue(slot)) for slot in slots]
    version = "1.3" if all(map(_is_plain_latin, [*clues, *known.values()])) else "2.0"
    file = puz.Puzzle(version)
    file.width, file.height, file.clues = grid.width, grid.height, clues
    for key in KEPT:
        setattr(file, key, known.get(key, ""))
    begun = puzzle.progress or (grid if solution is None or solution.is_filled else solution)
    file.fill = "".join(_sign(cell, BLANK_SIGN) for cell in begun.cells)
    if solution is not None and solution.is_filled:
        file.solution = "".join(_sign(cell, "X") for cell in solution.cells)
    else:
        file.solution = "".join(BLOCK_SIGNS[0] if cell == BLOCK else "X" for cell in grid.cells)
        file.solution_state = NO_SOLUTION
    rebus = file.rebus()
    for index, cell in enumerate((solution or grid).cells):
        if len(cell) > 1 or not cell.isascii():
            rebus.add_rebus_squares(index, cell)
    marks = bytes(
        REVEALED * (cell not in {BLOCK, EMPTY}) | CIRCLED * (index in puzzle.circles)
        for index, cell in enumerate(grid.cells)
    )
    if any(marks):
        file.extensions[puz.Extensions.Markup.value] = marks
    try:
        return bytes(file.tobytes())
    except (ValueError, struct.error) as error:
        raise FormatError(f"a .puz file cannot hold this puzzle: {error}") from error


def repair(text: str, encoding: str) -> str:
    """Undo wrong Latin-1: bytes of UTF-8 or of Windows-1252's curly quotes.

    >>> repair("caf\\xc3\\xa9", "ISO-8859-1"), repair("\\x93caf\\xe9\\x94", "ISO-8859-1")
    ('café', '“café”')
    """
    if encoding != "ISO-8859-1" or text.isascii():
        return text
    raw = text.encode("latin-1")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(bytes([b]).decode("cp1252", "replace") if 0x80 <= b < 0xA0 else chr(b) for b in raw)


def _is_plain_latin(text: str) -> bool:
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return repair(text, "ISO-8859-1") == text


def _cell(sign: str, rebus: str | None) -> str:
    if sign in BLOCK_SIGNS:
        return BLOCK
    if rebus:
        return written(rebus, "rebus")
    return EMPTY if sign == BLANK_SIGN else written(sign, "grid")


def _sign(cell: str, empty: str) -> str:
    """Return the one character for a cell: of a rebus the first letter."""
    if cell == BLOCK:
        return BLOCK_SIGNS[0]
    return empty if cell == EMPTY else cell[0] if cell[0].isascii() else "X"


def _marked(marks: bytes, bit: int) -> set[int]:
    """Return the cells whose markup has a bit set."""
    return {index for index, mark in enumerate(marks) if mark & bit}


def _rebus(puz: ModuleType, file: Any) -> dict[int, str]:
    """Return cell -> letters of the rebus cells."""
    if puz.Extensions.Rebus.value not in file.extensions:
        return {}
    rebus = file.rebus()
    return {index: rebus.get_rebus_solution(index) for index in rebus.get_rebus_squares()}


def _puzpy() -> ModuleType:
    return importlib.import_module("puz")
