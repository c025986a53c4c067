"""The interface of a kind of puzzle without clues, as one frozen value: the rest of the program uses nothing else.

A kind lives in a folder of its own, `agent/puzzles/<name>`, with its value in `kind.py` and its recogniser in
`recognise.py`; `agent/kinds/registry.py` lists the names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from agent.reading import capitals

if TYPE_CHECKING:
    from agent.core.propagate import Rules
    from agent.cpsat import Encode
    from agent.draw.svg import Svg

Rows = Sequence[str]
"""Rows of cells, one sign for each cell."""


class GridPuzzle(Protocol):
    """A puzzle without clues, as it was handed out: a frozen value that draws itself.

    >>> from agent.api import read_puzzle
    >>> puzzle = read_puzzle("1 1\\n2\\n\\n2\\n1\\n1")
    >>> puzzle.kind, puzzle.width, puzzle.height, puzzle.givens
    ('nonogram', 3, 2, ('???', '???'))
    >>> puzzle.id, puzzle.title, puzzle.svg()[:4], puzzle.to_json()["rows"]
    ('', '', '<svg', [[1, 1], [2]])
    """

    kind: ClassVar[str]
    """Name of its kind."""

    @property
    def id(self) -> str:
        """Identity, empty if it has none."""

    @property
    def title(self) -> str:
        """The title that its file holds, empty if there is none."""

    @property
    def width(self) -> int:
        """Cells in a row."""

    @property
    def height(self) -> int:
        """Number of rows."""

    @property
    def givens(self) -> tuple[str, ...]:
        """Rows of cells before anything is filled in."""

    def svg(self, rows: Rows = ()) -> Svg:
        """Draw the puzzle, or `rows` in its place."""

    def to_json(self) -> dict[str, Any]:
        """Return plain values that the kind's `parse` reads, once dumped."""


P = TypeVar("P", bound=GridPuzzle)
P_co = TypeVar("P_co", bound=GridPuzzle, covariant=True)
S = TypeVar("S", bound=Hashable)


class Parse(Protocol[P_co]):
    """Reads a puzzle. Raises FormatError."""

    def __call__(self, text: str, *, source: str = "") -> P_co:
        """Read."""


class MakeOne(Protocol[P_co]):
    """Makes a puzzle that is proved to have one solution; the same arguments make the same puzzle."""

    def __call__(self, width: int, height: int, *, words: Sequence[str] = (), seed: int = 0) -> P_co:
        """Make a puzzle. Raises NotMadeError."""


@dataclass(frozen=True, slots=True)
class Maker(Generic[P_co]):
    """How puzzles of a kind are made.

    `about` describes a puzzle in a help text. `size` is made by default, (width, height). `lengths` are those of the
    words that it uses, empty if it uses none. With `from_lexicon` the lexicon's words are taken if no others are given.
    """

    about: str
    make: MakeOne[P_co]
    size: tuple[int, int]
    lengths: range = range(0)
    from_lexicon: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """The appearance of a kind's puzzles on a page.

    `cells` is the content of cells: letters, digits, or switches (filled or blank). `rules` are two lines of text.
    With `traced` the words of the puzzle trace paths over the board; otherwise they are ticked off. `said` puts the
    content of a cell into words, if the sign does not speak for itself.
    """

    cells: Literal["letters", "digits", "switches"]
    rules: tuple[str, str]
    traced: bool = False
    said: Mapping[str, str] = field(default_factory=dict)


def unlimited(puzzle: GridPuzzle) -> float:  # noqa: ARG001 - every puzzle of the kind
    """Return no limit: our own search is never cut short for a back-end."""
    return float("inf")


def no_fields(puzzle: GridPuzzle, rows: Rows = ()) -> dict[str, Any]:  # noqa: ARG001 - every puzzle of the kind
    """Return no further fields."""
    return {}


def no_text(puzzle: GridPuzzle) -> str:  # noqa: ARG001 - every puzzle of the kind
    """Return an empty text."""
    return ""


def in_capitals(puzzle: GridPuzzle, cell: str) -> str:  # noqa: ARG001 - every puzzle of the kind
    """Return a cell's entry in capitals."""
    return capitals(cell)


@dataclass(frozen=True, slots=True)
class Kind(Generic[P, S]):
    """A kind of puzzle: P is the type of its puzzles, S that of the states of its search.

    Files: `parse` reads, `write` is the text form; `parse_words(text, letters, source)` reads a list of words for a
    board with these starting letters, in a kind that has this form. `exports` writes filled rows as files of other
    endings. `examples` is the folder under `data`.

    Solving: `start`, `rules`, `rows` of a state; `check` returns the faults of filled rows and shares no code with the
    search. `warm_up` as in :func:`agent.core.propagate.settle`; `encode` for CP-SAT, which has its
    first turn after `own_effort` units of work, and a second for each `pace` of them.
    `several` explains why a puzzle has several solutions, if that is plain from the puzzle.

    Rows: `empty` is the sign of an open cell; `block` that of a cell that is never filled, if the kind has them;
    `signs(puzzle)` are the signs that a cell may hold, any letter or digit if it is empty; `fold` turns a person's
    entry into such a sign.

    Output: `render` draws rows as text; `report` adds fields to the JSON of a solution; `describe` to that of a puzzle
    on the page: `slots` with their cells, `words`, `sides` (the clues of rows and columns, block by block), `heavy`
    (each how many columns and rows a line is heavier), `colours` (sign, name and RGB of the ways to fill a switch).
    """

    name: str
    title: str
    phrase: str
    look: Look
    examples: str
    parse: Parse[P]
    write: Callable[[P], str]
    start: Callable[[P], S]
    rules: Callable[[S], Rules[S]]
    rows: Callable[[S], tuple[str, ...]]
    render: Callable[[P, Rows], str]
    check: Callable[[P, Rows], tuple[str, ...]]
    empty: str
    maker: Maker[P]
    block: str = ""
    signs: Callable[[P], str] = no_text
    fold: Callable[[P, str], str] = in_capitals
    warm_up: tuple[int, ...] = ()
    own_effort: Callable[[P], float] = unlimited
    pace: float = 1.0
    encode: Encode[S] | None = None
    several: Callable[[P], str] = no_text
    report: Callable[[P, Rows], Mapping[str, Any]] = no_fields
    describe: Callable[[P], Mapping[str, Any]] = no_fields
    parse_words: Callable[[str, str, str], P] | None = None
    exports: Mapping[str, Callable[[P, Rows], bytes]] = field(default_factory=dict)

    @property
    def typed_empty(self) -> str:
        """The sign that a person types for an open cell: `.`, unless that is a content of the cells."""
        return self.empty if self.look.cells == "switches" else "."
