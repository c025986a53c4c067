"""Clue text to terms: folding, tokens and stems, the same for building the index and for asking it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_STOPPED = (
    "a an the of or and to in for is that as with by on at from be it its which who one used something someone being "
    "are was has have not very any some such etc esp especially s"
)
STOP_WORDS = frozenset(_STOPPED.split())
"""Words too frequent in definitions to carry meaning; kept in a clue that has no others."""

BLANK = "_"
"""Sign, repeated or not, for a word that a phrase leaves out."""

LIGATURES = str.maketrans(
    {"æ": "ae", "œ": "oe", "Æ": "AE", "Œ": "OE", "ø": "o", "Ø": "O", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"}
)
"""Letters that Unicode does not take apart, as crosswords write them."""

_VOWEL = re.compile(r"[aeiouy]")
_TOKEN = re.compile(r"[a-z0-9]+")


def ascii_text(text: str) -> str:
    """Return text without accents, ligatures and curly quotes.

    >>> ascii_text("Curaçao “œuvre”")
    'Curacao oeuvre'
    """
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").translate(LIGATURES))
    return plain.encode("ascii", "ignore").decode()


def fold(text: str) -> str:
    """Return text as it is written in a grid: A to Z only.

    >>> fold("crème de la crème")
    'CREMEDELACREME'
    """
    return re.sub(r"[^A-Z]", "", ascii_text(text).upper())


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the part of a lower-case word that its inflections share.

    A light stemmer: plurals, -ed, -ing, -ly, -ness, final e and y. The vectors relate what it does not.

    >>> [stem(word) for word in ("gods", "goddesses", "tried", "running", "quickly", "ate")]
    ['god', 'goddess', 'tri', 'run', 'quick', 'ate']
    """
    if len(word) <= 3:
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 2 and _VOWEL.search(word[: -len(ending)]):
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    if word.endswith("ness") and len(word) > 6:
        word = word[:-4]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("y") and len(word) > 2:
        word = word[:-1] + "i"
    return word


def tokens(text: str) -> list[str]:
    """Split text into lower-case words, accents folded and possessives cut.

    >>> tokens("The Queen's 2 bees")
    ['the', 'queen', '2', 'bees']
    """
    plain = re.sub(r"'s\b", "", ascii_text(text).lower())
    return _TOKEN.findall(plain.replace("'", ""))


def terms(text: str, base: Callable[[str], str | None] = lambda _: None) -> list[str]:
    """Turn text into stems without stop words; `base` returns the base of irregular forms such as `mice`, else None.

    A blank is a term too, so that phrases with one are found by clues with one.

    >>> terms("A house of mice", {"mice": "mouse"}.get), terms("Swing and a ___")
    (['hous', 'mous'], ['swing', '_'])
    """
    words = tokens(text)
    found = [stem(base(word) or word) for word in words if word not in STOP_WORDS] or [stem(word) for word in words]
    return [*found, BLANK] if BLANK in text else found
