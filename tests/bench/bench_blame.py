"""Tell whether the knowledge or the search loses a puzzle.

    python tests/bench/bench_blame.py [--puzzles FOLDER]

Solves every puzzle of a folder from the lexicon alone. Of those that come out wrong, the cost of the true filling (in
nats, -log of its probability) is held against that of the cheapest filling found. If the true one is cheaper, the
search lost it; if it is dearer, the lexicon thinks it less likely, and no search would help.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import pairwise
from pathlib import Path

from common import ROOT, keep

import lexicon
from agent.candidates.lexicon import LexiconProvider
from agent.candidates.ranking import FITTED
from agent.cli.evaluation import named_items
from agent.grid import Puzzle
from agent.puzzles.crossword.domain import Domain
from agent.questions import ask
from agent.weigh import weigh

NEAR = 1e-6
"""Costs that differ by less are equal: they are sums in another order."""


def cost(domain: Domain, word: str) -> float:
    """Return the cost of a word, also of one that is in no list."""
    place = domain.find(word)
    if place is not None:
        return float(domain.costs[place])
    codes = [ord(letter) - ord("A") for letter in word]
    spelled = sum(float(domain.open_letters[position, code]) for position, code in enumerate(codes))
    if domain.open_pairs is not None:
        spelled += sum(float(domain.open_pairs[i, a, b]) for i, (a, b) in enumerate(pairwise(codes)))
    return domain.open_cost + spelled


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=Path, default=ROOT / "data" / "minis" / "tune")
    folder = parser.parse_args().puzzles
    book = LexiconProvider(lexicon.load(permissive=True))
    lines, blame = [], Counter[str]()
    for path in sorted(folder.glob("*.xd")):
        for puzzle in named_items(path):
            if not isinstance(puzzle, Puzzle) or puzzle.solution is None:
                raise TypeError(f"{path}: expected a crossword with its solution")
            known = weigh(puzzle.grid, ask(puzzle), {}, book, FITTED)
            domains = known.ranking.domains
            true = sum(cost(domains[slot.name], puzzle.solution.answer(slot)) for slot in puzzle.grid.slots)
            found = known.found.fillings[0].cost
            if known.grid.rows == puzzle.solution.rows:
                verdict = "right"
            elif true < found - NEAR:
                verdict = "search"
            else:
                verdict = "knowledge" if true > found + NEAR else "choice of the filling to show"
            blame[verdict] += 1
            size = f"{puzzle.grid.width}x{puzzle.grid.height}"
            lines.append({"id": puzzle.id, "size": size, "verdict": verdict, "true": true, "found": found})
    keep(f"blame-{folder.name}", {"puzzles": folder.name, "blame": dict(blame), "lines": lines})


if __name__ == "__main__":
    main()
