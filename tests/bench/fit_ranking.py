"""Fit the constants of agent/candidates/ranking.py by maximum likelihood.

    python tests/bench/fit_ranking.py ../shared/data

Data: the clue sets recorded for GooBix puzzles 100-155, without any clue or answer of 000-099, and for the project's
own minis. Likelihood: each slot's answer under its own distribution, or "none of these" where no list has it.
Method: coordinate descent with shrinking steps from several starts; two to four numbers need no more.
Prints the constants to be copied, and the log-loss per slot before and after.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path

import numpy as np

from agent.candidates.provider import Question
from agent.candidates.ranking import WITH_MODEL, WITHOUT_MODEL, Constants, Trust, WordModel, rank
from agent.grid import Candidate

Slot = tuple[str, str, list[Candidate]]
"""(clue, answer, candidates)."""


def slots(data: Path) -> list[Slot]:
    """Read the slots that may be fitted on."""
    recorded = {}
    for path in (data / "goobix_llm.clues.jsonl", data / "minis" / "minis_llm.clues.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            recorded[row["clue"], row["length"]] = [Candidate(w, p, row["source"]) for w, p in row["candidates"]]

    def pairs(name: str) -> set[tuple[str, str]]:
        puzzles = json.loads((data / name).read_text("utf-8"))
        return {(clue, answer) for p in puzzles for side in p["clues"].values() for _, clue, answer in side}

    held = pairs("goobix_000_099.json")
    clues, answers = {clue for clue, _ in held}, {answer for _, answer in held}
    train = {(c, a) for c, a in pairs("goobix_100_155.json") if c not in clues and a not in answers}
    for path in sorted((data / "minis").glob("*.xd")):
        for line in path.read_text("utf-8").splitlines():
            if " ~ " in line:
                clue, answer = line.partition(". ")[2].rsplit(" ~ ", 1)
                train.add((clue, answer))
    return [(c, a, recorded[c, len(a)]) for c, a in sorted(train) if (c, len(a)) in recorded]


def loss(train: Sequence[Slot], model: WordModel | None, constants: Constants) -> float:
    """Mean -log p(answer) per slot; a word in no list counts as "none of these"."""
    total = 0.0
    for clue, answer, candidates in train:
        question = Question("1A", clue, len(answer))
        domain = rank([question], {"1A": candidates}, model, constants).domains["1A"]
        index = domain.find(answer)
        total += float(domain.costs[index]) if index is not None else domain.open_cost
    return total / len(train)


def descend(score: Callable[[Sequence[float]], float], start: Sequence[float]) -> tuple[list[float], float]:
    """Minimise by moving one number at a time, with steps that are halved when nothing helps."""
    best, value, step = list(start), score(start), 1.0
    while step > 0.02:
        moved = False
        for index in range(len(best)):
            for sign in (step, -step):
                trial = [*best]
                trial[index] += sign
                if (now := score(trial)) < value - 1e-6:
                    best, value, moved = trial, now, True
        step = step if moved else step / 2
    return best, value


def main() -> None:
    """Fit both sets of constants and print them."""
    data = Path(sys.argv[1])
    train = slots(data)
    listed = np.mean([any(c.answer == a for c in cands) for _, a, cands in train])
    print(f"{len(train)} slots, the answer is listed in {100 * listed:.1f} %")

    def without(x: Sequence[float]) -> Constants:
        return Constants({**WITHOUT_MODEL.trust, "llm": Trust(0.0, x[0])}, 0.0, x[1])

    before = loss(train, None, WITHOUT_MODEL)
    best, after = descend(lambda x: loss(train, None, without(x)), [1.0, -1.5])
    print(f"without a word model: weight={best[0]:.2f} unlisted={best[1]:.2f}  loss {before:.4f} -> {after:.4f}")

    from lexicon import load

    model = load(permissive=True)
    distributions = {}

    class Remembered:
        words = staticmethod(model.words)
        letter_model = staticmethod(model.letter_model)

        @staticmethod
        def distribution(clue: str, length: int) -> object:
            if (clue, length) not in distributions:
                distributions[clue, length] = model.distribution(clue, length)
            return distributions[clue, length]

    def within(x: Sequence[float]) -> Constants:
        return Constants({**WITH_MODEL.trust, "llm": Trust(x[0], x[1])}, x[2], x[3])

    before = loss(train, Remembered(), WITH_MODEL)
    start = [WITH_MODEL.trust["llm"].listed, WITH_MODEL.trust["llm"].weight, WITH_MODEL.model_weight, 0.0]
    best, after = descend(lambda x: loss(train, Remembered(), within(x)), start)
    print(
        f"with the lexicon: listed={best[0]:.2f} weight={best[1]:.2f} model_weight={best[2]:.2f} "
        f"unlisted={best[3]:.2f}  loss {before:.4f} -> {after:.4f} (a fair share of nothing: {log(20000):.2f})"
    )


if __name__ == "__main__":
    main()
