"""A cache of responses on disk, so that nothing is asked twice; the only door to diskcache.

It keeps everything (responses may have cost money), is shared by threads and processes, and survives being killed.
It stores JSON text and nothing else. diskcache would unpickle, and so execute, a row planted by an attacker
(CVE-2025-69872, also with its JSONDisk); :func:`safe_disk` prevents that. If the cache cannot be used, work goes on
without it, and a warning says so.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder, Cache(folder) as cache:
...     cache.put("datamuse", {"ml": "not out"}, ["in"])
...     cache.get("datamuse", {"ml": "not out"}), cache.get("datamuse", {"ml": "other"})
(['in'], None)
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from agent.closing import Closing
from agent.config import user_folder
from agent.errors import reason
from agent.warn import Warn, warn_on_stderr

LOCK_SECONDS = 5.0
"""Time to wait while another process writes; a healthy one is done in milliseconds. Not fitted."""
DATABASE = "cache.db"
"""diskcache's own name for its file; we try the file first, as diskcache would wait a minute for a lock."""

T = TypeVar("T")


class ForeignRowError(Exception):
    """A row of the database was not written by this program."""


@lru_cache(maxsize=1)
def safe_disk() -> type:
    """Return the diskcache Disk that keeps text in the database and refuses everything else.

    No row can make it unpickle, open or delete a file. It is made on demand because diskcache is imported late.
    """
    import diskcache

    class SafeDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache ships no types
        def put(self, key: str) -> tuple[str, bool]:
            return _only_text(key), True

        def get(self, key: object, raw: bool) -> str:
            return key if raw and isinstance(key, str) else ""

        def store(self, value: str, read: bool, key: object = None) -> tuple[int, int, None, str]:  # noqa: ARG002  # signature of diskcache
            return 0, diskcache.core.MODE_RAW, None, _only_text(value)

        def fetch(self, mode: int, filename: str | None, value: object, read: bool) -> str:  # noqa: ARG002  # signature of diskcache
            if mode != diskcache.core.MODE_RAW or not isinstance(value, str):
                raise ForeignRowError
            return value

        def remove(self, file_path: str) -> None:
            """Delete nothing: this disk writes no files, so a row that names one is not ours."""

    return SafeDisk


def _only_text(value: object) -> str:
    if type(value) is not str:
        raise TypeError(f"the cache stores text, not {type(value).__name__}")
    return value


def canonical(value: Any) -> str:
    """Return canonical JSON: keys sorted, no spaces, ASCII. Raises TypeError or ValueError if it is not JSON.

    >>> canonical({"b": 1, "a": ["x", None]})
    '{"a":["x",null],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """A cache's folder, number of entries per namespace, bytes on disk, and whether it can be used."""

    folder: Path
    usable: bool
    bytes: int = 0
    entries: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.usable:
            return f"{self.folder}: not usable"
        kinds = ", ".join(f"{name} {count:,}" for name, count in self.entries.items()) or "empty"
        return f"{self.folder}: {kinds} ({self.bytes / 1e6:.1f} MB)"


class Cache(Closing):
    """Responses by namespace and key; opened at the first use, in the user's folder unless another is given.

    `warn` is called with one line when the cache cannot be used, and one when rows are found that are not ours.
    Close it in the thread that made it; other threads leave nothing open.
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        *,
        warn: Warn = warn_on_stderr,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self.folder = Path(folder) if folder is not None else user_folder("cache")
        self._warn = warn
        self._lock_seconds = lock_seconds
        self._lock = threading.Lock()
        self._owner = (os.getpid(), threading.get_ident())
        self._store: Any = None
        self._broken = False
        self._foreign = False

    def get(self, namespace: str, key: Mapping[str, Any]) -> Any | None:
        """Return the value stored under the key, or None."""
        entry = self._entry(_row(namespace, key))
        return entry["value"] if entry and entry["key"] == json.loads(canonical(key)) else None

    def put(self, namespace: str, key: Mapping[str, Any], value: Any) -> None:
        """Store a JSON value; it is on disk when this returns. Raises TypeError or ValueError if it is not JSON."""
        row, text = _row(namespace, key), canonical({"key": key, "value": value})
        self._run(lambda store: store.set(row, text))

    def items(self, namespace: str) -> Iterator[tuple[Any, Any]]:
        """Yield (key, value) of everything in a namespace, oldest first."""
        for row in self._rows():
            if row.startswith(f"{namespace}/"):
                entry = self._entry(row)
                if entry:
                    yield entry["key"], entry["value"]

    def info(self) -> CacheInfo:
        """Count the entries."""
        rows = self._rows()
        size = self._run(lambda store: store.volume())
        entries = Counter(row.partition("/")[0] for row in rows)
        return CacheInfo(self.folder, not self._broken, size or 0, dict(sorted(entries.items())))

    def clear(self) -> int:
        """Delete everything; return the number of entries deleted."""
        return self._run(lambda store: int(store.clear())) or 0

    def close(self) -> None:
        """Close the database; a later use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    def _rows(self) -> list[str]:
        """Return the database's keys except those that are not ours."""
        return [row for row in self._run(list) or () if row]

    def _entry(self, row: str) -> Mapping[str, Any] | None:
        """Return a row's content; None if it does not exist or is not ours."""
        text = self._run(lambda store: store.get(row))
        if text is None:
            return None
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            entry = None
        if isinstance(entry, dict) and entry.keys() == {"key", "value"}:
            return entry
        self._report_foreign()
        return None

    def _run(self, work: Callable[[Any], T]) -> T | None:
        """Return what `work` makes of the database; None if it cannot be used."""
        try:
            store = self._open()
            if store is None:
                return None
            try:
                return work(store)
            finally:
                if self._owner != (os.getpid(), threading.get_ident()):
                    store.close()  # this thread's connection: nothing else would close it when the thread ends
        except ForeignRowError:
            self._report_foreign()
        except Exception as error:  # noqa: BLE001  # a damaged database can fail in any way; work goes on without it
            with self._lock:
                first, self._broken = not self._broken, True
            if first:
                self._warn(f"cache {self.folder} cannot be used ({reason(error)}): going on without it")
        return None

    def _open(self) -> Any:
        with self._lock:
            if self._broken:
                return None
            if self._store is None:
                if not self.folder.is_dir():
                    self.folder.mkdir(parents=True, mode=0o700, exist_ok=True)
                _try_database(self.folder / DATABASE, self._lock_seconds)
                import diskcache

                store = diskcache.Cache.__new__(diskcache.Cache)
                try:
                    store.__init__(
                        str(self.folder),
                        timeout=self._lock_seconds,
                        disk=safe_disk(),
                        eviction_policy="none",
                        cull_limit=0,
                        sqlite_synchronous=2,  # FULL: a stored value survives even a crash of the machine
                    )
                except BaseException:
                    store.close()  # its connection is open, and nothing else would close it
                    raise
                self._store = store
            return self._store

    def _report_foreign(self) -> None:
        with self._lock:
            first, self._foreign = not self._foreign, True
        if first:
            self._warn(f"cache {self.folder} holds rows that gridwright did not write: they are ignored")


def _row(namespace: str, key: Mapping[str, Any]) -> str:
    if not namespace or "/" in namespace:
        raise ValueError(f"a namespace must be a plain name, not {namespace!r}")
    return f"{namespace}/{hashlib.sha256(canonical(key).encode()).hexdigest()}"


def _try_database(path: Path, seconds: float) -> None:
    """Raise sqlite3.Error if the file is not a database, cannot be written or stays locked."""
    with closing(sqlite3.connect(path, timeout=seconds, isolation_level=None)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
