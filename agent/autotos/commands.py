"""The commands `gridwright judge` and `gridwright autotos`; the command line registers them, the work is elsewhere."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from agent.autotos.domains import DOMAINS
from agent.autotos.sandbox import BACKENDS, SandboxRefused, choose_backend
from agent.autotos.submissions import UnreadableError

EXIT_ACCEPTED = 0
EXIT_NOT_ACCEPTED = 1
EXIT_USAGE = 2
EXIT_UNREADABLE = 3
EXIT_REFUSED = 4
"""No safe sandbox: nothing was executed."""

DomainName = Annotated[str, typer.Option("--domain", help=f"Kind of puzzle: {', '.join(DOMAINS)}.")]
BackendName = Annotated[str, typer.Option("--backend", help=f"Sandbox: {', '.join(BACKENDS)}.")]
Unsafe = Annotated[bool, typer.Option("--unsafe-exec", help="Where no sandbox works, run with your own rights.")]
Seed = Annotated[int, typer.Option("--seed", help="Makes the states judged on; the same seed, the same verdict.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one line each.")]


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _stop(text: str, code: int) -> typer.Exit:
    _say(f"gridwright: {text}")
    return typer.Exit(code)


def _domain(name: str) -> Any:
    if name not in DOMAINS:
        raise _stop(f"no domain {name}: choose one of {', '.join(DOMAINS)}", EXIT_USAGE)
    return DOMAINS[name]


def _backend(name: str, *, unsafe: bool) -> Any:
    try:
        return choose_backend(name, allow_unsafe=unsafe)
    except SandboxRefused as refusal:
        raise _stop(str(refusal), EXIT_REFUSED) from None
    except ValueError as error:
        raise _stop(str(error), EXIT_USAGE) from None


def judge(
    files: Annotated[list[str], typer.Argument(help="Python files, or JSON lines with role and source; - is stdin.")],
    domain: DomainName = "crossword",
    backend: BackendName = "auto",
    unsafe_exec: Unsafe = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    html: Annotated[str, typer.Option("--html", help="Write a report to this file.")] = "",
) -> None:
    """Judge successor and goal functions strictly: exact, goal-preserving, or at fault with a counter-example.

    Exit code 0 when every function is accepted, 1 when one is not.
    """
    from agent.autotos.judge import judge_all
    from agent.autotos.report import line, page
    from agent.autotos.submissions import read_file

    kind = _domain(domain)
    try:
        submissions = [submission for path in files for submission in read_file(path, kind)]
    except UnreadableError as error:
        raise _stop(str(error), EXIT_UNREADABLE) from None
    if not submissions:
        raise _stop("no function to judge", EXIT_UNREADABLE)
    sandbox = _backend(backend, unsafe=unsafe_exec)
    judged = []
    try:
        for submission, verdict in judge_all(submissions, kind, backend=sandbox, seed=seed):
            judged.append((submission, verdict))
            row = {**submission.identity, **verdict.to_json()}
            print(json.dumps(row, ensure_ascii=False) if as_json else line(submission.label, verdict), flush=True)
    except KeyboardInterrupt:
        raise _stop(f"interrupted after {len(judged)} of {len(submissions)} functions", 130) from None
    except SandboxRefused as refusal:
        raise _stop(str(refusal), EXIT_REFUSED) from None
    accepted = sum(verdict.is_accepted for _, verdict in judged)
    _say(f"{accepted} of {len(judged)} functions accepted, back-end {sandbox}, seed {seed}")
    if html:
        from pathlib import Path

        Path(html).write_text(page([(one.label, verdict) for one, verdict in judged]), encoding="utf-8")
    raise typer.Exit(EXIT_ACCEPTED if accepted == len(judged) else EXIT_NOT_ACCEPTED)
