"""Choose `OUTSIDE` in lexicon/build/fit.py: the share of every pair of the fit that counts as an answer in no list.

    python tests/bench/fit_outside.py

Material: the tuning half of the newspaper-style minis and GooBix 100-155, each half solved with weights that were
fitted without it; no puzzle that results are reported for. Nearly all answers of the minis are listed, as most of their
words came from the lexicon, while some 3 % of what newspapers ask is in no list. So the minis are also solved with 3 %
of their answers hidden, too: a hidden word leaves its clue's distribution, and the rest of
it, "in no list" included, grows in proportion. The share with the least log loss of letters in all of that is taken.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from common import ROOT, evaluation, keep, missing
from fit_ranking import Remembered

from agent.candidates.clues import definition
from agent.candidates.ranking import FITTED
from agent.formats import open_puzzles
from agent.grid import Puzzle
from agent.solve import ask
from agent.weigh import weigh
from lexicon.build import fit
from lexicon.build.material import Pair, own_pairs, pairs_of, puzzle_pairs, without
from lexicon.lexicon import Distribution, Lexicon
from lexicon.model import Model
from lexicon.pack import Pack
from lexicon.sources import shipped

GOOBIX = evaluation.path("goobix_100_155.json")
REPORTED = evaluation.path("goobix_000_099.json")
MINIS = ROOT / "data" / "minis" / "tune"

OUTSIDE = (0.03, 0.06, 0.1)
HIDDEN = 0.03
SEEDS = 1
TINY = 1e-6


class Hiding(Remembered):
    """The lexicon without some answers: `hidden` maps (clue, length) to the word that it must not know there."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.hidden: dict[tuple[str, int], str] = {}

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the distribution without the clue's hidden word."""
        known = super().distribution(clue, length)
        word = self.hidden.get((clue, length))
        place = None if word is None else self.words(length).find(word)
        if place is None:
            return known
        log_p = known.log_p.copy()
        log_rest = np.log1p(-min(float(np.exp(log_p[place])), 1 - TINY))
        log_p -= log_rest
        log_p[place] = np.log(TINY**4)
        return Distribution(log_p, min(known.unlisted / np.exp(log_rest), 1 - TINY))


def halves(folder: Path, share: float) -> Iterator[tuple[Hiding, dict[str, list[Puzzle]]]]:
    """Yield, for each half of the puzzles, a lexicon that was fitted without it, and that half by name."""
    reported = puzzle_pairs(REPORTED)
    minis = [puzzle for path in sorted(MINIS.glob("*.xd")) for puzzle in open_puzzles(path)]
    raw, goobix = json.loads(GOOBIX.read_text("utf-8")), list(open_puzzles(GOOBIX))
    fit.OUTSIDE = share
    for number in (0, 1):
        other = 1 - number
        learned = without(without(pairs_of(raw[other::2]), reported), pairs_of(raw[number::2]))
        learned += without(own_pairs(), reported)
        learned += [
            Pair(puzzle.clue(slot), puzzle.solution.answer(slot), "minis")
            for puzzle in minis[other::2]
            for slot in puzzle.grid.slots
        ]
        model = folder / f"{number}.model"
        fit.fit_model(Lexicon(Pack(shipped())), learned, model)
        book = Hiding(Lexicon(Pack(shipped()), Model(model)))
        yield book, {"minis": minis[number::2], "goobix": goobix[number::2]}


def solved(book: Hiding, puzzles: Sequence[Puzzle], seed: int | None = None) -> Counter[str]:
    """Solve puzzles, with answers hidden if there is a seed; count letters and puzzles, and sum the log loss."""
    total: Counter[str] = Counter()
    for puzzle in puzzles:
        chance = Random(f"{seed} {puzzle.solution.rows}")
        questions = ask(puzzle)
        book.hidden = {
            (definition(question), question.length): puzzle.solution.answer(question.slot)
            for question in questions
            if chance.random() < HIDDEN and seed is not None
        }
        known = weigh(puzzle.grid, questions, {}, book, FITTED)
        gold = {cell: sign[0] for cell, sign in enumerate(puzzle.solution.cells) if cell in known.belief.letters}
        total["letters"] += len(gold)
        total["letters right"] += sum(known.grid.cells[cell] == letter for cell, letter in gold.items())
        total["puzzles"] += 1
        total["puzzles right"] += known.grid == puzzle.solution
        total["loss"] -= sum(np.log(max(known.belief.letter(cell, letter), TINY)) for cell, letter in gold.items())
    return total


def main() -> None:
    """Try every share, and keep the table."""
    if missing(GOOBIX) or missing(REPORTED):
        return
    table = {}
    for share in OUTSIDE:
        rows: dict[str, Counter[str]] = {"minis": Counter(), "minis, 3 % hidden": Counter(), "goobix": Counter()}
        with TemporaryDirectory() as folder:
            for book, parts in halves(Path(folder), share):
                for name, puzzles in parts.items():
                    rows[name] += solved(book, puzzles)
                for seed in range(SEEDS):
                    rows["minis, 3 % hidden"] += solved(book, parts["minis"], seed)
        table[f"{share:g}"] = {
            name: {key: round(float(value), 1) for key, value in row.items()} for name, row in rows.items()
        }
        print(share, table[f"{share:g}"], flush=True)
    chosen = min(table, key=lambda share: sum(row["loss"] for row in table[share].values()))
    keep("fit-outside", {"chosen": chosen, "by_share": table})


if __name__ == "__main__":
    main()
