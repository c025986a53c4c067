"""The HTML report of loops, made from their journals alone: models compared, runs, every attempt with its cost."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.autotos.domain import ROLES
from agent.autotos.evaluation import Row
from agent.autotos.faults import verdict_html
from agent.autotos.journal import Journal, verdict_from
from agent.autotos.published import Sums
from agent.autotos.report import search_html
from agent.autotos.results import summary
from agent.draw.page import page as frame


def model_of(journal: Journal) -> str:
    """Return the model that a journal was made with. Raises JournalError if no loop was started in it."""
    return str(journal.settings["model"])


def figures(journals: Sequence[Journal]) -> dict[str, dict[str, Any]]:
    """Return the figures of each model over the runs that ended, by its name.

    >>> figures([])
    {}
    """
    models = sorted({model_of(journal) for journal in journals})
    return {
        model: summary(
            [event for journal in journals if model_of(journal) == model for event in _events(journal, "end")]
        )
        for model in models
    }


def _events(journal: Journal, kind: str) -> list[dict[str, Any]]:
    return [event for event in journal.events if event["event"] == kind]


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    lines = [f"<tr>{''.join(f'<th>{html.escape(name)}</th>' for name in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{html.escape(str(value))}</td>' for value in row)}</tr>" for row in rows]
    return f"<table>{''.join(lines)}</table>"


def models_table(journals: Sequence[Journal]) -> str:
    """Return the figures of the models as a table, one row each."""
    made = figures(journals)
    names = list(next(iter(made.values()), {}))
    return _table(["model", *names], ([model, *own.values()] for model, own in made.items()))


def runs_table(journals: Sequence[Journal]) -> str:
    """Return the runs as a table: the verdicts of all attempts in their order, and what they cost."""
    rows = []
    for journal in journals:
        for end in _events(journal, "end"):
            verdicts = [" → ".join(end[role]["attempts"]) if role in end else "" for role in ROLES]
            cost = (end["calls"], end["tokens"], end["restarts"])
            rows.append((model_of(journal), end["run"], *verdicts, *cost, end["ended"]))
    return _table(["model", "run", *ROLES, "calls", "tokens", "restarts", "ended"], rows)


def attempt_html(call: Mapping[str, Any], verdict: Mapping[str, Any] | None) -> str:
    """Return one attempt: what was asked, what came, what it cost, and the verdict with its counter-examples."""
    cost = f"{call['tokens']} tokens, {call['seconds']:.1f} s"
    role = verdict["role"] if verdict else "no function"
    name = verdict["verdict"] if verdict else "not judged"
    parts = [f"<h3>Call {call['number']}, {role}: {html.escape(name)} ({cost})</h3>"]
    parts += [
        f"<details><summary>{title}</summary><pre>{html.escape(text)}</pre></details>"
        for title, text in (("What was asked", call["question"]), ("What came", call["reply"]))
    ]
    if verdict:
        parts.append(verdict_html(role, verdict_from(verdict)))
    return "".join(parts)


def run_html(journal: Journal, run: int) -> str:
    """Return all attempts of a run."""
    calls = [event for event in _events(journal, "call") if event["run"] == run]
    attempts = [attempt_html(call, journal.find("verdict", run, call["number"])) for call in calls]
    return f"<h2>{html.escape(model_of(journal))}, run {run}</h2>{''.join(attempts)}"


def loop_page(journals: Sequence[Journal], rows: Sequence[Row] = (), published: Sequence[Sums] = ()) -> str:
    """Return loops, of one model or several, and searches with their functions as one self-contained page."""
    parts = ["<h2>Models</h2>", models_table(journals), "<h2>Runs</h2>", runs_table(journals)]
    for journal in journals:
        runs = dict.fromkeys(event["run"] for event in _events(journal, "call"))
        parts += [run_html(journal, run) for run in runs]
    return frame("Loops", "".join(parts) + search_html(rows, published))
