"""Check a finished nonogram, with nothing taken from the code that found it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def check_nonogram(
    row_clues: Sequence[Sequence[int]], column_clues: Sequence[Sequence[int]], filled: Sequence[str]
) -> tuple[str, ...]:
    """Check a picture (rows of `#` and `.`) against its clues.

    >>> check_nonogram([[1], []], [[1]], ["#", "."])
    ()
    >>> check_nonogram([[2]], [[1], [1]], ["#."])
    ('row 1 has 1, its clue is 2', 'column 2 has 0, its clue is 1')
    """
    if len(filled) != len(row_clues) or any(len(row) != len(column_clues) for row in filled):
        return ("the picture does not have the size of its clues",)
    faults = []
    columns = ["".join(column) for column in zip(*filled, strict=True)]
    for what, lines, clues in (("row", filled, row_clues), ("column", columns, column_clues)):
        for number, (line, clue) in enumerate(zip(lines, clues, strict=True), 1):
            strange = set(line) - {"#", "."}
            if strange:
                faults.append(f"{what} {number} has {''.join(sorted(strange))!r} in it")
            found = [len(list(group)) for sign, group in groupby(line) if sign == "#"]
            wanted = [block for block in clue if block]
            if found != wanted:
                shown = [" ".join(map(str, runs)) or "0" for runs in (found, wanted)]
                faults.append(f"{what} {number} has {shown[0]}, its clue is {shown[1]}")
    return tuple(faults)
