"""Google's CP-SAT as the back-end for what our own search leaves open; needs the extra `ortools`.

A model is built from a state, so that everything deduced so far is already in it. Solutions found before are ruled
out, then CP-SAT is asked for one solution after another; "infeasible" is the proof that there are no more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agent.core.outcome import Budget, Outcome, Termination
from agent.core.propagate import Backend
from agent.puzzles import fillin, gogen, nonogram

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar

S = TypeVar("S", bound=Hashable)
NAME = "cp-sat"
POLL = 0.05
"""Seconds between two looks at whether somebody cancelled."""
FOREVER = 1e9
"""Seconds for CP-SAT where the budget has no limit: it takes no infinity."""


def available() -> bool:
    """Whether the extra is installed; asks without importing it, which takes a good part of a second.

    >>> available() in (True, False)
    True
    """
    return find_spec("ortools") is not None


@dataclass(frozen=True, slots=True)
class Encoding(Generic[S]):
    """A model, and how states and solutions translate.

    `ruled_out(goal)` are the literals that are all true in a goal and not all true in any other solution;
    `read(solver)` is the state of the solution just found.
    """

    model: CpModel
    ruled_out: Callable[[S], Sequence[IntVar]]
    read: Callable[[CpSolver], S]


@dataclass(frozen=True, slots=True)
class CpSat(Generic[S]):
    """A :class:`agent.core.propagate.Backend` for one kind of puzzle; one worker, so that results repeat."""

    encode: Callable[[S], Encoding[S]]
    name: str = NAME

    def __call__(self, state: S, found: Sequence[S], count: int, budget: Budget) -> Outcome[S]:
        """Look for `count` further goals below a state."""
        from ortools.sat.python import cp_model

        started = budget.clock.worked()
        encoding = self.encode(state)
        for goal in found:
            encoding.model.add_bool_or(literal.negated() for literal in encoding.ruled_out(goal))
        goals: list[S] = []
        termination: Termination = "found"
        while len(goals) < count:
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            solver.parameters.catch_sigint_signal = False  # Ctrl-C is Python's here
            solver.parameters.max_time_in_seconds = min(FOREVER, max(0.0, budget.left))
            status = run(solver, encoding.model, budget)
            if status == cp_model.INFEASIBLE:
                termination = "exhausted"
                break
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                termination = "cancelled" if budget.cancelled() else "budget"
                break
            goal = encoding.read(solver)
            goals.append(goal)
            encoding.model.add_bool_or(literal.negated() for literal in encoding.ruled_out(goal))
        seconds = budget.clock.worked() - started
        return Outcome(termination, goals=tuple(goals), seconds=seconds, bound=float("-inf"))


def run(solver: CpSolver, model: CpModel, budget: Budget) -> int:
    """Solve in a thread, so that a cancelled budget and Ctrl-C stop it within :data:`POLL` seconds."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while True:
                try:
                    return int(running.result(timeout=POLL))
                except NotYet:
                    if budget.cancelled():
                        solver.stop_search()
        finally:
            if not running.done():
                solver.stop_search()


def bits(bitmap: int) -> list[int]:
    """List the numbers of the bits that are set.

    >>> bits(0b1010)
    [1, 3]
    """
    return [number for number in range(bitmap.bit_length()) if bitmap >> number & 1]


def encode_fillin(state: fillin.State) -> Encoding[fillin.State]:
    """One literal per slot and word: each slot one word, each word its slots, crossings agree letter by letter."""
    from ortools.sat.python import cp_model

    table, model = state.table, cp_model.CpModel()
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

    def ruled_out(goal: fillin.State) -> list[IntVar]:
        return [literals[word.bit_length() - 1] for literals, word in zip(chosen, goal.words, strict=True)]

    def read(solver: CpSolver) -> fillin.State:
        words = (next(bit for bit, literal in literals.items() if solver.boolean_value(literal)) for literals in chosen)
        return fillin.State(tuple(1 << bit for bit in words), table)

    return Encoding(model, ruled_out, read)


def encode_gogen(state: gogen.State) -> Encoding[gogen.State]:
    """One literal per letter and cell: each letter one cell, each cell one letter, neighbours beside each other."""
    from ortools.sat.python import cp_model

    table, model = state.table, cp_model.CpModel()
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

    def ruled_out(goal: gogen.State) -> list[IntVar]:
        return [literals[cell.bit_length() - 1] for literals, cell in zip(chosen, goal.cells, strict=True)]

    def read(solver: CpSolver) -> gogen.State:
        cells = (
            next(cell for cell, literal in literals.items() if solver.boolean_value(literal)) for literals in chosen
        )
        return gogen.State(tuple(1 << cell for cell in cells), table)

    return Encoding(model, ruled_out, read)


def encode_nonogram(state: nonogram.State) -> Encoding[nonogram.State]:
    """One literal per block and the cell where it begins, in order, and one per cell, filled where covered."""
    from ortools.sat.python import cp_model

    table, model = state.table, cp_model.CpModel()
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
            # where the block ends, with one empty cell after it, the next one may begin
            previous = {cell + block + 1: literal for cell, literal in begins.items()}
        for cell, literals in enumerate(cover):
            if ones >> cell & 1:
                model.add(mine[cell] == 1)
            elif zeros >> cell & 1 or not literals:
                model.add(mine[cell] == 0)
            if literals:
                model.add(sum(literals) == mine[cell])

    def ruled_out(goal: nonogram.State) -> list[IntVar]:
        # all solutions have as many filled cells, so no other has all of these
        return [cells[row][column] for row in range(height) for column in bits(goal.ones[row])]

    def read(solver: CpSolver) -> nonogram.State:
        picture = [[solver.boolean_value(literal) for literal in row] for row in cells]
        lines = [*picture, *zip(*picture, strict=True)]
        ones = tuple(sum(1 << cell for cell, filled in enumerate(line) if filled) for line in lines)
        full = ((1 << width) - 1,) * height + ((1 << height) - 1,) * width
        return nonogram.State(ones, tuple(f & ~o for f, o in zip(full, ones, strict=True)), table)

    return Encoding(model, ruled_out, read)


def in_order(model: CpModel, free_from: dict[int, IntVar], begins: dict[int, IntVar]) -> None:
    """Demand that a block begins no earlier than where the one before leaves room.

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


BACKENDS: Mapping[str, Backend[Any]] = {
    "fillin": CpSat(encode_fillin),
    "gogen": CpSat(encode_gogen),
    "nonogram": CpSat(encode_nonogram),
}
"""The back-end of each kind, by its name."""
