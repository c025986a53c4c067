"""Know the kind of a puzzle by its content, and read it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from agent.errors import FormatError
from agent.kinds.result import Kind, KindPuzzle
from agent.puzzles import fillin, gogen, nonogram
from agent.reading import decode, expected

UNKNOWN_SIGNS = "_.?*-"
"""Signs for an empty cell in any of the forms."""


def detect(data: str | bytes) -> Kind | None:
    """Tell the kind of a puzzle by its content, None where it is none of these.

    >>> detect('{"rows": [[1]], "cols": [[1]]}'), detect("M.G\\n...\\nA.B\\n\\nCAB"), detect("[['#',_,_]] [[a,b]]")
    ('nonogram', 'gogen', 'fillin')
    >>> detect("Across\\n1. Not out\\n\\nDown\\n1. Article") is None
    True
    """
    try:
        text = decode(data).strip()
    except FormatError:
        return None
    if text.startswith("{"):
        return detect_json(text)
    if text.startswith("<"):
        return "nonogram" if re.search(r"<puzzle[\s>]", text) and re.search(r"<clues\s+type", text) else None
    if re.search(r"\[\[.*\[\[", re.sub(r"\s", "", text)):
        return "fillin"
    lines = [line.strip() for line in text.split("\n")]
    if all(any(re.match(rf"{word}\b", line, re.IGNORECASE) for line in lines) for word in ("width", "height", "rows")):
        return "nonogram"
    headings = [bool(nonogram.files.HEADING.match(line)) for line in lines]
    bare = [nonogram.files.HEADING.sub("", line, count=1) for line in lines]
    if all(re.fullmatch(r"[\d\s,;/.\[\]()-]*", line) for line in bare) and any(re.search(r"\d", line) for line in bare):
        return "nonogram" if sum(headings) >= 2 or not any(headings) else None
    return detect_rows(lines)


def detect_json(text: str) -> Kind | None:
    """Tell the kind of a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or "clues" in found:
        return None
    if isinstance(found.get("rows"), list) and isinstance(found.get("cols", found.get("columns")), list):
        return "nonogram"
    if not isinstance(found.get("words"), list):
        return None
    if "board" in found:
        return "gogen"
    grid, words = found.get("grid"), [word for word in found["words"] if isinstance(word, str)]
    if isinstance(grid, list) and all(isinstance(row, str) for row in grid):
        return grid_or_board(grid, words)
    return "fillin" if grid else None


def detect_rows(lines: Sequence[str]) -> Kind | None:
    """Tell the kind of plain text: rows of cells, a blank line, words."""
    end = lines.index("") if "" in lines else len(lines)
    rows = ["".join(line.split()).replace(",", "") for line in lines[:end]]
    words = " ".join(lines[end:]).replace(",", " ").split()
    cells = "".join(rows)
    if any(
        len(parts) > 1 and max(map(len, parts)) > 1
        for parts in (line.replace(",", " ").split() for line in lines[:end])
    ):
        return None  # prose: blanks stand between words, not between cells
    fine = words and cells and len({len(row) for row in rows}) == 1 and all(word.isalnum() for word in words)
    if not fine or not all(sign.isalnum() or sign in UNKNOWN_SIGNS + "#" for sign in cells):
        return None
    if not any(sign in UNKNOWN_SIGNS + "#" for sign in cells):
        return None
    return grid_or_board(rows, words)


def grid_or_board(rows: Sequence[str], words: Sequence[str]) -> Kind:
    """Tell a fill-in from a Gogen: a block, or as many words of each length as runs, make a fill-in.

    >>> grid_or_board(["_.", ".."], ["ab", "cd", "ac", "bd"]), grid_or_board(["A.", ".."], ["ABCD"])
    ('fillin', 'gogen')
    """
    if not rows or any("#" in row for row in rows):
        return "fillin"
    runs = [len(rows[0])] * len(rows) + [len(rows)] * len(rows[0])
    return "fillin" if Counter(map(len, words)) == Counter(run for run in runs if run > 1) else "gogen"


def read_puzzle(data: str | bytes, *, kind: Kind | None = None, letters: str = "", source: str = "") -> KindPuzzle:
    """Read a puzzle of one of the kinds, known by content unless `kind` says it.

    With `letters` the data is a list of words for a 5x5 Gogen, and these are its nine starting letters, row by row.
    Raises FormatError.

    >>> read_puzzle("ace bd", letters="ABCDEFGHI").words
    ('ACE', 'BD')
    """
    text = decode(data, source=source)
    if letters:
        return gogen.parse(text, givens=letters, source=source)
    kind = kind or detect(text)
    if kind is None:
        raise expected("a fill-in, a Gogen or a nonogram", source=source)
    if kind == "fillin":
        return fillin.parse(text, source=source)
    return gogen.parse(text, source=source) if kind == "gogen" else nonogram.parse(text, source=source)
