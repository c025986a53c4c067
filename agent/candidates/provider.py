"""What a provider is: something that proposes candidates for questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from agent.grid import Candidate

UNKNOWN = "?"
"""The sign for an unknown letter in a pattern, as crossword solvers and Datamuse write it."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where another slot crosses a question's own, for providers that can use context.

    `position` is the place of the shared cell in the question's slot, `at` in the other `slot` (0 is the first letter).
    `answer` is the word that the solver has there for now (empty if there is none), `probability` how sure it is of it.
    """

    position: int
    slot: str
    at: int
    clue: str
    answer: str = ""
    probability: float = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """One slot's clue, as it is put to a provider.

    `clue` is the text as printed, cross references resolved (see :mod:`agent.candidates.clues`). `pattern` has one
    character per cell, `?` where unknown: all unknown in the first round, letters that are thought to be right
    in later rounds. `start` is (row, column) of the first letter, None if no grid is known. `choices` are the solver's
    own fillings of the slot, best first, when it is asked to choose among them; their probabilities are the solver's,
    which the provider keeps to itself.

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

    def __post_init__(self) -> None:
        if not self.pattern:
            object.__setattr__(self, "pattern", UNKNOWN * self.length)
        if len(self.pattern) != self.length:
            raise ValueError(f"pattern {self.pattern} does not have {self.length} characters")

    @property
    def has_letters(self) -> bool:
        """True when some letter is already thought to be known."""
        return self.pattern != UNKNOWN * self.length

    def admits(self, answer: str) -> bool:
        """Whether an answer has the length and agrees with the letters of the pattern.

        >>> Question("1A", "", 3, "A?T").admits("ANT")
        True
        """
        return len(answer) == self.length and all(p in (UNKNOWN, a) for p, a in zip(self.pattern, answer, strict=True))


class ProviderError(Exception):
    """A provider could not answer; the message is one clear line for the user, without keys."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider used: requests made, answers taken from the cache instead, tokens, and what they cost.

    `cost` is in the currency of the user's price table, None where a price is not known. `limited` is True where a
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
        """Return what was used after `before` was taken."""
        calls = self.calls - before.calls
        unknown = self.cost is None or before.cost is None
        cost = 0.0 if calls == 0 else None if unknown else round((self.cost or 0) - (before.cost or 0), 10)
        return Usage(calls, self.cache_hits - before.cache_hits, self.tokens - before.tokens, cost, self.limited)


@runtime_checkable
class Provider(Protocol):
    """Proposes candidates.

    `propose` answers any number of questions at once (so that one request can serve a whole puzzle) and returns
    slot name -> candidates, best first; a slot may be missing or have none. Answers are folded to A-Z and have
    the question's length; probabilities are the provider's own and need not be calibrated: the ranking does that.
    Raises ProviderError when it fails as a whole. Must be callable from a thread.
    """

    @property
    def name(self) -> str:
        """Short name, the same as in the ranking's table of constants: `llm`, `datamuse`, `clueset`, `lexicon`."""

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Answer the questions."""


@runtime_checkable
class Metered(Provider, Protocol):
    """A provider that speaks to a server, and counts what that takes."""

    def usage(self) -> Usage:
        """Return what was used since the provider was opened."""

    def afresh(self, seed: int = 0) -> Self:
        """Return this provider with its counts at zero, for one puzzle of many that are worked on at once.

        Connections, cache, pace and limits stay shared. Answers that are drawn by chance are drawn anew for another
        `seed`; 0 is the draw that everybody else gets.
        """
