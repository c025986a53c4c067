"""The command line: read the arguments, call the library, print, set the exit code. Nothing is decided here.

stdout carries the answer only; progress, warnings and cost go to stderr. docs/cli.md has the table of exit codes.
:mod:`agent.cli.common` has what all commands share, :mod:`agent.cli.options` the options that several have,
:mod:`agent.cli.puzzles` how puzzles come in and go out.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from agent import __version__
from agent.cli.common import end_now, examples, guard

if TYPE_CHECKING:
    from typer._click.core import Command

MODULES = {
    "solve": "solving",
    "candidates": "solving",
    "hint": "assisting",
    "check": "assisting",
    "verify": "assisting",
    "evaluate": "evaluation",
    "report": "comparing",
    "serve": "serving",
    "convert": "housekeeping",
    "config": "housekeeping",
    "models": "housekeeping",
    "judge": "judging",
    "cache": "housekeeping",
    "make": "grids",
    "lexicon": "words",
    "autotos": "judging",
}
"""Command -> the module of this package that adds it to the program, in the order of the help."""

NO_HOME = "/nonexistent"
"""Home of a user who has none, by the custom of Debian: no cache can be opened there, which says so if it is needed."""

COLLECT_AFTER = 100_000
"""Objects between two searches for garbage that refers to itself: more than a mini makes, at most some 20 MB."""


class Commands(Mapping[str, "Command"]):
    """The commands by name; each is loaded when it is looked up, as a start needs one of them."""

    def __getitem__(self, name: str) -> Command:
        return _commands_of(MODULES[name])[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


@cache
def _commands_of(module: str) -> Mapping[str, Command]:
    """Load the commands that a module of this package adds."""
    part = typer.Typer(rich_markup_mode=None)
    import_module(f"agent.cli.{module}").add_to(part)
    return typer.main.get_group(part).commands


class Program(TyperGroup):
    """The program; it knows the names of its commands, and loads those that are used."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = Commands()  # type: ignore[assignment]  # nothing is ever added to it


app = typer.Typer(
    name="gridwright",
    cls=Program,
    help="Solve mini crosswords from their clues, state how sure that is, and judge search code that models write.",
    epilog=examples(
        "gridwright solve today.puz",
        "gridwright solve today.txt --model gpt-5-mini",
        "gridwright hint today.ipuz",
        "gridwright solve --help",
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help and errors: they come at once, and read the same everywhere
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"gridwright {__version__}")
        raise typer.Exit


@app.callback()
def _gridwright(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    del version


def _make_do() -> None:
    """Stand in for what a service may start a program without: open standard streams, and a home of its user."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # until the end
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = NO_HOME


def main() -> None:
    """Run the command line."""
    _make_do()
    # Our matrices are small: threads that wait for each other make them five times slower on busy cores.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Searching all objects for circles is a fifth of a mini's time, by default and once more at the end; there are few.
    gc.set_threshold(COLLECT_AFTER)
    try:
        with guard():
            app()
    except SystemExit as ended:
        gc.freeze()
        if "agent.calls" in sys.modules:  # else no provider was asked
            from agent.calls import any_under_way

            if any_under_way():  # the interpreter's own end frees memory that such a thread uses: it can crash
                end_now(int(ended.code or 0))
        raise
