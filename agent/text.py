"""Folding of Unicode text, shared by everything that compares words."""

from __future__ import annotations

import unicodedata

LIGATURES = str.maketrans(
    {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)
"""Letters that Unicode does not decompose, but that a crossword writes with plain ones."""


def fold(text: str) -> str:
    """Remove accents and split ligatures; case and everything else stay.

    >>> fold("Crème brûlée, Æsop")
    'Creme brulee, AEsop'
    """
    decomposed = unicodedata.normalize("NFKD", text.translate(LIGATURES))
    return "".join(ch for ch in decomposed if not unicodedata.combining(ch))


def answer_letters(text: str) -> str:
    """Fold an answer to the letters in cells: A-Z, no accents, spaces or punctuation.

    >>> answer_letters("Café au lait!")
    'CAFEAULAIT'
    """
    return "".join(ch for ch in fold(text).upper() if "A" <= ch <= "Z")


def counted(number: int, thing: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "request"), counted(1500, "token")
    ('1 request', '1,500 tokens')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


FREQUENT = "ETAOINSRHLDCUMFPGWYBVKXJQZ"
"""Letters of English from the most to the least frequent."""
