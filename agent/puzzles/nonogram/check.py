"""Check a finished nonogram, with nothing taken from the code that found it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

Clues = Sequence[Sequence[tuple[int, str]]]
"""Clues as lengths and signs of blocks."""


def check_nonogram(row_clues: Clues, column_clues: Clues, filled: Sequence[str]) -> tuple[str, ...]:
    """Check a picture (rows of signs, `.` being blank) against its clues.

    >>> check_nonogram([[(1, "#")], []], [[(1, "#")]], ["#", "."])
    ()
    >>> check_nonogram([[(2, "#")]], [[(1, "#")], [(1, "#")]], ["#."])
    ('row 1 has 1, its clue is 2', 'column 2 has 0, its clue is 1')
    """
    if len(filled) != len(row_clues) or any(len(row) != len(column_clues) for row in filled):
        return ("the picture does not have the size of its clues",)
    faults = []
    signs = {".", "#"} | {sign for clues in (row_clues, column_clues) for clue in clues for _, sign in clue}
    columns = ["".join(column) for column in zip(*filled, strict=True)]
    for what, lines, clues in (("row", filled, row_clues), ("column", columns, column_clues)):
        for number, (line, clue) in enumerate(zip(lines, clues, strict=True), 1):
            strange = set(line) - signs
            if strange:
                faults.append(f"{what} {number} has {''.join(sorted(strange))!r} in it")
            found = [(len(list(group)), sign) for sign, group in groupby(line) if sign in signs - {"."}]
            wanted = [block for block in clue if block[0]]
            if found != wanted:
                shown = [
                    " ".join(f"{length}{'' if sign == '#' else sign}" for length, sign in blocks) or "0"
                    for blocks in (found, wanted)
                ]
                faults.append(f"{what} {number} has {shown[0]}, its clue is {shown[1]}")
    return tuple(faults)
