"""The record of a loop: every call and every verdict as a line of JSON, from which it can be replayed and resumed.

A loop is a function of the model's replies: given the same replies it asks the same questions and reaches the same
verdicts. So a killed loop resumes by running again with the recorded replies until they are used up, and a replay is a
loop that must not need any others.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.errors import JournalError

Message = Mapping[str, str]


def digest(messages: Sequence[Message]) -> str:
    """Return a hash of a list of messages.

    >>> digest([{"role": "user", "content": "hi"}])[:8]
    '5aced939'
    """
    text = json.dumps([dict(message) for message in messages], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def read_events(path: Path) -> list[dict[str, Any]]:
    """Read the events of a journal; a last line that a kill cut short is left out. Raises JournalError."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{path}: {error}; expected a journal of `gridwright autotos`") from None
    events = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            event = json.loads(line)
        except ValueError:
            raise JournalError(f"{path}, line {number}: not JSON; expected an event of a loop") from None
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise JournalError(f'{path}, line {number}: expected an object with "event"')
        events.append(event)
    return events


class Journal:
    """An append-only record; without a path it is kept in memory only.

    Each event is written once: a resumed loop does not add events that are already there.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        if path is not None and path.exists():
            self.events = read_events(path)
            whole = "".join(json.dumps(event) + "\n" for event in self.events)
            if len(whole.encode()) != path.stat().st_size:
                self._mend(path, whole)
        self._seen = {self._key(event) for event in self.events}

    @staticmethod
    def _mend(path: Path, whole: str) -> None:
        """Remove a line that was cut short, through a new file, so that a second kill loses nothing."""
        mended = path.with_name(path.name + ".part")
        mended.write_text(whole, encoding="utf-8")
        mended.replace(path)

    @staticmethod
    def _key(event: Mapping[str, Any]) -> tuple[Any, ...]:
        return event["event"], event.get("run"), event.get("number")

    def recall(self, events: Iterable[dict[str, Any]]) -> None:
        """Add events of another journal without writing them."""
        for event in events:
            self.events.append(event)
            self._seen.add(self._key(event))

    def find(self, event: str, run: int, number: int | None = None) -> dict[str, Any] | None:
        """Return a recorded event, None if there is none."""
        for one in self.events:
            if self._key(one) == (event, run, number):
                return one
        return None

    def add(self, event: str, run: int | None = None, number: int | None = None, **fields: Any) -> None:
        """Record an event; it is on disk when this returns."""
        entry = {"event": event, "run": run, "number": number, **fields}
        if self._key(entry) in self._seen:
            return
        self._seen.add(self._key(entry))
        self.events.append(entry)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
                file.flush()
                os.fsync(file.fileno())
