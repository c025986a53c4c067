"""The search over what deduction leaves open in a nonogram: best first, by f = g + h."""

from __future__ import annotations

from collections.abc import Iterator

from agent.core.propagate import Rules
from agent.draw.letters import place
from agent.puzzles.nonogram import picture
from agent.puzzles.nonogram.deduce import State, Work, propagate
from agent.puzzles.nonogram.files import Nonogram


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by one cell: filled or empty.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> [text for text, _ in branches(start(parse("1\\n1\\n\\n1\\n1")))]
    ['row 1, column 1 filled', 'row 1, column 1 empty']
    """
    if state.branch is None and not is_goal(state):
        known = propagate(state)
        if known is None or known.branch is None:
            if known is not None:
                yield "all cells as deduced", known
            return
        state = known
    if state.branch is None:
        return
    row, column, first = state.branch
    height, width = state.table.puzzle.height, state.table.puzzle.width
    cell = place(row * width + column, width)
    for filled in (first, not first):
        known_cells = list(state.ones if filled else state.zeros)
        known_cells[row] |= 1 << column
        known_cells[height + column] |= 1 << row
        ones, zeros = (tuple(known_cells), state.zeros) if filled else (state.ones, tuple(known_cells))
        yield (
            f"{cell} {'filled' if filled else 'empty'}",
            State(ones, zeros, state.table, changed=(row, height + column), depth=state.depth + 1),
        )


def successors(state: State) -> Iterator[State]:
    """Probe the state, then yield the states one choice on with their lines swept; impossible ones are dropped.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> len(list(successors(start(parse("1\\n1\\n\\n1\\n1")))))
    2
    """
    for _, child in branches(state):
        work = Work(child)
        if work.sweep(list(child.changed)) is None:
            yield State(tuple(work.ones), tuple(work.zeros), child.table, depth=child.depth)


def is_goal(state: State) -> bool:
    """Return whether every cell is known and every line swept.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> is_goal(start(parse("0\\n\\n0")))
    False
    """
    full = (1 << state.table.puzzle.width) - 1
    height = state.table.puzzle.height
    return not state.changed and all(
        ones | zeros == full for ones, zeros in zip(state.ones[:height], state.zeros[:height], strict=True)
    )


def priority(state: State) -> float:
    """Return f = g + h: choices made, and the fillings left over all lines, less one each.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> priority(start(parse("1\\n1\\n\\n1\\n1")))
    4
    """
    left = sum(
        line.count(ones, zeros) - 1
        for line, ones, zeros in zip(state.table.lines, state.ones, state.zeros, strict=True)
        if (ones | zeros).bit_count() < line.size
    )
    return state.depth + left


def admits(state: State, goal: State) -> bool:
    """Return whether a goal lies below a state."""
    return not any(a & ~b for a, b in zip(state.ones + state.zeros, goal.ones + goal.zeros, strict=True))


OWN_EFFORT = 3
"""If there is a back-end, cells probed in the search, per cell of the grid, before the rest is handed over: a little
less work than it then does. Most random 25x25 and 30x30 end well before."""
OWN_EFFORT_AT_LEAST = 1000
"""Small puzzles get this many probes, a few hundredths of a second: loading the back-end takes longer."""


def own_effort(puzzle: Nonogram) -> float:
    """Return how many cells our own search may probe if a back-end waits.

    >>> from agent.puzzles.nonogram.files import parse
    >>> own_effort(parse("1\\n\\n1"))
    1000
    """
    return max(OWN_EFFORT * puzzle.width * puzzle.height, OWN_EFFORT_AT_LEAST)


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return Rules(propagate, branches, successors, is_goal, priority, admits, state.table.effort)


def rows(state: State) -> tuple[str, ...]:
    """Return the picture as rows of `#` (filled), `.` (empty) and `?` (not known).

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> rows(propagate(start(parse("1 1\\n\\n1\\n0\\n1"))))
    ('#.#',)
    """
    height, width = state.table.puzzle.height, state.table.puzzle.width
    return tuple(
        "".join(
            picture.FILLED if ones >> c & 1 else picture.BLANK if zeros >> c & 1 else picture.UNKNOWN
            for c in range(width)
        )
        for ones, zeros in zip(state.ones[:height], state.zeros[:height], strict=True)
    )
