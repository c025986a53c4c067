"""The commands `gridwright judge` and `gridwright autotos`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from agent.autotos.domain import ROLES, Domain, Instance, Role
from agent.autotos.domains import load, names
from agent.autotos.sandbox import BACKENDS, choose_backend
from agent.cli.common import check_outputs, clean, emit, emit_json, examples, settings_from, stop
from agent.cli.exits import DONE, INTERRUPTED, NOT_SOLVED, UNANSWERED
from agent.cli.options import AsJson, BaseUrl, ConfigFile
from agent.disk import write_file
from agent.errors import UnreadableError, UsageError
from agent.text import counted
from agent.warn import warn_on_stderr

if TYPE_CHECKING:
    from agent.autotos.evaluation import Row
    from agent.autotos.search import Strategy

DomainName = Annotated[
    str,
    typer.Option(
        "--domain",
        metavar="NAME",
        help=f"Search space: {', '.join(names())}; or a .py file that defines one, which is executed.",
    ),
]
BackendName = Annotated[str, typer.Option("--backend", metavar="NAME", help=f"Sandbox: {', '.join(BACKENDS)}.")]
Unsafe = Annotated[
    bool, typer.Option("--unsafe-exec", help="If no sandbox works, run the code all the same, with your own rights.")
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", help="Seed of the states to judge on: the same one gives the same verdict."),
]


def _given(domain: Domain, path: str, seed: int) -> list[Instance]:
    """Return the instances of a file to judge on as well. Raises UnreadableError."""
    from agent.autotos.evaluation import load_instances

    try:
        return list(domain.recombine(load_instances(domain, path), Random(seed))) if path else []
    except ValueError as error:
        raise UnreadableError(f"{path}: {error}") from None


def _roles(name: str) -> tuple[Role, ...]:
    if name and name not in ROLES:
        raise UsageError(f"unknown role {name}; choose from {', '.join(ROLES)}")
    return tuple(role for role in ROLES if name in ("", role))


@clean
def judge(
    files: Annotated[
        list[str], typer.Argument(metavar="FILES", help="Python files, or JSON lines with role and source; - is stdin.")
    ],
    domain: DomainName = "crossword",
    backend: BackendName = "auto",
    unsafe_exec: Unsafe = False,
    seed: Seed = 0,
    role: Annotated[str, typer.Option("--role", metavar="NAME", help="Judge this role only: successor or goal.")] = "",
    as_json: AsJson = False,
    instances: Annotated[
        str,
        typer.Option(
            "--instances",
            metavar="PATH",
            help="Instances to judge on as well; crosswords exchange their lists, so that none is shown as it is.",
        ),
    ] = "",
    html: Annotated[str, typer.Option("--html", metavar="FILE", help="Write a report to this file.")] = "",
) -> None:
    """Judge successor and goal functions strictly: exact, goal-preserving, or at fault with a counter-example.

    Exit code 0 when every function is accepted, 1 when one is not.
    """
    from agent.autotos.judge import judge_all
    from agent.autotos.report import line, page
    from agent.autotos.submissions import read_file

    check_outputs(html)
    kind = load(domain)
    submissions = [submission for path in files for submission in read_file(path, _roles(role))]
    extra = _given(kind, instances, seed)
    if not submissions:
        raise UnreadableError("no function to judge")
    sandbox = choose_backend(backend, allow_unsafe=unsafe_exec)
    judged = []
    try:
        for submission, verdict in judge_all(submissions, kind, backend=sandbox, seed=seed, extra=extra):
            judged.append((submission, verdict))
            if as_json:
                emit_json({**submission.identity, **verdict.to_json()})
            else:
                emit(line(submission.label, verdict))
    except KeyboardInterrupt:
        stop(INTERRUPTED, f"interrupted after {len(judged)} of {len(submissions)} functions")
    accepted = sum(verdict.is_accepted for _, verdict in judged)
    warn_on_stderr(f"{accepted} of {counted(len(judged), 'function')} accepted, back-end {sandbox}, seed {seed}")
    if html:
        write_file(html, page([(one.label, verdict) for one, verdict in judged]))
    raise typer.Exit(DONE if accepted == len(judged) else NOT_SOLVED)


autotos_app = typer.Typer(
    help="Let a model write successor and goal functions, judge them strictly, and record it all.",
    invoke_without_command=True,
    no_args_is_help=True,
)

Instances = Annotated[
    str, typer.Option("--instances", metavar="PATH", help="Instances to search, a file or a folder; else made ones.")
]
Reference = Annotated[bool, typer.Option("--reference/--no-reference", help="Search with the trusted functions, too.")]
StrategyName = Annotated[
    str, typer.Option("--strategy", metavar="NAME", help="Order of the search: dfs, bfs, best-first or all.")
]
SearchSeconds = Annotated[
    float, typer.Option("--search-seconds", metavar="S", min=0, help="Maximum seconds per instance.")
]
SearchExpansions = Annotated[
    int, typer.Option("--search-expansions", metavar="N", min=0, help="Maximum number of expansions per instance.")
]
Attempts = Annotated[
    int, typer.Option("--max-attempts", metavar="N", min=1, help="Maximum number of attempts per function.")
]
MaxCalls = Annotated[int, typer.Option("--max-calls", metavar="N", min=1, help="Maximum number of calls per run.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", metavar="N", help="Maximum number of tokens in all.")]
Improve = Annotated[
    int, typer.Option("--improve", metavar="N", min=0, help="Maximum number of attempts at a faster function.")
]
Html = Annotated[str, typer.Option("--html", metavar="FILE", help="Write a report to this file.")]


@autotos_app.callback()
@clean
def autotos(
    context: typer.Context,
    model: Annotated[str | None, typer.Option("--model", "-m", metavar="NAME", help="Language model to ask.")] = None,
    base_url: BaseUrl = None,
    runs: Annotated[int, typer.Option("--runs", metavar="N", min=1, help="Independent runs.")] = 1,
    log: Annotated[str, typer.Option("--log", metavar="FILE", help="Journal; an existing one is resumed.")] = "",
    domain: DomainName = "crossword",
    backend: BackendName = "auto",
    unsafe_exec: Unsafe = False,
    seed: Seed = 0,
    attempts: Attempts = 10,
    max_calls: MaxCalls = 24,
    max_tokens: MaxTokens = None,
    improve: Improve = 1,
    instances: Instances = "",
    strategy: StrategyName = "dfs",
    search_seconds: SearchSeconds = 60.0,
    search_expansions: SearchExpansions = 2_000_000,
    reference: Reference = True,
    as_json: AsJson = False,
    html: Html = "",
    config: ConfigFile = None,
) -> None:
    """Run the loop: prompt, judge, feedback, until both functions are accepted; then search with them.

    Exit code 0 when a run was accepted, 1 when none was, 4 when the model could not be asked or no sandbox works.
    """
    if context.invoked_subcommand is not None:
        return
    from agent.autotos.evaluation import load_instances, reference_rows, rows
    from agent.autotos.farm import Search
    from agent.autotos.journal import Journal
    from agent.autotos.loop import LoopBudget, run_loop
    from agent.autotos.loop_report import loop_page
    from agent.autotos.model import connect
    from agent.autotos.report import table, visible
    from agent.autotos.results import RunResult, summary
    from agent.autotos.search import SearchLimits

    settings = settings_from(config, model=model, base_url=base_url, max_tokens=max_tokens)
    if not settings.model:
        raise UsageError("no model is named: start with --model")
    check_outputs(html, log)
    kind = load(domain)
    sandbox = choose_backend(backend, allow_unsafe=unsafe_exec)
    budget = LoopBudget(attempts=attempts, calls=max_calls, improve=improve)
    limits = SearchLimits(seconds=search_seconds, expansions=search_expansions)

    def tell(result: RunResult) -> None:
        emit_json(result.to_json()) if as_json else emit(visible(result.line()))

    try:
        to_search, orders = load_instances(kind, instances), _strategies(strategy)
        with Journal(Path(log) if log else None) as journal, connect(settings) as complete:
            results = run_loop(
                runs, kind, complete, journal,
                model=settings.model, backend=sandbox, seed=seed, budget=budget, on_result=tell,
            )  # fmt: skip
    except KeyboardInterrupt:
        stop(INTERRUPTED, f"interrupted{f'; resume with --log {log}' if log else ''}")
    pairs = [(f"run {result.run}", result.pair()) for result in results if result.is_accepted]
    searches = [rows(name, to_search, orders, Search(kind, pair, sandbox, limits)) for name, pair in pairs]
    if reference and pairs:
        searches.append(reference_rows(kind, to_search, orders, limits))
    done, _ = _shown(chain.from_iterable(searches), as_json=as_json)
    finished = [result for result in results if journal.find("end", result.run)]
    total = summary([result.to_json() for result in finished])
    if finished:
        emit_json({"summary": total}) if as_json else emit(table(total))
    if html:
        write_file(html, loop_page([journal], done, kind.published))
    if not finished:
        stop(UNANSWERED, results[-1].ended)
    raise typer.Exit(DONE if total["accepted"] else NOT_SOLVED)


def _shown(rows: Iterable[Row], *, as_json: bool) -> tuple[list[Row], bool]:
    """Print searches as they end, until Ctrl-C; return them, and whether they were interrupted."""
    from agent.autotos.report import visible

    done: list[Row] = []
    try:
        for row in rows:
            done.append(row)
            emit_json(row.to_json()) if as_json else emit(visible(row.line()))
    except KeyboardInterrupt:
        return done, True
    return done, False


def _strategies(name: str) -> Sequence[Strategy]:
    from agent.autotos.search import STRATEGIES

    chosen = tuple(one for one in STRATEGIES if name in (one, "all"))
    if not chosen:
        raise UsageError(f"unknown strategy {name}; choose from {', '.join(STRATEGIES)}, all")
    return chosen


@autotos_app.command(
    "replay",
    short_help="Run a recorded loop again, without a model.",
    epilog=examples("gridwright autotos replay log.jsonl"),
)
@clean
def replay_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help="Journal of a loop.")],
    backend: BackendName = "auto",
    unsafe_exec: Unsafe = False,
    as_json: AsJson = False,
    html: Html = "",
) -> None:
    """Run a recorded loop again without a model, and check that every verdict comes out the same.

    Exit code 0 when all are the same, 1 when one differs.
    """
    from agent.autotos.journal import Journal
    from agent.autotos.loop import replay
    from agent.autotos.loop_report import loop_page
    from agent.autotos.report import table, visible
    from agent.autotos.results import summary

    check_outputs(html)
    sandbox = choose_backend(backend, allow_unsafe=unsafe_exec)
    results, changed = replay(Path(log), backend=sandbox)
    for result in results:
        emit_json(result.to_json()) if as_json else emit(visible(result.line()))
    total = summary([result.to_json() for result in results])
    emit_json({"summary": total, "differences": changed}) if as_json else emit(table(total))
    for difference in changed:
        warn_on_stderr(difference)
    if html:
        write_file(html, loop_page([Journal(Path(log), must_exist=True)]))
    raise typer.Exit(NOT_SOLVED if changed else DONE)


@autotos_app.command(
    "report",
    short_help="Compare recorded loops and models.",
    epilog=examples("gridwright autotos report one.jsonl other.jsonl --html loops.html"),
)
@clean
def report_command(
    logs: Annotated[list[str], typer.Argument(metavar="LOGS", help="Journals of loops, of one model or several.")],
    as_json: AsJson = False,
    html: Html = "",
) -> None:
    """Compare the runs and models of recorded loops; nothing is asked or judged."""
    from agent.autotos.journal import Journal
    from agent.autotos.loop_report import figures, loop_page
    from agent.autotos.report import visible

    check_outputs(html)
    journals = [Journal(Path(log), must_exist=True) for log in logs]
    for model, own in figures(journals).items():
        row = {"model": model, **own}
        emit_json(row) if as_json else emit(visible(", ".join(f"{name} {value}" for name, value in row.items())))
    if html:
        write_file(html, loop_page(journals))


@autotos_app.command(
    "search",
    short_help="Search with a pair of functions, in the sandbox.",
    epilog=examples("gridwright autotos search functions.py --strategy dfs"),
)
@clean
def search_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES",
            help="Files with one successor and one goal function; without any, the trusted functions search.",
        ),
    ] = None,
    instances: Instances = "",
    strategy: StrategyName = "dfs",
    search_seconds: SearchSeconds = 60.0,
    search_expansions: SearchExpansions = 2_000_000,
    reference: Reference = True,
    executor: Annotated[
        str, typer.Option("--executor", metavar="NAME", help="Where to search: processes, threads or dask://HOST:PORT.")
    ] = "processes",
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Number of searches at a time.")] = 1,
    results: Annotated[
        str,
        typer.Option(
            "--results", metavar="FILE", help="Keep outcomes in this file; those in it are not searched again."
        ),
    ] = "",
    domain: DomainName = "crossword",
    backend: BackendName = "auto",
    unsafe_exec: Unsafe = False,
    as_json: AsJson = False,
    html: Html = "",
) -> None:
    """Search with a pair of functions, in the sandbox, and judge success outside.

    Exit code 0 when every instance was solved, or came out as it is known to.
    """
    from agent.autotos.evaluation import load_instances, one_by_one, pair_from, reference_rows, rows
    from agent.autotos.farm import Search, farmed
    from agent.autotos.report import search_page
    from agent.autotos.search import SearchLimits
    from agent.autotos.submissions import read_file
    from agent.evaluate.executors import open_pool
    from agent.evaluate.results import Results

    check_outputs(html, results)
    kind = load(domain)
    limits = SearchLimits(seconds=search_seconds, expansions=search_expansions)
    to_search = load_instances(kind, instances)
    orders = _strategies(strategy)
    pair = pair_from([one for path in files for one in read_file(path)]) if files else None
    sandbox = choose_backend(backend, allow_unsafe=unsafe_exec) if pair else "native"
    with ExitStack() as stack:
        runs = one_by_one
        if jobs > 1 or executor != "processes" or results:
            pool = stack.enter_context(open_pool(executor, jobs=jobs))
            kept = stack.enter_context(Results(Path(results), warn_on_stderr)) if results else None
            runs = partial(farmed, pool=pool, kept=kept)
        searches = [rows("functions", to_search, orders, Search(kind, pair, sandbox, limits), runs)] if pair else []
        if reference or not pair:
            searches.append(reference_rows(kind, to_search, orders, limits, runs))
        done, interrupted = _shown(chain.from_iterable(searches), as_json=as_json)
    if html:
        write_file(html, search_page(done, kind.published))
    if interrupted:
        stop(INTERRUPTED, f"interrupted after {len(done)} searches")
    own = [row.run for row in done if row.who == ("functions" if files else "reference")]
    raise typer.Exit(DONE if all(run.solved if run.as_known is None else run.as_known for run in own) else NOT_SOLVED)


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        "judge",
        short_help="Judge successor and goal functions strictly.",
        epilog=examples(
            "gridwright judge functions.py",
            "gridwright judge rows.jsonl --json --html verdicts.html",
            "gridwright judge functions.py --domain sokoban --role goal",
        ),
    )(judge)
    app.add_typer(autotos_app, name="autotos", short_help="Let a model write search code, and judge it.")
