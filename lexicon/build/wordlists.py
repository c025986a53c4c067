"""Read SCOWL's word lists: the frequency class and kinds of each word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lexicon.text import fold

SCOWL = Path("/usr/share/dict/scowl")
"""Folder in which Debian's package scowl keeps the lists, one file per spelling, kind and size: `american-words.35`."""

LENGTHS = range(2, 22)
"""Lengths of words in the lexicon, as in word lists for crosswords."""

NO_SIZE = 99
"""Size of a word that is in no SCOWL list; SCOWL's own sizes run from 10 (common) to 95 (anything ever listed)."""

KINDS = ("words", "upper", "proper-names", "abbreviations", "contractions", "foreign-spelling", "variant", "phrase")
"""Kinds of words, one bit each: SCOWL's categories, lists that are not American, spelling variants, and whether the
word is written with blanks or hyphens."""


@dataclass(slots=True)
class Listing:
    """A word in the lists: its smallest size, and a bit per kind."""

    size: int
    kinds: int


def read_scowl(folder: Path) -> dict[str, Listing]:
    """Read every list of the folder: folded word -> Listing.

    Raises FileNotFoundError if the folder holds no list.
    """
    words: dict[str, Listing] = {}
    files = sorted(path for path in folder.glob("*-*.[0-9][0-9]") if not path.name.startswith("special"))
    if not files:
        raise FileNotFoundError(f"no SCOWL lists such as english-words.10 in {folder}: install Debian's scowl")
    for path in files:
        spelling, _, kind = path.stem.partition("-")
        size = int(path.suffix[1:])
        bits = 1 << KINDS.index(kind)
        if not spelling.startswith(("english", "american")):
            bits |= 1 << KINDS.index("variant" if "variant" in spelling else "foreign-spelling")
        for line in path.read_text(encoding="latin-1").splitlines():
            if line.endswith("'s"):
                continue
            word = fold(line)
            if len(word) not in LENGTHS:
                continue
            known = words.get(word)
            if known is None:
                words[word] = Listing(size, bits)
            else:
                known.size = min(known.size, size)
                known.kinds |= bits
    return words
