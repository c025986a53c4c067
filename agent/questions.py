"""The questions: every clue at first, then the answers in doubt, as a choice among the solver's own fillings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.candidates.clues import clue_text, resolve_references
from agent.candidates.provider import UNKNOWN, Crossing, Provider, Question
from agent.candidates.ranking import LEADING, family
from agent.conclude import posterior
from agent.draw.letters import place
from agent.errors import UsageError
from agent.grid import BLOCK, EMPTY, Candidate, Grid, Puzzle
from agent.puzzles.crossword import Fill
from agent.slots import Slot
from agent.weigh import Weighed

Cut = Literal["budget", "cancelled"]
"""The reasons for which work ends before it is done."""

Patterns = Sequence[tuple[str, str]]
"""(slot, its known letters)."""

KNOWN_LETTER = 0.9
"""Posterior above which a letter is told to providers when a slot is asked again."""

MOST_CHOICES, LEAST_CHOICES = 5, 3
"""Fillings of a slot that are offered as a choice: five at most; beyond the third only probable ones."""

LEAST_SHARE = 0.01
"""Posterior from which a fourth or fifth filling is offered."""

MINI_SLOTS = 20
"""A puzzle of at most this many slots whose answers are all sure gets one request, though some of them may be the
lexicon's alone: a second request would double the price. A larger one takes several anyway."""


