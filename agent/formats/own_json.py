"""Our own JSON: one human-readable object with everything in a Puzzle.

`{"kind": "crossword", "title": ..., "grid": ["##...", ...], "solution": ["##BIG", ...], "progress": ["##B..", ...],
"clues": {"across": [[1, "text"], ...], "down": [...]}}`. A row with a rebus is a list of cells. `circles` and
`shaded` are lists of cells, counted row by row from 0, `bars` of pairs of them, `numbers` of a cell and its number if
they are not the standard ones. Also read: the lists of puzzles that
evaluations use, whose clues carry their answers (`[1, "text", "ANSWER"]`) and whose `grid` is then the solution.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from agent.errors import FormatError
from agent.formats.common import assemble, best_solution, clean, full, make_grid, split_solution, written
from agent.formats.node import Node
from agent.grid import BLOCK, EMPTY, TOLD, Grid, Puzzle
from agent.text import answer_letters

MARKS = ("circles", "shaded")


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"grid": [], "clues": {}}))
    True
    """
    return document.has("grid") and document.has("clues")


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> read(Node({"grid": [".."], "clues": {"across": [[1, "Not yes"]], "down": []}})).clue("1A")
    'Not yes'
    """
    grid = _grid(document.get("grid"))
    clues = list(_clues(document.get("clues")))
    solution = None
    if document.has("solution"):
        solution = _grid(document.get("solution"))
    elif any(answer for *_, answer in clues):
        grid, solution = split_solution(grid)
    if document.has("bars"):
        grid = _with_bars(grid, document.get("bars"))
    if document.has("numbers"):
        grid = _with_numbers(grid, document.get("numbers"))
    slots = {slot.name: slot for slot in grid.slots}
    for number, letter, _, answer in clues:
        slot = slots.get(f"{number}{letter}")
        if solution is not None and answer and slot and answer_letters(solution.answer(slot)) != answer_letters(answer):
            raise FormatError(f"the answer of {slot.name} is {answer}, the grid has {solution.answer(slot)}", "clues")
    document.skip("kind")
    circles, shaded = ([cell.integer() for cell in document.get(name)] if document.has(name) else () for name in MARKS)
    known = {key: document.get(key).label("") for key in TOLD}
    return assemble(
        grid,
        (clue[:3] for clue in clues),
        full(solution),
        circles=circles,
        shaded=shaded,
        progress=_grid(document.get("progress")) if document.has("progress") else None,
        about=known,
    )


def write(puzzle: Puzzle, filled: Grid | None = None) -> str:
    """Write the puzzle, with `filled`, else its own, as the solution."""
    grid = puzzle.grid
    solution = best_solution(puzzle, filled)
    document: dict[str, Any] = {"kind": puzzle.kind, **puzzle.about, "grid": _rows(grid)}
    document |= {"bars": sorted(grid.bars)} if grid.bars else {}
    document |= {"numbers": grid.numbers} if grid.numbers else {}
    document |= {name: sorted(cells) for name in MARKS if (cells := getattr(puzzle, name))}
    if solution is not None:
        document["solution"] = _rows(solution)
    if puzzle.progress is not None:
        document["progress"] = _rows(puzzle.progress)
    document["clues"] = {
        direction: [
            [slot.number, clean(puzzle.clue(slot))]
            for slot in grid.slots
            if slot.direction == direction and puzzle.clue(slot)
        ]
        for direction in ("across", "down")
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _rows(grid: Grid) -> list[Any]:
    rows = [list(grid.cells[i : i + grid.width]) for i in range(0, len(grid.cells), grid.width)]
    return ["".join(row) if all(len(cell) == 1 for cell in row) else row for row in rows]


def _grid(rows: Node) -> Grid:
    def cells(row: Node) -> list[str]:
        if isinstance(row.value, list):
            return [_cell(cell.text(), cell.where) for cell in row]
        return [_cell(sign, row.where) for sign in row.text()]

    return make_grid([cells(row) for row in rows], rows.where)


def _with_bars(grid: Grid, bars: Node) -> Grid:
    pairs = [tuple(cell.integer() for cell in bar) for bar in bars]
    try:
        return replace(grid, bars=frozenset((one, other) for one, other in pairs))
    except ValueError as error:  # another number of cells, or cells that are no neighbours
        raise bars.fail("pairs of neighbouring cells, the lower one first") from error


def _with_numbers(grid: Grid, numbers: Node) -> Grid:
    pairs = [tuple(part.integer() for part in pair) for pair in numbers]
    try:
        return replace(grid, numbers=tuple((cell, number) for cell, number in pairs))
    except ValueError as error:
        raise FormatError(f"expected pairs of a cell and its number: {error}", numbers.where) from error


def _cell(content: str, where: str) -> str:
    return content if content in {BLOCK, EMPTY} else written(content, where)


def _clues(clues: Node) -> Iterator[tuple[int, str, str, str]]:
    """Yield number, A or D, text, and the answer if it is given."""
    for direction in ("across", "down"):
        for clue in clues.get(direction) if clues.has(direction) else ():
            parts = clue.items()
            if len(parts) not in {2, 3}:
                raise clue.fail("a number and a clue")
            answer = parts[2].text() if len(parts) == 3 else ""
            yield parts[0].integer(), direction[0].upper(), clean(parts[1].text()), answer
