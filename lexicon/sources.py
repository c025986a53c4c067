"""Where the lexicon's data lie, and what they are."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from lexicon.lexicon import Lexicon
from lexicon.pack import Pack

SHIPPED = "permissive.lex"
"""Name of the shipped index, in `lexicon/data`."""


def shipped() -> Path:
    """Return the path of the shipped index."""
    return Path(str(resources.files("lexicon") / "data" / SHIPPED))


@cache
def opened(*, permissive: bool) -> Lexicon:
    """Open the lexicon with the user's additions, or only with what is shipped."""
    del permissive
    return Lexicon(Pack(shipped()))
