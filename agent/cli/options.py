"""Options that several commands have, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
        "--grid", metavar="ROWS", help="Rows with / between them, or a file: letters, . for empty, # for a block."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing on stderr but errors.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings file instead of the user's own.")
]
