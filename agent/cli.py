"""The command line: read the arguments, call the library, print, set the exit code. Nothing is decided here.

stdout carries the answer only; progress, warnings and cost go to stderr. Exit codes: 0 solved and verified,
1 searched but not solved, 2 usage, 3 unreadable puzzle, 4 no provider could answer, 5 budget ran out, 130 interrupted.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from math import exp
from pathlib import Path
from typing import Annotated, Any, NoReturn, ParamSpec

import typer

from agent.candidates.provider import ProviderError, Question
from agent.config import SETTINGS, ConfigError, Settings, load_settings
from agent.core import Budget, Event
from agent.core.outcome import ignore
from agent.formats import ClueText, FormatError, open_puzzle, open_puzzles, write_puzzle
from agent.grid import Grid, Puzzle

SOLVED, NOT_SOLVED, USAGE, UNREADABLE, NO_PROVIDER, BUDGET, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

app = typer.Typer(
    name="gridwright",
    help="Solve mini crosswords from their clues, prove the grid, and judge search code that models write.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
cache_app = typer.Typer(help="Look at, export or clear what providers answered.", no_args_is_help=True)
app.add_typer(cache_app, name="cache")

P = ParamSpec("P")

PuzzleArgument = Annotated[
    str, typer.Argument(metavar="PUZZLE", help="File, or - for stdin: .xd .puz .ipuz JSON or clue text.")
]
ClueSets = Annotated[list[Path] | None, typer.Option("--clue-set", help="Recorded candidates; may be given again.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Offline = Annotated[
    bool | None, typer.Option("--offline", help="Open no socket; answer from cache, clue sets, lexicon.")
]
Providers = Annotated[str | None, typer.Option(help="Who is asked, with commas: llm, datamuse, lexicon.")]
Model = Annotated[str | None, typer.Option("--model", "-m", help="Language model; naming one adds the provider llm.")]
BaseUrl = Annotated[str | None, typer.Option(help="OpenAI-compatible server of that model.")]
Rounds = Annotated[int | None, typer.Option(help="Times that unsure slots are asked again.")]
Seconds = Annotated[float | None, typer.Option(help="Seconds of search at most.")]
Size = Annotated[str | None, typer.Option(help="Size of the grid where only clues are given, such as 5x5.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings file instead of the user's own.")]
GridText = Annotated[
    str, typer.Option("--grid", help="Rows with / between them, or a file: letters, . empty, # block.")
]


def warn(text: str) -> None:
    """Write one line to stderr."""
    print(text, file=sys.stderr)


def stop(code: int, text: str) -> NoReturn:
    """Say why it ends, and end."""
    warn(f"gridwright: {text}")
    raise typer.Exit(code)


def clean(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that users cause into one line and the right exit code."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except FormatError as error:
            stop(UNREADABLE, str(error))
        except ProviderError as error:
            stop(NO_PROVIDER, str(error))
        except (ConfigError, ValueError, KeyError) as error:
            stop(USAGE, str(error.args[0]) if isinstance(error, KeyError) else str(error))
        except OSError as error:
            stop(USAGE, f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except KeyboardInterrupt:
            stop(INTERRUPTED, "interrupted")

    return run


def settings_from(config: Path | None = None, **flags: Any) -> Settings:
    """Put the settings together: flags, environment, file, defaults."""
    providers = flags.get("providers")
    if isinstance(providers, str):
        flags["providers"] = tuple(name.strip() for name in providers.split(",") if name.strip())
    return load_settings(flags=flags, file=config)


def parse_size(size: str | None) -> tuple[int, int] | None:
    """Read WxH."""
    if size is None:
        return None
    width, _, height = size.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise ValueError(f"--size: expected width x height such as 5x5, found {size}")
    return int(width), int(height)


def parse_grid(text: str) -> Grid:
    """Read a grid from rows with slashes, or from a file of rows."""
    path = Path(text)
    if "/" not in text.strip("/") or path.is_file():
        try:
            text = path.read_text("utf-8")
        except OSError as error:
            raise FormatError(
                f"expected rows such as CAT/A.E, or a readable file: {error.strerror}", file=str(path)
            ) from error
    return Grid.parse(text.replace("/", "\n"))


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Let the first Ctrl-C ask the search to stop, and a second one end the program."""
    asked = threading.Event()

    def handler(number: int, frame: object) -> None:
        del number, frame
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = signal.signal(signal.SIGINT, handler)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def one_crossword(puzzle: Puzzle | ClueText) -> Puzzle:
    """Insist on a grid. Raises FormatError for clue text alone."""
    if isinstance(puzzle, ClueText):
        raise FormatError("expected a puzzle with a grid, found clues alone: solve them first, with --save")
    return puzzle


