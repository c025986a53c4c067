"""Find evaluation data: the project's own in this folder, the rest in the folder that `make data` fills.

`GRIDWRIGHT_DATA` names another folder for the rest; without it that is `data/fetched`, outside version control. Tests
and benchmarks ask here for every file that may be absent.
"""

from __future__ import annotations

import os
from pathlib import Path

OWN = Path(__file__).resolve().parent
"""The project's own data: free to copy, always there."""
VARIABLE = "GRIDWRIGHT_DATA"


def folder() -> Path:
    """Return the folder of the data that the project may not contain; it need not exist."""
    return Path(os.environ.get(VARIABLE) or OWN / "fetched")


def path(name: str) -> Path:
    """Return where a file lies or would lie, the project's own first: `goobix_test20.json`, `minis`."""
    own = OWN / name
    return own if own.exists() else folder() / name


def files(pattern: str) -> list[Path]:
    """List own and fetched files, sorted by name: `gogen/*.json`. Own files hide fetched ones of the same name."""
    found = {file.name: file for place in (folder(), OWN) for file in place.glob(pattern)}
    return [found[name] for name in sorted(found)]


def absence(missing: Path) -> str | None:
    """Return a line that says how to get a file, or None if it is there."""
    if missing.exists():
        return None
    return f"{missing.name} is not in {missing.parent}: run `make data`, or set {VARIABLE} to a folder that has it"