def ask(puzzle: Puzzle) -> list[Question]:
    """Turn a puzzle's clues into questions: references resolved, given letters in the pattern.

    Raises UsageError if a cell has several letters, as a rebus is not solved, or a sign other than a letter A to Z.
    """
    grid = puzzle.grid
    for index, cell in enumerate(grid.cells):
        if len(cell) > 1:
            raise UsageError(f"{place(index, grid.width)} has several letters ({cell}): a rebus is not solved")
        if cell not in {BLOCK, EMPTY} and not "A" <= cell <= "Z":
            raise UsageError(f"{place(index, grid.width)} has {cell} in it: only the letters A to Z are solved")
    names = [slot.name for slot in grid.slots]
    clues = {clue.slot: clue.text for clue in puzzle.clues}
    lengths = {name: len(slot) for name, slot in zip(names, grid.slots, strict=True)}
    references = resolve_references(puzzle.clues, lengths)
    return [
        Question(
            name,
            clue_text(clues.get(name, "")),
            len(slot),
            grid.answer(slot).replace(EMPTY, UNKNOWN),
            tuple(
                Crossing(position, names[crossing[0]], crossing[1], clues.get(names[crossing[0]], ""))
                for position, crossing in enumerate(crossed)
                if crossing is not None
            ),
            divmod(slot.cells[0], grid.width),
            references=references.get(name, ()),
            title=puzzle.title,
        )
        for name, slot, crossed in zip(names, grid.slots, grid.crossings, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class View:
    """The solver's view of a puzzle after a round: the candidates, the filling found, and how sure each part is.

    `shares` is slot -> probability of the answer that would be shown, `unsure` the slots whose answer is less probable
    than was asked for, missing, or in no list. `was_hurried` if time was too short to look up every clue.
    """

    weighed: Weighed
    shares: Mapping[str, float]
    unsure: tuple[str, ...]
    was_hurried: bool = False

    @classmethod
    def of(cls, weighed: Weighed, *, threshold: float, was_hurried: bool = False) -> View:
        """Return the view; `threshold` is the probability from which an answer is not asked about again."""
        grid, ranking = weighed.grid, weighed.ranking
        answers = {slot.name: grid.answer(slot) for slot in grid.slots}
        shares = {slot.name: posterior(ranking, weighed.belief, slot, answers[slot.name]) for slot in grid.slots}
        unsure = tuple(
            name for name, answer in answers.items() if shares[name] < threshold or answer not in ranking.domains[name]
        )
        return cls(weighed, shares, unsure, was_hurried)

    @property
    def grid(self) -> Grid:
        """The grid to show."""
        return self.weighed.grid

    @property
    def cut(self) -> Cut | None:
        """The reason for which the work ended before it was done, None if it did not."""
        return stopped(self.weighed.found) or ("budget" if self.was_hurried else None)

    def again(
        self,
        questions: Sequence[Question],
        providers: Sequence[Provider],
        told: Patterns,
        put: Collection[tuple[str, str]],
    ) -> list[Question]:
        """Return the next questions: the unsure slots with the unheard ones; none if they are not worth a request.

        `told` are the slots that were unsure in the last questions, with the letters known then: without any
        change nothing is asked. In a puzzle larger than a mini, unheard slots alone are reason enough to ask.
        """
        unheard = self.unheard(providers, put)
        doubtful = self.reask(questions, {*self.unsure, *unheard})
        is_news = bool(self.unsure) and self.patterns(doubtful) != told
        return doubtful if is_news or (unheard and len(self.grid.slots) > MINI_SLOTS) else []

    def patterns(self, questions: Sequence[Question]) -> Patterns:
        """Return the unsure slots among the questions, with the letters told of each."""
        return [(question.slot, question.pattern) for question in questions if question.slot in self.unsure]

    def unheard(self, providers: Sequence[Provider], put: Collection[tuple[str, str]]) -> list[str]:
        """Return the slots whose answer no language model has proposed or was asked about, if one can be asked.

        `put` are the (slot, answer) pairs that were offered before.
        """
        choosers = set(LEADING.values())
        if not any(family(provider.name) in choosers for provider in providers):
            return []
        answers = {slot.name: self.grid.answer(slot) for slot in self.grid.slots}
        return [
            name
            for name, answer in answers.items()
            if (name, answer) not in put
            and all(
                family(candidate.source) not in LEADING.values()
                for candidate in self.weighed.ranking.sources(name, answer)
            )
        ]

    def reask(self, questions: Sequence[Question], doubtful: Collection[str]) -> list[Question]:
        """Return questions for the doubtful slots: with letters now as good as known, crossings, and a choice.

        What is neither a word of a list nor sure, letter by letter, is not shown: it stands for "no word yet".
        """
        slots = {slot.name: slot for slot in self.grid.slots}
        crossed = {crossing.slot for q in questions if q.slot in doubtful for crossing in q.crossings}
        answers = {
            name: (self.grid.answer(slots[name]), to_the_per_cent(self.shares[name]))
            for name in crossed
            if self._is_word(slots[name])
        }
        return [
            replace(
                question,
                pattern=self._pattern(slots[question.slot]),
                crossings=tuple(
                    replace(crossing, answer=answers[crossing.slot][0], probability=answers[crossing.slot][1])
                    if crossing.slot in answers
                    else crossing
                    for crossing in question.crossings
                ),
                choices=self._choices(slots[question.slot]),
            )
            for question in questions
            if question.slot in doubtful
        ]

    def _pattern(self, slot: Slot) -> str:
        cells = self.grid.cells
        sure = (
            cells[cell] not in {EMPTY, BLOCK} and self.weighed.belief.letter(cell, cells[cell]) >= KNOWN_LETTER
            for cell in slot.cells
        )
        return "".join(cells[cell] if ok else UNKNOWN for cell, ok in zip(slot.cells, sure, strict=True))

    def _is_word(self, slot: Slot) -> bool:
        """Return whether a slot's answer is in a list, or made of letters that are as good as known."""
        is_listed = self.grid.answer(slot) in self.weighed.ranking.domains[slot.name]
        return is_listed or UNKNOWN not in self._pattern(slot)

    def _choices(self, slot: Slot) -> tuple[Candidate, ...]:
        domain, shares = self.weighed.ranking.domains[slot.name], self.weighed.belief.words[slot.name]
        best = self.weighed.belief.likeliest(slot.name, MOST_CHOICES)
        listed: Mapping[str, float] = {domain.word(index): float(shares[index]) for index in best}
        answer = self.grid.answer(slot)
        if self._is_word(slot):
            listed = {answer: self.shares[slot.name], **listed}
        ordered = sorted(listed.items(), key=lambda choice: -choice[1])[:MOST_CHOICES]
        return tuple(
            Candidate(word, to_the_per_cent(share), "solver")
            for place, (word, share) in enumerate(ordered)
            if place < LEAST_CHOICES or share >= LEAST_SHARE or word == answer
        )


def stopped(found: Fill) -> Cut | None:
    """Return the reason for which a search ended before it was done, None if it did not."""
    ended = found.termination
    return None if found.proved or ended == "found" or ended == "exhausted" else ended  # noqa: PLR1714 - mypy narrows


def to_the_per_cent(share: float) -> float:
    """Round a probability in a question, so that the same question reads the same when it is asked again.

    >>> to_the_per_cent(0.98765)
    0.99
    """
    return round(share, 2)
