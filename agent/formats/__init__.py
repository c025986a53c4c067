"""Files in and out: every format reads to, and is written from, a Puzzle.

>>> [puzzle] = read_puzzles(b"NO\\nOH\\n\\n\\nA1. Not yes ~ NO\\n", "tiny.xd")
>>> puzzle.clue("1A"), puzzle.solution.rows
('Not yes', ('NO', 'OH'))
>>> list(read_puzzles(write_puzzle(puzzle, "ipuz"), "tiny.ipuz")) == [puzzle]
True
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from agent.errors import FormatError
from agent.filetypes import ENDINGS, FORMATS, WRITTEN, FileFormat
from agent.formats.common import best_solution, clean, full
from agent.formats.instance import CandidateInstance
from agent.formats.node import Node, parse_json
from agent.grid import BLOCK, EMPTY, ClueText, Grid, Puzzle
from agent.reading import decode, was_json

__all__ = [
    "CandidateInstance",
    "Item",
    "count_puzzles",
    "load_source",
    "not_kept",
    "open_puzzles",
    "read_one",
    "read_puzzles",
    "write_puzzle",
]

Item = Puzzle | ClueText | CandidateInstance
"""One entry of a file of crosswords."""

STDIN = "-"

JSON_START = re.compile(r"\s*(?:\{(?!\\rtf)|\[\s*[{\[\]\"]|ipuz\()")
"""How JSON begins; `[Across]` and `[1] text` are clue text, and `{\\rtf` is rich text."""

FENCE = re.compile(r"\s*(```|~~~)\w*\n(.*?)\n?\1\s*", re.DOTALL)
"""Markdown's fence round a file."""

HEAD = 4096
"""Bytes by which formats that are read from bytes are known."""

MAX_BYTES = 16_000_000
"""Longer input is refused before it is parsed: thousands of puzzles are shorter."""

MAX_TEXT = 300_000
"""Longer clue text and .xd files are refused: the largest grid with long clues has a fifth of it."""

SEVERAL = "`gridwright evaluate` solves them all"
"""What to do about several puzzles in a file."""

A_PUZZLE = "a puzzle: an object with grid and clues, body, puzzle, or horizontal_answers"

EXPECTED = f"a puzzle ({ENDINGS}) or clue text with Across and Down headings"


def _module(of: FileFormat) -> Any:
    return import_module(f"agent.formats.{of.module or of.name}")


def _recognised(takes: str, data: Any) -> Iterator[tuple[FileFormat, Any]]:
    """Yield the formats that the data looks like, each with its module, which is loaded when it is its turn."""
    asked = ((one, _module(one)) for one in FORMATS if one.takes == takes)
    return ((one, module) for one, module in asked if module.looks_like(data))


def open_puzzles(source: str | Path) -> Iterator[Item]:
    """Read all puzzles of a file: any number of a JSON list, of JSON lines or of .xd puzzles below each other.

    JSON lines are read one at a time, however long the file is.
    """
    with _opened(source) as (file, name):
        first = _line(file, name, 1)
        if not _is_object(first):
            yield from read_puzzles(_rest(file, name, first), name)
            return
        for number, line in _lines(file, name, first):
            try:
                yield _read_line(number, line)
            except FormatError as error:
                raise error.within(name) from error


def count_puzzles(source: str | Path) -> int:
    """Count the puzzles of a file as :func:`open_puzzles` would read them; JSON lines are counted, not read.

    Raises FormatError.
    """
    with _opened(source) as (file, name):
        first = _line(file, name, 1)
        if _is_object(first):
            return sum(1 for _ in _lines(file, name, first))
    return sum(1 for _ in open_puzzles(source))


def read_puzzles(data: bytes | str, name: str, *, size: tuple[int, int] | None = None) -> Iterator[Item]:
    """Read all puzzles of a file's content, one after the other."""
    try:
        for _, item in _read_any(data, size):
            yield item
    except FormatError as error:
        raise error.within(name) from error


def read_one(data: bytes | str, name: str, *, size: tuple[int, int] | None = None) -> Item:
    """Read the only puzzle of a file's content. Raises FormatError, with the place of the second, if there are more.

    >>> tiny = "NO\\nOH\\n\\n\\nA1. Not yes ~ NO\\n"
    >>> read_one(tiny + tiny, "tiny.xd")
    Traceback (most recent call last):
    agent.errors.FormatError: tiny.xd: line 6: expected one puzzle, found 2: `gridwright evaluate` solves them all
    """
    try:
        found = list(_read_any(data, size))
    except FormatError as error:
        raise error.within(name) from error
    if not found:
        raise FormatError("expected one puzzle, found none", "", name)
    if len(found) > 1:
        raise FormatError(f"expected one puzzle, found {len(found)}: {SEVERAL}", found[1][0], name)
    return found[0][1]


