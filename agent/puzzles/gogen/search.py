"""The search over what deduction leaves open in a Gogen: depth first, by the cells of one letter."""

from __future__ import annotations

from collections.abc import Iterator

from agent.core.bitmaps import bitmap_rules
from agent.core.propagate import Rules
from agent.draw.letters import in_rows, place
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
    letter = min(open_letters, key=lambda a: (4 * state.cells[a].bit_count() - len(table.adjacent[a]), a))
    rest = state.cells[letter]
    while rest:
        bit = rest & -rest
        rest ^= bit
        child = State((*state.cells[:letter], bit, *state.cells[letter + 1 :]), table)
        yield f"{table.puzzle.letters[letter]} at {place(bit.bit_length() - 1, table.puzzle.width)}", child


def bitmaps(state: State) -> tuple[int, ...]:
    """Return the cells of each letter."""
    return state.cells


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return bitmap_rules(propagate, branches, bitmaps, state.table.effort)


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
    return in_rows("".join(board), puzzle.width)
