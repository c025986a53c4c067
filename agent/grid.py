"""Grid, Clue, Candidate, Puzzle, ClueText: the nouns of the crossword, as frozen values.

A grid is written with `#` for a block and `.` for an empty cell:

>>> grid = Grid.parse('''
... ##BIG
... #ZERO
... PILOT
... INON#
... NEW##
... ''')
>>> [slot.name for slot in grid.slots]
['1A', '4A', '5A', '6A', '7A', '1D', '2D', '3D', '4D', '5D']
>>> grid.answer("5A")
'PILOT'
"""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from agent.errors import UsageError
from agent.slots import Bar, Number, Slot, number_slots

if TYPE_CHECKING:
    from agent.draw.svg import Svg

BLOCK = "#"
EMPTY = "."
MAX_SIDE = 30
"""Sides longer than this are refused: no published crossword has them, a hostile file may."""

Place = tuple[int, int]
"""(index of a slot in `Grid.slots`, position in it)."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows; each cell is a block `#`, empty `.`, or its letters (a rebus has several). Bars may part cells.

    `numbers` are a grid's own, by cell, if it does not follow the standard rule: then the runs that begin in a numbered
    cell are its slots, and no others.

    Raises UsageError if the number of cells does not fit the size, a cell is '', the size is not 1 to 30 a side, a
    bar is not between two neighbours, or the grid's own numbers do not tell its slots apart.

    >>> grid = Grid.parse("NO\\n.#")
    >>> grid.rows, grid.answer("1A"), [slot.name for slot in grid.slots]
    (('NO', '.#'), 'NO', ['1A', '1D'])
    >>> grid.blocks, dict(grid.slot_numbers), grid.is_filled, grid.fill({2: "R"}).is_filled
    ((False, False, False, True), {0: 1}, False, True)
    >>> [slot.name for slot in Grid(4, 1, tuple("PARK"), frozenset({(1, 2)})).slots]
    ['1A', '2A']
    >>> odd = Grid(2, 2, tuple("NOOH"), numbers=((0, 7), (2, 4)))
    >>> [slot.name for slot in odd.slots], odd.is_plain
    (['4A', '7A', '7D'], False)
    """

    width: int
    height: int
    cells: tuple[str, ...]
    bars: frozenset[Bar] = frozenset()
    numbers: tuple[Number, ...] = ()

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise UsageError(f"a grid has 1 to {MAX_SIDE} cells a side, not {self.width}x{self.height}")
        if len(self.cells) != self.width * self.height:
            raise UsageError(
                f"{self.width}x{self.height} needs {self.width * self.height} cells, not {len(self.cells)}"
            )
        if not all(self.cells):
            raise UsageError("a cell is a block, `.` or letters, not ''")
        for one, other in self.bars:
            is_beside = other - one == self.width or (other - one == 1 and other % self.width)
            if not (is_beside and one >= 0 and other < len(self.cells)):
                raise UsageError(f"a bar is between two neighbouring cells, not {one} and {other}")
        if self.numbers:
            self._check_numbers()

    def _check_numbers(self) -> None:
        numbered = [cell for cell, _ in self.numbers]
        if numbered != sorted(set(numbered)) or not 0 <= numbered[0] <= numbered[-1] < len(self.cells):
            raise UsageError("numbers are of cells of the grid, in order and one for each")
        if any(number < 1 or self.cells[cell] == BLOCK for cell, number in self.numbers):
            raise UsageError("numbers are from 1, and not of blocks")
        names = [slot.name for slot in self.slots]
        if twice := sorted(name for name in set(names) if names.count(name) > 1):
            raise UsageError(f"two slots are called {twice[0]}")

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read rows of `#`, `.` and letters, one row per line.

        >>> Grid.parse("AB\\n.#").rows
        ('AB', '.#')
        """
        rows = text.split()
        if not rows or len({len(row) for row in rows}) != 1:
            raise UsageError("a grid needs rows of equal length")
        return cls(len(rows[0]), len(rows), tuple("".join(rows).upper()))

    @classmethod
    def blank(cls, width: int, height: int) -> Grid:
        """Return a grid of empty cells.

        >>> print(Grid.blank(2, 1))
        . .
        """
        return cls(width, height, (EMPTY,) * (width * height))

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows as strings, one character per cell: of a rebus the first letter."""
        one = "".join(cell[0] for cell in self.cells)
        return tuple(one[i : i + self.width] for i in range(0, len(one), self.width))

    @property
    def blocks(self) -> tuple[bool, ...]:
        """Which cells are blocks."""
        return tuple(cell == BLOCK for cell in self.cells)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots, across first, each direction by number."""
        return slots_of(self)

    @property
    def through(self) -> tuple[tuple[Place, ...], ...]:
        """For each cell its places in slots: two, one if it is unchecked, none for a block.

        >>> Grid.parse("#.\\n..").through
        ((), ((1, 0),), ((0, 0),), ((0, 1), (1, 1)))
        """
        return through_cells(self)

    @property
    def crossings(self) -> tuple[tuple[Place | None, ...], ...]:
        """For each slot and each position in it the place of the slot that crosses there, None if none does.

        >>> Grid.parse("#.\\n..").crossings
        ((None, (1, 1)), (None, (0, 1)))
        """
        return crossings_of(self)

    @property
    def slot_numbers(self) -> Mapping[int, int]:
        """Cell index -> the number printed in it."""
        return dict(self.numbers) or {slot.cells[0]: slot.number for slot in self.slots}

    @property
    def is_plain(self) -> bool:
        """True when its blocks alone make its slots, numbered by the standard rule."""
        return not (self.bars or self.numbers)

    @property
    def is_filled(self) -> bool:
        """True when no cell is empty."""
        return EMPTY not in self.cells

    @property
    def is_complete(self) -> bool:
        """True when every cell that belongs to a slot is filled.

        >>> Grid.parse("AB\\n.#").is_complete, Grid.parse("AB#.#").is_complete
        (False, True)
        """
        return not any(self.cells[cell] == EMPTY for slot in self.slots for cell in slot.cells)

    def slot(self, name: str) -> Slot:
        """Return the slot of a name. Raises KeyError if the grid has none."""
        for slot in self.slots:
            if slot.name == name.upper():
                return slot
        raise KeyError(f"no slot {name}: this grid has {', '.join(s.name for s in self.slots)}")

    def answer(self, slot: Slot | str) -> str:
        """Return the content of a slot, `.` for each empty cell."""
        if isinstance(slot, str):
            slot = self.slot(slot)
        return "".join(self.cells[i] for i in slot.cells)

    def write(self, slot: Slot | str, answer: str) -> Grid:
        """Return the grid with `answer` written into a slot, replacing its content.

        >>> print(Grid.parse("..").write("1A", "ok"))
        O K
        """
        if isinstance(slot, str):
            slot = self.slot(slot)
        if len(answer) != len(slot):
            raise UsageError(f"{answer} has {len(answer)} letters, {slot.name} has {len(slot)} cells")
        return self.fill(dict(zip(slot.cells, answer.upper(), strict=True)))

    def fill(self, letters: Mapping[int, str]) -> Grid:
        """Return the grid with the given cells replaced (cell index -> content)."""
        cells = list(self.cells)
        for index, letter in letters.items():
            cells[index] = letter
        return replace(self, cells=tuple(cells))

    def emptied(self) -> Grid:
        """Return the pattern alone: blocks, bars and numbers, without letters.

        >>> Grid.parse("A#").emptied().rows
        ('.#',)
        """
        return replace(self, cells=tuple(BLOCK if cell == BLOCK else EMPTY for cell in self.cells))

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self.rows)

    def svg(self, confidence: Sequence[float] = (), *, marked: Collection[int] = (), title: str = "") -> Svg:
        """Draw the grid; `confidence` (one for each cell, 0 to 1) shades it, `marked` cells get a frame.

        >>> "a, 20 % sure" in Grid.parse("AB").svg([0.2, 1.0])
        True
        """
        from agent.draw.grid import grid_svg

        rows = [self.cells[first : first + self.width] for first in range(0, len(self.cells), self.width)]
        numbers, bars = self.slot_numbers, self.bars
        return grid_svg(rows, numbers=numbers, bars=bars, confidence=confidence, marked=marked, title=title)

    def text(self, confidence: Sequence[float] = (), *, colour: bool = False) -> str:
        """Draw the grid with its numbers as plain text; letters under 50 % of `confidence` are in lower case.

        >>> print(Grid.parse("AB").text([0.2, 1.0]))
        +---+---+
        |1  |   |
        | a | B |
        +---+---+
        """
        from agent.draw.terminal import grid_text

        rows = [self.cells[first : first + self.width] for first in range(0, len(self.cells), self.width)]
        return grid_text(rows, numbers=self.slot_numbers, bars=self.bars, confidence=confidence, colour=colour)

    def _repr_html_(self) -> str:
        return self.svg()


@lru_cache(maxsize=512)
def slots_of(grid: Grid) -> tuple[Slot, ...]:
    """Return a grid's slots; cached by grid, as nearly everything needs them."""
    return number_slots(grid.width, grid.height, grid.blocks, grid.bars, grid.numbers)


