"""Compare finished rows of cells with the rows they began as."""

from __future__ import annotations

from collections.abc import Sequence


def changed(before: Sequence[str], after: Sequence[str], *, empty: str) -> list[str]:
    """List the cells whose block or given changed, and those still empty although a neighbour belongs to a run."""
    if [len(row) for row in before] != [len(row) for row in after]:
        return ["the grid does not have the size of its pattern"]
    faults = []
    for r, (old, new) in enumerate(zip(before, after, strict=True)):
        for c, (given, now) in enumerate(zip(old, new, strict=True)):
            if given == now == empty and empty == "_" and alone(before, r, c):
                continue
            if now == empty:
                faults.append(f"row {r + 1} column {c + 1}: the cell is empty")
            elif given not in (empty, now) or (now == "#") != (given == "#"):
                faults.append(f"row {r + 1} column {c + 1}: {given} was given, {now} stands there")
    return faults


def alone(pattern: Sequence[str], row: int, column: int) -> bool:
    """Return whether a cell belongs to no run of two or more: no word can fill it."""
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return not any(0 <= r < len(pattern) and 0 <= c < len(pattern[row]) and pattern[r][c] != "#" for r, c in around)
