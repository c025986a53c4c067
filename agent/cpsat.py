"""Google's CP-SAT as the back-end that takes turns with our own search; needs the extra `ortools`.

A model is built from a state, so that everything deduced so far is already in it. CP-SAT is asked for one solution
after another, those found before ruled out; "infeasible" is the proof that there are no more. A turn is limited in
its deterministic time, which counts its work, so that the same puzzle ends the same way on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from agent.core.bitmaps import bits
from agent.core.outcome import Budget, Outcome, Termination

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar
else:  # names for annotations alone: ortools takes long to load, and may not be installed
    CpModel = CpSolver = IntVar = object

__all__ = ["CpModel", "CpSat", "CpSolver", "Encode", "Encoding", "IntVar", "available", "choices"]

S = TypeVar("S", bound=Hashable)
NAME = "cp-sat"
POLL = 0.05
"""Seconds between two looks at whether the budget was cancelled."""
FOREVER = 1e9
"""Seconds for CP-SAT if the budget has no limit: it takes no infinity."""


def available() -> bool:
    """Return whether the extra is installed; asks without importing it, which takes a good part of a second.

    >>> available() in (True, False)
    True
    """
    return find_spec("ortools") is not None


@dataclass(frozen=True, slots=True)
class Encoding(Generic[S]):
    """How states and solutions translate into the literals of a model.

    `ruled_out(goal)` are the literals that are all true in a goal and not all true in any other solution;
    `read(solver)` is the state of the solution just found.
    """

    ruled_out: Callable[[S], Sequence[IntVar]]
    read: Callable[[CpSolver], S]


class Encode(Protocol[S]):
    """Writes a state into an empty model."""

    def __call__(self, state: S, model: CpModel) -> Encoding[S]:
        """Encode."""


def choices(
    model: CpModel,
    bitmaps: Sequence[int],
    bitmaps_of: Callable[[S], Sequence[int]],
    state_of: Callable[[tuple[int, ...]], S],
) -> tuple[list[dict[int, IntVar]], Encoding[S]]:
    """Encode states that are bitmaps, each with one bit in the end: a literal for each bit, exactly one of them true.

    Returns the literals of each bitmap by bit, for the kind's own constraints, and the encoding. `bitmaps_of` and
    `state_of` translate states into bitmaps and back.
    """
    chosen = [{bit: model.new_bool_var("") for bit in bits(bitmap)} for bitmap in bitmaps]
    for literals in chosen:
        model.add_exactly_one(literals.values())

    def ruled_out(goal: S) -> list[IntVar]:
        return [literals[mine.bit_length() - 1] for literals, mine in zip(chosen, bitmaps_of(goal), strict=True)]

    def read(solver: CpSolver) -> S:
        return state_of(
            tuple(next(1 << bit for bit, one in literals.items() if solver.boolean_value(one)) for literals in chosen)
        )

    return chosen, Encoding(ruled_out, read)


@dataclass(frozen=True, slots=True)
class CpSat(Generic[S]):
    """A :class:`agent.core.propagate.Backend` for one kind of puzzle; one worker, so that results repeat."""

    encode: Encode[S]
    name: str = NAME

    def __call__(self, state: S, count: int, budget: Budget, work: float) -> Outcome[S]:
        """Look for `count` goals below a state."""
        from ortools.sat.python import cp_model

        started = budget.clock.worked()
        model = cp_model.CpModel()
        encoding = self.encode(state, model)
        goals: list[S] = []
        termination: Termination = "found"
        while len(goals) < count:
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            solver.parameters.catch_sigint_signal = False  # Ctrl-C is Python's here
            solver.parameters.max_time_in_seconds = min(FOREVER, max(0.0, budget.left))
            solver.parameters.max_deterministic_time = min(FOREVER, work)
            status = run(solver, model, budget)
            work = max(0.0, work - solver.response_proto.deterministic_time)
            if status == cp_model.INFEASIBLE:
                termination = "exhausted"
                break
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                termination = "cancelled" if budget.cancelled() else "budget"
                break
            goal = encoding.read(solver)
            goals.append(goal)
            model.add_bool_or(literal.negated() for literal in encoding.ruled_out(goal))
        seconds = budget.clock.worked() - started
        return Outcome(termination, goals=tuple(goals), seconds=seconds, bound=float("-inf"))


def run(solver: CpSolver, model: CpModel, budget: Budget) -> int:
    """Solve in a thread, so that a cancelled budget and Ctrl-C stop it within :data:`POLL` seconds."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        running = pool.submit(solver.solve, model)
        try:
            while True:
                try:
                    return int(running.result(timeout=POLL))
                except NotYet:
                    if budget.cancelled():
                        solver.stop_search()
        finally:
            if not running.done():
                solver.stop_search()
