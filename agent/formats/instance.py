"""Candidate-list instances: a grid whose slots have lists of words instead of clues.

Two forms are read: AutoToS's own, `horizontal_answers` and `vertical_answers` of a grid without blocks, and ours for
any grid, `{"id": ..., "grid": ["#...", ...], "answers": {"1A": ["WORD", ...], ...}, "solution": ["#WOR", ...]}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from agent.errors import FormatError
from agent.formats.common import make_grid, written
from agent.formats.node import Node
from agent.grid import MAX_SIDE, Grid, Puzzle


@dataclass(frozen=True, slots=True)
class CandidateInstance:
    """A grid to be filled from word lists: slot name -> words in capitals, as listed, of whatever length.

    `solution` is the known goal grid, for scoring alone.

    >>> CandidateInstance("x", Grid.blank(2, 1), {"1A": ("NO", "OH")}).answers["1A"]
    ('NO', 'OH')
    """

    kind: ClassVar[str] = Puzzle.kind
    """That of the puzzle which they fill."""

    id: str
    grid: Grid
    answers: Mapping[str, tuple[str, ...]]
    solution: Grid | None = None


def looks_like(document: Node) -> bool:
    """Return whether a JSON object is such an instance.

    >>> looks_like(Node({"horizontal_answers": [], "vertical_answers": []}))
    True
    """
    return (document.has("horizontal_answers") and document.has("vertical_answers")) or _is_by_slot(document)


def _is_by_slot(document: Node) -> bool:
    return document.has("grid") and document.has("answers")


def read(document: Node) -> CandidateInstance:
    """Read an instance: a list per slot; or one list per row, then one per column.

    >>> lists = {"horizontal_answers": [["no"], ["oh"]], "vertical_answers": [["no"], ["oh"]]}
    >>> read(Node({"index": 7, **lists, "goal_grids": [["no", "oh"]]})).answers["3A"]
    ('OH',)
    """
    if _is_by_slot(document):
        return _read_by_slot(document)
    across, down = document.get("horizontal_answers").items(), document.get("vertical_answers").items()
    if not (2 <= len(across) <= MAX_SIDE and 2 <= len(down) <= MAX_SIDE):
        raise FormatError(f"expected 2 to {MAX_SIDE} rows and columns of answers, found {len(across)} and {len(down)}")
    grid = Grid.blank(len(down), len(across))
    answers = {
        slot.name: tuple(word.text().upper() for word in words)
        for slot, words in zip(grid.slots, [*across, *down], strict=True)
    }
    solution = None
    if document.has("goal_grids") and document.get("goal_grids").items():
        goal = document.get("goal_grids").items()[0]
        solution = make_grid([[written(letter, row.where) for letter in row.text()] for row in goal], goal.where)
        if (solution.width, solution.height) != (grid.width, grid.height):
            raise FormatError(f"expected a grid of {grid.width}x{grid.height}", goal.where)
    name = document.get("id").label("") or document.get("index").label("")
    return CandidateInstance(name, grid, answers, solution)


def _read_by_slot(document: Node) -> CandidateInstance:
    """Read the form in which slots are named."""

    def picture(field: str) -> Grid:
        return make_grid([list(row.text()) for row in document.get(field)], field)

    grid = picture("grid")
    solution = picture("solution") if document.has("solution") else None
    lists = document.get("answers")
    odd = {slot.name for slot in grid.slots} ^ set(lists.fields())
    if odd:
        raise FormatError(f"expected a list for every slot of the grid and no other: not so for {min(odd)}", "answers")
    if solution is not None and solution.blocks != grid.blocks:
        raise FormatError("expected the blocks of the grid", "solution")
    answers = {slot.name: tuple(word.text().upper() for word in lists.get(slot.name)) for slot in grid.slots}
    return CandidateInstance(document.get("id").label(""), grid, answers, solution)


def write(instance: CandidateInstance) -> str:
    """Return an instance as one line of JSON, slots by name.

    >>> write(CandidateInstance("x", Grid.blank(2, 1), {"1A": ("NO", "OH")}))
    '{"id": "x", "grid": [".."], "answers": {"1A": ["NO", "OH"]}}'
    """
    document: dict[str, Any] = {"id": instance.id, "grid": instance.grid.rows, "answers": instance.answers}
    if instance.solution is not None:
        document["solution"] = instance.solution.rows
    return json.dumps(document)
