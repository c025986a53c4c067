"""Measure the lexicon: hit rate of single clues, calibration, speed, and puzzles filled with nothing else.

    python tests/bench/bench_lexicon.py [--data FOLDER] [--user] [--games] [--json FILE]

Permissive data only, unless `--user` takes what has been added (GCIDE, for example). Everything the model learned was
fixed before: index and weights are the committed files, whose sizes and checksums are printed first. Reported: GooBix
puzzles 0 to 99, the 20 test puzzles among them, the half of the newspaper-style minis that is kept for reports, and
the project's own minis (looked at while the lexicon was made, but the weights have not learned from them).
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import resource
import sys
import time
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from common import evaluation, missing

import lexicon
from lexicon.build import glossary
from lexicon.build.material import Pair, mini_pairs, puzzle_pairs
from lexicon.lexicon import Lexicon
from lexicon.sources import info, shipped, shipped_model
from lexicon.text import tokens

RANKS = (1, 10, 100, 1000)
BINS = 10
LETTER_COST = math.log(18)
"""Cost of a letter of an unlisted word in the mean log-probability: about what the letter model pays."""


@dataclass(frozen=True, slots=True)
class Clues:
    """Figures of single clues: share of answers among the first 1, 10, 100, 1000, and how sure the first one was."""

    name: str
    clues: int
    hits: dict[int, float]
    log_p: float
    signal_milliseconds: float
    milliseconds: float
    bins: list[tuple[int, float, float]]
    calibration_error: float


def measure(name: str, pairs: Sequence[Pair], *, permissive: bool) -> Clues:
    """Ask every clue and find the rank of its answer."""
    book = lexicon.load(permissive=permissive)
    pairs = [pair for pair in pairs if len(pair.answer) in book.lengths]
    for pair in pairs[:5]:
        book.distribution(pair.clue, len(pair.answer))
    ranks, logs, sure, signals, seconds = [], [], [], 0.0, 0.0
    for pair in pairs:
        length = len(pair.answer)
        started = time.perf_counter()
        book.evidence(pair.clue, length)
        signals += time.perf_counter() - started
        found = book.distribution(pair.clue, length)  # the evidence is remembered
        seconds += time.perf_counter() - started
        place = book.words(length).find(pair.answer)
        ranks.append(math.inf if place is None else 1 + int((found.log_p > found.log_p[place]).sum()))
        logs.append(math.log(found.unlisted) - LETTER_COST * length if place is None else float(found.log_p[place]))
        sure.append(math.exp(float(found.log_p.max())))
    table, error = [], 0.0
    for number in range(BINS):
        here = [i for i, p in enumerate(sure) if number <= p * BINS < number + 1 or (p == 1 and number == BINS - 1)]
        if here:
            said = sum(sure[i] for i in here) / len(here)
            right = sum(ranks[i] == 1 for i in here) / len(here)
            table.append((len(here), round(said, 4), round(right, 4)))
            error += abs(said - right) * len(here) / len(pairs)
    return Clues(
        name,
        len(pairs),
        {rank: round(100 * sum(r <= rank for r in ranks) / len(ranks), 1) for rank in RANKS},
        round(sum(logs) / len(logs), 3),
        round(1e3 * signals / len(pairs), 2),
        round(1e3 * seconds / len(pairs), 2),
        table,
        round(error, 4),
    )


def games(paths: Sequence[Path], book: Lexicon) -> dict[str, object]:
    """Fill every puzzle of some files with a lexicon alone, through the project's own search."""
    from agent.candidates.lexicon import LexiconProvider
    from agent.formats import open_puzzles
    from agent.grid import Puzzle
    from agent.solve import solve
    from agent.tools import Tools

    lexicon = LexiconProvider(book)
    letters = words = solved = cells = slots = count = 0
    started = time.perf_counter()
    for puzzle in (puzzle for path in paths for puzzle in open_puzzles(path)):
        if not isinstance(puzzle, Puzzle) or puzzle.solution is None:
            raise TypeError(f"{puzzle.id}: expected puzzles with solutions")
        gold = "".join(puzzle.solution.rows)
        got = "".join(solve(puzzle, Tools([], lexicon=lexicon)).grid.rows)
        right = [a == b for a, b in zip(gold, got, strict=True)]
        filled = {cell for slot in puzzle.grid.slots for cell in slot.cells}
        letters += sum(right[cell] for cell in filled)
        cells += len(filled)
        words += sum(all(right[i] for i in slot.cells) for slot in puzzle.grid.slots)
        slots += len(puzzle.grid.slots)
        solved += gold == got
        count += 1
    return {
        "puzzle files": paths[0].name if len(paths) == 1 else f"{len(paths)} of {paths[0].parent.name}",
        "puzzles": count,
        "solved": solved,
        "letters": [letters, cells],
        "words": [words, slots],
        "seconds": round(time.perf_counter() - started, 1),
    }


