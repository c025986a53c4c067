"""The puzzles that ship with the project: in a wheel next to this module, in a checkout under `data`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from agent.grid import ClueText, Puzzle
from agent.kinds import every_kind
from agent.web.boards import AnyPuzzle, form, kind, read

CROSSWORDS = ("demo", "minis")
"""Folders with crosswords, which the page lists before those of other kinds."""

PUZZLE_ENDINGS = {".xd", ".json"}

CLUE_SET = "minis/minis_llm.clues.jsonl"
"""A language model's recorded answers to the clues of the shipped minis: they make the minis solvable offline."""


@cache
def folder() -> Path:
    """Return the folder that holds the examples."""
    here = Path(__file__).resolve()
    shipped = here.parent / "data"
    return shipped if shipped.is_dir() else here.parents[2] / "data"


def recorded() -> Path | None:
    """Return the recorded candidates of the shipped minis, None if they are not there."""
    path = folder() / CLUE_SET
    return path if path.is_file() else None


def by_number(path: Path) -> list[str | int]:
    """Return the key by which files are ordered: numbers in their names count as numbers.

    >>> sorted([Path("a-10x10-1"), Path("a-9x9-2")], key=by_number)[0].name
    'a-9x9-2'
    """
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", path.name)]


@cache
def listed() -> dict[str, tuple[Path, AnyPuzzle]]:
    """Read all examples: identity -> file and puzzle, in the order in which they are shown.

    >>> list(listed())[0], "mini-01" in listed()
    ('plain-words', True)
    """
    found: dict[str, tuple[Path, AnyPuzzle]] = {}
    for name in (*CROSSWORDS, *(one.examples for one in every_kind())):
        place = folder() / name
        for path in sorted(place.iterdir(), key=by_number) if place.is_dir() else ():
            if path.suffix in PUZZLE_ENDINGS:
                found[path.stem] = (path, read(path.read_bytes(), path.name))
    return found


def to_json() -> list[dict[str, Any]]:
    """List the examples for the page.

    >>> to_json()[0]
    {'id': 'plain-words', 'title': 'Plain Words', 'kind': 'crossword', 'heading': 'Crosswords', 'size': '5x5'}
    """
    rows = []
    for name, (_, puzzle) in listed().items():
        title, heading = getattr(puzzle, "title", "") or name, f"{form(puzzle)['title']}s"
        about = {"id": name, "title": title, "kind": kind(puzzle), "heading": heading}
        if not isinstance(puzzle, ClueText):
            board = puzzle.grid if isinstance(puzzle, Puzzle) else puzzle
            about["size"] = f"{board.width}x{board.height}"
        rows.append(about)
    return rows
