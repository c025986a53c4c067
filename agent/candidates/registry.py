"""Which providers of candidates there are: one row each. A new one is its module and a row here.

A row holds all that the rest of the program knows of a provider: command line, page, settings, ranking and evaluation
take names, texts and weights from it. Modules are imported when a provider is opened, as help texts need only the rows.

>>> [entry.name for entry in chosen(("lexicon", "llm"))]
['llm', 'lexicon']
>>> chosen(("llm", "dictionary"))
Traceback (most recent call last):
agent.errors.UsageError: unknown provider dictionary; choose from llm, datamuse, lexicon
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.errors import UsageError

if TYPE_CHECKING:
    from agent.cache import Cache
    from agent.candidates.provider import Metered
    from agent.config import Settings
    from agent.warn import Warn


@dataclass(frozen=True, slots=True)
class Trust:
    """The weight of one family of candidates: an answer gains exp(listed) * probability ** weight."""

    listed: float
    weight: float


@dataclass(frozen=True, slots=True)
class Live:
    """How a provider that speaks to a server is opened, and `server`, the address that the settings name.

    Opening makes no connection yet. `uses_seed` means that the answers are drawn, by a seed if one is given.
    """

    open: Callable[[Settings, Cache, Warn], AbstractContextManager[Metered]]
    server: Callable[[Settings], str]
    uses_seed: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One provider.

    `label` is its name on the page and `about` what asking it means for the user. `trust` is its weight in the ranking,
    `choice` that of words which it picked from an offer, None if it is never offered any; without `trust` it is not
    ranked by lists but word by word, as the lexicon is. `live` is None for a provider on this machine.

    `variant` returns which of several it is (a model's name), `missing` what the settings lack for asking it, and
    `edition` a hash of the data on which its answers depend, besides the settings.
    """

    name: str
    label: str
    about: str
    trust: Trust | None = None
    choice: Trust | None = None
    live: Live | None = None
    variant: Callable[[Settings], str] = lambda _: ""
    missing: Callable[[Settings], str] = lambda _: ""
    edition: Callable[[], str] | None = None


def _open_llm(settings: Settings, cache: Cache, warn: Warn) -> AbstractContextManager[Metered]:
    from agent.candidates.llm import open_llm

    return open_llm(settings, cache, warn)


def _open_datamuse(settings: Settings, cache: Cache, warn: Warn) -> AbstractContextManager[Metered]:
    from agent.candidates.datamuse import Datamuse

    del warn
    return nullcontext(Datamuse(cache, settings.datamuse_url, offline=settings.offline, timeout=settings.timeout))


def _lexicon_edition() -> str:
    from agent.candidates.lexicon import LexiconProvider

    return LexiconProvider().edition


PROVIDERS = (
    Entry(
        "llm",
        "Language model",
        "sends the clues to the server of this model",
        # Fitted by `tests/bench/fit_ranking.py`.
        trust=Trust(listed=0.0, weight=1.75),
        # By hand: a word that a model picks from those it is offered counts a third of one that it thought of itself.
        # The offer names the solver's own filling, and models like to agree; no recorded choices exist to fit on.
        choice=Trust(listed=-1.0, weight=1.75),
        live=Live(_open_llm, lambda settings: settings.base_url, uses_seed=True),
        variant=lambda settings: settings.model,
        missing=lambda settings: "" if settings.model else "no model is named: start with --model",
    ),
    Entry(
        "datamuse",
        "Datamuse",
        "sends the clues to a server of Datamuse's interface",
        trust=Trust(listed=-1.0, weight=1.0),  # by hand: there are no recorded answers to fit on
        live=Live(_open_datamuse, lambda settings: settings.datamuse_url),
    ),
    Entry("lexicon", "Built-in lexicon", "on this machine", edition=_lexicon_edition),
)

NAMES = ", ".join(entry.name for entry in PROVIDERS)
"""All names, for help texts."""


def chosen(names: Collection[str]) -> tuple[Entry, ...]:
    """Return the providers of these names, in the order of PROVIDERS. Raises UsageError for an unknown name."""
    unknown = sorted(set(names) - {entry.name for entry in PROVIDERS})
    if unknown:
        raise UsageError(f"unknown provider {', '.join(unknown)}; choose from {NAMES}")
    return tuple(entry for entry in PROVIDERS if entry.name in names)
