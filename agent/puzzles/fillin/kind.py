"""The fill-in as a kind of puzzle."""

from __future__ import annotations

from agent.draw.letters import spaced
from agent.grid import BLOCK
from agent.kind import Kind, Look, Maker
from agent.puzzles.fillin.check import check_fillin
from agent.puzzles.fillin.deduce import State, start
from agent.puzzles.fillin.encode import encode
from agent.puzzles.fillin.files import EMPTY, FillIn, change_of, parse, write_text
from agent.puzzles.fillin.make import make
from agent.puzzles.fillin.search import WARM_UP, rows, rules

OWN_EFFORT = 500_000.0
"""Slots that our own search revises before CP-SAT, if installed, has its first turn: about a second. Most fill-ins near
the phase transition are done by then."""

PACE = 1_000_000.0
"""Slots revised for each second that CP-SAT gets. Our own search takes two: it is usually the faster one."""


KIND: Kind[FillIn, State] = Kind(
    name="fillin",
    title="Fill-in",
    phrase="a fill-in",
    look=Look(
        cells="letters",
        rules=(
            "Every run of two or more cells, across or down, is a word of the list.",
            "Each word of the list is used as often as it is listed.",
        ),
    ),
    examples="fillin",
    parse=parse,
    write=write_text,
    start=start,
    rules=rules,
    rows=rows,
    render=lambda _, filled: spaced(filled),
    check=lambda puzzle, filled: check_fillin(puzzle.grid, puzzle.words, filled, spare=puzzle.spare),
    empty=EMPTY,
    block=BLOCK,
    fold=lambda puzzle, cell: change_of(puzzle.words)(cell),
    warm_up=WARM_UP,
    own_effort=lambda _: OWN_EFFORT,
    pace=PACE,
    encode=encode,
    describe=lambda puzzle: {"slots": puzzle.slots, "words": list(puzzle.words), "spare": puzzle.spare},
    maker=Maker("a blocked grid and the words that fill it in one way only", make, size=(9, 9), lengths=range(2, 12)),
)
