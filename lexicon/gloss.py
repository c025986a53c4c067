"""Definitions to show, read from WordNet's own files where they are installed: the index holds none.

The index knows where in the files of WordNet 3.0 each of its senses stands; another version's files do not fit, and
are left alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
"""Files by part of speech, in the order of the index."""

PLACES = (
    "/usr/share/wordnet", "~/nltk_data/corpora/wordnet", "/usr/share/nltk_data/corpora/wordnet",
    "/usr/local/share/nltk_data/corpora/wordnet",
)  # fmt: skip
"""Where Debian's wordnet-base and nltk put the files. (Asking nltk itself would take longer than answering a clue.)"""


@dataclass(frozen=True, slots=True)
class Glosses:
    """The files of an installed WordNet."""

    folder: Path

    @classmethod
    def find(cls) -> Glosses | None:
        """Find an installed WordNet, first where NLTK_DATA says; None where there is none."""
        named = [Path(place) / "corpora" / "wordnet" for place in os.environ.get("NLTK_DATA", "").split(os.pathsep)]
        for folder in (*named, *(Path(place).expanduser() for place in PLACES)):
            if (folder / FILES[0]).is_file():
                return cls(folder)
        return None

    def text(self, pos: int, offset: int) -> str:
        """Return the definition of the sense at an offset of a file, empty where the files do not have it there."""
        try:
            with (self.folder / FILES[pos]).open("rb") as file:
                file.seek(offset)
                line = file.readline().decode("latin-1")
        except OSError:
            return ""
        fields, _, gloss = line.partition("|")
        return gloss.partition(';  "')[0].partition('; "')[0].strip() if fields.startswith(f"{offset:08d} ") else ""
