"""Candidate-list instances: a grid whose slots have lists of words instead of clues, as AutoToS uses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agent.formats.common import FormatError, make_grid, written
from agent.formats.node import Node
from agent.grid import MAX_SIDE, Grid


@dataclass(frozen=True, slots=True)
class CandidateInstance:
    """A grid to be filled from word lists: slot name -> words in capitals, as listed, of whatever length.

    `solution` is the known goal grid, for scoring alone.

    >>> CandidateInstance("x", Grid.blank(2, 1), {"1A": ("NO", "OH")}).answers["1A"]
    ('NO', 'OH')
    """

    id: str
    grid: Grid
    answers: Mapping[str, tuple[str, ...]]
    solution: Grid | None = None


def looks_like(document: Node) -> bool:
    """Whether a JSON object is such an instance.

    >>> looks_like(Node({"horizontal_answers": [], "vertical_answers": []}))
    True
    """
    return document.has("horizontal_answers") and document.has("vertical_answers")


def read(document: Node) -> CandidateInstance:
    """Read an instance: one list per row, then one per column.

    >>> lists = {"horizontal_answers": [["no"], ["oh"]], "vertical_answers": [["no"], ["oh"]]}
    >>> read(Node({"index": 7, **lists, "goal_grids": [["no", "oh"]]})).answers["3A"]
    ('OH',)
    """
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
