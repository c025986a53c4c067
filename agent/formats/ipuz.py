"""The .ipuz format (version 2 of the open specification at ipuz.org), kind crossword.

Read: blocks, cells that do not exist (null: as blocks), numbered, labelled and styled cells, given values, rebus,
clues as pairs or objects, with HTML in them; circles, shading and bars, also as named styles.
"""

from __future__ import annotations

import html
import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from agent.errors import FormatError
from agent.formats.common import (
    assemble,
    best_solution,
    clean,
    full,
    make_grid,
    numbered,
    numbering_in_words,
    parted,
    plain,
    shades,
    sides_of,
    with_bars,
    written,
)
from agent.formats.node import Node
from agent.grid import BLOCK, EMPTY, TOLD, Grid, Puzzle

KIND = "http://ipuz.org/crossword#1"
VERSION = "http://ipuz.org/v2"

NAMES = {"id": "uniqueid"}
"""Our names of fields that .ipuz calls otherwise."""

NOT_NUMBERS = ("labels of cells that are not numbers",)


def looks_like(document: Node) -> bool:
    """Return whether a JSON document is .ipuz.

    >>> looks_like(Node({"puzzle": []}))
    True
    """
    return document.has("puzzle") or document.has("kind")


def read(document: Node) -> Puzzle:
    """Read a puzzle.

    >>> cells = {"puzzle": [[1, 2]], "solution": [["N", "O"]], "clues": {"Across": [["1", "<i>Not</i> yes"]]}}
    >>> puzzle = read(Node({**cells, "dimensions": {"width": 2, "height": 1}, "puzzle": [[1, 0]]}))
    >>> puzzle.clue("1A"), puzzle.solution.rows
    ('Not yes', ('NO',))
    """
    if document.has("kind"):
        kinds = document.get("kind")
        if not any("crossword" in kind.text() for kind in kinds):
            raise kinds.fail("a kind of crossword")
    block = document.get("block").label(BLOCK)
    empty = document.get("empty").label("0")
    puzzle = document.get("puzzle")
    grid = _grid(puzzle, block, empty, labels=True)
    if document.has("dimensions"):
        size = document.get("dimensions")
        for side, found in (("width", grid.width), ("height", grid.height)):
            if size.get(side).integer() != found:
                raise FormatError(
                    f"expected {found} as in puzzle, found {size.get(side).integer()}", f"dimensions.{side}"
                )
    styles = [_style(cell, document) for row in puzzle for cell in row]
    grid = with_bars(grid, {at: _sides(style.get("barred")) for at, style in enumerate(styles) if style})
    labels = [_label(cell, {block, empty, "0"}) for row in puzzle for cell in row]
    printed = [Node(one, puzzle.where).integer() if one.isdecimal() else None for one in labels]
    grid, unmarked = _with_words(document, grid, printed)
    solution, saved = (_letters(document, name, grid, block, empty) for name in ("solution", "saved"))
    known = {name: plain(document.get(NAMES.get(name, name)).label("")) for name in TOLD}
    if document.has("intro"):
        known["notes"] = clean(f"{plain(document.get('intro').text())} {known['notes']}")
    document.skip("version", "origin", "url", "charset", "showenumerations")
    circles = [at for at, style in enumerate(styles) if style and style.get("shapebg").label("") == "circle"]
    highlights = [at for at, style in enumerate(styles) if style and style.get("highlight").value is True]
    coloured, colours = shades({at: style.get("color").label("") for at, style in enumerate(styles) if style})
    clues = list(_clues(document.get("clues"))) if document.has("clues") else []
    return assemble(
        grid,
        clues,
        None if solution is None else full(solution),
        progress=saved,
        circles=circles,
        shaded=[*highlights, *coloured],
        left_out=[*colours, *unmarked, *(NOT_NUMBERS if any(one and not one.isdecimal() for one in labels) else ())],
        about=known,
    )


def write(puzzle: Puzzle, filled: Grid | None = None) -> str:
    """Write the puzzle, with `filled`, else its own, as the solution; the person's letters so far as `saved`."""
    grid = puzzle.grid
    numbers, sides = grid.slot_numbers, sides_of(grid)

    def cell(index: int) -> Any:
        content = grid.cells[index]
        number = numbers.get(index, 0)
        if content == BLOCK:
            return BLOCK
        style = {
            **({"shapebg": "circle"} if index in puzzle.circles else {}),
            **({"highlight": True} if index in puzzle.shaded else {}),
            **({"barred": sides[index]} if index in sides else {}),
        }
        given = {} if content == EMPTY else {"value": content}
        return {"cell": number, **given, **({"style": style} if style else {})} if style or given else number

    def rows(cells: list[Any]) -> list[list[Any]]:
        return [cells[i : i + grid.width] for i in range(0, len(cells), grid.width)]

    document: dict[str, Any] = {
        "version": VERSION,
        "kind": [KIND],
        **{NAMES.get(name, name): html.escape(value, quote=False) for name, value in puzzle.about.items()},
        "dimensions": {"width": grid.width, "height": grid.height},
        "block": BLOCK,
        "empty": "0",
        "puzzle": rows([cell(index) for index in range(len(grid.cells))]),
        "clues": {
            direction.title(): [
                [slot.number, html.escape(clean(puzzle.clue(slot)), quote=False)]
                for slot in grid.slots
                if slot.direction == direction and puzzle.clue(slot)
            ]
            for direction in ("across", "down")
        },
    }
    solution = best_solution(puzzle, filled)
    if solution is not None:
        document["solution"] = rows([None if cell == EMPTY else cell for cell in solution.cells])
    if puzzle.progress is not None:
        document["saved"] = rows(["0" if cell == EMPTY else cell for cell in puzzle.progress.cells])
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _letters(document: Node, name: str, grid: Grid, block: str, empty: str) -> Grid | None:
    """Return one of the grids of letters, None if it is not there; blocks that it leaves out, as null, are put in."""
    if not document.has(name):
        return None
    found = _grid(document.get(name), block, empty, labels=False)
    if (found.width, found.height) != (grid.width, grid.height):
        raise FormatError("expected the size of puzzle, found another", name)
    cells = (BLOCK if one == EMPTY and own == BLOCK else one for one, own in zip(found.cells, grid.cells, strict=True))
    return Grid(grid.width, grid.height, tuple(cells))


