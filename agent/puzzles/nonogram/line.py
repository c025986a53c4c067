"""One line of a nonogram: what its clue and the cells known so far rule out.

A line has a plane of bits for each colour, blank being colour 0; a bit is set if its cell cannot have that colour.
The planes stand one above the other in a single int, colour 0 lowest: a black and white line has two, the cells that
are not blank and those that are not black. The blocks of a clue are placed one after the other, from the left and
from the right, over sets of positions that are ints themselves, a few machine operations a block. No filling is ever
listed: a line of 60 cells has too many.

>>> line = Line(((2, 1), (1, 1)), 5, 2)
>>> out, new = line.solve(0b00000_00001)
>>> f"{out:010b}"  # the first cell is filled: so is the second, and the third is blank
'0010000011'
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from agent.core.bitmaps import bits

Block = tuple[int, int]
"""Length and colour, from 1."""

Answer = tuple[int, tuple[int, ...]]
"""All that is ruled out in a line, and which bits of it are new."""

IMPOSSIBLE: Answer = (-1, ())
"""The answer if no filling is left: every bit is ruled out, and none of them is worth telling."""

MEMORY = 1 << 12
"""Answers kept per line before its memory starts again: a 60x60 puzzle then stays under 100 MB however long it runs."""


SHIFTS = (1, 2, 4, 8, 16, 32, 64, 128)


class Line:
    """One clue over `size` cells and `colours` planes, with a memory of answers.

    `kinds` are the different blocks: the kind that each is made from (-1: single cells of its colour), the shifts that
    make it from that, and its colour. `blocks` are the blocks in order: kind, length, and whether a blank cell must
    come after them. `needed` cells are the fewest that hold them all, and `shifts` together
    reach as far as a block can move. Two lines with the same clue share one Line.
    """

    __slots__ = ("blocks", "clue", "colours", "counted", "full", "kinds", "needed", "shifts", "size", "solved")

    def __init__(self, clue: tuple[Block, ...], size: int, colours: int) -> None:
        self.clue, self.size, self.colours, self.full = clue, size, colours, (1 << size) - 1
        sizes = sorted({(colour, length) for length, colour in clue})
        self.kinds: list[tuple[int, tuple[int, ...], int]] = []
        base, last = -1, (0, 0)
        for number, (colour, length) in enumerate(sizes):
            base, done = (number - 1, last[1]) if last[0] == colour else (-1, 1)
            shifts = []
            while done < length:
                shifts.append(min(done, length - done))
                done += shifts[-1]
            self.kinds.append((base, tuple(shifts), colour))
            last = colour, length
        self.blocks: list[tuple[int, int, bool]] = []
        self.needed = after = 0
        for length, colour in reversed(clue):
            self.blocks.append((sizes.index((colour, length)), length, colour == after))
            self.needed += length + (colour == after)
            after = colour
        self.blocks.reverse()
        self.shifts = SHIFTS[: max(0, size - self.needed).bit_length()]
        self.solved: dict[int, Answer] = {}
        self.counted: dict[int, int] = {}

    def solve(self, out: int) -> Answer:
        """Return all that is ruled out if `out` is, and the bits that are new; remember them in `solved`.

        >>> line = Line(((2, 1),), 3, 2)
        >>> line.solve(0), line.solved
        ((2, (1,)), {0: (2, (1,))})
        >>> line.solve(0b010_000) is IMPOSSIBLE
        True
        """
        if len(self.solved) >= MEMORY:
            self.solved.clear()
        found = self.place(out)
        answer = self.solved[out] = IMPOSSIBLE if found is None else (found[0], tuple(bits(found[0] ^ out)))
        return answer

    def place(self, out: int) -> tuple[int, list[int]] | None:
        """Return all that is ruled out if `out` is, and where each block can begin; None if no filling is left.

        Position p is before cell p; it may be passed over if the cell can be blank. The last block comes first.

        >>> out, starts = Line(((2, 1), (1, 1)), 5, 2).place(0)
        >>> f"{out:010b}", [f"{there:05b}" for there in starts]
        ('0000000010', ['11000', '00011'])
        """
        size, full = self.size, self.full
        free = ~out & full
        fits: list[int] = []
        for base, shifts, colour in self.kinds:
            there = fits[base] if base >= 0 else ~(out >> size * colour) & full
            for shift in shifts:
                there &= there >> shift
            fits.append(there)
        # there: the positions where the next block may begin; a position that is added to a run of ones carries
        # through the run, so all blank cells that may follow are passed over at once
        first = there = 1 | free + (1 & free) ^ free
        begins = []
        for kind, length, gap in self.blocks:
            begin = there & fits[kind]
            if not begin:
                return None
            there = begin << length
            there |= free + (there & free) ^ free
            begins.append((begin, there, kind, length, gap))
            if gap:
                there = (there & free) << 1
        if not there >> size:
            return None
        steps, run = [], free
        for shift in self.shifts:
            steps.append((shift, run))
            run &= run >> shift
            if not run:
                break
        # and back: there are the positions from which the rest of the line can be filled
        there = 1 << size
        for shift, run in steps:
            there |= there >> shift & run
        possible, starts, merged = 0, [], [0] * len(fits)
        for begin, end, kind, length, gap in reversed(begins):
            passed = end & there >> 1 & free
            possible |= passed
            there = begin & (passed if gap else there) >> length
            starts.append(there)
            merged[kind] |= there
            for shift, run in steps:
                there |= there >> shift & run
        possible |= first & there >> 1 & free
        for kind in range(len(merged) - 1, -1, -1):
            base, shifts, colour = self.kinds[kind]
            there = merged[kind]
            for shift in shifts:
                there |= there << shift
            if base >= 0:
                merged[base] |= there
            else:
                possible |= there << size * colour
        return possible ^ (1 << size * self.colours) - 1, starts

    def planes(self, out: int) -> list[int]:
        """Return the cells that each colour may have.

        >>> Line((), 2, 2).planes(0b11_00)
        [3, 0]
        """
        return [~(out >> self.size * colour) & self.full for colour in range(self.colours)]

    def count(self, out: int) -> int:
        """Count the fillings that are left.

        >>> Line(((2, 1), (1, 1)), 6, 2).count(0)
        6
        """
        if out not in self.counted:
            if len(self.counted) >= MEMORY:
                self.counted.clear()
            self.counted[out] = self.tally(out)
        return self.counted[out]

    def tally(self, out: int) -> int:
        """Do the work of :meth:`count`: ways[i] are the ways to fill the first i cells with the blocks so far."""
        size, planes = self.size, self.planes(out)
        blank = [planes[0] >> cell & 1 for cell in range(size)]
        ways = [1] + [0] * size
        for cell in range(size):
            ways[cell + 1] = ways[cell] * blank[cell]
        for (_, length, gap), (_, colour) in zip(self.blocks, self.clue, strict=True):
            block = (1 << length) - 1
            after = [0] * (size + 1)
            for begin in range(size - length + 1):
                if ways[begin] and planes[colour] >> begin & block == block:
                    after[begin + length] = ways[begin]
            for cell in range(size):  # blank cells may follow
                after[cell + 1] += after[cell] * blank[cell]
            ways = [0] + [ways * free for ways, free in zip(after, blank, strict=False)] if gap else after
        return ways[size]


def runs(cells: Sequence[int]) -> tuple[Block, ...]:
    """Return the blocks of a line of colours: runs of one colour, blanks left out.

    >>> runs([0, 1, 1, 2, 0, 2])
    ((2, 1), (1, 2), (1, 2))
    """
    return tuple((len(list(run)), int(colour)) for colour, run in groupby(cells) if colour)
