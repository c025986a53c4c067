"""SVG as text: elements, numbers, the frame around a picture.

A picture takes its ink from `currentColor`, so it is dark on a light page and light on a dark one. It has no script,
no style attribute and no font of its own: a page with a strict Content-Security-Policy may hold it as it is.
"""

from __future__ import annotations

import html

INK = "currentColor"
"""Lines and letters: the colour of the text around the picture."""

FONT = "sans-serif"
"""Every machine has one; nothing is fetched."""


class Svg(str):
    """SVG text that draws itself where a notebook shows it.

    >>> Svg("<svg/>")._repr_html_()
    '<svg/>'
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def element(name: str, *children: str, **attributes: str | float) -> str:
    """Write one element; children are markup already, `_` in an attribute's name stands for `-`.

    >>> element("rect", x=1, stroke_width=0.5, fill="none")
    '<rect x="1" stroke-width="0.5" fill="none"/>'
    """
    written = "".join(
        f' {key.replace("_", "-")}="{html.escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def number(value: float) -> str:
    """Write a length to a hundredth, without zeros that say nothing.

    >>> number(2.0), number(1.2345), number(-0.001)
    ('2', '1.23', '0')
    """
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def text(said: str, x: float, y: float, size: float, *extra: str, **attributes: str | float) -> str:
    """Write text with its baseline at x, y; `extra` is markup inside, such as a tooltip's title.

    >>> text("A & B", 1, 2, 12)
    '<text x="1" y="2" font-size="12" fill="currentColor">A &amp; B</text>'
    """
    attributes = {"fill": INK, **attributes}
    return element("text", printable(said), *extra, x=x, y=y, font_size=size, **attributes)


def printable(said: str) -> str:
    """Escape text for XML; white space becomes a space, and control characters, which no XML may hold, go.

    >>> printable("a<b\\x00\\tc")
    'a&lt;b c'
    """
    return html.escape("".join(" " if c.isspace() else c for c in said if c.isspace() or c.isprintable()))


def picture(width: float, height: float, *content: str, title: str, desc: str = "") -> Svg:
    """Frame a picture: its size in pixels, its name and what it shows in words for screen readers.

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
            xmlns="http://www.w3.org/2000/svg",
            width=width,
            height=height,
            viewBox=f"0 0 {number(width)} {number(height)}",
            role="img",
            font_family=FONT,
        )
    )
