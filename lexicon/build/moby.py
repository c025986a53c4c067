"""Read the Moby Thesaurus, which is in the public domain: pairs of words that can stand for each other.

The text is `words.txt` of the npm package moby: a line is a headword and all that is near it, with commas between. The
thesaurus is broad, 83 words a line; near are those that list each other and have most of the rest in common.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FOLDER = Path("node_modules/moby")
"""Where npm puts the text."""

TEXT = "words.txt"

NEAREST = 24
"""Words kept per headword."""


def synonyms(folder: Path, nearest: int = NEAREST) -> Iterator[tuple[str, str]]:
    """Yield (headword, word) for the words nearest to each headword, in lower case.

    Raises FileNotFoundError if the folder does not hold the text.
    """
    path = folder / TEXT
    if not path.is_file():
        raise FileNotFoundError(f"no {TEXT} in {folder}: npm install moby@1.1.2")
    near: dict[str, frozenset[str]] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").lower().splitlines():
        headword, *words = (word.strip() for word in line.split(","))
        near[headword] = near.get(headword, frozenset()) | (frozenset(words) - {headword, ""})
    for headword, listed in near.items():
        shared = {
            word: len(listed & near[word]) / len(listed | near[word])
            for word in listed
            if headword in near.get(word, frozenset())
        }
        for word in sorted(shared, key=lambda word: (-shared[word], word))[:nearest]:
            yield headword, word
