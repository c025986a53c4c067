"""Colours of a nonogram, and the signs that stand for them."""

from __future__ import annotations

from dataclasses import dataclass

FILLED, BLANK, UNKNOWN = "#", ".", "?"
"""Signs of cells: filled in the one colour of a puzzle, left blank, not known yet."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour: its name, its red, green and blue in hexadecimal, and the sign of its cells."""

    name: str
    rgb: str
    sign: str


WHITE, BLACK = Colour("white", "FFFFFF", BLANK), Colour("black", "000000", FILLED)
