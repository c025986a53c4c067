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
from dataclasses import replace
from pathlib import Path

import numpy as np

from agent.candidates.provider import Question
from agent.candidates.ranking import FITTED, Constants, Trust, WordModel, rank
from agent.candidates.wordnet import WordNet
from agent.grid import Candidate

STRANGE = -20.0
"""Log-probability of a word that the lexicon does not have: about an unlisted word's share times its spelling."""

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

    def lists(x: Sequence[float]) -> Constants:
        return replace(FITTED, trust={**FITTED.trust, "llm": Trust(0.0, x[0])}, unlisted=x[1])

    before = loss(train, None, FITTED)
    best, after = descend(lambda x: loss(train, None, lists(x)), [1.0, -1.5])
    print(f"lists: weight={best[0]:.2f} unlisted={best[1]:.2f}  loss {before:.4f} -> {after:.4f}")

    # which of the listed words it is does not depend on the other words, so the power is fitted on listed answers alone
    model = WordNet(permissive=True)
    listed_train = [row for row in train if any(c.answer == row[1] for c in row[2])]
    tables = []
    for clue, answer, candidates in listed_train:
        words, log_p = model.words(len(answer)), model.distribution(clue, len(answer)).log_p
        places = [words.find(candidate.answer) for candidate in candidates]
        known = np.array([log_p[place] if place is not None else STRANGE for place in places])
        own = np.log(np.maximum([candidate.probability for candidate in candidates], 1e-4))
        tables.append((own, known, [candidate.answer for candidate in candidates].index(answer)))

    def inside(x: Sequence[float]) -> float:
        total = 0.0
        for own, known, right in tables:
            scores = best[0] * own + x[0] * known
            total += float(np.log(np.exp(scores - scores.max()).sum()) + scores.max() - scores[right])
        return total / len(tables)

    power, after = descend(inside, [0.2])
    print(f"power of the lexicon among the listed: {power[0]:.2f}  loss {inside([0.0]):.4f} -> {after:.4f}")


if __name__ == "__main__":
    main()
