"""Clues without a grid: infer the block pattern from their numbers, and solve on the one that is cheapest to fill."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from agent.candidates.provider import Question
from agent.candidates.ranking import rank
from agent.core import Budget, Event, OnEvent
from agent.core.outcome import ignore
from agent.errors import FormatError
from agent.grid import BLOCK, Candidate, ClueText, Grid, Puzzle
from agent.gridless.patterns import likely_patterns
from agent.proposing import propose
from agent.puzzles.crossword import Domain, fill
from agent.questions import ask
from agent.solution import AMBIGUOUS_MARGIN, Solution
from agent.solve import lasting, solve
from agent.tools import TimedLexicon, Tools

MOST_PATTERNS = 60
"""Block patterns that compete: the true one of our minis is among the first 17 of its size, ties are common."""

TRIED_PATTERNS = 24
"""Patterns that are filled; they come in the order of a lower bound, so that the later ones can hardly win."""

TRIAL_WORDS = 800
"""Cheapest words of each slot that take part in such a trial; the chosen pattern is then solved with all words."""

PATTERN_SHARE = 0.5
"""Share of the seconds that choosing the pattern may take, and share of that for looking up the clues."""

PATTERN_SECONDS = 2.0
"""Seconds for one pattern's trial filling."""


def solve_clues(clues: ClueText, tools: Tools, *, budget: Budget | None = None, on_event: OnEvent = ignore) -> Solution:
    """Solve clues that came without a grid: infer the block pattern from their numbers, and fill it.

    Every pattern that fits the numbers competes, by its own likelihood and by the cost of filling it. Lists that
    were proposed decide alone if they fill a pattern; else the lexicon is called in, too.
    Raises FormatError if no pattern of the size fits, or none was found in the time allowed.
    """
    budget = budget or Budget()
    worked, waited, before = budget.clock.worked(), budget.clock.waited(), tools.usage()
    working = lasting(budget)
    patterns = likely_patterns(clues, working.is_over)[:MOST_PATTERNS]
    if not patterns and working.is_over():
        raise FormatError("there was no time to find a block pattern that is numbered like these clues: name its size")
    if not patterns:
        where = "a {}x{} grid".format(*clues.size) if clues.size else "a grid of a usual size"
        raise FormatError(
            f"no block pattern of {where} is numbered like these clues: is one missing, or the size wrong?"
        )
    questions = _questions_by_length([clues.on(grid) for grid, _ in patterns])
    asked = list(questions.values())
    said = propose(tools.providers, asked, budget=budget, calls=tools.calls, on_event=on_event)
    choosing = budget.at_most(share=PATTERN_SHARE)
    trials: list[Trial] = []
    for lexicon in dict.fromkeys((None if tools.providers else tools.lexicon, tools.lexicon)):
        hurried = TimedLexicon.of(lexicon, choosing.at_most(share=PATTERN_SHARE))
        ranking = rank(asked, said.by_slot, hurried, tools.constants)
        domains = {key: ranking.domains[question.key].nearest(TRIAL_WORDS) for key, question in questions.items()}
        trials = try_patterns(patterns, domains, choosing, on_event)
        if (trials and trials[0].is_listed) or choosing.is_over():
            break
    grid = trials[0].grid if trials else patterns[0][0]
    shares = [exp(trials[0].cost - trial.cost) for trial in trials]
    solution = solve(clues.on(grid), replace(tools, providers=said.willing), budget=budget, on_event=on_event)
    tried = {trial.grid for trial in trials}
    # Patterns that there was no time to try keep their likelihood.
    heard = sum(share for pattern, share in patterns if pattern in tried) if choosing.is_over() else 1.0
    pattern_probability = heard / sum(shares) if shares else patterns[0][1]
    as_good = len(trials) > 1 and trials[1].cost - trials[0].cost < AMBIGUOUS_MARGIN
    worked, waited = budget.clock.worked() - worked, budget.clock.waited() - waited
    return replace(
        given(solution, pattern_probability),
        other_pattern=trials[1].grid if as_good else None,
        failures=tuple(dict.fromkeys([*said.failures, *said.unheld, *solution.failures])),
        ended="; ".join(filter(None, (said.ended, solution.ended))),
        stats=replace(solution.stats, usage=tools.usage_since(before), seconds=worked + waited, waited=waited),
    )


def given(solution: Solution, pattern_probability: float) -> Solution:
    """Return a solution whose pattern is only probable: every probability in it is multiplied by the pattern's."""

    def less(candidate: Candidate) -> Candidate:
        return replace(candidate, probability=candidate.probability * pattern_probability)

    return replace(
        solution,
        answers=tuple(
            replace(
                answer,
                probability=answer.probability * pattern_probability,
                alternatives=tuple(map(less, answer.alternatives)),
            )
            for answer in solution.answers
        ),
        confidence=tuple(
            sure if cell == BLOCK else sure * pattern_probability
            for sure, cell in zip(solution.confidence, solution.grid.cells, strict=True)
        ),
        probability=solution.probability * pattern_probability,
        pattern_probability=pattern_probability,
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """A block pattern that was filled: total cost in nats, and whether every answer is a listed word."""

    cost: float
    grid: Grid
    is_listed: bool


def try_patterns(
    patterns: Sequence[tuple[Grid, float]], domains: Mapping[tuple[str, int], Domain], budget: Budget, on_event: OnEvent
) -> list[Trial]:
    """Fill the patterns (grid, share of likelihood) that may be best, and return them best first.

    They are taken in the order of a lower bound, the cost of their cheapest words, until no other can win.
    """
    rivals = []
    for grid, share in patterns:
        chosen = {slot.name: domains[slot.name, len(slot)] for slot in grid.slots}
        rivals.append((sum(domain.least() for domain in chosen.values()) - log(share), grid, share, chosen))
    trials: list[Trial] = []
    for bound, grid, share, chosen in sorted(rivals, key=lambda rival: rival[0])[:TRIED_PATTERNS]:
        if trials and (bound > min(t.cost for t in trials) or budget.is_over()):
            break
        fillings = fill(grid, chosen, budget=budget.at_most(seconds=PATTERN_SECONDS), count=1).fillings
        if fillings:
            listed = all(fillings[0].grid.answer(slot) in chosen[slot.name] for slot in grid.slots)
            trials.append(Trial(fillings[0].cost - log(share), grid, listed))
            on_event(Event("pattern", {"rows": grid.rows, "cost": trials[-1].cost}))
    return sorted(trials, key=lambda trial: trial.cost)


def _questions_by_length(puzzles: Sequence[Puzzle]) -> dict[tuple[str, int], Question]:
    """Return each clue once for every length that its slot has in some of the patterns."""
    questions: dict[tuple[str, int], Question] = {}
    for puzzle in puzzles:
        for question in ask(puzzle):
            key = (question.slot, question.length)
            questions.setdefault(key, replace(question, crossings=(), start=None, several_lengths=True))
    return questions
