"""The command that solves many puzzles: evaluate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agent.cli.frame import (
    NOT_SOLVED,
    SOLVED,
    Voice,
    clean,
    emit,
    emit_json,
    examples,
    interruptible,
    settings_from,
)
from agent.cli.options import (
    AsJson,
    BaseUrl,
    ClueSets,
    ConfigFile,
    MaxCalls,
    MaxTokens,
    Model,
    Offline,
    Providers,
    Quiet,
    Rounds,
    Seconds,
)

if TYPE_CHECKING:
    from agent.evaluate.run import Item


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        short_help="Solve many puzzles and score them.",
        epilog=examples(
            "gridwright evaluate minis/*.xd --clue-set recorded.jsonl --offline",
            "gridwright evaluate puzzles.json --out results.jsonl --json",
        ),
    )(evaluate)


@clean
def evaluate(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Puzzle files, or JSON lists of puzzles.")],
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    rounds: Rounds = None,
    seconds: Seconds = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=0, help="Processes; 0: as many as pay.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep results here; what stands there is not run again.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
) -> None:
    """Solve many puzzles and score them against their official solutions.

    The solutions are never visible to providers, ranking or search. With --json there is a line per puzzle as it is
    done, and last one with the summary. The exit code is 0 when every puzzle could be run, however it was solved.
    """
    from agent.evaluate.metrics import summarise
    from agent.evaluate.results import Results
    from agent.evaluate.run import Configuration
    from agent.evaluate.run import evaluate as evaluate_all

    settings = settings_from(
        config, providers=providers, model=model, base_url=base_url, offline=offline, rounds=rounds, seconds=seconds,
        max_calls=max_calls, max_tokens=max_tokens,
    )  # fmt: skip
    voice = Voice(quiet)
    items = [item for path in files for item in named_items(path)]
    configuration = Configuration(settings, tuple(map(str, clue_set or [])))
    results = Results(out)
    said: set[str] = set()

    def last_words() -> None:
        kept = f"; the results so far are in {out}, and the same command goes on from there" if out else ""
        voice.warn(f"gridwright: interrupted{kept}")

    try:
        with interruptible(last_words, at_once=True), progress(len(items), quiet=quiet) as advance:

            def on_line(line: Mapping[str, Any]) -> None:
                advance()
                for warning in set(line.get("warnings", ())) - said:
                    said.add(warning)
                    voice.warn(f"warning: {warning}")
                if as_json:
                    emit_json(line)

            lines, took = evaluate_all(
                items, configuration, jobs=jobs, results=results, on_line=on_line, warn=voice.warn
            )
    except KeyboardInterrupt:
        last_words()
        raise typer.Exit(130) from None
    summary = summarise(lines, took)
    if as_json:
        emit_json({"summary": summary})
    else:
        for line in lines:
            emit(f"{line['id']:<20} {outcome(line)}")
        emit("\n".join(f"{name:<20} {value}" for name, value in summary.items()))
    raise typer.Exit(NOT_SOLVED if summary["failed"] else SOLVED)


def outcome(line: Mapping[str, Any]) -> str:
    """Say in a word or two how one puzzle went."""
    if "error" in line:
        return f"failed: {line['error']}"
    right, total = line["letters"] or (None, None)
    letters = "" if total is None else f", {right} of {total} letters"
    if line["solved"]:
        return "solved"
    return f"{'filled' if line['verified'] else 'open'}{letters}"


def named_items(path: Path) -> Iterator[Item]:
    """Read a file's puzzles; those without an identity of their own are called after the file."""
    from agent.formats import open_puzzles

    for number, item in enumerate(open_puzzles(path), 1):
        name = path.stem if number == 1 else f"{path.stem}-{number}"
        yield item if item.id else replace(item, id=name)


@contextmanager
def progress(total: int, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show a bar with counts and the time left on stderr, at a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("puzzles", total=total)
        yield lambda: bar.advance(task)
