"""Solve a puzzle without clues, of any kind: deduce, search, race, verify, explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent.core.outcome import Budget, Event, OnEvent, Outcome, ignore
from agent.core.propagate import Backend, Rules, Settled, Step, explain, settle
from agent.kind import GridPuzzle
from agent.kinds.registry import AnyKind, kind_of
from agent.kinds.result import GridResult, GridSolution, GridStats


def check(puzzle: GridPuzzle, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the faults that the independent checker of the puzzle's kind finds in a filled grid.

    >>> from agent.kinds import read_kind
    >>> check(read_kind("1\\n\\n1"), ["."])
    ('row 1 has 0, its clue is 1', 'column 1 has 0, its clue is 1')
    """
    return kind_of(puzzle).check(puzzle, rows)


def solve_kind(
    puzzle: GridPuzzle,
    *,
    count: int = 1,
    prove_unique: bool = True,
    explain: bool = False,
    budget: Budget | None = None,
    on_event: OnEvent = ignore,
    backend: bool | None = None,
) -> GridResult:
    """Solve a puzzle: deduce, search in turns with CP-SAT, and verify the solutions.

    `count` solutions are looked for, with `prove_unique` at least two. `backend` says whether CP-SAT may take part:
    None means if the extra is installed; True raises ModuleNotFoundError if it is not. With `explain` every step
    is also an event "step". A cancelled or spent budget gives the best partial.

    >>> from agent.kinds import read_kind
    >>> solve_kind(read_kind("1\\n1\\n\\n1\\n1"), count=5).proof
    'several'
    """
    wanted = max(count, 2 if prove_unique else 1)
    return work_of(puzzle).solve(wanted, budget or Budget(), on_event, explain=explain, backend=backend)


def work_of(puzzle: GridPuzzle) -> Work:
    """Bring a puzzle to its start, with the functions of its kind.

    >>> from agent.kinds import read_kind
    >>> work_of(read_kind("1\\n\\n1")).settle(2, Budget()).finished_by
    'propagation'
    """
    kind = kind_of(puzzle)
    start = kind.start(puzzle)
    return Work(puzzle, kind, start, kind.rules(start))


@dataclass(frozen=True, slots=True)
class Work:
    """A puzzle being solved: its kind, its start, and the functions, which share what the search learns.

    Each kind has states of its own type; here they are handled alike, as Any.
    """

    puzzle: GridPuzzle
    kind: AnyKind
    start: Any
    rules: Rules[Any]

    def shown(self, state: Any, *, complete: bool = True) -> GridSolution:
        """Turn a state into rows and text, with the checker's faults if it is complete."""
        rows = self.kind.rows(state)
        faults = check(self.puzzle, rows) if complete else ()
        return GridSolution(self.puzzle, rows, self.kind.render(self.puzzle, rows), faults)

    def settle(
        self, wanted: int, budget: Budget, backend: Backend[Any] | None = None, on_event: OnEvent = ignore
    ) -> Settled[Any]:
        """Deduce and search; nothing is drawn or checked yet."""
        return settle(
            self.start,
            self.rules,
            count=wanted,
            budget=budget,
            warm_up=self.kind.warm_up,
            backend=backend,
            own_effort=self.kind.own_effort(self.puzzle),
            pace=self.kind.pace,
            on_event=on_event,
        )

    def solve(
        self, wanted: int, budget: Budget, on_event: OnEvent, *, explain: bool, backend: bool | None
    ) -> GridResult:
        """Do what :func:`solve_kind` says."""
        settled = self.settle(wanted, budget, find_backend(self.kind, wanted=backend), on_event)
        outcome = settled.outcome
        solutions = tuple(self.shown(goal) for goal in outcome.goals)
        unique = None
        if len(solutions) > 1 or (solutions and outcome.termination == "exhausted"):
            unique = len(solutions) == 1
        result = GridResult(
            puzzle=self.puzzle,
            termination=outcome.termination,
            solutions=solutions,
            unique=unique,
            partial=self.partial(outcome, settled.root),
            stats=GridStats(
                outcome.expansions,
                outcome.generated,
                self.rules.effort.units,
                outcome.seconds,
                settled.finished_by,
            ),
        )
        return self.explained(result, outcome, on_event, explain=explain)

    def partial(self, outcome: Outcome[Any], root: Any) -> GridSolution | None:
        """Show how far it got: the deepest state if the search was stopped, else what deduction alone finds."""
        if outcome.goals:
            return None
        state = root if outcome.termination == "exhausted" else outcome.best_partial or root
        return None if state is None else self.shown(state, complete=False)

    def explained(self, result: GridResult, outcome: Outcome[Any], on_event: OnEvent, *, explain: bool) -> GridResult:
        """Add the reason if there is no solution or several, and the steps if they were asked for."""
        reason = self.several(unique=result.unique)
        none = not outcome.goals and outcome.termination == "exhausted"
        if not explain and not none:
            return replace(result, reason=reason)
        steps = self.steps(outcome, only=result.unique is True)
        if none:
            last = steps[-1] if steps and steps[-1].rule == "contradiction" else None
            tried = f"All possibilities were tried, {outcome.expansions} choices: none works out."
            reason = last.text if last else tried
            if not last:
                steps = (*steps, Step("contradiction", tried))
        if explain:
            for step in steps:
                on_event(Event("step", {"rule": step.rule, "text": step.text, "cells": dict(step.cells)}))
        return replace(result, reason=reason, steps=steps if explain else ())

    def steps(self, outcome: Outcome[Any], *, only: bool) -> tuple[Step, ...]:
        """Explain the way to the first solution, or to the contradiction, in words."""
        return explain(self.start, self.rules, outcome.goal, self.kind.rows, only=only)

    def several(self, *, unique: bool | None) -> str:
        """Return why there are several solutions, if that is plain."""
        return self.kind.several(self.puzzle) if unique is False else ""


def find_backend(kind: AnyKind, *, wanted: bool | None = None) -> Backend[Any] | None:
    """Return CP-SAT for a kind; None if it is not wanted, not installed (unless it is demanded), or not encoded.

    >>> from agent.kinds import read_kind
    >>> find_backend(kind_of(read_kind("1\\n\\n1")), wanted=False) is None
    True
    """
    from agent import cpsat

    if wanted is False or kind.encode is None or (wanted is None and not cpsat.available()):
        return None
    if not cpsat.available():
        raise ModuleNotFoundError("CP-SAT is not installed: pip install 'gridwright[ortools]'")
    return cpsat.CpSat(kind.encode)
