"""The nonogram as a kind of puzzle."""

from __future__ import annotations

from agent.kind import Kind, Look, Maker
from agent.puzzles.nonogram.check import check_nonogram
from agent.puzzles.nonogram.deduce import State, start
from agent.puzzles.nonogram.encode import encode
from agent.puzzles.nonogram.files import Nonogram, parse, write_lines
from agent.puzzles.nonogram.make import make
from agent.puzzles.nonogram.picture import BLANK, FILLED, UNKNOWN, half_blocks, png
from agent.puzzles.nonogram.search import own_effort, rows, rules


def _describe(puzzle: Nonogram) -> dict[str, object]:
    rows, columns = ([list(clue) for clue in side] for side in (puzzle.rows, puzzle.columns))
    return {"sides": {"rows": rows, "columns": columns}, "heavy": [5, 5]}


KIND: Kind[Nonogram, State] = Kind(
    name="nonogram",
    title="Nonogram",
    phrase="a nonogram",
    look=Look(
        cells="switches",
        rules=(
            "The numbers next to a row and above a column are the lengths of its runs of filled cells, in order.",
            "Between two runs at least one cell is left blank.",
        ),
        said={FILLED: "filled", BLANK: "blank"},
    ),
    examples="nonograms",
    parse=parse,
    write=write_lines,
    start=start,
    rules=rules,
    rows=rows,
    render=lambda _, filled: half_blocks(filled),
    check=lambda puzzle, filled: check_nonogram(puzzle.rows, puzzle.columns, filled),
    empty=UNKNOWN,
    signs=lambda _: FILLED + BLANK + UNKNOWN,
    own_effort=own_effort,
    encode=encode,
    describe=_describe,
    exports={".png": png},
    maker=Maker("row and column clues with one picture", make, size=(15, 15)),
)
