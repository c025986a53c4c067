"""Make a nonogram with one solution."""

from __future__ import annotations

import random
from collections.abc import Sequence

from agent.core.making import TRIES, goals
from agent.errors import NotMadeError
from agent.puzzles.nonogram.deduce import start
from agent.puzzles.nonogram.line import runs
from agent.puzzles.nonogram.puzzle import Nonogram
from agent.puzzles.nonogram.search import rows, rules


def make(width: int, height: int, *, words: Sequence[str] = (), seed: int = 0, density: float = 0.55) -> Nonogram:
    """Make a nonogram: a picture of blots, changed until it is the only one for its clues.

    Raises NotMadeError.

    >>> make(5, 5, seed=3) == make(5, 5, seed=3)
    True
    """
    del words  # it has none
    if not (1 <= width <= 60 and 1 <= height <= 60):
        raise NotMadeError("a nonogram to be made has 1 to 60 cells a side")
    chance = random.Random(seed)
    for _ in range(TRIES):
        picture = blots(width, height, density, chance)
        for _ in range(width * height):
            puzzle = of_picture(picture, name=f"nonogram-{width}x{height}-{seed}")
            begin = start(puzzle)
            found = goals(begin, rules(begin))
            if found is None:
                break
            if len(found) == 1:
                return puzzle
            one, other = (rows(goal) for goal in found)
            differ = [(r, c) for r in range(height) for c in range(width) if one[r][c] != other[r][c]]
            row, column = chance.choice(differ)
            picture[row][column] = not picture[row][column]
    raise NotMadeError(f"no nonogram of {width}x{height} with one solution was found from seed {seed}")


def blots(width: int, height: int, density: float, chance: random.Random) -> list[list[bool]]:
    """Draw random cells and set each once to the majority of its neighbours, so that runs appear."""
    rough = [[chance.random() < density for _ in range(width)] for _ in range(height)]
    return [
        [
            sum(
                rough[r][c]
                for r in range(max(0, row - 1), min(height, row + 2))
                for c in range(max(0, column - 1), min(width, column + 2))
            )
            * 2
            > (min(height, row + 2) - max(0, row - 1)) * (min(width, column + 2) - max(0, column - 1))
            for column in range(width)
        ]
        for row in range(height)
    ]


def of_picture(picture: Sequence[Sequence[int]], *, name: str = "") -> Nonogram:
    """Return the clues of a picture in black (True or 1) and white.

    >>> of_picture([[True, False, True]]).rows
    (((1, 1), (1, 1)),)
    """
    columns = list(zip(*picture, strict=True))
    return Nonogram(tuple(map(runs, picture)), tuple(map(runs, columns)), name)
