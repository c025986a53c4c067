"""Every reader and writer of crosswords: what comes back of a puzzle, and whether damaged files do harm.

    python tests/bench/bench_formats.py [--count 20000] [--format NAME] [--seed 0]
    python tests/bench/bench_formats.py --tables   # print the tables of docs/formats.md from the last result

The files are made from our own minis in every shape that is read. First undamaged: each mini plain and with one thing
more, such as a rebus; of each it is counted whether it comes back, is named as lost, or is refused. Then damaged once
to four times: bytes replaced, dropped or doubled, the end cut off, or a value of its JSON exchanged for an odd one. A
file that is read must come back the same from our own JSON. The same seed damages the files in the same way.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from common import RESULTS, ROOT, keep
from foreign import SHAPES

from agent.api import open_puzzle
from agent.errors import FormatError
from agent.filetypes import WRITTEN
from agent.formats import not_kept, read_one, read_puzzles, write_puzzle
from agent.formats.common import with_bars
from agent.grid import TOLD, Clue, ClueText, Puzzle

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
SHREDS = (
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


def writers() -> dict[str, Callable[[Puzzle], bytes]]:
    """Return what makes a file of every shape: name -> function."""

    def writer(form: str) -> Callable[[Puzzle], bytes]:
        return lambda puzzle: write_puzzle(puzzle, form)

    return {one.ending: writer(one.name) for one in WRITTEN} | SHAPES


# The corpus of undamaged files


def barred(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with a bar in its longest across slot."""
    slot = max((slot for slot in puzzle.grid.slots if slot.direction == "across"), key=len)
    grid = with_bars(puzzle.grid, {slot.cells[1]: "R"})
    texts = {slot.cells: puzzle.clue(slot) for slot in puzzle.grid.slots}
    clues = tuple(Clue(slot.name, texts.get(slot.cells, "A part of it")) for slot in grid.slots)
    solution = puzzle.solution and dataclasses.replace(puzzle.solution, bars=grid.bars)
    return dataclasses.replace(puzzle, grid=grid, clues=clues, solution=solution)