@lru_cache(maxsize=512)
def through_cells(grid: Grid) -> tuple[tuple[Place, ...], ...]:
    """Return a grid's `through`; cached by grid."""
    through: list[tuple[Place, ...]] = [()] * len(grid.cells)
    for index, slot in enumerate(grid.slots):
        for position, cell in enumerate(slot.cells):
            through[cell] += ((index, position),)
    return tuple(through)


@lru_cache(maxsize=512)
def crossings_of(grid: Grid) -> tuple[tuple[Place | None, ...], ...]:
    """Return a grid's `crossings`; cached by grid."""
    return tuple(
        tuple(next((other for other in grid.through[cell] if other[0] != index), None) for cell in slot.cells)
        for index, slot in enumerate(grid.slots)
    )


@dataclass(frozen=True, slots=True)
class Clue:
    """The text of a slot, as printed.

    >>> print(Clue("7A", "___ Year's resolution"))
    7A ___ Year's resolution
    """

    slot: str
    text: str

    def __str__(self) -> str:
        return f"{self.slot} {self.text}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed answer: letters A-Z only, a probability 0 to 1, its source, and why if that is known.

    >>> print(Candidate("NEW", 0.9, "lexicon"))
    NEW 90 % (lexicon)
    """

    answer: str
    probability: float
    source: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.answer} {100 * self.probability:.0f} % ({self.source})"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a crossword says of itself, as one line each; empty if it does not.

    `left_out` names what its file holds besides, and no field has a place for.
    """

    id: str = ""
    title: str = ""
    author: str = ""
    editor: str = ""
    publisher: str = ""
    copyright: str = ""
    date: str = ""
    notes: str = ""
    left_out: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def about(self) -> dict[str, Any]:
        """The fields that are not empty, by name.

        >>> About(title="Tiny", author="A. Setter").about
        {'title': 'Tiny', 'author': 'A. Setter'}
        """
        return {name: text for name in TOLD if (text := getattr(self, name))}


