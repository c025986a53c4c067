"""Weak models: how much is solved when a model knows only a share of the clues and is overconfident about the rest.

    python tests/bench/bench_weak.py [--puzzles minis,tune,first100] [--seeds 3] [--weights FOLDER]

A strong model's recorded lists are degraded (:func:`degrade`): a share of the clues keeps its list, every other clue
gets one to five wrong words of the right length, the first of them stated at 0.6 to 0.9. Half of the wrong words are
those that the lexicon finds most plausible for the clue, half are answers of other clues. Which clues are known is
drawn by clue and seed; what is known at one share is known at every greater one. Both kinds of list have the same
source, so the solver cannot tell them apart but by what fits.

Puzzles: the project's own 26 minis and GooBix 100-155 (`tune`), both for tuning; GooBix 000-099 (`first100`) for
reports only. The shipped lexicon has learned from `tune`, so that is solved with weights that are fitted without it,
which takes minutes; `--weights` keeps these in a folder, and takes them from there the next time.
Configurations: the degraded lists alone; with the lexicon; the lexicon alone, which is what a weak model is held
against. Each set of puzzles leaves a table, one short line per puzzle and a plot in tests/bench/results.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from common import RESULTS, ROOT, evaluation, keep, missing
from fit_ranking import Remembered, half_trained, halves

import lexicon
from agent.candidates.clues import clue_text
from agent.candidates.clueset import ClueSet, Entry, Key
from agent.candidates.provider import Question
from agent.cli.evaluation import named_items
from agent.draw.chart import line_chart
from agent.draw.svg import standalone
from agent.evaluate.metrics import Tally
from agent.evaluate.task import evaluate_one
from agent.grid import Puzzle
from agent.solve import ask
from agent.tools import Tools
from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack
from lexicon.sources import shipped

SHARES = (1.0, 0.85, 0.7, 0.5, 0.31, 0.15, 0.0)
MOST_WRONG = 5
"""Words in a list of wrong ones, at most: as many as recorded lists mostly have."""
PLAUSIBLE = 10
"""The lexicon's first wrong words for a clue, from which half of the wrong words are drawn."""
OVERCONFIDENT = (0.6, 0.9)
"""Between these the first wrong word is stated; each further one gets half of what is left."""
SOURCE = "llm:weak"


@dataclass(frozen=True, slots=True)
class Decoys:
    """Wrong words for one clue: those the lexicon finds `plausible`, and answers of `other` clues of that length.

    `printed` is the clue as printed, if it refers to others.
    """

    plausible: tuple[str, ...]
    other: tuple[str, ...]
    printed: str = ""


def decoys_for(puzzles: Iterable[Puzzle], book: Lexicon | None = None) -> dict[Key, Decoys]:
    """Collect the wrong words for every clue of puzzles that have solutions; `book` is the shipped lexicon if None."""
    book = book or lexicon.load(permissive=True)
    answers: dict[Key, set[str]] = defaultdict(set)
    of_length: dict[int, set[str]] = defaultdict(set)
    printed: dict[Key, str] = {}
    for puzzle in puzzles:
        for question in ask(puzzle):
            right = puzzle.solution.answer(question.slot)
            answers[key_of(question)].add(right)
            printed[key_of(question)] = question.clue
            of_length[question.length].add(right)
    return {
        (clue, length): Decoys(
            tuple(likeliest(book, clue, length, right)) if length in book.lengths else (),
            tuple(sorted(of_length[length] - right)),
            printed[clue, length],
        )
        for (clue, length), right in answers.items()
    }


def likeliest(book: Lexicon, clue: str, length: int, right: set[str]) -> list[str]:
    """List the lexicon's first wrong words for a clue."""
    words = book.words(length)
    order = np.argsort(-book.distribution(clue, length).log_p, kind="stable")[: PLAUSIBLE + len(right)]
    return [word for word in map(words.word, order.tolist()) if word not in right][:PLAUSIBLE]


def key_of(question: Question) -> Key:
    """Return the key by which a clue set finds the question."""
    return clue_text(question.noted), question.length


def degrade(lists: ClueSet, decoys: Mapping[Key, Decoys], share: float, seed: int = 0) -> ClueSet:
    """Return a weak model's answers: `lists` for a share (0 to 1) of the clues, wrong words for all others.

    The same arguments give the same clue set, on any machine.

    >>> lists = ClueSet([Entry("Not out", 2, (("IN", 0.9),), "llm:strong")])
    >>> decoys = {("Not out", 2): Decoys(("ON",), ("AT",))}
    >>> question = Question("1A", "Not out", 2)
    >>> [str(word) for word in degrade(lists, decoys, 1.0).propose([question])["1A"]]
    ['IN 90 % (llm:weak)']
    >>> {word.answer for word in degrade(lists, decoys, 0.0).propose([question])["1A"]} <= {"ON", "AT"}
    True
    """
    entries = []
    for (clue, length), wrong in decoys.items():
        chance = Random(f"{seed}|{clue}|{length}")
        if chance.random() < share:
            found = lists.propose([Question("", wrong.printed or clue, length)]).get("", ())
            candidates = tuple((candidate.answer, candidate.probability) for candidate in found)
        else:
            candidates = tuple(guesses(chance, wrong))
        entries.append(Entry(clue, length, candidates, SOURCE))
    return ClueSet(entries)