def solve_any(
    source: str, settings: Settings, clue_sets: Sequence[Path], size: tuple[int, int] | None, record: Path | None = None
) -> Any:
    """Open a puzzle and solve it; returns a Solution."""
    from agent.solve import solve, solve_clues
    from agent.tools import open_tools

    puzzle = open_puzzle(source, size=size)
    with open_tools(settings, clue_sets, warn, record=record) as tools, interruptible() as asked:
        budget = Budget(seconds=settings.seconds or float("inf"), cancelled=asked.is_set)
        on_event = show_progress if sys.stderr.isatty() else ignore
        if isinstance(puzzle, ClueText):
            try:
                return solve_clues(puzzle, tools, budget=budget, on_event=on_event)
            except ValueError as error:
                raise FormatError(str(error), file=source) from error
        return solve(puzzle, tools, budget=budget, on_event=on_event)


def show_progress(event: Event) -> None:
    """Tell a person at a terminal what goes on."""
    if event.kind == "proposed":
        found = event.data["candidates"]
        warn(f"{event.data['provider']}: {sum(map(len, found.values()))} candidates for {len(found)} slots")
    elif event.kind == "round" and event.data["unsure"]:
        warn(f"round {event.data['round']}: unsure of {', '.join(event.data['unsure'])}")
    elif event.kind == "pattern":
        warn(f"pattern {'/'.join(event.data['rows'])}: {event.data['cost']:.1f} nats")


def exit_code(solution: Any) -> int:
    """Map how a solve ended to the exit code."""
    if solution.termination == "cancelled":
        return INTERRUPTED
    if solution.verified:
        return SOLVED
    if solution.termination == "budget":
        return BUDGET
    nothing = all(answer.source == "crossings" for answer in solution.answers)
    return NO_PROVIDER if solution.warnings and nothing else NOT_SOLVED


