"""Reading input: the one decoder of text, JSON parsed once, and the few steps that readers of rows share."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from agent.errors import FormatError


def expected(what: str, *, source: str = "", line: int = 0) -> FormatError:
    """Return the error that names the place and what was expected there.

    >>> str(expected("a row of 5 cells, not 4", source="mini.txt", line=3))
    'mini.txt: line 3: expected a row of 5 cells, not 4'
    """
    return FormatError(f"expected {what}", f"line {line}" if line else "", source)


def decode(data: bytes | str, *, source: str = "", wanted: str = "text") -> str:
    """Decode a text file: as UTF-8, UTF-16 or UTF-32, with a byte order mark or without, else as Windows-1252.

    Line ends become newlines. Raises FormatError, which names what was `wanted`, if there is a zero byte: that is
    binary data.

    >>> decode(b"\\x93caf\\xe9\\x94\\r\\n")
    '“café”\\n'
    """
    if isinstance(data, bytes):
        try:
            text = data.decode(json.detect_encoding(data)).removeprefix("\ufeff")
        except UnicodeDecodeError:
            is_torn = data.startswith((b"\xff\xfe", b"\xfe\xff"))
            text = data.decode("utf-16" if is_torn else "cp1252", errors="replace")
    else:
        text = data.removeprefix("\ufeff")
    if "\0" in text:
        raise expected(f"{wanted}, found binary data", source=source)
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=1)
def json_value(text: str) -> Any:
    """Parse JSON. The last value is remembered, as a puzzle is recognised by its fields before it is read.

    Raises ValueError as `json.loads` does, RecursionError if it is nested too deep. The value is not to be changed.

    >>> json_value("[1]")
    [1]
    """
    return json.loads(text)


def json_object(text: str, *, source: str = "") -> Mapping[str, Any]:
    """Read one JSON object. Raises FormatError with the line of the fault.

    >>> json_object('{"words": []}')
    {'words': []}
    >>> json_object('[', source="x.json")
    Traceback (most recent call last):
    agent.errors.FormatError: x.json: line 1: expected valid JSON (Expecting value)
    """
    try:
        found = json_value(text)
    except json.JSONDecodeError as fault:
        raise expected(f"valid JSON ({fault.msg})", source=source, line=fault.lineno) from None
    except (RecursionError, ValueError) as fault:  # nested too deep, or a number of thousands of digits
        raise expected(f"JSON of a puzzle ({type(fault).__name__})", source=source) from None
    if not isinstance(found, dict):
        raise expected(f"a JSON object, found a {type(found).__name__}", source=source)
    return found


JSON_FIELD = re.compile(r'"\w+"\s*:\s*["\[{\d]')
SOME_FIELDS = 3


def was_json(text: str) -> bool:
    """Return whether a text has several fields of JSON, though it may have lost its beginning.

    >>> was_json('"version": "2", "kind": ["crossword"], "block": "#"}'), was_json('1. "Yes": a song')
    (True, False)
    """
    return len(JSON_FIELD.findall(text)) >= SOME_FIELDS


def names(holder: Mapping[str, Any]) -> tuple[str, str]:
    """Return the identity and the title that a JSON object holds, each empty if there is none.

    >>> names({"name": "no-7", "title": "Wild birds"})
    ('no-7', 'Wild birds')
    """
    return str(holder.get("id") or holder.get("name") or ""), str(holder.get("title") or "")


def named(identity: str, title: str) -> dict[str, str]:
    """Return the fields that :func:`names` reads; there is no title in them if it is empty.

    >>> named("no-7", ""), named("no-7", "Wild birds")
    ({'id': 'no-7'}, {'id': 'no-7', 'title': 'Wild birds'})
    """
    return {"id": identity, **({"title": title} if title else {})}


def text_list(holder: Mapping[str, Any], key: str, *, source: str = "") -> tuple[str, ...]:
    """Return a list of strings from a JSON object. Raises FormatError if it is anything else.

    >>> text_list({"words": ["hat"]}, "words")
    ('hat',)
    """
    found = holder.get(key)
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise expected(f'"{key}" to be a list of strings', source=source)
    return tuple(found)


def text_rows(holder: Mapping[str, Any], key: str, *, source: str = "", empty: str = "_") -> tuple[str, ...]:
    """Return a grid from a JSON object: a list of strings, a list of lists of cells, or one string with line ends.

    In lists of lists a cell that is null, "" or a space becomes `empty`. Raises FormatError if the rows are
    anything else, of different lengths, or none.

    >>> text_rows({"grid": [["#", "h"], [None, "#"]]}, "grid")
    ('#h', '_#')
    """
    found = holder.get(key)
    if isinstance(found, str):
        found = found.split()
    if not isinstance(found, list):
        raise expected(f'"{key}" to be a list of rows', source=source)
    rows = []
    for number, row in enumerate(found, start=1):
        cells = [empty if cell in (None, "", " ") else cell for cell in row] if isinstance(row, list | str) else []
        if not cells or not all(isinstance(cell, str) and len(cell) == 1 for cell in cells):
            raise expected(f'row {number} of "{key}" to be cells of one character each', source=source)
        rows.append("".join(cells))
    same_length(rows, source=source)
    return tuple(rows)


def same_length(rows: Sequence[str], *, source: str = "", first_line: int = 0) -> None:
    """Refuse rows of different lengths, or none at all; `first_line` is the line of the first row, 0 if unknown.

    >>> same_length(["ab", "c"], first_line=1)
    Traceback (most recent call last):
    agent.errors.FormatError: line 2: expected a row of 2 cells as in the first row, found 1
    """
    if not rows:
        raise expected("rows of a grid, found none", source=source)
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            line = first_line + number if first_line else 0
            which = "a row" if line else f"row {number + 1} to be a row"
            found = f"{which} of {len(rows[0])} cells as in the first row, found {len(row)}"
            raise expected(found, source=source, line=line)


def capitals(text: str) -> str:
    """Turn letters into capitals unless that makes several characters: a cell holds one, so a sharp s stays.

    >>> capitals("aß1é")
    'Aß1É'
    """
    return "".join(upper if len(upper := sign.upper()) == 1 else sign for sign in text)


def small(text: str) -> str:
    """Turn letters into small ones unless that makes several characters.

    >>> small("AB1")
    'ab1'
    """
    return "".join(lower if len(lower := sign.lower()) == 1 else sign for sign in text)
