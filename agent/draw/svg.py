"""SVG as text: elements, numbers, the frame around a picture.

A picture takes its ink from `currentColor`, so it is dark on a light page and light on a dark one. It has no script,
no style attribute and no font of its own: a page with a strict Content-Security-Policy may hold it as it is.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

NAMESPACE = "http://www.w3.org/2000/svg"

INK = "currentColor"
"""Ink: the colour of the text around the picture."""

FONT = "sans-serif"
"""A font that every machine has; nothing is fetched."""

COLOURS = ("#2f81d6", "#c4650a", "#1c9150", "#a45bd0", "#d6456b", "#857a1f")
"""Each has a contrast of at least 3 to 1 on white and on near black, so that one picture serves both."""

GAP = 24
"""Pixels between pictures in one file."""


class Svg(str):
    """SVG text that notebooks show as a picture.

    >>> Svg("<svg/>")._repr_html_()
    '<svg/>'
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def element(name: str, *children: str, **attributes: str | float) -> str:
    """Return one element; children are markup already, `_` in an attribute's name stands for `-`.

    >>> element("rect", x=1, stroke_width=0.5, fill="none")
    '<rect x="1" stroke-width="0.5" fill="none"/>'
    """
    written = "".join(
        f' {key.replace("_", "-")}="{html.escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def number(value: float) -> str:
    """Return a length to a hundredth, without trailing zeros.

    >>> number(2.0), number(1.2345), number(-0.001)
    ('2', '1.23', '0')
    """
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def text(said: str, x: float, y: float, size: float, *extra: str, **attributes: str | float) -> str:
    """Return text with its baseline at x, y; `extra` is markup inside, such as a tooltip's title.

    >>> text("A & B", 1, 2, 12)
    '<text x="1" y="2" font-size="12" fill="currentColor">A &amp; B</text>'
    """
    attributes = {"fill": INK, **attributes}
    return element("text", printable(said), *extra, x=x, y=y, font_size=size, **attributes)


def printable(said: str) -> str:
    """Escape text for XML; white space becomes a space, and control characters, which XML may not hold, are dropped.

    >>> printable("a<b\\x00\\tc")
    'a&lt;b c'
    """
    return html.escape("".join(" " if c.isspace() else c for c in said if c.isspace() or c.isprintable()))


def picture(width: float, height: float, *content: str, title: str, desc: str = "") -> Svg:
    """Frame a picture: its size in pixels, its name, and a description in words for screen readers.

    >>> picture(10, 5, element("rect"), title="Box")[:42]
    '<svg xmlns="http://www.w3.org/2000/svg" wi'
    """
    words = element("title", printable(title) or " ")
    if desc:
        words += element("desc", printable(desc))
    return Svg(
        element(
            "svg",
            words,
            *content,
            xmlns=NAMESPACE,
            width=width,
            height=height,
            viewBox=f"0 0 {number(width)} {number(height)}",
            role="img",
            font_family=FONT,
        )
    )


def inside(drawn: Svg, x: float, y: float) -> str:
    """Place a picture inside another one, its corner at x, y; its description stays with the outer one.

    >>> inside(picture(2, 3, element("g"), title="Box", desc="All."), 10, 20)
    '<svg x="10" y="20" width="2" height="3"><g/></svg>'
    """
    width, height = size_of(drawn)
    return element("svg", _parts(drawn)[1], x=x, y=y, width=width, height=height)


def _parts(drawn: Svg) -> tuple[str, str]:
    """Split a picture into its description, as markup, and its drawing."""
    inner = drawn[drawn.index(">") + 1 : -len("</svg>")]
    words = inner.index("</title>") + len("</title>")
    if inner.startswith("<desc>", words):
        words = inner.index("</desc>") + len("</desc>")
    return inner[:words], inner[words:]


def below(pictures: Sequence[Svg], *, title: str) -> Svg:
    """Put pictures one under the other into one.

    >>> below([picture(2, 3, title="a"), picture(5, 3, title="b")], title="Both").count("<svg")
    3
    """
    parts, y, width = [], 0.0, 0.0
    for drawn in pictures:
        wide, high = size_of(drawn)
        parts.append(inside(drawn, 0, y))
        y, width = y + high + GAP, max(width, wide)
    return picture(width, y - GAP if pictures else 0, *parts, title=title)


def size_of(drawn: Svg) -> tuple[float, float]:
    """Return a picture's width and height.

    >>> size_of(picture(2, 3.5, title="a"))
    (2.0, 3.5)
    """
    _, _, width, height = drawn.split(' viewBox="', 1)[1].split('"', 1)[0].split()
    return float(width), float(height)


PAPER, INK_ON_PAPER = "#ffffff", "#1a1a1a"
DARK_PAPER, INK_ON_DARK = "#161616", "#e8e8e8"

MARGIN = 12
"""Pixels of paper around a picture that is a file of its own."""


def standalone(drawn: Svg) -> str:
    """Return a picture as a file of its own: on paper with a margin, dark if the viewer prefers it.

    >>> standalone(picture(2, 3, title="a")).count("prefers-color-scheme")
    1
    """
    width, height = (side + 2 * MARGIN for side in size_of(drawn))
    words, content = _parts(drawn)
    dark = (
        f"@media(prefers-color-scheme:dark){{.gridwright{{color:{INK_ON_DARK}}}"
        f".gridwright>.paper{{fill:{DARK_PAPER}}}}}"
    )
    frame: dict[str, str | float] = {
        "xmlns": NAMESPACE,
        "class": "gridwright",
        "width": width,
        "height": height,
        "viewBox": f"{-MARGIN} {-MARGIN} {number(width)} {number(height)}",
        "role": "img",
        "color": INK_ON_PAPER,
        "font_family": FONT,
    }
    paper: dict[str, str | float] = {
        "class": "paper", "x": -MARGIN, "y": -MARGIN, "width": width, "height": height, "fill": PAPER
    }  # fmt: skip
    return element("svg", words, element("style", dark), element("rect", **paper), content, **frame)
