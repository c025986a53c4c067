"""The embedded lexicon: its sources, and how to add to them."""

from __future__ import annotations

from typing import Annotated

import typer

from agent.cli.common import clean, emit, emit_json, examples
from agent.cli.options import AsJson


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    lexicon = typer.Typer(
        help="Look at the embedded lexicon, or add to it.", no_args_is_help=True, rich_markup_mode=None
    )
    lexicon.command("info", epilog=examples("gridwright lexicon info"))(info)
    lexicon.command(
        "add",
        short_help="Add a dictionary, words, or clues of your own.",
        epilog=examples("gridwright lexicon add gcide", "gridwright lexicon add words.txt"),
    )(add)
    lexicon.command("remove", epilog=examples("gridwright lexicon remove words.txt"))(remove)
    app.add_typer(lexicon, name="lexicon")


@clean
def info(as_json: AsJson = False) -> None:
    """List the sources that the lexicon draws on, with licence and size."""
    from lexicon import sources

    if as_json:
        emit_json(sources.as_json())
        return
    for source in sources.info():
        emit(f"{source.name}: {source.holds}; {source.size / 1e6:.1f} MB; {source.licence}; {source.place}")


@clean
def add(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="gcide, or a file: clue<TAB>answer, word;score, or words.")
    ],
) -> None:
    """Add a dictionary, a word list or a list of clues and answers of your own; it stays on this machine."""
    from lexicon import sources

    added = sources.add(source)
    emit(f"{added.name}: {added.holds}")


@clean
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of an added source, as `info` lists it.")],
) -> None:
    """Remove an added source."""
    from lexicon import sources

    sources.remove(name)
    emit(f"{name} removed")
