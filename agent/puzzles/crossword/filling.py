"""A complete filling of a grid."""

from __future__ import annotations

from dataclasses import dataclass

from agent.grid import Grid


@dataclass(frozen=True, slots=True)
class Filling:
    """A complete filling and its cost in nats, -log of its probability under the candidates."""

    grid: Grid
    cost: float
