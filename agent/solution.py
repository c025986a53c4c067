"""Solution: a filling, how sure each answer and letter is, where it comes from, and what it cost to find."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from agent.candidates.provider import Usage
from agent.core import Termination
from agent.grid import BLOCK, EMPTY, Candidate, Grid, Puzzle

if TYPE_CHECKING:
    from agent.draw.svg import Svg

Proof = Literal["optimal", "gap", "none"]

SURE = 0.5
"""Whole-grid probability from which a puzzle counts as solved, unless the user asks for more: likelier right than not."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands in one slot, and why.

    `probability` is the posterior with all crossings taken into account; `source` names who proposed the answer
    (`crossings` where nobody did); `alternatives` are the next best words for the slot, with their posteriors.

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
        return f"{self.slot} {self.answer} {100 * self.probability:.0f} % ({self.source})"


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
        """What it cost in the currency of the user's price table, None where a price is not known."""
        costs = [usage.cost for usage in self.usage.values()]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def limited(self) -> bool:
        """True where a limit of the user's on calls or tokens kept a provider from asking."""
        return any(usage.limited for usage in self.usage.values())


@dataclass(frozen=True, slots=True)
class Solution:
    """A filled puzzle.

    `probability` is that every letter of `grid` is right, calibrated; whether the puzzle counts as `solved` depends on
    it alone: at least `sure`. `faults` is the result of an invariant, not of a proof: empty if every cell is filled,
    every answer is a candidate of its slot, and both the reference goal function and the independent checker accept
    the grid.
    `proof` is "optimal" where no filling has a higher probability under the ranking, "gap" where one might
    (`gap` nats better at most), "none" where no filling was found. `margin` is by how many nats the best filling
    beats the runner-up (`runner_up` is None where none comes near). `confidence` has one number per cell, 1 for a
    block. `other_pattern` is set where the block pattern was inferred and another one fits as well. `ended` is one line
    that says which limit ended the work, empty if it came to its own end.
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
        """True where the runner-up is more than half as probable as the filling that was chosen."""
        return self.runner_up is not None and self.margin < AMBIGUOUS_MARGIN

    @property
    def exit_code(self) -> int:
        """130 interrupted, 0 solved, 5 a limit ended it before, 4 all providers failed, else 1."""
        if self.termination == "cancelled":
            return 130
        if self.solved:
            return 0
        if self.ended:
            return 5
        return 4 if self.warnings and all(answer.source == "crossings" for answer in self.answers) else 1

    def answer(self, slot: str) -> Answer:
        """Find the answer of a slot. Raises KeyError where there is no such slot."""
        for answer in self.answers:
            if answer.slot == slot.upper():
                return answer
        raise KeyError(f"no slot {slot}")

    def svg(self) -> Svg:
        """Draw the grid, shaded where it is in doubt."""
        title = self.puzzle.title or self.puzzle.id or "Crossword"
        return self.grid.svg(self.confidence, title=f"{title}: {100 * self.probability:.0f} % sure")

    def __str__(self) -> str:
        return str(self.grid)

    def _repr_html_(self) -> str:
        return self.svg() + answers_html(self.answers)


AMBIGUOUS_MARGIN = 0.7
"""Nats: a runner-up within a factor of two is as good as the first for somebody who has to decide."""


def answers_html(answers: Iterable[Answer]) -> str:
    """Write answers as an HTML table: slot, clue, answer, probability, source, and why.

    >>> "<b>NEW</b>" in answers_html([Answer("7A", "___ Year's resolution", "NEW", 0.98, "lexicon")])
    True
    """
    rows = "".join(
        f"<tr><td>{html.escape(answer.slot)}</td><td>{html.escape(answer.clue)}</td>"
        f"<td><b>{html.escape(answer.answer)}</b></td>"
        f'<td><meter value="{answer.probability:.3f}"></meter> {100 * answer.probability:.0f}&nbsp;%</td>'
        f"<td>{html.escape(answer.source)}</td><td>{html.escape(answer.why)}</td></tr>"
        for answer in answers
    )
    heads = "".join(f"<th>{head}</th>" for head in ("Slot", "Clue", "Answer", "Probability", "Source", "Why"))
    return f"<table><tr>{heads}</tr>{rows}</table>"


def is_complete(grid: Grid) -> bool:
    """Say whether every cell that belongs to a slot is filled.

    >>> is_complete(Grid.parse("AB\\n.#"))
    False
    >>> is_complete(Grid.parse("AB#.#"))
    True
    """
    return not any(grid.cells[cell] in {EMPTY, BLOCK} for slot in grid.slots for cell in slot.cells)