def _content(cell: Node, key: str) -> Node:
    """Return the content of a cell under a key; styled cells are objects, the others hold it bare."""
    if isinstance(cell.value, dict):
        return cell.get(key)
    return cell


def _style(cell: Node, document: Node) -> Node | None:
    """Return the style of a cell, an object or the name of one in `styles`; None if it has none."""
    if not isinstance(cell.value, dict) or not cell.has("style"):
        return None
    style = cell.get("style")
    if isinstance(style.value, dict):
        return style
    named = document.get("styles")
    return named.get(style.text()) if named.has(style.text()) else None


def _sides(barred: Node) -> str:
    """Return the sides of a cell that have a bar, as letters."""
    sides = barred.text("").upper()
    if set(sides) - set("TRBL"):
        raise barred.fail("letters of T, R, B and L")
    return sides


def _grid(rows: Node, block: str, empty: str, *, labels: bool) -> Grid:
    """Read a grid of cells; with `labels` the bare contents are numbers, otherwise letters."""

    def read_cell(cell: Node) -> str:
        if cell.value is None:
            return BLOCK if labels else EMPTY
        if labels:
            label = _content(cell, "cell")
            if label.value is None and isinstance(cell.value, dict) and not cell.has("value"):
                return BLOCK if not cell.has("style") else EMPTY
            if label.label("") == block:
                return BLOCK
            return written(cell.get("value").text(""), cell.where) if isinstance(cell.value, dict) else EMPTY
        value = _content(cell, "value")
        if value.value is None and isinstance(cell.value, dict):
            value = cell.get("cell")
        letters = value.label("")
        if letters == block:
            return BLOCK
        return EMPTY if letters == empty else written(letters, cell.where)

    return make_grid([[read_cell(cell) for cell in row] for row in rows], rows.where)


def _label(cell: Node, nothing: Collection[str]) -> str:
    """Return what is printed in the corner of a cell; some labels mean that nothing is."""
    label = _content(cell, "cell").label("").strip() if cell.value is not None else ""
    return "" if label in nothing else label


def _with_words(document: Node, grid: Grid, printed: Sequence[int | None]) -> tuple[Grid, list[str]]:
    """Return the grid with its numbers, and with bars around the words whose cells the clues name; what a bar adds.

    Cells are [column, row], from 0 or from 1: whichever makes them slots of those numbers with fewer bars.
    """
    named = [
        (f"{number}{letter}", [[part.integer() for part in cell] for cell in entry.get("cells")], entry.where)
        for number, letter, entry in (_entries(document.get("clues")) if document.has("clues") else ())
        if entry.has("cells")
    ]
    found: list[tuple[Grid, list[str]]] = []
    problem: FormatError | None = None
    for first in (0, 1):
        words = [(name, [_at(cell, first, grid) for cell in cells], where) for name, cells, where in named]
        try:
            barred, unmarked = parted(grid, [(cells, where) for _, cells, where in words])
            barred = numbered(barred, printed, "puzzle")
        except FormatError as error:
            problem = problem or error
            continue
        slots = {slot.name: list(slot.cells) for slot in barred.slots}
        wrong = next((name for name, cells, _ in words if slots.get(name) != cells), None)
        if wrong is None:
            found.append((barred, unmarked))
        else:
            complaint = f"the cells of clue {wrong} are not those of its slot: {numbering_in_words(barred)}"
            problem = problem or FormatError(complaint, "clues")
    if not found and problem:
        raise problem
    return min(found, key=lambda one: len(one[0].bars))


def _at(cell: Sequence[int], first: int, grid: Grid) -> int:
    """Return the index of a cell that is given as column and row, counted from `first`; -1 if it is not in the grid."""
    if len(cell) != 2:
        return -1
    column, row = (at - first for at in cell)
    return row * grid.width + column if 0 <= column < grid.width and 0 <= row < grid.height else -1


def _clues(clues: Node) -> Iterator[tuple[int, str, str]]:
    for number, letter, entry in _entries(clues):
        text = entry.items()[1] if isinstance(entry.value, list) else entry.get("clue")
        yield number, letter, plain(text.text(""))


def _entries(clues: Node) -> Iterator[tuple[int, str, Node]]:
    """Yield the number and the letter of each clue, and the clue: a list or an object."""
    for key in clues.fields():
        direction = key.partition(":")[0].strip().lower()
        if direction not in {"across", "down"}:
            raise FormatError(f"expected clues Across and Down, found {key[:40]!r}", clues.where)
        for entry in clues.get(key):
            if isinstance(entry.value, list) and len(entry.items()) < 2:
                raise entry.fail("a number and a clue")
            number = entry.items()[0] if isinstance(entry.value, list) else entry.get("number")
            yield number.integer(), direction[0].upper(), entry
