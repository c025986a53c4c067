"""A comparison as text, JSON, or a self-contained HTML page, with the same figures in each."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from agent.draw.chart import interval_chart, line_chart
from agent.draw.page import page
from agent.evaluate.compare import LEVEL, Comparison, Estimate, Standing
from agent.evaluate.coverage import COVERAGES
from agent.evaluate.metrics import BINS, KINDS
from agent.text import counted

SCHEMA_VERSION = 2
"""Version of the JSON form; it rises when a field changes its meaning or goes away."""

POINTS = 20
"""Points of the curve of times: more of their markers would overlap."""

RATES = ("letters", "words", "puzzles")
"""Figures that are shown in percent."""
SPENT = {
    "seconds": ("search s", 3),
    "waited": ("waited s", 3),
    "calls": ("calls", 2),
    "tokens": ("tokens", 0),
    "cost": ("cost", 5),
}
"""Other figures: their short names, and their number of decimals."""

COUNTS = {
    "runs": "runs",
    "scored": "scored",
    "claimed": "called solved",
    "claimed_wrong": "of them wrong",
    "consistent": "consistent",
    "false_consistent": "refused",
    "warned": "with warnings",
}
"""Counts of a standing, and their names in the report."""

STATED = {"grids": "whole grids", "slots": "answers", "letters": "letters"}
"""Kinds of statements whose calibration is shown, and their names in the report."""

QUARTERS = (0.25, 0.5, 0.75, 1.0)
"""Coverages that the table shows; the JSON form and the curve have all."""

UNKNOWN = "-"


def to_json(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON values: the form that `--json` prints.

    Rates are 0 to 1, times in seconds; all but counts are means for each run of a puzzle, `against_first` differences.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "puzzles": comparison.puzzles,
        "left_out": comparison.left_out,
        "resamples": comparison.resamples,
        "seed": comparison.seed,
        "level": LEVEL,
        "configurations": [
            {
                "name": one.name,
                **{count: getattr(one, count) for count in COUNTS},
                **{name: rounded(found) for name, found in one.figures.items()},
                "seconds_median": round(quantile(one.seconds, 0.5), 4),
                "seconds_95": round(quantile(one.seconds, 0.95), 4),
                "grid_calibration_luck": one.grid_luck,
                "calibration": {kind: list(rows) for kind, rows in one.calibration.items()},
                "coverage": [{"coverage": share, **rounded(found)} for share, found in covered(one)],
                "against_first": one.against and {name: rounded(found) for name, found in one.against.items()},
            }
            for one in comparison.standings
        ],
    }


def rounded(found: Estimate) -> dict[str, float]:
    """Return an estimate with six decimals, more than any evaluation can justify."""
    return {name: round(value, 6) for name, value in asdict(found).items()}


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of the sorted values does not exceed.

    >>> quantile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    return values[max(0, math.ceil(round(share * len(values), 6)) - 1)]


def to_text(comparison: Comparison) -> str:
    """Return a comparison as text."""
    parts = [remark(comparison)]
    parts += ["\n".join(columns(rows)) for _, rows in tables(comparison)]
    return "\n\n".join(parts)


def remark(comparison: Comparison) -> str:
    """Return a sentence on the configurations, puzzles and intervals."""
    left_out = f"; {comparison.left_out:,} not done by all of them are left out" if comparison.left_out else ""
    return (
        f"{counted(len(comparison.standings), 'configuration')} on {counted(comparison.puzzles, 'puzzle')}{left_out}. "
        f"In brackets {100 * LEVEL:.0f} % intervals by paired bootstrap over puzzles "
        f"({comparison.resamples:,} resamples, seed {comparison.seed})."
    )


def tables(comparison: Comparison) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield (heading, rows) of the tables, the first row naming the columns."""
    standings = comparison.standings
    first = standings[0]
    yield (
        "Right",
        [
            ["right", *RATES],
            *([one.name, *(percent(one.figures.get(name)) for name in RATES)] for one in standings),
        ],
    )
    if len(standings) > 1:
        yield (
            f"Difference to {first.name}",
            [
                [f"points against {first.name}", *RATES],
                *([one.name, *(points((one.against or {}).get(name)) for name in RATES)] for one in standings[1:]),
            ],
        )
    yield (
        "For each puzzle",
        [
            ["for each puzzle", *(short for short, _ in SPENT.values()), "median s", "95 % within"],
            *(
                [
                    one.name,
                    *(plain(one.figures.get(name), digits) for name, (_, digits) in SPENT.items()),
                    f"{quantile(one.seconds, 0.5):.3f}",
                    f"{quantile(one.seconds, 0.95):.3f}",
                ]
                for one in standings
            ),
        ],
    )
    yield (
        "Counts",
        [
            ["counts", *COUNTS.values()],
            *([one.name, *(str(getattr(one, count)) for count in COUNTS)] for one in standings),
        ],
    )
    if any(one.scored for one in standings):
        yield from sureness(standings)


