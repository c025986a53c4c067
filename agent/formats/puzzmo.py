"""JSON of Puzzmo: a puzzle in .xd, and what its page says of it. Read only."""

from __future__ import annotations

from dataclasses import replace

from agent.formats import xd
from agent.formats.common import clean
from agent.formats.node import Node
from agent.grid import Puzzle

PATH = ("data", "startOrFindGameplay", "gamePlayed", "puzzle")
"""Objects around a puzzle, outermost first; any number of them may be missing."""


def looks_like(document: Node) -> bool:
    """Return whether a JSON document has this shape.

    >>> looks_like(Node({"name": "Tiny", "puzzle": "A1. Not yes ~ NO"}))
    True
    """
    value = _inner(document).peek("puzzle")
    return isinstance(value, str) and xd.looks_like(value)


def read(document: Node) -> Puzzle:
    """Read a puzzle; what its page says goes before the headers of the .xd.

    >>> read(Node({"name": "Tiny", "puzzle": "Title: x\\n\\n\\nNO\\n\\n\\nA1. Not yes ~ NO"})).title
    'Tiny'
    """
    page = _inner(document)
    found = xd.read(page.get("puzzle").text())
    people = page.get("authors").items() if page.has("authors") else []
    names = [one.get("publishingName").text("") or one.get("name").text("") for one in people]
    for one in people:
        one.skip("username", "usernameID", "id")
    author = ", ".join(name for name in names if name) or page.get("author").text("")
    title, date = page.get("name").text(""), page.get("dailyTitle").text("")
    page.skip("emoji")
    return replace(
        found,
        title=clean(title) or found.title,
        author=clean(author) or found.author,
        date=clean(date) or found.date,
    )


def _inner(document: Node) -> Node:
    for name in PATH:
        document.skip("__typename")
        document = document.get(name) if isinstance(document.peek(name), dict) else document
    return document
