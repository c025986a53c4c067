"""Choose the filling to show (`Belief.best`) and `ODDS_POWER` in conclude.py.

    python tests/bench/fit_stated.py [--weights FOLDER]

Material: the project's own minis and GooBix 100-155 with weights of the lexicon fitted without them, never a puzzle
that results are reported for. Each is solved from the lexicon alone, from recorded lists with and without it, and from
lists of which 70, 50, 31 and 15 % are known (see bench_weak.py). For every solve, ways to turn the posterior into a
grid are held against each other by letters and puzzles right:

    within N        of the fillings at most N nats less probable than the best, the one with most letters likely right;
                    0 is the most probable filling, the largest N all that were weighed
    under S, N      the same if the most probable filling has a share under S, else the most probable one
    tempered         the same over all, with every letter's odds at the power ODDS_POWER before they are added up
    cell by cell    each cell's likeliest letter, whether the letters make words or not
    propagation     the same from belief propagation alone
    propagation, N  the filling within N nats with most letters likely right by belief propagation alone

Then the log loss and calibration error of letters, answers and whole grids are measured for each power of the odds;
the power with the least loss in sum is taken.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from bench_weak import FILES, decoys_for, degrade, material
from common import keep, missing

from agent.candidates.clueset import ClueSet
from agent.candidates.ranking import FITTED
from agent.conclude import ODDS_POWER, posterior
from agent.grid import BLOCK, Puzzle
from agent.puzzles.crossword.domain import LETTERS
from agent.puzzles.crossword.messages import Messages
from agent.solve import ask
from agent.weigh import Weighed, weigh

REACHES = (0.0, 0.3, 1.0, 2.0, 99.0)
LOST = (0.1, 0.2, 0.3, 0.5)
POWERS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
SHARES = (0.7, 0.5, 0.31, 0.15)
BINS = 10
TINY = 1e-6


def sources(lists: ClueSet, puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, ClueSet | None, bool]]:
    """Yield (name, lists, with the lexicon) of each source that the puzzles are solved from."""
    decoys = decoys_for(puzzles)
    yield "lexicon", None, True
    yield "lists", lists, False
    yield "lists+lexicon", lists, True
    yield "50 % known", degrade(lists, decoys, 0.5), False
    for share in SHARES:
        yield f"{share:.0%} known+lexicon", degrade(lists, decoys, share), True


def decodings(known: Weighed) -> Iterator[tuple[str, np.ndarray]]:
    """Yield (name, letters by cell) of each way to turn a posterior into a grid."""
    belief, sample = known.belief, known.belief.sample
    messages = Messages(belief.grid, belief.domains)
    messages.settle()
    cells = sorted(belief.letters)
    stated = np.array([belief.letters[cell] for cell in cells])
    told: dict[int, list[np.ndarray]] = defaultdict(list)
    for number, slot in enumerate(messages.grid.slots):
        for cell, said in zip(slot.cells, messages.says(number), strict=True):
            told[cell].append(said)
    propagated = np.array([np.prod(told[cell], axis=0) for cell in cells])
    propagated /= propagated.sum(axis=1, keepdims=True)
    rows, below = sample.letters[:, cells], sample.log_weights[0] - sample.log_weights
    tempered = stated**ODDS_POWER / (stated**ODDS_POWER + (1 - stated) ** ODDS_POWER)

    def within(reach: float, marginals: np.ndarray) -> np.ndarray:
        right = marginals[np.arange(len(cells)), rows].sum(axis=1)
        return rows[np.where(below <= reach, right, -1).argmax()]

    for reach in REACHES:
        yield f"within {reach:g}", within(reach, stated)
    for share in LOST:
        for reach in REACHES[2:]:
            yield f"under {share:g}, {reach:g}", within(reach if sample.shares()[0] < share else 0.0, stated)
    yield "tempered", within(REACHES[-1], tempered)
    yield "cell by cell", stated.argmax(axis=1)
    yield "propagation", propagated.argmax(axis=1)
    yield f"propagation, {REACHES[-1]:g}", within(REACHES[-1], propagated)


def statements(puzzle: Puzzle, known: Weighed) -> Iterator[tuple[str, float, bool]]:
    """Yield (of what, probability before it is tempered, right) of everything that a solution states."""
    grid, gold = known.grid, puzzle.solution
    if known.shown is None or gold is None:
        return
    yield "grids", known.belief.share(known.shown.cost), grid == gold
    for slot in grid.slots:
        answer = grid.answer(slot)
        yield "answers", posterior(known.ranking, known.belief, slot, answer), answer == gold.answer(slot)
    for cell, sign in enumerate(grid.cells):
        if sign != BLOCK:
            yield "letters", known.belief.letter(cell, sign), sign == gold.cells[cell]


def powers(said: dict[str, list[tuple[float, bool]]]) -> dict[str, dict[str, list[float]]]:
    """Return [log loss, calibration error] by statement and power of the odds."""
    table: dict[str, dict[str, list[float]]] = {}
    for name, pairs in said.items():
        stated, right = np.array(pairs, float).T
        stated = np.clip(stated, TINY, 1 - TINY)
        for power in POWERS:
            p = stated**power / (stated**power + (1 - stated) ** power)
            loss = -np.mean(right * np.log(p) + (1 - right) * np.log(1 - p))
            bins = np.minimum((p * BINS).astype(int), BINS - 1)
            error = sum(abs((p - right)[bins == number].sum()) for number in range(BINS)) / len(p)
            table.setdefault(name, {})[f"{power:g}"] = [round(float(loss), 4), round(float(error), 4)]
    return table


def main() -> None:
    """Solve everything once, and keep both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, help="folder for the fitted weights; without it they are not kept")
    arguments = parser.parse_args()
    counts: dict[str, dict[str, np.ndarray]] = defaultdict(lambda: defaultdict(lambda: np.zeros(4, int)))
    said: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    with ExitStack() as stack:
        weights = arguments.weights or Path(stack.enter_context(TemporaryDirectory()))
        weights.mkdir(parents=True, exist_ok=True)
        for name in ("minis", "tune"):
            if any(map(missing, FILES[name])):
                return
            found = material(name, weights)
            for source, lists, with_lexicon in sources(found.lists, found.puzzles):
                for puzzle, book in ((puzzle, book) for puzzles, book in found.parts for puzzle in puzzles):
                    questions = ask(puzzle)
                    proposals = lists.propose(questions) if lists else {}
                    known = weigh(puzzle.grid, questions, proposals, book if with_lexicon else None, FITTED)
                    gold = [LETTERS.index(sign[0]) for sign in puzzle.solution.cells if sign != BLOCK]
                    for decoding, letters in decodings(known):
                        right = int((letters == gold).sum())
                        row = [right, len(gold), int(right == len(gold)), 1]
                        for key in (f"{name}, {source}", "all"):
                            counts[decoding][key] += row
                    for kind, probability, right in statements(puzzle, known):
                        said[kind].append((probability, right))
                print(name, source, {d: c[f"{name}, {source}"].tolist() for d, c in counts.items()}, flush=True)
    table = powers(said)
    chosen = min(POWERS, key=lambda power: sum(losses[f"{power:g}"][0] for losses in table.values()))
    keep(
        "fit-stated",
        {
            "columns": "letters right, letters, puzzles right, puzzles",
            "chosen_power": chosen,
            "loss_and_calibration_error_by_power_of_the_odds": table,
            "lines": [
                {"decoding": decoding, **{key: count.tolist() for key, count in by_source.items()}}
                for decoding, by_source in counts.items()
            ],
        },
    )
    print(json.dumps({decoding: by_source["all"].tolist() for decoding, by_source in counts.items()}, indent=1))


if __name__ == "__main__":
    main()