def _read_any(data: bytes | str, size: tuple[int, int] | None) -> Iterator[tuple[str, Item]]:
    """Recognise the format by the content and read it; yield each puzzle with its place in the file."""
    if binary := next(_recognised("bytes", _head(data)), None):
        yield "", binary[1].read(data if isinstance(data, bytes) else data.encode())
        return
    content = decode(data, wanted=EXPECTED)
    content = fenced[2] if (fenced := FENCE.fullmatch(content)) else content
    if not content.strip():
        raise FormatError(f"expected {EXPECTED}, found nothing")
    lines = content.rstrip().split("\n")
    if len(lines) > 1 and _is_object(lines[0].encode()):
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"line {number}", _read_line(number, line)
        return
    if JSON_START.match(content):
        for document in _documents(content):
            yield document.where, _read_json(document)
        return
    if len(content) > MAX_TEXT:
        raise FormatError(f"expected at most {MAX_TEXT:,} characters of clues, found {len(content):,}")
    one, module = next(_recognised("text", content))
    try:
        if one.several:
            for line, part in module.parts(content):
                yield f"line {line}", module.read(part)
        else:
            yield "", module.read(content, size) if one.gridless else module.read(content)
    except FormatError as error:
        if not was_json(content):
            raise
        start = content.lstrip()[:40].split("\n")[0]
        raise FormatError(f"expected JSON, which begins with {{ or [, found {start!r}", "line 1, column 1") from error


def is_binary(data: bytes | str) -> bool:
    """Return whether the content is of a format that is read from bytes."""
    return next(_recognised("bytes", _head(data)), None) is not None


def _head(data: bytes | str) -> bytes:
    return data[:HEAD] if isinstance(data, bytes) else data[:HEAD].encode("utf-8", "replace")


def write_puzzle(puzzle: Puzzle, format: str, *, filled: Grid | None = None) -> bytes:  # noqa: A002 -- the word
    """Return a puzzle as the bytes of a file, with `filled`, else its own solution, as the solution.

    Formats with one grid (xd, text) carry the solution in it, else the letters that are given.
    `format` is the name of a format, such as "puz" or "text". Raises FormatError, which lists the names, if it is no
    such name, and if the format cannot hold the puzzle.

    >>> [puzzle] = read_puzzles(b"NO\\nOH\\n\\n\\nA1. Not yes ~ NO\\n", "tiny.xd")
    >>> "1. Not yes" in write_puzzle(puzzle, "text").decode()
    True
    """
    for one in WRITTEN:
        if one.name == format:
            if not (puzzle.grid.is_plain or one.any_grid):
                held = ", ".join(other.ending for other in WRITTEN if other.any_grid)
                what = "bars" if puzzle.grid.bars else "numbers of its own"
                raise FormatError(f"a {one.ending} file cannot hold a grid with {what}: {held} can")
            content: bytes | str = _module(one).write(puzzle, filled)
            return content if isinstance(content, bytes) else content.encode()
    raise FormatError(f"expected one of {', '.join(one.name for one in WRITTEN)}, found {format!r}")


PLACES = {"the letters written so far": "progress"}
"""Parts of a puzzle that are not called as its fields are."""


def not_kept(puzzle: Puzzle, format: str, written: bytes, *, filled: Grid | None = None) -> tuple[str, ...]:  # noqa: A002
    """Return what a written file does not bring back of the puzzle, in words: found out by reading it.

    >>> from agent.grid import Clue
    >>> tiny = Puzzle(Grid.parse(".."), (Clue("1A", "Not yes"),), title="Tiny", circles=frozenset({0}))
    >>> not_kept(tiny, "text", write_puzzle(tiny, "text"))
    ('circles',)
    """
    try:
        back = read_one(written, format)
    except FormatError as error:
        return (f"enough to be read back ({error.problem})",)
    if not isinstance(back, Puzzle):
        return ("the grid",)
    wanted = full(best_solution(puzzle, filled))
    given = [at for at, cell in enumerate(puzzle.grid.cells) if cell not in {BLOCK, EMPTY}]
    lost = [name for name, text in puzzle.about.items() if getattr(back, name) != clean(text)]
    if any(back.grid.cells[at] != puzzle.grid.cells[at] for at in given):
        lost.append("given letters")
    parts: dict[str, object] = {
        "the letters written so far": puzzle.progress,
        "clues": puzzle.clues,
        "circles": puzzle.circles,
        "shaded": puzzle.shaded,
        "solution": wanted,
    }
    lost += [name for name, content in parts.items() if content and getattr(back, PLACES.get(name, name)) != content]
    return tuple("shading" if name == "shaded" else name for name in lost)


