"""Definitions to show, read from WordNet's own files if they are installed: the index holds none.

The index has the offset of each of its senses in the files of WordNet 3.0. Files of another version do not fit, and are
not used.
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
"""Folders in which Debian's wordnet-base and nltk put the files. (Importing nltk takes longer than a clue.)"""


@dataclass(frozen=True, slots=True)
class Glosses:
    """The files of an installed WordNet."""

    folder: Path

    @classmethod
    def find(cls) -> Glosses | None:
        """Return the installed WordNet, folders of NLTK_DATA first, or None if there is none."""
        named = [Path(place) / "corpora" / "wordnet" for place in os.environ.get("NLTK_DATA", "").split(os.pathsep)]
        for folder in (*named, *(Path(place).expanduser() for place in PLACES)):
            if (folder / FILES[0]).is_file():
                return cls(folder)
        return None

    def text(self, pos: int, offset: int) -> str:
        """Return the definition of the sense at an offset of a file, empty if no sense begins there."""
        try:
            with (self.folder / FILES[pos]).open("rb") as file:
                file.seek(offset)
                line = file.readline().decode("latin-1")
        except OSError:
            return ""
        fields, _, gloss = line.partition("|")
        return gloss.partition(';  "')[0].partition('; "')[0].strip() if fields.startswith(f"{offset:08d} ") else ""
