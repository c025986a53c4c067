"""Puzzles of every kind as the page has them: one JSON shape, cells row by row.

A cell is `#` for a block, `.` where empty, else what is written in it. A nonogram has no blocks: there `#` is filled,
`.` is left blank, and `?` is not known yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.errors import FormatError, UsageError
from agent.formats import read_puzzle as read_crossword
from agent.formats.common import MAX_CELL, shown, written
from agent.grid import BLOCK, EMPTY, ClueText, Grid, Puzzle, Slot
from agent.kinds import KindPuzzle, detect, kind_of
from agent.kinds import read_puzzle as read_kind
from agent.puzzles import fillin
from agent.puzzles.fillin import FillIn
from agent.puzzles.gogen import Gogen
from agent.puzzles.nonogram import Nonogram
from agent.puzzles.nonogram.picture import UNKNOWN
from agent.reading import capitals, small

AnyPuzzle = Puzzle | ClueText | KindPuzzle

NO_LETTER = {BLOCK, EMPTY}


def read(data: bytes, name: str, *, size: tuple[int, int] | None = None, letters: str = "") -> AnyPuzzle:
    """Read a puzzle of any kind, known by its content. Raises FormatError, which says where and what was expected.

    >>> read(b"A.B\\n...\\nC.D\\n\\nACE", "today.txt").words
    ('ACE',)
    """
    if letters or detect(data):
        return read_kind(data, letters=letters, source=name)
    return read_crossword(data, name, size=size)


def kind(puzzle: AnyPuzzle) -> str:
    """Name the kind of a puzzle: crossword, clues (no grid yet), fillin, gogen or nonogram.

    >>> kind(read(b"NO\\nOH\\n\\n\\nA1. Not yes ~ NO", "x.xd"))
    'crossword'
    """
    if isinstance(puzzle, Puzzle):
        return "crossword"
    return "clues" if isinstance(puzzle, ClueText) else kind_of(puzzle)


def to_json(puzzle: AnyPuzzle, handle: str) -> dict[str, Any]:
    """Describe a puzzle to the page; whether it has an official solution, but never the solution.

    >>> found = to_json(read(b"NO\\nOH\\n\\n\\nA1. Not yes ~ NO", "x.xd"), "h")
    >>> found["cells"], found["official"], found["slots"][0]["clue"]
    (['.', '.', '.', '.'], True, 'Not yes')
    """
    about = {name: getattr(puzzle, name, "") for name in ("title", "author", "copyright", "date")}
    found: dict[str, Any] = {"id": handle, "kind": kind(puzzle), **about, "official": False}
    found["title"] = found["title"] or getattr(puzzle, "id", "")
    if isinstance(puzzle, Puzzle):
        clues = {clue.slot: clue.text for clue in puzzle.clues}
        return {**found, **geometry(puzzle.grid, clues), "official": puzzle.solution is not None}
    if isinstance(puzzle, ClueText):
        return {**found, **_clue_list(puzzle)}
    size = {"width": puzzle.width, "height": puzzle.height, "cells": list(start_cells(puzzle))}
    if isinstance(puzzle, Nonogram):
        lines = {"rows": [list(run) for run in puzzle.rows], "columns": [list(run) for run in puzzle.columns]}
        return {**found, **size, "numbers": {}, "slots": [], **lines}
    if isinstance(puzzle, Gogen):
        return {**found, **size, "numbers": {}, "slots": [], "words": list(puzzle.words), "letters": puzzle.letters}
    numbered = _numbered(puzzle.slots, {})
    return {**found, **size, **numbered, "words": list(puzzle.words), "spare": puzzle.spare}


def geometry(grid: Grid, clues: Mapping[str, str]) -> dict[str, Any]:
    """Describe a crossword's grid: its cells as they stand, numbers, and slots with their clues.

    >>> geometry(Grid.parse("A."), {"1A": "Not out"})["slots"]
    [{'name': '1A', 'number': 1, 'direction': 'across', 'cells': [0, 1], 'clue': 'Not out'}]
    """
    size = {"width": grid.width, "height": grid.height, "cells": list(grid.cells)}
    return {**size, **_numbered(grid.slots, clues)}


def _numbered(slots: Sequence[Slot], clues: Mapping[str, str]) -> dict[str, Any]:
    return {
        "numbers": {slot.cells[0]: slot.number for slot in slots},
        "slots": [
            {
                "name": slot.name,
                "number": slot.number,
                "direction": slot.direction,
                "cells": list(slot.cells),
                "clue": clues.get(slot.name, ""),
            }
            for slot in slots
        ],
    }


def _clue_list(puzzle: ClueText) -> dict[str, Any]:
    width, height = puzzle.size or (None, None)
    slots = [
        {
            "name": f"{clue.number}{direction[0].upper()}",
            "number": clue.number,
            "direction": direction,
            "cells": [],
            "clue": clue.text,
        }
        for direction, clues in (("across", puzzle.across), ("down", puzzle.down))
        for clue in clues
    ]
    return {"width": width, "height": height, "cells": [], "numbers": {}, "slots": slots}


def start_cells(puzzle: Puzzle | KindPuzzle) -> tuple[str, ...]:
    """Return the cells before anything is filled in.

    >>> start_cells(read(b"1\\n\\n1", "x.non"))
    ('?',)
    """
    if isinstance(puzzle, Puzzle):
        return puzzle.grid.cells
    if isinstance(puzzle, Nonogram):
        return (UNKNOWN,) * (puzzle.width * puzzle.height)
    return cells_of(puzzle, puzzle.board if isinstance(puzzle, Gogen) else puzzle.grid)


def cells_of(puzzle: AnyPuzzle, rows: Sequence[str]) -> tuple[str, ...]:
    """Turn the library's rows of a kind into cells as the page has them."""
    cells = "".join(rows)
    return tuple(cells.replace(fillin.files.EMPTY, EMPTY) if isinstance(puzzle, FillIn) else cells)


