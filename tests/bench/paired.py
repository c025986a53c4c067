"""Time our search and CP-SAT on the same puzzles, in turn, in the same process.

Both get the parsed puzzle, build their own tables or model, find a solution and prove it unique (or find a second);
parsing and the import of ortools are outside the clock. CP-SAT runs with one worker on the puzzle as it is, in the
encoding of `agent/cpsat.py`. A round repeats quick runs for a twentieth of a second. Compared are medians over the
rounds of processor time, all threads of the process together, as the machine may be shared; wall time and every single
time are in the raw results.
"""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from common import evaluation

from agent.core.outcome import Budget
from agent.kinds import GridPuzzle, find_backend, kind_of, read_kind, work_of

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results"
LIMIT = 60.0
"""Seconds for either side on one puzzle."""
BLOCK = 0.05
"""Seconds for which a side is run again and again in each round: single runs of a tenth of a millisecond measure the
caches that the other side left behind."""
MEMORY = """
import re, sys
from pathlib import Path
from agent.kinds import read_kind, solve_kind
solve_kind(read_kind(Path(sys.argv[1]).read_bytes()))
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def instances(folder: str) -> list[Path]:
    """List the project's own puzzles and, if they have been fetched, those of the evaluation data."""
    return evaluation.files(f"{folder}/*.json")


def repeated(puzzle: GridPuzzle, side: str) -> tuple[float, float, dict[str, Any]]:
    """Run one side until :data:`BLOCK` seconds have gone by; the means, and its answer."""
    runs = [once(puzzle, side)]
    while sum(wall for _, wall, _ in runs) < BLOCK:
        runs.append(once(puzzle, side))
    spent, wall = (statistics.fmean(run[k] for run in runs) for k in (0, 1))
    return spent, wall, runs[-1][2]


def once(puzzle: GridPuzzle, side: str) -> tuple[float, float, dict[str, Any]]:
    """Run one side once: seconds of processor time and of wall time, and its answer."""
    from ortools.sat.python import cp_model  # noqa: F401 - loaded before the clock starts

    started, spent = time.perf_counter(), time.process_time()
    work = work_of(puzzle)
    if side == "cp-sat":
        backend = find_backend(kind_of(puzzle), wanted=True)
        assert backend is not None
        outcome = backend(work.start, 2, Budget(seconds=LIMIT), math.inf)
        by = "cp-sat"
    else:
        backend = find_backend(kind_of(puzzle), wanted=True) if side == "ours" else None
        settled = work.settle(2, Budget(seconds=LIMIT), backend)
        outcome, by = settled.outcome, settled.finished_by
    spent, wall = time.process_time() - spent, time.perf_counter() - started
    said = {"solutions": len(outcome.goals), "termination": outcome.termination, "finished_by": by}
    return spent, wall, {**said, "expansions": outcome.expansions, "propagations": work.rules.effort.units}


def measure(file: Path, rounds: int, sides: Sequence[str]) -> dict[str, Any]:
    """Run all sides in turn, `rounds` times (once if one takes more than five seconds)."""
    puzzle = read_kind(file.read_bytes(), source=file.name)
    times: dict[str, list[float]] = {side: [] for side in sides}
    walls: dict[str, list[float]] = {side: [] for side in sides}
    said: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for side in sides:
            spent, wall, said[side] = repeated(puzzle, side)
            times[side].append(round(spent, 7))
            walls[side].append(round(wall, 7))
        if max(max(values) for values in times.values()) > 5:
            break
    memory = subprocess.run([sys.executable, "-c", MEMORY, str(file)], check=True, capture_output=True, text=True)
    row: dict[str, Any] = {"puzzle": file.stem, "peak_mb": round(int(memory.stdout) / 1024, 1)}
    for side in sides:
        row[side] = {
            "median_s": statistics.median(times[side]),
            "median_wall_s": statistics.median(walls[side]),
            "seconds": times[side],
            "wall_seconds": walls[side],
            **said[side],
        }
    row["ratio"] = round(row["cp-sat"]["median_s"] / row["ours"]["median_s"], 2)
    verdicts = {(row[side]["solutions"], row[side]["termination"]) for side in ("ours", "cp-sat")}
    row["agree"] = len(verdicts) == 1
    return row


def bench(
    folder: str, *, rounds: int = 5, sides: Sequence[str] = ("ours", "cp-sat"), more: Sequence[Path] = ()
) -> None:
    """Measure all puzzles of a folder, and `more`, print a line for each, and write the raw results."""
    rows = []
    for file in [*instances(folder), *more]:
        row = measure(file, rounds, sides)
        rows.append(row)
        shown = "  ".join(f"{side} {1000 * row[side]['median_s']:9.2f} ms" for side in sides)
        print(
            f"{row['puzzle']:28} {shown}  x{row['ratio']:<7} {row['ours']['solutions']} solutions, "
            f"{row['ours']['expansions']} expansions, by {row['ours']['finished_by']}, {row['peak_mb']} MB"
            f"{'' if row['agree'] else '  THE TWO DISAGREE'}",
            flush=True,
        )
    ratios = [row["ratio"] for row in rows]
    summary = {
        "puzzles": len(rows),
        "ratio_geometric_mean": round(math.exp(statistics.fmean(map(math.log, ratios))), 2),
        "ratio_median": statistics.median(ratios),
        "ratio_min": min(ratios),
        "ours_median_s": statistics.median(row["ours"]["median_s"] for row in rows),
        "ours_max_s": max(row["ours"]["median_s"] for row in rows),
        "ours_max_wall_s": max(row["ours"]["median_wall_s"] for row in rows),
        "peak_mb_max": max(row["peak_mb"] for row in rows),
        "all_agree": all(row["agree"] for row in rows),
    }
    print(json.dumps(summary))
    machine = {
        "python": platform.python_version(),
        "ortools": version("ortools"),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load_1_and_5_minutes": [round(value, 2) for value in os.getloadavg()[:2]],
    }
    RESULTS.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({"summary": summary, "machine": machine, "rounds": rounds})[:-1]
    (RESULTS / f"{folder}.json").write_text(f'{head}, "rows": [\n{lines}\n]}}\n')
