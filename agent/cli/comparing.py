"""The command that compares configurations: report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.common import Voice, check_outputs, clean, emit, emit_json, examples
from agent.cli.options import AsJson, Quiet
from agent.disk import write_file


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        short_help="Compare the results of evaluations.",
        epilog=examples(
            "gridwright report lexicon.jsonl lists.jsonl",
            "gridwright report all.jsonl --html report.html",
        ),
    )(report)


@clean
def report(
    files: Annotated[list[Path], typer.Argument(metavar="RESULTS", help="Files that evaluate --out wrote.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with charts, too.")] = None,
    resamples: Annotated[
        int, typer.Option(metavar="N", min=100, max=1_000_000, help="Number of draws of the bootstrap.")
    ] = 2000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same intervals.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare configurations on the puzzles that all of them did.

    Each configuration of each file is one; the first is what the others are held against. Letters, words and puzzles
    right come with intervals by paired bootstrap over puzzles, as do cost and time, accuracy against coverage, and the
    calibration of what is stated of whole grids, answers and letters.
    """
    from agent.evaluate.compare import compare, read_contestants
    from agent.evaluate.report import to_html, to_json, to_text

    check_outputs(html)
    comparison = compare(read_contestants(files, Voice(quiet).warn), resamples=resamples, seed=seed)
    if html:
        write_file(html, to_html(comparison))
    if as_json:
        emit_json(to_json(comparison))
    else:
        emit(to_text(comparison))
