"""Deduction from the digits of a Sudoku, in steps with their usual names; the search splits the rest by a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter

from agent.core.bitmaps import bits, union
from agent.core.propagate import Effort, OnStep, Step
from agent.cpsat import CpModel, Encoding, choices
from agent.draw.letters import in_rows, place
from agent.puzzles.sudoku.files import Sudoku
from agent.puzzles.sudoku.recognise import SIGNS

Units = dict[str, tuple[int, ...]]
Finding = tuple[str, str, Sequence[int], int]
"""Name and words of a step, the cells that lose digits by it, and these digits."""


@lru_cache(maxsize=16)
def units_of(wide: int, high: int) -> Units:
    """Return the cells of each row, column and box, by name."""
    n = wide * high
    units = {f"row {at + 1}": tuple(range(n * at, n * at + n)) for at in range(n)}
    units |= {f"column {at + 1}": tuple(range(at, n * n, n)) for at in range(n)}
    for at in range(n):
        first = at // high * high * n + at % high * wide
        units[f"box {at + 1}"] = tuple(first + n * y + x for y in range(high) for x in range(wide))
    return units


@dataclass(frozen=True, slots=True)
class State:
    """For each cell the bitmap of digits that it may hold."""

    cells: tuple[int, ...]
    puzzle: Sudoku = field(compare=False, repr=False)
    effort: Effort = field(compare=False, repr=False)


def start(puzzle: Sudoku) -> State:
    """Return the state before any deduction: givens are known, every other cell may hold any digit."""
    cells = ((1 << puzzle.width) - 1 if sign == "." else 1 << SIGNS.index(sign) for sign in "".join(puzzle.givens))
    return State(tuple(cells), puzzle, Effort())


def naked(cells: Sequence[int], units: Units, size: int) -> Iterator[Finding]:
    """Find known cells, and pairs of cells with the same two digits: no other cell of the unit has these."""
    for name, unit in units.items():
        for mine in {cells[at] for at in unit if cells[at].bit_count() == size}:
            same = [at for at in unit if cells[at] == mine][:size]
            rest = [at for at in unit if cells[at] & mine and at not in same]
            if len(same) == size and rest:
                both = " and ".join(place(at, len(unit)) for at in same)
                yield "naked pair" * (size > 1), f"{both} share {digits(mine)}: nowhere else in {name}.", rest, mine


def hidden(cells: Sequence[int], units: Units) -> Iterator[Finding]:
    """Find digits with one cell left in a row, column or box; or none."""
    for name, unit in units.items():
        for bit in (1 << at for at in range(len(unit))):
            spots = [at for at in unit if cells[at] & bit]
            if not spots:
                yield "contradiction", f"In {name}, no cell is left for {digits(bit)}.", (), 0
            elif len(spots) == 1 and cells[spots[0]] != bit:
                yield "hidden single", f"In {name}, {digits(bit)} fits only {place(spots[0], len(unit))}.", spots, ~bit


def locked(cells: Sequence[int], units: Units) -> Iterator[Finding]:
    """Find digits that a box has in one row or column only (pointing), or a row or column in one box (claiming)."""
    for box, line in ((a, b) for a in units for b in units if a.startswith("box") and not b.startswith("box")):
        shared = [at for at in units[box] if at in units[line]]
        for a, b, rule in ((box, line, "pointing"), (line, box, "claiming")) if shared else ():
            mine, rest = (union(cells[at] for at in units[one] if at not in shared) for one in (a, b))
            if gone := union(cells[at] for at in shared) & ~mine & rest:
                text = f"In {a}, {digits(gone)} can only be in {b}: nowhere else in {b}."
                yield rule, text, [at for at in units[b] if cells[at] & gone and at not in shared], gone


def digits(bitmap: int) -> str:
    """Name the digits of a bitmap."""
    return " and ".join(SIGNS[bit] for bit in bits(bitmap))


def propagate(state: State, on_step: OnStep | None = None) -> State | None:
    """Deduce until nothing more follows, always by the simplest step there is; None at a contradiction."""
    cells, units, n = list(state.cells), units_of(*state.puzzle.box), state.puzzle.width

    def tell(rule: str, text: str, *settled: int) -> None:
        if on_step and rule:
            on_step(Step(rule, text[0].upper() + text[1:], tuple((at, digits(cells[at])) for at in settled)))

    while True:
        before = state.effort.units
        for findings in (naked(cells, units, 1), hidden(cells, units), locked(cells, units), naked(cells, units, 2)):
            for rule, text, hit, gone in findings:
                if rule != "hidden single":
                    tell(rule, text)
                if rule == "contradiction":
                    return None
                for at in hit:
                    state.effort.units += 1
                    cells[at] &= ~gone
                    if not cells[at]:
                        tell("contradiction", f"No digit is left for {place(at, n)}.")
                        return None
                    if cells[at].bit_count() == 1:
                        only = f"{place(at, n)} can only be {digits(cells[at])}."
                        tell(*((rule, text) if rule == "hidden single" else ("naked single", only)), at)
            if state.effort.units > before:
                break  # back to the simplest step
        else:
            return replace(state, cells=tuple(cells))


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the digits of a cell that has the fewest left."""
    _, cell = min((mine.bit_count(), cell) for cell, mine in enumerate(state.cells) if mine & (mine - 1))
    for bit in bits(state.cells[cell]):
        cells = (*state.cells[:cell], 1 << bit, *state.cells[cell + 1 :])
        yield f"{place(cell, state.puzzle.width)} = {SIGNS[bit]}", replace(state, cells=cells)


def rows(state: State) -> tuple[str, ...]:
    """Return the rows with every digit that is known, `.` elsewhere."""
    return in_rows("".join("." if mine & (mine - 1) else digits(mine) for mine in state.cells), state.puzzle.width)


def encode(state: State, model: CpModel) -> Encoding[State]:
    """Write a state for CP-SAT: one literal per cell and digit, each digit once in every row, column and box."""
    chosen, encoding = choices(model, state.cells, attrgetter("cells"), lambda cells: replace(state, cells=cells))
    for unit in units_of(*state.puzzle.box).values():
        for digit in range(state.puzzle.width):
            model.add_exactly_one(chosen[cell][digit] for cell in unit if digit in chosen[cell])
    return encoding