TOLD = tuple(one.name for one in fields(About) if one.name != "left_out")
"""The names of these fields."""


@dataclass(frozen=True, slots=True)
class Puzzle(About):
    """A crossword to be solved: a block pattern (given letters stay), clues, and the file's title, author and so on.

    `circles` and `shaded` are the cells marked so, by index. `progress` has the letters that a person has written so
    far, `solution` is the official one if the file carries it: for scoring alone, as no code that proposes, ranks or
    searches is ever given a Puzzle. Slots without a clue are allowed; a clue without a slot is not.

    >>> puzzle = Puzzle(Grid.parse("..\\n.."), (Clue("1A", "Not out"),))
    >>> puzzle.clue("1A"), puzzle.clue("3A"), puzzle.unclued
    ('Not out', '', ('3A', '1D', '2D'))
    """

    kind: ClassVar[str] = "crossword"
    """Name of its kind, as other kinds of puzzles have one."""

    grid: Grid
    clues: tuple[Clue, ...]
    circles: frozenset[int] = frozenset()
    shaded: frozenset[int] = frozenset()
    progress: Grid | None = field(default=None, repr=False)
    solution: Grid | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        names = {slot.name for slot in self.grid.slots}
        for clue in self.clues:
            if clue.slot not in names:
                raise UsageError(f"there is a clue for {clue.slot}, but the grid has no such slot")
        if len({clue.slot for clue in self.clues}) != len(self.clues):
            raise UsageError("a slot has two clues")
        for name, grid in (("solution", self.solution), ("progress", self.progress)):
            if grid is not None and grid.emptied() != self.grid.emptied():
                raise UsageError(f"the {name}'s blocks, bars or numbers are not the grid's")

    def clue(self, slot: Slot | str) -> str:
        """Return the text of a slot's clue, empty if it has none."""
        name = slot if isinstance(slot, str) else slot.name
        return next((clue.text for clue in self.clues if clue.slot == name), "")

    @property
    def unclued(self) -> tuple[str, ...]:
        """The slots that have no clue."""
        clued = {clue.slot for clue in self.clues}
        return tuple(slot.name for slot in self.grid.slots if slot.name not in clued)

    def __str__(self) -> str:
        return "\n".join([self.title or self.id or "Crossword", str(self.grid), *map(str, self.clues)])

    def _repr_html_(self) -> str:
        clues = "".join(f"<li>{html.escape(str(clue))}</li>" for clue in self.clues)
        return f"<p><b>{html.escape(self.title or self.id)}</b></p>{self.grid.svg()}<ul>{clues}</ul>"


