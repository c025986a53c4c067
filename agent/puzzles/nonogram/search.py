"""The search over what deduction leaves open in a nonogram."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent.core.bitmaps import bits
from agent.core.propagate import Rules
from agent.draw.letters import place
from agent.puzzles.nonogram.colours import UNKNOWN
from agent.puzzles.nonogram.deduce import State, Work, propagate, still_open
from agent.puzzles.nonogram.puzzle import Nonogram


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the colours of one cell.

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
    row, column, colours = state.branch
    work = Work(state)
    cell = place(row * work.width + column, work.width)
    for colour in colours:
        work.out = list(state.out)
        work.set(row, column, colour)
        changed, depth = (row, work.height + column), state.depth + 1
        child = replace(state, out=tuple(work.out), changed=changed, branch=None, depth=depth)
        yield f"{cell} {work.word(colour)}", child


def successors(state: State) -> Iterator[State]:
    """Probe the state, then yield the states one choice on with their lines swept; impossible ones are dropped.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> len(list(successors(start(parse("1\\n1\\n\\n1\\n1")))))
    2
    """
    for _, child in branches(state):
        work = Work(child)
        if work.sweep(child.changed) is None:
            yield replace(child, out=tuple(work.out), changed=())


def is_goal(state: State) -> bool:
    """Return whether every cell is known and every line swept.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> is_goal(start(parse("0\\n\\n0")))
    False
    """
    return not state.changed and not still_open(state)


def admits(state: State, goal: State) -> bool:
    """Return whether a goal lies below a state."""
    return not any(here & ~there for here, there in zip(state.out, goal.out, strict=True))


OWN_EFFORT = 3
"""If there is a back-end, cells probed in the search, per cell of the grid, before it has its first turn. Most random
25x25 and 30x30 end well before."""
OWN_EFFORT_AT_LEAST = 1000
"""Small puzzles get this many probes, a few hundredths of a second: loading the back-end takes longer."""


PACE = 20_000.0
"""Cells probed in a second."""


def own_effort(puzzle: Nonogram) -> float:
    """Return how many cells our own search probes before a back-end has its first turn.

    >>> from agent.puzzles.nonogram.files import parse
    >>> own_effort(parse("1\\n\\n1"))
    1000
    """
    return max(OWN_EFFORT * puzzle.width * puzzle.height, OWN_EFFORT_AT_LEAST)


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return Rules(propagate, branches, successors, is_goal, admits, state.table.effort)


def rows(state: State) -> tuple[str, ...]:
    """Return the picture as rows of the colours' signs, and `?` for what is not known.

    >>> from agent.puzzles.nonogram.deduce import start
    >>> from agent.puzzles.nonogram.files import parse
    >>> rows(propagate(start(parse("1 1\\n\\n1\\n0\\n1"))))
    ('#.#',)
    """
    work, signs = Work(state), state.table.puzzle.signs
    found = []
    for row in range(work.height):
        known = work.known(row, state.out[row])
        planes = work.lines[row].planes(state.out[row])
        cells = [UNKNOWN] * work.width
        for sign, there in zip(signs, planes, strict=True):
            for cell in bits(there & known):
                cells[cell] = sign
        found.append("".join(cells))
    return tuple(found)
