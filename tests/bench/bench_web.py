"""How long a page waits, alone and with fifty at once: `gridwright serve` as a process, over loopback.

    python tests/bench/bench_web.py

A page load is the page and all its parts, one after the other on one new connection, nine times. The first event is
timed from sending the request to having read the event `started`, on an idle server, and while as many long searches
run as may. Then fifty clients at once open a puzzle each and solve it, round after round; memory is the resident size
of the server, as the kernel counts it. A solve is lost where no `solution` comes, mixed up where it is another
puzzle's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from common import ROOT, keep, spread

from agent.api import open_puzzle
from agent.web.limits import Limits

sys.path.insert(0, str(ROOT / "tests" / "browser"))
from served import served

RUNS = 9
CLIENTS = 50
ROUNDS = 6
LONG = "midi-01"
MINIS = sorted(path.stem for path in (ROOT / "data" / "minis").glob("mini-*.xd"))


def memory(process: subprocess.Popen[str], field: str = "VmRSS") -> float:
    """Return the resident size of a process in MB: now, or with VmHWM its peak."""
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    return round(int(found[1]) / 1024, 1) if found else float("nan")


def load_page(url: str) -> tuple[float, int, int]:
    """Load the page with its parts, those that its modules import too: seconds, bytes, files."""
    started, size = time.perf_counter(), 0
    with requests.Session() as session:
        waiting, seen = ["/"], {"/"}
        while waiting:
            answer = session.get(urljoin(url, waiting.pop()))
            answer.raise_for_status()
            size += len(answer.content)
            names = re.findall(r'"((?:/static/|\./)[a-z0-9/._-]+\.(?:css|js|svg))"', answer.text)
            fresh = {urlsplit(urljoin(answer.url, name)).path for name in names} - seen
            seen |= fresh
            waiting += sorted(fresh)
    return time.perf_counter() - started, size, len(seen)


def solve(url: str, example: str, providers: list[str]) -> dict[str, Any]:
    """Open an example and solve it: seconds to the first event and to the last, and the result."""
    with requests.Session() as session:
        handle = session.post(f"{url}/api/puzzles?example={example}").json()["id"]
        started = time.perf_counter()
        body = {"providers": providers, "seconds": 30}
        with session.post(f"{url}/api/puzzles/{handle}/solve", json=body, stream=True) as answer:
            lines = (line for line in answer.iter_lines(chunk_size=1) if line.startswith(b"data: "))
            next(lines)
            first = time.perf_counter() - started
            last = json.loads(list(lines)[-1][6:])
    end = {"first": first, "last": time.perf_counter() - started, "lost": "cells" not in last}
    if not end["lost"]:
        puzzle = open_puzzle(ROOT / "data" / "minis" / f"{example}.xd")
        official = list(puzzle.solution.cells) if puzzle.solution else None
        end |= {"mixed": last["handle"] != handle or last["official"] != official, "solved": last["cells"] == official}
    return end


def first_event(url: str, example: str) -> float:
    """Open an example and ask for it to be solved: seconds to the first event. Then leave."""
    with requests.Session() as session:
        handle = session.post(f"{url}/api/puzzles?example={example}").json()["id"]
        started = time.perf_counter()
        with session.post(f"{url}/api/puzzles/{handle}/solve", json={}, stream=True) as answer:
            next(answer.iter_lines(chunk_size=1))
            return time.perf_counter() - started


def many(url: str, providers: list[str]) -> dict[str, Any]:
    """Let all clients solve at once."""
    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        ends = list(pool.map(lambda n: solve(url, MINIS[n % len(MINIS)], providers), range(CLIENTS)))
    return {
        "solves": len(ends),
        "lost": sum(end["lost"] for end in ends),
        "mixed_up": sum(end.get("mixed", False) for end in ends),
        "solved": sum(end.get("solved", False) for end in ends),
        "seconds": round(time.perf_counter() - started, 3),
        "first_event_seconds": spread([end["first"] for end in ends]),
        "last_event_seconds": spread([end["last"] for end in ends]),
    }


def main() -> None:
    """Measure and keep."""
    started = time.perf_counter()
    with served("--offline") as (url, process):
        until_ready = time.perf_counter() - started
        cold = load_page(url)
        loads = [load_page(url) for _ in range(RUNS)]
        time.sleep(2)  # the lexicon has been opened by then
        idle = memory(process)
        first = {
            "from the clue set": spread([solve(url, name, ["clueset"])["first"] for name in MINIS[:RUNS]]),
            "from the lexicon": spread([solve(url, name, ["lexicon"])["first"] for name in MINIS[:RUNS]]),
        }
        with ThreadPoolExecutor(2 * Limits().solves) as pool:
            busy = [pool.submit(solve, url, LONG, ["lexicon"]) for _ in range(2 * Limits().solves)]
            time.sleep(0.3)
            waits = []
            while not all(done.done() for done in busy):
                waits.append(first_event(url, "tiny-01"))
                time.sleep(0.02)
        above = sum(wait > 0.1 for wait in waits)
        first[f"while {Limits().solves} long searches run"] = {**spread(waits), "of": len(waits), "above_0.1": above}
        rounds = []
        for number in range(ROUNDS):
            providers = ["lexicon"] if number == 1 else ["clueset"]
            rounds.append({"providers": providers, **many(url, providers), "memory_mb": memory(process)})
        peak = memory(process, "VmHWM")
    keep(
        "web",
        {
            "cores": os.cpu_count(),
            "seconds_until_it_listens": round(until_ready, 3),
            "page": {"bytes": cold[1], "files": cold[2], "first_load": round(cold[0], 4),
                     "load_seconds": spread([load[0] for load in loads])},
            "first_event_seconds": first,
            "memory_mb": {"idle": idle, "peak": peak},
            f"{CLIENTS} at once": rounds,
        },
    )  # fmt: skip


if __name__ == "__main__":
    main()
