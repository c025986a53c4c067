"""The project's own glossary: meanings of words and phrases in our own short wording.

`glossary.tsv` in this folder (CC0) has a line per word: the word, a tab, and meanings separated by semicolons. It was
written by a language model, from lists of words and, for words in no list, from names of kinds of words; without any
clue, puzzle or dictionary at hand, and by rule in its own words. It covers words that WordNet does not define, and adds
to common words and names what dictionaries leave out: everyday synonyms, associations, fixed phrases with a blank.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lexicon.build.index import Entry

GLOSSARY = Path(__file__).with_name("glossary.tsv")


def entries(path: Path = GLOSSARY) -> Iterator[Entry]:
    """Read a glossary, one entry per meaning. Raises ValueError naming file and line if a line is malformed."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        word, tab, meanings = line.partition("\t")
        if not (word and tab and meanings.strip()):
            raise ValueError(f"{path}:{number}: expected a word, a tab and its meanings, found {line!r}")
        for meaning in filter(None, (part.strip() for part in meanings.split(";"))):
            yield Entry("v" if meaning.startswith("to ") else "n", 0, (word,), meaning, ranks=(1,))
