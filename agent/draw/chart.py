"""Charts: lines over points; intervals and dots, a row for each name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from agent.draw.axis import Axis, axis_over, label
from agent.draw.svg import COLOURS, INK, Svg, element, number, picture, printable, text

DASHES = ("none", "7 3", "2 3", "9 3 2 3", "12 4", "4 2")
"""Series differ in dashes and markers too: many readers, and print, do not have the colours."""

WIDTH, PLOT_HEIGHT = 640, 320
LEFT, RIGHT, TOP = 64, 20, 40
SMALL, PLAIN, LARGE = 12, 13, 15
"""Font sizes of ticks, axis names and title, in pixels."""

INTERVAL_ROW, DOT_ROW = 28, 20
"""Pixels from one row to the next."""

LETTER = 0.56
"""Mean width of a sans-serif letter as a share of the font size: estimates the width of text without a font."""

FAINT = 0.18
"""Opacity of the lines behind the data."""

Points = Sequence[tuple[float, float]]


def line_chart(
    series: Mapping[str, Points],
    *,
    x: str,
    y: str,
    title: str = "",
    log_x: bool = False,
    log_y: bool = False,
    diagonal: bool = False,
) -> Svg:
    """Draw series of points (x, y), joined in the order given, one line and one marker shape each.

    `x` and `y` name the axes; `diagonal` adds the line y = x and gives both axes the same range, as a calibration
    curve needs. A log axis puts zero below its least number. A series of no points is named in the legend only.
    Raises ValueError for numbers that are not finite, or negative ones on a log axis.

    >>> svg = line_chart({"own": [(0.1, 0.2), (0.9, 0.8)]}, x="said", y="right", title="Calibration", diagonal=True)
    >>> svg.count("<circle"), "Calibration" in svg
    (3, True)
    """
    across = [point[0] for points in series.values() for point in points]
    up = [point[1] for points in series.values() for point in points]
    if diagonal:
        across = up = across + up
    bottom = TOP + PLOT_HEIGHT
    x_axis = axis_over(across, LEFT, WIDTH - RIGHT, log=log_x)
    y_axis = axis_over(up, bottom, TOP, log=log_y)
    content = [_heading(title), *_frame(x_axis, bottom), *_levels(y_axis), *_axis_names(x, y, bottom)]
    if diagonal:
        content.append(
            element(
                "path",
                d=f"M{LEFT} {bottom}L{WIDTH - RIGHT} {TOP}",
                stroke=INK,
                stroke_opacity=0.5,
                stroke_dasharray="3 4",
            )
        )
    for index, (name, points) in enumerate(series.items()):
        content += _line(name, points, index, x_axis, y_axis)
    legend, height = _legend(list(series), bottom + 58)
    return picture(WIDTH, height, *content, *legend, title=title or f"{y} over {x}", desc=_in_words(series, x, y))


def interval_chart(
    rows: Mapping[str, tuple[float, float, float]],
    *,
    x: str,
    title: str = "",
    log_x: bool = False,
    reference: float | None = None,
) -> Svg:
    """Draw a row for each name with a bar from `low` to `high` and a mark at `mid`, such as a confidence interval.

    `reference` adds a line across all rows, such as 0 for "no difference".
    Raises ValueError if a row is not low <= mid <= high, and for numbers that such an axis cannot show.

    >>> svg = interval_chart({"own": (0.7, 0.75, 0.8), "lists": (0.5, 0.6, 0.7)}, x="puzzles right")
    >>> "own: 0.75 (0.7 to 0.8)" in svg
    True
    """
    for name, (low, mid, high) in rows.items():
        if not low <= mid <= high:
            raise ValueError(f"{name}: expected low <= mid <= high, not {low}, {mid}, {high}")
    left = _room_for(rows)
    bottom = TOP + INTERVAL_ROW * max(len(rows), 1) + 6
    values = [value for row in rows.values() for value in row] + ([] if reference is None else [reference])
    axis = axis_over(values, left, WIDTH - RIGHT - 30, log=log_x)
    content = [_heading(title), *_frame(axis, bottom)]
    if reference is not None:
        at = number(axis.at(reference))
        content.append(element("path", d=f"M{at} {TOP}V{bottom}", stroke=INK, stroke_dasharray="3 4"))
    for index, (name, (low, mid, high)) in enumerate(rows.items()):
        y = TOP + 20 + INTERVAL_ROW * index
        colour = COLOURS[index % len(COLOURS)]
        said = f"{name}: {mid:.4g} ({low:.4g} to {high:.4g})"
        a, b, m = (number(axis.at(value)) for value in (low, high, mid))
        content += [
            text(_shorten(name, left - 16, PLAIN), left - 10, y + 4, PLAIN, text_anchor="end"),
            element(
                "path",
                element("title", printable(said)),
                d=f"M{a} {y - 6}v12M{a} {y}H{b}M{b} {y - 6}v12",
                stroke=colour,
                stroke_width=2,
                fill="none",
            ),
            element("circle", cx=m, cy=y, r=4.5, fill=colour),
            text(f"{mid:.3g}", axis.at(high) + 6, y + 4, SMALL),
        ]
    content.append(text(x, (left + WIDTH - RIGHT) / 2, bottom + 42, PLAIN, text_anchor="middle"))
    words = "; ".join(f"{name}: {mid:.4g} ({low:.4g} to {high:.4g})" for name, (low, mid, high) in rows.items())
    return picture(WIDTH, bottom + 56, *content, title=title or x, desc=words or "No rows.")


def dot_chart(
    rows: Mapping[str, Mapping[str, float]],
    *,
    x: str,
    title: str = "",
    log_x: bool = False,
    hollow: Collection[tuple[str, str]] = (),
) -> Svg:
    """Draw a row for each name with a mark for each series that has a value there, such as expansions per instance.

    Marks of (name, series) in `hollow` are not filled: those that did not succeed, say. Raises ValueError for numbers
    that no such axis shows.

    >>> svg = dot_chart({"easy": {"own": 0, "dfs": 40}, "hard": {"dfs": 1e6}}, x="expansions", log_x=True)
    >>> "hard, dfs: 1,000,000" in svg
    True
    """
    series = list(dict.fromkeys(name for row in rows.values() for name in row))
    left = _room_for(rows)
    bottom = TOP + DOT_ROW * max(len(rows), 1) + 6
    axis = axis_over([value for row in rows.values() for value in row.values()], left, WIDTH - RIGHT, log=log_x)
    content = [_heading(title), *_frame(axis, bottom)]
    for place, (name, row) in enumerate(rows.items()):
        y = TOP + DOT_ROW * (place + 0.6)
        content.append(text(_shorten(name, left - 16, SMALL), left - 10, y + 4, SMALL, text_anchor="end"))
        for one, value in row.items():
            said = f"{name}, {one}: {value:,.10g}"
            content.append(_marker(axis.at(value), y, series.index(one), said, hollow=(name, one) in hollow))
    content.append(text(x, (left + WIDTH - RIGHT) / 2, bottom + 38, PLAIN, text_anchor="middle"))
    legend, height = _legend(series, bottom + 58, lines=False)
    spans = [
        f"{one}: from {min(values):,.10g} to {max(values):,.10g} in {len(values)} rows."
        for one in series
        for values in [[row[one] for row in rows.values() if one in row]]
    ]
    return picture(WIDTH, height, *content, *legend, title=title or x, desc=" ".join([f"{x}.", *spans]))


def expansions_chart(searches: Iterable[tuple[str, str, int, bool]]) -> Svg:
    """Draw (instance, search, expansions, whether solved) as marks on a logarithmic axis, a row per instance.

    Instances of one name are told apart by a number.

    >>> "maze (2), own: 900" in expansions_chart([("maze", "own", 7, True), ("maze", "own", 900, False)])
    True
    """
    rows: dict[str, dict[str, float]] = {}
    unsolved: set[tuple[str, str]] = set()
    met: Counter[tuple[str, str]] = Counter()
    for instance, search, expansions, solved in searches:
        met[instance, search] += 1
        again = met[instance, search]
        name = instance if again == 1 else f"{instance} ({again})"
        rows.setdefault(name, {})[search] = expansions
        if not solved:
            unsolved.add((name, search))
    axis = "expansions (hollow: not solved)" if unsolved else "expansions"
    return dot_chart(rows, x=axis, title="Expansions of each instance", log_x=True, hollow=unsolved)


def _room_for(names: Iterable[str]) -> float:
    """Return the left end of the axis, which leaves room for the names."""
    return min(WIDTH / 2, 20 + max((_text_width(name, PLAIN) for name in names), default=0))


def _heading(title: str) -> str:
    return text(_shorten(title, WIDTH - 20, LARGE), WIDTH / 2, 22, LARGE, text_anchor="middle", font_weight="bold")


def _frame(axis: Axis, bottom: float) -> list[str]:
    """Draw the horizontal axis: a faint line up from each tick, its number below."""
    parts = [element("path", d=f"M{number(axis.start)} {bottom}H{number(axis.end)}", stroke=INK)]
    for tick in axis.ticks:
        at = number(axis.at(tick))
        parts.append(element("path", d=f"M{at} {TOP}V{bottom}", stroke=INK, stroke_opacity=FAINT))
        parts.append(text(label(tick), axis.at(tick), bottom + 18, SMALL, text_anchor="middle"))
    return parts


def _levels(axis: Axis) -> list[str]:
    """Draw the vertical axis: a faint line at each tick, its number at the left."""
    parts = [element("path", d=f"M{LEFT} {number(axis.start)}V{number(axis.end)}", stroke=INK)]
    for tick in axis.ticks:
        at = number(axis.at(tick))
        parts.append(element("path", d=f"M{LEFT} {at}H{WIDTH - RIGHT}", stroke=INK, stroke_opacity=FAINT))
        parts.append(text(label(tick), LEFT - 8, axis.at(tick) + 4, SMALL, text_anchor="end"))
    return parts


def _axis_names(x: str, y: str, bottom: float) -> list[str]:
    middle = TOP + PLOT_HEIGHT / 2
    return [
        text(x, (LEFT + WIDTH - RIGHT) / 2, bottom + 38, PLAIN, text_anchor="middle"),
        text(y, 16, middle, PLAIN, text_anchor="middle", transform=f"rotate(-90 16 {number(middle)})"),
    ]


def _line(name: str, points: Points, index: int, x_axis: Axis, y_axis: Axis) -> list[str]:
    places = [(x_axis.at(x), y_axis.at(y)) for x, y in points]
    parts = []
    if len(places) > 1:
        parts.append(_stroke("M" + "L".join(f"{number(x)} {number(y)}" for x, y in places), index))
    for (x, y), (px, py) in zip(points, places, strict=True):
        parts.append(_marker(px, py, index, f"{name}: {x:.6g}, {y:.6g}"))
    return parts


def _stroke(path: str, index: int) -> str:
    colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
    return element("path", d=path, stroke=colour, stroke_width=2, stroke_dasharray=dash, fill="none")


def _marker(x: float, y: float, index: int, said: str, *, hollow: bool = False) -> str:
    """Draw one point: the shape tells the series, the tooltip its name and numbers."""
    tip = element("title", printable(said))
    colour = COLOURS[index % len(COLOURS)]
    paint: dict[str, str | float] = {"fill": "none" if hollow else colour, "stroke": colour, "stroke_width": 1.5}
    if index % 4 == 0:
        return element("circle", tip, cx=x, cy=y, r=4, **paint)
    shape = ("m-4 -4h8v8h-8z", "m0 -5l5 9h-10z", "m0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z")[index % 4 - 1]
    return element("path", tip, d=f"M{number(x)} {number(y)}{shape}", **paint)


def _legend(names: Sequence[str], top: float, *, lines: bool = True) -> tuple[list[str], float]:
    """Return the names of the series, in rows as wide as the picture, and the height of the whole picture."""
    parts: list[str] = []
    x, y = float(LEFT), top
    for index, name in enumerate(names):
        shown = _shorten(name, WIDTH - LEFT - RIGHT - 40, SMALL)
        width = 52 + _text_width(shown, SMALL)
        if x > LEFT and x + width > WIDTH - RIGHT:
            x, y = LEFT, y + 20
        if lines:
            parts.append(_stroke(f"M{number(x)} {number(y - 4)}h28", index))
        parts += [_marker(x + 14, y - 4, index, name), text(shown, x + 34, y, SMALL)]
        x += width
    return parts, y + 14 if names else top - 6


def _text_width(said: str, size: float) -> float:
    return LETTER * size * len(said)


def _shorten(said: str, room: float, size: float) -> str:
    letters = int(room / (LETTER * size))
    return said if len(said) <= letters else said[: letters - 1] + "…"


def _in_words(series: Mapping[str, Points], x: str, y: str) -> str:
    """Describe the lines in words, for screen readers."""
    said = [f"Lines of {y} over {x}."]
    for name, points in series.items():
        if not points:
            said.append(f"{name}: no points.")
            continue
        low, high = min(points, key=lambda point: point[1]), max(points, key=lambda point: point[1])
        span = f"{y} from {low[1]:.4g} (at {low[0]:.4g}) to {high[1]:.4g} (at {high[0]:.4g})"
        said.append(f"{name}: {len(points)} points, {span}.")
    return " ".join(said)
