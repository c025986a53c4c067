"""Whether a server's memory stays flat: minis one after the other, and large grids among them, from the lexicon alone.

    python tests/bench/bench_memory.py              # 2,000 solves, about half an hour
    python tests/bench/bench_memory.py 200

The large grids are regular patterns with clues drawn from the minis, so nothing about their answers is measured. Memory
is the resident size of the server, as the kernel counts it, after each of twenty equal parts of the solves. A large
grid comes in the middle of a hundred: a part ends with some minis, by which its memory is to be given back.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import requests
from bench_web import memory
from common import ROOT, keep

from agent.api import open_puzzle, write_puzzle
from agent.grid import Clue, Grid, Puzzle

sys.path.insert(0, str(ROOT / "tests" / "browser"))
from served import served

SOLVES = 2000
PARTS = 20
LARGE_EVERY = 100
SECONDS = 2
"""Limit of each search; what a large grid needs, it needs before its search begins."""
SIDES = (15, 21, 30)
MINIS = sorted((ROOT / "data" / "minis" / "tune").glob("*.xd"))


def large(side: int) -> bytes:
    """Make a large puzzle: a lattice with breaks, and clues of the minis."""
    texts = [clue.text for path in MINIS for clue in open_puzzle(path).clues]
    chance = random.Random(side)

    def is_block(row: int, column: int) -> bool:
        across = row % 2 == 0 and (column + 3 * (row // 2)) % 7 == 6
        down = column % 2 == 0 and (row + 3 * (column // 2)) % 7 == 6
        return bool(across or down or (row % 2 and column % 2))

    rows = ("".join("#" if is_block(row, column) else "." for column in range(side)) for row in range(side))
    grid = Grid.parse("\n".join(rows))
    return write_puzzle(Puzzle(grid, tuple(Clue(slot.name, chance.choice(texts)) for slot in grid.slots)), "ipuz")


def solve(url: str, data: bytes) -> None:
    """Open a puzzle, and read its search to the end."""
    handle = requests.post(f"{url}/api/puzzles", data=data, timeout=60).json()["id"]
    body = {"providers": ["lexicon"], "seconds": SECONDS}
    ended = requests.post(f"{url}/api/puzzles/{handle}/solve", json=body, timeout=300).text
    assert "event: solution" in ended, ended[-200:]


def main() -> None:
    """Measure and keep."""
    solves = int(sys.argv[1]) if len(sys.argv) > 1 else SOLVES
    biggest = [large(side) for side in SIDES]
    course: list[float] = []
    with served("--offline") as (url, process):
        for at in range(solves):
            is_large = at % LARGE_EVERY == LARGE_EVERY // 2
            solve(url, biggest[at // LARGE_EVERY % len(SIDES)] if is_large else MINIS[at % len(MINIS)].read_bytes())
            if (at + 1) % max(1, solves // PARTS) == 0:
                course.append(memory(process))
                print(f"{at + 1} solves: {course[-1]} MB", file=sys.stderr, flush=True)
        peak = memory(process, "VmHWM")
    half = course[len(course) // 2 :]
    result: dict[str, Any] = {"solves": solves, "large_every": LARGE_EVERY, "sides": SIDES, "megabytes": course}
    keep("memory", {**result, "peak": peak, "second_half_spread": round(max(half) / min(half) - 1, 3)})


if __name__ == "__main__":
    main()
