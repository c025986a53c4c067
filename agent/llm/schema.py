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

_NUMBER_FIRST = re.compile(r"\W*(\d+)\W*([ad])(?:cross|own)?\W*", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"\W*([ad])(?:cross|own)?\W*(\d+)\W*", re.IGNORECASE)


def read_slots(parsed: Any, slots: Iterable[str]) -> dict[str, list[Listed]]:
    """Read the answers per slot out of a reply's JSON, in the order given; unknown slots and fields are ignored.

    Accepts the form of REPLY_SCHEMA and the variants that models produce: a bare row or list of rows, slots as names or
    objects, candidates as texts, pairs, objects, or names with probabilities; slots named `1-Across`; probabilities as
    `60%`. A slot that occurs twice has the candidates of both.

    >>> read_slots({"notes": "Hm.", "slots": [["1a", "Ant", 0.5, "bee", 0.2]]}, ["1A"])
    {'1A': [('Ant', 0.5), ('bee', 0.2)]}
    >>> read_slots({"1-Across": {"ant": "50%", "bee": "20%"}, "99D": ["x"]}, ["1A", "2D"])
    {'1A': [('ant', 0.5), ('bee', 0.2)]}
    """
    names = {_plain_name(slot): slot for slot in slots}
    found: dict[str, list[Listed]] = {}
    for name, candidates in _entries(parsed):
        slot = names.get(_plain_name(name))
        if slot is not None:
            found.setdefault(slot, []).extend(_candidates(candidates))
    return found


def _entries(parsed: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(parsed, dict) and isinstance(parsed.get("slots"), (list, dict)):
        parsed = parsed["slots"]
    if isinstance(parsed, dict):
        if isinstance(parsed.get("slot"), str):
            parsed = [parsed]
        else:
            yield from parsed.items()
            return
    match parsed:
        case [str(), *_]:
            parsed = [parsed]
    for entry in parsed if isinstance(parsed, list) else ():
        match entry:
            case {"slot": str(name), **more}:
                yield name, more.get("candidates")
            case [str(name), *candidates]:
                yield name, candidates


def _candidates(candidates: Any) -> Iterator[Listed]:
    """Yield the candidates of one slot; in a plain row a number belongs to the text before it."""
    match candidates:
        case str() | {"answer": str()}:
            candidates = [candidates]
        case {"candidates": listed} if not isinstance(listed, (int, float)):  # a number: the word is "candidates"
            candidates = listed
    if isinstance(candidates, dict):
        candidates = list(candidates.items())
    for place, entry in enumerate(candidates if isinstance(candidates, list) else ()):
        match entry:
            case str() if _probability(entry) is None:
                yield entry, _probability(candidates[place + 1] if place + 1 < len(candidates) else None)
            case {"answer": str(answer), **more}:
                yield answer, _probability(more.get("probability"))
            case dict():
                yield from _candidates(entry)
            case [str(answer), *more]:
                yield answer, _probability(more[0] if more else None)


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
