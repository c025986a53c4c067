"""Check finished fill-ins, Gogens and nonograms, with nothing taken from the code that found them.

The searches work on bitmaps of words, cells and lines; the checkers here read plain rows of text, walk them cell by
cell, and know nothing else. Each returns the faults it found: none where the grid holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise


def check_fillin(
    pattern: Sequence[str], words: Sequence[str], filled: Sequence[str], *, spare: bool = False
) -> tuple[str, ...]:
    """Check a filled grid against its pattern (`#` block, `_` empty) and its words.

    Every run of two or more cells must be a listed word, each word used as often as it is listed (with `spare`, at
    most as often), and blocks and givens must have stayed.

    >>> check_fillin(["#h#", "___", "#_#"], ["hat", "bag"], ["#h#", "bag", "#t#"])
    ()
    >>> check_fillin(["___"], ["abc"], ["abd"])
    ('abd stands in the grid 1 times, it is listed 0 times', 'abc stands in the grid 0 times, it is listed 1 times')
    """
    faults = changed(pattern, filled, empty="_")
    if faults and "size" in faults[0]:
        return tuple(faults)
    used: Counter[str] = Counter()
    for line in (*filled, *("".join(column) for column in zip(*filled, strict=True))):
        used.update(run for run in line.split("#") if len(run) > 1)
    listed = Counter(words)
    for word in sorted(used.keys() | listed.keys(), key=lambda w: (w not in used, w)):
        if used[word] > listed[word] or (used[word] < listed[word] and not spare):
            faults.append(f"{word} stands in the grid {used[word]} times, it is listed {listed[word]} times")
    return tuple(faults)


def check_gogen(
    board: Sequence[str], words: Sequence[str], filled: Sequence[str], *, letters: str = ""
) -> tuple[str, ...]:
    """Check a filled board: givens stayed, no letter twice, every word a path of king's moves.

    With `letters` the board must hold exactly these. A letter that follows itself in a word stays where it is.

    >>> check_gogen(["A.", ".."], ["ABCD"], ["AB", "CD"])
    ()
    >>> check_gogen(["A..", "..."], ["AF"], ["ABC", "DEF"])
    ('AF: A and F are not neighbours',)
    """
    faults = changed(board, filled, empty=".")
    if faults and "size" in faults[0]:
        return tuple(faults)
    for letter, often in Counter("".join(filled)).items():
        if often > 1 or not letter.isalnum():
            faults.append(f"{letter!r} stands {often} times on the board")
    for letter in sorted(set("".join(filled)) - set(letters)) if letters else ():
        faults.append(f"{letter} is none of the letters of this puzzle")
    for word in words:
        for a, b in pairwise(word):
            spots = [
                [(r, c) for r, row in enumerate(filled) for c, sign in enumerate(row) if sign == x] for x in (a, b)
            ]
            if a != b and not any(max(abs(p[0] - q[0]), abs(p[1] - q[1])) == 1 for p in spots[0] for q in spots[1]):
                faults.append(f"{word}: {a} and {b} are not neighbours")
    return tuple(faults)


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


def changed(before: Sequence[str], after: Sequence[str], *, empty: str) -> list[str]:
    """List the cells whose block or given changed, and those still empty although a neighbour belongs to a run."""
    if [len(row) for row in before] != [len(row) for row in after]:
        return ["the grid does not have the size of its pattern"]
    faults = []
    for r, (old, new) in enumerate(zip(before, after, strict=True)):
        for c, (given, now) in enumerate(zip(old, new, strict=True)):
            if given == now == empty and empty == "_" and alone(before, r, c):
                continue
            if now == empty:
                faults.append(f"row {r + 1} column {c + 1}: the cell is empty")
            elif given not in (empty, now) or (now == "#") != (given == "#"):
                faults.append(f"row {r + 1} column {c + 1}: {given} was given, {now} stands there")
    return faults


def alone(pattern: Sequence[str], row: int, column: int) -> bool:
    """Whether a cell belongs to no run of two or more: no word can fill it."""
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return not any(0 <= r < len(pattern) and 0 <= c < len(pattern[row]) and pattern[r][c] != "#" for r, c in beside)
