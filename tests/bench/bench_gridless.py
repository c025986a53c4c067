"""The block pattern inferred from clues alone: how often it is right, and whether its stated probability holds.

    python tests/bench/bench_gridless.py [--puzzles minis,daily-report] [--most N]

The grid is taken away; the clues go in with and without the grid's size. The own minis are also solved from recorded
lists. Of those in newspaper style, the half for reports; the other half is tuned on, by fit_gridless.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from common import ROOT, keep

from agent.api import open_puzzle
from agent.candidates.clueset import ClueSet
from agent.candidates.lexicon import LexiconProvider
from agent.core import Budget
from agent.grid import ClueText, NumberedClue, Puzzle
from agent.gridless.solve import choose_pattern
from agent.tools import Tools
from lexicon import load

MINIS = ROOT / "data" / "minis"
SETS = {"minis": MINIS, "daily-report": MINIS / "report"}
BINS = (0.0, 0.5, 0.7, 0.85, 0.95, 1.01)


def stripped(puzzle: Puzzle, *, sized: bool) -> ClueText:
    """Return the clues of a puzzle without its grid."""
    across, down = (
        tuple(NumberedClue(slot.number, puzzle.clue(slot)) for slot in puzzle.grid.slots if slot.direction == way)
        for way in ("across", "down")
    )
    return ClueText(across, down, size=(puzzle.grid.width, puzzle.grid.height) if sized else None)


@cache
def tools(way: str) -> Tools:
    """Return the candidates of a way: the embedded lexicon, or recorded lists with the lexicon behind them."""
    lists = [ClueSet.open(MINIS / "minis_llm.clues.jsonl")] if way == "lists" else []
    return Tools(lists, LexiconProvider(load(permissive=True)))


def infer(path: Path, way: str, sized: bool) -> dict[str, Any]:  # mapped over processes
    """Infer the pattern of a puzzle's clues, and compare it with the true one."""
    puzzle = open_puzzle(path)
    assert isinstance(puzzle, Puzzle)
    choice, _ = choose_pattern(stripped(puzzle, sized=sized), tools(way), Budget())
    return {
        "puzzle": path.stem,
        "sized": sized,
        "right": choice.grid == puzzle.grid,
        "probability": round(choice.probability, 4),
        "asks": choice.other is not None,
        "among two": puzzle.grid in {choice.grid, choice.other},
    }


def summed(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Sum up: how many are right, and how many in each range of stated probability."""
    bins = {}
    for low, high in pairwise(BINS):
        inside = [line for line in lines if low <= line["probability"] < high]
        if inside:
            stated = sum(line["probability"] for line in inside) / len(inside)
            bins[f"{low:.2f}-{min(high, 1):.2f}"] = {
                "puzzles": len(inside),
                "stated": round(stated, 3),
                "right": round(sum(line["right"] for line in inside) / len(inside), 3),
            }
    return {
        "right": f"{sum(line['right'] for line in lines)}/{len(lines)}",
        "stated": round(sum(line["probability"] for line in lines) / len(lines), 3),
        "two shown": sum(line["asks"] for line in lines),
        "right or second of two": sum(line["among two"] for line in lines),
        "by stated probability": bins,
    }


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", default=",".join(SETS))
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    summary: dict[str, Any] = {}
    lines: list[dict[str, Any]] = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for name in arguments.puzzles.split(","):
            paths = sorted(SETS[name].glob("*.xd"))[: arguments.most]
            for way, sized in product(("lists", "lexicon") if name == "minis" else ("lexicon",), (False, True)):
                found = list(pool.map(partial(infer, way=way, sized=sized), paths))
                summary[f"{name}, {way}, {'size given' if sized else 'no size'}"] = summed(found)
                lines += [{"set": name, "candidates": way, **line} for line in found]
                keep("gridless", {"summary": summary, "lines": lines})  # so that a run that is ended keeps what it did


if __name__ == "__main__":
    main()
