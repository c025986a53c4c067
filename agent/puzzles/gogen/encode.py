"""A Gogen in the terms of CP-SAT."""

from __future__ import annotations

from agent.core.bitmaps import bits
from agent.cpsat import CpModel, Encoding, choices
from agent.puzzles.gogen.deduce import State
from agent.puzzles.gogen.search import bitmaps


def encode(state: State, model: CpModel) -> Encoding[State]:
    """One literal per letter and cell: each letter one cell, each cell one letter, neighbours next to each other."""
    table = state.table
    chosen, encoding = choices(model, state.cells, bitmaps, lambda cells: State(cells, table))
    for cell in bits(table.full):
        model.add_at_most_one(literals[cell] for literals in chosen if cell in literals)
    for letter, others in enumerate(table.adjacent):
        for other in others:
            for cell, literal in chosen[letter].items():
                near = [chosen[other][c] for c in bits(table.neighbours[1 << cell]) if c in chosen[other]]
                model.add_bool_or([literal.negated(), *near])
    return encoding
