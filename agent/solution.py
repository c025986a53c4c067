"""Solution: a filling, how sure each answer and letter is, where it comes from, and what it cost to find."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from agent.candidates.provider import Usage
from agent.config import SURE
from agent.core import Termination
from agent.draw.doubt import CLEAR, GUESS, percent, percent_in_words, rounded
from agent.grid import BLOCK, EMPTY, Candidate, Grid, Puzzle

if TYPE_CHECKING:
    from agent.draw.svg import Svg

Proof = Literal["optimal", "gap", "none"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands in one slot, and why.

    `probability` is the posterior with all crossings taken into account; `source` names who proposed the answer
    (`crossings` if nobody did); `alternatives` are the next best words for the slot, with their posteriors.

    >>> print(Answer("7A", "___ Year's resolution", "NEW", 0.98, "lexicon"))
    7A NEW 98 % (lexicon)
    """

    slot: str
    clue: str
    answer: str
    probability: float
    source: str
    why: str = ""
    alternatives: tuple[Candidate, ...] = ()

    def __str__(self) -> str:
        return f"{self.slot} {self.answer} {percent(self.probability)} ({self.source})"


@dataclass(frozen=True, slots=True)
class Stats:
    """What a solve cost; `usage` is provider name -> what it used, for those that speak to a server.

    `seconds` is all the time it took, `waited` the part of it that was spent waiting for providers.

    >>> Stats(usage={"llm": Usage(calls=2, tokens=900, cost=None), "datamuse": Usage(calls=30, cache_hits=4)}).tokens
    900
    """

    expansions: int = 0
    generated: int = 0
    duplicates: int = 0
    rounds: int = 0
    usage: Mapping[str, Usage] = field(default_factory=dict)
    seconds: float = 0.0
    waited: float = 0.0

    @property
    def cache_hits(self) -> int:
        """Answers that came from the cache instead of a server."""
        return sum(usage.cache_hits for usage in self.usage.values())

    @property
    def tokens(self) -> int:
        """Tokens of language models, prompts and completions together."""
        return sum(usage.tokens for usage in self.usage.values())

    @property
    def cost(self) -> float | None:
        """What it cost in the currency of the user's price table, None if a price is not known."""
        costs = [usage.cost for usage in self.usage.values()]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def limited(self) -> bool:
        """True if a limit of the user's on calls or tokens kept a provider from asking."""
        return any(usage.limited for usage in self.usage.values())


@dataclass(frozen=True, slots=True)
class Solution:
    """A filled puzzle.

    `probability` is that every letter of `grid` is right, calibrated; whether the puzzle counts as `solved` depends on
    it alone: at least `sure`, which is 0.5 to 1. `faults` is the result of an invariant, not of a proof: empty if
    every cell is filled, every answer is a candidate of its slot, and both the reference goal function and the
    independent checker accept the grid.
    `runner_up` is the most probable other filling, None if there is none, and `margin` by how many nats it is less
    probable than `grid`: below 0 if it is the more probable one, but has fewer letters that are likely right. `proof`
    is "optimal" if no filling is more probable than both, "gap" if one might be (`gap` nats at most), "none" if no
    filling was found. `confidence` has one number per cell, 1 for a block. `other_pattern` is set if the block pattern
    was inferred and another one fits as well. `ended` is one line that says which limit ended the work, empty if it
    came to its own end.
    """

    puzzle: Puzzle
    grid: Grid
    answers: tuple[Answer, ...]
    confidence: tuple[float, ...]
    probability: float
    faults: tuple[str, ...]
    termination: Termination
    proof: Proof
    gap: float = 0.0
    margin: float = float("inf")
    runner_up: Grid | None = None
    pattern_probability: float | None = None
    other_pattern: Grid | None = None
    warnings: tuple[str, ...] = ()
    ended: str = ""
    stats: Stats = Stats()
    sure: float = SURE

    def __post_init__(self) -> None:
        if not SURE <= self.sure <= 1:
            raise ValueError(f"sure must be from {SURE} to 1, not {self.sure}")

    @property
    def solved(self) -> bool:
        """True if the whole grid is at least `sure` probable."""
        return self.probability >= self.sure

    @property
    def consistent(self) -> bool:
        """True if the grid is full, and every answer a candidate of its slot; it may be wrong all the same."""
        return not self.faults

    @property
    def is_ambiguous(self) -> bool:
        """True if the runner-up is more than half as probable as the filling that was chosen."""
        return self.runner_up is not None and self.margin < AMBIGUOUS_MARGIN

    @property
    def is_unanswered(self) -> bool:
        """True if providers failed and nothing else had an answer: no limit or interruption kept it from coming."""
        unasked = self.termination == "cancelled" or self.solved or self.ended
        return bool(not unasked and self.warnings) and all(answer.source == "crossings" for answer in self.answers)

    def answer(self, slot: str) -> Answer:
        """Find the answer of a slot. Raises KeyError if there is no such slot."""
        for answer in self.answers:
            if answer.slot == slot.upper():
                return answer
        raise KeyError(f"no slot {slot}")

    def spelled(self, slot: str) -> str:
        """Spell a slot as the grid shows it: guesses in lower case, `.` where a cell is empty."""
        cells = self.grid.slot(slot).cells
        return "".join(
            self.grid.cells[cell].lower() if self.confidence[cell] < GUESS else self.grid.cells[cell] for cell in cells
        )

    def inked(self) -> Solution:
        """Return it with the guesses left out of the grid: every letter less probable than one half, unless given.

        The answers keep their words, so nothing is lost.
        """
        cells = enumerate(zip(self.confidence, self.puzzle.grid.cells, strict=True))
        guesses = [cell for cell, (sure, given) in cells if sure < GUESS and given == EMPTY]
        return replace(self, grid=self.grid.fill(dict.fromkeys(guesses, EMPTY)))

    def svg(self) -> Svg:
        """Draw the grid, shaded where it is in doubt."""
        title = self.puzzle.title or self.puzzle.id or "Crossword"
        return self.grid.svg(self.confidence, title=f"{title}: {headline(self)}")

    def __str__(self) -> str:
        return str(self.grid)

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(headline(self))}</b></p>{self.svg()}{answers_html(self)}"


