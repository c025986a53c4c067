"""Files of puzzles and programs that are known by sight and not read: each is refused by name, with what to do."""

from __future__ import annotations

import re

from agent.errors import FormatError
from agent.grid import Puzzle

KNOWN = (
    (r"<(?:gridkey|apzversion)\b", "an acrostic (.apz), which is another kind of puzzle"),
    (r"(?s)\A(?=.*^rows:\s*$)(?=.*^(?:light|dark):\s*$)", "a Rows Garden (.rg), which is another kind of puzzle"),
    (r"\A#QXW2", "a file of the editor Qxw: export its clues from there and paste them as text"),
    (r"^\s*exolve-begin", "a puzzle of Exolve: paste its clues as text"),
    (r"\A\{\\rtf", "a document in rich text: save it as plain text"),
    (r"\A%PDF-", "a PDF: copy the clues out of it and paste them as text"),
)
"""What a text must have to be known, and what it is."""


def looks_like(text: str) -> bool:
    """Return whether a text is one of them.

    >>> looks_like("%PDF-1.7"), looks_like("1. Not yes")
    (True, False)
    """
    return _name(text) is not None


def read(text: str) -> Puzzle:
    """Raise FormatError with what it is.

    >>> read("<puzzle><gridkey>1 2</gridkey></puzzle>")
    Traceback (most recent call last):
    agent.errors.FormatError: expected a crossword, found an acrostic (.apz), which is another kind of puzzle
    """
    raise FormatError(f"expected a crossword, found {_name(text)}")


def _name(text: str) -> str | None:
    return next((name for sign, name in KNOWN if re.search(sign, text, re.MULTILINE)), None)
