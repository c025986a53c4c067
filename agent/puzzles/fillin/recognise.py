"""Recognise a fill-in by its content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agent.glimpse import Glimpse


def looks_like(seen: Glimpse) -> bool:
    """Return whether a text is a fill-in: a grid with blocks, or with as many words of each length as runs; or Prolog.

    >>> from agent.glimpse import glimpse
    >>> looks_like(glimpse("[['#',_,_]] [[a,b]]")), looks_like(glimpse("A.\\n..\\n\\nABCD"))
    (True, False)
    """
    found = seen.document
    if found is not None:
        grid, words = found.get("grid"), found.get("words")
        if not isinstance(words, list) or "board" in found:
            return False
        if isinstance(grid, list) and all(isinstance(row, str) for row in grid):
            return has_runs_for(grid, [word for word in words if isinstance(word, str)])
        return bool(grid)
    if seen.lines and re.search(r"\[\[.*\[\[", re.sub(r"\s", "", seen.text)):
        return True
    return (bool(seen.words) and has_runs_for(seen.rows, seen.words)) or is_ragged(seen.lines)


def is_ragged(lines: Sequence[str]) -> bool:
    """Return whether lines are a grid whose rows differ in length, and words: not a puzzle, but meant as one.

    >>> is_ragged(["__#", "___", "#_", "", "ab cd"]), is_ragged(["__#", "___", "#_", "", "Across", "1. Not yes"])
    (True, False)
    """
    end = lines.index("") if "" in lines else len(lines)
    rows, words = lines[:end], " ".join(lines[end:]).replace(",", " ").split()
    if len(set(map(len, rows))) < 2 or not words or "across" in map(str.lower, words):
        return False
    return all(re.fullmatch(r"\w*[_#][\w#]*", row) for row in rows) and all(map(str.isalnum, words))


def has_runs_for(rows: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a grid has a block, or as many runs of each length as there are words.

    >>> has_runs_for(["_.", ".."], ["ab", "cd", "ac", "bd"]), has_runs_for(["A.", ".."], ["ABCD"])
    (True, False)
    """
    if not rows or any("#" in row for row in rows):
        return True
    runs = [len(rows[0])] * len(rows) + [len(rows)] * len(rows[0])
    return Counter(map(len, words)) == Counter(run for run in runs if run > 1)
