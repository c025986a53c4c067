"""Shared by all benchmarks: the place of the data, a description of the machine, and how results are kept."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "data"))
import evaluation

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as the program does; numpy comes after this module

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, Any]:
    """Describe where the figures were measured."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {
        "when": f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
        "commit": commit.stdout.strip() or None,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    """Minimum, median and maximum, in the unit of the values."""
    return {
        "min": round(min(values), 6),
        "median": round(statistics.median(values), 6),
        "max": round(max(values), 6),
    }


def keep(name: str, result: dict[str, Any]) -> None:
    """Write a raw result and print it."""
    RESULTS.mkdir(exist_ok=True)
    lines = result.pop("lines", None)
    whole = {"machine": machine(), **result}
    text = json.dumps(whole, indent=1, ensure_ascii=False)
    print(text)
    if lines is not None:  # one line per puzzle, so that a diff shows what changed
        rows = ",\n  ".join(json.dumps(line, ensure_ascii=False) for line in lines)
        text = f'{text[:-2]},\n "lines": [\n  {rows}\n ]\n}}'
    (RESULTS / f"{name}.json").write_text(text + "\n", "utf-8")


def missing(path: Path) -> bool:
    """Return whether a file of the evaluation data is absent; if it is, print how to get it."""
    if absence := evaluation.absence(path):
        print(f"skipped: {absence}", file=sys.stderr)
    return absence is not None
