"""What follows from the clues of a nonogram: lines swept until nothing changes, then cells probed both ways."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.core.propagate import Effort, OnStep, Step
from agent.draw.letters import place
from agent.puzzles.nonogram import picture
from agent.puzzles.nonogram.files import Nonogram
from agent.puzzles.nonogram.line import Line


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What stays the same for all states of a puzzle: the lines, rows first, then columns."""

    puzzle: Nonogram
    lines: tuple[Line, ...]
    effort: Effort = field(default_factory=Effort)


@dataclass(frozen=True, slots=True)
class State:
    """For each line, rows first, the cells known filled and those known empty, as bitmaps.

    `changed` are the lines to be swept. `branch` is the cell to branch on (row, column, the value to try first),
    known once probing has found nothing more. `depth` is the number of choices made, the g of f = g + h.
    """

    ones: tuple[int, ...]
    zeros: tuple[int, ...]
    table: Table = field(compare=False, repr=False)
    changed: tuple[int, ...] = field(default=(), compare=False, repr=False)
    branch: tuple[int, int, bool] | None = field(default=None, compare=False, repr=False)
    depth: int = field(default=0, compare=False, repr=False)


def start(puzzle: Nonogram) -> State:
    """Return the state before any deduction: nothing is known.

    >>> from agent.puzzles.nonogram.files import parse
    >>> start(parse("1\\n\\n1")).ones
    (0, 0)
    """
    known: dict[tuple[tuple[int, ...], int], Line] = {}
    lines = tuple(
        known.setdefault((clue, size), Line(clue, size))
        for clues, size in ((puzzle.rows, puzzle.width), (puzzle.columns, puzzle.height))
        for clue in clues
    )
    nothing = (0,) * len(lines)
    return State(nothing, nothing, Table(puzzle, lines), changed=tuple(range(len(lines))))


class Work:
    """A state under deduction, changed in place, with a trail of the changes to undo after a probe."""

    __slots__ = ("height", "lines", "ones", "open", "trail", "width", "zeros")

    def __init__(self, state: State) -> None:
        self.lines = state.table.lines
        self.height, self.width = state.table.puzzle.height, state.table.puzzle.width
        self.ones, self.zeros = list(state.ones), list(state.zeros)
        known = sum((a | b).bit_count() for a, b in zip(state.ones, state.zeros, strict=True)) // 2
        self.open = self.height * self.width - known
        self.trail: list[tuple[int, int, int]] = []

    def sweep(self, changed: list[int], on_step: OnStep | None = None) -> int | None:
        """Sweep lines until nothing changes; return the number of a line that no filling fits, or None."""
        ones, zeros, lines = self.ones, self.zeros, self.lines
        waiting = set(changed)
        while changed:
            number = changed.pop()
            waiting.discard(number)
            answer = lines[number].solve(ones[number], zeros[number])
            if answer is None:
                return number
            if answer != (ones[number], zeros[number]):
                if on_step is not None:
                    on_step(self.told(number, answer))
                self.learn(number, answer, changed, waiting)
        return None

    def learn(self, number: int, answer: tuple[int, int], changed: list[int], waiting: set[int]) -> None:
        """Write the cells that a line now determines into it and into the lines that cross it."""
        ones, zeros, trail = self.ones, self.zeros, self.trail
        base, mine = (self.height, 1 << number) if number < self.height else (0, 1 << number - self.height)
        news = ((ones, answer[0] & ~ones[number]), (zeros, answer[1] & ~zeros[number]))
        trail.append((number, ones[number], zeros[number]))
        ones[number], zeros[number] = answer
        for known, new in news:
            self.open -= new.bit_count()
            rest = new
            while rest:
                bit = rest & -rest
                rest ^= bit
                other = base + bit.bit_length() - 1
                trail.append((other, ones[other], zeros[other]))
                known[other] |= mine
                if other not in waiting:
                    waiting.add(other)
                    changed.append(other)

    def assume(self, row: int, column: int, *, filled: bool) -> bool:
        """Set a cell and sweep; return False if a line then has no filling."""
        known = self.ones if filled else self.zeros
        for number, bit in ((row, 1 << column), (self.height + column, 1 << row)):
            self.trail.append((number, self.ones[number], self.zeros[number]))
            known[number] |= bit
        self.open -= 1
        return self.sweep([row, self.height + column]) is None

    def take_back(self, mark: int, still_open: int) -> None:
        """Undo everything since the trail had length `mark` and `still_open` cells were open."""
        trail = self.trail
        while len(trail) > mark:
            number, ones, zeros = trail.pop()
            self.ones[number], self.zeros[number] = ones, zeros
        self.open = still_open

    def known(self, row: int, column: int) -> bool:
        """Return whether a cell is known."""
        return bool((self.ones[row] | self.zeros[row]) >> column & 1)

    def open_cells(self) -> list[tuple[int, int]]:
        """List the open cells, those with the most known neighbours first: their probes settle most."""
        height, width = self.height, self.width
        known = [a | b for a, b in zip(self.ones, self.zeros, strict=True)]
        edge = 1 << width
        found = []
        for row in range(height):
            here = known[row] << 1 | 1 | edge << 1  # a cell beyond the border counts as known
            above = known[row - 1] if row else -1
            below = known[row + 1] if row + 1 < height else -1
            rest = ~known[row] & (edge - 1)
            while rest:
                bit = rest & -rest
                rest ^= bit
                column = bit.bit_length() - 1
                sides = (here >> column & 1) + (here >> column + 2 & 1) + (above >> column & 1) + (below >> column & 1)
                found.append((-sides, row, column))
        found.sort()
        return [(row, column) for _, row, column in found]

    def told(self, number: int, answer: tuple[int, int]) -> Step:
        """Return the cells that a line determines in words."""
        new_ones, new_zeros = answer[0] & ~self.ones[number], answer[1] & ~self.zeros[number]
        parts = [f"{cells_text(new)} {word}" for new, word in ((new_ones, "filled"), (new_zeros, "empty")) if new]
        cells = [
            (self.cell(number, place), sign)
            for new, sign in ((new_ones, picture.FILLED), (new_zeros, picture.BLANK))
            for place in range(self.lines[number].size)
            if new >> place & 1
        ]
        return Step("line", f"{self.line_name(number)}: {', '.join(parts)}.", tuple(cells))

    def cell(self, number: int, place: int) -> int:
        """Return the index of a cell in a line."""
        return number * self.width + place if number < self.height else place * self.width + number - self.height

    def line_name(self, number: int) -> str:
        """Return the name of a line, with its clue."""
        name = f"Row {number + 1}" if number < self.height else f"Column {number - self.height + 1}"
        return f"{name} ({' '.join(map(str, self.lines[number].clue)) or 0})"


