"""The nonogram as a kind of puzzle."""

from __future__ import annotations

from agent.kind import Kind, Look, Maker, Rows
from agent.puzzles.nonogram.check import check_nonogram
from agent.puzzles.nonogram.colours import BLANK, FILLED, UNKNOWN
from agent.puzzles.nonogram.deduce import State, start
from agent.puzzles.nonogram.encode import encode
from agent.puzzles.nonogram.files import parse, write_lines
from agent.puzzles.nonogram.make import make
from agent.puzzles.nonogram.picture import drawn, png
from agent.puzzles.nonogram.puzzle import Clue, Nonogram
from agent.puzzles.nonogram.search import PACE, own_effort, rows, rules


def _describe(puzzle: Nonogram) -> dict[str, object]:
    rows, columns = ([puzzle.words(clue) for clue in side] for side in (puzzle.rows, puzzle.columns))
    colours = [{"sign": one.sign, "name": one.name, "rgb": one.rgb} for one in puzzle.colours[1:]]
    return {"sides": {"rows": rows, "columns": columns}, "heavy": [5, 5], "colours": colours}


def _check(puzzle: Nonogram, filled: Rows) -> tuple[str, ...]:
    def signed(side: tuple[Clue, ...]) -> list[list[tuple[int, str]]]:
        return [[(length, puzzle.signs[colour]) for length, colour in clue] for clue in side]

    return check_nonogram(signed(puzzle.rows), signed(puzzle.columns), filled)


KIND: Kind[Nonogram, State] = Kind(
    name="nonogram",
    title="Nonogram",
    phrase="a nonogram",
    look=Look(
        cells="switches",
        rules=(
            "The numbers next to a row and above a column are the lengths of its runs of filled cells, in order.",
            "Between two runs of one colour at least one cell is left blank.",
        ),
        said={FILLED: "filled", BLANK: "blank"},
    ),
    examples="nonograms",
    parse=parse,
    write=write_lines,
    start=start,
    rules=rules,
    rows=rows,
    render=drawn,
    check=_check,
    empty=UNKNOWN,
    fold=lambda _, cell: cell,
    signs=lambda puzzle: puzzle.signs + UNKNOWN,
    own_effort=own_effort,
    pace=PACE,
    encode=encode,
    describe=_describe,
    exports={".png": png},
    maker=Maker("row and column clues with one picture", make, size=(15, 15)),
)
