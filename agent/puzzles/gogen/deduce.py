"""Deduction from the cells where the letters of a Gogen may still be: neighbours, and each cell one letter."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from agent.core.propagate import Effort, OnStep, Step
from agent.draw.letters import place
from agent.puzzles.gogen.files import EMPTY, Gogen

MEMORY = 1 << 16
"""Bitmaps whose neighbours are kept per shape; then the memory starts again. 65,536 take about 10 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The constants of a puzzle's search, shared by all its states.

    `neighbours` maps a bitmap of cells to the cells one king's move away; it is filled on demand. `adjacent` lists
    for each letter those that must be neighbours. `full` has a bit for every cell.
    """

    puzzle: Gogen
    neighbours: dict[int, int]
    adjacent: tuple[tuple[int, ...], ...]
    full: int
    effort: Effort = field(default_factory=Effort)


@dataclass(frozen=True, slots=True)
class State:
    """For each letter, in the puzzle's order, the bitmap of cells where it may be (bit row * width + column)."""

    cells: tuple[int, ...]
    table: Table = field(compare=False, repr=False)


def start(puzzle: Gogen) -> State:
    """Return the state before any deduction: givens in their cells, every other letter anywhere.

    >>> from agent.puzzles.gogen.files import parse
    >>> state = start(parse('{"board": ["A.", ".."], "words": ["AB"]}'))
    >>> [f"{cells:04b}" for cells in state.cells]
    ['0001', '1111', '1111', '1111']
    """
    order = {letter: number for number, letter in enumerate(puzzle.letters)}
    full = (1 << puzzle.width * puzzle.height) - 1
    adjacent: list[set[int]] = [set() for _ in order]
    for word in puzzle.words:
        for a, b in pairwise(word):
            if a != b:
                adjacent[order[a]].add(order[b])
                adjacent[order[b]].add(order[a])
    cells = [full] * len(order)
    for cell, letter in enumerate("".join(puzzle.board)):
        if letter != EMPTY:
            cells[order[letter]] &= 1 << cell
    neighbours = shape_neighbours(puzzle.width, puzzle.height)
    return State(tuple(cells), Table(puzzle, neighbours, tuple(tuple(sorted(s)) for s in adjacent), full))


@lru_cache(maxsize=16)
def shape_neighbours(width: int, height: int) -> dict[int, int]:
    """Return the memory of neighbours for a board's shape, with the single cells in it.

    >>> f"{shape_neighbours(2, 2)[1]:04b}"
    '1110'
    """
    memory = {}
    for cell in range(width * height):
        row, column = divmod(cell, width)
        memory[1 << cell] = sum(
            1 << r * width + c
            for r in range(max(0, row - 1), min(height, row + 2))
            for c in range(max(0, column - 1), min(width, column + 2))
            if (r, c) != (row, column)
        )
    return memory


def near(neighbours: dict[int, int], cells: int) -> int:
    """Return, and remember, the cells one king's move away from any of `cells`."""
    if len(neighbours) > MEMORY:
        for key in [key for key in neighbours if key & (key - 1)]:
            del neighbours[key]
    found, rest = 0, cells
    while rest:
        bit = rest & -rest
        rest ^= bit
        found |= neighbours[bit]
    neighbours[cells] = found
    return found


def propagate(state: State, on_step: OnStep | None = None) -> State | None:
    """Deduce until nothing more follows; None if some letter has no cell left, or some cell no letter.

    >>> from agent.puzzles.gogen.files import parse
    >>> puzzle = parse('{"board": ["A.B"], "words": ["CAB"]}')
    >>> propagate(start(puzzle), print) is None
    A must be one king's move from B, but no such cell is left for it.
    True
    """
    table = state.table
    cells = list(state.cells)
    steps = Steps(table.puzzle, cells, on_step) if on_step else None
    if deduce(table, cells, steps):
        return State(tuple(cells), table)
    return None


