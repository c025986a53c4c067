"""Clues without a grid: infer the block pattern from their numbers, and solve on the most probable one.

Patterns compete by probability, not by the cost of filling them: one with few crossings, or short slots, is cheap to
fill whatever the clues say. By Bayes' rule a pattern's weight is its own likelihood, times the summed probability of
all its fillings under the clues, over the same sum for words drawn without looking at any clue. The first sum is the
posterior's. The second is how often such words happen to agree at the crossings; letter by letter, that is
:data:`AGREEMENT` for each crossing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from agent.candidates.provider import Question
from agent.candidates.ranking import LETTER_SHARES, rank
from agent.core import Budget, Event, OnEvent
from agent.core.outcome import ignore
from agent.errors import FormatError
from agent.grid import BLOCK, Candidate, ClueText, Grid, Puzzle
from agent.gridless.patterns import likely_patterns
from agent.proposing import Proposed, propose
from agent.puzzles.crossword import Domain, believe
from agent.questions import ask
from agent.solution import Solution
from agent.solve import lasting, solve
from agent.tools import TimedLexicon, Tools

MOST_PATTERNS = 60
"""Block patterns that compete, of all sizes together."""

TRIED_PATTERNS = 24
"""Patterns whose fillings are weighed: half by the cheapest words of their slots, the others by likelihood alone."""

AGREEMENT = -log(sum(share**2 for share in LETTER_SHARES) / sum(LETTER_SHARES) ** 2)
"""Nats that a crossing is worth: two letters drawn from answers agree by chance once in 15 times."""

CLOSE = 0.2
"""A second pattern of at least this probability is shown, and the user asked which is meant."""

TRIAL_WORDS = 800
"""Cheapest words of each slot that take part in such a trial; the chosen pattern is then solved with all words."""

MOST_NAMED = 5
"""Missing numbers that a message names."""

PATTERN_SHARE = 0.5
"""Share of the seconds that choosing the pattern may take, and share of that for looking up the clues."""

PATTERN_SECONDS = 2.0
"""Seconds for one pattern's trial filling."""

LISTED = 0.5
"""Probability of the patterns together that were found before the time was up: it is not known what others there are.
Not fitted."""


