"""Recognise a Gogen by its content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.glimpse import UNKNOWN_SIGNS, Glimpse


def looks_like(seen: Glimpse) -> bool:
    """Return whether a text is a Gogen: a board without blocks, and words. Asked after kinds whose words fill runs.

    >>> from agent.glimpse import glimpse
    >>> looks_like(glimpse('{"board": ["A."], "words": ["AB"]}')), looks_like(glimpse("A.\\n..\\n\\nABCD"))
    (True, True)
    """
    if seen.document is not None:
        return isinstance(seen.document.get("words"), list) and ("board" in seen.document or _has_grid(seen.document))
    return bool(seen.words)


def _has_grid(document: Mapping[str, Any]) -> bool:
    """Return whether there is a grid of rows with empty cells: one full of letters may be a word search."""
    grid = document.get("grid")
    if not isinstance(grid, list) or not all(isinstance(row, str) for row in grid):
        return False
    return any(sign in UNKNOWN_SIGNS + " " for sign in "".join(grid))
