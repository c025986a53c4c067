"""Puzzles of every kind as the page represents them: one JSON shape, cells row by row.

A cell is `#` for a block, `.` if it is empty, else its content. Cells that are switches are `#` if filled,
`.` if left blank, and `?` if they are not known yet. `form` describes how the page behaves, so that it need not know
any kind by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent.api import CandidateInstance, read_puzzle
from agent.draw.letters import in_rows
from agent.errors import FormatError, UsageError
from agent.formats.common import MAX_CELL, written
from agent.grid import BLOCK, EMPTY, ClueText, Grid, Puzzle
from agent.kinds import GridPuzzle, kind_of, read_entries
from agent.slots import Slot

AnyPuzzle = Puzzle | ClueText | GridPuzzle

NO_LETTER = {BLOCK, EMPTY}


def read(data: bytes, name: str, *, size: tuple[int, int] | None = None, letters: str = "") -> AnyPuzzle:
    """Read a puzzle of any kind, known by its content. Raises FormatError with the place and what was expected.

    >>> read(b"A.B\\n...\\nC.D\\n\\nACE", "today.txt").words
    ('ACE',)
    """
    found = read_puzzle(data, name=name, size=size, letters=letters)
    if isinstance(found, CandidateInstance):
        raise FormatError("expected a puzzle with clues, found lists of candidates", file=name)
    return found


def kind(puzzle: AnyPuzzle) -> str:
    """Return the name of a puzzle's kind: crossword, clues (no grid yet), or a kind without clues.

    >>> kind(read(b"NO\\nOH\\n\\n\\nA1. Not yes ~ NO", "x.xd"))
    'crossword'
    """
    return "clues" if isinstance(puzzle, ClueText) else puzzle.kind


def form(puzzle: AnyPuzzle) -> dict[str, Any]:
    """Describe how the page handles a puzzle: its title, content of cells, rules and extras.

    >>> form(read(b"1\\n\\n1", "x.non"))["cells"]
    'switches'
    """
    if isinstance(puzzle, Puzzle):
        return {"title": "Crossword", "cells": "letters", "clues": True, "rebus": True}
    if isinstance(puzzle, ClueText):
        return {"title": "Clues without a grid", "cells": "letters", "clues": True, "gridless": True}
    one = kind_of(puzzle)
    return {"title": one.title, "cells": one.look.cells, "rules": list(one.look.rules), "traced": one.look.traced}


def to_json(puzzle: AnyPuzzle, handle: str) -> dict[str, Any]:
    """Describe a puzzle to the page: whether it has an official solution, but never the solution.

    >>> found = to_json(read(b"NO\\nOH\\n\\n\\nA1. Not yes ~ NO", "x.xd"), "h")
    >>> found["cells"], found["official"], found["slots"][0]["clue"]
    (['.', '.', '.', '.'], True, 'Not yes')
    """
    about = {name: getattr(puzzle, name, "") for name in ("title", "author", "copyright", "date")}
    found: dict[str, Any] = {"id": handle, "kind": kind(puzzle), "form": form(puzzle), **about, "official": False}
    if isinstance(puzzle, Puzzle):
        clues = {clue.slot: clue.text for clue in puzzle.clues}
        begun = {"progress": list(puzzle.progress.cells)} if puzzle.progress else {}
        return {**found, **geometry(puzzle.grid, clues), **begun, "official": puzzle.solution is not None}
    if isinstance(puzzle, ClueText):
        return {**found, **_clue_list(puzzle)}
    size = {"width": puzzle.width, "height": puzzle.height, "cells": list(start_cells(puzzle))}
    described = dict(kind_of(puzzle).describe(puzzle))
    signs = kind_of(puzzle).signs(puzzle)
    return {**found, **size, "signs": signs, **_numbered(described.pop("slots", ()), {}), **described}


def geometry(grid: Grid, clues: Mapping[str, str]) -> dict[str, Any]:
    """Describe a crossword's grid: its cells as they stand, bars, numbers, and slots with their clues.

    >>> geometry(Grid.parse("A."), {"1A": "Not out"})["slots"]
    [{'name': '1A', 'number': 1, 'direction': 'across', 'cells': [0, 1], 'clue': 'Not out'}]
    """
    size = {"width": grid.width, "height": grid.height, "cells": list(grid.cells), "bars": sorted(grid.bars)}
    return {**size, **_numbered(grid.slots, clues), "numbers": dict(grid.slot_numbers)}


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


def start_cells(puzzle: Puzzle | GridPuzzle) -> tuple[str, ...]:
    """Return the cells before anything is filled in.

    >>> start_cells(read(b"1\\n\\n1", "x.non"))
    ('?',)
    """
    return puzzle.grid.cells if isinstance(puzzle, Puzzle) else cells_of(puzzle, puzzle.givens)


def free_cells(puzzle: Puzzle | GridPuzzle) -> frozenset[int]:
    """Return the cells that a person fills in: not the blocks, nor what was given.

    >>> sorted(free_cells(read(b"NO\\n#H\\n\\n\\nA1. Not yes ~ NO", "x.xd")))
    [0, 1, 3]
    """
    start = start_cells(puzzle)
    is_switched = form(puzzle)["cells"] == "switches"
    return frozenset(cell for cell, content in enumerate(start) if is_switched or content == EMPTY)


def cells_of(puzzle: GridPuzzle, rows: Sequence[str]) -> tuple[str, ...]:
    """Turn the library's rows of a kind into the page's cells."""
    one = kind_of(puzzle)
    return tuple("".join(rows).replace(one.empty, one.typed_empty))


def rows_of(puzzle: GridPuzzle, cells: Sequence[str]) -> tuple[str, ...]:
    """Turn the page's cells into the library's rows of a kind."""
    one = kind_of(puzzle)
    return in_rows("".join(cells).replace(one.typed_empty, one.empty), puzzle.width)


def read_cells(value: Any, puzzle: Puzzle | GridPuzzle) -> tuple[str, ...]:
    """Read the cells that a page sent, for a puzzle. Raises UsageError if they are not cells of it.

    >>> read_cells(["a", "."], Puzzle(Grid.parse(".."), ()))
    ('A', '.')
    """
    start = start_cells(puzzle)
    if not isinstance(value, list) or len(value) != len(start) or not all(isinstance(cell, str) for cell in value):
        raise UsageError(f"cells: expected a list of {len(start)} texts, one for each cell")
    try:
        return _letters(value, start) if isinstance(puzzle, Puzzle) else cells_of(puzzle, read_entries(puzzle, value))
    except (FormatError, UsageError) as error:
        raise UsageError(f"cells: {error}") from error


def _letters(cells: Sequence[str], start: Sequence[str]) -> tuple[str, ...]:
    if [cell == BLOCK for cell in cells] != [cell == BLOCK for cell in start]:
        raise UsageError("the blocks are not the puzzle's")
    return tuple(cell if cell in NO_LETTER else written(cell[: 4 * MAX_CELL]) for cell in cells)
