"""How long a person waits: cold starts of the command, and puzzles a second when evaluating from a clue set.

    python tests/bench/bench_speed.py

Cold starts are whole processes, from the shell to the exit, in wall time and in processor time (user and system): 20
of each command in turns, after one that is not counted, with the bytecode that an installation has and the lexicon
that is shipped. They solve our own minis, from the recorded clue set or from the lexicon alone. The yardstick in the
same run is a Python that only imports numpy. Evaluation runs in one process over our 5x5 minis, four times over.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from common import ROOT, keep, spread

from agent.candidates.clueset import ClueSet
from agent.evaluate.task import evaluate_one
from agent.formats import open_puzzles
from agent.grid import Puzzle
from agent.tools import Tools

MINIS = ROOT / "data" / "minis"
LISTS = MINIS / "minis_llm.clues.jsonl"
RUNS = 20
SHOWN = ("mini-02", "mini-08", "mini-15")


def cold(commands: Mapping[str, Sequence[str]]) -> dict[str, dict[str, dict[str, float]]]:
    """Time whole processes in seconds, the commands in turns, so that other load on the machine is shared by all."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["GRIDWRIGHT_LEXICON"] = "permissive"
    wall: dict[str, list[float]] = {name: [] for name in commands}
    processor: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(RUNS + 1):
        for name, command in commands.items():
            started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
            seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
            if turn:
                wall[name].append(seconds)
                processor[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {name: {"wall": spread(wall[name]), "processor": spread(processor[name])} for name in commands}


def starts() -> dict[str, Sequence[str]]:
    """List the commands by the case that each stands for."""
    program = str(Path(sys.executable).parent / "gridwright")
    recorded = ("--clue-set", str(LISTS), "--offline")
    found: dict[str, Sequence[str]] = {
        "python, import numpy": [sys.executable, "-c", "import numpy"],
        "--version": [program, "--version"],
        "mini-01 from the clue set": [program, "solve", "data/minis/mini-01.xd", *recorded, "--providers", "none"],
        "plain-words from the lexicon": [program, "solve", "data/demo/plain-words.xd", "--offline"],
    }
    for name in SHOWN:
        puzzle = f"data/minis/{name}.xd"
        found[f"{name} from the clue set"] = [program, "solve", puzzle, *recorded]
        found[f"{name} from the lexicon"] = [program, "solve", puzzle, "--offline"]
    return found


def main() -> None:
    """Measure and keep."""
    measured = cold(starts())
    puzzles = [p for path in sorted(MINIS.glob("mini-*.xd")) for p in open_puzzles(path) if isinstance(p, Puzzle)]
    tools = Tools([ClueSet.open(LISTS)])
    for puzzle in puzzles:
        evaluate_one(puzzle, tools)
    started, burned = time.perf_counter(), time.process_time()
    for _ in range(4):
        for puzzle in puzzles:
            evaluate_one(puzzle, tools)
    wall, cpu = time.perf_counter() - started, time.process_time() - burned
    rate = {
        "puzzles": 4 * len(puzzles),
        "per_second": 4 * len(puzzles) / wall,
        "per_core_second": 4 * len(puzzles) / cpu,
    }
    keep("speed", {"cold_start_seconds": measured, "evaluate_from_clue_set": {k: round(v, 1) for k, v in rate.items()}})


if __name__ == "__main__":
    main()
