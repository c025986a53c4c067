"""Deduction in front of search, a back-end behind it, and the words to explain it all.

A kind of puzzle that deduces hands in its functions as :class:`Rules`. The protocol between them:

- `propagate(state, on_step)` deduces until nothing more follows. It loses no solution. None means that the state
  has none. Every deduction worth telling is told to `on_step`.
- `branches(state)` splits an open state into cases that exclude each other and together lose nothing.
- `successors(state)` are these cases, each deduced as far as is cheap, the impossible ones dropped.
- a :class:`Backend` takes a state and returns an :class:`Outcome`, as a search of our own does.

Since the cases exclude each other, no state comes twice, and an exhausted search has seen every solution.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from agent.core.outcome import Budget, Event, OnEvent, Outcome, ignore, never
from agent.core.search import UNLIMITED, best_first, depth_first

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a deduction: the rule's short name, a sentence for people, and the cells that are known by it.

    `cells` are pairs of index (row * width + column) and content.

    >>> print(Step("only word", "1A can only be HAT", ((0, "H"), (1, "A"), (2, "T"))))
    1A can only be HAT
    """

    rule: str
    text: str
    cells: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        return self.text


OnStep = Callable[[Step], None]


@dataclass(slots=True)
class Effort:
    """Counts work in a kind's own small unit: shared by all states of a puzzle, no part of any of them.

    A long deduction asks `over` now and then whether the budget has run out. It may then stop short of its fixed
    point, which loses no solution.

    >>> effort = Effort()
    >>> effort.units += 1
    >>> effort.units, effort.over()
    (1, False)
    """

    units: int = 0
    over: Callable[[], bool] = never


class Propagate(Protocol[S]):
    """Deduces to a fixed point; `on_step` is None if no steps are wanted, so that nothing is put into words."""

    def __call__(self, state: S, on_step: OnStep | None = None) -> S | None:
        """Deduce."""


class Backend(Protocol[S]):
    """Finishes a search that was cut off at its bound.

    Called with a propagated state, the goals already found below it, how many more are wanted, and the budget.
    Returns an Outcome with further goals only, "exhausted" if it proved that there are no others.
    """

    @property
    def name(self) -> str:
        """Short name, as the result shows it."""

    def __call__(self, state: S, found: Sequence[S], count: int, budget: Budget) -> Outcome[S]:
        """Finish."""


@dataclass(frozen=True, slots=True)
class Rules(Generic[S]):
    """The functions of one kind of puzzle.

    `admits(state, goal)` says whether a goal lies below a state. `effort` counts the work done so far (a
    revised slot, a probed cell), for bounds that do not depend on the clock.
    With `depth_first` the order is that of `branches`, otherwise that of `priority`.
    """

    propagate: Propagate[S]
    branches: Callable[[S], Iterable[tuple[str, S]]]
    successors: Callable[[S], Iterable[S]]
    is_goal: Callable[[S], bool]
    priority: Callable[[S], float]
    admits: Callable[[S, S], bool]
    effort: Effort
    depth_first: bool = False


@dataclass(frozen=True, slots=True)
class Settled(Generic[S]):
    """How a puzzle was settled: the outcome, what finished it, and the state that deduction alone reached.

    `finished_by` is "propagation", "search" or the name of a back-end. `root` is None after a contradiction.
    """

    outcome: Outcome[S]
    finished_by: str
    root: S | None


