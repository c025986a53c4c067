"""The commands around solving: convert, cache, config, models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.common import Voice, check_outputs, clean, emit, emit_json, examples, settings_from
from agent.cli.options import AsJson, BaseUrl, ConfigFile, PuzzleArgument
from agent.cli.puzzles import crossword, name_of, named, opened, write
from agent.errors import FormatError
from agent.filetypes import ENDINGS, format_of
from agent.text import counted

cache_app = typer.Typer(
    help="Inspect, export or clear the answers of providers.", no_args_is_help=True, rich_markup_mode=None
)


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        short_help="Write a puzzle in another format.", epilog=examples("gridwright convert today.puz today.ipuz")
    )(convert)
    app.add_typer(cache_app, name="cache")
    app.command("config", epilog=examples("gridwright config", "gridwright config --json"))(config_command)
    app.command(epilog=examples("gridwright models --base-url http://localhost:11434/v1"))(models)
    cache_app.command("info", epilog=examples("gridwright cache info"))(cache_info)
    cache_app.command("export", epilog=examples("gridwright cache export recorded.jsonl"))(cache_export)
    cache_app.command("clear", epilog=examples("gridwright cache clear --yes"))(cache_clear)


@clean
def convert(
    puzzle: PuzzleArgument,
    out: Annotated[Path, typer.Argument(metavar="OUT", help=f"File to write: {ENDINGS}")],
    key: Annotated[
        str, typer.Option(metavar="DIGITS", help="The key that unlocks the scrambled solution of a .puz file.")
    ] = "",
) -> None:
    """Write a puzzle in another format, with the solution it carries; stderr names what the format cannot hold."""
    from agent.api import read_puzzle
    from agent.formats import load_source
    from agent.formats.puz import unlocked

    format_of(out)
    check_outputs(out)
    warn = Voice().warn
    if key:
        content, name = load_source(puzzle)
        try:
            found = read_puzzle(unlocked(content, key), name=name)
        except FormatError as error:
            raise error.within(name) from error
    else:
        found = opened(puzzle, warn)
    clued = crossword(found, puzzle)
    if clued.unclued:
        warn(f"{name_of(puzzle)}: no clue for {named(clued.unclued)}")
    write(out, clued, warn)


@clean
def cache_info(as_json: AsJson = False, config: ConfigFile = None) -> None:
    """Show the cache's place, content and size."""
    from dataclasses import asdict

    from agent.cache import Cache

    with Cache(settings_from(config).cache_dir, warn=Voice().warn) as cache:
        info = cache.info()
    if as_json:
        emit_json(asdict(info) | {"folder": str(info.folder)})
    else:
        emit(info)


@clean
def cache_export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Clue set to add to.")],
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Write what language models answered as a clue set, for offline runs."""
    from agent.cache import Cache
    from agent.candidates.clueset import record
    from agent.candidates.llm import recorded

    check_outputs(out)
    lines = 0
    with Cache(settings_from(config).cache_dir, warn=Voice().warn) as cache:
        for question, found in recorded(cache):
            lines += record(out, [question], {question.key: found})
    if as_json:
        emit_json({"lines": lines, "file": str(out)})
    else:
        emit(f"{counted(lines, 'new line')} in {out}" if lines else "nothing new to export")


@clean
def cache_clear(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first: answers that were paid for are lost.")] = False,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Delete every kept response, after asking."""
    from agent.cache import Cache

    if not yes:
        typer.confirm("Delete every response that providers gave, paid ones too?", abort=True, err=True)
    with Cache(settings_from(config).cache_dir, warn=Voice().warn) as cache:
        deleted = cache.clear()
    if as_json:
        emit_json({"deleted": deleted})
    else:
        emit(f"{counted(deleted, 'response')} deleted")


@clean
def config_command(as_json: AsJson = False, config: ConfigFile = None) -> None:
    """Show every setting, its value and where it comes from."""
    from agent.config import SETTINGS

    rows = list(settings_from(config).rows())
    if as_json:
        emit_json({name: {"value": value, "origin": origin} for name, value, origin in rows})
        return
    for name, value, origin in rows:
        emit(f"{name} = {value}  [{origin}]\n    {SETTINGS[name].metadata['about']}")


@clean
def models(base_url: BaseUrl = None, as_json: AsJson = False, config: ConfigFile = None) -> None:
    """List the models that the server offers."""
    from agent.llm.client import Client

    settings = settings_from(config, base_url=base_url)
    with Client("models", settings.base_url, settings.api_key, timeout=settings.timeout) as client:
        names = client.models()
    if as_json:
        emit_json(names)
    else:
        emit("\n".join(names) or "the server offers no models")
