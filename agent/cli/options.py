"""Options that several commands have, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.candidates.registry import NAMES

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="A file, or - for stdin: .xd, .puz, .ipuz, JSON or clue text.")
]
ClueSets = Annotated[
    list[Path] | None, typer.Option("--clue-set", metavar="FILE", help="Recorded candidates; may be given again.")
]
Providers = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help=f"Comma-separated names of the providers to ask: {NAMES}; or none."),
]
Model = Annotated[
    str | None, typer.Option("--model", "-m", metavar="NAME", help="Language model; this adds the provider llm.")
]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="OpenAI-compatible server that has the model.")]
Offline = Annotated[bool | None, typer.Option("--offline", help="Open no socket: clue sets, cache and lexicon answer.")]
Rounds = Annotated[int | None, typer.Option(metavar="N", help="Times that unsure slots are asked again.")]
Seconds = Annotated[
    float | None, typer.Option(metavar="S", help="Seconds of search at most, for each puzzle; waiting does not count.")
]
Patience = Annotated[
    float | None, typer.Option(metavar="S", help="Seconds of waiting for providers at most, for each puzzle.")
]
MaxCalls = Annotated[int | None, typer.Option(metavar="N", help="Requests to the language model at most.")]
MaxTokens = Annotated[int | None, typer.Option(metavar="N", help="Tokens of the language model at most.")]
Sure = Annotated[
    float | None,
    typer.Option(metavar="P", help="Count it as solved from this probability of the whole grid: 0.5 to 1."),
]
Against = Annotated[
    str,
    typer.Option(
        metavar="WHO", help="Whose solution helps: official (if the file carries one) or agent; official first."
    ),
]
Size = Annotated[
    str | None, typer.Option(metavar="WxH", help="Size of the grid where only clues are given, such as 5x5.")
]
GridText = Annotated[
    str,
    typer.Option(
        "--grid", metavar="ROWS", help="Rows with / between them, or a file: letters, . for empty, # for a block."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing on stderr but errors.")]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings file instead of the user's own.")
]
