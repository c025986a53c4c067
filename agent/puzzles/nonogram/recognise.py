"""Recognise a nonogram by its content."""

from __future__ import annotations

import re

from agent.glimpse import Glimpse

HEADING = re.compile(r"(rows?|columns?|cols?)\s*(?:clues)?\s*[:=]?\s*", re.IGNORECASE)
COLOURS = re.compile(r"colou?rs?\s*[:=]\s*", re.IGNORECASE)
KEYWORDS = ("width", "height", "rows")


def looks_like(seen: Glimpse) -> bool:
    """Return whether a text is a nonogram: clues of rows and columns as JSON, XML, .non, or lines of numbers.

    >>> from agent.glimpse import glimpse
    >>> looks_like(glimpse('{"rows": [[1]], "cols": [[1]]}')), looks_like(glimpse("2\\n\\n1\\n1"))
    (True, True)
    """
    found = seen.document
    if found is not None:
        return isinstance(found.get("rows"), list) and isinstance(found.get("cols", found.get("columns")), list)
    if seen.text.startswith("<"):
        return bool(re.search(r"<puzzle[\s>]", seen.text) and re.search(r"<clues\s+type", seen.text))
    if not seen.lines or re.search(r"\[\[.*\[\[", re.sub(r"\s", "", seen.text)):  # Prolog lists are a fill-in's
        return False
    if all(any(re.match(rf"{word}\b", line, re.IGNORECASE) for line in seen.lines) for word in KEYWORDS):
        return True
    headings = sum(bool(HEADING.match(line)) for line in seen.lines)
    coloured = any(COLOURS.match(line) for line in seen.lines)
    bare = [HEADING.sub("", line, count=1) for line in seen.lines if not COLOURS.match(line)]
    signs = r"(?<=\d)[A-Za-z]\b" if coloured else "$"
    are_numbers = all(re.fullmatch(rf"(?:[\d\s,;/.\[\]()-]|{signs})*", line) for line in bare)
    return are_numbers and any(re.search(r"\d", line) for line in bare) and headings != 1
