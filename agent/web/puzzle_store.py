"""The puzzles that pages have open, in memory: the least recently used one goes first."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from agent.kinds import GridResult
from agent.solution import Solution
from agent.web.boards import AnyPuzzle

HANDLE_BYTES = 12
"""Random bytes in a handle: it cannot be guessed, so one page does not reach another's puzzle."""


def key_of(data: bytes) -> str:
    """Return the key of a puzzle's file: the same bytes have the same key, wherever and whenever they are opened.

    The page keeps what a person wrote under it.

    >>> key_of(b"1. Not yes")
    'c799e5aa00e356d9'
    """
    return hashlib.sha256(data).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Source:
    """What a puzzle was opened from: a shipped example by its name, or a file or text, its bytes and its name."""

    example: str = ""
    name: str = ""
    data: bytes = field(default=b"", repr=False)

    def to_json(self) -> dict[str, str]:
        """Describe it as the page keeps it, and opens it again.

        >>> Source(name="a.txt", data=b"1. Not yes").to_json()
        {'name': 'a.txt', 'text': '1. Not yes'}
        """
        if self.example:
            return {"example": self.example}
        try:
            return {"name": self.name, "text": self.data.decode("utf-8")}
        except UnicodeDecodeError:
            return {"name": self.name, "base64": base64.b64encode(self.data).decode()}


UNKNOWN_SOURCE = Source()


@dataclass(slots=True)
class Entry:
    """A puzzle that is open: its handle, the puzzle, what it was opened from, and the last answer of the agent.

    `providers` are the sources of the answer.
    """

    handle: str
    puzzle: AnyPuzzle
    source: Source = UNKNOWN_SOURCE
    answer: Solution | GridResult | None = field(default=None, repr=False)
    providers: tuple[str, ...] = ()


class PuzzleStore:
    """Keeps puzzles, up to a number and a total of bytes of their files.

    >>> from agent.kinds import read_kind
    >>> store = PuzzleStore(most=1, most_bytes=100)
    >>> first = store.add(read_kind("1\\n\\n1"), Source(name="a", data=b"1\\n\\n1"))
    >>> second = store.add(read_kind("1\\n\\n1"), Source(name="b", data=b"1\\n\\n1"))
    >>> store.get(first.handle) is None, store.get(second.handle) is second
    (True, True)
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most, self._most_bytes, self._bytes = most, most_bytes, 0
        self._entries: OrderedDict[str, Entry] = OrderedDict()

    def add(self, puzzle: AnyPuzzle, source: Source) -> Entry:
        """Keep a puzzle under a new handle, and drop the oldest if there is no room."""
        entry = Entry(secrets.token_urlsafe(HANDLE_BYTES), puzzle, source)
        self._entries[entry.handle] = entry
        self._bytes += len(source.data)
        while len(self._entries) > 1 and (len(self._entries) > self._most or self._bytes > self._most_bytes):
            _, gone = self._entries.popitem(last=False)
            self._bytes -= len(gone.source.data)
        return entry

    def get(self, handle: str) -> Entry | None:
        """Return a puzzle, and count it as used now; None if it was dropped or never kept."""
        entry = self._entries.get(handle)
        if entry is not None:
            self._entries.move_to_end(handle)
        return entry

    def __len__(self) -> int:
        return len(self._entries)
