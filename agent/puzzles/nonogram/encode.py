"""A nonogram in the terms of CP-SAT."""

from __future__ import annotations

from agent.core.bitmaps import bits
from agent.cpsat import CpModel, CpSolver, Encoding, IntVar
from agent.puzzles.nonogram.deduce import State


def encode(state: State, model: CpModel) -> Encoding[State]:
    """One literal per block and the cell where it begins, in order, and one per cell, filled if covered."""
    table = state.table
    height, width = table.puzzle.height, table.puzzle.width
    cells = [[model.new_bool_var("") for _ in range(width)] for _ in range(height)]
    for number, line in enumerate(table.lines):
        ones, zeros = state.ones[number], state.zeros[number]
        mine = cells[number] if number < height else [row[number - height] for row in cells]
        cover: list[list[IntVar]] = [[] for _ in mine]
        previous: dict[int, IntVar] = {}
        for block, starts in zip(line.clue, line.starts(ones, zeros), strict=True):
            begins = {cell: model.new_bool_var("") for cell in starts}
            model.add_exactly_one(begins.values())
            for cell, literal in begins.items():
                for covered in range(cell, cell + block):
                    cover[covered].append(literal)
            in_order(model, previous, begins)
            # the next block may begin after the end of this one and an empty cell
            previous = {cell + block + 1: literal for cell, literal in begins.items()}
        for cell, literals in enumerate(cover):
            if ones >> cell & 1:
                model.add(mine[cell] == 1)
            elif zeros >> cell & 1 or not literals:
                model.add(mine[cell] == 0)
            if literals:
                model.add(sum(literals) == mine[cell])

    def ruled_out(goal: State) -> list[IntVar]:
        # all solutions have as many filled cells, so no other has all of these
        return [cells[row][column] for row in range(height) for column in bits(goal.ones[row])]

    def read(solver: CpSolver) -> State:
        picture = [[solver.boolean_value(literal) for literal in row] for row in cells]
        lines = [*picture, *zip(*picture, strict=True)]
        ones = tuple(sum(1 << cell for cell, filled in enumerate(line) if filled) for line in lines)
        full = ((1 << width) - 1,) * height + ((1 << height) - 1,) * width
        return State(ones, tuple(f & ~o for f, o in zip(full, ones, strict=True)), table)

    return Encoding(ruled_out, read)


def in_order(model: CpModel, free_from: dict[int, IntVar], begins: dict[int, IntVar]) -> None:
    """Demand that a block begins after the one before and the gap.

    `free_from` maps the first cell after the earlier block and its gap to the literal of its position; `begins` the
    cell where the block begins to its literal. A chain of literals "begins at or before this cell" keeps it linear.
    """
    if not free_from:
        return
    early: IntVar | None = None
    waiting = sorted(free_from.items(), reverse=True)
    for cell, literal in sorted(begins.items()):
        now = model.new_bool_var("")  # the block begins at this cell or before
        model.add_implication(literal, now)
        if early is not None:
            model.add_implication(early, now)
        early = now
        for free, earlier in waiting:
            if free > cell:
                model.add_implication(earlier, now.negated())
            else:
                break
