"""Clues with a blank: the words around it, looked up among the phrases of the lexicon.

`___ of Arc` for four letters asks for phrases such as `????OFARC`; the more letters of the clue a phrase holds, the
surer it is.
"""

from __future__ import annotations

import re

from lexicon.text import fold

BLANK = re.compile(r"_+(?:[ -]_+)*")
"""A blank of any length, or several with spaces between."""

WIDEST = 4
"""Maximum number of words taken from each side of a blank: the lexicon's phrases are no longer."""


def contexts(clue: str) -> list[tuple[str, str]]:
    """List the words that may come directly before and after the blank of a clue, the longest first.

    Words beyond a comma, a bracket or another mark belong to another thought.

    >>> contexts("San ___, Calif.")
    [('SAN', '')]
    >>> contexts('"Easier ___ than done"')
    [('EASIER', 'THANDONE'), ('EASIER', 'THAN'), ('', 'THANDONE'), ('EASIER', ''), ('', 'THAN')]
    """
    blank = BLANK.search(clue)
    if blank is None:
        return []
    before = re.split(r"[^\w' -]", clue[: blank.start()])[-1].replace("-", " ").split()[-WIDEST:]
    after = re.split(r"[^\w' -]", clue[blank.end() :])[0].replace("-", " ").split()[:WIDEST]
    found = {
        (fold("".join(before[len(before) - i :])), fold("".join(after[:j])))
        for i in range(len(before) + 1)
        for j in range(len(after) + 1)
        if i + j
    }
    return sorted(found, key=lambda pair: (-len(pair[0]) - len(pair[1]), pair))