def verbatim(pairs: Sequence[Pair]) -> dict[str, list[int]]:
    """Count the clues that are, word for word, a meaning of their answer in the glossary: [those, all] by words.

    Single words are synonyms that any thesaurus has; a glossary that knew the clues would show in the longer ones.
    """
    meanings = {headword.word: {bare(text) for text in headword.meanings} for headword in glossary.headwords()}
    counts = {"one or two words": [0, 0], "three or more": [0, 0]}
    for pair in pairs:
        said = bare(pair.clue)
        count = counts["one or two words" if len(said) < 3 else "three or more"]
        count[0] += said in meanings.get(pair.answer, ())
        count[1] += 1
    return counts


def bare(text: str) -> tuple[str, ...]:
    """Return the words of a text without an article or `to` before them."""
    words = tokens(text)
    return tuple(words[1:] if words[:1] in (["a"], ["an"], ["the"], ["to"], ["one"]) else words)


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=evaluation.folder())
    parser.add_argument("--minis", type=Path, default=Path("data/minis"))
    parser.add_argument("--user", action="store_true", help="with what has been added on this machine")
    parser.add_argument("--games", action="store_true", help="fill the puzzles too")
    parser.add_argument("--json", type=Path, help="write the raw figures here")
    options = parser.parse_args()
    if missing(options.data / "goobix_000_099.json"):
        return 1
    permissive = not options.user
    for path in (shipped(), shipped_model()):
        content = path.read_bytes()
        print(f"{path.name}: {len(content)} bytes, crc32 {zlib.crc32(content):08x}")
    print("sources:", "; ".join(f"{s.name} ({s.holds})" for s in (info() if options.user else info()[:1])))
    started = time.perf_counter()
    lexicon.load(permissive=permissive)
    print(f"load: {1e3 * (time.perf_counter() - started):.1f} ms")
    sets = {
        "goobix 0-99": puzzle_pairs(options.data / "goobix_000_099.json"),
        "goobix test20": puzzle_pairs(options.data / "goobix_test20.json"),
        "newspaper style": mini_pairs(options.minis / "report"),
        "own minis": mini_pairs(options.minis),
    }
    measured = [measure(name, pairs, permissive=permissive) for name, pairs in sets.items()]
    for found in measured:
        hits = " ".join(f"@{rank} {share}" for rank, share in found.hits.items())
        speed = f"signals {found.signal_milliseconds} ms a clue, with the model {found.milliseconds} ms"
        print(f"{found.name}: {found.clues} clues, {hits}, log p {found.log_p}, {speed}")
    print("calibration on goobix 0-99: clues, said, right")
    for count, said, right in measured[0].bins:
        print(f"  {count:5d} {said:7.1%} {right:7.1%} {'#' * round(40 * right)}")
    print(f"  expected calibration error {measured[0].calibration_error:.3f}")
    copied = {name: verbatim(pairs) for name, pairs in sets.items()}
    print("clues that are a meaning in the glossary word for word:", copied)
    files = [[options.data / name] for name in ("goobix_test20.json", "goobix_000_099.json")]
    files += [sorted(folder.glob("*.xd")) for folder in (options.minis / "report", options.minis)]
    filled = [games(paths, lexicon.load(permissive=permissive)) for paths in files] if options.games else []
    for result in filled:
        print(json.dumps(result))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory at most {memory:.0f} MB")
    if options.json:
        raw = {
            "python": platform.python_version(),
            "clues": [asdict(m) for m in measured],
            "verbatim": copied,
            "games": filled,
        }
        options.json.write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
