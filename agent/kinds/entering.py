"""Cells that a person entered into a puzzle without clues, on a page or in a command."""

from __future__ import annotations

from collections.abc import Sequence

from agent.draw.letters import in_rows, place
from agent.errors import UsageError
from agent.kind import GridPuzzle
from agent.kinds.registry import kind_of


def read_entries(puzzle: GridPuzzle, entries: Sequence[str]) -> tuple[str, ...]:
    """Turn entries, one for each cell, row by row, into rows in the puzzle's own signs.

    An open cell may be written as the kind writes it, as the sign that a person types for it, or as an empty text.
    Raises UsageError if the number of entries, a block or a sign is not the puzzle's.

    >>> from agent.kinds import read_kind
    >>> read_entries(read_kind("#h#\\n___\\n#_#\\n\\nhat\\nbag"), "#H#B..#.#")
    ('#h#', 'b__', '#_#')
    """
    kind, width = kind_of(puzzle), puzzle.width
    start = "".join(puzzle.givens)
    if len(entries) != len(start):
        raise UsageError(f"expected {len(start)} cells, found {len(entries)}")
    signs, cells = kind.signs(puzzle), []
    for index, (entry, given) in enumerate(zip(entries, start, strict=True)):
        cell = kind.fold(puzzle, entry.strip()) or kind.typed_empty
        if kind.block and (cell == kind.block) != (given == kind.block):
            raise UsageError(
                f"{place(index, width)} {'is' if given == kind.block else 'is not'} a block in this puzzle"
            )
        if len(cell) != 1 or (signs and cell not in signs + kind.typed_empty):
            expected = f"one of {' '.join(signs)}" if signs else "one letter in a cell"
            raise UsageError(f"{place(index, width)}: expected {expected}, found {entry[:20]!r}")
        cells.append(kind.empty if cell == kind.typed_empty else cell)
    return in_rows("".join(cells), width)
