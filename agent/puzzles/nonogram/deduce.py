"""What follows from the clues of a nonogram: lines swept until nothing changes, then cells tried in each colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from operator import and_, itemgetter

from agent.core.bitmaps import bits
from agent.core.propagate import Effort, OnStep, Step
from agent.draw.letters import place
from agent.puzzles.nonogram.line import Line
from agent.puzzles.nonogram.puzzle import Nonogram


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What stays the same for all states of a puzzle: the lines, rows first, then columns.

    `columns` are, for each bit of a row, the line that crosses it there and the colour's place in that line; `rows`
    those for a bit of a column.
    """

    puzzle: Nonogram
    lines: tuple[Line, ...]
    rows: tuple[tuple[int, int], ...]
    columns: tuple[tuple[int, int], ...]
    effort: Effort = field(default_factory=Effort)


Settled = dict[tuple[int, int], tuple[int, int, tuple[int, ...]]]
"""Cells (row, column) whose probes rule out nothing: the lines that these looked at, as bits; how much they settled;
the cell's colours, the one that settled most first."""

Probed = tuple[Sequence[int], Settled]
"""What was ruled out when cells were probed, and those that were settled then."""


@dataclass(frozen=True, slots=True)
class State:
    """For each line, rows first, what is ruled out in it (see :mod:`agent.puzzles.nonogram.line`).

    `changed` are the lines to be swept. `branch` is the cell to branch on and its colours in the order to try
    (row, column, colours), known once probing has found nothing more. `depth` is the number of choices made.
    `probed` is what is known of probes from the state before.
    """

    out: tuple[int, ...]
    table: Table = field(compare=False, repr=False)
    changed: tuple[int, ...] = field(default=(), compare=False, repr=False)
    branch: tuple[int, int, tuple[int, ...]] | None = field(default=None, compare=False, repr=False)
    depth: int = field(default=0, compare=False, repr=False)
    probed: Probed = field(default=((), {}), compare=False, repr=False)


def start(puzzle: Nonogram) -> State:
    """Return the state before any deduction: nothing is ruled out.

    >>> from agent.puzzles.nonogram.files import parse
    >>> start(parse("1\\n\\n1")).out
    (0, 0)
    """
    known: dict[tuple[object, int], Line] = {}
    lines = tuple(
        known.setdefault((clue, size), Line(clue, size, len(puzzle.colours)))
        for clues, size in ((puzzle.rows, puzzle.width), (puzzle.columns, puzzle.height))
        for clue in clues
    )
    width, height = puzzle.width, puzzle.height
    colours = range(len(puzzle.colours))
    rows = tuple((row, colour * width) for colour in colours for row in range(height))
    columns = tuple((height + column, colour * height) for colour in colours for column in range(width))
    return State((0,) * len(lines), Table(puzzle, lines, rows, columns), changed=tuple(range(len(lines))))


def still_open(state: State) -> int:
    """Count the colours that cells may have besides one each: 0 if every cell is known.

    >>> from agent.puzzles.nonogram.files import parse
    >>> still_open(start(parse("1\\n\\n1\\n0")))
    2
    """
    puzzle = state.table.puzzle
    spare = puzzle.width * puzzle.height * (len(puzzle.colours) - 1)
    return spare - sum(out.bit_count() for out in state.out[: puzzle.height])


