"""Read the Collaborative International Dictionary of English as Debian's dict-gcide installs it.

The dictionary is under the GNU General Public License: its content goes into an index on the user's own machine
and nowhere else.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from lexicon.build.index import Entry
from lexicon.errors import LexiconError

TEXTS = ("gcide.dict.dz", "gcide.dict")
"""Names that the dictionary's text has, compressed or not."""

_DIGITS = {
    letter: value for value, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_POS = re.compile(r"(?:^|[ ,(])(n|v\. ?t|v\. ?i|v|adv|a|adj|p\. p|imp)\.")
_KINDS = {"n": "n", "v": "v", "a": "a", "p": "v", "i": "v"}
_LONGEST_HEAD = 160
"""The part of speech is within this many characters of an entry's start."""

_MOST_SENSES = 60
"""Definitions kept per entry; only the likes of `set` and `run` have more."""


def _number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def articles(index: Path, text: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield (headwords, text) of every article of a dictd dictionary, in the order of the file.

    Raises LexiconError with file and line if the index is malformed.
    """
    content = gzip.decompress(text.read_bytes()) if text.suffix == ".dz" else text.read_bytes()
    headwords: dict[tuple[int, int], list[str]] = {}
    with index.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            fields = line.rstrip("\n").split("\t")
            if len(fields) < 3 or not set(fields[1] + fields[2]) <= set(_DIGITS):
                raise LexiconError(f"{index}:{number}: expected headword, offset and length with tabs between")
            if not fields[0].startswith("00"):
                headwords.setdefault((_number(fields[1]), _number(fields[2])), []).append(fields[0])
    for (start, length), words in sorted(headwords.items()):
        yield tuple(sorted(set(words))), content[start : start + length].decode("utf-8", "replace")


def definitions(article: str) -> tuple[str, list[str]]:
    """Split an article: (part of speech, definitions).

    >>> definitions(chr(10).join(["Lope \\\\Lope\\\\, v. i.", "   1. To leap; to dance. [Obs.] --Chaucer.", "",
    ...                           "   2. To move with a lope, as a horse.  [U.S.]"]))
    ('v', ['To leap', 'to dance', 'To move with a lope, as a horse'])
    """
    plain = re.sub(r"\\[^\\]{0,80}\\", "", article)
    blocks: list[list[str]] = [[]]
    for line in plain.split("\n"):
        if re.match(r"\s{9,}", line):
            continue  # a quotation
        if re.match(r"\s{3}\d+\.\s|\s{3}\([a-z]\)", line) or (not line.strip() and blocks[-1]):
            blocks.append([])
        blocks[-1].append(line.strip())
    found: list[str] = []
    pos = "n"
    for number, block in enumerate(blocks):
        sense = " ".join(block)
        for _ in range(2):
            sense = re.sub(r"\[[^\[\]]*\]", " ", sense)
        sense = re.sub(r"--[A-Z][\w. ']+|[{}]|\([A-Z][\w. &;]*\)", "", sense)
        sense = re.sub(r"^\s*(\d+\.|\([a-z]\))\s*", "", re.sub(r"\s+", " ", sense)).strip()
        if number == 0:
            marked = _POS.search(sense[:_LONGEST_HEAD])
            if marked:
                pos = _KINDS[marked[1][0]]
                sense = sense[marked.end() :]
            else:
                sense = ""
            sense = re.sub(r"^[;, ]*(pl|imp|p)\. [\w ]+[;.]?", "", sense)
        if not sense or sense.startswith("Note:"):
            continue
        if sense.startswith("Syn:"):
            found += [piece.strip(" .-") for piece in re.split(r"[;,.]", sense[4:])]
            continue
        sense = re.sub(r"; (as|also|hence|esp)\b,? ?", "; ", sense)
        found += [piece.strip(" .,;") for piece in re.split(r";|\. (?=[A-Z])|-- ", sense)]
    return pos, [piece for piece in found if len(piece) > 2][:_MOST_SENSES]


def entries(folder: Path) -> Iterator[Entry]:
    """Read the dictionary into entries, one per definition. Raises FileNotFoundError if it is not installed."""
    text = next((folder / name for name in TEXTS if (folder / name).is_file()), None)
    if text is None:
        raise FileNotFoundError(f"no gcide.dict.dz in {folder}: install Debian's dict-gcide, or name the folder")
    for headwords, article in articles(folder / "gcide.index", text):
        pos, senses = definitions(article)
        for rank, sense in enumerate(senses, 1):
            yield Entry(pos, 0, headwords, sense, ranks=(rank,) * len(headwords))
