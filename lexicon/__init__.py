"""Words in, words out: the embedded answerer of clues.

`lexicon.load()` opens the index and returns a Lexicon, which does the rest. Importing this package is cheap: numpy is
loaded by `load`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexicon.errors import LexiconError

if TYPE_CHECKING:
    from lexicon.lexicon import Lexicon

__all__ = ["LexiconError", "load"]

PROJECT = "gridwright"
"""Tells this package from others of its name."""


def load(*, permissive: bool = False) -> Lexicon:
    """Open the lexicon; the same object every time.

    By default it includes everything that the user has added; `permissive=True` keeps to the shipped data.

    >>> load(permissive=True).match("ANTELO?E")
    ['ANTELOPE']
    """
    from lexicon.sources import opened

    return opened(permissive=permissive)