def cells_text(cells: int) -> str:
    """Return a bitmap of cells as numbers from 1, runs together.

    >>> cells_text(0b1011100)
    '3-5, 7'
    """
    parts, cell = [], 0
    while cells >> cell:
        if cells >> cell & 1:
            end = cell
            while cells >> end + 1 & 1:
                end += 1
            parts.append(str(cell + 1) if end == cell else f"{cell + 1}-{end + 1}")
            cell = end
        cell += 1
    return ", ".join(parts)


def propagate(state: State, on_step: OnStep | None = None) -> State | None:
    """Sweep lines and probe cells until nothing more follows; None at a contradiction.

    >>> from agent.puzzles.nonogram.files import parse
    >>> propagate(start(parse("2 2\\n\\n1\\n1\\n1")), print) is None
    Row 1 (2 2) needs 5 cells and has 3.
    True
    """
    work = Work(state)
    if on_step and len(state.changed) == len(work.lines) and not possible(work, on_step):
        return None
    stuck = work.sweep(list(state.changed), on_step)
    if stuck is not None:
        if on_step:
            on_step(Step("contradiction", f"{work.line_name(stuck)} cannot be filled any more."))
        return None
    branch: tuple[int, int, bool] | None = None
    if work.open:
        fine, branch = probe(work, state.table.effort, on_step)
        if not fine:
            return None
    return State(tuple(work.ones), tuple(work.zeros), state.table, branch=branch, depth=state.depth)


def possible(work: Work, on_step: OnStep) -> bool:
    """Check for contradictions among the clues: a line that is too short, sums that differ."""
    sums = [0, 0]
    for number, line in enumerate(work.lines):
        sums[number >= work.height] += sum(line.clue)
        needed = sum(line.clue) + max(0, len(line.clue) - 1)
        if needed > line.size:
            on_step(Step("contradiction", f"{work.line_name(number)} needs {needed} cells and has {line.size}."))
            return False
    if sums[0] != sums[1]:
        text = f"The row clues have {sums[0]} filled cells, the column clues {sums[1]}."
        on_step(Step("contradiction", text))
        return False
    return True