def solve_clues(clues: ClueText, tools: Tools, *, budget: Budget | None = None, on_event: OnEvent = ignore) -> Solution:
    """Solve clues that came without a grid: infer the block pattern from their numbers, and fill it.

    Raises FormatError if no pattern of the size fits, or none was found in the time allowed.
    """
    budget = budget or Budget()
    worked, waited, before = budget.clock.worked(), budget.clock.waited(), tools.usage()
    choice, said = choose_pattern(clues, tools, budget, on_event)
    solution = solve(clues.on(choice.grid), replace(tools, providers=said.willing), budget=budget, on_event=on_event)
    worked, waited = budget.clock.worked() - worked, budget.clock.waited() - waited
    return replace(
        given(solution, choice.probability),
        other_pattern=choice.other,
        failures=tuple(dict.fromkeys([*said.failures, *said.unheld, *solution.failures])),
        ended="; ".join(filter(None, (said.ended, solution.ended))),
        stats=replace(solution.stats, usage=tools.usage_since(before), seconds=worked + waited, waited=waited),
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """The most probable block pattern, its probability, and the next one if that is close."""

    grid: Grid
    probability: float
    other: Grid | None = None


def choose_pattern(
    clues: ClueText, tools: Tools, budget: Budget, on_event: OnEvent = ignore
) -> tuple[Choice, Proposed]:
    """Infer the block pattern of clues; return it with what the providers said.

    Every pattern that fits the numbers competes, by its own likelihood and by the probability of its fillings. Lists
    that were proposed decide alone if they fill a pattern; else the lexicon is called in, too. Raises FormatError if
    none fits, or none was found in the time allowed.
    """
    working = lasting(budget)
    _check_numbers(clues)
    patterns = likely_patterns(clues, working.is_over)[:MOST_PATTERNS]
    if working.is_over():
        patterns = [(grid, LISTED * share) for grid, share in patterns]
    if not patterns and working.is_over():
        raise FormatError("there was no time to find a block pattern that is numbered like these clues: name its size")
    if not patterns:
        where = "a {}x{} grid".format(*clues.size) if clues.size else "a grid of a usual size"
        raise FormatError(
            f"no block pattern of {where} is numbered like these clues: is one missing, or the size wrong?"
        )
    questions = questions_by_length([clues.on(grid) for grid, _ in patterns])
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
    if not trials:
        return Choice(*patterns[0]), said
    # Patterns that there was no time to try keep their likelihood.
    tried = {trial.grid for trial in trials}
    heard = sum(share for pattern, share in patterns if pattern in tried) if choosing.is_over() else 1.0
    shares = [heard * share for share in probabilities(trials)]
    is_close = len(shares) > 1 and shares[1] >= CLOSE
    return Choice(trials[0].grid, shares[0], trials[1].grid if is_close else None), said


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
    """A block pattern whose fillings were weighed.

    `likelihood` is the log of its own share; `fillings` that of its fillings' probability over what chance would make
    of their crossings. `is_listed` is whether the best filling has listed words only.
    """

    grid: Grid
    likelihood: float
    fillings: float
    is_listed: bool

    @property
    def weight(self) -> float:
        """Log of the pattern's weight, by Bayes' rule: a lower power of the fillings' share fits no better."""
        return self.likelihood + self.fillings


def probabilities(trials: Sequence[Trial]) -> list[float]:
    """Return each pattern's probability among those that were tried.

    >>> grid = Grid.blank(2, 2)
    >>> [round(share, 2) for share in probabilities([Trial(grid, log(3), 0, True), Trial(grid, 0, 0, True)])]
    [0.75, 0.25]
    """
    shares = [exp(trial.weight - trials[0].weight) for trial in trials]
    return [share / sum(shares) for share in shares]


def try_patterns(
    patterns: Sequence[tuple[Grid, float]], domains: Mapping[tuple[str, int], Domain], budget: Budget, on_event: OnEvent
) -> list[Trial]:
    """Weigh the fillings of the patterns (grid, share of likelihood) that may be best; return them best first."""
    rivals = []
    for grid, share in patterns:
        chosen = {slot.name: domains[slot.name, len(slot)] for slot in grid.slots}
        chance = -AGREEMENT * sum(len(places) == 2 for places in grid.through)
        least = -sum(domain.least() for domain in chosen.values())
        rivals.append((Trial(grid, log(share), least - chance, is_listed=False), chance, chosen))
    promising = sorted(rivals, key=lambda rival: -rival[0].weight)[: TRIED_PATTERNS // 2]
    likely = [rival for rival in sorted(rivals, key=lambda rival: -rival[0].likelihood) if rival not in promising]
    trials: list[Trial] = []
    for rival, chance, chosen in [*promising, *likely][:TRIED_PATTERNS]:
        if trials and budget.is_over():
            break
        sample = believe(rival.grid, chosen, budget.at_most(seconds=PATTERN_SECONDS)).sample
        if len(sample):
            is_listed = bool((sample.words[0] >= 0).all())
            trials.append(replace(rival, fillings=sample.log_total - chance, is_listed=is_listed))
            on_event(Event("pattern", {"rows": rival.grid.rows, "cost": -trials[-1].weight}))
    return sorted(trials, key=lambda trial: -trial.weight)


def _check_numbers(clues: ClueText) -> None:
    """Raise FormatError, which names them, if numbers are missing: every number up to the last has a clue."""
    numbers = {clue.number for clue in (*clues.across, *clues.down)}
    missing = [str(number) for number in range(1, max(numbers, default=0)) if number not in numbers]
    if missing:
        listed = ", ".join(missing[:MOST_NAMED]) + (" ..." if len(missing) > MOST_NAMED else "")
        raise FormatError(
            f"expected a clue for every number up to {max(numbers)}, found none for {listed}: "
            "is one missing, or does a line that is not a clue begin with a number?"
        )


def questions_by_length(puzzles: Sequence[Puzzle]) -> dict[tuple[str, int], Question]:
    """Return each clue once for every length that its slot has in some of the patterns.

    >>> from agent.grid import Clue
    >>> wide, narrow = (Puzzle(Grid.blank(width, 1), (Clue("1A", "Not yes"),)) for width in (2, 3))
    >>> [question.length for question in questions_by_length([wide, narrow, wide]).values()]
    [2, 3]
    """
    questions: dict[tuple[str, int], Question] = {}
    for puzzle in puzzles:
        for question in ask(puzzle):
            key = (question.slot, question.length)
            questions.setdefault(key, replace(question, crossings=(), start=None, several_lengths=True))
    return questions