def guesses(chance: Random, wrong: Decoys) -> Iterator[tuple[str, float]]:
    """Draw wrong words, each with the probability that an overconfident model would state."""
    pools = [list(pool) for pool in (wrong.plausible, wrong.other)]
    left, stated = 1.0, chance.uniform(*OVERCONFIDENT)
    for _ in range(chance.randint(1, MOST_WRONG)):
        pool = chance.choice(pools) or pools[0] or pools[1]
        if not pool:
            return
        word = chance.choice(pool)
        pools = [[one for one in pool if one != word] for pool in pools]
        yield word, round(stated, 4)
        left -= stated
        stated = left / 2


@dataclass(frozen=True, slots=True)
class Material:
    """A set of puzzles, the strong model's lists for them, and parts of it with a lexicon that never saw them."""

    puzzles: Sequence[Puzzle]
    lists: ClueSet
    parts: Sequence[tuple[Sequence[Puzzle], Remembered]]


FILES = {
    "minis": (ROOT / "data" / "minis", ROOT / "data" / "minis" / "minis_llm.clues.jsonl"),
    "tune": (evaluation.path("goobix_100_155.json"), evaluation.path("goobix_llm.clues.jsonl")),
    "first100": (evaluation.path("goobix_000_099.json"), evaluation.path("goobix_llm.clues.jsonl")),
}


def material(name: str, weights: Path) -> Material:
    """Open a set of puzzles; weights that an earlier run left in the folder `weights` are not fitted again."""
    path, lists = FILES[name]
    files = sorted(path.glob("*.xd")) if path.is_dir() else [path]
    puzzles = [puzzle for file in files for puzzle in named_items(file) if isinstance(puzzle, Puzzle)]
    if name != "tune":  # the shipped weights have learned from these puzzles
        parts = [(puzzles, Remembered(lexicon.load(permissive=True)))]
    else:
        models = [weights / "0.model", weights / "1.model"]
        if not all(model.exists() for model in models):
            half_trained(weights)
        parts = list(zip(halves(puzzles), map(remembered, models), strict=True))
    return Material(puzzles, ClueSet.open(lists), parts)


def remembered(model: Path) -> Remembered:
    """Open the shipped index with other weights."""
    return Remembered(Lexicon(Pack(shipped()), Model(model)))


def solved(found: Material, lists: ClueSet | None, *, with_lexicon: bool) -> Iterator[dict[str, Any]]:
    """Solve all puzzles, as result lines."""
    providers = [] if lists is None else [lists]
    for puzzles, book in found.parts:
        tools = Tools(providers, book if with_lexicon else None)
        yield from (evaluate_one(puzzle, tools) for puzzle in puzzles)


KEPT = ("id", "solved", "letters", "words", "probability", "claimed", "consistent")
SUMMED = (
    "scored", "solved", "letters", "words", "claimed", "claimed_wrong",
    "grid_calibration_error", "grid_calibration_luck", "calibration_error", "letter_calibration_error",
)  # fmt: skip


def measure(name: str, found: Material, seeds: int) -> None:
    """Solve a set of puzzles at every share, and keep table, lines and plot."""
    decoys = decoys_for(found.puzzles)
    rows, kept = [], []

    def take(lines: Sequence[dict[str, Any]], **run: Any) -> None:
        summary = Tally(lines).summary(1.0)
        rows.append({**run, **{field: summary[field] for field in SUMMED}})
        print(json.dumps(rows[-1]), flush=True)

    for configuration, with_lexicon in (("weak", False), ("weak+lexicon", True)):
        for share in SHARES:
            lines = []
            for seed in range(seeds if share < 1 else 1):
                run = {"configuration": configuration, "share": share, "seed": seed}
                here = list(solved(found, degrade(found.lists, decoys, share, seed), with_lexicon=with_lexicon))
                kept += [{**run, **{field: line[field] for field in KEPT}} for line in here]
                lines += here
            take(lines, configuration=configuration, share=share)
    alone = list(solved(found, None, with_lexicon=True))
    kept += [{"configuration": "lexicon", **{field: line[field] for field in KEPT}} for line in alone]
    take(alone, configuration="lexicon")
    keep(f"weak-{name}", {"puzzles": name, "seeds": seeds, "table": rows, "lines": kept})
    plot = line_chart(curves(rows), x="% of the clues that the model knows", y="% right")
    (RESULTS / f"weak-{name}.svg").write_text(standalone(plot), "utf-8")


def curves(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[float, float]]]:
    """Return puzzles and letters right in percent over the share known; the lexicon alone is a level line."""
    lines: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        for kind, (right, total) in {"puzzles": (row["solved"], row["scored"]), "letters": row["letters"]}.items():
            for share in [row["share"]] if "share" in row else [min(SHARES), max(SHARES)]:
                lines[f"{kind}, {row['configuration']}"].append((100 * share, 100 * right / total))
    return dict(lines)


def main() -> None:
    """Measure each set of puzzles."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", default="minis,tune")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--weights", type=Path, help="folder for the fitted weights; without it they are not kept")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        weights = arguments.weights or Path(stack.enter_context(TemporaryDirectory()))
        weights.mkdir(parents=True, exist_ok=True)
        for name in arguments.puzzles.split(","):
            if not any(map(missing, FILES[name])):
                measure(name, material(name, weights), arguments.seeds)


if __name__ == "__main__":
    main()
