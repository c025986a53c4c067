"""Choose the constants of agent/candidates/ranking.py: trust in a language model's numbers, weight of "none of these".

    python tests/bench/fit_ranking.py

Material: GooBix puzzles 100-155 with the recorded lists, nothing else; no puzzle that results are reported for. Every
pair of constants of a small grid solves all 56 puzzles twice, from the lists alone and with the lexicon behind them;
the pair with most right words in both together is taken, at a draw the one with the higher likelihood of the answers
slot by slot. (Likelihood alone, which says nothing of crossings, would have trust 1.75: more faith in first answers.)

Also prints what a say of the lexicon among the listed words would be worth: the power that its probability should
have there by likelihood. It came out as 0, so ranking.py has no such constant.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from math import log

import numpy as np
from common import DATA, keep, missing

from agent.candidates.clueset import ClueSet
from agent.candidates.provider import Question
from agent.candidates.ranking import FITTED, Constants, Trust, rank
from agent.candidates.wordnet import WordNet
from agent.evaluate.metrics import summarise
from agent.evaluate.run import evaluate_one
from agent.formats import open_puzzles
from agent.grid import Puzzle
from agent.tools import Tools

TRUST = (0.8, 1.0, 1.4, 1.75)
UNLISTED = (-1.5, -2.0, -2.5, -3.5)
POWERS = (0.0, 0.1, 0.2, 0.4)


class Remembered(WordNet):
    """The lexicon, asked once for each clue: the grid asks again and again."""

    def __init__(self) -> None:
        super().__init__(permissive=True)
        self.known: dict[tuple[str, int], object] = {}

    def distribution(self, clue: str, length: int) -> object:
        """Return what was said before, or ask."""
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


def say_of_the_lexicon(rows: Sequence[tuple[Question, str, list[object]]], lexicon: WordNet) -> dict[str, float]:
    """Give the loss among the listed words for each power of the lexicon's probability."""
    tables = []
    for question, answer, found in rows:
        answers = [candidate.answer for candidate in found]
        if answer not in answers:
            continue
        words, log_p = lexicon.words(question.length), lexicon.distribution(question.clue, question.length).log_p
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
    """Try the grid, keep all of it, and say what to copy."""
    puzzle_file, list_file = DATA / "goobix_100_155.json", DATA / "goobix_llm.clues.jsonl"
    if missing(puzzle_file) or missing(list_file):
        return
    puzzles = [puzzle for puzzle in open_puzzles(puzzle_file) if isinstance(puzzle, Puzzle)]
    lists, lexicon = ClueSet.open(list_file), Remembered()
    rows = questions(puzzles, lists)
    table = []
    for trust, unlisted in product(TRUST, UNLISTED):
        constants = Constants({**FITTED.trust, "llm": Trust(0.0, trust)}, unlisted)
        scores = {}
        for name, fallback in (("lists", None), ("lists+lexicon", lexicon)):
            tools = Tools([lists], fallback, constants=constants)
            summary = summarise([evaluate_one(puzzle, tools) for puzzle in puzzles], 1.0)
            scores[name] = [summary["letters"][0], summary["words"][0], summary["solved"]]
        table.append({"trust": trust, "unlisted": unlisted, "loss": round(loss(rows, constants), 4), **scores})
        print(json.dumps(table[-1]), flush=True)
    best = max(table, key=lambda row: (row["lists"][1] + row["lists+lexicon"][1], -row["loss"]))
    keep(
        "fit-ranking",
        {
            "puzzles": "goobix 100-155",
            "chosen": best,
            "loss_by_power_of_the_lexicon_among_the_listed": say_of_the_lexicon(rows, lexicon),
            "lines": table,
        },
    )


if __name__ == "__main__":
    main()
