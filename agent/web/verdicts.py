"""Verdicts for the page: what `judge --json` and `autotos search --json` print, read as data. Nothing in it is run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agent.draw.grid import is_grid
from agent.errors import VerdictError
from agent.formats.common import shown
from agent.web.drawing import expansions_svg

MOST_LINES = 2_000
"""Maximum number of lines: more functions than a reader looks at on one page."""

MOST_GRIDS = 4
"""Maximum number of offending and of right grids sent for a counter-example."""


def read(text: str) -> dict[str, Any]:
    """Read lines of JSON into verdicts and searches for the page.

    >>> line = '{"file": "a.py", "role": "goal", "function": "f", "verdict": "exact", "accepted": true, "details": []}'
    >>> [verdict["name"] for verdict in read(line)["verdicts"]]
    ['a.py f']
    """
    verdicts: list[dict[str, Any]] = []
    searches: list[dict[str, Any]] = []
    for place, row in _rows(text):
        if "verdict" in row and isinstance(row.get("details", []), list):
            verdicts.append(verdict_of(row, place))
        elif "expansions" in row and "strategy" in row:
            searches.append(search_of(row, place))
        else:
            raise VerdictError(f"{place}: expected a line of judge --json or autotos search --json")
    if not verdicts and not searches:
        raise VerdictError("expected the output of judge --json, found nothing")
    return {"verdicts": verdicts, "searches": searches, "chart": expansions_svg(searches)}


def _rows(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the JSON objects with the place where each stands: a line each, or a list of them."""
    if text.lstrip().startswith("["):
        found = _parse(text, "the list")
        places = [(f"item {number}", row) for number, row in enumerate(found, 1)]
    else:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        places = [(f"line {number}", _parse(line, f"line {number}")) for number, line in lines[: MOST_LINES + 1]]
    if len(places) > MOST_LINES:
        raise VerdictError(f"expected at most {MOST_LINES:,} lines")
    for place, row in places:
        if not isinstance(row, dict):
            raise VerdictError(f"{place}: expected a JSON object, found {shown(row)}")
        yield place, row


def _parse(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise VerdictError(f"{place}: expected JSON, found {shown(text.strip())}") from None


def verdict_of(row: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the parts of a verdict that the page shows."""
    identity = [str(row[key]) for key in ("file", "model", "id", "run", "line") if isinstance(row.get(key), str | int)]
    faults = [detail for detail in row.get("details", []) if isinstance(detail, dict)]
    return {
        "name": " ".join([*identity, _text(row, "function")]) or place,
        "role": _text(row, "role"),
        "verdict": _text(row, "verdict"),
        "accepted": row.get("accepted") is True,
        "cases": _count(row, "cases"),
        "seconds": _count(row, "seconds"),
        "backend": _text(row, "backend"),
        "faults": [_fault(detail) for detail in faults if detail.get("weight") != "remark"],
        "remarks": [_text(detail, "kind") for detail in faults if detail.get("weight") == "remark"],
        "expansions": _count(row, "expansions"),
    }


def search_of(row: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the parts of a search that the page shows. Raises VerdictError if it has no count."""
    expansions = _count(row, "expansions")
    if expansions is None or expansions < 0:
        raise VerdictError(f"{place}: expected expansions as a number")
    return {
        "who": _text(row, "who"),
        "strategy": _text(row, "strategy"),
        "instance": str(row.get("instance", "")),
        "ended": _text(row, "ended"),
        "solved": row.get("solved") is True,
        "expansions": expansions,
        "seconds": _count(row, "seconds"),
    }


def _fault(detail: Mapping[str, Any]) -> dict[str, Any]:
    example = detail.get("counter_example")
    return {
        "name": _text(detail, "kind"),
        "weight": _text(detail, "weight"),
        "count": _count(detail, "count"),
        "text": _text(detail, "note"),
        "feedback": _text(detail, "feedback"),
        "counter_example": _example(example) if isinstance(example, dict) else None,
    }


def _example(example: Mapping[str, Any]) -> dict[str, Any]:
    """Return the grids of a counter-example; any other value is sent as JSON text."""
    offending, expected = example.get("offending"), example.get("expected")
    return {
        "state": grid(example.get("state")),
        "came": _shown(example.get("came")) if not offending else "",
        "offending": [grid(one) for one in offending[:MOST_GRIDS]] if isinstance(offending, list) else [],
        "expected": [found for one in expected[:MOST_GRIDS] if (found := grid(one))]
        if isinstance(expected, list)
        else [],
        "right": "" if isinstance(expected, list) else _shown(expected),
    }


def grid(value: Any) -> list[list[str]] | None:
    """Return the rows of a grid, `.` for an empty cell; None if it is not a grid.

    >>> grid([["a", None], ["#", "b"]]), grid("x")
    ([['a', '.'], ['#', 'b']], None)
    """
    return [[cell or "." for cell in row] for row in value] if is_grid(value) else None


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:300]


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key, "")
    return value[:2_000] if isinstance(value, str) else ""


def _count(row: Mapping[str, Any], key: str) -> float | None:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
        return None
    return value
