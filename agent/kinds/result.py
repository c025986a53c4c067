"""The result of a puzzle without clues: solutions, proof, reasons, steps and cost, as text, JSON and HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from agent.core.outcome import Termination
from agent.draw.letters import place
from agent.kind import GridPuzzle
from agent.kinds.registry import kind_of
from agent.result import SCHEMA_VERSION

if TYPE_CHECKING:
    from agent.core.propagate import Step
    from agent.draw.svg import Svg


FEW = 3
"""Cells in which solutions differ are named if there are no more than that."""

RULED_OUT = {
    "propagation": "No guessing was needed.",
    "search": "The search ruled out every other.",
    "cp-sat": "CP-SAT ruled out every other.",
}
"""How a solution was proved to be the only one, by `GridStats.finished_by`."""


@dataclass(frozen=True, slots=True)
class GridSolution:
    """One solution: its rows, the picture for a terminal, and the faults that the checker found."""

    puzzle: GridPuzzle = field(repr=False)
    rows: tuple[str, ...]
    text: str = field(repr=False)
    faults: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """True if the independent checker found no fault: every rule of the puzzle is met."""
        return not self.faults

    def svg(self) -> Svg:
        """Draw it as its kind is drawn."""
        return self.puzzle.svg(self.rows)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.svg()


@dataclass(frozen=True, slots=True)
class GridStats:
    """The effort of a solve, and the part of the solver that finished it.

    `propagations` counts revised slots, revised letters or probed cells. `finished_by` is "propagation" (no search
    at all), "search" or "cp-sat".
    """

    expansions: int = 0
    generated: int = 0
    propagations: int = 0
    seconds: float = 0.0
    finished_by: str = "propagation"


@dataclass(frozen=True, slots=True)
class GridResult:
    """The result of a puzzle.

    `unique` is True if the one solution is proved to be the only one, False if a second was found (it is in
    `solutions`), None if neither is known. `reason` explains why there is none, or why there are several.
    `steps` is the explanation, if it was asked for. `partial` is how far the search got, if it found no solution.

    >>> from agent.api import read_puzzle, solve
    >>> result = solve(read_puzzle("1\\n1\\n\\n1\\n1"), count=5)
    >>> result.unique, [solution.rows for solution in result.solutions]
    (False, [('#.', '.#'), ('.#', '#.')])
    >>> result.kind, result.solved, result.verified, result.proof, result.ended
    ('nonogram', True, False, 'several', '')
    >>> result.summary, result.to_json()["unique"]
    ('Solved, but it is not the only solution. Here are two: these are all. They differ in 4 of 4 cells.', False)
    >>> result.differing
    (0, 1, 2, 3)
    >>> result.to_text().splitlines()[0], result.to_html()[:15], result.svg()[:4]
    ('Solution 1:', '<!doctype html>', '<svg')
    """

    puzzle: GridPuzzle
    termination: Termination
    solutions: tuple[GridSolution, ...] = ()
    unique: bool | None = None
    reason: str = ""
    steps: tuple[Step, ...] = field(default=(), repr=False)
    partial: GridSolution | None = field(default=None, repr=False)
    stats: GridStats = field(default_factory=GridStats)

    @property
    def kind(self) -> str:
        """Name of the puzzle's kind."""
        return self.puzzle.kind

    @property
    def solved(self) -> bool:
        """True if there is a solution, and the checker accepts all that were found."""
        return bool(self.solutions) and all(solution.holds for solution in self.solutions)

    @property
    def verified(self) -> bool:
        """True if the solution is proved to be the only one, so that no other can be the one that was meant."""
        return self.solved and self.unique is True

    @property
    def proof(self) -> str:
        """The proof: "unique", "several", "none" or "open"."""
        if self.unique is not None:
            return "unique" if self.unique else "several"
        return "none" if self.termination == "exhausted" and not self.solutions else "open"

    @property
    def ended(self) -> str:
        """One line that says which limit ended the work, empty if it came to its own end."""
        return {"budget": "the search limit was reached", "cancelled": "interrupted"}.get(self.termination, "")

    @property
    def differing(self) -> tuple[int, ...]:
        """The cells, counted row by row, that are not the same in all solutions that were found."""
        filled = ["".join(solution.rows) for solution in self.solutions]
        return tuple(cell for cell, signs in enumerate(zip(*filled, strict=True)) if len(set(signs)) > 1)

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain values; a field that a crossword's result has too means the same there."""
        best = self.solutions[0] if self.solutions else self.partial
        found: dict[str, Any] = {
            "schema_version": SCHEMA_VERSION,
            "kind": self.kind,
            "id": self.puzzle.id,
            "title": self.puzzle.title,
            "solved": self.solved,
            "consistent": self.solved,
            "verified": self.verified,
            "grid": list(best.rows) if best else None,
            "termination": self.termination,
            "ended": self.ended,
            "summary": self.summary,
            "proof": self.proof,
            "unique": self.unique,
            "reason": self.reason,
            "faults": [fault for solution in self.solutions for fault in solution.faults],
            "solutions": [list(solution.rows) for solution in self.solutions],
            "differing": list(self.differing),
            "explanation": [
                {"rule": step.rule, "text": step.text, "cells": [list(cell) for cell in step.cells]}
                for step in self.steps
            ],
            "stats": {name: getattr(self.stats, name) for name in self.stats.__slots__},
        }
        return {**found, **kind_of(self.puzzle).report(self.puzzle, best.rows)} if best else found

    @property
    def summary(self) -> str:
        """One line on the result."""
        if not self.solutions:
            why = f" {self.reason}" if self.reason else ""
            if self.termination == "exhausted":
                return f"There is no solution.{why}"
            ended = "The budget ran out" if self.termination == "budget" else "Interrupted"
            return f"{ended} before a solution was found; none is ruled out.{why}"
        if not self.solved:
            return "Not solved, the check found: " + "; ".join(
                fault for solution in self.solutions for fault in solution.faults
            )
        if self.unique:
            return f"Solved, and it is the only solution. {RULED_OUT[self.stats.finished_by]}"
        if self.unique is False:
            number = f"{len(self.solutions)} solutions found" if len(self.solutions) > 2 else "Here are two"
            every = ": these are all" if self.termination == "exhausted" else ""
            why = f" {self.reason}" if self.reason else ""
            return f"Solved, but it is not the only solution. {number}{every}. {self._difference}{why}"
        return "Solved: every rule is met. Whether it is the only solution was not settled."

    @property
    def _difference(self) -> str:
        """Where the solutions differ, in words."""
        width, cells = self.puzzle.width, self.differing
        if len(cells) > FEW:
            return f"They differ in {len(cells)} of {width * self.puzzle.height} cells."
        ways = (
            f"{place(cell, width)} ({' or '.join(dict.fromkeys(''.join(one.rows)[cell] for one in self.solutions))})"
            for cell in cells
        )
        return f"They differ in {'; '.join(ways)}."

    def __str__(self) -> str:
        parts = [*(step.text for step in self.steps), ""] if self.steps else []
        for number, solution in enumerate(self.solutions, 1):
            if len(self.solutions) > 1:
                parts.append(f"Solution {number}:")
            parts += [solution.text, ""]
        if not self.solutions and self.partial:
            parts += [self.partial.text, ""]
        return "\n".join([*parts, self.summary])

    def to_text(self, *, colour: bool = False) -> str:
        """Return everything as a person reads it; nothing of it is coloured yet."""
        del colour
        return f"{self.puzzle.title}\n\n{self}" if self.puzzle.title else str(self)

    def svg(self) -> Svg:
        """Draw the solutions, one below the other; without any, the furthest state or the puzzle itself."""
        from agent.draw.svg import below

        shown = self.solutions or ((self.partial,) if self.partial else ())
        pictures = [solution.svg() for solution in shown] or [self.puzzle.svg()]
        return pictures[0] if len(pictures) == 1 else below(pictures, title=self.summary)

    def to_html(self) -> str:
        """Return a self-contained HTML page: the picture, the proof, and the steps if they were asked for."""
        from agent.draw.page import page

        return page(self.puzzle.title or kind_of(self.puzzle).title, self._repr_html_())

    def _repr_html_(self) -> str:
        steps = "".join(f"<li>{escape(step.text)}</li>" for step in self.steps)
        return f"<p><b>{escape(self.summary)}</b></p>{self.svg()}" + (f"<ol>{steps}</ol>" if steps else "")
