"""What domains whose states are grids of letters have in common. A cell is None while it is empty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from agent.autotos.forms import describe

Cell = str | None
Grid = Sequence[Sequence[Cell]]
"""Rows of cells: None, or one character."""

_ONE = frozenset({1})


def filled(grid: Grid) -> int:
    """Return the number of filled cells.

    >>> filled([["a", None]])
    1
    """
    return sum(cell is not None for row in grid for cell in row)


def cells_breach(child: Grid, parent: Grid, signs: str = "") -> str:
    """Return the clause that a returned grid breaks, "" if none: as many rows and cells, one character a cell.

    With `signs` the character must be one of these.

    >>> cells_breach([["a", "bc"]], [["a", None]])
    "has the string 'bc' in row 0, column 1, not None or a one-character string"
    >>> cells_breach([["a", "b"]], [["a", None]], "ac")
    "has the string 'b' in row 0, column 1, not None or one of 'ac'"
    """
    if len(child) != len(parent):
        return f"has {len(child)} rows, not {len(parent)}"
    for r, row in enumerate(child):
        if len(row) != len(parent[r]):
            return f"has {len(row)} cells in row {r}, not {len(parent[r])}"
        if not signs and "" not in row and _ONE.issuperset(map(len, filter(None, row))):
            continue  # the usual case, fast: a judge asks this of every state that is returned
        for c, cell in enumerate(row):
            if cell is not None and len(cell) != 1:
                return f"has {describe(cell)} in row {r}, column {c}, not None or a one-character string"
            if cell is not None and signs and cell not in signs:
                return f"has {describe(cell)} in row {r}, column {c}, not None or one of {signs!r}"
    return ""


def changed(state: Grid, child: Grid) -> list[tuple[int, int]]:
    """Return the cells (row, column) in which two grids of one size differ.

    >>> changed([["a", None]], [["a", "b"]])
    [(0, 1)]
    """
    return [(r, c) for r, row in enumerate(state) for c, cell in enumerate(row) if child[r][c] != cell]


def overwritten(state: Grid, child: Grid) -> str:
    """Return a clause on a filled cell that was changed, "" if there is none.

    >>> overwritten([["a"]], [["b"]])
    "the cell in row 0, column 0 held 'a' and now holds 'b'"
    """
    for r, c in changed(state, child):
        if state[r][c] is not None:
            return f"the cell in row {r}, column {c} held {state[r][c]!r} and now holds {child[r][c]!r}"
    return ""


def written(grid: Grid, cells: Mapping[tuple[int, int], Cell]) -> list[list[Cell]]:
    """Return a new grid with other contents in some cells.

    >>> written([["a", None]], {(0, 1): "b"})
    [['a', 'b']]
    """
    made = [list(row) for row in grid]
    for (r, c), cell in cells.items():
        made[r][c] = cell
    return made


def contents(grid: Grid, cells: Sequence[tuple[int, int]]) -> list[Cell]:
    """Return what stands in some cells.

    >>> contents([["a", None]], [(0, 1), (0, 0)])
    [None, 'a']
    """
    return [grid[r][c] for r, c in cells]


def agrees(state: Grid, goal: Grid) -> bool:
    """Return whether each letter of a grid is that of the goal: moves that only add letters may still lead there.

    >>> agrees([["a", None]], [["a", "b"]])
    True
    """
    return all(state[r][c] is None for r, c in changed(state, goal))


def fewest(state: Grid, children: list[Grid]) -> list[Grid]:
    """Return the successors that fill one set of cells, the set with the fewest.

    >>> fewest([[None, None]], [[["a", None]], [[None, "b"]], [[None, "c"]]])
    [[['a', None]]]
    """
    groups: dict[tuple[tuple[int, int], ...], list[Grid]] = defaultdict(list)
    for child in children:
        groups[tuple(changed(state, child))].append(child)
    return min(groups.values(), key=len, default=[])