def sureness(standings: Sequence[Standing]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the tables that compare stated probabilities with the truth."""
    yield (
        "Accuracy against coverage",
        [
            ["right of the surest", *(f"{100 * share:.0f} %" for share in QUARTERS), "area"],
            *(
                [
                    one.name,
                    *(percent(found) for share, found in covered(one) if share in QUARTERS),
                    plain(one.figures["coverage_area"], 3),
                ]
                for one in standings
                if one.scored
            ),
        ],
    )
    yield (
        "Calibration error",
        [
            ["off by", *STATED.values(), "grids by luck"],
            *(
                [
                    one.name,
                    *(plain(one.figures.get(error), 3) for error in KINDS.values()),
                    UNKNOWN if one.grid_luck is None else f"{one.grid_luck:.3f}",
                ]
                for one in standings
            ),
        ],
    )
    for kind, said in STATED.items():
        tenths = [[bin_of(one, kind, tenth) for one in standings] for tenth in range(BINS)]
        rows = [
            [f"{10 * tenth}-{10 * tenth + 10} %", *cells]
            for tenth, cells in enumerate(tenths)
            if any(cell != UNKNOWN for cell in cells)
        ]
        yield f"Calibration of {said}", [[f"{said}, stated", *(one.name for one in standings)], *rows]


def covered(one: Standing) -> Iterator[tuple[float, Estimate]]:
    """Yield (coverage, share right) of a configuration's curve; nothing if it was not scored."""
    return zip(COVERAGES.tolist(), one.coverage, strict=False)


def bin_of(one: Standing, kind: str, tenth: int) -> str:
    """Return a calibration bin as text: the share of right statements, and their number."""
    for row in one.calibration[kind]:
        if round(BINS * row["from"]) == tenth:
            return f"{100 * row['right']:.1f} % of {row['count']:,.0f}"
    return UNKNOWN


def percent(found: Estimate | None) -> str:
    """Return a rate with its interval.

    >>> percent(Estimate(0.5, 0.25, 0.75)), percent(None)
    ('50.0 % [25.0, 75.0]', '-')
    """
    return _with_interval(found, lambda share: f"{100 * share:.1f}", unit=" %")


def points(found: Estimate | None) -> str:
    """Return a difference of two rates, in percentage points, with its interval.

    >>> points(Estimate(0.1, 0.01, 0.2)), points(None)
    ('+10.0 [+1.0, +20.0]', '-')
    """
    return _with_interval(found, lambda difference: f"{100 * difference:+.1f}")


def plain(found: Estimate | None, digits: int) -> str:
    """Return a figure with its interval, to a number of decimals.

    >>> plain(Estimate(0.25, 0.125, 0.5), 2), plain(Estimate(0, 0, 0), 3), plain(None, 3)
    ('0.25 [0.12, 0.50]', '0', '-')
    """
    return "0" if found and not found.high else _with_interval(found, lambda part: f"{part:.{digits}f}")


def _with_interval(found: Estimate | None, show: Callable[[float], str], unit: str = "") -> str:
    if found is None:
        return UNKNOWN
    value, low, high = map(show, (found.value, found.low, found.high))
    return f"{value}{unit} [{low}, {high}]"


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align the columns of a table.

    >>> list(columns([["a", "bb"], ["ccc", "d"]]))
    ['a    bb', 'ccc  d']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def to_html(comparison: Comparison) -> str:
    """Return a comparison as one HTML page with the tables and their charts; it loads nothing."""
    body = [f"<p>{html.escape(remark(comparison))}</p>"]
    for heading, (head, *rows) in tables(comparison):
        lines = [f"<tr>{''.join(f'<th scope=col>{html.escape(cell)}</th>' for cell in head)}</tr>"]
        lines += [
            f"<tr><th scope=row>{html.escape(row[0])}</th>"
            f"{''.join(f'<td>{html.escape(cell)}</td>' for cell in row[1:])}</tr>"
            for row in rows
        ]
        body += [
            f"<h2>{html.escape(heading)}</h2>",
            f'<div class="scroll one-line"><table>{"".join(lines)}</table></div>',
        ]
    body += ["<h2>Charts</h2>", *(f"<figure>{chart}</figure>" for chart in charts(comparison))]
    return page("Configurations compared", "".join(body))


def charts(comparison: Comparison) -> Iterator[str]:
    """Draw accuracy, differences, coverage, calibration, cost and time against accuracy, how long puzzles took."""
    standings = comparison.standings
    letters = {one.name: one.figures["letters"] for one in standings if "letters" in one.figures}
    if letters:
        yield interval_chart({name: bounds(found, 100) for name, found in letters.items()}, x="letters right, %")
    against = {
        f"{one.name}: {kind}": bounds(one.against[kind], 100)
        for one in standings[1:]
        for kind in RATES
        if one.against and kind in one.against
    }
    if against:
        title = f"Difference to {standings[0].name}"
        yield interval_chart(against, x="percentage points", title=title, reference=0)
    curves = {one.name: [(100 * share, 100 * found.value) for share, found in covered(one)] for one in standings}
    if any(curves.values()):
        x, y = "% of the grids, surest first", "% of them right"
        yield line_chart(curves, x=x, y=y, title="Accuracy against coverage")
    for kind, said in STATED.items():
        stated = {one.name: [(row["stated"], row["right"]) for row in one.calibration[kind]] for one in standings}
        if any(stated.values()):
            title = f"Calibration of {said}"
            yield line_chart(stated, x="probability stated", y="share right", title=title, diagonal=True)
    for kind, name in {"cost": "cost of a puzzle", "tokens": "tokens a puzzle", "seconds": "seconds of search"}.items():
        spent = {
            one.name: [(one.figures[kind].value, 100 * one.figures["letters"].value)]
            for one in standings
            if kind in one.figures and "letters" in one.figures
        }
        if any(spots[0][0] for spots in spent.values()):
            yield line_chart(spent, x=name, y="letters right, %", title=f"{name.capitalize()} and accuracy", log_x=True)
    times = {one.name: curve(one.seconds) for one in standings}
    yield line_chart(times, x="% of the puzzles", y="seconds at most", title="Time, waiting included", log_y=True)


def bounds(found: Estimate, scale: float) -> tuple[float, float, float]:
    """Return (low, value, high) for a chart; a bootstrap interval need not contain the value itself."""
    low, value, high = (scale * part for part in (found.low, found.value, found.high))
    return min(low, value), value, max(high, value)


def curve(seconds: Sequence[float]) -> list[tuple[float, float]]:
    """Return (percentage of the puzzles, seconds in which they are done)."""
    shares = range(1, POINTS + 1)
    return [(100 * share / POINTS, quantile(seconds, share / POINTS)) for share in shares]
