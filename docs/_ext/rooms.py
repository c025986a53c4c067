"""Draw which room imports which: a box for each room of `agent`, the lexicon at the foot, a line for each pair.

Rows are the layers of the import contract in `pyproject.toml`, so a line that runs up would be seen, and it is counted:
`python docs/_ext/rooms.py > imports.svg`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import grimp

from agent.draw.svg import INK, Svg, element

ROOT = Path(__file__).resolve().parents[2]
WIDTH, ROW, BOX = 860, 62, 26
"""Pixels: of the picture, from row to row, and of a box's height."""
PAPER = "var(--color-background-primary, white)"
"""The theme's background, so that lines end at the boxes in a dark page, too."""


def layers() -> list[list[str]]:
    """Return the rooms of each layer, from top to bottom."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[name.strip() for name in row.split("|")] for row in rows] + [["lexicon"]]


def arrows() -> set[tuple[str, str]]:
    """Return the pairs of rooms of which the first imports the second."""
    graph = grimp.build_graph("agent", "lexicon", cache_dir=None)
    found = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            pair = (_room(module), _room(imported))
            if pair[0] != pair[1] and "agent" not in pair:  # `agent` itself only holds the version
                found.add(pair)
    return found


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[0] if parts[0] == "lexicon" or len(parts) == 1 else parts[1]


class Rooms:
    """The picture of all rooms and imports."""

    def svg(self) -> Svg:
        """Draw it; the title states how many lines there are, and how many run up."""
        rows = layers()
        height = ROW * len(rows)
        places = {
            name: (WIDTH * (k + 0.5) / len(row), ROW * r + ROW / 2)
            for r, row in enumerate(rows)
            for k, name in enumerate(row)
        }
        pairs = sorted(arrows())
        up = [pair for pair in pairs if places[pair[0]][1] >= places[pair[1]][1]]
        title = f"{len(places)} rooms, {len(pairs)} imports between them, {len(up)} of them upwards"
        lines = [_line(pair, places, pair in up) for pair in pairs]
        boxes = [_box(name, x, y) for name, (x, y) in places.items()]
        return Svg(
            element(
                "svg", element("title", title), *lines, *boxes,
                xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {height}", width="100%", role="img",
                font_family="sans-serif", font_size=12,
            )
        )  # fmt: skip

    def _repr_html_(self) -> str:
        return self.svg()


def _line(pair: tuple[str, str], places: dict[str, tuple[float, float]], wrong: bool) -> str:
    (x, y), (to_x, to_y) = (places[name] for name in pair)
    y, to_y = y + BOX / 2, to_y - BOX / 2
    path = f"M{x:.0f} {y:.0f}C{x:.0f} {y + ROW / 2:.0f} {to_x:.0f} {to_y - ROW / 2:.0f} {to_x:.0f} {to_y:.0f}"
    title = element("title", f"{pair[0]} imports {pair[1]}")
    return element(
        "path", title, d=path, fill="none", stroke="#c4650a" if wrong else INK, stroke_opacity=1 if wrong else 0.22
    )


def _box(name: str, x: float, y: float) -> str:
    width = 7.2 * len(name) + 18
    box = element(
        "rect", x=x - width / 2, y=y - BOX / 2, width=width, height=BOX, rx=5, stroke=INK, fill=PAPER,
    )  # fmt: skip
    return box + element("text", name, x=x, y=y + 4, fill=INK, text_anchor="middle")


if __name__ == "__main__":
    sys.stdout.write(Rooms().svg())
