"""Events and answers as the page receives them: server-sent events with JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import exp, isfinite
from typing import Any

from agent.core import Event
from agent.draw.doubt import DIGITS, rounded
from agent.grid import Candidate, Grid, Puzzle
from agent.kinds import GridResult
from agent.puzzles.crossword import Domain
from agent.solution import Solution, agrees
from agent.web.boards import AnyPuzzle, cells_of, geometry

LISTED = 8
"""Candidates of a slot that are sent: more than a page shows, and a fraction of what the ranking holds."""


def frame(name: str, data: Mapping[str, Any]) -> bytes:
    r"""Return one server-sent event. JSON has no line ends of its own, so nothing in a clue can end it early.

    >>> frame("started", {"id": "x\n"})
    b'event: started\ndata: {"id":"x\\n"}\n\n'
    """
    return f"event: {name}\ndata: {dumps(data)}\n\n".encode()


def dumps(value: Any) -> str:
    """Return JSON that every parser accepts: no NaN, no infinity.

    >>> dumps({"a": [1.5, None]})
    '{"a":[1.5,null]}'
    """
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def event_frame(event: Event) -> bytes:
    """Return a search's event as a server-sent event of the same name."""
    data = dict(event.data)
    if event.kind == "proposed":
        data = {"provider": data["provider"], "slots": _proposed(data["candidates"])}
    elif event.kind == "asked":
        data = {"provider": data["provider"], "exchanges": [asdict(one) for one in data["exchanges"]]}
    elif event.kind == "ranked":
        data = {"asked": list(data["asked"]), "slots": {slot: _best(of) for slot, of in data["domains"].items()}}
    elif event.kind == "pattern":
        data = {**geometry(Grid.parse("\n".join(data["rows"])), {}), "cost": round(data["cost"], DIGITS)}
    elif event.kind == "round":
        data = {"round": data["round"], "cells": list("".join(data["rows"])), "unsure": data["unsure"]}
    return frame(event.kind, {name: _finite(value) for name, value in data.items()})


def answer_frame(
    answer: Solution | GridResult, puzzle: AnyPuzzle, handle: str, elapsed: float, *, exports: Sequence[str] = ()
) -> bytes:
    """Return the end of a search: the result in words, the cells, and the official solution next to them."""
    official = puzzle.solution if isinstance(puzzle, Puzzle) else None
    found: dict[str, Any]
    if isinstance(answer, Solution):
        cells: Sequence[str] | None = answer.grid.cells
        found = {
            **answer.to_json(),
            "remarks": list(answer.remarks),
            "other": list(answer.runner_up.cells) if answer.is_ambiguous and answer.runner_up else None,
        }
        if not isinstance(puzzle, Puzzle):  # the page has had no grid so far
            clues = {clue.slot: clue.text for clue in answer.puzzle.clues}
            found["board"] = {**geometry(answer.puzzle.grid, clues), "id": handle}
    else:
        best = answer.solutions[0] if answer.solutions else answer.partial
        cells = cells_of(answer.puzzle, best.rows) if best else None
        other = cells_of(answer.puzzle, answer.solutions[1].rows) if len(answer.solutions) > 1 else None
        found = {**answer.to_json(), "other": other}
    differences: list[int] = []
    if official is not None and cells is not None:
        pairs = zip(cells, official.cells, strict=True)
        differences = [index for index, (cell, theirs) in enumerate(pairs) if not agrees(cell, theirs)]
    return frame(
        "solution",
        {
            **found,
            "handle": handle,
            "exports": list(exports),
            "cells": None if cells is None else list(cells),
            "official": None if official is None else list(official.cells),
            "differences": differences,
            "elapsed": round(elapsed, DIGITS),
        },
    )


def _proposed(candidates: Mapping[str, Sequence[Candidate]]) -> dict[str, list[list[Any]]]:
    """Return the best candidates of each slot."""
    return {
        slot: [
            [candidate.answer, rounded(candidate.probability)]
            for candidate in sorted(found, key=lambda candidate: -candidate.probability)[:LISTED]
        ]
        for slot, found in candidates.items()
    }


def _best(domain: Domain) -> list[list[Any]]:
    """Return the cheapest words of a ranked domain with their probabilities."""
    few = domain.nearest(LISTED)
    return [[few.word(index), rounded(exp(-few.costs[index]))] for index in few.costs.argsort().tolist()]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
