"""How long a person waits: cold starts of the command, and puzzles a second when evaluating from a clue set.

    python tests/bench/bench_speed.py

Cold starts are whole processes, from the shell to the exit, nine times each after one that is not counted, on 5x5
minis of our own: with candidates from the recorded clue set, and with the embedded lexicon alone. The yardstick in the
same run is a Python that only imports numpy. Evaluation runs in one process over our 5x5 minis, four times over.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from common import ROOT, keep, spread

from agent.candidates.clueset import ClueSet
from agent.evaluate.task import evaluate_one
from agent.formats import open_puzzles
from agent.grid import Puzzle
from agent.tools import Tools

MINIS = ROOT / "data" / "minis"
LISTS = MINIS / "minis_llm.clues.jsonl"
RUNS = 9
SHOWN = ("mini-02", "mini-08", "mini-15")


def cold(command: Sequence[str]) -> list[float]:
    """Time whole processes in seconds."""
    seconds = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        seconds.append(time.perf_counter() - started)
    return seconds[1:]


def main() -> None:
    """Measure and keep."""
    program = [str(Path(sys.executable).parent / "gridwright"), "solve"]
    starts = {"python, import numpy": spread(cold([sys.executable, "-c", "import numpy"]))}
    for name in SHOWN:
        puzzle = f"data/minis/{name}.xd"
        starts[f"{name} from the clue set"] = spread(cold([*program, puzzle, "--clue-set", str(LISTS), "--offline"]))
        starts[f"{name} from the lexicon"] = spread(cold([*program, puzzle, "--offline"]))
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
    keep("speed", {"cold_start_seconds": starts, "evaluate_from_clue_set": {k: round(v, 1) for k, v in rate.items()}})


if __name__ == "__main__":
    main()