@dataclass(frozen=True, slots=True)
class Steps:
    """Puts deductions into words; made only if steps are asked for."""

    puzzle: Gogen
    cells: list[int]
    on_step: OnStep

    def place(self, cell: int) -> str:
        """Return the place of a cell given as a bit, in words."""
        return place(cell.bit_length() - 1, self.puzzle.width)

    def placed(self, letter: int, adjacent: tuple[int, ...]) -> None:
        """Record that a letter has one cell left, and the placed letters next to it."""
        name, cell = self.puzzle.letters[letter], self.cells[letter]
        known = [self.puzzle.letters[b] for b in adjacent if not self.cells[b] & (self.cells[b] - 1)]
        why = f"the only cell left next to {', '.join(known)}" if known else "no other cell is left for it"
        self.on_step(Step("only cell", f"{name} goes to {self.place(cell)}: {why}.", ((cell.bit_length() - 1, name),)))

    def only_letter(self, letter: int) -> None:
        """Record that only one letter can go into a cell."""
        name, cell = self.puzzle.letters[letter], self.cells[letter]
        text = f"{name} goes to {self.place(cell)}: no other letter can be there."
        self.on_step(Step("only letter", text, ((cell.bit_length() - 1, name),)))

    def pair(self, a: int, b: int) -> None:
        """Record that two letters share two cells."""
        low = self.cells[a] & -self.cells[a]
        where = f"{self.place(low)} and {self.place(self.cells[a] ^ low)}"
        text = f"{self.puzzle.letters[a]} and {self.puzzle.letters[b]} share {where}: no other letter is there."
        self.on_step(Step("pair", text))

    def apart(self, a: int, b: int) -> None:
        """Record that two letters that must be neighbours cannot be."""
        names = f"{self.name(b)} must be one king's move from {self.name(a)}"
        self.stuck(f"{names}, but no such cell is left for it.")

    def stuck(self, text: str) -> None:
        """Record why there is no solution."""
        self.on_step(Step("contradiction", text))

    def name(self, letter: int) -> str:
        """Return the letter of a number."""
        return self.puzzle.letters[letter]


def deduce(table: Table, cells: list[int], steps: Steps | None) -> bool:
    """Narrow `cells` in place to the fixed point; return False at a contradiction."""
    neighbours, adjacent, full, count = table.neighbours, table.adjacent, table.full, len(cells)
    if count > full.bit_length():
        if steps:
            steps.stuck(f"{count} different letters do not fit into {full.bit_length()} cells.")
        return False
    everyone = range(count)
    for letter in everyone:
        if not cells[letter]:
            if steps:
                steps.stuck(f"{steps.name(letter)} is given more than once.")
            return False
    square = count == full.bit_length()
    queue = list(everyone)
    waiting = set(queue)
    while True:
        table.effort.units += len(queue)
        while queue:
            a = queue.pop()
            waiting.discard(a)
            around = neighbours.get(cells[a]) or near(neighbours, cells[a])
            for b in adjacent[a]:
                left = cells[b] & around
                if left != cells[b]:
                    if not left:
                        if steps:
                            steps.apart(a, b)
                        return False
                    cells[b] = left
                    if steps and not left & (left - 1):
                        steps.placed(b, adjacent[b])
                    if b not in waiting:
                        waiting.add(b)
                        queue.append(b)
                        table.effort.units += 1
        once = more = taken = 0
        for a, mine in enumerate(cells):
            more |= once & mine
            once |= mine
            if not mine & (mine - 1):
                if taken & mine:
                    if steps:
                        steps.stuck(
                            f"{steps.name(cells.index(mine))} and {steps.name(a)} both need {steps.place(mine)}."
                        )
                    return False
                taken |= mine
        if square and once != full:
            if steps:
                empty = full & ~once
                steps.stuck(f"No letter is left for {steps.place(empty & -empty)}.")
            return False
        single = once & ~more if square else 0
        for a, mine in enumerate(cells):
            if not mine & (mine - 1):
                continue
            only = mine & single
            left = only or mine & ~taken
            if left == mine:
                continue
            if not left or only & (only - 1):
                if steps:
                    why = f"Two cells need {steps.name(a)}." if left else f"No cell is left for {steps.name(a)}."
                    steps.stuck(why)
                return False
            cells[a] = left
            if steps and only:
                steps.only_letter(a)
            elif steps and not left & (left - 1):
                steps.placed(a, adjacent[a])
            waiting.add(a)
            queue.append(a)
        if not queue and not pairs(cells, queue, waiting, steps):
            return False
        if not queue:
            return True


def pairs(cells: list[int], queue: list[int], waiting: set[int], steps: Steps | None) -> bool:
    """If two letters have the same two cells, take these from the others; return False at a contradiction."""
    seen: dict[int, int] = {}
    for a, mine in enumerate(cells):
        if mine.bit_count() != 2:
            continue
        b = seen.setdefault(mine, a)
        if a == b:
            continue
        told = steps is None
        for c, theirs in enumerate(cells):
            if theirs & mine and c not in (a, b):
                if not told and steps:
                    steps.pair(b, a)
                    told = True
                left = theirs & ~mine
                if not left:
                    if steps:
                        steps.stuck(f"No cell is left for {steps.name(c)}.")
                    return False
                cells[c] = left
                if c not in waiting:
                    waiting.add(c)
                    queue.append(c)
    return True
