"""The providers to ask, how often and for how long: a page may choose within the server's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from agent.candidates.registry import PROVIDERS
from agent.config import Settings
from agent.errors import UsageError
from agent.web import examples
from agent.web.limits import Limits

RECORDED = "clueset"
"""Name under which recorded candidates stand among the providers."""

DEFAULT_LIMITS = Limits()

DEFAULT_SECONDS = 30.0
"""Default limit in seconds of search: people do not watch a page for longer."""


DEFAULT_PATIENCE = 180.0
"""Seconds of waiting for providers unless the settings say otherwise: a model that thinks over a full-size puzzle
takes two and a half minutes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices of one request."""

    providers: tuple[str, ...]
    rounds: int
    seconds: float
    patience: float = DEFAULT_PATIENCE
    explain: bool = True


@dataclass(frozen=True, slots=True)
class Offer:
    """The settings, clue sets and limits that a server was started with.

    All its searches belong to one `run`, so limits on calls and tokens hold for the server as a whole.
    """

    settings: Settings
    clue_sets: tuple[Path, ...] = ()
    limits: Limits = DEFAULT_LIMITS
    run: str = field(default_factory=lambda: uuid4().hex)

    @property
    def recorded(self) -> tuple[Path, ...]:
        """The clue sets that were named, and those of the shipped minis."""
        return (*self.clue_sets, *examples.recorded())

    def providers(self) -> Iterator[dict[str, Any]]:
        """Yield each provider as the page lists it: no key, no address.

        >>> [row["name"] for row in Offer(Settings()).providers() if row["available"]]
        ['clueset', 'lexicon', 'datamuse']
        """
        settings = self.settings
        shipped = ["a language model's answers to the clues of the minis here"] if examples.recorded() else []
        files = ", ".join([*(path.name for path in self.clue_sets), *shipped])
        yield _row(RECORDED, "Recorded candidates", bool(self.recorded), files or "no clue set was named")
        for entry in reversed(PROVIDERS):  # those on this machine first
            missing = entry.missing(settings)
            note = "offline: answers from the cache only" if settings.offline and entry.live else entry.about
            yield _row(entry.name, entry.variant(settings) or entry.label, not missing, missing or note)

    def default(self) -> tuple[str, ...]:
        """Name the providers that are asked unless the page says otherwise."""
        return (RECORDED, *self.settings.providers) if self.recorded else self.settings.providers

    def choose(self, body: Mapping[str, Any]) -> Choice:
        """Read a page's choices. Raises UsageError if one is not on offer.

        >>> Offer(Settings()).choose({"providers": ["lexicon"], "seconds": 5}).seconds
        5.0
        """
        available = [row["name"] for row in self.providers() if row["available"]]
        named = body.get("providers", list(self.default()))
        if not isinstance(named, list) or not named or not all(name in available for name in named):
            raise UsageError(f"providers: expected some of {', '.join(available)}")
        return Choice(
            providers=tuple(name for name in available if name in named),
            rounds=int(_number(body, "rounds", self.settings.rounds, self.limits.rounds)),
            seconds=_number(body, "seconds", _or(self.settings.seconds, DEFAULT_SECONDS), self.limits.seconds),
            patience=_number(body, "patience", _or(self.settings.patience, DEFAULT_PATIENCE), self.limits.patience),
            explain=body.get("explain", True) is True,
        )

    def apply(self, choice: Choice) -> tuple[Settings, tuple[Path, ...]]:
        """Return the settings and clue sets to open tools with."""
        live = tuple(name for name in choice.providers if name != RECORDED)
        settings = replace(self.settings, providers=live, rounds=choice.rounds, seconds=choice.seconds, run=self.run)
        return settings, self.recorded if RECORDED in choice.providers else ()


def _row(name: str, label: str, available: bool, note: str) -> dict[str, Any]:
    return {"name": name, "label": label, "available": available, "note": note}


def _or(setting: float | None, default: float) -> float:
    return default if setting is None else setting


def _number(body: Mapping[str, Any], name: str, default: float, most: float) -> float:
    """Read a number up to `most`; the default is cut to that. Raises UsageError for any other value."""
    value = body.get(name, min(default, most))
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise UsageError(f"{name}: expected a number from 0 to {most:g}")
    return float(value)
