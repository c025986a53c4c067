"""Solution: a filling, the probability and source of each answer and letter, and the forms in which it is shown."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from agent.candidates.provider import Usage
from agent.config import SURE
from agent.core import Termination
from agent.draw.doubt import CLEAR, GUESS, percent, percent_in_words, rounded
from agent.draw.page import page, side_by_side
from agent.draw.terminal import GREEN, RESET, legend
from agent.errors import UsageError
from agent.grid import BLOCK, EMPTY, Candidate, Grid, Puzzle
from agent.result import SCHEMA_VERSION
from agent.text import counted

if TYPE_CHECKING:
    from agent.draw.svg import Svg

Proof = Literal["optimal", "gap", "none"]

AMBIGUOUS_MARGIN = 0.7
"""Nats: a runner-up within a factor of two counts as nearly as good as the first."""

MOST_NAMED = 8
"""Maximum number of slots that a sentence names."""

MOST_FAULTS = 4
"""Maximum number of faults that a remark names; the JSON form has all."""

HTML_KEY = f"The darker a cell, the less sure its letter; lower case is a guess, under {100 * GUESS:.0f} %."


@dataclass(frozen=True, slots=True)
class Answer:
    """The word in one slot, its probability and its source.

    `probability` is the posterior with all crossings taken into account; `source` names the providers of the answer
    (`crossings` if it is in no list); `alternatives` are the next best words for the slot, with their posteriors.

    >>> answer = Answer("7A", "___ Year's resolution", "NEW", 0.98, "lexicon")
    >>> print(answer, answer.to_json()["probability"])
    7A NEW 98 % (lexicon) 0.98
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

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values, its probabilities rounded down."""
        alternatives = [
            {"answer": other.answer, "probability": rounded(other.probability), "source": other.source}
            for other in self.alternatives
        ]
        return {
            "slot": self.slot,
            "clue": self.clue,
            "answer": self.answer,
            "probability": rounded(self.probability),
            "source": self.source,
            "why": self.why,
            "alternatives": alternatives,
        }


@dataclass(frozen=True, slots=True)
class Stats:
    """The cost of a solve; `usage` is provider name -> its usage, for those that speak to a server.

    `seconds` is the total time, `waited` the part of it spent waiting for providers.

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
        """The price in the currency of the user's price table, None if a price is not known."""
        costs = [usage.cost for usage in self.usage.values()]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    def to_json(self) -> dict[str, Any]:
        """Return the cost as JSON values; `cost` is null if a price is not known."""
        return {
            "expansions": self.expansions,
            "generated": self.generated,
            "duplicates": self.duplicates,
            "rounds": self.rounds,
            "provider_calls": {name: usage.calls for name, usage in self.usage.items()},
            "cache_hits": self.cache_hits,
            "tokens": self.tokens,
            "cost": self.cost,
            "seconds": round(self.seconds, 4),
            "waited": round(self.waited, 4),
        }


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
    was inferred and another one fits as well. `ended` names in one line the limit that ended the work, empty if none
    did. `failures` has one line per provider that failed, or that was offline and had no answer in its cache for some
    clues; `unclued` are the slots that the puzzle has no clue for.

    >>> from agent.api import open_puzzle, open_tools, solve
    >>> mini = open_puzzle("data/minis/mini-01.xd")
    >>> solution = solve(mini, open_tools(clue_set="data/minis/minis_llm.clues.jsonl", offline=True))
    >>> solution.solved, str(solution.answer("5A")), solution.proof
    (True, '5A PILOT >99 % (llm:recorded-2026-11)', 'optimal')
    >>> solution.kind, solution.title, solution.consistent, solution.is_ambiguous, solution.is_unanswered
    ('crossword', 'Nothing but Net', True, False, False)
    >>> solution.warnings, solution.remarks[0][:22], solution.spelled("5A"), solution.inked() == solution
    ((), 'The search is complete', 'PILOT', True)
    >>> solution.to_text().splitlines()[1], solution.compared, solution.differing, solution.to_json()["grid"][2]
    ('Solved: over 99 % sure of the whole grid', 'Official solution: 0 cells differ', (), 'PILOT')
    >>> solution.to_html()[:15], solution.svg()[:4]
    ('<!doctype html>', '<svg')
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
    failures: tuple[str, ...] = ()
    unclued: tuple[str, ...] = ()
    ended: str = ""
    stats: Stats = Stats()
    sure: float = SURE

    def __post_init__(self) -> None:
        if not SURE <= self.sure <= 1:
            raise UsageError(f"sure must be from {SURE} to 1, not {self.sure}")

    @property
    def kind(self) -> str:
        """Name of the puzzle's kind."""
        return self.puzzle.kind

    @property
    def title(self) -> str:
        """The puzzle's title, else its identity."""
        return self.puzzle.title or self.puzzle.id or "Crossword"

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
        """True if providers failed, or had nothing offline, and there is no other answer, limit or interruption."""
        unasked = self.termination == "cancelled" or self.solved or self.ended
        return bool(not unasked and self.failures) and all(answer.source == "crossings" for answer in self.answers)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line for each problem that was worked around: clues that are missing, providers that did not answer."""
        if not self.unclued:
            return self.failures
        if len(self.unclued) == len(self.answers):
            named = f"any of the {len(self.answers)} slots"
        else:
            named = _named(self.unclued)
        return (f"no clue for {named}", *self.failures)

    @property
    def differing(self) -> tuple[int, ...] | None:
        """The filled cells in which the official solution has another letter; None without one for these blocks."""
        official = self.puzzle.solution
        if official is None or official.emptied() != self.grid.emptied():
            return None
        pairs = enumerate(zip(self.grid.cells, official.cells, strict=True))
        return tuple(at for at, (ours, theirs) in pairs if ours != EMPTY and not agrees(ours, theirs))

    @property
    def compared(self) -> str:
        """One line on how the grid compares with the official solution, empty if the file carries none."""
        if self.differing is None:
            return ""
        differ, empty = len(self.differing), self.grid.cells.count(EMPTY)
        left = f", {empty} left empty" if empty else ""
        return f"Official solution: {differ} cell{' differs' if differ == 1 else 's differ'}{left}"

    def answer(self, slot: str) -> Answer:
        """Return the answer of a slot. Raises KeyError if there is no such slot."""
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
        """Return the solution with guesses left out of its grid: every letter less probable than 1/2, unless given.

        The answers keep their words, so nothing is lost.
        """
        cells = enumerate(zip(self.confidence, self.puzzle.grid.cells, strict=True))
        guesses = [cell for cell, (sure, given) in cells if sure < GUESS and given == EMPTY]
        return replace(self, grid=self.grid.fill(dict.fromkeys(guesses, EMPTY)))

    @property
    def summary(self) -> str:
        """One line on the whole grid; its probability alone decides whether it is called solved.

        >>> grid = Grid.parse("NO")
        >>> answers = (Answer("1A", "Refusal", "NO", 0.97, "lexicon"),)
        >>> found = Solution(Puzzle(grid, ()), grid, answers, (0.98, 0.97), 0.97, (), "found", "optimal")
        >>> print(found.summary)
        Solved: 97 % sure of the whole grid
        >>> print(replace(found, sure=0.99).summary)
        Not sure enough: 97 % sure of the whole grid, 99 % asked for
        """
        whole = percent_in_words(self.probability)
        if self.solved:
            return f"Solved: {whole} sure of the whole grid"
        if self.probability >= SURE:
            return f"Not sure enough: {whole} sure of the whole grid, {100 * self.sure:g} % asked for"
        return f"{_what_is_sure(self)} (the whole grid: {whole})"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences on the search's coverage, doubts, and effort."""
        said = []
        if self.faults and any(EMPTY not in answer.answer for answer in self.answers):
            more = f"; and {len(self.faults) - MOST_FAULTS} more" if len(self.faults) > MOST_FAULTS else ""
            said.append(f"The check found: {'; '.join(self.faults[:MOST_FAULTS])}{more}.")
        likeliest = self.margin >= 0  # else the filling shown has more likely letters, but is less probable as a whole
        if self.proof == "optimal" and likeliest:
            said.append("The search is complete: with these candidates, no filling is more probable.")
        elif self.proof == "optimal":
            said.append("The search is complete. The filling shown has the most letters that are likely right.")
        elif self.proof == "gap":
            said.append(f"The search is not complete: a filling that it missed may be {_times(self.gap)} as probable.")
        if self.is_ambiguous and self.runner_up:
            other = self.runner_up
            changed = [s.name for s in other.slots if other.answer(s) != self.answer(s.name).answer]
            words = ", ".join(f"{name} {other.answer(name)}" for name in changed)
            said.append(f"Another filling is {'nearly as good' if likeliest else 'more probable as a whole'}: {words}.")
        if self.pattern_probability is not None:
            said.append(f"The block pattern was inferred from the numbers ({percent(self.pattern_probability)} sure).")
        if self.other_pattern:
            pattern = " / ".join(self.other_pattern.rows)
            said.append(f"Another block pattern may be meant: {pattern}. Name the size or give the grid to be sure.")
        stats = self.stats
        effort = f"{counted(stats.expansions, 'expansion')}, {counted(stats.rounds, 'further round')}"
        waited = f", {stats.waited:.2f} s of it waiting" if stats.usage else ""
        said.append(f"{effort}, {stats.seconds:.2f} s{waited}.")
        return tuple(said)

    def __str__(self) -> str:
        return f"{self.grid}\n\n{self.summary}"

    def to_text(self, *, colour: bool = False) -> str:
        """Return everything as text: the summary, the grid with numbers, the answers, the remarks.

        `colour` is for terminals: a summary of a solved puzzle is green, and the grid is shaded by doubt.
        """
        explained = legend(self.grid.cells, self.confidence, colour=colour)
        lines = [
            self.title,
            f"{GREEN}{self.summary}{RESET}" if colour and self.solved and not self.differing else self.summary,
            *([self.compared] if self.compared else []),
            "",
            self.grid.text(self.confidence, colour=colour),
            *([explained] if explained else []),
            "",
        ]
        width = max((len(answer.answer) for answer in self.answers), default=0)
        source_width = max((len(answer.source) for answer in self.answers), default=0)
        for direction, mark in (("Across", "A"), ("Down", "D")):
            lines.append(direction)
            lines += [
                f"  {answer.slot:>4}  {self.spelled(answer.slot):<{width}}  {percent(answer.probability):>5}  "
                f"{answer.source:<{source_width}}  {answer.clue}"
                for answer in self.answers
                if answer.slot.endswith(mark)
            ]
        return "\n".join([*lines, "", *self.remarks])

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values: the form that `--json` prints and files keep.

        Probabilities are 0 to 1 and rounded down, `gap` and `margin` in nats (null if there is no runner-up), `seconds`
        are wall time, `waited` of it for providers. `grid` is the one shown, `bars` and `numbers` as in our own files;
        `slots` and `confidence` (one row of numbers for each of its rows) stay complete if letters were left out of it.
        """
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": self.kind,
            "id": self.puzzle.id,
            "title": self.puzzle.title,
            "probability": rounded(self.probability),
            "solved": self.solved,
            "sure": self.sure,
            "consistent": self.consistent,
            "faults": list(self.faults),
            "grid": list(self.grid.rows),
            "bars": [list(pair) for pair in sorted(self.grid.bars)],
            "numbers": [list(pair) for pair in self.grid.numbers],
            "slots": [answer.to_json() for answer in self.answers],
            "confidence": [
                [rounded(p) for p in self.confidence[first : first + self.grid.width]]
                for first in range(0, len(self.confidence), self.grid.width)
            ],
            "termination": self.termination,
            "ended": self.ended,
            "summary": self.summary,
            "proof": self.proof,
            "gap": _finite(self.gap),
            "margin": _finite(self.margin),
            "runner_up": list(self.runner_up.rows) if self.runner_up else None,
            "pattern_probability": None if self.pattern_probability is None else rounded(self.pattern_probability),
            "other_pattern": list(self.other_pattern.rows) if self.other_pattern else None,
            "warnings": list(self.warnings),
            "stats": self.stats.to_json(),
        }

    def to_html(self) -> str:
        """Return a self-contained HTML page: the summary, the grid shaded by doubt, remarks, warnings and answers.

        If the file carries the official grid, that is shown too, with the cells marked in which they differ.
        """
        is_good = self.solved and not self.differing
        caption, look = ("Solution", ' class="good"') if is_good else ("As far as it is known", "")
        marked = self.differing or ()
        grids = {caption: str(self.grid.svg(self.confidence, marked=marked, title=f"{self.title}: {self.summary}"))}
        if self.compared and self.puzzle.solution is not None:
            grids[self.compared] = str(self.puzzle.solution.svg(marked=marked))
        said = [f"<p{look}><b>{html.escape(self.summary)}</b></p>", side_by_side(grids)]
        if any(sure < CLEAR for sure in self.confidence):
            said.append(f'<p class="small">{HTML_KEY}</p>')
        noted = [*self.remarks, *(f"Warning: {line}." for line in self.warnings)]
        said += [f"<p>{html.escape(line)}</p>" for line in noted]
        said.append(f'<div class="scroll">{_answers_html(self)}</div>')
        return page(self.title, "".join(said))

    def svg(self) -> Svg:
        """Draw the grid, shaded by doubt."""
        return self.grid.svg(self.confidence, title=f"{self.title}: {self.summary}")

    def _repr_html_(self) -> str:
        return f"<p><b>{html.escape(self.summary)}</b></p>{self.svg()}{_answers_html(self)}"


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
        return f"{total - len(doubtful)} of {total} words sure; doubtful: {_named(doubtful)}"
    letters = [sure for sure, cell in zip(solution.confidence, solution.grid.cells, strict=True) if cell != BLOCK]
    sure = sum(one >= CLEAR for one in letters)
    return f"Mostly guesses: {sure} of {len(letters)} letters {'is' if sure == 1 else 'are'} sure"


def _named(slots: Sequence[str]) -> str:
    more = f" and {len(slots) - MOST_NAMED} more" if len(slots) > MOST_NAMED else ""
    return f"{', '.join(slots[:MOST_NAMED])}{more}"


def _times(gap: float) -> str:
    """Return a gap in nats as a factor, in words.

    >>> _times(0.7), _times(20.0)
    ('2.0 times', 'more than 100 times')
    """
    return f"{math.exp(gap):.1f} times" if gap < math.log(100) else "more than 100 times"


def _finite(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


def _answers_html(solution: Solution) -> str:
    """Return the answers as an HTML table: slot, clue, answer as the grid shows it, probability, source, and why."""
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
