"""The interface of every result, whatever the kind of puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from agent.core.outcome import Termination

if TYPE_CHECKING:
    from agent.draw.svg import Svg

SCHEMA_VERSION = 2
"""Version of the JSON form of all results; it rises when a field changes its meaning or goes away."""


class Result(Protocol):
    """The result of a puzzle: how far it is solved, as text, JSON, HTML and a picture.

    `str(result)` is the filled grid and the summary. Notebooks show the picture.

    >>> from agent.api import read_puzzle, solve
    >>> result = solve(read_puzzle("1 1\\n2\\n\\n2\\n1\\n1"))
    >>> result.kind, result.solved, result.termination, result.summary
    ('nonogram', True, 'exhausted', 'Verified. Proved unique, by propagation alone.')
    """

    @property
    def kind(self) -> str:
        """The kind of puzzle: "crossword", or as in docs/puzzles.md."""

    @property
    def solved(self) -> bool:
        """True if it counts as solved."""

    @property
    def termination(self) -> Termination:
        """How the search ended: "found", "exhausted", "budget" or "cancelled"."""

    @property
    def ended(self) -> str:
        """One line that says which limit ended the work, empty if it came to its own end."""

    @property
    def summary(self) -> str:
        """One line on what is known of the whole."""

    def to_text(self, *, colour: bool = False) -> str:
        """Return everything as a person reads it; `colour` is for terminals."""

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""

    def to_html(self) -> str:
        """Return a self-contained HTML page."""

    def svg(self) -> Svg:
        """Draw it."""
