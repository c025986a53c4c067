"""Read WordNet's database files.

The files are read directly: nltk's reader is meant for look-ups (listing every lemma takes it twice as long as reading
all files here takes), and the same few lines read every distribution of the files: nltk data, Debian, npm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lexicon.gloss import PLACES
from lexicon.text import fold

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""Part of speech -> ending of the file's name; satellite adjectives stand with the adjectives."""


@dataclass(frozen=True, slots=True)
class Synset:
    """One synset: its key (part of speech, offset), lemmas as written, pointers and gloss.

    `pointers` are (symbol, part of speech, offset); lexical pointers are kept as if they joined whole synsets.
    """

    pos: str
    offset: int
    lemmas: tuple[str, ...]
    pointers: tuple[tuple[str, str, int], ...]
    definition: str
    examples: str


def find_wordnet(given: str | None = None) -> Path:
    """Find a folder with WordNet's files: the given one, one of nltk's data path, or a usual place.

    Raises FileNotFoundError, which lists the places tried and how to get the files.
    """
    if given:
        places = [Path(given)]
    else:
        import nltk.data

        places = [Path(place) / "corpora" / "wordnet" for place in nltk.data.path] + [
            Path(place).expanduser() for place in PLACES
        ]
    for place in places:
        if (place / "data.noun").is_file() and (place / "index.sense").is_file():
            return place
    raise FileNotFoundError(
        f"no WordNet files in {', '.join(map(str, places))}: install Debian's wordnet-base and wordnet-sense-index, "
        "or run nltk.download('wordnet'), or name the folder"
    )


def parse_line(line: str, pos: str) -> Synset:
    """Parse one line of a data file.

    >>> synset = parse_line('02430045 05 n 02 deer 0 cervid 0 001 @ 02400000 n 0000 | hoofed; "a red deer"', "n")
    >>> synset.lemmas, synset.definition, synset.examples
    (('deer', 'cervid'), 'hoofed', '"a red deer"')
    """
    fields, _, gloss = line.partition("|")
    part = fields.split()
    count = int(part[3], 16)
    lemmas = tuple(re.sub(r"\([a-z]+\)$", "", part[4 + 2 * i]) for i in range(count))
    at = 4 + 2 * count
    pointers = tuple((part[i], part[i + 2], int(part[i + 1])) for i in range(at + 1, at + 1 + 4 * int(part[at]), 4))
    definition, *examples = re.split(r';\s*(?=")', gloss.strip(), maxsplit=1)
    return Synset(pos, int(part[0]), lemmas, pointers, definition, "".join(examples))


def synsets(folder: Path) -> Iterator[Synset]:
    """Read all synsets, in the order of the files."""
    for pos, name in FILES.items():
        with (folder / f"data.{name}").open(encoding="latin-1") as lines:
            for line in lines:
                if not line.startswith("  "):
                    yield parse_line(line, pos)


def sense_counts(folder: Path) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Read (part of speech, lower-case lemma, offset) -> (sense number, times tagged) from index.sense."""
    by_type = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
    counts = {}
    with (folder / "index.sense").open(encoding="latin-1") as lines:
        for line in lines:
            key, offset, number, tagged = line.split()
            lemma, _, kind = key.partition("%")
            counts[by_type[kind[0]], lemma, int(offset)] = (int(number), int(tagged))
    return counts


def irregular_forms(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """Read irregular forms: form -> [(base, part of speech)]; empty if the folder has no exception lists."""
    forms: dict[str, list[tuple[str, str]]] = {}
    for pos, name in FILES.items():
        path = folder / f"{name}.exc"
        if path.is_file():
            for line in path.read_text(encoding="latin-1").splitlines():
                form, *bases = line.split()
                forms.setdefault(form, []).extend((base, pos) for base in bases)
    return forms


def parts_of_speech(folder: Path) -> dict[str, set[str]]:
    """Return the parts of speech of each lemma, folded: ASIDE -> {"n", "r"}."""
    found: dict[str, set[str]] = {}
    for synset in synsets(folder):
        for lemma in synset.lemmas:
            found.setdefault(fold(lemma), set()).add(synset.pos)
    return found


def verbs(folder: Path) -> frozenset[str]:
    """Return all verbs as they are written, phrases included."""
    return frozenset(lemma.replace("_", " ") for found in synsets(folder) if found.pos == "v" for lemma in found.lemmas)
