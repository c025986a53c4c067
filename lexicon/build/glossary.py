"""The project's own glossary: words and phrases, how likely each is as an answer, and what each means.

The folder `glossary` beside this file (CC0) has a file per length of the answer. A line is an entry as it is written, a
tab, its kind and grade, a tab, and its meanings separated by semicolons. Kind and grade are missing if a word
has not been judged yet. How it was written is told in docs/lexicon.md.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lexicon.build.arrange import Arrays, decode
from lexicon.build.index import Entry
from lexicon.build.morphology import bases
from lexicon.build.phrases import Form
from lexicon.text import fold
from lexicon.vocabulary import SORTS

GLOSSARY = Path(__file__).with_name("glossary")

LEFT_OUT = 0
"""Grade of slurs and vulgar words, which the index leaves out. The others say how likely an entry is as an answer: 5
every week, 4 every month or two, 3 ordinary, 2 rare, 1 practically never."""

INFLECTED = ("plural", "third person", "past", "present participle", "agent", "comparative", "superlative")
"""Forms that are about as likely as their base."""

_LINE = re.compile(rf"([^\t]+)\t([{SORTS}][0-5])?\t([^\t]*)")


@dataclass(frozen=True, slots=True)
class Headword:
    """One line: an entry as it is written, its kind and grade (empty and None if not judged), and its meanings."""

    written: str
    kind: str
    grade: int | None
    meanings: tuple[str, ...]

    @property
    def word(self) -> str:
        """The entry as it stands in a grid."""
        return fold(self.written)


def headwords(folder: Path = GLOSSARY) -> Iterator[Headword]:
    """Read a glossary. Raises ValueError naming file and line if a line is malformed."""
    for path in sorted(folder.glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = _LINE.fullmatch(line)
            if found is None:
                raise ValueError(f"{path}:{number}: expected entry, kind and grade, meanings with tabs, found {line!r}")
            written, judged, meanings = found.groups()
            kind, grade = (judged[0], int(judged[1])) if judged else ("", None)
            yield Headword(written, kind, grade, tuple(filter(None, (part.strip() for part in meanings.split(";")))))


def entries(listed: Iterable[Headword], verbs: Collection[str] = ()) -> Iterator[Entry]:
    """Return one sense per meaning; `verbs` are folded words that can be verbs.

    A meaning is a verb's if it is put as an infinitive, or if word and meaning may both be read as a verb: its past and
    participle then inherit it, and forms in -S do so in any case.
    """
    for headword in listed:
        for meaning in headword.meanings:
            first, _, rest = meaning.partition(" ")
            verb = (first == "to" and rest) or (headword.word in verbs and fold(first) in verbs)
            yield Entry("v" if verb else "n", 0, (headword.written,), meaning, ranks=(1,))


def judgements(
    arrays: Arrays,
    lengths: Iterable[int],
    listed: Iterable[Headword],
    verbs: Collection[str] = (),
    phrases: Mapping[str, Form] | None = None,
) -> Arrays:
    """Return for the words of each length, in the order of an index, what the glossary says about them.

    `grade/N` is the grade, 0 for words not judged yet, `sort/N` the kind's number, `meanings/N` the number of
    meanings. `base grade/N` is, for words not judged yet, the best grade of a word that they are an inflected form of;
    `verbs` are folded words that can be verbs, `phrases` words that are forms of phrases.
    """
    phrases = phrases or {}
    known = {headword.word: headword for headword in listed}
    numbers = {kind: number for number, kind in enumerate(SORTS, 1)}
    lemmas = {word: "nar" + "v" * (word in verbs) for word, headword in known.items() if headword.kind == "w"}
    found: Arrays = {}
    for length in lengths:
        words = decode(arrays, length)
        here = [known.get(word) for word in words]
        grades = [h.grade or 0 if h else 0 for h in here]
        based = [phrases[word].base if word in phrases else "" for word in words]
        inherited = [
            0 if grade else known[base].grade or 0 if base in known else _of_bases(word, known, lemmas)
            for word, grade, base in zip(words, grades, based, strict=True)
        ]
        found[f"grade/{length}"] = np.array(grades, np.uint8)
        found[f"base grade/{length}"] = np.array(inherited, np.uint8)
        kinds = [h.kind if h else "p" if base else "" for h, base in zip(here, based, strict=True)]
        found[f"sort/{length}"] = np.array([numbers.get(kind, 0) for kind in kinds], np.uint8)
        counts = [len(h.meanings) if h else 0 for h in here]
        found[f"meanings/{length}"] = np.minimum(np.array(counts), 255).astype(np.uint8)
    return found


def _of_bases(word: str, known: Mapping[str, Headword], lemmas: Mapping[str, str]) -> int:
    found = (known[base].grade or 0 for form, base, _ in bases(word, lemmas) if form in INFLECTED)
    return max(found, default=0)
