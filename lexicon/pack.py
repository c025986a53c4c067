"""The index file: named arrays in one file, read through a memory map.

Layout: 8 bytes of magic, 8 bytes with the header's length, the header (JSON), then the arrays, each at a multiple of
64 bytes. Nothing is compressed: opening a file reads only its header, and of an array only the pages that are used
are read. Writing the same arrays gives the same bytes.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.errors import PackError
from lexicon.lookup import SortedLines

MAGIC = b"GWLEXI04"
ALIGNMENT = 64


def write_pack(path: Path, arrays: Mapping[str, NDArray[Any]], meta: Mapping[str, Any]) -> int:
    """Write arrays and meta data to a file; return its size in bytes."""
    entries: dict[str, dict[str, Any]] = {}
    blobs: list[bytes] = []
    position = 0
    for name, array in arrays.items():
        blob = array.tobytes()
        entries[name] = {"at": position, "type": array.dtype.str, "shape": list(array.shape)}
        blob += b"\0" * (-len(blob) % ALIGNMENT)
        blobs.append(blob)
        position += len(blob)
    header = json.dumps({"meta": meta, "arrays": entries}, sort_keys=True).encode()
    header += b" " * (-(len(header) + 16) % ALIGNMENT)
    content = MAGIC + len(header).to_bytes(8, "little") + header + b"".join(blobs)
    partial = path.with_suffix(".partial")
    partial.write_bytes(content)
    partial.replace(path)
    return len(content)


class Pack:
    """An open index file: read-only arrays by name, safe to share between threads.

    The map stays open as long as an array made from it lives; there is nothing to close.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise PackError(f"{path}: cannot be read as a lexicon index: {error}") from error
        if self._map[:8] != MAGIC:
            raise PackError(f"{path}: not a lexicon index of this version, expected {MAGIC.decode()} at its start")
        length = int.from_bytes(self._map[8:16], "little")
        header = json.loads(self._map[16 : 16 + length])
        self.path = path
        self.size = len(self._map)
        self.meta: dict[str, Any] = header["meta"]
        self._arrays: dict[str, dict[str, Any]] = header["arrays"]
        self._base = 16 + length

    def lines(self, name: str) -> SortedLines:
        """Return an array of bytes as lines to look up; of the file, a look-up reads a few pages."""
        content = self[name]
        start = self._base + self._arrays[name]["at"]
        return SortedLines(self._map, start, start + len(content))

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._arrays:
            raise PackError(f"{self.path}: not a lexicon index of this version, expected an array {name}")
        entry = self._arrays[name]
        count = int(np.prod(entry["shape"]))
        view = np.frombuffer(self._map, dtype=entry["type"], count=count, offset=self._base + entry["at"])
        return view.reshape(entry["shape"])
