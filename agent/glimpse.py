"""A first look at a text, from which each kind of puzzle recognises its own; it loads no solver."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.reading import json_value, was_json

UNKNOWN_SIGNS = "_.?*-"
"""Signs for an empty cell in any of the forms."""

OTHER_JSON = re.compile(r"\[\s*\{|ipuz\(")
"""The beginning of JSON that holds crosswords: a list of objects, or .ipuz in its function call."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A text, roughly parsed: `document` if it is a JSON object without clues, `lines` if it is neither JSON nor XML.

    `rows` and `words` are filled if the lines are rows of cells of one length, some of them empty or blocks, and words
    after a blank line.
    """

    text: str
    document: Mapping[str, Any] | None = None
    lines: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def glimpse(text: str) -> Glimpse:
    """Look at a text.

    >>> seen = glimpse("A.\\n..\\n\\nABCD")
    >>> seen.rows, seen.words
    (('A.', '..'), ('ABCD',))
    >>> glimpse('{"words": []}').document
    {'words': []}
    """
    text = text.strip()
    if text.startswith("{"):
        return Glimpse(text, document=_document(text))
    if text.startswith("<") or OTHER_JSON.match(text) or was_json(text) or _is_json_list(text):
        return Glimpse(text)
    lines = tuple(line.strip() for line in text.split("\n"))
    rows, words = _rows_and_words(lines)
    return Glimpse(text, lines=lines, rows=rows, words=words)


def _is_json_list(text: str) -> bool:
    """Return whether a text is a list in JSON: lines of numbers in brackets, and lists in Prolog, are not."""
    if not (text.startswith("[") and text.endswith("]")):
        return False
    try:
        return isinstance(json_value(text), list)
    except (ValueError, RecursionError):
        return False


def _document(text: str) -> Mapping[str, Any] | None:
    try:
        found = json_value(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "clues" not in found else None


def _rows_and_words(lines: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    nothing: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    end = lines.index("") if "" in lines else len(lines)
    rows = tuple("".join(line.split()).replace(",", "") for line in lines[:end])
    words = tuple(" ".join(lines[end:]).replace(",", " ").split())
    cells = "".join(rows)
    parts = (line.replace(",", " ").split() for line in lines[:end])
    if any(len(part) > 1 and max(map(len, part)) > 1 for part in parts):
        return nothing  # prose: its blanks separate words, not cells
    if not words or not cells or len({len(row) for row in rows}) > 1 or not all(word.isalnum() for word in words):
        return nothing
    if not all(sign.isalnum() or sign in UNKNOWN_SIGNS + "#" for sign in cells):
        return nothing
    return (rows, words) if any(sign in UNKNOWN_SIGNS + "#" for sign in cells) else nothing
