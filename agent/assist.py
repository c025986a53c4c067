"""Help for a person who solves: a hint that reveals no more than asked for, and a check of a partial grid.

Help is taken from a :class:`Key`: the official solution if the file carries one, else the agent's. Only an
official solution, or one that is proved to be the only one, makes a letter right or wrong; the agent has an opinion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Literal

from agent.candidates.clues import definition
from agent.candidates.provider import Question
from agent.candidates.ranking import Ranking, rank
from agent.core import Budget, limit
from agent.draw.doubt import GUESS, percent, rounded
from agent.draw.letters import place
from agent.errors import ProviderError, UsageError
from agent.grid import BLOCK, EMPTY, Grid, Puzzle
from agent.kinds import GridResult, check, kind_of
from agent.proposing import propose
from agent.puzzles.crossword import Domain, own_answers
from agent.solution import Solution, agrees
from agent.tools import Tools
from agent.verify.crossword import Verification, verify_crossword
from agent.warn import Warn

Source = Literal["official", "agent"]

Judgement = Literal["right", "wrong", "same", "other"]
"""Against an official or proved solution a cell is right or wrong; against any other it has the same letter or not."""


@dataclass(frozen=True, slots=True)
class Key:
    """The solution to take help from: a filling, the probability of each cell and each slot's word, and its source.

    `summary` is one line about the whole grid.
    """

    puzzle: Puzzle
    grid: Grid
    confidence: tuple[float, ...]
    words: Mapping[str, float]
    source: Source
    summary: str


def official_key(puzzle: Puzzle) -> Key:
    """Return the official solution as a key. Raises UsageError if the puzzle carries none.

    >>> puzzle = Puzzle(Grid.parse("..#"), (), solution=Grid.parse("NO#"))
    >>> print(hint_slot(official_key(puzzle), "1A"))
    1A is NO (from the official solution)
    """
    grid = puzzle.solution
    if grid is None:
        raise UsageError("this puzzle carries no official solution")
    words = {slot.name: 1.0 for slot in grid.slots}
    return Key(puzzle, grid, (1.0,) * len(grid.cells), words, "official", "from the official solution")


def agent_key(solution: Solution) -> Key:
    """Return the agent's solution as a key."""
    words = {answer.slot: answer.probability for answer in solution.answers}
    return Key(solution.puzzle, solution.grid, solution.confidence, words, "agent", solution.summary)


def key_without_solving(puzzle: object, against: str = "") -> Key | None:
    """Return the official solution if help is to come from it; None if the agent has to solve the puzzle first.

    Help comes from it if the puzzle carries one, unless the agent's is asked for; only this function decides that.
    `against` is "official", "agent" or empty for either. Raises UsageError if an official one is asked for and there
    is none.
    """
    if against not in {"", "official", "agent"}:
        raise UsageError(f"against must be official or agent, not {against}")
    official = isinstance(puzzle, Puzzle) and puzzle.solution is not None
    if isinstance(puzzle, Puzzle) and official and against != "agent":
        return official_key(puzzle)
    if against == "official":
        raise UsageError("this puzzle carries no official solution")
    return None


@dataclass(frozen=True, slots=True)
class Hint:
    """One letter, or one whole answer: `text` for `cells` of `slot`, from `position` in it (0 is the first)."""

    slot: str
    position: int
    cells: tuple[int, ...]
    text: str
    probability: float
    source: Source

    @property
    def is_guess(self) -> bool:
        """True if it is more likely wrong than right: it is given only if a guess is asked for."""
        return self.probability < GUESS

    def to_json(self) -> dict[str, Any]:
        """Return the hint as plain values; the position counts from 1, as in the text."""
        fields = {"slot": self.slot, "position": self.position + 1, "text": self.text}
        return {**fields, "probability": rounded(self.probability), "source": self.source}

    @property
    def refusal(self) -> str:
        """The sentence in place of a guess."""
        return f"not sure enough to say ({percent(self.probability)})"

    def __str__(self) -> str:
        is_letter = len(self.cells) == 1
        what = f"{self.slot}: letter {self.position + 1} is {self.text}" if is_letter else f"{self.slot} is {self.text}"
        return f"{what} ({'from the official solution' if self.source == 'official' else how_sure(self.probability)})"


