"""Every reader of crosswords, fuzzed: damaged files are read or refused, and nothing else ever happens.

    python tests/bench/bench_formats.py [--count 20000] [--format NAME] [--seed 0]

The files are made from our own minis in every shape that is read. Each is damaged once to four times: bytes replaced,
dropped or doubled, the end cut off, or a value of its JSON exchanged for an odd one. A file that is read must come
back the same from our own JSON. The same seed damages the files in the same way.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import json
import random
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from common import ROOT, keep
from foreign import SHAPES

from agent.api import open_puzzle
from agent.errors import FormatError
from agent.filetypes import WRITTEN
from agent.formats import read_puzzles, write_puzzle
from agent.grid import ClueText, Puzzle

COUNT = 20_000
MINIS = ("mini-01", "mini-09", "week-01", "tiny-01")
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    "",
    "#",
    ".",
    "\0",
    "A",
    "9" * 40,
    "\ud800",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
)
PARTS = (
    b"",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b'"',
    b"{",
    b"]",
    b"<",
    b"&",
    b"~",
    b"(5)",
    b"\n",
    b"\n\n\n",
    b"99999999999",
    b"-1",
)


def seeds() -> dict[str, list[bytes]]:
    """Return files of every shape: name -> contents."""
    puzzles = []
    for at, name in enumerate(MINIS):
        mini = open_puzzle(ROOT / "data" / "minis" / f"{name}.xd")
        puzzles.append(dataclasses.replace(mini, circles=frozenset({at + 6}), notes="A note", editor="An editor"))

    def writer(form: str) -> Callable[[Puzzle], bytes]:
        return lambda puzzle: write_puzzle(puzzle, form)

    shapes = {one.ending: writer(one.name) for one in WRITTEN} | SHAPES
    found = {name: [make(puzzle) for puzzle in puzzles] for name, make in shapes.items()}
    found["clue text"] = [text.partition(b"\n\nAcross")[2] for text in found[".txt"]]
    found["clue text"] = [b"Across" + text for text in found["clue text"]]
    return found


def damaged(whole: bytes, rng: random.Random) -> bytes:
    """Damage a file."""
    if whole.startswith(b"{") and rng.random() < 0.5:
        return exchanged(json.loads(whole), rng)
    data = bytearray(whole)
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(data))
        end = min(len(data), start + rng.choice((0, 1, 1, 2, 8, 60)))
        part = rng.choice((rng.choice(PARTS), rng.randbytes(rng.randint(1, 4)), bytes(data[start:end]) * 2))
        data[start:end] = part
    return bytes(data[: rng.randint(0, len(data))] if rng.random() < 0.1 else data)


def exchanged(document: Any, rng: random.Random) -> bytes:
    """Exchange values of a JSON document for odd ones."""
    document = copy.deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        place = document
        while isinstance(place, dict | list) and place:
            key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
            if not isinstance(place[key], dict | list) or rng.random() < 0.2:
                place[key] = copy.deepcopy(rng.choice(ODD))
                break
            place = place[key]
    return json.dumps(document).encode()


def outcome(data: bytes) -> str:
    """Read a file: read, refused, or what else happened."""
    try:
        found = list(islice(read_puzzles(data, "damaged"), 5))
    except FormatError as error:
        return "refused" if str(error).isprintable() and len(str(error)) < 500 else f"message: {error!s:.100}"
    except Exception as error:  # noqa: BLE001  # that is what is looked for
        return f"{type(error).__name__}: {error}"[:200]
    for puzzle in found:
        if isinstance(puzzle, Puzzle) and list(read_puzzles(write_puzzle(puzzle, "json"), "again")) != [puzzle]:
            return "not the same from our JSON"
    return "read as clues" if found and isinstance(found[0], ClueText) else "read"


def main() -> None:
    """Fuzz and keep the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--format", default="")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    lines = []
    for name, files in seeds().items():
        if arguments.format not in {"", name}:
            continue
        rng = random.Random(f"{name} {arguments.seed}")
        counts: dict[str, int] = {}
        faults: list[str] = []
        slowest = 0.0
        for number in range(arguments.count):
            data = damaged(files[number % len(files)], rng)
            started = time.process_time()
            found = outcome(data)
            slowest = max(slowest, time.process_time() - started)
            if found not in {"read", "read as clues", "refused"}:
                faults.append(found)
                found = "faults"
            counts[found] = counts.get(found, 0) + 1
        whole = [outcome(data) for data in files]
        lines.append({"format": name, "undamaged": f"{len(whole) - whole.count('refused')} of {len(whole)} read"})
        lines[-1] |= {**dict(sorted(counts.items())), "slowest": round(slowest, 3), "found": sorted(set(faults))[:10]}
        print(lines[-1], flush=True)
    total = {key: sum(line.get(key, 0) for line in lines) for key in ("read", "read as clues", "refused", "faults")}
    keep("formats", {"count": arguments.count, "seed": arguments.seed, "total": total, "lines": lines})


if __name__ == "__main__":
    main()
