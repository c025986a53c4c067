"""The search over what deduction leaves open in a Gogen: depth first, by the cells of one letter."""

from __future__ import annotations

from collections.abc import Iterator

from agent.core.propagate import Rules
from agent.puzzles.gogen.deduce import State, propagate
from agent.puzzles.gogen.files import EMPTY


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the cells of one letter: of those with few cells left, one with many neighbours.

    >>> from agent.puzzles.gogen.deduce import start
    >>> from agent.puzzles.gogen.files import parse
    >>> puzzle = parse('{"board": ["A.", ".."], "words": ["ABCD"]}')
    >>> [text for text, _ in branches(propagate(start(puzzle)))]
    ['B at row 1, column 2', 'B at row 2, column 1', 'B at row 2, column 2']
    """
    table = state.table
    open_letters = [letter for letter, mine in enumerate(state.cells) if mine & (mine - 1)]
    if not open_letters:
        return
    letter = min(open_letters, key=lambda a: (4 * state.cells[a].bit_count() - len(table.beside[a]), a))
    rest = state.cells[letter]
    while rest:
        bit = rest & -rest
        rest ^= bit
        row, column = divmod(bit.bit_length() - 1, table.puzzle.width)
        child = State((*state.cells[:letter], bit, *state.cells[letter + 1 :]), table)
        yield f"{table.puzzle.letters[letter]} at row {row + 1}, column {column + 1}", child


def successors(state: State) -> Iterator[State]:
    """Yield the states one choice on, each deduced to its fixed point; impossible ones are dropped.

    >>> from agent.puzzles.gogen.deduce import start
    >>> from agent.puzzles.gogen.files import parse
    >>> len(list(successors(start(parse('{"board": ["A.", ".."], "words": ["ABCD"]}')))))
    3
    """
    for _, child in branches(state):
        deduced = propagate(child)
        if deduced is not None:
            yield deduced


def is_goal(state: State) -> bool:
    """Whether every letter has its one cell.

    >>> from agent.puzzles.gogen.deduce import start
    >>> from agent.puzzles.gogen.files import parse
    >>> is_goal(start(parse('{"board": ["AB"], "words": ["AB"]}')))
    True
    """
    return not any(mine & (mine - 1) for mine in state.cells)


def priority(state: State) -> float:
    """Count the cells that are still too many: 0 at a goal.

    >>> from agent.puzzles.gogen.deduce import start
    >>> from agent.puzzles.gogen.files import parse
    >>> priority(start(parse('{"board": ["A.."], "words": ["ABC"]}')))
    4
    """
    return sum(mine.bit_count() - 1 for mine in state.cells)


def admits(state: State, goal: State) -> bool:
    """Whether a goal lies below a state."""
    return all(mine & theirs for mine, theirs in zip(state.cells, goal.cells, strict=True))


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return Rules(propagate, branches, successors, is_goal, priority, admits, state.table.effort, depth_first=True)


def rows(state: State) -> tuple[str, ...]:
    """Return the board as rows, `.` for a cell whose letter is not known.

    >>> from agent.puzzles.gogen.deduce import start
    >>> from agent.puzzles.gogen.files import parse
    >>> rows(start(parse('{"board": ["A.."], "words": ["ABC"]}')))
    ('A..',)
    """
    puzzle = state.table.puzzle
    board = [EMPTY] * (puzzle.width * puzzle.height)
    for letter, mine in zip(puzzle.letters, state.cells, strict=True):
        if mine and not mine & (mine - 1):
            board[mine.bit_length() - 1] = letter
    one = "".join(board)
    return tuple(one[k : k + puzzle.width] for k in range(0, len(one), puzzle.width))
