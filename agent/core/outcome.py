"""The outcome of a search: how it ended, the goals found and the effort."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

from agent.core.clock import Clock

S = TypeVar("S", bound=Hashable)

Termination = Literal["found", "exhausted", "budget", "cancelled"]


EventKind = Literal[
    "opened",  # grid: before anything is asked
    "waiting",  # ahead: searches of the page's server that go first
    "proposed",  # provider, candidates by slot
    "asked",  # provider, exchanges: what a language model was asked and replied; at the end, what came late
    "warning",  # text
    "pattern",  # rows and cost of a block pattern, if only clues are given
    "ranked",  # round, asked: names of the providers, domains by slot
    "round",  # round, rows of the grid for now, its probability as a whole, unsure: names of slots
    "propagated",  # solved: whether deduction alone was enough
    "step",  # rule, text, cells: one deduction, explained
    "searching",  # expansions, with bound and frontier, or depth
    "goal",  # goals so far, expansions, and cost if the search has costs
    "racing",  # against: another solver that takes turns with the search
]
"""Kinds of events, in the order of a solve, and the names in their data."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened while a puzzle was being worked on, for a live view.

    >>> Event("goal", {"expansions": 3})
    Event(kind='goal', data={'expansions': 3})
    """

    kind: EventKind
    data: Mapping[str, Any] = field(default_factory=dict)


OnEvent = Callable[[Event], None]


def never() -> bool:
    """Return False: the default for "is it cancelled?" and "is the time up?"."""
    return False


def ignore(event: Event) -> None:
    """Ignore the event: the default listener."""


def limit(most: float | None) -> float:
    """Return a limit that a user may have left out as a number; 0 is one, too.

    >>> limit(None), limit(0)
    (inf, 0)
    """
    return float("inf") if most is None else most


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a solve: seconds of work, expansions, seconds of waiting, and cancellation from outside.

    Seconds count from when the budget is made, on its `clock`; a budget that was made stricter by `at_most` has the
    same clock, so the parts of a solve share one deadline. `patience` limits all waiting for providers together.
    `cancelled` is asked at every expansion; `threading.Event().is_set` fits.

    >>> Budget(expansions=10).at_most(expansions=3).expansions
    3
    """

    seconds: float = float("inf")
    expansions: float = float("inf")
    cancelled: Callable[[], bool] = never
    patience: float = float("inf")
    clock: Clock = field(default_factory=Clock, repr=False, compare=False)

    @property
    def left(self) -> float:
        """Seconds of work that are left, below 0 when they are overdrawn."""
        return self.seconds - self.clock.worked()

    @property
    def patience_left(self) -> float:
        """Seconds of waiting that are left."""
        return self.patience - self.clock.waited()

    def at_most(self, *, seconds: float = float("inf"), share: float = 1.0, expansions: float = float("inf")) -> Budget:
        """Return a budget that ends at most `seconds` of work from now, or after at most a `share` of the time left.

        It has at most `expansions`, and never more of anything than this one.
        """
        until = self.clock.worked() + min(seconds, share * self.left)
        return replace(self, seconds=min(self.seconds, until), expansions=min(self.expansions, expansions))

    def stop_reason(self, expansions: float = 0) -> Literal["budget", "cancelled"] | None:
        """Return why a search must end now, after this many expansions; None if it may go on."""
        if self.cancelled():
            return "cancelled"
        if expansions >= self.expansions or self.clock.worked() >= self.seconds:
            return "budget"
        return None

    def is_over(self) -> bool:
        """Return whether work must end now."""
        return self.stop_reason() is not None


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """The result of a search.

    `termination` says why it ended: "found" (as many goals as were asked for), "exhausted" (nothing is
    left to look at: `goals` are all there are, which proves "none" or "unique"), "budget" or "cancelled".
    `goals` come best first. `best_partial` is the deepest state that was expanded, something to
    show if no goal was found. `bound` is the lowest priority not yet expanded: no goal that
    was not found can be better (infinite when nothing is left).

    >>> str(Outcome("exhausted", goals=(), expansions=7, generated=9))
    'exhausted: 0 goals, 7 expansions, 9 generated, 0 duplicates, 0.000 s'
    """

    termination: Termination
    goals: tuple[S, ...] = ()
    best_partial: S | None = None
    bound: float = float("inf")
    expansions: int = 0
    generated: int = 0
    duplicates: int = 0
    seconds: float = 0.0

    @property
    def goal(self) -> S | None:
        """The best goal, or None."""
        return self.goals[0] if self.goals else None

    def __str__(self) -> str:
        return (
            f"{self.termination}: {len(self.goals)} goals, {self.expansions} expansions, "
            f"{self.generated} generated, {self.duplicates} duplicates, {self.seconds:.3f} s"
        )
