"""The options that write reports of a result: one for each form in :data:`agent.result.REPORTS`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from agent.cli.common import check_outputs, emit
from agent.cli.options import set_options
from agent.disk import write_file
from agent.errors import UsageError
from agent.result import REPORTS, Report, Result

STDOUT = Path("-")
"""A report written to this path goes to stdout, and replaces the answer as text."""

Reports: TypeAlias = dict[Report, Path]
"""The reports that were asked for, each with the file it goes to."""

OPTIONS = {
    one.name: Annotated[Path | None, typer.Option(metavar="FILE", help=f"{one.about}; - is stdout.")] for one in REPORTS
}


def writes_reports(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each form of report; the command gets those that were given as `reports`.

    >>> @writes_reports
    ... def show(word: str, *, reports: Reports) -> None:
    ...     print(word, [f"{report.name} to {path}" for report, path in reports.items()])
    >>> show("hello", html=Path("out.html"), svg=None)
    hello ['html to out.html']
    """

    @wraps(command)
    def run(*args: Any, **given: Any) -> None:
        asked = {one: given.pop(one.name, None) for one in REPORTS}
        command(*args, **given, reports={one: path for one, path in asked.items() if path is not None})

    set_options(run, command, OPTIONS, instead_of="reports")
    return run


def answers_as_text(*files: Path | None, as_json: bool = False) -> bool:
    """Return whether the answer goes to stdout as text: it does not if JSON or one of `files` goes there.

    Raises UsageError if stdout is named twice or a file cannot be written, so that this is found before the work.
    """
    check_outputs(*(path for path in files if path != STDOUT))
    to_stdout = files.count(STDOUT) + as_json
    if to_stdout > 1:
        named = ", ".join(f"--{one.name}" for one in REPORTS)
        raise UsageError(f"stdout carries one answer: name a file for all but one of {named} and --json")
    return not to_stdout


def write_outputs(result: Result, reports: Reports, *savers: Callable[[Any], None]) -> OSError | None:
    """Write each report that goes to a file, and call the savers; return the error of the first that failed.

    It is returned, not raised, so that the others are still written and the answer is printed.
    """

    def writes(report: Report, path: Path) -> Callable[[Any], None]:
        return lambda result: write_file(path, report.write(result))

    failed: OSError | None = None
    for save in (*savers, *(writes(report, path) for report, path in reports.items() if path != STDOUT)):
        try:
            save(result)
        except OSError as error:
            failed = failed or error
    return failed


def print_reports(result: Result, reports: Reports) -> None:
    """Print the report that goes to stdout, if there is one."""
    for report, path in reports.items():
        if path == STDOUT:
            emit(report.write(result).rstrip("\n"))
