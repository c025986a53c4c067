"""Make a fill-in with one solution, and fill patterns with words."""

from __future__ import annotations

import random
from collections.abc import Sequence

from agent.core.making import SEARCH, TRIES, goals
from agent.errors import NotMadeError
from agent.puzzles.fillin.deduce import start
from agent.puzzles.fillin.files import FillIn
from agent.puzzles.fillin.search import WARM_UP, rows, rules
from agent.text import FREQUENT

WORD_BLOCKS = 0.16
"""Share of blocks added if real words fill the pattern: with more crossings no list would suffice."""
SAMPLE = 8000
"""Words used of a longer list: quicker than 20,000, while 4,000 seldom fill a grid."""


def make(width: int, height: int, *, words: Sequence[str] = (), seed: int = 0, blocks: float = 0.22) -> FillIn:
    """Make a fill-in: a symmetric pattern filled with some of the words, or with random letters if there are none.

    Letters are given if uniqueness needs them. Raises NotMadeError.

    >>> puzzle = make(5, 5, seed=2)
    >>> len(puzzle.words) == len(puzzle.slots)
    True
    """
    if not (2 <= width <= 40 and 2 <= height <= 40):
        raise NotMadeError("a fill-in to be made has 2 to 40 cells a side")
    chance = random.Random(seed)
    listed = sorted({word.lower() for word in words if word.isalnum() and len(word) > 1})
    for _ in range(TRIES):
        pattern = symmetric(width, height, blocks if not listed else blocks + WORD_BLOCKS, chance)
        slots = FillIn(pattern, ("xx",)).slots
        if len(slots) < 2:
            continue
        filled = write_words(pattern, listed, chance) if listed else write_letters(pattern, chance)
        if filled is None:
            continue
        flat = "".join(filled)
        used = tuple(sorted("".join(flat[cell] for cell in slot.cells) for slot in slots))
        given = list("".join(pattern))
        for _ in range(width * height):
            grid = tuple("".join(given[k : k + width]) for k in range(0, len(given), width))
            puzzle = FillIn(grid, used, f"fillin-{width}x{height}-{seed}")
            begin = start(puzzle)
            found = goals(begin, rules(begin), warm_up=WARM_UP)
            if found is None:
                break
            if len(found) == 1:
                return puzzle
            one, other = ("".join(rows(goal)) for goal in found)
            differ = [cell for cell in range(len(given)) if one[cell] != other[cell] and given[cell] == "_"]
            if not differ:
                break
            cell = chance.choice(differ)
            given[cell] = flat[cell]
    raise NotMadeError(f"no fill-in of {width}x{height} with one solution was found from seed {seed}")


def symmetric(width: int, height: int, blocks: float, chance: random.Random) -> tuple[str, ...]:
    """Draw a pattern that looks the same upside down, without cells that belong to no word."""
    grid = [["_"] * width for _ in range(height)]
    for _ in range(int(width * height * blocks / 2)):
        row, column = chance.randrange(height), chance.randrange(width)
        grid[row][column] = grid[height - 1 - row][width - 1 - column] = "#"
    for row in range(height):
        for column in range(width):
            around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if all(not (0 <= r < height and 0 <= c < width) or grid[r][c] == "#" for r, c in around):
                grid[row][column] = "#"
    return tuple("".join(row) for row in grid)


def write_letters(pattern: tuple[str, ...], chance: random.Random) -> tuple[str, ...]:
    """Fill a pattern with random letters, more kinds of them for larger grids."""
    letters = FREQUENT[: max(6, min(20, len(pattern) + 2))].lower()
    return tuple("".join(sign if sign == "#" else chance.choice(letters) for sign in row) for row in pattern)


def write_words(
    pattern: tuple[str, ...], words: Sequence[str], chance: random.Random, *, expansions: int = SEARCH
) -> tuple[str, ...] | None:
    """Fill a pattern with words of a list, no word twice; None if no filling was found."""
    mixed = chance.sample(words, min(SAMPLE, len(words)))
    begin = start(FillIn(pattern, tuple(mixed), spare=True))
    found = goals(begin, rules(begin), count=1, warm_up=WARM_UP, expansions=expansions)
    return rows(found[0]) if found else None
