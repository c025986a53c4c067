"""Results as JSON lines: written one by one, so that a killed run continues where it stopped.

Each line is one puzzle under one configuration with one seed:

    {"key": "mini-01|5f0c2a91|9d2e8f1c30aa|0", "schema_version": 2, "configuration": "lexicon", "line": {"id": ...}}

The key is the puzzle's id, a hash of its content, a hash of the configuration, and the seed. Several configurations may
share a file, and files may be concatenated. If a key occurs twice, the last line counts. In lines of another schema
version the same names have other meanings, so a file with any is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from agent.closing import Closing
from agent.disk import drop_torn_line, open_alone
from agent.errors import UsageError
from agent.evaluate.lines import ResultLine
from agent.warn import Warn, ignore_warning


class Record(TypedDict):
    """One line of the file."""

    key: str
    schema_version: int
    configuration: str
    line: ResultLine


SCHEMA_VERSION = 2
"""Version of the lines; it rises when a field of :class:`agent.evaluate.lines.ResultLine` changes or goes away."""

BEGINNING = b'{"key": '
"""The beginning of every line: an unfinished last line was torn off by a kill only if it begins like this."""


def read_records(path: Path, warn: Warn = ignore_warning) -> Iterator[tuple[int, Record]]:
    """Yield (offset in the file, record) for every line; a last line that was torn off is left out, with a warning.

    Raises UsageError if the file holds anything else, OSError if it cannot be read.
    """
    place = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                if line[: len(BEGINNING)] != BEGINNING[: len(line)]:
                    raise UsageError(f"{path}: expected result lines of an earlier run")
                warn(f"{path}: line {number}: torn off when the run was killed; ignored")
                return
            yield place, _record(path, number, line)
            place += len(line)


def _record(path: Path, number: int, line: bytes) -> Record:
    try:
        record = json.loads(line)
        fits = isinstance(record["line"], dict) and len(record["key"].rsplit("|", 3)) == 4
        fits = fits and isinstance(record["configuration"], str)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        fits = False
    if not fits:
        raise UsageError(f"{path}: line {number}: expected a result line of an earlier run")
    version = record.get("schema_version", 1)
    if version != SCHEMA_VERSION:
        raise UsageError(
            f"{path}: line {number}: expected result lines of version {SCHEMA_VERSION}, found version {version}: "
            "another gridwright wrote this file; evaluate again into a new one"
        )
    return record  # type: ignore[no-any-return]  # it was looked at


class Results(Closing):
    """A file of results that an evaluation adds to; only the offset of each line is kept in memory.

    A line that was torn off by a kill is removed, with a warning, and its puzzle is run again. No second run can add
    to the file meanwhile. Close it, or use it as a context manager.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Results(Path(folder) / "results.jsonl") as results:
    ...         results.add("mini-01|5f0c|9d2e|0", "lexicon", {"solved": True})
    ...         "mini-01|5f0c|9d2e|0" in results, results.line("mini-01|5f0c|9d2e|0")
    (True, {'solved': True})
    """

    def __init__(self, path: Path, warn: Warn = ignore_warning) -> None:
        """Open a file, which need not exist yet.

        Raises UsageError if it holds anything else or another run adds to it, OSError if it cannot be written.
        """
        self.path = path
        self._file = open_alone(path, "another evaluation is adding to this file")
        try:
            self._places = {record["key"]: place for place, record in read_records(path, warn)}
            drop_torn_line(self._file)
        except BaseException:
            self._file.close()
            raise

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def line(self, key: str) -> ResultLine:
        """Return a puzzle's line. Raises KeyError if there is none."""
        self._file.seek(self._places[key])
        line: ResultLine = json.loads(self._file.readline())["line"]
        return line

    def add(self, key: str, configuration: str, line: ResultLine) -> None:
        """Add a puzzle's line; it is on disk when this returns."""
        record: Record = {"key": key, "schema_version": SCHEMA_VERSION, "configuration": configuration, "line": line}
        place = self._file.seek(0, os.SEEK_END)
        self._file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._places[key] = place

    def close(self) -> None:
        """Close the file, so that others may add to it."""
        self._file.close()
