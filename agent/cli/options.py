"""Options that several commands have, each declared once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from agent.filetypes import ENDINGS

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help=f"A file, or - for stdin: {ENDINGS}, or pasted clue text.")
]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="OpenAI-compatible server that has the model.")]
Against = Annotated[
    str,
    typer.Option(
        metavar="WHO", help="Whose solution helps: official (if the file carries one) or agent; official first."
    ),
]
Size = Annotated[str | None, typer.Option(metavar="WxH", help="Size of the grid if only clues are given, such as 5x5.")]
GridText = Annotated[
    str,
    typer.Option(
        "--grid",
        metavar="ROWS",
        help="Rows with / between them, or a file: letters, . empty, # block; in a picture # filled, . blank, ? open.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing on stderr but errors.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings file instead of the user's own.")
]


def set_options(
    run: Callable[..., None], command: Callable[..., None], options: Mapping[str, Any], *, instead_of: str
) -> None:
    """Set the parameters of `run` to those of `command`, but `options` (name -> annotation) instead of one of them.

    >>> def command(settings: dict, word: str) -> None: ...
    >>> def run(**given): ...
    >>> set_options(run, command, {"json": AsJson}, instead_of="settings")
    >>> list(signature(run).parameters)
    ['word', 'json']
    """
    hints = get_type_hints(command, include_extras=True)
    parameters = [
        one.replace(annotation=hints[one.name])
        for one in signature(command).parameters.values()
        if one.name != instead_of
    ]
    parameters += [Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=of) for name, of in options.items()]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
