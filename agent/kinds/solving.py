"""Solve a fill-in, a Gogen or a nonogram: deduce, search, hand over, verify, explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent import verify_grids
from agent.core.outcome import Budget, Event, OnEvent, Outcome, ignore
from agent.core.propagate import Backend, Rules, Settled, Step, explain, settle
from agent.kinds.result import GridResult, GridSolution, GridStats, Kind, KindPuzzle
from agent.puzzles import fillin, gogen, nonogram

OWN_EFFORT = {"fillin": 1_000_000.0, "gogen": 100_000.0}
"""With CP-SAT at hand, our own search hands over after so many revised slots or letters: one to three seconds. On the
generated fill-ins near the phase transition it is the faster of the two more often than not, so it gets its time."""


def kind_of(puzzle: KindPuzzle) -> Kind:
    """Name the kind of a puzzle that was read.

    >>> kind_of(nonogram.parse("1\\n\\n1"))
    'nonogram'
    """
    if isinstance(puzzle, fillin.FillIn):
        return "fillin"
    return "gogen" if isinstance(puzzle, gogen.Gogen) else "nonogram"


def check(puzzle: KindPuzzle, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the faults that the independent checker finds in a filled grid.

    >>> check(nonogram.parse("1\\n\\n1"), ["."])
    ('row 1 has 0, its clue is 1', 'column 1 has 0, its clue is 1')
    """
    if isinstance(puzzle, fillin.FillIn):
        return verify_grids.check_fillin(puzzle.grid, puzzle.words, rows, spare=puzzle.spare)
    if isinstance(puzzle, gogen.Gogen):
        return verify_grids.check_gogen(puzzle.board, puzzle.words, rows, letters=puzzle.letters)
    return verify_grids.check_nonogram(puzzle.rows, puzzle.columns, rows)


def solve_kind(
    puzzle: KindPuzzle,
    *,
    count: int = 1,
    prove_unique: bool = True,
    explain: bool = False,
    budget: Budget | None = None,
    on_event: OnEvent = ignore,
    backend: bool | None = None,
) -> GridResult:
    """Solve a puzzle: deduce, search, hand over to CP-SAT, and verify what came out.

    `count` solutions are looked for, with `prove_unique` at least two. `backend` says whether CP-SAT may be called in:
    None means where the extra is installed; True raises ModuleNotFoundError where it is not. With `explain` every step
    is also an event "step". A cancelled or spent budget gives the best partial.

    >>> solve_kind(nonogram.parse("1\\n1\\n\\n1\\n1"), count=5).proof
    'several'
    """
    wanted = max(count, 2 if prove_unique else 1)
    return work_of(puzzle).solve(wanted, budget or Budget(), on_event, explain=explain, backend=backend)


def work_of(puzzle: KindPuzzle) -> Work:
    """Bring a puzzle to its start, with the functions of its kind.

    >>> work_of(nonogram.parse("1\\n\\n1")).settle(2, Budget()).finished_by
    'propagation'
    """
    if isinstance(puzzle, fillin.FillIn):
        words = fillin.start(puzzle)
        return Work(puzzle, words, fillin.rules(words), fillin, fillin.WARM_UP, OWN_EFFORT["fillin"])
    if isinstance(puzzle, gogen.Gogen):
        letters = gogen.start(puzzle)
        return Work(puzzle, letters, gogen.rules(letters), gogen, (), OWN_EFFORT["gogen"])
    cells = nonogram.start(puzzle)
    return Work(puzzle, cells, nonogram.rules(cells), nonogram, (), nonogram.own_effort(puzzle))


@dataclass(frozen=True, slots=True)
class Work:
    """A puzzle on its way: its start, its functions, and how long our own search may take where CP-SAT waits.

    The three kinds have states of three types; what handles them alike knows them as Any.
    """

    puzzle: KindPuzzle
    start: Any
    rules: Rules[Any]
    module: Any
    warm_up: Sequence[int]
    own_effort: float

    def shown(self, state: Any, *, complete: bool = True) -> GridSolution:
        """Turn a state into rows and text, with the checker's word on it where it is complete."""
        rows = self.module.rows(state)
        faults = check(self.puzzle, rows) if complete else ()
        return GridSolution(self.puzzle, rows, self.module.render(self.puzzle, state), faults)

    def settle(
        self, wanted: int, budget: Budget, backend: Backend[Any] | None = None, on_event: OnEvent = ignore
    ) -> Settled[Any]:
        """Deduce, search, hand over; nothing is drawn or checked yet."""
        return settle(
            self.start,
            self.rules,
            count=wanted,
            budget=budget,
            warm_up=self.warm_up,
            backend=backend,
            own_effort=self.own_effort,
            on_event=on_event,
        )

    def solve(
        self, wanted: int, budget: Budget, on_event: OnEvent, *, explain: bool, backend: bool | None
    ) -> GridResult:
        """Do what :func:`solve_kind` says."""
        kind = kind_of(self.puzzle)
        settled = self.settle(wanted, budget, find_backend(kind, wanted=backend), on_event)
        outcome = settled.outcome
        solutions = tuple(self.shown(goal) for goal in outcome.goals)
        unique = None
        if len(solutions) > 1 or (solutions and outcome.termination == "exhausted"):
            unique = len(solutions) == 1
        result = GridResult(
            kind=kind,
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
        """Show how far it got: the deepest state where the search was stopped, else what deduction alone says."""
        if outcome.goals:
            return None
        state = root if outcome.termination == "exhausted" else outcome.best_partial or root
        return None if state is None else self.shown(state, complete=False)

    def explained(self, result: GridResult, outcome: Outcome[Any], on_event: OnEvent, *, explain: bool) -> GridResult:
        """Add the reason where there is no solution or several, and the steps where they were asked for."""
        none = not outcome.goals and outcome.termination == "exhausted"
        if not explain and not none:
            return replace(result, reason=self.several(result))
        steps = self.steps(outcome, only=result.unique is True)
        reason = self.several(result)
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
        """Put the way to the first solution, or to the contradiction, into words."""
        return explain(self.start, self.rules, outcome.goal, self.module.rows, only=only)

    def several(self, result: GridResult) -> str:
        """Say why there are several solutions, where it is plain."""
        if result.unique is False and isinstance(self.puzzle, gogen.Gogen):
            used = "".join((*self.puzzle.board, *self.puzzle.words))
            unused = [letter for letter in self.puzzle.letters if letter not in used]
            if len(unused) > 1:
                return f"{', '.join(unused)} are in no word and not given: they can change places."
        return ""


def find_backend(kind: Kind, *, wanted: bool | None = None) -> Backend[Any] | None:
    """Return CP-SAT for a kind, None where it is not wanted or, unless it is demanded, not installed.

    >>> find_backend("gogen", wanted=False) is None
    True
    """
    from agent import cpsat

    if wanted is False or (wanted is None and not cpsat.available()):
        return None
    if not cpsat.available():
        raise ModuleNotFoundError("CP-SAT is not installed: pip install 'gridwright[ortools]'")
    return cpsat.BACKENDS[kind]
