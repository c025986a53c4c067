"""Results as JSON lines: written one by one, so that a killed run goes on where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BEGINNING = b'{"key": '
"""How every line begins: what ends a file without a line end was torn off by a kill only if it begins like this."""


class Results:
    """Result lines by key, in a file or, without a path, in memory.

    A line that was cut off by a kill is dropped when the file is opened again, and its puzzle is run again.

    >>> results = Results()
    >>> results.add("mini-01|abc", {"id": "mini-01"})
    >>> "mini-01|abc" in results
    True
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open a file of results, which need not exist yet. Raises ValueError where it holds something else."""
        self.path = path
        self.lines: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            self._read(path)

    def _read(self, path: Path) -> None:
        raw = path.read_bytes()
        whole, _, torn = raw.rpartition(b"\n")
        for number, line in enumerate(whole.split(b"\n") if whole else [], 1):
            try:
                record = json.loads(line)
                self.lines[record["key"]] = record["line"]
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{path} line {number}: expected a result line of an earlier run") from error
        if torn[: len(BEGINNING)] != BEGINNING[: len(torn)]:
            raise ValueError(f"{path}: expected result lines of an earlier run")
        if torn:
            os.truncate(path, len(raw) - len(torn))

    def __contains__(self, key: str) -> bool:
        return key in self.lines

    def add(self, key: str, line: Mapping[str, Any]) -> None:
        """Keep a line; in a file it is on disk when this returns."""
        self.lines[key] = dict(line)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, "line": line}, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
