"""Gogen: put letters into a square board, each once, so that every word is a path of king's moves.

A state keeps one bitmap of possible cells per letter. Two letters that follow each other in a word are neighbours:
each lives within one king's move of the other's possible cells. Every letter has a cell of its own: a placed letter
leaves the others' bitmaps, a cell that one letter alone can fill gets it, and two letters that share the same two
cells keep the others out. Newspaper puzzles need nothing more; the search is for boards with fewer givens.

A letter that follows itself in a word (the LL of HELLO) stays where it is.

>>> puzzle = parse("AB.\\nD.F\\nGHI\\n\\nBCE EFI CFE DEH AE")
>>> print(render(puzzle, propagate(start(puzzle))))
A B C
D E F
G H I
<BLANKLINE>
BCE  from row 1, column 2: B→C↙E
EFI  from row 2, column 2: E→F↓I
CFE  from row 1, column 3: C↓F←E
DEH  from row 2, column 1: D→E↓H
AE   from row 1, column 1: A↘E
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from agent.core.propagate import Rules
from agent.puzzles.gogen.deduce import State, propagate, shape_neighbours, start
from agent.puzzles.gogen.files import ALPHABET, EMPTY, Gogen, build, parse, paths, write

__all__ = [
    "ALPHABET",
    "EMPTY",
    "Gogen",
    "State",
    "admits",
    "branches",
    "build",
    "is_goal",
    "parse",
    "paths",
    "priority",
    "propagate",
    "render",
    "rows",
    "rules",
    "shape_neighbours",
    "start",
    "successors",
    "write",
]


ARROWS: Mapping[tuple[int, int], str] = {
    (-1, -1): "↖", (-1, 0): "↑", (-1, 1): "↗", (0, -1): "←", (0, 0): "·",
    (0, 1): "→", (1, -1): "↙", (1, 0): "↓", (1, 1): "↘",
}  # fmt: skip


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the cells of one letter: of those with few cells left, one with many neighbours.

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

    >>> len(list(successors(start(parse('{"board": ["A.", ".."], "words": ["ABCD"]}')))))
    3
    """
    for _, child in branches(state):
        deduced = propagate(child)
        if deduced is not None:
            yield deduced


def is_goal(state: State) -> bool:
    """Whether every letter has its one cell.

    >>> is_goal(start(parse('{"board": ["AB"], "words": ["AB"]}')))
    True
    """
    return not any(mine & (mine - 1) for mine in state.cells)


def priority(state: State) -> float:
    """Count the cells that are still too many: 0 at a goal.

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


def render(puzzle: Gogen, state: State) -> str:
    """Draw the board as text, and under it the path of each word as letters and arrows."""
    board = rows(state)
    lines = [" ".join(row) for row in board]
    traced = paths(puzzle, board)
    room = max((len(word) for word in traced), default=0)
    if traced:
        lines.append("")
    for word, path in traced.items():
        arrows = "".join(
            ARROWS.get((b[0] - a[0], b[1] - a[1]), "?") + letter
            for (a, b), letter in zip(pairwise(path), word[1:], strict=True)
        )
        row, column = path[0]
        lines.append(f"{word:{room}}  from row {row + 1}, column {column + 1}: {word[0]}{arrows}")
    return "\n".join(lines)
