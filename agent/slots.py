"""Slots: the runs of a pattern of blocks and bars that are to be filled, and how they are numbered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Direction = Literal["across", "down"]

Bar = tuple[int, int]
"""A thick line between two neighbouring cells, which ends slots as a block does: their indexes, the lower one first."""

Number = tuple[int, int]
"""A number printed in a cell: the cell's index, the number."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A run of two or more cells to be filled, such as 1A; `cells` are indexes row * width + column.

    >>> Slot(1, "across", (0, 1, 2)).name
    '1A'
    """

    number: int
    direction: Direction
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        """Number and direction in short: `1A`, `4D`."""
        return f"{self.number}{self.direction[0].upper()}"

    def __len__(self) -> int:
        return len(self.cells)


@lru_cache(maxsize=512)
def number_slots(
    width: int,
    height: int,
    blocks: tuple[bool, ...],
    bars: frozenset[Bar] = frozenset(),
    numbers: tuple[Number, ...] = (),
) -> tuple[Slot, ...]:
    """Return the slots of a pattern of blocks and bars, numbered by the standard rule or by the numbers given.

    By the standard rule, row by row, a cell that begins an across or a down run of at least two cells takes the next
    number. With `numbers`, only runs that begin in a cell with a number are slots.

    >>> [s.name for s in number_slots(2, 2, (True, False, False, False))]
    ['2A', '1D']
    """
    own = dict(numbers)

    def run(start: int, step: int, room: int) -> tuple[int, ...]:
        cells = []
        for k in range(room):
            cell = start + k * step
            if blocks[cell] or (k and (cell - step, cell) in bars):
                break
            cells.append(cell)
        return tuple(cells)

    across: list[Slot] = []
    down: list[Slot] = []
    number = 0
    for cell, blocked in enumerate(blocks):
        if blocked:
            continue
        row, column = divmod(cell, width)
        begins = column == 0 or blocks[cell - 1] or (cell - 1, cell) in bars
        right = run(cell, 1, width - column) if begins else ()
        begins = row == 0 or blocks[cell - width] or (cell - width, cell) in bars
        below = run(cell, width, height - row) if begins else ()
        if own and cell not in own:
            continue
        if len(right) > 1 or len(below) > 1:
            number = own[cell] if own else number + 1
        if len(right) > 1:
            across.append(Slot(number, "across", right))
        if len(below) > 1:
            down.append(Slot(number, "down", below))
    return tuple(sorted(across, key=_number_of) + sorted(down, key=_number_of))


def _number_of(slot: Slot) -> int:
    """Return a slot's number, to sort by it."""
    return slot.number