def settle(
    start: S,
    rules: Rules[S],
    *,
    count: int = 1,
    budget: Budget = UNLIMITED,
    warm_up: Sequence[int] = (),
    backend: Backend[S] | None = None,
    own_effort: float = float("inf"),
    on_event: OnEvent = ignore,
) -> Settled[S]:
    """Deduce, then search, then hand what is left to a back-end, until `count` goals are found or none is left.

    `warm_up` gives the expansions of short searches that run first; a kind whose branching learns from
    contradictions gets its experience there (restarts after Gomes et al. 1998, weights after Boussemart et al. 2004).
    With a back-end, our own search stops after `own_effort` of the kind's units.

    >>> def successors(s):
    ...     return [s + d for d in "12"]
    >>> rules = Rules(propagate=lambda s, on_step=None: s, branches=lambda s: [(c, c) for c in successors(s)],
    ...     successors=successors, is_goal=lambda s: len(s) == 2, priority=len,
    ...     admits=lambda s, goal: goal.startswith(s), effort=Effort())
    >>> settle("", rules, count=9).outcome.goals
    ('11', '12', '21', '22')
    """
    started = budget.clock.worked()
    rules.effort.over = budget.is_over
    root = rules.propagate(start)
    if root is None or rules.is_goal(root):
        goals = () if root is None else (root,)
        on_event(Event("propagated", {"solved": root is not None}))
        seconds = budget.clock.worked() - started
        return Settled(Outcome("exhausted", goals=goals, best_partial=root, seconds=seconds), "propagation", root)
    on_event(Event("propagated", {"solved": False}))

    def run(expansions: float, *, bounded: bool) -> Outcome[S]:
        limit = rules.effort.units + own_effort
        spent = (lambda: budget.cancelled() or rules.effort.units >= limit) if bounded else budget.cancelled
        inner = replace(budget, expansions=expansions, cancelled=spent)
        if rules.depth_first:
            return depth_first(
                root, rules.successors, rules.is_goal, budget=inner, count=count, tree=True, on_event=on_event
            )
        return best_first(
            root,
            rules.successors,
            rules.is_goal,
            rules.priority,
            budget=inner,
            count=count,
            tree=True,
            on_event=on_event,
        )

    expansions = generated = 0
    outcome: Outcome[S] | None = None
    for length in warm_up:
        if expansions + length > budget.expansions:
            break
        outcome = run(length, bounded=False)
        expansions, generated = expansions + outcome.expansions, generated + outcome.generated
        if outcome.termination != "budget" or budget.stop_reason(expansions):
            break
        outcome = None
    if outcome is None:
        outcome = run(budget.expansions - expansions, bounded=backend is not None)
        expansions, generated = expansions + outcome.expansions, generated + outcome.generated
    finished_by = "search"
    handed_over = outcome.termination == "cancelled" and not budget.cancelled()
    if backend is not None and handed_over:
        on_event(Event("handed over", {"to": backend.name, "expansions": expansions}))
        other = backend(root, outcome.goals, count - len(outcome.goals), budget)
        best_partial = other.best_partial or outcome.best_partial
        outcome = replace(other, goals=outcome.goals + other.goals, best_partial=best_partial)
        finished_by = backend.name
    seconds = budget.clock.worked() - started
    outcome = replace(outcome, expansions=expansions, generated=generated, seconds=seconds)
    return Settled(outcome, finished_by, root)


def explain(
    start: S, rules: Rules[S], goal: S | None, rows: Callable[[S], Sequence[str]], *, only: bool
) -> tuple[Step, ...]:
    """Return the way from `start` to `goal` in steps: deductions, and choices when deduction is not enough.

    `rows` shows what is known in a state. `only` says that the goal is proved to be the only one, so that every other
    choice is known to fail. Without a goal the steps end at the contradiction that deduction meets, or when it
    gets no further.
    """
    steps: list[Step] = []
    state = rules.propagate(start, steps.append)
    while goal is not None and state is not None and not rules.is_goal(state):
        cases = list(rules.branches(state))
        text, case = next((text, case) for text, case in cases if rules.admits(case, goal))
        others = "the other" if len(cases) == 2 else f"each of the other {len(cases) - 1}"
        why = f"{others} was tried and fails" if only else "one choice that leads to a solution"
        before, after = "".join(rows(state)), "".join(rows(case))
        cells = tuple((index, sign) for index, sign in enumerate(after) if sign != before[index])
        steps.append(Step("choice", f"Choose {text}: {why}." if len(cases) > 1 else f"So {text}.", cells))
        state = rules.propagate(case, steps.append)
    return tuple(steps)
