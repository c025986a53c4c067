"""Verdicts and runs for people: one line each, and a self-contained page of HTML."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.autotos.evaluation import Row
from agent.autotos.faults import Verdict, verdict_html
from agent.autotos.published import Sums
from agent.draw.chart import expansions_chart
from agent.draw.page import page as frame
from agent.draw.svg import Svg


def visible(text: str) -> str:
    r"""Return a text on one line, with what a terminal would obey or hide written as escapes: it may be hostile.

    >>> print(visible("a\x1b[31m\nb"))
    a\x1b[31m\nb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def line(label: str, verdict: Verdict) -> str:
    """Return a verdict as one line of text.

    >>> print(line("a.py", Verdict("goal", "is_goal_state", "exact")))
    a.py goal is_goal_state: exact
    """
    head = f"{label} {verdict.role} {verdict.function}: {verdict.verdict}"
    head += f" ({verdict.proof})" if verdict.proof else ""
    faults = "; ".join(f"{fault.kind} ({fault.count}): {fault.note}" for fault in verdict.faults)
    remarks = ", ".join(fault.kind for fault in verdict.remarks)
    return visible(head + (f" | {faults}" if faults else "") + (f" | remarks: {remarks}" if remarks else ""))


def summary_html(verdicts: Iterable[Verdict]) -> str:
    """Return a table that counts the verdicts."""
    counts = Counter((verdict.role, verdict.verdict) for verdict in verdicts)
    rows = "".join(
        f"<tr><td>{role}</td><td>{name}</td><td>{count}</td></tr>" for (role, name), count in sorted(counts.items())
    )
    return f"<table><tr><th>role</th><th>verdict</th><th>functions</th></tr>{rows}</table>"


def page(judged: Sequence[tuple[str, Verdict]], extra: str = "") -> str:
    """Return verdicts, with `extra` HTML before them, as one self-contained page."""
    body = summary_html(verdict for _, verdict in judged) + extra
    return frame("Verdicts", body + "".join(verdict_html(label, verdict) for label, verdict in judged))


def table(values: Mapping[str, Any]) -> str:
    """Return names and values, one per line.

    >>> print(table({"runs": 2}))
    runs: 2
    """
    return "\n".join(f"{name}: {value}" for name, value in values.items())


def chart(rows: Sequence[Row]) -> Svg:
    """Return a chart of the expansions of every search."""
    return expansions_chart(
        (row.run.instance, f"{row.who}, {row.strategy}", row.run.expansions, row.run.solved)
        for row in rows
        if not row.is_total
    )


def search_html(rows: Sequence[Row], published: Sequence[Sums] = ()) -> str:
    """Return the searches as HTML: totals in a table, with published ones of the same domain, and the chart."""
    if not rows:
        return ""
    lines = [
        f"<tr><td>{html.escape(row.who)}</td><td>{row.strategy}</td><td>{html.escape(row.run.ended)}</td>"
        f"<td>{row.run.expansions:,}</td><td>{row.run.generated:,}</td><td>{row.run.seconds:.1f}</td></tr>"
        for row in rows
        if row.is_total
    ]
    lines += [
        f"<tr><td>published: {html.escape(name)}</td><td>dfs</td><td>all solved</td><td>{expansions:,}</td>"
        f"<td>{generated:,}</td><td></td></tr>"
        for name, expansions, generated in published
    ]
    head = "<tr><th>who</th><th>order</th><th>ended</th><th>expansions</th><th>generated</th><th>seconds</th></tr>"
    note = "<p>Published sums are over the published instances; compare them with searches of those only.</p>"
    return f"<h2>Searches</h2><table>{head}{''.join(lines)}</table>{note if published else ''}{chart(rows)}"


def search_page(rows: Sequence[Row], published: Sequence[Sums] = ()) -> str:
    """Return searches as one self-contained page."""
    return frame("Searches", search_html(rows, published))
