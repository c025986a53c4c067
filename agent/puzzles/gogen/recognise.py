"""Recognise a Gogen by its content."""

from __future__ import annotations

from agent.glimpse import Glimpse


def looks_like(seen: Glimpse) -> bool:
    """Return whether a text is a Gogen: a board without blocks, and words. Asked after kinds whose words fill runs.

    >>> from agent.glimpse import glimpse
    >>> looks_like(glimpse('{"board": ["A."], "words": ["AB"]}')), looks_like(glimpse("A.\\n..\\n\\nABCD"))
    (True, True)
    """
    if seen.document is not None:
        return isinstance(seen.document.get("words"), list) and ("board" in seen.document or _has_grid(seen.document))
    return bool(seen.words)


def _has_grid(document: object) -> bool:
    grid = document.get("grid") if isinstance(document, dict) else None
    return isinstance(grid, list) and bool(grid) and all(isinstance(row, str) for row in grid)
