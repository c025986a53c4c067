"""The Gogen as a kind of puzzle."""

from __future__ import annotations

from agent.kind import Kind, Look, Maker, Rows
from agent.puzzles.gogen.check import check_gogen
from agent.puzzles.gogen.deduce import State, start
from agent.puzzles.gogen.encode import encode
from agent.puzzles.gogen.files import EMPTY, Gogen, parse, parse_words, paths, write_text
from agent.puzzles.gogen.make import make
from agent.puzzles.gogen.picture import render
from agent.puzzles.gogen.search import rows, rules

PACE = 50_000.0
"""Letters that our own search revises in a second; CP-SAT, if installed, has its first turn after two."""


def _several(puzzle: Gogen) -> str:
    used = "".join((*puzzle.board, *puzzle.words))
    unused = [letter for letter in puzzle.letters if letter not in used]
    if len(unused) < 2:
        return ""
    return f"{', '.join(unused)} are in no word and not given: they can change places."


def _report(puzzle: Gogen, filled: Rows) -> dict[str, object]:
    return {"paths": {word: [list(cell) for cell in path] for word, path in paths(puzzle, filled).items()}}


KIND: Kind[Gogen, State] = Kind(
    name="gogen",
    title="Gogen",
    phrase="a Gogen",
    look=Look(
        cells="letters",
        rules=(
            "Each letter has one cell. Letters that follow each other in a word are neighbours, also diagonally.",
            "So every word is a path over the board.",
        ),
        traced=True,
    ),
    examples="gogen",
    parse=parse,
    write=write_text,
    start=start,
    rules=rules,
    rows=rows,
    render=render,
    check=lambda puzzle, filled: check_gogen(puzzle.board, puzzle.words, filled, letters=puzzle.letters),
    empty=EMPTY,
    own_effort=lambda _: 2 * PACE,
    pace=PACE,
    encode=encode,
    several=_several,
    report=_report,
    describe=lambda puzzle: {"words": list(puzzle.words), "letters": puzzle.letters},
    parse_words=parse_words,
    maker=Maker(
        "nine given letters, and words that fix where the others go",
        make,
        size=(5, 5),
        lengths=range(3, 8),
        from_lexicon=True,
    ),
)