def probe(work: Work, effort: Effort, on_step: OnStep | None) -> tuple[bool, tuple[int, int, bool] | None]:
    """Try each open cell both ways until a whole round settles nothing new.

    Return (False, None) at a contradiction, else True and the cell to branch on, None if no cell is open. A
    probe that completes the picture ends it at once: its cell is the one to branch on. So does a budget that is over.
    """
    while True:
        news = False
        told: dict[tuple[int, int], tuple[int, bool]] = {}
        for row, column in work.open_cells():
            if work.known(row, column):
                continue
            if effort.over():
                return True, (row, column, True)
            effort.units += 1
            mark, still_open = len(work.trail), work.open
            after: list[tuple[bool, int, list[int], list[int]]] = []
            for filled in (True, False):
                fine = work.assume(row, column, filled=filled)
                after.append((fine, work.open, work.ones[: work.height], work.zeros[: work.height]))
                work.take_back(mark, still_open)
            (can_fill, open_filled, ones_filled, zeros_filled), (can_empty, open_empty, ones_empty, zeros_empty) = after
            if not (can_fill and can_empty):
                if on_step:
                    tell_probe(on_step, row * work.width + column, work.width, can_fill=can_fill, can_empty=can_empty)
                if not (can_fill or can_empty) or not settle_cell(work, row, column, can_fill, on_step):
                    return False, None
                news = True
            elif not (open_filled and open_empty):
                return True, (row, column, not open_filled)
            else:
                changed: list[int] = []
                waiting: set[int] = set()
                for number in range(work.height):
                    answer = (ones_filled[number] & ones_empty[number], zeros_filled[number] & zeros_empty[number])
                    if answer != (work.ones[number], work.zeros[number]):
                        if on_step:
                            step = work.told(number, answer)
                            cell = place(row * work.width + column, work.width)
                            text = f"Whether {cell} is filled or empty: {step.text}"
                            on_step(Step("both ways", text, step.cells))
                        work.learn(number, answer, changed, waiting)
                if changed:
                    news = True
                    if work.sweep(changed, on_step) is not None:
                        return False, None
                else:
                    gains = (still_open - open_filled, still_open - open_empty)
                    told[row, column] = (min(gains) * work.height * work.width + max(gains), gains[0] >= gains[1])
            if not work.open:
                return True, None
        if not news:
            return True, choose(work, told)


def settle_cell(work: Work, row: int, column: int, filled: bool, on_step: OnStep | None) -> bool:
    """Write a cell that a probe has decided; return False at a contradiction."""
    known = work.ones if filled else work.zeros
    known[row] |= 1 << column
    known[work.height + column] |= 1 << row
    work.open -= 1
    stuck = work.sweep([row, work.height + column], on_step)
    if stuck is not None and on_step:
        on_step(Step("contradiction", f"{work.line_name(stuck)} cannot be filled any more."))
    return stuck is None


def tell_probe(on_step: OnStep, index: int, width: int, *, can_fill: bool, can_empty: bool) -> None:
    """Record the decision of a probe of a cell, by its index, as a step."""
    cell = place(index, width)
    if can_fill == can_empty:
        on_step(Step("contradiction", f"{cell.capitalize()} can be neither filled nor empty."))
    elif can_fill:
        text = f"If {cell} were empty, some line could not be filled: it is filled."
        on_step(Step("probe", text, ((index, picture.FILLED),)))
    else:
        text = f"If {cell} were filled, some line could not be filled: it is empty."
        on_step(Step("probe", text, ((index, picture.BLANK),)))


def choose(work: Work, told: dict[tuple[int, int], tuple[int, bool]]) -> tuple[int, int, bool]:
    """Pick the cell to branch on: in the line with the fewest fillings, the one whose probe settled most."""
    crossing: dict[int, list[tuple[int, int]]] = {}
    for row, column in told:
        crossing.setdefault(row, []).append((row, column))
        crossing.setdefault(work.height + column, []).append((row, column))
    line = min(crossing, key=lambda number: work.lines[number].count(work.ones[number], work.zeros[number]))
    row, column = max(crossing[line], key=lambda cell: told[cell][0])
    return row, column, told[row, column][1]
