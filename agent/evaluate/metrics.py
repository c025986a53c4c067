"""Score solutions against official ones, and sum up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.grid import BLOCK, Grid

Line = Mapping[str, Any]


def score(found: Grid, official: Grid | None) -> dict[str, Any]:
    """Count the right letters and words of a grid: `solved`, `letters` and `words` as [right, total].

    Without an official grid everything is None: nothing can be counted. A rebus cell counts by its first letter.

    >>> score(Grid.parse("AB\\nCD"), Grid.parse("AB\\nCE"))
    {'solved': False, 'letters': [3, 4], 'words': [2, 4]}
    """
    if official is None:
        return {"solved": None, "letters": None, "words": None}
    pairs = [(a[0], b[0]) for a, b in zip(found.cells, official.cells, strict=True) if b != BLOCK]
    right = sum(a == b for a, b in pairs)
    words = [all(found.cells[c][0] == official.cells[c][0] for c in slot.cells) for slot in official.slots]
    return {"solved": right == len(pairs), "letters": [right, len(pairs)], "words": [sum(words), len(words)]}


def summarise(lines: Sequence[Line], seconds: float) -> dict[str, Any]:
    """Sum up result lines: counts, letters and words as [right, total], work, and wall `seconds` of the whole run.

    `verified` counts grids that the solver claims to be complete and proved against the candidates,
    `false_verified` those of them that an independent check of the line's own grid refuses, `wrong` those that hold
    but are not the official filling. `failed` counts puzzles that ended in an error.

    >>> summarise([{"id": "a", "error": "no such file"}], 1.0)["failed"]
    1
    """
    done = [line for line in lines if "error" not in line]
    scored = [line for line in done if line["solved"] is not None]

    def pair(field: str) -> list[int]:
        return [sum(line[field][0] for line in scored), sum(line[field][1] for line in scored)]

    return {
        "puzzles": len(lines),
        "scored": len(scored),
        "solved": sum(line["solved"] for line in scored),
        "letters": pair("letters"),
        "words": pair("words"),
        "verified": sum(line["verified"] for line in done),
        "false_verified": sum(line["false_verified"] for line in done),
        "wrong": sum(line["verified"] and not line["solved"] for line in scored),
        "proved": sum(line["proof"] == "optimal" for line in done),
        "expansions": sum(line["expansions"] for line in done),
        "generated": sum(line["generated"] for line in done),
        "failed": len(lines) - len(done),
        "calibration_error": calibration_error(lines),
        "seconds": round(seconds, 3),
        "search_seconds": round(sum(line["seconds"] for line in done), 3),
        "puzzles_per_second": round(len(lines) / seconds, 1) if seconds else None,
    }


BINS = 10
"""Probability bins of the calibration table: tenths, as is usual (Guo et al. 2017)."""


def calibration(lines: Iterable[Line]) -> list[dict[str, float]]:
    """Compare stated probabilities with hit rates, slot by slot, in bins of a tenth.

    >>> calibration([{"slots": [[0.95, True], [0.97, False]]}])
    [{'from': 0.9, 'slots': 2, 'stated': 0.96, 'right': 0.5}]
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for line in lines:
        for probability, right in line.get("slots") or ():
            bins.setdefault(min(int(probability * BINS), BINS - 1), []).append((probability, right))
    return [
        {
            "from": index / BINS,
            "slots": len(pairs),
            "stated": round(sum(p for p, _ in pairs) / len(pairs), 4),
            "right": round(sum(r for _, r in pairs) / len(pairs), 4),
        }
        for index, pairs in sorted(bins.items())
    ]


def calibration_error(lines: Iterable[Line]) -> float | None:
    """Give the expected calibration error: the mean distance of stated and true rate, weighted by slots.

    >>> calibration_error([{"slots": [[0.95, True], [0.97, False]]}])
    0.46
    """
    table = calibration(lines)
    total = sum(row["slots"] for row in table)
    if not total:
        return None
    return round(sum(row["slots"] * abs(row["stated"] - row["right"]) for row in table) / total, 4)
