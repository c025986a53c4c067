"""The form of the reply to a request for candidates, and reading it although models get forms wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Listed = tuple[str, float | None]
"""An answer as the model wrote it, and its probability, None where there is no usable one."""


def _strict(**properties: Any) -> dict[str, Any]:
    """Describe an object that has these properties, all of them and no others, as strict servers want it said."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


REPLY_SCHEMA: Mapping[str, Any] = _strict(
    slots={
        "type": "array",
        "items": _strict(
            slot={"type": "string"},
            candidates={
                "type": "array",
                "items": _strict(answer={"type": "string"}, probability={"type": "number"}),
            },
        ),
    }
)
"""JSON schema of `{"slots": [{"slot": "1A", "candidates": [{"answer": "WORD", "probability": 0.6}]}]}`."""

_NUMBER_FIRST = re.compile(r"\W*(\d+)\W*([ad])(?:cross|own)?\W*", re.IGNORECASE)
_NUMBER_LAST = re.compile(r"\W*([ad])(?:cross|own)?\W*(\d+)\W*", re.IGNORECASE)


def read_slots(parsed: Any, slots: Iterable[str]) -> dict[str, list[Listed]]:
    """Read the answers per slot out of a reply's JSON, in the order given; unknown slots and fields are ignored.

    Takes the form of REPLY_SCHEMA and what models make of it: a bare list of slots, slots as names of an object,
    candidates as texts, pairs, or names with probabilities; slots called `1-Across`; probabilities as `60%`. A slot
    that comes twice has the candidates of both.

    >>> read_slots({"slots": [{"slot": "1a", "candidates": [{"answer": "Ant", "probability": 0.5, "by": 1}]}]}, ["1A"])
    {'1A': [('Ant', 0.5)]}
    >>> read_slots({"1-Across": ["ant", ["bee", "20%"]], "99D": ["x"]}, ["1A", "2D"])
    {'1A': [('ant', None), ('bee', 0.2)]}
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
            for name, value in parsed.items():
                yield name, value.get("candidates", value) if isinstance(value, dict) else value
            return
    for entry in parsed if isinstance(parsed, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("slot"), str):
            yield entry["slot"], entry.get("candidates")


def _candidates(candidates: Any) -> Iterator[Listed]:
    if isinstance(candidates, dict):
        candidates = [candidates] if isinstance(candidates.get("answer"), str) else list(candidates.items())
    elif isinstance(candidates, str):
        candidates = [candidates]
    for entry in candidates if isinstance(candidates, (list, tuple)) else ():
        match entry:
            case str():
                yield entry, None
            case {"answer": str(answer), **more}:
                yield answer, _probability(more.get("probability"))
            case [str(answer), *more]:
                yield answer, _probability(more[0] if more else None)


def _probability(value: Any) -> float | None:
    """Read a probability, also one in per cent; None for what cannot be one."""
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
