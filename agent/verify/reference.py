"""The trusted successor and goal functions, in the form that AutoToS asks of language models.

Cao, Katz, Kokel, Srinivas and Sohrabi (arXiv 2408.11326) let a model write `successor_state` and `is_goal_state` for
5x5 minis. These are the functions they should be: the verification core of this project. They take any rectangle,
with blocks, and as many answer lists as there are runs. A state is a list of rows; a cell is a character, None while
empty, or `#` for a block. Answer lists come in the order of the slots: one list per run of two or more cells, row by
row for the horizontal ones, column by column for the vertical ones (in a grid without blocks: one per row, one per
column). Letters are compared as they are written, in upper or lower case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

Cell = str | None
State = list[list[Cell]]
Answers = Sequence[Sequence[str]]
Position = tuple[int, int]


def runs(state: Sequence[Sequence[Cell]]) -> tuple[list[list[Position]], list[list[Position]]]:
    """Return the cells of each horizontal and of each vertical run of two or more cells, as (row, column).

    >>> across, down = runs([["#", None], [None, None]])
    >>> across, down
    ([[(1, 0), (1, 1)]], [[(0, 1), (1, 1)]])
    """
    height, width = len(state), len(state[0])

    def split(line: list[Position]) -> list[list[Position]]:
        pieces = groupby(line, key=lambda at: state[at[0]][at[1]] == "#")
        return [cells for blocked, group in pieces if not blocked and len(cells := list(group)) > 1]

    across = [run for row in range(height) for run in split([(row, column) for column in range(width)])]
    down = [run for column in range(width) for run in split([(row, column) for row in range(height)])]
    return across, down


def _checked(state: State, horizontal: Answers, vertical: Answers) -> list[tuple[list[Position], Sequence[str]]]:
    across, down = runs(state)
    if (len(across), len(down)) != (len(horizontal), len(vertical)):
        raise ValueError(
            f"the grid has {len(across)} horizontal and {len(down)} vertical runs, "
            f"but there are {len(horizontal)} and {len(vertical)} answer lists"
        )
    return list(zip([*across, *down], [*horizontal, *vertical], strict=True))


def successor_state(state: State, horizontal_answers: Answers, vertical_answers: Answers) -> Iterator[State]:
    """Yield every grid got by writing one more answer, each grid once.

    An answer of a run's own list is written if the run is not yet filled and the answer has the run's length
    and agrees with the letters there. The input is not changed, and no grid shares a row with it or with another.
    Raises ValueError if the number of answer lists is not that of the runs.

    >>> grid = [["a", None], [None, None]]
    >>> list(successor_state(grid, [["at", "on"], ["no"]], [["an"], ["to", "toe"]]))[0]
    [['a', 't'], [None, None]]
    >>> len(list(successor_state(grid, [["at", "on"], ["no"]], [["an"], ["to", "toe"]])))
    4
    """
    seen = set()
    for run, answers in _checked(state, horizontal_answers, vertical_answers):
        now = [state[row][column] for row, column in run]
        if None not in now:
            continue
        for answer in answers:
            if len(answer) != len(run) or any(
                cell not in {None, letter} for cell, letter in zip(now, answer, strict=True)
            ):
                continue
            child = [list(row) for row in state]
            for (row, column), letter in zip(run, answer, strict=True):
                child[row][column] = letter
            key = tuple(map(tuple, child))
            if key not in seen:
                seen.add(key)
                yield child


def is_goal_state(state: State, horizontal_answers: Answers, vertical_answers: Answers) -> bool:
    """Return whether every cell is filled and every run spells one of its own answers.

    Raises ValueError if the number of answer lists is not that of the runs.

    >>> is_goal_state([["a", "t"], ["n", "o"]], [["at"], ["no"]], [["an"], ["to"]])
    True
    >>> is_goal_state([["a", "t"], ["n", "o"]], [["at"], ["no"]], [["an"], ["so"]])
    False
    """
    if any(cell is None for row in state for cell in row):
        return False
    return all(
        "".join(state[row][column] or "" for row, column in run) in answers
        for run, answers in _checked(state, horizontal_answers, vertical_answers)
    )
