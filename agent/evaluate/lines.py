"""The result line of one puzzle, which `evaluate` prints, stores and sums up.

Names and meanings are a schema, with :data:`agent.evaluate.results.SCHEMA_VERSION`.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict, final


class Score(TypedDict):
    """The grid against the official one; all None if there is none. `letters` and `words` are [right, total]."""

    solved: bool | None
    letters: list[int] | None
    words: list[int] | None


class Statements(TypedDict):
    """Stated probabilities against the truth, for calibration; both empty without an official grid.

    `slots` holds [probability, whether it is right] per slot, `cells` the letters in bins, as the rows of
    :meth:`agent.evaluate.metrics.Bins.rows`.
    """

    slots: list[list[float]]
    cells: list[list[float]]


class Spent(TypedDict):
    """The usage of servers: requests, answers from the cache, tokens, cost (None if a price is unknown), seconds."""

    calls: int
    cache_hits: int
    tokens: int
    cost: float | None
    waited: NotRequired[float]


@final
class ResultLine(Score, Statements, Spent):
    """One puzzle.

    `probability` is that of the whole `grid`; `claimed` whether the solver calls it solved. `consistent` is the
    solver's statement that the grid is full with nothing but candidates, `false_consistent` means that an independent
    check refuses it all the same.
    """

    id: str
    probability: float
    claimed: bool
    consistent: bool
    false_consistent: bool
    proof: str
    termination: str
    ended: str
    grid: list[str]
    expansions: int
    generated: int
    rounds: int
    warnings: list[str]
    seconds: float
    seed: NotRequired[int]


@final
class FailureLine(TypedDict):
    """One puzzle that ended in an error."""

    id: str
    seed: int
    error: str


Line = ResultLine | FailureLine