class Work:
    """A state under deduction, changed in place. `seen` are the lines that the last sweep looked at, as bits."""

    __slots__ = ("colours", "columns", "height", "lines", "open", "out", "puzzle", "rows", "seen", "width")

    def __init__(self, state: State) -> None:
        table = state.table
        self.puzzle, self.lines, self.rows, self.columns = table.puzzle, table.lines, table.rows, table.columns
        self.height, self.width = self.puzzle.height, self.puzzle.width
        self.colours = range(len(self.puzzle.colours))
        self.out = list(state.out)
        self.open = still_open(state)
        self.seen = 0

    def sweep(self, changed: Iterable[int], on_step: OnStep | None = None) -> int | None:
        """Sweep lines until nothing changes; return the number of a line that no filling fits, or None.

        This is where the time goes: a line whose answer is remembered costs no call.
        """
        out, lines, height, rows, columns = self.out, self.lines, self.height, self.rows, self.columns
        queue = list(changed)  # lines are put to its end while it is gone through
        waiting = sum([1 << number for number in queue])
        seen, stuck = waiting, None
        for number in queue:
            waiting ^= 1 << number
            before = out[number]
            after, new = lines[number].solved.get(before) or lines[number].solve(before)
            if new:
                if on_step is not None:
                    self.tell(number, after, on_step)
                out[number] = after
                self.open -= len(new)
                crossing, mine = (columns, number) if number < height else (rows, number - height)
                for bit in new:
                    other, shift = crossing[bit]
                    out[other] |= 1 << shift + mine
                    if not waiting >> other & 1:
                        waiting |= 1 << other
                        queue.append(other)
                seen |= waiting
            elif after < 0:
                stuck = number
                break
        self.seen = seen
        return stuck

    def assume(self, row: int, column: int, colour: int) -> bool:
        """Give a cell a colour and sweep; return False if a line then has no filling."""
        self.set(row, column, colour)
        return self.sweep((row, self.height + column)) is None

    def set(self, row: int, column: int, colour: int) -> None:
        """Give a cell a colour."""
        before = self.out[row]
        for number, size, cell in ((row, self.width, column), (self.height + column, self.height, row)):
            for other in self.colours:
                if other != colour:
                    self.out[number] |= 1 << other * size + cell
        self.open -= (self.out[row] ^ before).bit_count()

    def exclude(self, row: int, column: int, colours: Iterable[int], on_step: OnStep | None) -> int | None:
        """Rule colours out for a cell and sweep; return a line that then has no filling, or None."""
        for colour in colours:
            self.out[row] |= 1 << colour * self.width + column
            self.out[self.height + column] |= 1 << colour * self.height + row
            self.open -= 1
        stuck = self.sweep((row, self.height + column), on_step)
        if stuck is not None and on_step:
            on_step(Step("contradiction", f"{self.line_name(stuck)} cannot be filled any more."))
        return stuck

    def possible(self, row: int, column: int) -> list[int]:
        """List the colours that a cell may have."""
        return [colour for colour in self.colours if not self.out[row] >> colour * self.width + column & 1]

    def known(self, number: int, out: int) -> int:
        """Return the cells of a line that have one colour left if `out` is ruled out."""
        once = twice = 0
        for there in self.lines[number].planes(out):
            twice |= once & there
            once |= there
        return once & ~twice

    def open_cells(self) -> list[tuple[int, int]]:
        """List the open cells next to a known one or to the border, those with the most such neighbours first.

        Their probes settle most; there is one wherever a cell is open.
        """
        height, edge = self.height, 1 << self.width + 1
        # a cell beyond the border counts as known, so that cell c of a row is bit c + 1
        beyond = 2 * edge - 1
        rows = [beyond, *(self.known(row, self.out[row]) << 1 | 1 | edge for row in range(height)), beyond]
        by_sides: list[list[tuple[int, int]]] = [[], [], [], []]
        for row in range(height):
            above, here, below = rows[row : row + 3]
            # the known ones of four sides, counted for all cells of the row at once: two sums of two bits, added
            one, both = above ^ below, above & below
            left, right = here << 1, here >> 1
            other, others = left ^ right, left & right
            odd, pair = one ^ other, both ^ others ^ one & other
            free = ~here & beyond
            for found, cells in zip(by_sides, (both & others, pair & odd, pair & ~odd, odd & ~pair), strict=True):
                found += [(row, cell - 1) for cell in bits(cells & free)]
        return [cell for found in by_sides for cell in found]

    def tell(self, number: int, answer: int, on_step: OnStep, before: str = "") -> None:
        """Record the cells that a line determines as a step, if there are any."""
        new = self.known(number, answer) & ~self.known(number, self.out[number])
        if not new:
            return
        parts, cells = [], []
        for colour, there in enumerate(self.lines[number].planes(answer)):
            if there & new:
                parts.append(f"{cells_text(there & new)} {self.word(colour)}")
                sign = self.puzzle.colours[colour].sign
                cells += [(self.cell(number, at), sign) for at in bits(there & new)]
        name = self.line_name(number)
        on_step(Step("both ways" if before else "line", f"{before}{name}: {', '.join(parts)}.", tuple(cells)))

    def word(self, colour: int) -> str:
        """Return a colour in words."""
        if not colour:
            return "empty"
        return "filled" if len(self.colours) == 2 else self.puzzle.colours[colour].name

    def cell(self, number: int, at: int) -> int:
        """Return the index of a cell in a line."""
        return number * self.width + at if number < self.height else at * self.width + number - self.height

    def line_name(self, number: int) -> str:
        """Return a line in words, with its clue."""
        is_row = number < self.height
        clue = " ".join(self.puzzle.words(self.lines[number].clue)) or "0"
        return f"{'Row' if is_row else 'Column'} {number + 1 if is_row else number - self.height + 1} ({clue})"


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
    """Sweep lines and probe cells until nothing more follows, below a choice until little does; None if none is left.

    >>> from agent.puzzles.nonogram.files import parse
    >>> propagate(start(parse("2 2\\n\\n1\\n1\\n1")), print) is None
    Row 1 (2 2) needs 5 cells and has 3.
    True
    """
    work = Work(state)
    at_start = len(state.changed) == len(work.lines)  # no search is yet
    if at_start and (contradiction := next(contradictions(work), None)):
        if on_step:
            on_step(Step("contradiction", contradiction))
        return None
    stuck = work.sweep(state.changed, on_step)
    if stuck is not None:
        if on_step:
            on_step(Step("contradiction", f"{work.line_name(stuck)} cannot be filled any more."))
        return None
    branch: tuple[int, int, tuple[int, ...]] | None = None
    settled: Settled = {}
    if work.open:
        settled = dict(state.probed[1])
        if settled:
            forget(settled, state.probed[0], work.out)
        fine, branch = probe(work, settled, state.table.effort, on_step, FEW if state.depth else 0)
        if not fine:
            return None
    out = tuple(work.out)
    return State(out, state.table, branch=branch, depth=state.depth, probed=(out, settled))


