"""A complete filling of a grid, and the result of a search for fillings."""

from __future__ import annotations

from dataclasses import dataclass

from agent.core import Termination
from agent.grid import Grid

SAME = 1e-6
"""Nats by which two sums of the same costs may differ, because they were added up in another order."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A complete filling and its cost in nats, -log of its probability under the candidates."""

    grid: Grid
    cost: float


@dataclass(frozen=True, slots=True)
class Fill:
    """The fillings that a search found, cheapest first, the proof, and the effort.

    `lower` is the least that any filling costs: with `proved` the first filling is the optimum. `partial` is the
    furthest state if there is no filling. `termination` is as an Outcome's, the counts are of all searches together.
    """

    fillings: tuple[Filling, ...]
    lower: float
    partial: Grid
    termination: Termination
    expansions: int = 0
    generated: int = 0
    duplicates: int = 0

    @property
    def proved(self) -> bool:
        """True when no filling is cheaper than the first."""
        return bool(self.fillings) and self.fillings[0].cost <= self.lower + SAME
