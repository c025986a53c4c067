"""The Sudoku as a kind of puzzle."""

import random
from collections.abc import Sequence
from operator import attrgetter

from agent.core.bitmaps import bitmap_rules
from agent.core.making import goals
from agent.draw.letters import in_rows, spaced
from agent.errors import NotMadeError
from agent.kind import Kind, Look, Maker
from agent.puzzles.sudoku.check import check_sudoku
from agent.puzzles.sudoku.deduce import State, branches, encode, propagate, rows, start
from agent.puzzles.sudoku.files import Sudoku, parse
from agent.puzzles.sudoku.recognise import BOXES, SIGNS


def make(width: int, height: int, *, words: Sequence[str] = (), seed: int = 0) -> Sudoku:
    """Make a Sudoku: a regular grid is mixed, then digits are taken away, two that face each other at a time."""
    del words  # it has none
    if width != height or width not in BOXES:
        raise NotMadeError(f"a Sudoku to be made has one of {', '.join(map(str, BOXES))} cells a side")
    chance, (wide, high) = random.Random(seed), BOXES[width]
    ys, xs = ([size * a + b for a in chance.sample(range(width // size), width // size)
               for b in chance.sample(range(size), size)] for size in (high, wide))  # fmt: skip
    signs = chance.sample(SIGNS[:width], width)
    cells = [signs[(wide * (y % high) + y // high + x) % width] for y in ys for x in xs]
    for cell in chance.sample(range((len(cells) + 1) // 2), (len(cells) + 1) // 2):
        fewer = ["." if at in (cell, len(cells) - 1 - cell) else sign for at, sign in enumerate(cells)]
        begin = start(Sudoku(in_rows("".join(fewer), width), (wide, high), f"sudoku-{width}x{width}-{seed}"))
        if len(goals(begin, KIND.rules(begin)) or ()) == 1:
            cells, made = fewer, begin.puzzle
    return made


KIND: Kind[Sudoku, State] = Kind(
    name="sudoku",
    title="Sudoku",
    phrase="a Sudoku",
    look=Look("digits", ("Every row, every column and every box holds each digit once.", "The digits given stay.")),
    examples="sudoku",
    parse=parse,
    write=str,
    start=start,
    rules=lambda state: bitmap_rules(propagate, branches, attrgetter("cells"), state.effort),
    rows=rows,
    render=lambda puzzle, filled: spaced(filled, puzzle.box),
    check=lambda puzzle, filled: check_sudoku(puzzle.givens, puzzle.box, filled),
    empty=".",
    signs=lambda puzzle: SIGNS[: puzzle.width],
    own_effort=lambda puzzle: 1000.0 * puzzle.width * puzzle.width,  # cells revised: a second or two
    pace=50_000.0,
    encode=encode,
    describe=lambda puzzle: {"heavy": list(puzzle.box)},
    maker=Maker("digits that leave one way to fill the grid", make, size=(9, 9)),
)
