"""A fill-in in the terms of CP-SAT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.cpsat import Encoding, bits
from agent.puzzles.fillin.deduce import State

if TYPE_CHECKING:
    from agent.cpsat import CpModel, CpSolver, IntVar


def encode(state: State, model: CpModel) -> Encoding[State]:
    """One literal per slot and word: each slot one word, each word its slots, crossings agree letter by letter."""
    table = state.table
    chosen = [{bit: model.new_bool_var("") for bit in bits(bitmap)} for bitmap in state.words]
    for literals in chosen:
        model.add_exactly_one(literals.values())
    for length, group in table.groups.items():
        copies = dict(table.copies.get(length, ()))
        for bit in range(len(table.words[length])):
            able = [chosen[slot][bit] for slot in group if bit in chosen[slot]]
            often = copies.get(1 << bit, 1)
            if table.puzzle.spare:
                model.add_at_most_one(able)
            elif often == 1:
                model.add_exactly_one(able)
            else:
                model.add(sum(able) == often)
    through: dict[int, list[tuple[int, int]]] = {}
    for slot, crossed in enumerate(table.slots):
        for position, cell in enumerate(crossed.cells):
            through.setdefault(cell, []).append((slot, position))
    for crossing in through.values():
        if len(crossing) < 2:
            continue
        letters: dict[str, list[list[IntVar]]] = {}
        for side, (slot, position) in enumerate(crossing):
            words = table.words[len(table.slots[slot])]
            for bit, literal in chosen[slot].items():
                letters.setdefault(words[bit][position], [[], []])[side].append(literal)
        for mine, theirs in letters.values():
            model.add(sum(mine) == sum(theirs))

    def ruled_out(goal: State) -> list[IntVar]:
        return [literals[word.bit_length() - 1] for literals, word in zip(chosen, goal.words, strict=True)]

    def read(solver: CpSolver) -> State:
        words = (next(bit for bit, literal in literals.items() if solver.boolean_value(literal)) for literals in chosen)
        return State(tuple(1 << bit for bit in words), table)

    return Encoding(ruled_out, read)
