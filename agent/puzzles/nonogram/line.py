"""One line of a nonogram: the cells that follow from its clue and the cells known so far.

A clue is an automaton that reads the line cell by cell; the set of states it can be in is one int, so a sweep
forward and a sweep backward over the line, a few machine operations per cell, find every cell that is the same in
all fillings. No filling is ever listed: a line of 60 cells has too many.

State s of the automaton, for the clue 2 1: two cells of the first block (0, 1), the gap after it (2), the cell of the
second block (3), the end (4). Filled cells step along `filled`, empty ones stay along `stay` or step along `leave`.

>>> line = Line((2, 1), 5)
>>> ones, zeros = line.solve(0b00001, 0)
>>> f"{ones:05b} {zeros:05b}"
'00011 00100'
"""

from __future__ import annotations

MEMORY = 1 << 12
"""Answers kept per line before its memory starts again: a 60x60 puzzle then stays under 100 MB however long it runs."""


class Line:
    """The automaton of one clue (block lengths, none for an empty line) over `size` cells, with its memory.

    Cells are bits of an int, cell 0 the lowest. Two lines of a puzzle with the same clue share one Line.
    """

    __slots__ = ("accept", "clue", "counted", "filled", "leave", "size", "solved", "stay")

    def __init__(self, clue: tuple[int, ...], size: int) -> None:
        self.clue, self.size = clue, size
        filled, stay, leave, state = 0, 1, 0, 0
        for number, block in enumerate(clue):
            filled |= ((1 << block) - 1) << state
            state += block
            if number < len(clue) - 1:
                leave |= 1 << state
                state += 1
            stay |= 1 << state
        self.filled, self.stay, self.leave, self.accept = filled, stay, leave, 1 << state
        self.solved: dict[tuple[int, int], tuple[int, int] | None] = {}
        self.counted: dict[tuple[int, int], int] = {}

    def solve(self, ones: int, zeros: int) -> tuple[int, int] | None:
        """Return the cells filled in every filling that agrees with the known ones, and those empty in every one.

        None if no filling agrees.

        >>> Line((3,), 3).solve(0, 0b010) is None
        True
        """
        key = (ones, zeros)
        if key in self.solved:
            return self.solved[key]
        if len(self.solved) >= MEMORY:
            self.solved.clear()
        answer = self.solved[key] = self.sweep(ones, zeros)
        return answer

    def sweep(self, ones: int, zeros: int) -> tuple[int, int] | None:
        """Do the work of :meth:`solve`, without the memory."""
        filled, stay, leave = self.filled, self.stay, self.leave
        step = filled | leave
        states, bit = 1, 1
        reached = []
        for _ in range(self.size):
            reached.append(states)
            if ones & bit:
                states = (states & filled) << 1
            elif zeros & bit:
                states = states & stay | (states & leave) << 1
            else:
                states = (states & step) << 1 | states & stay
            if not states:
                return None
            bit <<= 1
        back = self.accept
        if not states & back:
            return None
        for states in reversed(reached):
            bit >>= 1
            before = back >> 1
            if ones & bit:
                back = before & filled
            elif zeros & bit:
                back = back & stay | before & leave
            else:
                if_filled = before & filled
                if_empty = back & stay | before & leave
                if not states & if_filled:
                    zeros |= bit
                    back = if_empty
                elif not states & if_empty:
                    ones |= bit
                    back = if_filled
                else:
                    back = if_filled | if_empty
        return ones, zeros

    def count(self, ones: int, zeros: int) -> int:
        """Count the fillings that agree with the known cells.

        >>> Line((2, 1), 6).count(0, 0)
        6
        """
        key = (ones, zeros)
        if key not in self.counted:
            if len(self.counted) >= MEMORY:
                self.counted.clear()
            self.counted[key] = self.tally(ones, zeros)
        return self.counted[key]

    def tally(self, ones: int, zeros: int) -> int:
        """Do the work of :meth:`count`: ways[i] are the ways to fill the first i cells with the blocks so far."""
        size = self.size
        ways = [1] + [0] * size
        for cell in range(size):  # no block yet: only empty cells
            if ones >> cell & 1:
                break
            ways[cell + 1] = 1
        last = len(self.clue) - 1
        for number, block in enumerate(self.clue):
            after = [0] * (size + 1)
            mask = (1 << block) - 1
            for end in range(block, size + 1):
                begin = end - block
                total = 0
                if ways[begin] and not zeros >> begin & mask:
                    total = ways[begin]
                after[end] += total
            # after[end]: a block ends exactly at `end`; then one empty cell (unless it is the last), then any
            spread = [0] * (size + 1)
            if number == last:
                running = 0
                for end in range(size + 1):
                    if end and ones >> end - 1 & 1:
                        running = 0
                    running += after[end]
                    spread[end] = running
            else:
                running = 0
                for end in range(1, size + 1):
                    if ones >> end - 1 & 1:
                        running = 0
                    else:
                        running += after[end - 1]
                    spread[end] = running
            ways = spread
        return ways[size]

    def starts(self, ones: int, zeros: int) -> tuple[tuple[int, ...], ...]:
        """Return for each block the cells where it can begin.

        >>> Line((2, 1), 5).starts(0, 0)
        ((0, 1), (3, 4))
        """
        states, reached = 1, []
        for cell in range(self.size):
            reached.append(states)
            if ones >> cell & 1:
                states = (states & self.filled) << 1
            elif zeros >> cell & 1:
                states = states & self.stay | (states & self.leave) << 1
            else:
                states = (states & (self.filled | self.leave)) << 1 | states & self.stay
        back, left = self.accept, [self.accept]
        for cell in reversed(range(self.size)):
            if_filled = 0 if zeros >> cell & 1 else back >> 1 & self.filled
            if_empty = 0 if ones >> cell & 1 else back & self.stay | back >> 1 & self.leave
            back = if_filled | if_empty
            left.append(back)
        left.reverse()
        found, state = [], 0
        for block in self.clue:
            mask = (1 << block) - 1
            found.append(
                tuple(
                    cell
                    for cell in range(self.size - block + 1)
                    if reached[cell] >> state & 1
                    and not zeros >> cell & mask
                    and left[cell + block] >> state + block & 1
                )
            )
            state += block + 1
        return tuple(found)


def runs(cells: int) -> tuple[int, ...]:
    """Return the lengths of the runs of filled cells.

    >>> runs(0b110100)
    (1, 2)
    """
    found, run = [], 0
    while cells:
        if cells & 1:
            run += 1
        elif run:
            found.append(run)
            run = 0
        cells >>= 1
    return (*found, run) if run else tuple(found)
