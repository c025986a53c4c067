"""Choose the constants of agent/candidates/ranking.py: trust in a language model's numbers, weight of "none of these".

    python tests/bench/fit_ranking.py

Material: GooBix puzzles 100-155 with the recorded lists, nothing else; no puzzle that results are reported for. The
shipped lexicon has learned from these puzzles, so each half of them is asked with weights that were fitted without it.
Every pair of constants of a small grid solves all 56 puzzles twice, from the lists alone and with the lexicon behind
them; the pair with most right words in both together is taken, at a draw the one with the higher likelihood of the
answers slot by slot.

Also prints what a say of the lexicon among the listed words would be worth: the power that its probability should
have there by likelihood (it came out as 0, so ranking.py has no such constant). The weight of words that no list has,
and how beliefs are stated, are chosen by fit_stated.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import product
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from common import ROOT, evaluation, keep, missing

from agent.candidates.clues import definition
from agent.candidates.clueset import ClueSet
from agent.candidates.lexicon import LexiconProvider
from agent.candidates.provider import Question
from agent.candidates.ranking import FITTED, Constants, rank
from agent.candidates.registry import Trust
from agent.evaluate.metrics import Tally
from agent.evaluate.task import evaluate_one
from agent.formats import open_puzzles
from agent.grid import Puzzle
from agent.tools import Tools
from lexicon.build.fit import fit_model
from lexicon.build.material import mini_pairs, own_pairs, pairs_of, puzzle_pairs, without
from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack
from lexicon.sources import shipped

PUZZLES = evaluation.path("goobix_100_155.json")

TRUST = (0.8, 1.0, 1.4, 1.75)
UNLISTED = (-1.5, -2.0, -2.5, -3.5)
POWERS = (0.0, 0.1, 0.2, 0.4)


class Remembered(LexiconProvider):
    """The lexicon, asked once for each clue: the grid asks again and again."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self.known: dict[tuple[str, int], object] = {}

    def distribution(self, clue: str, length: int) -> object:
        """Return the earlier answer, or ask."""
        key = (clue, length)
        if key not in self.known:
            self.known[key] = super().distribution(clue, length)
        return self.known[key]


def questions(puzzles: Sequence[Puzzle], lists: ClueSet) -> list[tuple[Question, str, list[object]]]:
    """List every slot with its answer and the recorded candidates."""
    rows = []
    for puzzle in puzzles:
        for slot in puzzle.grid.slots:
            question = Question(slot.name, puzzle.clue(slot), len(slot))
            found = lists.propose([question]).get(slot.name, ())
            rows.append((question, puzzle.solution.answer(slot), list(found)))
    return rows


def loss(rows: Sequence[tuple[Question, str, list[object]]], constants: Constants) -> float:
    """Mean -log p(answer) per slot from the lists alone; a word in no list counts as "none of these"."""
    total = 0.0
    for question, answer, found in rows:
        domain = rank([question], {question.slot: found}, None, constants).domains[question.slot]
        index = domain.find(answer)
        total += float(domain.costs[index]) if index is not None else domain.open_cost
    return total / len(rows)


def half_trained(folder: Path) -> tuple[Remembered, Remembered]:
    """Fit the lexicon twice, without the first and without the second half of the puzzles' clues and answers."""
    own = own_pairs() + mini_pairs(ROOT / "data" / "minis" / "tune")
    learned = []
    for number, held_out in enumerate(halves(json.loads(PUZZLES.read_text("utf-8")))):
        reported = pairs_of(held_out)
        others = without(own + puzzle_pairs(PUZZLES), reported)
        fit_model(Lexicon(Pack(shipped())), others, folder / f"{number}.model")
        learned.append(Remembered(Lexicon(Pack(shipped()), Model(folder / f"{number}.model"))))
    return learned[0], learned[1]


def halves(puzzles: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """Cut a list of puzzles in two."""
    return puzzles[: len(puzzles) // 2], puzzles[len(puzzles) // 2 :]


def say_of_the_lexicon(
    halves_of_rows: Iterable[Sequence[tuple[Question, str, list[object]]]], lexicons: Iterable[LexiconProvider]
) -> dict[str, float]:
    """Print the loss among the listed words for each power of the lexicon's probability."""
    tables = []
    for rows, lexicon in zip(halves_of_rows, lexicons, strict=True):
        for question, answer, found in rows:
            answers = [candidate.answer for candidate in found]
            if answer not in answers:
                continue
            words, log_p = (
                lexicon.words(question.length),
                lexicon.distribution(definition(question), question.length).log_p,
            )
            known = np.array([log_p[place] if (place := words.find(w)) is not None else log(1e-9) for w in answers])
            own = np.log(np.maximum([candidate.probability for candidate in found], 1e-4))
            tables.append((own, known, answers.index(answer)))
    losses = {}
    for power in POWERS:
        scores = [own + power * known for own, known, _ in tables]
        logs = [np.log(np.exp(s - s.max()).sum()) + s.max() - s[t[2]] for s, t in zip(scores, tables, strict=True)]
        losses[str(power)] = round(float(np.mean(logs)), 4)
    return losses


def main() -> None:
    """Try the grid, keep all of it, and print the values to copy."""
    list_file = evaluation.path("goobix_llm.clues.jsonl")
    if missing(PUZZLES) or missing(list_file):
        return
    puzzles = [puzzle for puzzle in open_puzzles(PUZZLES) if isinstance(puzzle, Puzzle)]
    lists = ClueSet.open(list_file)
    with TemporaryDirectory() as folder:
        lexicons = half_trained(Path(folder))
    rows = [questions(half, lists) for half in halves(puzzles)]
    table = []
    for trust, unlisted in product(TRUST, UNLISTED):
        constants = Constants({**FITTED.trust, "llm": Trust(0.0, trust)}, unlisted)
        scores = {}
        for name, behind in (("lists", (None, None)), ("lists+lexicon", lexicons)):
            lines = [
                evaluate_one(puzzle, Tools([lists], lexicon, constants=constants))
                for half, lexicon in zip(halves(puzzles), behind, strict=True)
                for puzzle in half
            ]
            summary = Tally(lines).summary(1.0)
            scores[name] = [summary["letters"][0], summary["words"][0], summary["solved"]]
        error = loss([*rows[0], *rows[1]], constants)
        table.append({"trust": trust, "unlisted": unlisted, "loss": round(error, 4), **scores})
        print(json.dumps(table[-1]), flush=True)
    best = max(table, key=lambda row: (row["lists"][1] + row["lists+lexicon"][1], -row["loss"]))
    keep(
        "fit-ranking",
        {
            "puzzles": "goobix 100-155",
            "chosen": best,
            "loss_by_power_of_the_lexicon_among_the_listed": say_of_the_lexicon(rows, lexicons),
            "lines": table,
        },
    )


if __name__ == "__main__":
    main()
