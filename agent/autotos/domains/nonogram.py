"""Nonograms, row by row: each step fills the topmost open row with its clue's runs, if the columns still allow it."""

from collections.abc import Iterator
from itertools import combinations, groupby
from random import Random
from typing import Any

from agent.autotos.domain import Domain, Instance, Kind
from agent.autotos.grids import Cell, Grid, agrees, cells_breach, changed, overwritten, written
from agent.puzzles.nonogram.check import check_nonogram

Clues = list[list[int]]


def successor_state(state: Grid, rows: Clues, columns: Clues) -> Iterator[list[list[Cell]]]:
    """Return the steps of a search for the picture of a nonogram.

    - `state` is a list of rows, each a list of cells: "#" is filled, "." is empty, None is still open. A row is either
      open as a whole or not at all, and the open rows are the last ones.
    - `rows` and `columns` are lists of clues, one for each row and column: the lengths of the runs of filled cells in
      their order, with at least one empty cell between two runs. A clue without runs is an empty list.

    One step fills the topmost open row with an arrangement of exactly the runs of its clue, such that every column can
    still be right as far as it is filled: the runs that have ended are the first of its clue, and a run that touches
    the lowest filled row is at most as long as the next one. Open rows below are not looked at.
    """
    at = next((r for r, row in enumerate(state) if None in row), len(state))
    for line in arrangements(rows[at], len(columns)) if at < len(state) else ():
        child = written(state, {(at, c): cell for c, cell in enumerate(line)})
        if all(fits([row[c] for row in child[: at + 1]], clue) for c, clue in enumerate(columns)):
            yield child


def is_goal_state(state: Grid, rows: Clues, columns: Clues) -> bool:
    """Recognise the picture of a nonogram.

    - `state` is a list of rows, each a list of cells: "#" is filled, "." is empty, None is still open.
    - `rows` and `columns` are lists of clues, one for each row and column: the lengths of the runs of filled cells in
      their order. A clue without runs is an empty list.

    Return True exactly when no cell is open and the runs of every row and of every column are those of its clue.
    """
    return not why(state, rows, columns)


def why(state: Grid, rows: Clues, columns: Clues) -> str:
    """Return the first rule that keeps a state from being a goal, "" for a goal."""
    if any(cell is None for row in state for cell in row):
        return "a cell is open"
    clued, sided = ([[(run, "#") for run in clue] for clue in side] for side in (rows, columns))
    return next(iter(check_nonogram(clued, sided, ["".join(map(str, row)) for row in state])), "")


def arrangements(clue: list[int], width: int) -> Iterator[str]:
    """Yield the lines that have exactly the runs of a clue.

    >>> list(arrangements([1, 1], 4))
    ['#.#.', '#..#', '.#.#']
    """
    for starts in combinations(range(width - sum(clue) + 1), len(clue)):
        line, gap = "", 0
        for start, run in zip(starts, clue, strict=True):
            line += "." * (start - gap) + "#" * run
            gap = start
        yield line + "." * (width - len(line))


def runs(line: list[Cell]) -> list[int]:
    """Return the lengths of the runs of filled cells.

    >>> runs(["#", ".", "#", "#"])
    [1, 2]
    """
    return [len(list(group)) for cell, group in groupby(line) if cell == "#"]


def fits(line: list[Cell], clue: list[int]) -> bool:
    """Return whether a column can still be right as far as it is filled.

    >>> fits(["#"], [2]), fits(["#", "."], [2])
    (True, False)
    """
    found = runs(line)
    ended = found if line[-1] == "." else found[:-1]
    return ended == clue[: len(ended)] and (len(found) == len(ended) or found[-1] <= (clue[len(ended) :] or [0])[0])


def instances(random: Random) -> Iterator[Instance]:
    """Yield pictures of several sizes and densities, with several solutions or none among them."""
    for place in range(28):
        height, width = random.randint(2, 6), random.randint(2, 6)
        share = (0.3, 0.5, 0.7, 0.9)[place % 4]
        goal: Grid = [["#" if random.random() < share else "." for _ in range(width)] for _ in range(height)]
        columns = [runs(list(column)) for column in zip(*goal, strict=True)]
        if place % 9 == 8:
            columns = random.sample(columns, width)
        arguments: dict[str, Any] = {"rows": [runs(list(row)) for row in goal], "columns": columns}
        start: Grid = [[None] * width for _ in range(height)]
        fine = not why(goal, **arguments)
        yield Instance(f"{height} rows, {share:.0%} filled", start, arguments, (goal,) if fine else ())


def probes(instance: Instance, goal: Grid, random: Random) -> Iterator[Grid]:
    """Yield states around a goal: a cell turned or opened, rows exchanged, mirrored pictures, switched corners."""
    for r, row in enumerate(goal):
        for c, cell in enumerate(row):
            yield written(goal, {(r, c): "." if cell == "#" else "#"})
            yield written(goal, {(r, c): None})
    yield from (goal[::-1], [row[::-1] for row in goal], random.sample(list(goal), len(goal)), instance.start)
    yield from switched(goal)


def switched(goal: Grid) -> Iterator[Grid]:
    """Yield the pictures with the corners of a rectangle turned that have as many filled cells in each row and column.

    Often the runs of all columns stay, and only those of two rows are wrong.

    >>> len(list(switched([["#", "."], [".", "#"]])))
    1
    """
    for (r, top), (y, low) in combinations(enumerate(goal), 2):
        for c, x in combinations(range(len(top)), 2):
            if top[c] == low[x] != top[x] == low[c]:
                yield written(goal, {(r, c): top[x], (r, x): top[c], (y, c): low[x], (y, x): low[c]})


def fault(state: Grid, child: Grid, rows: Clues, columns: Clues) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    if clause := overwritten(state, child):
        return "overwrite", clause
    at = next((r for r, row in enumerate(state) if None in row), len(state))
    if {r for r, _ in changed(state, child)} != {at} or None in child[at]:
        return "wrong-row", f"rows other than row {at} were filled, or it only in part"
    if runs(list(child[at])) != rows[at]:
        return "wrong-runs", f"row {at} has the runs {runs(list(child[at]))}, its clue is {rows[at]}"
    bad = next(c for c, clue in enumerate(columns) if not fits([row[c] for row in child[: at + 1]], clue))
    return "wrong-column", f"column {bad} cannot become {columns[bad]} any more"


NONOGRAM = Domain(
    name="nonogram",
    successors=successor_state,
    is_goal=is_goal_state,
    instances=instances,
    breach=lambda child, state, *_: cells_breach(child, state, "#."),
    kinds={
        "overwrite": Kind("a cell that was decided was changed", "Copy the rows that are filled as they are."),
        "wrong-row": Kind("not exactly the topmost open row was filled", "Fill the topmost open row, as a whole."),
        "wrong-runs": Kind("the row has not its clue's runs", "Use each run once, in order, with a gap between two."),
        "wrong-column": Kind("a column cannot be right any more", "Check each column's runs as far as it is filled."),
    },
    fault=fault,
    why=why,
    probes=probes,
    toward=agrees,
)
