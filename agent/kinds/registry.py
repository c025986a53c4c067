"""The kinds of puzzle without clues, by name; the code of a kind is loaded only if a puzzle is of that kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from agent.errors import FormatError
from agent.glimpse import Glimpse, glimpse
from agent.kind import GridPuzzle, Kind
from agent.reading import decode, expected

NAMES = ("sudoku", "nonogram", "fillin", "gogen")
"""Folders of `agent.puzzles`, in the order in which they are asked whether a text is theirs."""

AnyKind = Kind[Any, Any]


@cache
def kind_named(name: str) -> AnyKind:
    """Load a kind by its name. Raises KeyError for an unknown name.

    >>> kind_named("gogen").title
    'Gogen'
    """
    if name not in NAMES:
        raise KeyError(name)
    found: AnyKind = import_module(f"agent.puzzles.{name}.kind").KIND
    return found


def every_kind() -> Iterator[AnyKind]:
    """Load all kinds, in the order of :data:`NAMES`."""
    return map(kind_named, NAMES)


def kind_of(puzzle: GridPuzzle) -> AnyKind:
    """Return the kind of a puzzle that was read.

    >>> kind_of(read_kind("1\\n\\n1")).name
    'nonogram'
    """
    return kind_named(puzzle.kind)


def detect(data: str | bytes) -> str | None:
    """Return the name of a puzzle's kind, known by its content; None if it is of no kind here.

    No kind's solver is loaded, so that files of crosswords are passed on quickly.

    >>> detect('{"rows": [[1]], "cols": [[1]]}'), detect("M.G\\n...\\nA.B\\n\\nCAB"), detect("[['#',_,_]] [[a,b]]")
    ('nonogram', 'gogen', 'fillin')
    >>> detect("Across\\n1. Not out\\n\\nDown\\n1. Article") is None
    True
    """
    try:
        seen = glimpse(decode(data))
    except FormatError:
        return None
    return next((name for name in NAMES if _looks_like(name, seen)), None)


def _looks_like(name: str, seen: Glimpse) -> bool:
    found: bool = import_module(f"agent.puzzles.{name}.recognise").looks_like(seen)
    return found


def read_kind(data: str | bytes, *, kind: str | None = None, letters: str = "", source: str = "") -> GridPuzzle:
    """Read a puzzle without clues, its kind known by its content unless `kind` names it.

    With `letters` the data is a list of words, and these are the starting letters of its board, row by row.
    Raises FormatError.

    >>> print(read_kind("ace bd", letters="ABCDEFGHI"))
    A . B . C
    . . . . .
    D . E . F
    . . . . .
    G . H . I
    <BLANKLINE>
    ACE BD
    """
    text = decode(data, source=source)
    if letters:
        parse_words = next(one.parse_words for one in every_kind() if one.parse_words)
        board: GridPuzzle = parse_words(text, letters, source)
        return board
    kind = kind or detect(text)
    if kind is None:
        *most, last = (one.phrase for one in every_kind())
        raise expected(f"{', '.join(most)} or {last}", source=source)
    found: GridPuzzle = kind_named(kind).parse(text, source=source)
    return found


def make_puzzle(
    kind: str, *, size: tuple[int, int] | None = None, words: Sequence[str] = (), seed: int = 0
) -> GridPuzzle:
    """Make a puzzle that is proved to have one solution. Raises NotMadeError, KeyError for an unknown kind.

    `size` is (width, height), by default the kind's usual one. The same arguments make the same puzzle.

    >>> print(make_puzzle("nonogram", size=(6, 4), seed=1))
    rows: 2 / 5 / 4 / 4
    columns: 0 / 3 / 3 / 4 / 4 / 1
    """
    maker = kind_named(kind).maker
    width, height = size or maker.size
    made: GridPuzzle = maker.make(width, height, words=words, seed=seed)
    return made
