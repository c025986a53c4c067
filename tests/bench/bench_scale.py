"""Ten thousand puzzles on two local Dask workers: throughput against one process, and memory that stays flat.

    python tests/bench/bench_scale.py [--puzzles 10000] [--lists 100]

The puzzles are made first (`gridwright make mini --count ... --lists ...`): 5x5 patterns, and for each slot a list of
words that has its answer among them; the making is timed too. Then the same file is evaluated as a user does it,
`gridwright evaluate FILE --out RESULTS`, in turn: in one process, on a Dask scheduler with two workers of one thread
each, and in two processes (`--jobs 2`), all on this machine. Every second the resident memory and the processor
time of all of them are read. At the end the three files of results must hold the same lines, every puzzle once.

On a machine with two cores the scheduler and the parent need a share of the cores that the workers have: their
processor time stands in the result, and is what another machine would have to spare.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from common import keep

PROGRAM = str(Path(sys.executable).parent / "gridwright")
PARENT = "parent and its processes"
EVERY_SECONDS = 1.0
"""Time between two looks at the memory."""
SHOWN = 12
"""Looks that are kept of each process, spread over the run."""
SETTLED = 0.2
"""Share of the run after which a process has loaded what it loads; growth is counted from there."""
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
"""One thread for each process; Dask's own profiler off, whose history grows for the first quarter of an hour."""
TICK = os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    """Read the resident memory of a process, 0 when it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def burned(pid: int) -> float:
    """Read the processor seconds of a process so far, 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


def family(pid: int) -> list[int]:
    """List a process and all below it."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = dict(map(int, line.split()) for line in listed.splitlines())
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def watched(command: Sequence[str], others: Mapping[str, int]) -> dict[str, Any]:
    """Run a command and sample its memory and that of others (name -> process number) meanwhile."""
    before = {name: burned(pid) for name, pid in others.items()}
    seen: dict[str, list[float]] = {name: [] for name in (PARENT, *others)}
    spent: dict[int, float] = {}
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT) as process:
        while process.poll() is None:
            members = family(process.pid)
            spent |= {pid: found for pid in members if (found := burned(pid))}
            seen[PARENT].append(sum(map(megabytes, members)))
            for name, pid in others.items():
                seen[name].append(megabytes(pid))
            time.sleep(EVERY_SECONDS)
        assert process.returncode == 0
    seconds = time.perf_counter() - started
    return {
        "seconds": round(seconds, 1),
        "processor_seconds": {
            PARENT: round(sum(spent.values()), 1),
            **{name: round(burned(pid) - before[name], 1) for name, pid in others.items()},
        },
        "load_during_the_last_minute": round(os.getloadavg()[0], 1),
        "megabytes": {name: shape(values) for name, values in seen.items() if values},
    }


def shape(values: Sequence[float]) -> dict[str, Any]:
    """Sum up one process's memory: over the run, and its growth after it had settled."""
    settled = values[int(len(values) * SETTLED) :]
    third = max(1, len(settled) // 3)
    step = max(1, len(values) // SHOWN)
    return {
        "highest": round(max(values), 1),
        "growth_from_first_to_last_third": round(
            statistics.median(settled[-third:]) - statistics.median(settled[:third]), 1
        ),
        "over_time": [round(value, 1) for value in values[::step]],
    }


def results(path: Path) -> dict[str, tuple[Any, ...]]:
    """Read the relevant fields of each line; a repeated key is an error."""
    found: dict[str, tuple[Any, ...]] = {}
    with path.open() as file:
        for text in file:
            record = json.loads(text)
            line = record["line"]
            assert record["key"] not in found, f"{record['key']} was counted twice"
            found[record["key"]] = (line["grid"], line["consistent"], line["solved"], line["proof"], line["slots"])
    return found


def start_dask(role: str, folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a scheduler or a worker as a process of its own."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--host", "127.0.0.1", "--no-dashboard"]
    command += ["--scheduler-file", str(folder / "scheduler.json"), *options]
    environment = ENVIRONMENT | {"DASK_TEMPORARY_DIRECTORY": str(folder)}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=10_000)
    parser.add_argument("--lists", type=int, default=100)
    arguments = parser.parse_args()
    count = arguments.puzzles
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "minis.jsonl"
        started = time.perf_counter()
        with file.open("w") as out:
            make = ("make", "mini", "--count", str(count), "--lists", str(arguments.lists), "--seed", "1")
            subprocess.run([PROGRAM, *make], stdout=out, check=True, env=ENVIRONMENT)
        made = time.perf_counter() - started
        ask = (PROGRAM, "evaluate", str(file), "--offline", "--providers", "none", "--json", "--quiet")
        one, two = (("--jobs", str(jobs), "--out", str(folder / f"{jobs}.jsonl")) for jobs in (1, 2))
        runs = {"one process": watched([*ask, *one], {})}
        scheduler = start_dask("scheduler", folder, "--port", "0")
        workers = [start_dask("worker", folder, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        try:
            while not (folder / "scheduler.json").exists():
                time.sleep(0.1)
            time.sleep(2)  # the workers come
            address = json.loads((folder / "scheduler.json").read_text())["address"]
            others = {"scheduler": scheduler.pid, "worker 1": workers[0].pid, "worker 2": workers[1].pid}
            executor = ("--executor", address.replace("tcp://", "dask://"), "--out", str(folder / "dask.jsonl"))
            runs["two Dask workers"] = watched([*ask, *executor], others)
        finally:
            for process in (*workers, scheduler):
                process.terminate()
                process.wait()
        runs["two processes"] = watched([*ask, *two], {})
        found = [results(folder / f"{name}.jsonl") for name in ("1", "dask", "2")]
        same = found[0] == found[1] == found[2]
        assert same, "the executors do not agree"
        assert len(found[0]) == count, "puzzles are missing"
        for run in runs.values():
            run["puzzles_per_second"] = round(count / run["seconds"], 1)
            run["times_one_process"] = round(runs["one process"]["seconds"] / run["seconds"], 2)
        keep(
            f"scale-{count}-puzzles-{arguments.lists}-words",
            {
                "puzzles": count,
                "words_for_each_slot": arguments.lists,
                "file_megabytes": round(file.stat().st_size / 1e6, 1),
                "making": {"seconds": round(made, 1), "puzzles_per_second": round(count / made, 1)},
                "solved": sum(bool(one[2]) for one in found[0].values()),
                "consistent": sum(one[1] for one in found[0].values()),
                "every_puzzle_once_and_all_lines_the_same": same,
                "note": "two cores, shared with other work meanwhile (see the load)",
                "runs": runs,
            },
        )


if __name__ == "__main__":
    main()
