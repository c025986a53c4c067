"""Puzzles of the commands: read from arguments, with the cells that a person has filled, and written to files."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.disk import write_file
from agent.errors import FormatError, UsageError
from agent.filetypes import format_of
from agent.warn import Warn

if TYPE_CHECKING:
    from agent.api import AnyPuzzle, GridPuzzle, GridResult
    from agent.grid import Grid, Puzzle

ROWS_WANTED = "rows such as CAT/A.E, or a file of rows"

MOST_NAMED = 8
"""Things that a file does not keep, or was not read for, that a message names; of more it gives the number."""


def parse_size(size: str | None, *, most: int | None = None) -> tuple[int, int] | None:
    """Read WxH; a side has at most as many cells as one of a crossword, or `most`.

    >>> parse_size("5x4")
    (5, 4)
    """
    from agent.grid import MAX_SIDE

    if size is None:
        return None
    most = most or MAX_SIDE
    width, _, height = size.lower().partition("x")
    if not all(side.isascii() and side.isdecimal() and 1 <= int(side[:9]) <= most for side in (width, height)):
        raise UsageError(f"--size: expected width x height such as 5x5, at most {most} a side, not {size}")
    return int(width), int(height)


def read_lines(text: str) -> tuple[str, str]:
    """Read rows with slashes, or a file of rows: where they are from, for messages, and the rows as lines."""
    from agent.reading import decode

    path, name = Path(text), "--grid"
    if not text.strip():
        raise UsageError(f"--grid: expected {ROWS_WANTED}, found nothing")
    if "/" not in text.strip("/") or path.is_file():
        name = text
        try:
            text = decode(path.read_bytes(), source=name, wanted=ROWS_WANTED)
        except OSError as error:
            raise FormatError(f"expected {ROWS_WANTED}, found no readable file: {error.strerror}", file=name) from error
    return name, text.replace("/", "\n")


def parse_rows(text: str, puzzle: GridPuzzle) -> tuple[str, ...]:
    """Read rows of a puzzle without clues from rows with slashes, or from a file; blanks between cells are left out."""
    from agent.kinds import read_entries

    name, lines = read_lines(text)
    rows = ["".join(line.split()) for line in lines.splitlines() if line.strip()]
    if [len(row) for row in rows] != [puzzle.width] * puzzle.height:
        wanted = f"{puzzle.height} rows of {puzzle.width} cells"
        raise UsageError(f"{name}: expected {wanted}, found rows of {', '.join(str(len(row)) for row in rows)}")
    try:
        return read_entries(puzzle, "".join(rows))
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def parse_grid(text: str, puzzle: Puzzle) -> Grid:
    """Read a grid with the puzzle's blocks from rows with slashes, or from a file of rows."""
    from dataclasses import replace

    from agent.formats.common import shown
    from agent.grid import Grid

    name, lines = read_lines(text)
    try:
        grid = Grid.parse(lines)
    except ValueError as error:
        raise UsageError(f"{name}: expected {ROWS_WANTED}, found {shown(text)}: {error}") from error
    if (grid.width, grid.height) != (puzzle.grid.width, puzzle.grid.height):
        size = f"{puzzle.grid.width}x{puzzle.grid.height}"
        raise UsageError(f"{name}: expected the puzzle's {size} cells, found {grid.width}x{grid.height}")
    if grid.blocks != puzzle.grid.blocks:
        raise UsageError(f"{name}: expected the puzzle's blocks: {'/'.join(puzzle.grid.emptied().rows)}")
    return replace(puzzle.grid, cells=grid.cells)


def opened(source: str, warn: Warn, *, size: str | None = None, letters: str = "") -> AnyPuzzle:
    """Read a puzzle; one line to `warn` names what its file holds and a puzzle has no place for."""
    from agent.api import Puzzle, open_puzzle

    found = open_puzzle(source, size=parse_size(size), letters=letters)
    left_out = found.left_out if isinstance(found, Puzzle) else ()
    if left_out:
        warn(f"{name_of(source)}: not read: {named(left_out)}")
    return found


def name_of(source: str) -> str:
    """Return the name of a puzzle's file in messages.

    >>> name_of("-"), name_of("today.xd")
    ('stdin', 'today.xd')
    """
    return "stdin" if source == "-" else source


def crossword(puzzle: AnyPuzzle, source: str) -> Puzzle:
    """Return the puzzle if it is a crossword with a grid. Raises FormatError for any other."""
    from agent.api import CandidateInstance, ClueText, Puzzle
    from agent.kinds import kind_of

    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, ClueText):
        problem = "expected a puzzle with a grid, found clues alone: `gridwright solve --save` gives them one"
    elif isinstance(puzzle, CandidateInstance):
        problem = "expected a puzzle with clues, found lists of candidates"
    else:
        problem = f"expected a crossword, found {kind_of(puzzle).phrase}"
    raise FormatError(problem, file=name_of(source))


def named(things: Sequence[str]) -> str:
    """List things in words, the first few by name.

    >>> named(["title", "author"]), named([str(n) for n in range(10)])
    ('title, author', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    more = len(things) - MOST_NAMED
    return ", ".join(things[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def write(path: Path, puzzle: Puzzle, warn: Warn, filled: Grid | None = None) -> None:
    """Write a puzzle in the format of the path's ending; one line to `warn` names what that format cannot hold.

    Raises UsageError if the format cannot hold the puzzle at all, OSError if the file cannot be written.
    """
    from agent.formats import not_kept

    content = content_of(path, puzzle, filled)
    write_file(path, content)
    if lost := not_kept(puzzle, format_of(path).name, content, filled=filled):
        warn(f"{path}: a {path.suffix.lower()} file does not keep: {named(lost)}")


def content_of(path: Path, puzzle: Puzzle, filled: Grid | None = None) -> bytes:
    """Return a puzzle in the format of the path's ending. Raises UsageError if that cannot hold it."""
    from agent.formats import write_puzzle

    try:
        return write_puzzle(puzzle, format_of(path).name, filled=filled)
    except FormatError as error:
        raise UsageError(f"{path}: {error}") from error


def saver(puzzle: AnyPuzzle, path: Path, warn: Warn) -> Callable[[Any], None]:
    """Return a function that writes a result to the file.

    Raises UsageError, before the work, for an ending whose format is not written or cannot hold the puzzle.
    """
    from agent.api import CluedPuzzle, Puzzle
    from agent.kinds import kind_of

    if isinstance(puzzle, CluedPuzzle):
        format_of(path)
        if isinstance(puzzle, Puzzle):
            content_of(path, puzzle)
        return lambda solution: write(path, solution.puzzle, warn, solution.grid)
    exports = kind_of(puzzle).exports
    ending = path.suffix.lower()
    if ending not in {".json", ".txt", *exports}:
        raise UsageError(f"{path}: expected an ending of {', '.join(['.json', '.txt', *exports])}")

    def write_to(result: GridResult) -> None:
        best = result.solutions[0] if result.solutions else result.partial
        if ending == ".json":
            write_file(path, json.dumps(result.to_json(), ensure_ascii=False) + "\n")
        elif ending == ".txt":
            write_file(path, f"{result}\n")
        elif best is not None:
            write_file(path, exports[ending](puzzle, best.rows))

    return write_to