def hint_letter(key: Key, partial: Grid, slot: str = "") -> Hint | None:
    """Return the surest letter that is not yet in the partial grid, of one slot or of any; None if all are.

    Raises KeyError if there is no such slot.
    """
    grid = key.grid
    slots = [grid.slot(slot)] if slot else list(grid.slots)
    open_cells = [
        (key.confidence[cell], s.name, position, cell)
        for s in slots
        for position, cell in enumerate(s.cells)
        if partial.cells[cell] == EMPTY and grid.cells[cell] != EMPTY
    ]
    if not open_cells:
        return None
    confidence, name, position, cell = max(open_cells, key=lambda found: found[0])
    return Hint(name, position, (cell,), grid.cells[cell], confidence, key.source)


def hint_slot(key: Key, slot: str) -> Hint | None:
    """Return the answer of one slot, None if it is not known. Raises KeyError if there is no such slot."""
    found = key.grid.slot(slot)
    if EMPTY in key.grid.answer(found):
        return None
    return Hint(found.name, 0, found.cells, key.grid.answer(found), key.words[found.name], key.source)


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of a filled cell: `letter` is the key's, and `probability` how sure it is of that."""

    judgement: Judgement
    letter: str
    probability: float

    def __str__(self) -> str:
        if self.judgement in {"right", "wrong"}:
            return f"{self.judgement}, by the official solution"
        what = "the same" if self.judgement == "same" else self.letter
        return f"the agent would write {what} here ({how_sure(self.probability)})"


def how_sure(probability: float) -> str:
    """Return in words how sure an opinion is.

    >>> how_sure(0.77), how_sure(0.41)
    ('77 % sure', '41 %, a guess')
    """
    return f"{percent(probability)}{', a guess' if probability < GUESS else ' sure'}"


def judge_cells(key: Key, partial: Grid) -> Mapping[int, Judged]:
    """Compare every filled cell of a partial grid that the key has a letter for: cell index -> judgement.

    Raises UsageError if the partial grid's blocks are not the puzzle's.

    >>> puzzle = Puzzle(Grid.parse("..#"), (), solution=Grid.parse("NO#"))
    >>> [str(judged) for judged in judge_cells(official_key(puzzle), Grid.parse("NX#")).values()]
    ['right, by the official solution', 'wrong, by the official solution']
    """
    if partial.emptied() != key.grid.emptied():
        raise UsageError("the partial grid does not have the puzzle's blocks")
    words: tuple[Judgement, Judgement] = ("right", "wrong") if key.source == "official" else ("same", "other")
    return {
        cell: Judged(words[not agrees(letter, own)], own, key.confidence[cell])
        for cell, (letter, own) in enumerate(zip(partial.cells, key.grid.cells, strict=True))
        if letter not in {EMPTY, BLOCK} and own != EMPTY
    }


@dataclass(frozen=True, slots=True)
class CellHint:
    """The content of one cell, by its index, of a puzzle without clues with rows of `width` cells.

    `said` puts the content into words. `is_certain` if the solution is proved to be the only one, so that no other
    content is possible.
    """

    cell: int
    width: int
    text: str
    said: str
    is_certain: bool

    def to_json(self) -> dict[str, Any]:
        """Return the hint as plain values; rows and columns count from 1, the probability is None if not known."""
        row, column = divmod(self.cell, self.width)
        fields = {"row": row + 1, "column": column + 1, "text": self.text}
        return {**fields, "probability": 1.0 if self.is_certain else None, "source": "agent"}

    def __str__(self) -> str:
        doubt = "" if self.is_certain else " in one solution; there may be others"
        return f"{place(self.cell, self.width).capitalize()} is {self.said}{doubt}."


