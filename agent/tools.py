"""Tools: the providers, the lexicon and the limits of a solve, opened from the settings."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.calls import Calls
from agent.candidates.provider import Cached, Conversing, Exchange, Metered, Provider, Question, Usage
from agent.candidates.ranking import FITTED, Constants
from agent.candidates.registry import chosen
from agent.candidates.words import Distribution, Lexicon, Words
from agent.config import Settings
from agent.core import Budget
from agent.disk import check_writable
from agent.errors import ClueSetError, ProviderError, UsageError, reason
from agent.grid import Candidate
from agent.warn import Warn, ignore_warning

DEFAULTS = Settings()


class TimedLexicon:
    """A lexicon under a time limit: when the budget is spent it ignores clues, and ranks words by frequency alone."""

    def __init__(self, lexicon: Lexicon, budget: Budget) -> None:
        self._lexicon = lexicon
        self._budget = budget
        self._known: dict[tuple[str, int], Distribution] = {}
        self.was_short = False
        """Whether a clue was left without a look-up."""

    @classmethod
    def of(cls, lexicon: Lexicon | None, budget: Budget) -> TimedLexicon | None:
        """Return the lexicon under a budget, None if there is no lexicon."""
        return None if lexicon is None else cls(lexicon, budget)

    @property
    def lengths(self) -> Container[int]:
        """Lengths of which the lexicon has words."""
        return self._lexicon.lengths

    def words(self, length: int) -> Words:
        """Return the words of a length."""
        return self._lexicon.words(length)

    def spelling(self, length: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the costs of spelling a word that is in no list, by letter and by pair of letters."""
        return self._lexicon.spelling(length)

    def distribution(self, clue: str, length: int) -> Distribution:
        """Return the probability of every word of a length, for the clue if there is time."""
        if (clue, length) not in self._known and self._budget.is_over():
            self.was_short = True
            clue = ""
        if (clue, length) not in self._known:  # asked again once trust in the sources is learned
            self._known[clue, length] = self._lexicon.distribution(clue, length)
        return self._known[clue, length]

    def why(self, clue: str, word: str) -> str:
        """Return the reason for an answer in a few words, nothing if there is no time."""
        return "" if self._budget.is_over() else self._lexicon.why(clue, word)


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything that a solve uses besides the puzzle; :func:`agent.api.open_tools` opens them.

    `providers` list candidates. The `lexicon` joins them if their lists leave slots unsure. Slots less sure than
    `threshold` are asked again, in at most `rounds` further rounds. `constants` belong to the ranking. A grid at least
    as probable as `sure` counts as solved. `calls` are the calls to providers that are under way.

    >>> from agent.api import open_tools
    >>> with open_tools(sure=0.9) as tools:
    ...     tools.providers, tools.lexicon is not None, tools.sure, tools.usage(), tools.usage_since({})
    ([], True, 0.9, {}, {})
    """

    providers: Sequence[Provider] = ()
    lexicon: Lexicon | None = None
    rounds: int = DEFAULTS.rounds
    threshold: float = DEFAULTS.threshold
    constants: Constants = FITTED
    sure: float = DEFAULTS.sure
    calls: Calls = field(default_factory=Calls, compare=False, repr=False)

    def expect_answers(self) -> None:
        """Raise UsageError if there is neither a provider nor the lexicon: every letter would be invented.

        >>> Tools().expect_answers()
        Traceback (most recent call last):
        agent.errors.UsageError: nothing to answer clues: name a provider, a language model or a clue set
        """
        if not self.providers and self.lexicon is None:
            raise UsageError("nothing to answer clues: name a provider, a language model or a clue set")

    def usage(self) -> Mapping[str, Usage]:
        """Return the usage so far of the providers that speak to a server, by name."""
        return {provider.name: provider.usage() for provider in self.providers if isinstance(provider, Metered)}

    def usage_since(self, before: Mapping[str, Usage]) -> Mapping[str, Usage]:
        """Return the usage since `before` was taken."""
        return {name: used.since(before[name]) for name, used in self.usage().items()}


@dataclass(frozen=True, slots=True)
class Recorder:
    """A provider whose answers are added to a clue set as they arrive; if that fails, `warn` gets one line."""

    inner: Metered
    path: Path
    warn: Warn

    @property
    def name(self) -> str:
        """The name of the provider that is recorded."""
        return self.inner.name

    @property
    def offline(self) -> bool:
        """True if the provider that is recorded answers from its cache alone."""
        return isinstance(self.inner, Cached) and self.inner.offline

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Ask the provider, and record its answer at once."""
        try:
            found = self.inner.propose(questions)
        except ProviderError as error:
            self._record(questions, error.found or {})
            raise
        self._record(questions, found)
        return found

    def _record(self, questions: Sequence[Question], found: Mapping[str, Sequence[Candidate]]) -> None:
        from agent.candidates.clueset import record

        try:
            record(self.path, questions, found)
        except (OSError, ClueSetError) as error:  # the answer was paid for, and is in the cache
            self.warn(f"{self.path}: not recorded: {reason(error)}")

    def usage(self) -> Usage:
        """Return the usage of the provider that is recorded."""
        return self.inner.usage()

    def exchanges(self, *, late: bool = False) -> Sequence[Exchange]:
        """Return the exchanges of the provider that is recorded, if it asks in words."""
        return self.inner.exchanges(late=late) if isinstance(self.inner, Conversing) else ()

    def for_puzzle(self, seed: int = 0) -> Recorder:
        """Return the recorder of the inner provider's `for_puzzle`."""
        return Recorder(self.inner.for_puzzle(seed), self.path, self.warn)


def _check_record(path: Path) -> None:
    """Raise UsageError, before any provider is asked, if answers could not be added to a clue set."""
    from agent.candidates.clueset import ClueSet

    check_writable(path)
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: expected a file that can be added to")
    if path.exists():
        ClueSet.open(path)


@contextmanager
def open_tools(
    settings: Settings,
    clue_sets: Sequence[Path | str] = (),
    warn: Warn = ignore_warning,
    *,
    record: Path | None = None,
) -> Iterator[Tools]:
    """Open the providers that the settings name, clue sets first, and close their resources afterwards.

    With `record`, the answers of live providers are added to that clue set. Raises UsageError for an unknown provider,
    for one that lacks a setting, and for a clue set that cannot be read or, to record, written.
    """
    if record:
        _check_record(record)
    entries = chosen(settings.providers)
    calls = Calls()
    with ExitStack() as stack:
        connections = stack.enter_context(ExitStack())
        providers: list[Provider] = []
        if clue_sets:
            from agent.candidates.clueset import ClueSet

            providers.append(ClueSet.open(*clue_sets))
        if any(entry.live for entry in entries):
            from agent.cache import Cache

            cache = stack.enter_context(Cache(settings.cache_dir, warn=warn))
            for entry in entries:
                if missing := entry.missing(settings):
                    raise UsageError(f"provider {entry.name}: {missing}")
                if entry.live:
                    provider = connections.enter_context(entry.live.open(settings, cache, warn))
                    providers.append(Recorder(provider, record, warn) if record else provider)
        lexicon = None
        if "lexicon" in settings.providers:
            from agent.candidates.lexicon import LexiconProvider

            lexicon = LexiconProvider()
        yield Tools(providers, lexicon, settings.rounds, settings.threshold, sure=settings.sure, calls=calls)
        # An answer that comes too late was paid for: it opens the cache again to be kept.
        calls.when_done(connections.pop_all().close)
