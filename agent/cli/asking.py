"""The options that choose providers, declared once for all commands that ask for candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec

import typer

from agent.candidates.registry import NAMES
from agent.cli.common import Voice, settings_from
from agent.cli.options import BaseUrl, ConfigFile, Quiet, set_options

if TYPE_CHECKING:
    from agent.config import Settings
    from agent.tools import Tools

P = ParamSpec("P")

ALWAYS: dict[str, Any] = {
    "clue_set": Annotated[
        list[Path] | None, typer.Option("--clue-set", metavar="FILE", help="Recorded candidates; may be given again.")
    ],
    "providers": Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help=f"Providers to ask, separated by commas: {NAMES}, or none. Unless set: lexicon."
        ),
    ],
    "model": Annotated[
        str | None, typer.Option("--model", "-m", metavar="NAME", help="Language model; this adds the provider llm.")
    ],
    "base_url": BaseUrl,
    "offline": Annotated[
        bool | None, typer.Option("--offline", help="Open no network connection: clue sets, cache and lexicon answer.")
    ],
}
"""Options of every command that asks providers: name -> annotation."""

LIMITS: dict[str, Any] = {
    "rounds": Annotated[
        int | None, typer.Option(metavar="N", help="Maximum number of further rounds for unsure slots; 2 unless set.")
    ],
    "seconds": Annotated[
        float | None,
        typer.Option(metavar="S", help="Maximum seconds of search for each puzzle; waiting does not count."),
    ],
    "patience": Annotated[
        float | None, typer.Option(metavar="S", help="Maximum seconds of waiting for providers, for each puzzle.")
    ],
    "max_calls": Annotated[
        int | None, typer.Option(metavar="N", help="Maximum number of requests to the language model.")
    ],
    "max_tokens": Annotated[
        int | None, typer.Option(metavar="N", help="Maximum number of tokens of the language model.")
    ],
    "sure": Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Probability of the whole grid from which it counts as solved, 0.5 (unless set) to 1."
        ),
    ],
}
"""Options that such a command may have besides: name -> annotation."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The providers that a command asks: settings and clue sets, and the `Voice` that reports on stderr."""

    settings: Settings
    clue_sets: Sequence[Path]
    voice: Voice

    def open_tools(self, record: Path | None = None) -> AbstractContextManager[Tools]:
        """Return the tools, to be opened; `record` is the clue set that live answers are added to."""
        from agent.tools import open_tools

        return open_tools(self.settings, self.clue_sets, self.voice.warn, record=record)


def asks(
    *limits: str, voice: type[Voice] = Voice
) -> Callable[[Callable[Concatenate[Asked, P], None]], Callable[..., None]]:
    """Add the options that choose providers, and those named in `limits`; the command gets them as :class:`Asked`.

    >>> @asks("seconds")
    ... def show(asked: Asked, word: str) -> None:
    ...     print(word, asked.settings.seconds, asked.settings.model)
    >>> show("hello", seconds=5.0, model="m")
    hello 5.0 m
    """
    options = {**ALWAYS, **{name: LIMITS[name] for name in limits}, "quiet": Quiet, "config": ConfigFile}

    def decorate(command: Callable[Concatenate[Asked, P], None]) -> Callable[..., None]:
        @wraps(command)
        def run(*args: Any, **given: Any) -> None:
            chosen = {name: given.pop(name, None) for name in options}
            clue_sets, quiet, config = (chosen.pop(name) for name in ("clue_set", "quiet", "config"))
            asked = Asked(settings_from(config, **chosen), clue_sets or [], voice(bool(quiet)))
            if chosen["base_url"] and not asked.settings.model:
                asked.voice.warn("warning: --base-url is not used: no --model is named")
            command(asked, *args, **given)

        set_options(run, command, options, instead_of="asked")
        return run

    return decorate
