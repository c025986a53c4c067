"""The interface of every result, whatever the kind of puzzle, and the one list of the forms that people take away.

This module is light, so that help texts can name the forms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from agent.core.outcome import Termination
    from agent.draw.svg import Svg

SCHEMA_VERSION = 2
"""Version of the JSON form of all results; it rises when a field changes its meaning or goes away."""


class Result(Protocol):
    """The result of a puzzle, as text, JSON, HTML and a picture.

    `str(result)` is the filled grid and the summary. Notebooks show the picture.

    >>> from agent.api import read_puzzle, solve
    >>> result = solve(read_puzzle("1 1\\n2\\n\\n2\\n1\\n1"))
    >>> result.kind, result.solved, result.termination, result.summary
    ('nonogram', True, 'exhausted', 'Solved, and it is the only solution. No guessing was needed.')
    >>> result.ended, result.to_text().splitlines()[-1] == result.summary, result.to_json()["grid"]
    ('', True, ['#.#', '##.'])
    >>> result.to_html()[:15], result.svg()[:4]
    ('<!doctype html>', '<svg')
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
        """The limit that ended the work, in one line; empty if none did."""

    @property
    def summary(self) -> str:
        """One line on the whole result."""

    def to_text(self, *, colour: bool = False) -> str:
        """Return everything as text; `colour` is for terminals."""

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""

    def to_html(self) -> str:
        """Return a self-contained HTML page."""

    def svg(self) -> Svg:
        """Draw it."""


@dataclass(frozen=True, slots=True)
class Report:
    """A form of a result for people: an option of `gridwright solve`, and a file to export from the page.

    `name` is that of the option, `about` its help text, `media` the media type of files with this `ending`. `write`
    returns the content.
    """

    name: str
    ending: str
    media: str
    about: str
    write: Callable[[Result], str]


def _picture(result: Result) -> str:
    from agent.draw.svg import standalone

    return standalone(result.svg())


PICTURE = Report("svg", ".svg", "image/svg+xml", "Write a picture as SVG", _picture)

REPORTS = (
    Report(
        "html", ".html", "text/html; charset=utf-8", "Write a report as an HTML page", lambda result: result.to_html()
    ),
    PICTURE,
)
"""All forms; a further one is a method of every result and a row here."""
