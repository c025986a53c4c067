"""The puzzles that ship with the project: in a wheel next to this module, in a checkout under `data`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.grid import Puzzle
from agent.kinds import every_kind
from agent.web.boards import AnyPuzzle, form, kind, read
from agent.web.puzzle_store import key_of

CROSSWORDS = ("demo", "minis")
"""Folders with crosswords, which the page lists before the examples of other kinds."""

DAILY = ("minis/tune", "minis/report")
"""Folders with the minis of the day."""

PLAYED = "play"
"""Folder with puzzles of other kinds to be played, a folder for each kind. They are listed instead of the kind's other
examples, which test the solver."""

PUZZLE_ENDINGS = {".xd", ".json"}

CLUE_SETS = ("minis/minis_llm.clues.jsonl", "minis/newspaper.clues.jsonl")
"""A language model's recorded answers to the clues of the shipped minis: they make the minis solvable offline."""

FIRST_DAY = 20_788
"""Day of the first mini, as its file says: 1 December 2026, in days since 1 January 1970."""


@dataclass(frozen=True, slots=True)
class Example:
    """A shipped puzzle: its name, the puzzle, and the key of its file."""

    name: str
    puzzle: AnyPuzzle
    key: str

    @property
    def title(self) -> str:
        """The title, else the name in words."""
        return self.puzzle.title or self.name.replace("-", " ").capitalize()

    def to_json(self) -> dict[str, Any]:
        """Describe it in a line of a list."""
        board: Any = self.puzzle.grid if isinstance(self.puzzle, Puzzle) else self.puzzle
        size = f"{board.width}x{board.height}"
        return {"id": self.name, "key": self.key, "title": self.title, "size": size}


@cache
def folder() -> Path:
    """Return the folder that holds the examples."""
    here = Path(__file__).resolve()
    shipped = here.parent / "data"
    return shipped if shipped.is_dir() else here.parents[2] / "data"


def recorded() -> tuple[Path, ...]:
    """Return the recorded candidates of the shipped minis, those that are there."""
    return tuple(path for path in (folder() / name for name in CLUE_SETS) if path.is_file())


def by_number(path: Path) -> list[str | int]:
    """Return the key by which files are ordered: numbers in their names count as numbers.

    >>> sorted([Path("a-10x10-1"), Path("a-9x9-2")], key=by_number)[0].name
    'a-9x9-2'
    """
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path.name)]


def _read(place: Path) -> list[Example]:
    """Read the puzzles of a folder; none if there is no such folder."""
    paths = sorted(place.iterdir(), key=by_number) if place.is_dir() else []
    return [_example(path) for path in paths if path.suffix in PUZZLE_ENDINGS]


def _example(path: Path) -> Example:
    data = path.read_bytes()
    return Example(path.stem, read(data, path.name), key_of(data))


@cache
def by_kind() -> tuple[tuple[Example, ...], ...]:
    """Read the examples that are listed: those of a kind together, in the order in which they are shown.

    >>> [examples[0].title for examples in by_kind()][:2]
    ['Plain Words', 'Sudoku 4x4 1']
    """
    crosswords = tuple(example for name in CROSSWORDS for example in _read(folder() / name))
    others = (tuple(_read(folder() / PLAYED / one.examples) or _read(folder() / one.examples)) for one in every_kind())
    return tuple(examples for examples in (crosswords, *others) if examples)


@cache
def daily() -> tuple[Example, ...]:
    """Read the minis of the day, in the order of their dates.

    >>> daily()[0].puzzle.date
    '2026-12-01'
    """
    return tuple(sorted((one for name in DAILY for one in _read(folder() / name)), key=lambda example: example.name))


def of_day(day: int) -> Example | None:
    """Return the mini of a day, counted from 1 January 1970; None if none are shipped. They begin again at the end.

    >>> of_day(FIRST_DAY + 7).puzzle.date, of_day(FIRST_DAY) == of_day(FIRST_DAY + len(daily()))
    ('2026-12-08', True)
    """
    minis = daily()
    return minis[(day - FIRST_DAY) % len(minis)] if minis else None


@cache
def listed() -> dict[str, Example]:
    """Return every shipped puzzle by its name.

    >>> "mini-01" in listed(), "daily-001" in listed()
    (True, True)
    """
    tests = (_read(folder() / one.examples) for one in every_kind())
    return {example.name: example for examples in (*tests, *by_kind(), daily()) for example in examples}


def to_json(day: int) -> dict[str, Any]:
    """List the examples for the page: the mini of a day, those of the days before it, and every kind with its rules.

    >>> found = to_json(FIRST_DAY)
    >>> found["kinds"][0]["heading"], found["kinds"][0]["puzzles"][0]["title"], len(found["today"]["shape"])
    ('Crosswords', 'Plain Words', 5)
    """
    today = of_day(day)
    shape = list(today.puzzle.grid.rows) if today and isinstance(today.puzzle, Puzzle) else []
    earlier = [(before, example) for before in range(day - 1, day - EARLIER - 1, -1) if (example := of_day(before))]
    return {
        "today": {**today.to_json(), "shape": shape} if today else None,
        "earlier": [{**example.to_json(), "day": before} for before, example in earlier],
        "kinds": [_kind_to_json(examples) for examples in by_kind()],
    }


EARLIER = 6
"""Days before today whose minis are listed."""


def _kind_to_json(examples: Sequence[Example]) -> dict[str, Any]:
    first = examples[0].puzzle
    described = form(first)
    return {
        "name": kind(first),
        "heading": f"{described['title']}s",
        "rules": described.get("rules", []),
        "puzzles": [example.to_json() for example in examples],
    }
