"""Verdicts for people: one line a function, and a page of HTML that needs nothing from elsewhere."""

from __future__ import annotations

import html
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.autotos.evaluation import Row
from agent.autotos.faults import KINDS, Fault, Verdict
from agent.autotos.loop import RunResult
from agent.autotos.published import PUBLISHED

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.7em 0}td,th{border:1px solid #ccc;padding:.25em .6em;text-align:left}
td{vertical-align:top}
.grid td{width:1.5em;height:1.5em;text-align:center;padding:0;font-family:monospace}
.new{background:#fbd7b0}.block{background:#222}.accepted{color:#17692b}.faulty{color:#a32020}
.examples{display:flex;flex-wrap:wrap;gap:1.5em}figure{margin:0}figcaption{font-size:.85em;color:#555}
svg text{font:12px system-ui,sans-serif}summary{cursor:pointer}
"""
GRIDS_SHOWN = 4


def line(label: str, verdict: Verdict) -> str:
    """Say a verdict in one line.

    >>> print(line("a.py", Verdict("goal", "is_goal_state", "exact")))
    a.py goal is_goal_state: exact
    """
    head = f"{label} {verdict.role} {verdict.function}: {verdict.verdict}"
    faults = "; ".join(f"{fault.kind} ({fault.count}): {fault.note}" for fault in verdict.faults)
    remarks = ", ".join(fault.kind for fault in verdict.remarks)
    return head + (f" | {faults}" if faults else "") + (f" | remarks: {remarks}" if remarks else "")


def is_grid(value: Any) -> bool:
    """Whether a JSON value can be drawn as a grid.

    >>> is_grid([["a", None]]), is_grid([["ab"]]), is_grid(True)
    (True, False, False)
    """
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, list) and row for row in value)
        and all(cell is None or (isinstance(cell, str) and len(cell) == 1) for row in value for cell in row)
    )


def draw(grid: Any, before: Any = None) -> str:
    """Draw a grid as a table; cells that differ from `before` are coloured. What is no grid is written as it is."""
    if not is_grid(grid):
        return f"<code>{html.escape(json.dumps(grid)[:300])}</code>"
    rows = []
    for r, row in enumerate(grid):
        cells = []
        for c, cell in enumerate(row):
            old = before[r][c] if is_grid(before) and r < len(before) and c < len(before[r]) else cell
            mark = ' class="block"' if cell == "#" else ' class="new"' if old != cell else ""
            cells.append(f"<td{mark}>{html.escape(cell or '') if cell != '#' else ''}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table class="grid">{"".join(rows)}</table>'


def _figure(title: str, value: Any, before: Any = None) -> str:
    return f"<figure>{draw(value, before)}<figcaption>{html.escape(title)}</figcaption></figure>"


def fault_html(fault: Fault) -> str:
    """Write a fault with its counter-example drawn: the state, what came, what should have come."""
    parts = [f"<p><b>{fault.kind}</b> in {fault.count} of the judged calls: {html.escape(fault.note)}</p>"]
    example = fault.example
    if example is not None:
        state = example.arguments["state"]
        figures = [_figure("state", state)]
        for title, values in (("offending", example.offending), ("right", example.expected)):
            shown: Sequence[Any] = values if isinstance(values, (list, tuple)) else [values]
            figures += [_figure(title, value, state) for value in shown[:GRIDS_SHOWN]]
        if not example.offending:
            figures.insert(1, _figure("came", example.came))
        parts.append(f'<div class="examples">{"".join(figures)}</div>')
        others = {name: value for name, value in example.arguments.items() if name != "state"}
        parts.append(f"<p><code>{html.escape(json.dumps(others, ensure_ascii=False))}</code></p>")
    if fault.feedback:
        parts.append(f"<details><summary>Feedback</summary><p>{html.escape(fault.feedback)}</p></details>")
    return "".join(parts)


def verdict_html(label: str, verdict: Verdict) -> str:
    """Write a verdict as a section."""
    tone = "accepted" if verdict.is_accepted else "faulty"
    head = (
        f"<h3>{html.escape(label)} <code>{html.escape(verdict.function)}</code>: "
        f'<span class="{tone}">{verdict.verdict}</span></h3>'
        f"<p>{verdict.cases} states, seed {verdict.seed}, back-end {html.escape(verdict.backend)}, "
        f"{verdict.seconds:.1f} s</p>"
    )
    remarks = "".join(f"<li>{fault.kind}: {html.escape(KINDS[fault.kind][1])}</li>" for fault in verdict.remarks)
    return head + "".join(map(fault_html, verdict.faults)) + (f"<p>Remarks</p><ul>{remarks}</ul>" if remarks else "")


def summary_html(verdicts: Iterable[Verdict]) -> str:
    """Count the verdicts in a table."""
    counts = Counter((verdict.role, verdict.verdict) for verdict in verdicts)
    rows = "".join(
        f"<tr><td>{role}</td><td>{name}</td><td>{count}</td></tr>" for (role, name), count in sorted(counts.items())
    )
    return f"<table><tr><th>role</th><th>verdict</th><th>functions</th></tr>{rows}</table>"


def page(judged: Sequence[tuple[str, Verdict]], extra: str = "") -> str:
    """Write verdicts, and what else belongs to a run, as one self-contained page."""
    body = summary_html(verdict for _, verdict in judged) + extra
    body += "".join(verdict_html(label, verdict) for label, verdict in judged)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Gridwright: verdicts</title>'
        f"<style>{STYLE}</style><h1>Verdicts</h1>{body}</html>\n"
    )


def run_line(result: RunResult) -> str:
    """Say how a run of the loop went, in one line."""
    parts = [f"{role}: {one.verdict.verdict} after {one.attempts}" for role, one in result.written.items()]
    return (
        f"run {result.run}: {result.ended}; {'; '.join(parts)}; {result.calls} calls, {result.tokens} tokens, "
        f"{result.restarts} restarts"
    )


def table(values: Mapping[str, Any]) -> str:
    """Write names and values under each other.

    >>> print(table({"runs": 2}))
    runs: 2
    """
    return "\n".join(f"{name}: {value}" for name, value in values.items())


def chart(rows: Sequence[Row]) -> str:
    """Draw the expansions of every search as dots on a logarithmic axis, one line an instance."""
    shown = [row for row in rows if row.run.instance != "all"]
    names = list(dict.fromkeys(row.run.instance for row in shown))
    kinds = list(dict.fromkeys((row.who, row.strategy) for row in rows))
    if not shown:
        return ""
    left, step, width = 170, 20, 640
    top = max(math.log10(max(row.run.expansions, 1)) for row in shown)
    decades = max(1, math.ceil(top))

    def x(value: float) -> float:
        return left + width * math.log10(max(value, 1)) / decades

    height = step * (len(names) + 2 + len(kinds))
    parts = [f'<svg width="{left + width + 40}" height="{height}" role="img" aria-label="expansions per instance">']
    for decade in range(decades + 1):
        at = x(10**decade)
        parts.append(f'<line x1="{at:.0f}" x2="{at:.0f}" y1="0" y2="{step * len(names)}" stroke="#ddd"/>')
        parts.append(f'<text x="{at:.0f}" y="{step * (len(names) + 1)}" text-anchor="middle">{10**decade:,}</text>')
    for place, name in enumerate(names):
        parts.append(f'<text x="0" y="{step * place + 14}">{html.escape(name[:24])}</text>')
    for row in shown:
        hue = 360 * kinds.index((row.who, row.strategy)) // len(kinds)
        fill = f"hsl({hue} 70% 40%)" if row.run.solved else "none"
        parts.append(
            f'<circle cx="{x(row.run.expansions):.1f}" cy="{step * names.index(row.run.instance) + 10}" r="5" '
            f'fill="{fill}" stroke="hsl({hue} 70% 40%)"><title>{html.escape(row.line())}</title></circle>'
        )
    for place, (who, strategy) in enumerate(kinds):
        y = step * (len(names) + 2 + place)
        hue = 360 * place // len(kinds)
        parts.append(f'<circle cx="{left}" cy="{y - 4}" r="5" fill="hsl({hue} 70% 40%)"/>')
        parts.append(f'<text x="{left + 12}" y="{y}">{html.escape(who)}, {strategy} (hollow: not solved)</text>')
    return "".join([*parts, "</svg>"])


def search_html(rows: Sequence[Row]) -> str:
    """Write the searches: totals as a table beside the published runs, and the chart."""
    if not rows:
        return ""
    lines = [
        f"<tr><td>{html.escape(row.who)}</td><td>{row.strategy}</td><td>{html.escape(row.run.ended)}</td>"
        f"<td>{row.run.expansions:,}</td><td>{row.run.generated:,}</td><td>{row.run.seconds:.1f}</td></tr>"
        for row in rows
        if row.run.instance == "all"
    ]
    lines += [
        f"<tr><td>published: {name}</td><td>dfs</td><td>20/20</td><td>{expansions:,}</td><td>{generated:,}</td>"
        "<td></td></tr>"
        for name, expansions, generated in PUBLISHED
    ]
    head = "<tr><th>who</th><th>order</th><th>ended</th><th>expansions</th><th>generated</th><th>seconds</th></tr>"
    note = (
        "<p>The published sums are over the twenty published instances; compare them with searches of those only.</p>"
    )
    return f"<h2>Searches</h2><table>{head}{''.join(lines)}</table>{note}{chart(rows)}"


def loop_page(results: Sequence[RunResult], rows: Sequence[Row], total: Mapping[str, Any]) -> str:
    """Write a loop's runs, their last verdicts and the searches as one self-contained page."""
    judged = [(f"run {result.run}", one.verdict) for result in results for one in result.written.values()]
    lines = "".join(f"<li>{html.escape(run_line(result))}</li>" for result in results)
    numbers = "".join(f"<tr><td>{name}</td><td>{html.escape(str(value))}</td></tr>" for name, value in total.items())
    extra = f"<ul>{lines}</ul><table>{numbers}</table>" if results else ""
    return page(judged, extra + search_html(rows))