def load_source(source: str | Path) -> tuple[bytes, str]:
    """Return the bytes and the name of a file or of stdin (`-`). Raises FormatError if it cannot be read."""
    with _opened(source) as (file, name):
        return _rest(file, name), name


@contextmanager
def _opened(source: str | Path) -> Iterator[tuple[BinaryIO, str]]:
    """Open a file, or stdin for `-`; yield it with its name. Raises FormatError if it cannot be read."""
    if str(source) == STDIN:
        yield sys.stdin.buffer, "stdin"
        return
    name = str(source)
    try:
        file = Path(source).open("rb")  # noqa: SIM115  # closed below; only opening it is tried
    except (OSError, ValueError) as error:
        raise _unreadable(error, name) from error
    with file:
        yield file, name


def _unreadable(error: Exception, name: str) -> FormatError:
    reason = getattr(error, "strerror", None) or str(error)
    return FormatError(f"expected {EXPECTED}, found no readable file: {reason}", file=name)


def _rest(file: BinaryIO, name: str, before: bytes = b"") -> bytes:
    """Read a file to its end; `before` is the part already read."""
    try:
        data = before + file.read(MAX_BYTES + 1 - len(before))
    except OSError as error:  # such as a folder
        raise _unreadable(error, name) from error
    if len(data) > MAX_BYTES:
        raise FormatError(f"expected at most {MAX_BYTES:,} bytes, found more", file=name)
    return data


def _line(file: BinaryIO, name: str, number: int) -> bytes:
    """Read a line."""
    try:
        line = file.readline(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(error, name) from error
    if len(line) > MAX_BYTES:
        raise FormatError(f"expected at most {MAX_BYTES:,} bytes, found more", f"line {number}", name)
    return line


def _is_object(line: bytes) -> bool:
    """Return whether the first line of a file is a whole JSON object, in which case each line is one."""
    if not line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{") or not line.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(json.loads(line.decode("utf-8-sig")), dict)
    except (ValueError, RecursionError):
        return False


def _lines(file: BinaryIO, name: str, first: bytes) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of the lines that are not blank."""
    number, line = 1, first
    while line:
        if not line.isspace():
            try:
                yield number, line.decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise FormatError("expected UTF-8 text", f"line {number}", name) from error
        number += 1
        line = _line(file, name, number)


def _documents(content: str) -> Iterator[Node]:
    """Yield the JSON objects of a file: one, or those of a list."""
    content = content.strip()
    if content.startswith("ipuz("):  # the specification allows a JavaScript call around the object
        content = content.removeprefix("ipuz(").rstrip(";").rstrip().removesuffix(")")
    document = parse_json(content)
    if isinstance(document.value, list):
        yield from document
    else:
        yield document


def _read_line(number: int, line: str) -> Item:
    """Read the puzzle in one of several lines of JSON."""
    try:
        return _read_json(parse_json(line))
    except FormatError as error:
        raise FormatError(error.problem, f"line {number}" + (f", {error.where}" if error.where else "")) from error


def _read_json(document: Node) -> Puzzle | CandidateInstance:
    """Read one JSON object, by its fields; those that its format does not read are left out of the puzzle by name."""
    if not isinstance(document.value, dict):
        raise document.fail(A_PUZZLE)
    known = next(_recognised("json", document), None)
    if known is None and any(map(document.has, ("clues", "across", "down"))) and not document.has("grid"):
        raise document.fail('a field grid besides the clues, such as ["##...", ...], or the clues alone as text')
    if known is None and document.has("clue"):
        raise FormatError("expected a puzzle, found a clue set: name it with --clue-set", document.where)
    if known is None:
        raise document.fail(A_PUZZLE)
    try:
        found: Puzzle | CandidateInstance = known[1].read(document)
    except FormatError as error:
        raise FormatError(error.problem, error.where or document.where) from error
    return replace(found, left_out=(*found.left_out, *document.unread())) if isinstance(found, Puzzle) else found
