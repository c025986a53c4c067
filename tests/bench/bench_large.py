"""Full-size crosswords: seconds to the answer, from recorded lists and from the lexicon alone, and with a limit.

    python tests/bench/bench_large.py [--puzzles 4] [--limit 10]

The puzzles are made from seeds (`large.py`): 15x15, clues from the glossary's meanings, of which a share belongs to
other words, as a newspaper's clues say less than a glossary does; recorded lists that have the answer in 85 % of the
slots. Nothing is waited for, so that all seconds are those after the last answer. How many grids are right to the last
letter stands beside how many that should be, by what was stated of them. The lexicon is open and warm, as in
the page's server; the first run, which opens it, is reported beside. Last, a 30x30 without any solution is searched
under a limit, to see how well it is kept.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from typing import Any

from common import keep, spread
from large import Lists, crossword, jumble, meanings, recorded, words

from agent.candidates.lexicon import LexiconProvider
from agent.core import Budget, Event
from agent.grid import BLOCK, Puzzle
from agent.solve import solve
from agent.tools import Tools

SEEDS = (0, 1, 3, 4, 5)
MISLED = 0.3
"""Share of the clues that are those of other words."""


def misled(puzzle: Puzzle, seed: int) -> Puzzle:
    """Assign a share of the clues to wrong words."""
    chance = random.Random(seed)
    clues = []
    for clue in puzzle.clues:
        if puzzle.solution is not None and chance.random() < MISLED:
            other = chance.choice(words(len(puzzle.solution.answer(clue.slot))))
            clues.append(replace(clue, text=chance.choice(meanings()[other])))
        else:
            clues.append(clue)
    return replace(puzzle, clues=tuple(clues))


def run(puzzle: Puzzle, tools: Tools, budget: Budget | None = None) -> dict[str, Any]:
    """Solve once; return the seconds in all, those to the first full grid, and the outcome."""
    first: list[float] = []
    started = time.perf_counter()

    def on_event(event: Event) -> None:
        if event.kind == "round":
            first.append(time.perf_counter() - started)

    solution = solve(puzzle, tools, budget=budget, on_event=on_event)
    official = puzzle.solution or puzzle.grid
    cells = [cell for cell, letter in enumerate(official.cells) if letter != BLOCK]
    return {
        "id": puzzle.id,
        "seconds": round(time.perf_counter() - started, 3),
        "first_grid": round(first[0], 3),
        "letters_right": sum(solution.grid.cells[cell] == official.cells[cell] for cell in cells),
        "letters": len(cells),
        "probability": round(solution.probability, 4),
        "proof": solution.proof,
        "expansions": solution.stats.expansions,
        "ended": solution.ended,
    }


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=len(SEEDS))
    parser.add_argument("--limit", type=float, default=10.0)
    arguments = parser.parse_args()
    lexicon = LexiconProvider()
    puzzles = [(seed, misled(crossword(15, 15, seed), seed)) for seed in SEEDS[: arguments.puzzles]]
    lines: list[dict[str, Any]] = []
    summary: dict[str, Any] = {"first run, which opens the lexicon": run(puzzles[0][1], Tools([], lexicon))["seconds"]}
    for name in ("lists", "lists+lexicon", "lexicon"):
        rows = []
        for seed, puzzle in puzzles:
            providers = [Lists(recorded(puzzle, seed))] if "lists" in name else []
            rows.append(run(puzzle, Tools(providers, lexicon if "lexicon" in name else None)))
        summary[name] = {
            "seconds": spread([row["seconds"] for row in rows]),
            "first_grid": spread([row["first_grid"] for row in rows]),
            "letters": f"{sum(row['letters_right'] for row in rows)}/{sum(row['letters'] for row in rows)}",
            "whole grids right": sum(row["letters_right"] == row["letters"] for row in rows),
            "stated": round(sum(row["probability"] for row in rows), 3),
        }
        lines += [{"configuration": name, **row} for row in rows]
    largest = run(jumble(30, 30, 0), Tools([], lexicon), Budget(seconds=arguments.limit))
    summary["30x30 under a limit"] = {
        "limit": arguments.limit,
        "seconds": largest["seconds"],
        "ended": largest["ended"],
    }
    keep("large", {"summary": summary, "lines": lines})


if __name__ == "__main__":
    main()