def hint_cell(result: GridResult, partial: Sequence[str]) -> CellHint | None:
    """Return the first cell that rows of a puzzle without clues do not have yet.

    None if all are there, or no solution is known.

    >>> from agent.kinds import read_kind, solve_kind
    >>> print(hint_cell(solve_kind(read_kind("2\\n\\n1\\n1")), ["#?"]))
    Row 1, column 2 is filled.
    """
    if not result.solutions:
        return None
    kind = kind_of(result.puzzle)
    cell = "".join(partial).find(kind.empty)
    if cell < 0:
        return None
    content = "".join(result.solutions[0].rows)[cell]
    return CellHint(cell, result.puzzle.width, content, kind.look.said.get(content, content), result.verified)


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """Rows of a puzzle without clues, compared with those of a solution, `known`: cell index -> judgement.

    `is_solution` if they meet every rule; then they were compared with themselves.
    """

    known: Sequence[str]
    cells: Mapping[int, Judgement]
    is_solution: bool


def judge_rows(result: GridResult, partial: Sequence[str]) -> JudgedRows:
    """Compare every filled cell of rows of a puzzle without clues with the solution.

    A cell is right or wrong only if the solution is proved to be the only one. Rows that meet every rule are a
    solution themselves, so all of their cells are judged the same. If no solution is known, no cell is judged.

    >>> from agent.kinds import read_kind, solve_kind
    >>> judge_rows(solve_kind(read_kind("2\\n\\n1\\n1")), ["#."]).cells
    {0: 'right', 1: 'wrong'}
    """
    is_solution = not check(result.puzzle, partial)
    if not (is_solution or result.solutions):
        return JudgedRows((), {}, is_solution)
    words: tuple[Judgement, Judgement] = ("right", "wrong") if result.verified else ("same", "other")
    kind = kind_of(result.puzzle)
    known = partial if is_solution else result.solutions[0].rows
    cells = enumerate(zip("".join(partial), "".join(known), strict=True))
    judged = {at: words[cell != own] for at, (cell, own) in cells if cell not in (kind.empty, kind.block)}
    return JudgedRows(known, judged, is_solution)


def verify_filled(puzzle: Puzzle, filled: Grid, domains: Mapping[str, Domain]) -> Verification:
    """Check a filled grid: every answer a candidate of its clue, all crossings right, no answer twice."""
    grid = puzzle.grid
    return verify_crossword(grid.rows, filled.rows, own_answers(filled, domains), grid.bars, grid.numbers)


def rank_all(questions: Sequence[Question], tools: Tools, patience: float | None, warn: Warn) -> Ranking:
    """Ask all providers, waiting for at most `patience` seconds, and rank their candidates; failures go to `warn`.

    Raises UsageError if there is nothing to ask, ProviderError if all that were asked failed.
    """
    tools.expect_answers()
    budget = Budget(patience=limit(patience))
    said = propose(tools.providers, questions, budget=budget, calls=tools.calls)
    failures = [*said.failures, *said.unheld]
    if failures and tools.lexicon is None and not said.by_slot:
        raise ProviderError(f"no provider could answer: {'; '.join(failures)}")
    for line in failures:
        warn(f"warning: {line}")
    if said.ended:
        warn(f"cut short: {said.ended}")
    return rank(questions, said.by_slot, tools.lexicon, tools.constants)


def best_candidates(question: Question, ranking: Ranking, tools: Tools, count: int) -> list[dict[str, Any]]:
    """List the `count` most probable words for a question, with their sources and reasons, as JSON values."""
    domain = ranking.domains[question.key]
    best: list[dict[str, Any]] = []
    for index in domain.costs.argsort().tolist():
        word = domain.word(index)
        if question.admits(word):
            named = ranking.sources(question.key, word)
            sources = sorted({candidate.source for candidate in named})
            why = next((candidate.why for candidate in named if candidate.why), "")
            if not named and tools.lexicon is not None:
                why = tools.lexicon.why(definition(question), word)
            row = {"answer": word, "probability": round(exp(-domain.costs[index]), 6)}
            best.append({**row, "source": " + ".join(sources) or "lexicon", "why": why})
        if len(best) == count:
            break
    return best
