"""The traffic with a model: requests and tokens per puzzle, for the first look and the second.

    python tests/bench/bench_talk.py

The 26 own minis over real HTTP, with a fake model that answers from the recorded lists in the form that the prompt
asks for, without notes. A token is taken as four characters. The second look is about the three slots of which the
lists are least sure; in doubt are their first letters and the cells that they share, and the words to choose from are
the answer and two others that differ from it in those cells only.

The edition before this one, measured once with the same questions and lists at commit 9e3b29d, took one request a look
as well, and on a 5x5 in the median 496 + 258 tokens (prompt + completion) at first and 568 + 120 afterwards. It showed
neither the grid nor what crosses where.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from common import ROOT, keep, spread

from agent.cache import Cache
from agent.candidates.clueset import ClueSet
from agent.candidates.llm import LlmProvider
from agent.candidates.provider import Question
from agent.formats import open_puzzles
from agent.grid import Candidate, Puzzle
from agent.llm.client import Client
from agent.llm.reply import CHARACTERS_A_TOKEN
from agent.solve import ask
from agent.testing import FakeOpenAI

MINIS = ROOT / "data" / "minis"
LISTS = ClueSet.open(MINIS / "minis_llm.clues.jsonl")
AGAIN = 3
"""Slots in the second look."""

Lists = Mapping[str, Sequence[Candidate]]


def as_asked(lists: Lists) -> Any:
    """Return lists in the form that the prompts ask for."""
    rows = [[slot, *(part for c in found for part in (c.answer, c.probability))] for slot, found in lists.items()]
    return {"notes": "", "slots": rows}


def again(puzzle: Puzzle, questions: Sequence[Question], lists: Lists) -> list[Question]:
    """Make the questions of the second look."""
    assert puzzle.solution is not None
    sure = {q.slot: max((c.probability for c in lists.get(q.slot, ())), default=0.0) for q in questions}
    chosen = sorted(questions, key=lambda q: sure[q.slot])[:AGAIN]
    names = {question.slot for question in chosen}
    asked = []
    for question in chosen:
        answer = puzzle.solution.answer(question.slot)
        doubt = {0} | {crossing.position for crossing in question.crossings if crossing.slot in names}
        pattern = "".join("?" if i in doubt else letter for i, letter in enumerate(answer))
        crossings = tuple(
            replace(crossing, answer=puzzle.solution.answer(crossing.slot), probability=0.62)
            for crossing in question.crossings
        )
        others = ("".join(letter if i in doubt else a for i, a in enumerate(answer)) for letter in "ES")
        choices = tuple(Candidate(word, 0.3, "solver") for word in (answer, *others))
        asked.append(replace(question, pattern=pattern, crossings=crossings, choices=choices))
    return asked


def talk(questions: Sequence[Question], lists: Lists) -> dict[str, int]:
    """Have the questions answered; return requests, and tokens of prompt and completion."""
    said = json.dumps(as_asked({question.slot: lists.get(question.slot, ()) for question in questions}))
    with (
        FakeOpenAI([said]) as server,
        tempfile.TemporaryDirectory() as folder,
        Cache(folder) as cache,
        Client("fake-model", server.base_url) as client,
    ):
        LlmProvider(client, cache).propose(questions)
        sent = sum(len(message["content"]) for chat in server.chats for message in chat.json["messages"])
        return {
            "requests": len(server.chats),
            "prompt_tokens": sent // CHARACTERS_A_TOKEN,
            "completion_tokens": len(said) // CHARACTERS_A_TOKEN,
        }


def measure() -> dict[str, Any]:
    """Measure both looks at every mini."""
    lines = []
    for path in sorted(MINIS.glob("*.xd")):
        for puzzle in open_puzzles(path):
            assert isinstance(puzzle, Puzzle)
            questions = ask(puzzle)
            lists = LISTS.propose(questions)
            second = again(puzzle, questions, lists)
            lines.append(
                {
                    "puzzle": path.stem,
                    "size": f"{puzzle.grid.width}x{puzzle.grid.height}",
                    "slots": len(questions),
                    "first": talk(questions, lists),
                    "second": talk(second, lists),
                }
            )
    fives = [line for line in lines if line["size"] == "5x5"]
    return {
        name: {
            look: {
                **{count: spread([line[look][count] for line in some]) for count in some[0][look]},
                "median_tokens": statistics.median(
                    line[look]["prompt_tokens"] + line[look]["completion_tokens"] for line in some
                ),
            }
            for look in ("first", "second")
        }
        for name, some in (("5x5", fives), ("all", lines))
    } | {"lines": lines}


if __name__ == "__main__":
    keep("talk", measure())
