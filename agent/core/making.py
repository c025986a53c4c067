"""Making puzzles that have exactly one solution: the proof, and how long it is tried."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from agent.core.outcome import Budget
from agent.core.propagate import Rules, settle

S = TypeVar("S", bound=Hashable)

TRIES = 60
"""Fresh starts before a maker gives up; nearly every one needs fewer than five."""
SEARCH = 400
"""Expansions for one proof of uniqueness; a puzzle that takes longer is too hard to be fun, and is thrown away."""


def goals(
    start: S, rules: Rules[S], *, count: int = 2, warm_up: Sequence[int] = (), expansions: int = SEARCH
) -> tuple[S, ...] | None:
    """Return up to `count` solutions, None if the search was not over after `expansions`."""
    outcome = settle(start, rules, count=count, budget=Budget(expansions=expansions), warm_up=warm_up).outcome
    return None if outcome.termination == "budget" else outcome.goals
