"""A fill-in in the terms of CP-SAT."""

from __future__ import annotations

from operator import attrgetter

from agent.cpsat import CpModel, Encoding, IntVar, choices
from agent.puzzles.fillin.deduce import State


def encode(state: State, model: CpModel) -> Encoding[State]:
    """One literal per slot and word: each slot one word, each word its slots, crossings agree letter by letter."""
    table = state.table
    chosen, encoding = choices(model, state.words, attrgetter("words"), lambda words: State(words, table))
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
    return encoding