def rows_of(puzzle: KindPuzzle, cells: Sequence[str]) -> tuple[str, ...]:
    """Turn the page's cells into the library's rows of a kind."""
    text = "".join(cells)
    if isinstance(puzzle, FillIn):
        text = text.replace(EMPTY, fillin.files.EMPTY)
    return tuple(text[start : start + puzzle.width] for start in range(0, len(text), puzzle.width))


def read_cells(value: Any, puzzle: Puzzle | KindPuzzle) -> tuple[str, ...]:
    """Read the cells that a page sent, for a puzzle. Raises UsageError if they are not cells of it.

    >>> read_cells(["a", "."], Puzzle(Grid.parse(".."), ()))
    ('A', '.')
    """
    start = start_cells(puzzle)
    if not isinstance(value, list) or len(value) != len(start) or not all(isinstance(cell, str) for cell in value):
        raise UsageError(f"cells: expected a list of {len(start)} texts, one for each cell")
    if isinstance(puzzle, Nonogram):
        wrong = next((cell for cell in value if cell not in {BLOCK, EMPTY, UNKNOWN}), None)
        if wrong is not None:
            raise UsageError(f"cells: expected {BLOCK}, {EMPTY} or {UNKNOWN}, found {shown(wrong)}")
        return tuple(value)
    for index, (cell, given) in enumerate(zip(value, start, strict=True)):
        if (cell == BLOCK) != (given == BLOCK):
            raise UsageError(f"cells: cell {index} {'is' if given == BLOCK else 'is not'} a block in this puzzle")
    if isinstance(puzzle, Puzzle):
        return tuple(_letter(cell) for cell in value)
    together = "".join(puzzle.words)
    fold = small if together == small(together) != capitals(together) else capitals
    cells = tuple(fold(cell.strip()) or EMPTY for cell in value)
    wrong = next((cell for cell in cells if len(cell) != 1), None)
    if wrong is not None:
        raise UsageError(f"cells: expected one letter in a cell, found {shown(wrong)}")
    return cells


def _letter(cell: str) -> str:
    if cell in NO_LETTER:
        return cell
    try:
        return written(cell[: 4 * MAX_CELL])
    except FormatError as error:
        raise UsageError(f"cells: {error}") from error
