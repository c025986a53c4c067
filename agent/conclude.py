"""From a filling to a Solution: checked by code that had no part in finding it, every answer with its reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from agent.candidates.clues import definition
from agent.candidates.provider import Question
from agent.candidates.ranking import Ranking
from agent.candidates.words import Lexicon
from agent.grid import EMPTY, Candidate, Grid, Puzzle
from agent.puzzles.crossword import SAME, Belief, own_answers
from agent.slots import Slot
from agent.solution import Answer, Proof, Solution, Stats
from agent.verify.crossword import verify_crossword
from agent.verify.reference import State, is_goal_state
from agent.weigh import Weighed

ALTERNATIVES = 5
"""Next best words that a Solution keeps for each slot."""

LEAST = 1e-9
"""Lower bound of a probability that another is divided by."""


GIVEN_ODDS = 1000.0
"""Odds that the letters given in a puzzle's grid are right, before its words are looked at. Not fitted."""

ODDS_POWER = 0.9
"""Power of the odds of a belief when it is stated: slots share their providers' mistakes, so beliefs come out a
little too sure. One power for letters, answers and the whole grid, so that no grid is surer than its letters. Least
log loss of the three together on tuning puzzles (`tests/bench/fit_stated.py`)."""


def conclude(
    puzzle: Puzzle,
    weighed: Weighed,
    lexicon: Lexicon | None,
    questions: Sequence[Question] = (),
) -> Solution:
    """Check what was found with code that had no part in finding it, and state how sure each answer and cell is.

    `questions` are those that the lexicon answered, if there is one.
    """
    asked = {question.slot: definition(question) for question in questions} if lexicon is not None else {}
    grid, shown, found, ranking = weighed.grid, weighed.shown, weighed.found, weighed.ranking
    belief = weighed.belief.scaled(given_right(weighed))
    allowed = own_answers(grid, ranking.domains)
    faults = verify_crossword(puzzle.grid.rows, grid.rows, allowed, puzzle.grid.bars, puzzle.grid.numbers).faults
    if not faults and grid.is_plain and not passes_reference(grid, allowed):
        faults = ("the reference goal function does not accept the grid",)
    runner_up = next((other for other in belief.fillings(2) if other.grid != grid), None) if shown else None
    likeliest = min([one.cost for one in (shown, runner_up) if one], default=math.inf)
    gap = max(0.0, likeliest - found.lower)
    proof: Proof = "none" if shown is None else "optimal" if gap <= SAME else "gap"
    return Solution(
        puzzle=puzzle,
        grid=grid,
        answers=tuple(
            explain(slot, puzzle.clue(slot), grid, ranking, belief, lexicon, asked.get(slot.name, ""))
            for slot in grid.slots
        ),
        confidence=tuple(
            tempered(belief.letter(index, cell)) if index in belief.letters and cell != EMPTY else float(cell != EMPTY)
            for index, cell in enumerate(grid.cells)
        ),
        probability=whole(weighed),
        faults=faults,
        termination=found.termination,
        proof=proof,
        gap=gap,
        margin=runner_up.cost - shown.cost if shown and runner_up else math.inf,
        runner_up=runner_up.grid if runner_up else None,
        stats=Stats(
            expansions=found.expansions,
            generated=found.generated,
            duplicates=found.duplicates,
        ),
    )


def whole(weighed: Weighed) -> float:
    """Return the stated probability that every letter of the grid to show is right: 0 if it is not a filling."""
    shown, belief = weighed.shown, weighed.belief
    return tempered(given_right(weighed) * belief.share(shown.cost)) if shown else 0.0


def given_right(weighed: Weighed) -> float:
    """Return the probability that the letters given in the puzzle's grid are right: 1 unless they spell unlisted words.

    The search takes them as they are. But each whole answer that they spell and no list has is as improbable as the
    slot's "none of these", if they are right, and nothing special if they are not.
    """
    given, domains = weighed.belief.grid, weighed.ranking.domains
    spelled = {slot.name: word for slot in given.slots if EMPTY not in (word := given.answer(slot))}
    strange = [name for name, word in spelled.items() if domains[name].find(word) is None]
    odds = GIVEN_ODDS * math.exp(-sum(domains[name].open_cost for name in strange))
    return odds / (1 + odds) if strange else 1.0


def passes_reference(grid: Grid, answers: Mapping[str, Iterable[str]]) -> bool:
    """Return whether the trusted goal function of :mod:`agent.verify.reference` accepts a complete grid.

    It knows plain grids alone: others are for :func:`agent.verify.crossword.verify_crossword`.
    """
    state: State = [list(row) for row in grid.rows]
    across = [slot for slot in grid.slots if slot.direction == "across"]
    down = [slot for slot in grid.slots if slot.direction == "down"]
    down.sort(key=lambda slot: (slot.cells[0] % grid.width, slot.cells[0]))  # by columns, as it takes the lists
    lists = ([sorted(answers[slot.name]) for slot in direction] for direction in (across, down))
    return grid.is_complete and is_goal_state(state, *lists)


def tempered(probability: float) -> float:
    """Return the stated probability for a belief.

    >>> [round(tempered(belief), 3) for belief in (0.0, 0.1, 0.5, 0.99, 1.0)]
    [0.0, 0.122, 0.5, 0.984, 1.0]
    """
    right = float(max(probability, 0.0) ** ODDS_POWER)
    wrong = float(max(1 - probability, 0.0) ** ODDS_POWER)
    return right / (right + wrong)


def explain(
    slot: Slot, clue: str, grid: Grid, ranking: Ranking, belief: Belief, lexicon: Lexicon | None, asked: str
) -> Answer:
    """Return the answer in a slot, how sure it is, its source and its alternatives.

    The alternatives share the rest to 1 of the stated probability in proportion to their belief.
    """
    answer = grid.answer(slot)
    named = ranking.sources(slot.name, answer)
    sources = list(dict.fromkeys(candidate.source for candidate in named))
    why = next((candidate.why for candidate in named if candidate.why), "")
    domain = ranking.domains[slot.name]
    if lexicon is not None and EMPTY not in answer:
        why = why or lexicon.why(asked, answer)
        if len(slot) in lexicon.lengths and lexicon.words(len(slot)).find(answer) is not None:
            sources.append("lexicon")
    believed = posterior(ranking, belief, slot, answer)
    stated = tempered(believed)
    share = (1 - stated) / max(1 - believed, LEAST)
    shares = belief.words[slot.name]
    alternatives = []
    for index in belief.likeliest(slot.name, ALTERNATIVES + 1):
        word = domain.word(index)
        if word != answer:
            source = next((c.source for c in ranking.sources(slot.name, word)), "lexicon")
            alternatives.append(Candidate(word, share * float(shares[index]), source))
    return Answer(
        slot.name,
        clue,
        answer,
        stated,
        " + ".join(sources) or "crossings",
        why,
        tuple(alternatives[:ALTERNATIVES]),
    )


def posterior(ranking: Ranking, belief: Belief, slot: Slot, answer: str) -> float:
    """Return the probability of an answer; of one in no list, that no listed one is right and all its letters are.

    The probability of an answer with an empty cell is 0.
    """
    if EMPTY in answer:
        return 0.0
    index = ranking.domains[slot.name].find(answer)
    if index is not None:
        return float(belief.words[slot.name][index])
    letters = (belief.letter(cell, letter) for cell, letter in zip(slot.cells, answer, strict=True))
    return belief.unlisted[slot.name] * math.prod(letters)