@app.command()
@clean
def solve(
    puzzle: PuzzleArgument,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    rounds: Rounds = None,
    seconds: Seconds = None,
    max_calls: Annotated[int | None, typer.Option(help="Requests to the language model at most.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens of the language model at most.")] = None,
    size: Size = None,
    record: Annotated[Path | None, typer.Option(help="Add what live providers answer to this clue set.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the filled puzzle; the ending says the format.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report as an HTML page.")] = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Solve a crossword and print the grid, the answers, how sure each is and where it comes from.

    Without options the embedded lexicon answers, and nothing leaves the machine. Name who is to be asked:
    --model M (with --base-url for a server of your own), --providers datamuse,lexicon, --clue-set FILE.
    """
    from agent.report import to_html, to_json, to_text

    settings = settings_from(
        config, providers=providers, model=model, base_url=base_url, offline=offline, rounds=rounds, seconds=seconds,
        max_calls=max_calls, max_tokens=max_tokens,
    )  # fmt: skip
    solution = solve_any(puzzle, settings, clue_set or [], parse_size(size), record)
    print(json.dumps(to_json(solution), ensure_ascii=False) if as_json else to_text(solution))
    for line in solution.warnings:
        warn(f"warning: {line}")
    if save:
        save.write_bytes(write_puzzle(solution.puzzle, suffix_format(save), filled=solution.grid))
    if html:
        html.write_text(to_html(solution), "utf-8")
    raise typer.Exit(exit_code(solution))


def suffix_format(path: Path) -> Any:
    """Read the format from a file's ending. Raises ValueError where there is no such format."""
    endings = {".xd": "xd", ".ipuz": "ipuz", ".puz": "puz", ".json": "json", ".txt": "text"}
    if path.suffix.lower() not in endings:
        raise ValueError(f"{path}: expected an ending of {', '.join(endings)}")
    return endings[path.suffix.lower()]


@app.command()
@clean
def candidates(
    clue: Annotated[str, typer.Argument(help="A clue, or a puzzle file.")],
    length: Annotated[int | None, typer.Option("--length", "-n", help="Letters of the answer.")] = None,
    pattern: Annotated[str | None, typer.Option(help="Known letters, such as A?R?.")] = None,
    count: Annotated[int, typer.Option(help="Candidates to print for each clue.")] = 10,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """List the candidates for a clue, or for every slot of a puzzle, fused from all providers."""
    from agent.candidates.ranking import rank
    from agent.solve import ask, propose
    from agent.tools import open_tools

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    if Path(clue).is_file() or clue == "-":
        questions = ask(one_crossword(open_puzzle(clue)))
    elif length or pattern:
        questions = [Question("clue", clue, length or len(pattern or ""), (pattern or "").upper())]
    else:
        raise ValueError("how long is the answer? give --length or --pattern")
    warnings: list[str] = []
    with open_tools(settings, clue_set or [], warn) as tools:
        proposals = propose(tools.providers, questions, warnings, ignore)
        ranking = rank(questions, proposals, tools.fallback)
        listed = {}
        for question in questions:
            domain = ranking.domains[question.slot]
            best = []
            for index in domain.costs.argsort().tolist():
                word = domain.word(index)
                if question.admits(word):
                    sources = {c.source for c in ranking.sources(question.slot, word)}
                    why = tools.fallback.why(question.clue, word) if tools.fallback else ""
                    best.append(
                        (
                            word,
                            exp(-domain.costs[index]),
                            " + ".join(sorted(sources)) or "lexicon",
                            why,
                        )
                    )
                if len(best) == count:
                    break
            listed[question.slot] = best
    for line in warnings:
        warn(f"warning: {line}")
    if as_json:
        fields = ("answer", "probability", "source", "why")
        print(
            json.dumps({slot: [dict(zip(fields, row, strict=True)) for row in rows] for slot, rows in listed.items()})
        )
    else:
        for question in questions:
            print(f"{question.slot}  {question.clue} ({question.length})")
            for word, probability, source, why in listed[question.slot]:
                print(f"  {word}  {100 * probability:5.1f} %  {source}  {why}".rstrip())
    if warnings and not any(listed.values()):
        raise typer.Exit(NO_PROVIDER)


@app.command()
@clean
def hint(
    puzzle: PuzzleArgument,
    slot: Annotated[str, typer.Argument(help="A slot such as 4D; without one, the surest letter of any.")] = "",
    whole: Annotated[bool, typer.Option(help="Give the whole answer of the slot.")] = False,
    grid: GridText = "",
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Give one letter, or one answer, and no more away."""
    from agent.assist import hint_letter, hint_slot

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    if whole and not slot:
        raise ValueError("--whole needs a slot, such as 4D")
    solution = solve_any(puzzle, settings, clue_set or [], None)
    partial = parse_grid(grid) if grid else solution.puzzle.grid
    if partial.blocks != solution.grid.blocks:
        raise ValueError("--grid: its blocks are not the puzzle's")
    found = hint_slot(solution, slot) if whole else hint_letter(solution, partial, slot)
    if found is None:
        stop(NOT_SOLVED, "nothing is left to give away")
    if as_json:
        print(
            json.dumps(
                {
                    "slot": found.slot,
                    "position": found.position,
                    "text": found.text,
                    "probability": round(found.probability, 4),
                }
            )
        )
    else:
        print(found)


@app.command()
@clean
def check(
    puzzle: PuzzleArgument,
    grid: GridText,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Say which filled cells of a partial grid are surely wrong and which are unsure; exit 1 if any is wrong."""
    from agent.assist import judge_cells

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    solution = solve_any(puzzle, settings, clue_set or [], None)
    partial = parse_grid(grid)
    judged = judge_cells(solution, partial)
    rows = [
        {
            "row": cell // partial.width + 1,
            "column": cell % partial.width + 1,
            "letter": partial.cells[cell],
            "judgement": judgement,
        }
        for cell, judgement in judged.items()
    ]
    if as_json:
        print(json.dumps({"cells": rows}))
    else:
        doubtful = [row for row in rows if row["judgement"] != "fine"]
        for row in doubtful:
            print(f"row {row['row']} column {row['column']}: {row['letter']} is {row['judgement']}")
        print(f"{len(rows)} cells checked, {len(doubtful)} not confirmed")
    raise typer.Exit(NOT_SOLVED if any(row["judgement"] == "wrong" for row in rows) else SOLVED)


@app.command()
@clean
def verify(
    puzzle: PuzzleArgument,
    grid: GridText,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Prove that a filled grid holds, or show what does not: crossings, candidates of every clue, no answer twice."""
    from agent.assist import verify_filled
    from agent.candidates.ranking import rank
    from agent.solve import ask, propose
    from agent.tools import open_tools

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    opened, filled = one_crossword(open_puzzle(puzzle)), parse_grid(grid)
    if filled.blocks != opened.grid.blocks:
        raise ValueError("--grid: its blocks are not the puzzle's")
    questions, warnings = ask(opened), list[str]()
    with open_tools(settings, clue_set or [], warn) as tools:
        ranking = rank(questions, propose(tools.providers, questions, warnings, ignore), tools.fallback)
    for line in warnings:
        warn(f"warning: {line}")
    proof = verify_filled(opened, filled, ranking.domains)
    print(json.dumps({"verified": proof.holds, "faults": list(proof.faults)}) if as_json else proof)
    raise typer.Exit(SOLVED if proof.holds else NOT_SOLVED)


@app.command()
@clean
def evaluate(
    files: Annotated[list[Path], typer.Argument(help="Puzzle files, or JSON lists of puzzles.")],
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    rounds: Rounds = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds of search at most for each puzzle.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes; 0: as many as pay.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Keep results here; what stands there is not run again.")] = None,
    as_json: AsJson = False,
    config: ConfigFile = None,
) -> None:
    """Solve many puzzles and score them against their official solutions."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from agent.evaluate.metrics import summarise
    from agent.evaluate.results import Results
    from agent.evaluate.run import Configuration
    from agent.evaluate.run import evaluate as evaluate_all

    settings = settings_from(
        config, providers=providers, model=model, base_url=base_url, offline=offline, rounds=rounds, seconds=seconds
    )
    items = [item for path in files for item in open_puzzles(path)]
    configuration = Configuration(settings, tuple(map(str, clue_set or [])))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, disable=not terminal.is_terminal, transient=True) as progress:
        task = progress.add_task("puzzles", total=len(items))

        def on_line(line: Mapping[str, Any]) -> None:
            progress.advance(task)
            if as_json:
                print(json.dumps(line, ensure_ascii=False), flush=True)

        lines, took = evaluate_all(items, configuration, jobs=jobs, results=Results(out), on_line=on_line)
    summary = summarise(lines, took)
    if as_json:
        print(json.dumps({"summary": summary}))
    else:
        for line in lines:
            said = line.get("error") or ("solved" if line["solved"] else "filled" if line["verified"] else "open")
            print(f"{line['id'] or '?':<16} {said}")
        print(", ".join(f"{name} {value}" for name, value in summary.items()))


@app.command()
@clean
def convert(
    puzzle: PuzzleArgument,
    out: Annotated[Path, typer.Argument(help="File to write; its ending says the format: .xd .ipuz .puz .json .txt")],
) -> None:
    """Write a puzzle in another format, with the solution it carries."""
    out.write_bytes(write_puzzle(one_crossword(open_puzzle(puzzle)), suffix_format(out)))


@cache_app.command("info")
@clean
def cache_info(as_json: AsJson = False, config: ConfigFile = None) -> None:
    """Say where the cache is, what it holds and how large it is."""
    from dataclasses import asdict

    from agent.cache import Cache

    with Cache(settings_from(config).cache_dir, warn=warn) as cache:
        info = cache.info()
    print(json.dumps(asdict(info), default=str) if as_json else info)


@cache_app.command("export")
@clean
def cache_export(out: Annotated[Path, typer.Argument(help="Clue set to add to.")], config: ConfigFile = None) -> None:
    """Write what language models answered as a clue set, for offline runs."""
    from agent.cache import Cache
    from agent.candidates.clueset import record
    from agent.candidates.llm import recorded

    lines = 0
    with Cache(settings_from(config).cache_dir, warn=warn) as cache:
        for question, found in recorded(cache):
            lines += record(out, [question], {question.slot: found})
    print(f"{lines} new lines in {out}")


@cache_app.command("clear")
@clean
def cache_clear(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: what was paid for is lost.")] = False,
    config: ConfigFile = None,
) -> None:
    """Delete every kept response, after asking."""
    from agent.cache import Cache

    if not yes:
        typer.confirm("Delete every response that providers gave, paid ones too?", abort=True, err=True)
    with Cache(settings_from(config).cache_dir, warn=warn) as cache:
        print(f"{cache.clear()} responses deleted")


@app.command("config")
@clean
def config_command(as_json: AsJson = False, config: ConfigFile = None) -> None:
    """Show every setting, its value and where it comes from."""
    rows = list(settings_from(config).rows())
    if as_json:
        print(json.dumps({name: {"value": value, "origin": origin} for name, value, origin in rows}))
        return
    for name, value, origin in rows:
        print(f"{name:<14} {value:<40} {origin:<24} {SETTINGS[name].metadata['about']}")


@app.command()
@clean
def models(base_url: BaseUrl = None, config: ConfigFile = None) -> None:
    """List the models that the server offers."""
    from agent.llm.client import Client
    from agent.llm.errors import LlmError

    settings = settings_from(config, base_url=base_url)
    try:
        with Client("", settings.base_url, settings.api_key, timeout=settings.timeout) as client:
            for name in client.models():
                print(name)
    except LlmError as error:
        raise ProviderError(str(error)) from error


def main() -> None:
    """Run the command line."""
    app()
