"""Check a finished Gogen, with nothing taken from the code that found it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from agent.verify.rows import changed


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
        faults.append(f"{letter} is not a letter of this puzzle")
    for word in words:
        for a, b in pairwise(word):
            spots = [
                [(r, c) for r, row in enumerate(filled) for c, sign in enumerate(row) if sign == x] for x in (a, b)
            ]
            if a != b and not any(max(abs(p[0] - q[0]), abs(p[1] - q[1])) == 1 for p in spots[0] for q in spots[1]):
                faults.append(f"{word}: {a} and {b} are not neighbours")
    return tuple(faults)
