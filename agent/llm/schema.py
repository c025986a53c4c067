"""The form of the reply to a request for candidates, and a reader for it that tolerates the mistakes of models."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Listed = tuple[str, float | None]
"""An answer as the model wrote it, and its probability, None if there is no usable one."""


REPLY_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "notes": {"type": "string"},
        "slots": {
            "type": "array",
            "items": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
        },
    },
    "required": ["notes", "slots"],
    "additionalProperties": False,
}
"""JSON schema of `{"notes": "", "slots": [["1A", "WORD", 0.6, "TERM", 0.2], ["4D", "OTHER", 0.9]]}`.

A server that enforces JSON leaves no room for thinking before it: `notes` comes first so that the model can think
there. Strict servers want every property named and required, so notes may be empty but not missing, and slots are rows
and not names of an object. They also compile a schema once, so it is the same for every puzzle.
"""

_NUMBER_FIRST = re.compile(r"[\W_]*(\d+)[\W_]*([ad])(?:cross|own)?\W*(?:\(\d[^()]*\)\W*)?", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"[\W_]*([ad])(?:cross|own)?[\W_]*(\d+)\W*", re.IGNORECASE)

_HEADING = re.compile(r"\W*(across|down)\W*", re.IGNORECASE)
_LINE = re.compile(  # of what may repeat, only the first and the last part are unbounded: no line takes long
    r"\W*(\d{1,4})(?:\W{,3}(a(?:cross)?|d(?:own)?)\b)?\s?(?:\(\d[^()]{,9}\))?\W{,9}?[:|=.)\t\u2013\u2014-]\W{,9}(\w.*)",
    re.IGNORECASE,
)
_APART = re.compile(r"[|,;:=()\[\]\t]|\s[-\u2013\u2014]\s")
"""What stands between the words of a line: a hyphen only between blanks, as it may be part of an answer."""

_DIRECTIONS = {"across": "A", "a": "A", "down": "D", "d": "D"}
_LABELS = ("slot", "number", "id", "name", "clue")
_LISTS = ("candidates", "answers", "words", "guesses", "alternatives", "others")
_WORDS = ("answer", "word", "solution", "guess", "text")
_SHARES = ("probability", "prob", "p", "confidence", "score")
_REMARKS = ("notes", "note", "clue", "reason", "why", "length", "enumeration", "direction", "number")
"""Names that models give to the parts of an entry when they keep to a form of their own."""


def read_slots(parsed: Any, slots: Iterable[str]) -> dict[str, list[Listed]]:
    """Read the answers per slot out of a reply's JSON, in the order given; unknown slots and fields are ignored.

    Accepts the form of REPLY_SCHEMA and the variants that models produce: a bare row or list of rows, slots as names or
    objects, grouped by direction, at any depth; candidates as texts, pairs, objects, or names with probabilities; slots
    named `1-Across`; probabilities as `60%`. A slot that occurs twice has the candidates of both.

    >>> read_slots({"notes": "Hm.", "slots": [["1a", "Ant", 0.5, "bee", 0.2]]}, ["1A"])
    {'1A': [('Ant', 0.5), ('bee', 0.2)]}
    >>> read_slots({"1-Across": {"ant": "50%", "bee": "20%"}, "99D": ["x"]}, ["1A", "2D"])
    {'1A': [('ant', 0.5), ('bee', 0.2)]}
    >>> read_slots({"across": {"1": "ant"}, "down": [{"number": 2, "word": "bee", "p": 0.2}]}, ["1A", "2D"])
    {'1A': [('ant', None)], '2D': [('bee', 0.2)]}
    """
    names = {_plain_name(slot): slot for slot in slots}
    found: dict[str, list[Listed]] = {}
    if isinstance(parsed, dict) and isinstance(parsed.get("slots"), (list, dict)):
        parsed = parsed["slots"]
    for slot, candidates in _entries(parsed, names):
        found.setdefault(slot, []).extend(_candidates(candidates))
    return found


def read_lines(text: str) -> list[list[str]]:
    """Return the rows of a list or table in plain text: a slot's name, then what stands behind it, piece by piece.

    >>> read_lines("| **1A** | ANT | 0.5 |\\n- 2 Down (3): BEE (20%)\\n1A is hard, I have no idea")
    [['1A', 'ANT', '0.5'], ['2D', 'BEE', '20%']]
    >>> read_lines("**Across**\\n1. ANT\\n\\n**Down**\\n2. BEE - it buzzes")
    [['1A', 'ANT'], ['2D', 'BEE', 'it buzzes']]
    """
    rows, group = [], ""
    for line in text.splitlines():
        if heading := _HEADING.fullmatch(line):
            group = _DIRECTIONS[heading[1].lower()]
        elif (found := _LINE.fullmatch(line)) and (direction := _DIRECTIONS.get((found[2] or "").lower(), group)):
            pieces = (piece.strip(" *_`") for piece in _APART.split(found[3]))
            rows.append([found[1] + direction, *filter(None, pieces)])
    return rows


def _entries(value: Any, names: Mapping[str, str], direction: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (slot, what is said of it), however deep; `direction` is that of the group, empty if there is none."""

    def named(name: Any) -> str | None:
        plain = _plain_name(str(name)) if isinstance(name, (str, int)) else ""
        return names.get(plain) or names.get(plain + direction)

    match value:
        case dict():
            direction = _DIRECTIONS.get(str(value.get("direction")).lower(), direction)
            label = next((key for key in _LABELS if named(value.get(key))), None)
            if label is not None:
                yield str(named(value[label])), {key: part for key, part in value.items() if key != label}
                return
            for key, part in value.items():
                if slot := named(key):
                    yield slot, part
                elif isinstance(part, (dict, list)) and key != "notes":
                    yield from _entries(part, names, _DIRECTIONS.get(key.lower(), direction))
        case [str() | int() as name, *candidates]:
            if slot := named(name):
                yield slot, candidates
        case list():
            for entry in value:
                yield from _entries(entry, names, direction)