AMBIGUOUS_MARGIN = 0.7
"""Nats: a runner-up within a factor of two is as good as the first for somebody who has to decide."""


MOST_NAMED = 8
"""Doubtful words that a headline names: more are not taken in at a glance."""


def headline(solution: Solution) -> str:
    """Return in one line what is known of the whole grid; its probability alone decides whether it is called solved.

    >>> grid = Grid.parse("NO")
    >>> answers = (Answer("1A", "Refusal", "NO", 0.97, "lexicon"),)
    >>> found = Solution(Puzzle(grid, ()), grid, answers, (0.98, 0.97), 0.97, (), "found", "optimal")
    >>> print(headline(found))
    Solved: 97 % sure of the whole grid
    >>> print(headline(replace(found, sure=0.99)))
    Not sure enough: 97 % sure of the whole grid, 99 % asked for
    """
    whole = percent_in_words(solution.probability)
    if solution.solved:
        return f"Solved: {whole} sure of the whole grid"
    if solution.probability >= SURE:
        return f"Not sure enough: {whole} sure of the whole grid, {100 * solution.sure:g} % asked for"
    return f"{_what_is_sure(solution)} (the whole grid: {whole})"


def _what_is_sure(solution: Solution) -> str:
    """Count the words that are sure if most are, else the letters."""
    if all(EMPTY in answer.answer for answer in solution.answers):
        return "No word found"
    if solution.proof == "none" and solution.termination == "exhausted":
        return "No filling holds together"
    doubtful = [answer.slot for answer in solution.answers if answer.probability < CLEAR]
    total = len(solution.answers)
    if not doubtful:
        return f"{total} of {total} words sure, each by itself"
    if 2 * len(doubtful) <= total:
        more = f" and {len(doubtful) - MOST_NAMED} more" if len(doubtful) > MOST_NAMED else ""
        return f"{total - len(doubtful)} of {total} words sure; doubtful: {', '.join(doubtful[:MOST_NAMED])}{more}"
    letters = [sure for sure, cell in zip(solution.confidence, solution.grid.cells, strict=True) if cell != BLOCK]
    sure = sum(one >= CLEAR for one in letters)
    return f"Mostly guesses: {sure} of {len(letters)} letters {'is' if sure == 1 else 'are'} sure"


def answers_html(solution: Solution) -> str:
    """Write the answers as an HTML table: slot, clue, answer as the grid shows it, probability, source, and why."""
    rows = "".join(
        f"<tr><td>{html.escape(answer.slot)}</td><td>{html.escape(answer.clue)}</td>"
        f"<td><b>{html.escape(solution.spelled(answer.slot))}</b></td>"
        f'<td><meter value="{rounded(answer.probability)}"></meter> {html.escape(percent(answer.probability))}</td>'
        f"<td>{html.escape(answer.source)}</td><td>{html.escape(answer.why)}</td></tr>"
        for answer in solution.answers
    )
    heads = "".join(f"<th>{head}</th>" for head in ("Slot", "Clue", "Answer", "Probability", "Source", "Why"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def agrees(cell: str, official: str) -> bool:
    """Return whether a cell agrees with the official one: of a rebus the first letter is enough.

    >>> agrees("H", "HEART"), agrees(".", "H")
    (True, False)
    """
    return cell != EMPTY and cell[0] == official[0]


def is_complete(grid: Grid) -> bool:
    """Return whether every cell that belongs to a slot is filled.

    >>> is_complete(Grid.parse("AB\\n.#"))
    False
    >>> is_complete(Grid.parse("AB#.#"))
    True
    """
    return not any(grid.cells[cell] in {EMPTY, BLOCK} for slot in grid.slots for cell in slot.cells)
