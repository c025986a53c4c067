"""The task of a worker: one puzzle, solved from the answers fetched so far. It has no socket, no file and no key.

Providers are asked in the parent only (:mod:`agent.evaluate.asking` explains why). A task is therefore a pure function
of the puzzle and the answers that the parent has fetched. If the search has further questions, the task ends with them;
the parent fetches the answers and submits the puzzle again. Repeating the search costs milliseconds, needs no channel
back to the parent, and makes a lost worker harmless: its task is simply run again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from agent.api import solve_clued
from agent.candidates.provider import Question
from agent.core import Budget, limit
from agent.errors import ProviderError
from agent.evaluate.lines import ResultLine
from agent.evaluate.metrics import score, statements
from agent.formats import Item
from agent.grid import Candidate, ClueText
from agent.solution import Solution
from agent.tools import Tools
from agent.verify.crossword import verify_crossword

if TYPE_CHECKING:
    from agent.candidates.lexicon import LexiconProvider

Questions = tuple[Question, ...]
Answers = Mapping[str, Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """The settings that a worker needs."""

    lexicon: bool
    rounds: int
    threshold: float
    seconds: float | None
    sure: float


@dataclass(frozen=True, slots=True)
class NeedsAnswers:
    """The result of a task whose search asks questions that were not fetched yet."""

    questions: Questions


class NotFetchedError(Exception):
    """The search asks questions that were not fetched yet."""

    def __init__(self, questions: Questions) -> None:
        super().__init__(questions)
        self.questions = questions


@dataclass(frozen=True, slots=True)
class RecordedProvider:
    """A provider that repeats the answers that the real one gave in the parent, and its failures.

    After `most` answers it has none for new questions: a search under a time limit may ask something else whenever it
    is run again, and must end all the same.

    >>> question = Question("1A", "Not out", 2)
    >>> provider = RecordedProvider("llm", {(question,): {"1A": (Candidate("IN", 0.9, "llm"),)}}, most=3)
    >>> str(provider.propose([question])["1A"][0])
    'IN 90 % (llm)'
    """

    name: str
    answers: Mapping[Questions, Answers | ProviderError]
    most: int
    offline: bool = False

    def propose(self, questions: Sequence[Question]) -> Answers:
        """Repeat the answer. Raises ProviderError as the real one did, NotFetchedError if it was not asked yet."""
        asked = tuple(questions)
        if asked not in self.answers:
            if len(self.answers) >= self.most:
                return {}
            raise NotFetchedError(asked)
        answer = self.answers[asked]
        if isinstance(answer, ProviderError):
            raise answer
        return answer


@cache
def _lexicon() -> LexiconProvider:
    """Return the lexicon, opened once in each worker."""
    from agent.candidates.lexicon import LexiconProvider

    return LexiconProvider()


def work(settings: TaskSettings, item: Item, providers: Sequence[RecordedProvider]) -> ResultLine | NeedsAnswers:
    """Solve one puzzle from the answers fetched so far; executors run this function."""
    lexicon = _lexicon() if settings.lexicon else None
    try:
        return evaluate_one(
            item, Tools(providers, lexicon, settings.rounds, settings.threshold, sure=settings.sure), settings.seconds
        )
    except NotFetchedError as missing:
        return NeedsAnswers(missing.questions)


def evaluate_one(item: Item, tools: Tools, seconds: float | None = None) -> ResultLine:
    """Solve one puzzle and score it against its official solution; `seconds` limits the search."""
    solution = solve_clued(item, tools, budget=Budget(seconds=limit(seconds)))
    official = None if isinstance(item, ClueText) else item.solution
    stats, scored, stated = solution.stats, score(solution.grid, official), statements(solution, official)
    return {
        "id": item.id,
        "solved": scored["solved"],
        "letters": scored["letters"],
        "words": scored["words"],
        "probability": round(solution.probability, 6),
        "claimed": solution.solved,
        "consistent": solution.consistent,
        "false_consistent": solution.consistent and not recheck(solution),
        "proof": solution.proof,
        "termination": solution.termination,
        "ended": solution.ended,
        "grid": list(solution.grid.rows),
        "slots": stated["slots"],
        "cells": stated["cells"],
        "expansions": stats.expansions,
        "generated": stats.generated,
        "rounds": stats.rounds,
        "calls": sum(usage.calls for usage in stats.usage.values()),
        "cache_hits": stats.cache_hits,
        "tokens": stats.tokens,
        "cost": stats.cost,
        "warnings": list(solution.warnings),
        "seconds": round(stats.seconds, 4),
    }


def recheck(solution: Solution) -> bool:
    """Return whether a solution is consistent in itself: its rows, its answers, the pattern it was to fill."""
    answers = {answer.slot: {answer.answer} for answer in solution.answers}
    grid = solution.puzzle.grid
    return verify_crossword(grid.rows, solution.grid.rows, answers, grid.bars, grid.numbers).holds