def _candidates(candidates: Any) -> Iterator[Listed]:
    """Yield the candidates of one slot; in a plain row a number belongs to the text before it.

    If a row begins with a number, each belongs to the text after it.
    """
    match candidates:
        case str():
            candidates = [candidates]
        case dict() if any(isinstance(candidates.get(key), str) for key in _WORDS):
            word = next(key for key in _WORDS if isinstance(candidates.get(key), str))
            yield candidates[word], next((_probability(candidates[key]) for key in _SHARES if key in candidates), None)
            for key in _LISTS:
                yield from _candidates(candidates.get(key))
            return
        case dict():  # a name whose value is a number is a word, any other is that of a part
            for word, part in candidates.items():
                share = _probability(part)
                if share is not None or isinstance(part, (int, float)):
                    yield from () if word in _SHARES else [(word, share)]
                elif word in _LISTS or not (isinstance(part, dict) or word in _REMARKS):
                    yield from _candidates(part)
            return
    row = candidates if isinstance(candidates, list) else []
    if len(row) % 2 == 0 and all(_probability(share) is not None for share in row[::2]):
        row = [part for pair in zip(row[1::2], row[::2], strict=True) for part in pair]
    for place, entry in enumerate(row):
        match entry:
            case str() if _probability(entry) is None:
                share = _probability(row[place + 1] if place + 1 < len(row) else None)
                words = [word.strip() for word in entry.split(",") if word.strip()]
                yield from [(word, None) for word in words] if len(words) > 1 else [(entry, share)]
            case dict():
                yield from _candidates(entry)
            case [str() | int() | float(), *_]:
                yield from list(_candidates(entry))[:1]
            case list():
                yield from _candidates(entry)


def _probability(value: Any) -> float | None:
    """Return a probability, also from a percentage; None if it cannot be one."""
    per_cent = False
    if isinstance(value, str):
        per_cent = value.strip().endswith("%")
        value = value.strip().removesuffix("%")
    elif isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        value = float(value)
    except (ValueError, OverflowError):
        return None
    if per_cent or 1 < value <= 100:
        value /= 100
    return value if 0 <= value <= 1 else None


def _plain_name(name: str) -> str:
    if found := _NUMBER_FIRST.fullmatch(name):
        return found[1] + found[2].upper()
    if found := _NUMBER_LAST.fullmatch(name):
        return found[2] + found[1].upper()
    return name.strip().upper()
