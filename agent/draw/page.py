"""A self-contained page of HTML: the frame of every report."""

from __future__ import annotations

import html

STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:CanvasText;background:Canvas}
svg{max-width:100%;height:auto}
table{border-collapse:collapse;margin:1em 0}
td,th{padding:.2em .6em;text-align:left;vertical-align:top;border-bottom:1px solid #8886}
.side{display:flex;flex-wrap:wrap;gap:1.5em}
figure{margin:0}
meter{width:3.5em}
figcaption,.small{font-size:.85em}
.scroll{overflow-x:auto}
.one-line td,.one-line th{white-space:nowrap}
.good{color:light-dark(#25633a,#8fd3a4)}
@media print{body{margin:0;max-width:none}}
"""
"""Light or dark as the reader's system is set, in the browser's own colours, so that both stay readable."""


def page(title: str, body: str) -> str:
    """Return a whole page with a heading; `body` is markup, `title` plain text.

    >>> "<h1>A &amp; B</h1><p>Hm.</p>" in page("A & B", "<p>Hm.</p>")
    True
    """
    said = html.escape(title)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{said}</title><style>{STYLE}</style></head><body><h1>{said}</h1>{body}</body></html>\n"
    )


def side_by_side(pictures: dict[str, str]) -> str:
    """Put pictures next to each other, each with its caption (plain text) below.

    >>> side_by_side({"ours": "<svg/>"})
    '<div class="side"><figure><svg/><figcaption>ours</figcaption></figure></div>'
    """
    figures = "".join(
        f"<figure>{drawn}<figcaption>{html.escape(caption)}</figcaption></figure>"
        for caption, drawn in pictures.items()
    )
    return f'<div class="side">{figures}</div>'
