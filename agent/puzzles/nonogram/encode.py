"""A nonogram in the terms of CP-SAT."""

from __future__ import annotations

from agent.core.bitmaps import bits
from agent.cpsat import CpModel, CpSolver, Encoding, IntVar
from agent.puzzles.nonogram.deduce import State


def encode(state: State, model: CpModel) -> Encoding[State]:
    """One literal per block and the cell where it begins, in order, and one per cell and colour."""
    table = state.table
    puzzle = table.puzzle
    height, width, colours = puzzle.height, puzzle.width, range(len(puzzle.colours))
    cells = [[[model.new_bool_var("") for _ in colours] for _ in range(width)] for _ in range(height)]
    for across in cells:
        for cell in across:
            model.add_exactly_one(cell)
    for number, line in enumerate(table.lines):
        mine = cells[number] if number < height else [row[number - height] for row in cells]
        cover: list[list[list[IntVar]]] = [[[] for _ in colours] for _ in mine]
        previous: dict[int, IntVar] = {}
        placed = line.place(state.out[number])
        if placed is None:
            model.add_bool_or([])
            continue
        for (length, colour), (_, _, gap), there in zip(line.clue, line.blocks, placed[1][::-1], strict=True):
            begins = {cell: model.new_bool_var("") for cell in bits(there)}
            model.add_exactly_one(begins.values())
            for begin, literal in begins.items():
                for covered in range(begin, begin + length):
                    cover[covered][colour].append(literal)
            in_order(model, previous, begins)
            # the next block may begin after the end of this one, and a blank cell if they have one colour
            previous = {begin + length + gap: literal for begin, literal in begins.items()}
        for at, by_colour in enumerate(cover):
            for colour in colours:
                if colour:
                    model.add(sum(by_colour[colour]) == mine[at][colour])
                if state.out[number] >> colour * line.size + at & 1:
                    model.add(mine[at][colour] == 0)

    def ruled_out(goal: State) -> list[IntVar]:
        # all solutions have as many cells of each colour, so no other has all of these
        return [
            cells[row][column][colour]
            for row, line in enumerate(table.lines[:height])
            for colour, there in enumerate(line.planes(goal.out[row]))
            if colour
            for column in bits(there)
        ]

    def read(solver: CpSolver) -> State:
        picture = [[[solver.boolean_value(literal) for literal in cell] for cell in row] for row in cells]
        lines = [*picture, *zip(*picture, strict=True)]
        out = tuple(
            sum(
                1 << colour * len(line) + at
                for at, cell in enumerate(line)
                for colour, has in enumerate(cell)
                if not has
            )
            for line in lines
        )
        return State(out, table)

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