@dataclass(frozen=True, slots=True)
class NumberedClue:
    """A clue as it stands in a list: its number, its text, and the answer's length if the list gives it."""

    number: int
    text: str
    length: int | None = None


@dataclass(frozen=True, slots=True)
class ClueText(About):
    """Clues without a grid, as read from a pasted list; `size` (width, height) if it is known.

    Raises UsageError if a number comes twice in one direction.

    >>> clues = ClueText((NumberedClue(1, "Not out"),), ())
    >>> print(clues)
    Clues
    1A Not out
    >>> clues.on(Grid.parse("..")).clue("1A")
    'Not out'
    """

    kind: ClassVar[str] = Puzzle.kind
    """That of the puzzle which they belong to."""

    across: tuple[NumberedClue, ...]
    down: tuple[NumberedClue, ...]
    size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for direction, clues in (("across", self.across), ("down", self.down)):
            numbers = [clue.number for clue in clues]
            for number in numbers:
                if numbers.count(number) > 1:
                    raise UsageError(f"{number} {direction} has two clues")

    def __str__(self) -> str:
        lists = (("A", self.across), ("D", self.down))
        clues = [f"{clue.number}{letter} {clue.text}" for letter, listed in lists for clue in listed]
        return "\n".join([self.title or self.id or "Clues", *clues])

    def on(self, grid: Grid, solution: Grid | None = None) -> Puzzle:
        """Return the puzzle with these clues on a grid.

        Raises UsageError if a clue has no slot there, or a given length is not the slot's.
        """
        slots = {slot.name: slot for slot in grid.slots}
        clues = []
        for letter, numbered in (("A", self.across), ("D", self.down)):
            for clue in numbered:
                name = f"{clue.number}{letter}"
                if name in slots and clue.length is not None and clue.length != len(slots[name]):
                    raise UsageError(
                        f"the clue for {name} says {clue.length} letters, the grid has {len(slots[name])} cells there"
                    )
                clues.append(Clue(name, clue.text))
        return Puzzle(grid, tuple(clues), solution=solution, left_out=self.left_out, **self.about)
