"""What is farmed out: one puzzle, solved from what was answered so far. No socket, no file, no key goes along.

Providers are asked in the parent only (:mod:`agent.evaluate.asking` says why). A task is therefore a pure function of
the puzzle and the answers that the parent has fetched. Where the search wants to know more, the task ends and says
what it asks for; the parent fetches that and hands the puzzle out again. Searching again what was searched before
costs milliseconds, needs no line back to the parent, and makes a lost worker harmless: its task is just run again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from agent.candidates.provider import Question
from agent.core import Budget, limit
from agent.errors import ProviderError
from agent.evaluate.metrics import score, statements
from agent.formats import CandidateInstance
from agent.grid import Candidate, ClueText, Puzzle
from agent.gridless.solve import solve_clues
from agent.solution import Solution
from agent.solve import solve, solve_lists
from agent.tools import Tools
from agent.verify.crossword import verify_crossword

if TYPE_CHECKING:
    from agent.candidates.lexicon import LexiconProvider

Item = Puzzle | ClueText | CandidateInstance
Questions = tuple[Question, ...]
Answers = Mapping[str, Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What a worker must know of the settings."""

    lexicon: bool
    rounds: int
    threshold: float
    seconds: float | None
    sure: float


@dataclass(frozen=True, slots=True)
class NeedsAnswers:
    """What a task ends with where the search asks for something that was not fetched yet."""

    questions: Questions


class NotFetchedError(Exception):
    """The search asks for something that was not fetched yet."""

    def __init__(self, questions: Questions) -> None:
        super().__init__(questions)
        self.questions = questions


@dataclass(frozen=True, slots=True)
class RecordedProvider:
    """A provider that says what the real one of its name said in the parent; text stands for its failure.

    After `most` answers it has nothing to add to a question that is new: a search under a time limit may come to ask
    for something else whenever it is run again, and must end all the same.

    >>> question = Question("1A", "Not out", 2)
    >>> provider = RecordedProvider("llm", {(question,): {"1A": (Candidate("IN", 0.9, "llm"),)}}, most=3)
    >>> str(provider.propose([question])["1A"][0])
    'IN 90 % (llm)'
    """

    name: str
    answers: Mapping[Questions, Answers | str]
    most: int

    def propose(self, questions: Sequence[Question]) -> Answers:
        """Say it again. Raises ProviderError as the real one did, NotFetchedError where it was not asked yet."""
        asked = tuple(questions)
        if asked not in self.answers:
            if len(self.answers) >= self.most:
                return {}
            raise NotFetchedError(asked)
        answer = self.answers[asked]
        if isinstance(answer, str):
            raise ProviderError(answer)
        return answer


@cache
def _lexicon() -> LexiconProvider:
    """Open the lexicon once in each worker."""
    from agent.candidates.lexicon import LexiconProvider

    return LexiconProvider()


def work(settings: TaskSettings, item: Item, providers: Sequence[RecordedProvider]) -> dict[str, Any] | NeedsAnswers:
    """Solve one puzzle from what was answered so far; this is what executors run."""
    lexicon = _lexicon() if settings.lexicon else None
    try:
        return evaluate_one(
            item, Tools(providers, lexicon, settings.rounds, settings.threshold, sure=settings.sure), settings.seconds
        )
    except NotFetchedError as missing:
        return NeedsAnswers(missing.questions)


def evaluate_one(item: Item, tools: Tools, seconds: float | None = None) -> dict[str, Any]:
    """Solve one puzzle and score it against its official solution, as one JSON line.

    `probability` is that of `grid`, the whole of it; `solved` whether it is the official filling, `claimed` whether the
    solver calls it solved. `consistent` is the solver's word that the grid is full with nothing but candidates, and
    `false_consistent` says that an independent check refuses it all the same. `slots` and `cells` are for calibration
    (:func:`agent.evaluate.metrics.statements`). `calls`, `cache_hits`, `tokens` and `cost` (None where a price is not
    known) are what providers that speak to a server took.
    """
    budget = Budget(seconds=limit(seconds))
    if isinstance(item, CandidateInstance):
        solution = solve_lists(item.grid, item.answers, item.id, budget=budget)
        official = item.solution
    elif isinstance(item, ClueText):
        solution, official = solve_clues(item, tools, budget=budget), None
    else:
        solution, official = solve(item, tools, budget=budget), item.solution
    stats = solution.stats
    return {
        "id": item.id,
        **score(solution.grid, official),
        "probability": round(solution.probability, 6),
        "claimed": solution.solved,
        "consistent": solution.consistent,
        "false_consistent": solution.consistent and not recheck(solution),
        "proof": solution.proof,
        "termination": solution.termination,
        "ended": solution.ended,
        "grid": list(solution.grid.rows),
        **statements(solution, official),
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
    """Check a solution from what it says alone: its rows, its answers, the pattern it was asked to fill."""
    answers = {answer.slot: {answer.answer} for answer in solution.answers}
    return verify_crossword(solution.puzzle.grid.rows, solution.grid.rows, answers).holds