def renumbered(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with numbers of its own: those of the standard rule and ten."""
    numbers = tuple((at, 10 + number) for at, number in sorted(puzzle.grid.slot_numbers.items()))
    grid, solution = (dataclasses.replace(one, numbers=numbers) for one in (puzzle.grid, puzzle.solution))
    texts = {slot.cells: puzzle.clue(slot) for slot in puzzle.grid.slots}
    clues = tuple(Clue(slot.name, texts[slot.cells]) for slot in grid.slots)
    return dataclasses.replace(puzzle, grid=grid, clues=clues, solution=solution)


def first(puzzle: Puzzle) -> int:
    return puzzle.grid.slots[0].cells[0]


def with_rebus(puzzle: Puzzle) -> Puzzle:
    return dataclasses.replace(puzzle, solution=puzzle.solution.fill({first(puzzle): "HEART"}))


def with_given(puzzle: Puzzle) -> Puzzle:
    at = first(puzzle)
    return dataclasses.replace(puzzle, grid=puzzle.grid.fill({at: puzzle.solution.cells[at]}))


def with_entries(puzzle: Puzzle) -> Puzzle:
    return dataclasses.replace(puzzle, progress=puzzle.grid.fill({first(puzzle): "Q"}))


def telling(field: str) -> Callable[[Puzzle], Puzzle]:
    return lambda puzzle: dataclasses.replace(puzzle, **{field: "2026-11-22"})


def marking(field: str) -> Callable[[Puzzle], Puzzle]:
    return lambda puzzle: dataclasses.replace(puzzle, **{field: frozenset({first(puzzle)})})


WHOLE = ("grid", "clues", "solution")
PLAIN = "grid, clues, solution"

PARTS: dict[str, tuple[Callable[[Puzzle], Puzzle], tuple[str, ...]]] = {
    PLAIN: (lambda puzzle: puzzle, WHOLE),
    "rebus": (with_rebus, WHOLE),
    "bars": (barred, WHOLE),
    "numbers of its own": (renumbered, WHOLE),
    "given letters": (with_given, WHOLE),
    "letters so far": (with_entries, ("progress",)),
    "slots without a clue": (lambda puzzle: dataclasses.replace(puzzle, clues=puzzle.clues[1:]), WHOLE),
    "circles": (marking("circles"), ("circles",)),
    "shading": (marking("shaded"), ("shaded",)),
    **{field: (telling(field), (field,)) for field in TOLD},
}
"""What a puzzle may have: how it is added to a mini, and the fields that it is found in."""

BARRED = ("PuzzleMe", ".jpz", "XWord", "Crosshare, page", "Washington", "newspaper", "Guardian")
NUMBERED = ("PuzzleMe", ".jpz", "XWord", "Washington", "newspaper", "Guardian", "Uclick XML")
PLACES = {"bars": BARRED, "numbers of its own": NUMBERED}
"""Beginnings of the names of foreign shapes that have a place for these."""


def fate(name: str, make: Callable[[Puzzle], bytes], mini: Puzzle, part: str) -> str:
    """Return what becomes of a part of a puzzle in a file of some shape: kept, named, refused, no place, or lost.

    A shape of another tool has no place for what its maker does not write.
    """
    add, fields = PARTS[part]
    puzzle = add(mini)
    without = dataclasses.replace(mini, **{fields[0]: ""}) if fields[0] in TOLD else mini
    if part in PLACES and name in SHAPES and not name.startswith(PLACES[part]):
        return "no place"
    try:
        data = make(puzzle)
        if name in SHAPES and part != PLAIN and data == make(without):
            return "no place"
        back = read_one(data, name)
    except FormatError:
        return "refused"
    if all(getattr(back, field) == getattr(puzzle, field) for field in fields):
        return "kept"
    form = next((one.name for one in WRITTEN if one.ending == name), "")
    return "named" if back.left_out or (form and not_kept(puzzle, form, data)) else "lost"


def corpus(chosen: str) -> Iterator[dict[str, Any]]:
    """Yield for each shape the number of files, and for each part its fates over all minis."""
    minis = [open_puzzle(path) for path in sorted((ROOT / "data" / "minis").glob("*.xd"))]
    for name, make in writers().items():
        if chosen in {"", name}:
            fates = {part: dict(Counter(fate(name, make, mini, part) for mini in minis)) for part in PARTS}
            files = sum(count for of in fates.values() for one, count in of.items() if one != "no place")
            yield {"format": name, "files": files, **fates}


# Damaged files


def seeds() -> dict[str, list[bytes]]:
    """Return files of every shape: name -> contents."""
    puzzles = []
    for at, name in enumerate(MINIS):
        mini = open_puzzle(ROOT / "data" / "minis" / f"{name}.xd")
        puzzles.append(dataclasses.replace(mini, circles=frozenset({at + 6}), notes="A note", editor="An editor"))
    rich = with_entries(with_given(with_rebus(puzzles[0])))
    found = {}
    for name, make in writers().items():
        found[name] = [make(puzzle) for puzzle in puzzles]
        for puzzle in (rich, barred(puzzles[1]), renumbered(puzzles[2])):
            try:
                read_one(make(puzzle), name)
            except FormatError:
                continue  # the shape has no place for it
            found[name].append(make(puzzle))
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
        part = rng.choice((rng.choice(SHREDS), rng.randbytes(rng.randint(1, 4)), bytes(data[start:end]) * 2))
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


def fuzzed(name: str, files: list[bytes], count: int, seed: int) -> dict[str, Any]:
    """Damage the files of one shape, and count what becomes of them."""
    rng = random.Random(f"{name} {seed}")
    counts: Counter[str] = Counter()
    faults: list[str] = []
    slowest = 0.0
    began = time.process_time()
    for number in range(count):
        data = damaged(files[number % len(files)], rng)
        started = time.process_time()
        found = outcome(data)
        slowest = max(slowest, time.process_time() - started)
        if found not in {"read", "read as clues", "refused"}:
            faults.append(found)
            found = "faults"
        counts[found] += 1
    whole = [outcome(data) for data in files]
    return {
        "format": name,
        "undamaged": f"{len(whole) - whole.count('refused')} of {len(whole)}",
        **dict(sorted(counts.items())),
        "slowest": round(slowest, 3),
        "seconds": round(time.process_time() - began, 1),
        "found": sorted(set(faults))[:10],
    }


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * len(heads), *rows])


FATES = ("kept", "named", "refused", "lost")


def shares(line: dict[str, Any], one: str) -> str:
    """Return the parts that had a fate, each with the number of its files unless all had it."""
    shown = []
    for part in PARTS:
        found = line[part]
        if one in found:
            shown.append(part if len(found) == 1 else f"{part} ({found[one]} of {sum(found.values())})")
    return ", ".join(shown)


def tables(result: dict[str, Any]) -> str:
    """Return both tables of a result."""
    kept = [[line["format"], f"{line['files']:,}", *(shares(line, one) for one in FATES)] for line in result["corpus"]]
    damage = [
        [
            line["format"],
            line["undamaged"],
            f"{line.get('read', 0) + line.get('read as clues', 0):,}",
            f"{line.get('refused', 0):,}",
            str(line.get("faults", 0)),
        ]
        for line in result["lines"]
    ]
    heads = ["kind of file", "undamaged, read", "damaged, read", "refused", "faults"]
    fates = ["kind of file", "files", "comes back", "lost, and named", "refused", "lost in silence"]
    return f"{table(fates, kept)}\n\n{table(heads, damage)}"


def main() -> None:
    """Write, read, fuzz, and keep the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--format", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tables", action="store_true")
    arguments = parser.parse_args()
    if arguments.tables:
        print(tables(json.loads((RESULTS / "formats.json").read_text("utf-8"))))
        return
    written = list(corpus(arguments.format))
    lines = []
    for name, files in seeds().items():
        if arguments.format in {"", name}:
            lines.append(fuzzed(name, files, arguments.count, arguments.seed))
            print(lines[-1], flush=True)
    total = {key: sum(line.get(key, 0) for line in lines) for key in ("read", "read as clues", "refused", "faults")}
    lost = sum(line[part].get("lost", 0) for line in written for part in PARTS)
    result = {"count": arguments.count, "seed": arguments.seed, "total": total, "lost": lost}
    result |= {"corpus": written, "lines": lines}
    if not arguments.format:
        keep("formats", result)
    print(tables({"corpus": written, "lines": lines}))


if __name__ == "__main__":
    main()