def contradictions(work: Work) -> Iterator[str]:
    """Yield the contradictions among the clues, in words: lines that are too short, sums that differ."""
    for number, line in enumerate(work.lines):
        if line.needed > line.size:
            yield f"{work.line_name(number)} needs {line.needed} cells and has {line.size}."
    rows, columns = (
        [sum(length for line in lines for length, one in line.clue if one == colour) for colour in work.colours]
        for lines in (work.lines[: work.height], work.lines[work.height :])
    )
    for colour, across, down in zip(work.colours, rows, columns, strict=True):
        if across != down:
            yield f"The row clues have {across} {work.word(colour)} cells, the column clues {down}."


FEW = 3
"""Colours that a round of probes below a choice must rule out, or it is the last: another choice settles more."""


def probe(
    work: Work, settled: Settled, effort: Effort, on_step: OnStep | None, few: int
) -> tuple[bool, tuple[int, int, tuple[int, ...]] | None]:
    """Try each open cell at the edge of what is known in each of its colours, until a round rules out `few` at most.

    Return (False, None) at a contradiction, else True and the cell to branch on, None if no cell is open. A
    probe that completes the picture ends it at once: its cell is the one to branch on. So does a budget that is over.
    A cell is tried again only if a line has changed that its probes looked at: else they would end as before.
    """
    news = few + 1
    while news > few:
        news = 0
        for row, column in work.open_cells():
            if (row, column) in settled:
                continue
            colours = work.possible(row, column)
            if len(colours) == 1:
                continue
            if effort.over():
                return True, (row, column, tuple(colours))
            effort.units += 1
            before, opened = work.out, work.open
            good, bad, seen = try_colours(work, row, column, colours)
            work.out = before[:]
            if not bad and not good[0][0]:
                return True, (row, column, tuple(colour for _, colour, _ in good))
            if bad:
                if on_step:
                    tell_probe(work, row, column, bad, on_step)
                if not good or work.exclude(row, column, bad, on_step) is not None:
                    return False, None
            elif not agree(work, row, column, [out for _, _, out in good], on_step):
                return False, None
            if work.out == before:
                gains = [work.open - left for left, _, _ in good]
                weight = min(gains) * work.height * work.width + max(gains)
                settled[row, column] = (seen, weight, tuple(colour for _, colour, _ in good))
                continue
            news += opened - work.open
            if not work.open:
                return True, None
            forget(settled, before, work.out)
    return True, choose(work, settled)


