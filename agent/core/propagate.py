"""Deduction in front of search, a back-end behind it, and the words to explain it all.

A kind of puzzle that deduces hands in its functions as :class:`Rules`. The protocol between them:

- `propagate(state, on_step)` deduces until nothing more follows. It loses no solution. None means that the state
  has none. Every deduction worth telling is told to `on_step`.
- `branches(state)` splits an open state into cases that exclude each other and together lose nothing.
- `successors(state)` are these cases, each deduced as far as is cheap, the impossible ones dropped.
- a :class:`Backend` takes a state and returns an :class:`Outcome`, as a search of our own does. The two take turns,
  each twice as long as the one before, and the first proof ends both: neither is the faster one on all puzzles, and so
  none takes more than a few times as long as with the right one alone.

Since the cases exclude each other, no state comes twice, and an exhausted search has seen every solution.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from agent.core.outcome import Budget, Event, OnEvent, Outcome, ignore, never
from agent.core.search import UNLIMITED, depth_first

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
    """Another solver for the same puzzle.

    Called with a propagated state, how many goals are wanted, the budget, and the most work it may do, in seconds of
    a machine that is always as fast. Returns an Outcome, "exhausted" if it proved that there are no other goals,
    "budget" if time or work ran out.
    """

    @property
    def name(self) -> str:
        """Short name, as the result shows it."""

    def __call__(self, state: S, count: int, budget: Budget, work: float) -> Outcome[S]:
        """Solve."""


@dataclass(frozen=True, slots=True)
class Rules(Generic[S]):
    """The functions of one kind of puzzle.

    `admits(state, goal)` says whether a goal lies below a state. `effort` counts the work done so far (a
    revised slot, a probed cell), for bounds that do not depend on the clock.
    The search is depth first, in the order of `successors`.
    """

    propagate: Propagate[S]
    branches: Callable[[S], Iterable[tuple[str, S]]]
    successors: Callable[[S], Iterable[S]]
    is_goal: Callable[[S], bool]
    admits: Callable[[S, S], bool]
    effort: Effort


@dataclass(slots=True)
class Race(Generic[S]):
    """A back-end that takes turns with our own search, which asks now and then whether it is `over`.

    `turn` is the length of our next turn in the kind's units of work; the back-end has a second for each `pace` of
    them. `goals` are those of its best turn, `outcome` is its proof.
    """

    backend: Backend[S]
    state: S
    count: int
    budget: Budget
    effort: Effort
    turn: float
    pace: float
    on_event: OnEvent
    until: float = field(init=False)
    goals: tuple[S, ...] = ()
    outcome: Outcome[S] | None = None

    def __post_init__(self) -> None:
        self.on_event(Event("racing", {"against": self.backend.name}))
        self.until = self.effort.units + self.turn

    def over(self) -> bool:
        """Return whether our own search must end; at the end of its turn the back-end has one first."""
        if self.outcome is None and not self.budget.is_over() and self.effort.units >= self.until:
            outcome = self.backend(self.state, self.count, self.budget, self.turn / self.pace)
            self.goals = max(self.goals, outcome.goals, key=len)
            self.turn *= 2
            self.until = self.effort.units + self.turn
            if outcome.termination in ("found", "exhausted"):
                self.outcome = outcome
        return self.outcome is not None or self.budget.cancelled()


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
    pace: float = 1.0,
    on_event: OnEvent = ignore,
) -> Settled[S]:
    """Deduce, then search, in turns with a back-end, until `count` goals are found or none is left.

    `warm_up` gives the expansions of short searches that run first; a kind whose branching learns from
    contradictions gets its experience there (restarts after Gomes et al. 1998, weights after Boussemart et al. 2004).
    With a back-end, the first turn of our own search is `own_effort` of the kind's units; for each `pace` of them the
    back-end has a second.

    >>> def successors(s):
    ...     return [s + d for d in "12"]
    >>> rules = Rules(propagate=lambda s, on_step=None: s, branches=lambda s: [(c, c) for c in successors(s)],
    ...     successors=successors, is_goal=lambda s: len(s) == 2,
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

    def run(expansions: float, race: Race[S] | None = None) -> Outcome[S]:
        inner = replace(budget, expansions=expansions, cancelled=race.over if race else budget.cancelled)
        return depth_first(
            root, rules.successors, rules.is_goal, budget=inner, count=count, tree=True, on_event=on_event
        )

    expansions = generated = 0
    outcome: Outcome[S] | None = None
    for length in warm_up:
        if expansions + length > budget.expansions:
            break
        outcome = run(length)
        expansions, generated = expansions + outcome.expansions, generated + outcome.generated
        if outcome.termination != "budget" or budget.stop_reason(expansions):
            break
        outcome = None
    finished_by = "search"
    if outcome is None:
        race = Race(backend, root, count, budget, rules.effort, own_effort, pace, on_event) if backend else None
        outcome = run(budget.expansions - expansions, race)
        expansions, generated = expansions + outcome.expansions, generated + outcome.generated
        if race and race.outcome:
            outcome = replace(race.outcome, best_partial=race.outcome.best_partial or outcome.best_partial)
            finished_by = race.backend.name
        elif race and len(race.goals) > len(outcome.goals):
            outcome = replace(outcome, goals=race.goals)
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
