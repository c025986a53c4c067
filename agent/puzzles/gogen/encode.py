"""A Gogen in the terms of CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.cpsat import Encoding, bits
from agent.puzzles.gogen.deduce import State

if TYPE_CHECKING:
    from agent.cpsat import CpModel, CpSolver, IntVar


def encode(state: State, model: CpModel) -> Encoding[State]:
    """One literal per letter and cell: each letter one cell, each cell one letter, neighbours beside each other."""
    table = state.table
    chosen = [{cell: model.new_bool_var("") for cell in bits(bitmap)} for bitmap in state.cells]
    for literals in chosen:
        model.add_exactly_one(literals.values())
    for cell in bits(table.full):
        model.add_at_most_one(literals[cell] for literals in chosen if cell in literals)
    for letter, others in enumerate(table.beside):
        for other in others:
            for cell, literal in chosen[letter].items():
                near = [chosen[other][c] for c in bits(table.neighbours[1 << cell]) if c in chosen[other]]
                model.add_bool_or([literal.negated(), *near])

    def ruled_out(goal: State) -> list[IntVar]:
        return [literals[cell.bit_length() - 1] for literals, cell in zip(chosen, goal.cells, strict=True)]

    def read(solver: CpSolver) -> State:
        cells = (
            next(cell for cell, literal in literals.items() if solver.boolean_value(literal)) for literals in chosen
        )
        return State(tuple(1 << cell for cell in cells), table)

    return Encoding(ruled_out, read)