def forget(settled: Settled, before: Sequence[int], after: Sequence[int]) -> None:
    """Forget the cells whose probes looked at a line that has changed."""
    changed = sum(1 << number for number, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
    for cell in [cell for cell, (seen, _, _) in settled.items() if seen & changed]:
        del settled[cell]


def try_colours(
    work: Work, row: int, column: int, colours: Sequence[int]
) -> tuple[list[tuple[int, int, list[int]]], list[int], int]:
    """Try a cell in each of some colours.

    Return those that work (what is then open, the colour, what is then ruled out), the one that settles most first;
    those that do not; and the lines that were looked at, as bits. What is ruled out in `work` is then that of the last.
    """
    good, bad, seen = [], [], 0
    before, still_open = work.out, work.open
    for colour in reversed(colours):  # at a tie the filled ones go first
        work.out = before[:]
        if work.assume(row, column, colour):
            good.append((work.open, colour, work.out))
        else:
            bad.append(colour)
        seen |= work.seen
        work.open = still_open
    good.sort(key=itemgetter(0))
    return good, bad, seen


def agree(work: Work, row: int, column: int, outs: Sequence[list[int]], on_step: OnStep | None) -> bool:
    """Rule out what all colours of a cell rule out, and sweep; return False at a contradiction."""
    height = work.height
    common = outs[0][:height]
    for out in outs[1:]:
        common = list(map(and_, common, out))
    if common == work.out[:height]:
        return True
    changed = set()
    for number, answer in enumerate(common):
        if answer != work.out[number]:
            if on_step:
                words = " or ".join(work.word(colour) for colour in work.possible(row, column))
                cell = place(row * work.width + column, work.width)
                work.tell(number, answer, on_step, f"Whether {cell} is {words}: ")
            for bit in bits(answer & ~work.out[number]):
                other, shift = work.columns[bit]
                work.out[other] |= 1 << shift + number
                work.open -= 1
                changed.add(other)
            work.out[number] = answer
    return work.sweep(sorted(changed), on_step) is None


def tell_probe(work: Work, row: int, column: int, bad: Sequence[int], on_step: OnStep) -> None:
    """Record the colours that a cell cannot have as a step."""
    index = row * work.width + column
    cell = place(index, work.width)
    others = [colour for colour in work.possible(row, column) if colour not in bad]
    if not others:
        words = [work.word(colour) for colour in bad]
        on_step(Step("contradiction", f"{cell.capitalize()} can be neither {' nor '.join(words)}."))
        return
    text = f"If {cell} were {' or '.join(map(work.word, bad))}, some line could not be filled"
    if len(others) == 1:
        known = ((index, work.puzzle.colours[others[0]].sign),)
        on_step(Step("probe", f"{text}: it is {work.word(others[0])}.", known))
    else:
        on_step(Step("probe", f"{text}."))


TIGHT = 4
"""Lines among whose cells the one to branch on is chosen. With one the best probes are missed; with all of them choices
jump about the grid, and what they have in common is found again below each (Forever is not settled then)."""


def choose(work: Work, settled: Settled) -> tuple[int, int, tuple[int, ...]]:
    """Pick the cell to branch on: in the lines with the fewest fillings, the one whose probe settled most."""
    crossing: dict[int, list[tuple[int, int]]] = {}
    for row, column in work.open_cells():
        crossing.setdefault(row, []).append((row, column))
        crossing.setdefault(work.height + column, []).append((row, column))
    tight = nsmallest(TIGHT, crossing, key=lambda number: work.lines[number].count(work.out[number]))
    cells = [cell for line in tight for cell in crossing[line]]
    row, column = max(cells, key=lambda cell: settled[cell][1] if cell in settled else 0)
    known = settled.get((row, column))  # the last round may have made its probes old
    return row, column, known[2] if known else tuple(work.possible(row, column))
