"""The rank of the right answer in a provider's list, and in the ranking of all providers together.

Puzzles must have their official solution, which no provider is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agent.candidates.provider import Provider, Question
from agent.candidates.ranking import rank
from agent.errors import UsageError
from agent.grid import Puzzle
from agent.proposing import propose
from agent.questions import ask
from agent.tools import Tools

Places = list[int | None]
"""For each slot the rank of its answer, 1 for the first; None if it is not listed."""


def places_in_lists(puzzles: Iterable[Puzzle], provider: Provider) -> Places:
    """Return the ranks of the right answers in the lists of one provider.

    Raises UsageError for a puzzle without a solution, ProviderError if the provider fails.

    >>> from agent.candidates.clueset import ClueSet
    >>> from agent.api import open_puzzle
    >>> places_in_lists([open_puzzle("data/minis/tiny-01.xd")], ClueSet.open("data/minis/minis_llm.clues.jsonl"))
    [1, 1, 1, 1, 1, 1, 1, 1]
    """
    places: Places = []
    for questions, answers in _answered(puzzles):
        proposed = provider.propose(questions)
        for question, answer in zip(questions, answers, strict=True):
            listed = [candidate.answer for candidate in proposed.get(question.key, ())]
            places.append(listed.index(answer) + 1 if answer in listed else None)
    return places


def places_in_ranking(puzzles: Iterable[Puzzle], tools: Tools) -> Places:
    """Return the ranks of the right answers in the ranking of all providers and the lexicon, without crossings.

    Raises UsageError for a puzzle without a solution.
    """
    places: Places = []
    for questions, answers in _answered(puzzles):
        said = propose(tools.providers, questions)
        ranking = rank(questions, said.by_slot, tools.lexicon, tools.constants)
        for question, answer in zip(questions, answers, strict=True):
            domain = ranking.domains[question.key]
            found = domain.find(answer)
            places.append(None if found is None else int((domain.costs < domain.costs[found]).sum()) + 1)
    return places


def recall(places: Sequence[int | None], firsts: Iterable[int]) -> list[tuple[float, float]]:
    """Return (k, share of the slots whose answer is among the first k) for each k.

    >>> recall([1, 3, None, 1], [1, 5])
    [(1, 0.5), (5, 0.75)]
    """
    found = [place for place in places if place is not None]
    return [(k, sum(place <= k for place in found) / len(places)) for k in firsts]


def _answered(puzzles: Iterable[Puzzle]) -> Iterator[tuple[list[Question], list[str]]]:
    """Yield the questions of each puzzle, and the answers that its solution has for them."""
    for puzzle in puzzles:
        if puzzle.solution is None:
            raise UsageError(f"{puzzle.title or puzzle.id or 'a puzzle'}: expected a puzzle with its solution")
        questions = ask(puzzle)
        yield questions, [puzzle.solution.answer(question.slot) for question in questions]
