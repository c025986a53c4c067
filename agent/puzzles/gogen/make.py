"""Make a Gogen with one solution."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from agent.core.making import TRIES, goals
from agent.errors import NotMadeError
from agent.puzzles.gogen.deduce import shape_neighbours, start
from agent.puzzles.gogen.files import EMPTY, Gogen, build
from agent.puzzles.gogen.search import rules
from agent.text import FREQUENT

GIVEN_CELLS = (0, 2, 4, 10, 12, 14, 20, 22, 24)
"""Cells in which newspapers print the nine letters of a 5x5 Gogen: here the rarest nine of A-Y."""


def make(width: int = 5, height: int = 5, *, words: Sequence[str] = (), seed: int = 0) -> Gogen:
    """Make a 5x5 Gogen with nine givens, from those of the words that a random board holds.

    Rare letters are given. If the words do not settle the board (or there are none), random paths are added,
    rows of letters that are not words. Raises NotMadeError.

    >>> len(make(seed=1).board)
    5
    """
    if (width, height) != (5, 5):
        raise NotMadeError("a Gogen to be made has 5 cells a side")
    chance = random.Random(seed)
    listed = sorted({word.upper() for word in words})
    usable = [word for word in listed if 3 <= len(word) <= 9 and word.isascii() and word.isalpha() and "Z" not in word]
    usable = [word for word in usable if all(a != b for a, b in pairwise(word))]
    letters = [letter for letter in FREQUENT if letter != "Z"]
    near = shape_neighbours(5, 5)
    for _ in range(TRIES):
        board = [""] * 25
        rare, common = letters[16:], letters[:16]
        chance.shuffle(rare)
        chance.shuffle(common)
        for cell in range(25):
            board[cell] = rare.pop() if cell in GIVEN_CELLS else common.pop()
        where = {letter: cell for cell, letter in enumerate(board)}
        fits = [word for word in usable if all(near[1 << where[a]] >> where[b] & 1 for a, b in pairwise(word))]
        chance.shuffle(fits)
        fits.sort(key=len, reverse=True)
        fits += [walk(board, chance) for _ in range(40)]
        board_rows = tuple(
            "".join(board[5 * r + c] if 5 * r + c in GIVEN_CELLS else EMPTY for c in range(5)) for r in range(5)
        )
        chosen = enough(board_rows, fits)
        if chosen:
            return build(board_rows, tuple(sorted(chosen)), letters="".join(letters), name=f"gogen-{seed}")
    raise NotMadeError(f"no Gogen with one solution was found from seed {seed}")


def walk(board: Sequence[str], chance: random.Random) -> str:
    """Return the letters along a random path of four to seven king's moves without a cell twice."""
    near = shape_neighbours(5, 5)
    path = [chance.randrange(25)]
    for _ in range(chance.randrange(4, 8)):
        free = [cell for cell in range(25) if near[1 << path[-1]] >> cell & 1 and cell not in path]
        if not free:
            break
        path.append(chance.choice(free))
    return "".join(board[cell] for cell in path)


def enough(rows: tuple[str, ...], fits: Sequence[str]) -> list[str]:
    """Choose words, those with new neighbours first, until the board is settled; then drop needless ones."""
    chosen: list[str] = []
    known: set[tuple[str, str]] = set()
    for word in fits:
        links = {(min(a, b), max(a, b)) for a, b in pairwise(word)}
        if len(links - known) >= 2:
            known |= links
            chosen.append(word)
            if len(chosen) >= 5 and settled(rows, chosen):
                break
    else:
        return []
    for word in sorted(chosen, key=len):
        fewer = [other for other in chosen if other != word]
        if fewer and settled(rows, fewer):
            chosen = fewer
    return chosen


def settled(rows: tuple[str, ...], words: Sequence[str]) -> bool:
    """Return whether the words leave one way to fill the board."""
    begin = start(build(rows, tuple(words)))
    found = goals(begin, rules(begin))
    return found is not None and len(found) == 1
