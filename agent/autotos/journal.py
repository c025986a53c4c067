"""The record of a loop: calls, verdicts and counts as lines of JSON, from which it is replayed, resumed and reported.

Given the recorded events a loop asks the same questions. So a killed loop resumes by running again over the record
until it is used up, and a replay is a loop that must not need anything else, and compares its verdicts.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from agent.autotos.faults import CounterExample, Fault, Verdict
from agent.closing import Closing
from agent.disk import drop_torn_line, open_alone
from agent.errors import JournalError, reason
from agent.llm.api import Message


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
        raise JournalError(f"{path}: {reason(error)}; expected a journal of `gridwright autotos`") from None
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


class Journal(Closing):
    """An append-only record; without a path it is kept in memory only. One that must exist is read, and not written to.

    Each event is written once: a resumed loop does not add events that are already there. A line that a kill cut short
    is removed, and no second loop can add to the file meanwhile. Close it, or use it as a context manager.

    Raises JournalError if the file is no journal, UsageError if another loop adds to it.
    """

    def __init__(self, path: Path | None = None, *, must_exist: bool = False) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self._file: IO[bytes] | None = None
        if path is not None and must_exist:
            self.events = read_events(path)
        elif path is not None:
            self._open(path)
        self._found = {self._key(event): event for event in self.events}

    def _open(self, path: Path) -> None:
        self._file = open_alone(path, "another loop is adding to this journal")
        try:
            self.events = read_events(path)
            drop_torn_line(self._file)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file, so that another loop may add to it."""
        if self._file is not None:
            self._file.close()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the loop was started with. Raises JournalError if no loop was."""
        start = self.find("start", 0)
        if start is None:
            raise JournalError(f"{self.path}: expected a journal of `gridwright autotos`; it has no start")
        settings: Mapping[str, Any] = start["settings"]
        return settings

    @staticmethod
    def _key(event: Mapping[str, Any]) -> tuple[Any, ...]:
        return event["event"], event.get("run"), event.get("number")

    def copy(self) -> Journal:
        """Return the same record in memory: what is added to it is not written."""
        made = Journal()
        made.events, made._found = list(self.events), dict(self._found)
        return made

    def find(self, event: str, run: int, number: int | None = None) -> dict[str, Any] | None:
        """Return a recorded event, None if there is none."""
        return self._found.get((event, run, number))

    def once(self, event: str, run: int, number: int, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a recorded event, or make and record it."""
        return self.find(event, run, number) or self.add(event, run, number, **make())

    def add(self, event: str, run: int, number: int | None = None, **fields: Any) -> dict[str, Any]:
        """Record an event, if it is not recorded yet, and return it; it is on disk then."""
        entry = {"event": event, "run": run, "number": number, **fields}
        if (known := self._found.get(self._key(entry))) is not None:
            return known
        self._found[self._key(entry)] = entry
        self.events.append(entry)
        if self._file is not None:
            self._file.write(json.dumps(entry).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        return entry


def verdict_from(event: Mapping[str, Any]) -> Verdict:
    """Return the verdict of a recorded event. Raises JournalError if it is not whole."""
    try:
        details = [_fault_from(detail) for detail in event["details"]]
        return Verdict(
            event["role"],
            event["function"],
            event["verdict"],
            tuple(fault for fault in details if fault.kind in event["faults"]),
            tuple(fault for fault in details if fault.kind in event["remarks"]),
            event["cases"],
            event["seed"],
            event["backend"],
            event["seconds"],
            event["proof"],
        )
    except (KeyError, TypeError) as error:
        where = f"the verdict on call {event.get('number')} of run {event.get('run')}"
        raise JournalError(f"{where} is not whole: {error!r}") from None


def _fault_from(detail: Mapping[str, Any]) -> Fault:
    example = detail["counter_example"]
    if example is not None:
        arguments = {name: value for name, value in example.items() if name not in ("came", "expected", "offending")}
        example = CounterExample(arguments, example["came"], example["expected"], tuple(example["offending"]))
    return Fault(detail["kind"], detail["count"], detail["note"], example, detail["feedback"])
