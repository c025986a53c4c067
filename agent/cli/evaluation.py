"""The command that solves many puzzles: evaluate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agent.cli.asking import Asked, asks
from agent.cli.common import (
    check_outputs,
    clean,
    emit,
    emit_json,
    examples,
    interruptible,
)
from agent.cli.exits import DONE, INTERRUPTED, NOT_SOLVED
from agent.cli.options import AsJson

if TYPE_CHECKING:
    from agent.formats import Item


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        short_help="Solve many puzzles and score them.",
        epilog=examples(
            "gridwright evaluate minis/*.xd --clue-set recorded.jsonl --offline",
            "gridwright evaluate puzzles.json --out results.jsonl --json",
            "gridwright evaluate many.jsonl --out results.jsonl --executor dask://localhost:8786",
        ),
    )(evaluate)


@clean
@asks("rounds", "seconds", "max_calls", "max_tokens")
def evaluate(
    asked: Asked,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES", help="Puzzle files, JSON lists of puzzles, or JSON lines.")
    ],
    executor: Annotated[
        str, typer.Option(metavar="NAME", help="Where to search: processes, threads or dask://HOST:PORT.")
    ] = "processes",
    jobs: Annotated[
        int, typer.Option(metavar="N", min=0, help="Number of processes or threads; 0: as many as are worthwhile.")
    ] = 0,
    asks: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Number of puzzles that servers are asked about at a time; 0: chosen for them."
        ),
    ] = 0,
    seeds: Annotated[
        int, typer.Option(metavar="N", min=1, help="Ask the language model about each puzzle N times.")
    ] = 1,
    label: Annotated[str, typer.Option(metavar="TEXT", help="Name of this configuration in reports.")] = "",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep results here; puzzles already in it are not run again.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Solve many puzzles and score them against their official solutions.

    The solutions are never visible to providers, ranking or search. There is a line per puzzle as it is done, and last
    the summary. The exit code is 0 when every puzzle could be run, however it was solved.
    """
    import time

    from agent.evaluate.metrics import Tally
    from agent.evaluate.results import Results
    from agent.evaluate.run import Configuration
    from agent.evaluate.run import evaluate as evaluate_all

    voice = asked.voice
    check_outputs(out)
    total = count(files)
    configuration = Configuration(asked.settings, tuple(map(str, asked.clue_sets)), label)
    said: set[str] = set()
    tally, started = Tally(), time.perf_counter()

    def last_words() -> None:
        kept = f"; the results so far are in {out}, and the same command goes on from there" if out else ""
        voice.warn(f"gridwright: interrupted{kept}")

    try:
        with ExitStack() as stack:
            results = stack.enter_context(Results(out, voice.warn)) if out else None
            stack.enter_context(interruptible(last_words, at_once=True))
            advance = stack.enter_context(progress(total and total * seeds, quiet=voice.quiet))
            lines = evaluate_all(
                (item for path in files for item in named_items(path)), configuration, executor=executor, jobs=jobs,
                asks=asks, seeds=seeds, results=results, warn=voice.warn,
            )  # fmt: skip
            for line in stack.enter_context(closing(lines)):
                advance()
                tally.add(line)
                for warning in set(() if "error" in line else line["warnings"]) - said:
                    said.add(warning)
                    voice.warn(f"warning: {warning}")
                emit_json(line) if as_json else emit(f"{line['id']:<20} {outcome(line)}")
    except KeyboardInterrupt:
        last_words()
        raise typer.Exit(INTERRUPTED) from None
    summary = tally.summary(time.perf_counter() - started)
    if as_json:
        emit_json({"summary": summary})
    else:
        emit("\n".join(f"{name:<20} {value}" for name, value in summary.items()))
    raise typer.Exit(NOT_SOLVED if summary["failed"] else DONE)


def outcome(line: Mapping[str, Any]) -> str:
    """Return in a few words how sure the solver is of a puzzle, and how many letters agree with the solution."""
    from agent.draw.doubt import percent

    if "error" in line:
        return f"failed: {line['error']}"
    sure = f"{percent(line['probability'])} sure"
    if line["letters"] is None:
        return sure
    right, total = line["letters"]
    return f"{sure}, {right} of {total} letters agree"


def named_items(path: Path) -> Iterator[Item]:
    """Read a file's puzzles; those without an identity of their own are called after the file."""
    from agent.formats import open_puzzles

    for number, item in enumerate(open_puzzles(path), 1):
        name = path.stem if number == 1 else f"{path.stem}-{number}"
        yield item if item.id else replace(item, id=name)


def count(files: Sequence[Path]) -> int | None:
    """Count the puzzles before the first is begun, which also finds files that cannot be read; not those of stdin."""
    from agent.formats import STDIN, count_puzzles

    if any(str(path) == STDIN for path in files):
        return None
    return sum(map(count_puzzles, files))


@contextmanager
def progress(total: int | None, *, quiet: bool) -> Iterator[Callable[[], None]]:
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
