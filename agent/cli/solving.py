"""The commands `gridwright solve` and `gridwright candidates`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agent.cli import exits
from agent.cli.asking import Asked, asks
from agent.cli.common import (
    clean,
    emit,
    emit_json,
    examples,
    has_colours,
    interruptible,
)
from agent.cli.grids import Count, Explain, Letters, ProveUnique
from agent.cli.live import LiveVoice
from agent.cli.options import AsJson, PuzzleArgument, Size
from agent.cli.puzzles import crossword, name_of, opened, saver
from agent.cli.reports import Reports, answers_as_text, print_reports, write_outputs, writes_reports
from agent.errors import FormatError, UsageError
from agent.filetypes import ENDINGS
from agent.text import counted

if TYPE_CHECKING:
    from agent.api import AnyPuzzle, GridResult, Solution
    from agent.candidates.provider import Question
    from agent.core import Event


class Ink(StrEnum):
    """The letters to write into the grid."""

    ALL = "all"
    SURE = "sure"


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        short_help="Solve a crossword from its clues.",
        epilog=examples(
            "gridwright solve today.puz",
            "pbpaste | gridwright solve - --model gpt-5-mini",
            "gridwright solve today.ipuz -m qwen3 --base-url http://localhost:11434/v1",
            "gridwright solve today.xd --clue-set recorded.jsonl --offline --json",
        ),
    )(solve)
    app.command(
        short_help="List the candidates for a clue or a puzzle.",
        epilog=examples(
            'gridwright candidates "Not out" --length 2',
            'gridwright candidates "Indian antelope" --pattern N?L?AI',
            "gridwright candidates today.puz --count 3",
        ),
    )(candidates)


@clean
@asks("rounds", "seconds", "patience", "max_calls", "max_tokens", "sure", voice=LiveVoice)
@writes_reports
def solve(
    asked: Asked,
    puzzle: PuzzleArgument,
    size: Size = None,
    ink: Annotated[
        Ink,
        typer.Option(help="Letters to write into the grid: all, or sure: none that is less than 50 % sure."),
    ] = Ink.ALL,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the answers of live providers to this clue set.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Write the filled puzzle: {ENDINGS}; of a picture, .png.")
    ] = None,
    count: Count = 1,
    prove_unique: ProveUnique = True,
    explain: Explain = False,
    letters: Letters = "",
    as_json: AsJson = False,
    *,
    reports: Reports,
) -> None:
    """Solve a crossword: print the grid and how sure it is, then each answer, how sure it is and where it comes from.

    Puzzles without clues are recognised by their content and solved too, with a proof of uniqueness.

    Without options the embedded lexicon answers, and nothing leaves the machine. For better answers name further
    providers: a language model, Datamuse, recorded clue sets.
    """
    from agent.api import CluedPuzzle, Solution

    as_text = answers_as_text(save, *reports.values(), as_json=as_json)
    found = opened(puzzle, asked.voice.warn, size=size, letters=letters)
    savers = [saver(found, save, asked.voice.warn)] if save else []
    if isinstance(found, CluedPuzzle):
        without_clues = {"--count": count > 1, "--any": not prove_unique, "--explain": explain}
        for name in (name for name, is_given in without_clues.items() if is_given):
            asked.voice.warn(f"warning: {name} is ignored: it is for puzzles without clues")
    elif record:
        asked.voice.warn("warning: --record is ignored: no provider is asked about a puzzle without clues")
    options = {"count": count, "prove_unique": prove_unique, "explain": explain}
    result = solve_any(found, puzzle, asked, record=record, last_grid=LastGrid(as_json, found.kind), **options)
    if ink == Ink.SURE and isinstance(result, Solution):
        result = result.inked()
    failed = write_outputs(result, reports, *savers)  # a closed pipe does not cost the files
    print_reports(result, reports)
    if as_json:
        emit_json(result.to_json())
    elif as_text:
        emit(result.to_text(colour=has_colours(sys.stdout)))
    if failed:  # nor a full disk the answer
        raise failed
    raise typer.Exit(exits.of_result(result))


@dataclass(slots=True)
class LastGrid:
    """The latest grid of a search, in case the process has to be ended.

    `probability` is that every letter of it is right, None if it is not known.
    """

    as_json: bool
    kind: str
    rows: Sequence[str] = ()
    probability: float | None = None

    def take(self, event: Event, *, is_inferred: bool) -> None:
        """Keep the grid of a round; of an inferred pattern (`is_inferred`) its letters alone have a probability."""
        if event.kind == "round":
            self.rows = event.data["rows"]
            self.probability = None if is_inferred else event.data["probability"]

    def to_json(self) -> dict[str, Any]:
        """Return the fields that are known of those that every result has, with the same meaning."""
        from agent.draw.doubt import rounded
        from agent.result import SCHEMA_VERSION

        return {
            "schema_version": SCHEMA_VERSION,
            "kind": self.kind,
            "probability": None if self.probability is None else rounded(self.probability),
            "solved": False,
            "grid": list(self.rows),
            "termination": "cancelled",
            "ended": "interrupted",
        }

    def print(self) -> None:
        """Print the grid if there is one; with JSON, print in any case."""
        if self.as_json:
            emit_json(self.to_json())
        elif self.rows:
            emit("\n".join(self.rows))


def solve_any(
    puzzle: AnyPuzzle,
    source: str,
    asked: Asked,
    *,
    record: Path | None = None,
    last_grid: LastGrid | None = None,
    **options: Any,
) -> Solution | GridResult:
    """Solve a puzzle, which came from the file `source`; warnings and the cost go to stderr.

    `last_grid` is printed if the process has to be ended; a hint passes none, as it must not give letters away.
    """
    from agent import api

    voice = asked.voice

    def last_words() -> None:
        voice.__exit__(None, None, None)
        if last_grid is not None:
            last_grid.print()
        what = ": this is the last grid it had" if last_grid is not None and last_grid.rows else ""
        voice.warn(f"gridwright: interrupted, and the search did not end in time{what}")

    def on_event(event: Event) -> None:
        if last_grid is not None:
            last_grid.take(event, is_inferred=isinstance(puzzle, api.ClueText))
        voice.on_event(event)

    with voice, interruptible(last_words) as stopped:
        if isinstance(puzzle, api.Puzzle):
            voice.on_event(api.Event("opened", {"grid": puzzle.grid}))
        try:
            result = api.solve(
                puzzle,
                asked.open_tools(record),
                seconds=asked.settings.seconds,
                patience=asked.settings.patience,
                on_event=on_event,
                cancelled=stopped.is_set,
                **options,
            )
        except FormatError as error:
            raise error.within(name_of(source)) from error
    if isinstance(result, api.Solution):
        say_cost(result, voice.warn)
    return result


def say_cost(solution: Solution, warn: Callable[[str], None]) -> None:
    """Report warnings, the limit that ended the work, and the usage of each provider."""
    for line in solution.warnings:
        warn(f"warning: {line}")
    if solution.ended:
        warn(f"cut short: {solution.ended}")
    for name, used in solution.stats.usage.items():
        said = [counted(used.calls, "request")]
        if used.tokens:
            said += [counted(used.tokens, "token"), "cost unknown" if used.cost is None else f"cost {used.cost:.4f}"]
        if used.cache_hits:
            said.append(f"{counted(used.cache_hits, 'answer')} from the cache")
        warn(f"{name}: {', '.join(said)}")


@clean
@asks()
def candidates(
    asked: Asked,
    clue: Annotated[str, typer.Argument(metavar="CLUE", help="A clue; or a puzzle's file, or - for stdin.")],
    length: Annotated[
        int | None, typer.Option("--length", "-n", metavar="N", min=1, help="Letters of the answer.")
    ] = None,
    pattern: Annotated[str | None, typer.Option(metavar="LETTERS", help="Known letters, such as A?R?.")] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Candidates to print for each clue.")] = 10,
    as_json: AsJson = False,
) -> None:
    """List the candidates for a clue, or for every slot of a puzzle, from all providers together."""
    from agent.assist import best_candidates, rank_all
    from agent.questions import ask

    if clue == "-" or Path(clue).is_file():
        if length is not None or pattern is not None:
            raise UsageError(f"--length and --pattern are for a single clue, and {clue} is a puzzle")
        questions = ask(crossword(opened(clue, asked.voice.warn), clue))
    else:
        questions = [one_question(clue, length, pattern)]
    with asked.voice, asked.open_tools() as tools:
        ranking = rank_all(questions, tools, asked.settings.patience, asked.voice.warn)
        listed = {question.slot: best_candidates(question, ranking, tools, count) for question in questions}
    if as_json:
        emit_json(listed)
        return
    for question in questions:
        emit(f"{question.slot}  {question.noted} ({question.length})")
        for found in listed[question.slot]:
            row = f"  {found['answer']}  {100 * found['probability']:5.1f} %  {found['source']}  {found['why']}"
            emit(row.rstrip())


def one_question(clue: str, length: int | None, pattern: str | None) -> Question:
    """Return the question for one clue. Raises UsageError if its length is unknown or the pattern is not valid."""
    from agent.candidates.provider import Question

    if pattern is not None:
        pattern = pattern.upper().replace(".", "?").replace("_", "?")
        if not pattern or not all(sign == "?" or (sign.isascii() and sign.isalpha()) for sign in pattern):
            raise UsageError(f"--pattern: expected letters and ? such as A?R?, not {pattern}")
        if length not in {None, len(pattern)}:
            raise UsageError(f"--pattern {pattern} has {len(pattern)} letters, --length says {length}")
    elif length is None:
        raise UsageError(f"how long is the answer? Give --length or --pattern (there is no file {clue})")
    return Question("clue", clue, length or len(pattern or ""), pattern or "")
