"""Providers propose candidates for questions: the protocol, and the values that it passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self, runtime_checkable

from agent.grid import Candidate

UNKNOWN = "?"
"""The sign for an unknown letter in a pattern, as crossword solvers and Datamuse write it."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A crossing of a question's slot with another one, for providers that can use context.

    `position` is the place of the shared cell in the question's slot, `at` in the other `slot` (0 is the first letter).
    `answer` is the word that the solver has there for now (empty if there is none), with its `probability`.
    """

    position: int
    slot: str
    at: int
    clue: str
    answer: str = ""
    probability: float = 0.0


Role = Literal["with", "see", "mention", "further"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A clue's mention of another slot.

    `with`: the answers are to be read together, this clue's first. `see`: the other clue defines both answers.
    `mention`: the other answer is a word of this clue. `further`: it is not in this clue, but a clue mentioned here
    says to see it. `length` is 0 if the grid has no such slot. `text` is the other slot's clue, left empty if that only
    says to see this one.

    >>> print(Reference("4A", "with", 5), Reference("2D", "mention", 3, "Feline"), sep=" | ")
    4-Across (5) | 2-Down (3): Feline
    """

    slot: str
    role: Role
    length: int = 0
    text: str = ""

    def __str__(self) -> str:
        label = f"{self.slot[:-1]}-{'Across' if self.slot[-1] == 'A' else 'Down'} ({self.length})"
        return f"{label}: {self.text}" if self.text else label


@dataclass(frozen=True, slots=True)
class Question:
    """One slot's clue, as it is put to a provider.

    `clue` is the text as printed, `references` are the other slots that it mentions (see
    :mod:`agent.candidates.clues`). `pattern` has one character per cell, `?` if it is unknown: all unknown in the first
    round, letters that are thought to be right in later rounds. `start` is (row, column) of the first letter, None if
    no grid is known. `choices` are the solver's own fillings of the slot, best first, when it is asked to choose among
    them; their probabilities are the solver's, which the provider keeps to itself. If the grid is not known, one slot
    may be asked for `several_lengths`, with a question for each. `title` is the puzzle's: it may name a theme.

    >>> Question("1A", "Not out", 2).pattern
    '??'
    """

    slot: str
    clue: str
    length: int
    pattern: str = ""
    crossings: tuple[Crossing, ...] = ()
    start: tuple[int, int] | None = None
    choices: tuple[Candidate, ...] = ()
    references: tuple[Reference, ...] = ()
    several_lengths: bool = False
    title: str = ""

    def __post_init__(self) -> None:
        if not self.pattern:
            object.__setattr__(self, "pattern", UNKNOWN * self.length)
        if len(self.pattern) != self.length:
            raise ValueError(f"pattern {self.pattern} does not have {self.length} characters")

    @property
    def key(self) -> str:
        """The name under which its answers are returned: the slot's, with the length if several are asked for.

        >>> Question("1A", "Not out", 2).key, Question("1A", "Not out", 2, several_lengths=True).key
        ('1A', '1A/2')
        """
        return f"{self.slot}/{self.length}" if self.several_lengths else self.slot

    @property
    def noted(self) -> str:
        """The clue with notes on the slots that it refers to: how models read it and clue sets keep it.

        >>> Question("1D", "Not 4-Across", 3, references=(Reference("4A", "mention", 3, "Feline"),)).noted
        'Not 4-Across [4-Across (3): Feline]'
        """
        notes = [str(reference) for reference in self.references if reference.length]
        return f"{self.clue} [{' | '.join(notes)}]" if notes else self.clue

    @property
    def has_letters(self) -> bool:
        """True when some letter is already thought to be known."""
        return self.pattern != UNKNOWN * self.length

    def admits(self, answer: str) -> bool:
        """Return whether an answer has the length and agrees with the letters of the pattern.

        >>> Question("1A", "", 3, "A?T").admits("ANT")
        True
        """
        return len(answer) == self.length and all(p in (UNKNOWN, a) for p, a in zip(self.pattern, answer, strict=True))


@dataclass(frozen=True, slots=True)
class Usage:
    """A provider's usage: requests, answers taken from the cache instead, tokens, and their cost.

    `cost` is in the currency of the user's price table, None if a price is not known. `limited` is True if a
    limit of the user's kept it from asking.

    >>> Usage(calls=3, tokens=900, cost=0.5).since(Usage(calls=1, tokens=400, cost=0.2))
    Usage(calls=2, cache_hits=0, tokens=500, cost=0.3, limited=False)
    """

    calls: int = 0
    cache_hits: int = 0
    tokens: int = 0
    cost: float | None = 0.0
    limited: bool = False

    def since(self, before: Usage) -> Usage:
        """Return the usage since `before` was taken."""
        calls = self.calls - before.calls
        unknown = self.cost is None or before.cost is None
        cost = 0.0 if calls == 0 else None if unknown else round((self.cost or 0) - (before.cost or 0), 10)
        return Usage(calls, self.cache_hits - before.cache_hits, self.tokens - before.tokens, cost, self.limited)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a language model was asked in one request, and what it replied: `instructions`, then the `text`.

    Without a reply, `failure` says why. `is_cached` is True for a reply that had been kept, and cost nothing now;
    `is_late` if the reply came after the waiting had ended, or has not come yet: nothing of it was used.

    >>> Exchange("Answer the clues.", "1A (5): Not up yet", "1A INBED").is_cached
    False
    """

    instructions: str
    text: str
    reply: str = ""
    failure: str = ""
    is_cached: bool = False
    is_late: bool = False


@runtime_checkable
class Provider(Protocol):
    """Proposes candidates.

    `propose` answers any number of questions at once (so that one request can serve a whole puzzle) and returns
    `Question.key` -> candidates, best first. A key may have none; it may be missing if its question has no answer.
    Answers are folded to A-Z and have the question's length; probabilities are the provider's own and need not be
    calibrated: the ranking does that.
    Raises ProviderError if it fails, with the answers that it has all the same. Must be callable from a thread.
    """

    @property
    def name(self) -> str:
        """Short name, as in the registry: `llm`, `datamuse`, `lexicon`; `clueset` for recorded candidates."""

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Answer the questions."""


@runtime_checkable
class Cached(Provider, Protocol):
    """A provider whose answers are kept in a cache. Offline, a key is missing if the cache does not hold its answer."""

    @property
    def offline(self) -> bool:
        """True if it answers from its cache alone."""


@runtime_checkable
class Conversing(Provider, Protocol):
    """A provider that asks in words, and can show them."""

    def exchanges(self, *, late: bool = False) -> Sequence[Exchange]:
        """Return the exchanges that ended since this was called last, and forget them.

        With `late`, at the end of a solve, those too that still wait for a reply; all are marked as late.
        """


@runtime_checkable
class Metered(Provider, Protocol):
    """A provider that speaks to a server, and counts its usage."""

    def usage(self) -> Usage:
        """Return the usage since the provider was opened."""

    def for_puzzle(self, seed: int = 0) -> Self:
        """Return this provider with its counts at zero, for one puzzle of many that are worked on at once.

        Connections, cache, pace and limits stay shared. Answers that are drawn by chance are drawn again for another
        `seed`; 0 is the draw that every other caller gets.
        """
