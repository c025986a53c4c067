"""Assemble the shipped index from its sources and the learned vectors: `python -m lexicon build`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexicon.build import glossary, vectors, webster, wordlists, wordnet
from lexicon.build.arrange import Arrays, decode
from lexicon.build.extend import extended
from lexicon.build.index import wordnet_index, write_index
from lexicon.build.phrases import Form, Verbs, inflected
from lexicon.text import fold


@dataclass(frozen=True, slots=True)
class Sources:
    """The folders of the sources."""

    wordnet: Path
    scowl: Path
    webster: Path = webster.FOLDER
    glossary: Path = glossary.GLOSSARY


def facts(sources: Sources) -> tuple[Arrays, dict[str, Any]]:
    """Return all facts but the vectors, and meta data. Raises FileNotFoundError if a source is missing."""
    listed = list(glossary.headwords(sources.glossary))
    left_out = {headword.word for headword in listed if headword.grade == glossary.LEFT_OUT}
    listed = [headword for headword in listed if headword.word not in left_out]
    verbs = wordnet.verbs(sources.wordnet)
    folded = {fold(verb) for verb in verbs}
    ours = list(glossary.entries(listed, folded))
    old = list(webster.entries(sources.webster, wordnet.parts_of_speech(sources.wordnet)))
    arrays, meta = wordnet_index(
        sources.wordnet,
        sources.scowl,
        further=[entry.definition for entry in ours],
        shared=[entry.definition for entry in old],
        left_out=left_out,
    )
    forms = forms_of_phrases(listed, verbs, sources.wordnet, arrays, left_out)
    words = dict.fromkeys([*(headword.word for headword in listed), *forms], wordlists.NO_SIZE)
    arrays, meta = extended(arrays, meta, ours, words, "glossary", phrases=forms)
    arrays, meta = extended(arrays, meta, old, {}, "dictionary", new_stems=False)
    meta["shipped senses"] = meta["senses"]
    return arrays | glossary.judgements(arrays, wordlists.LENGTHS, listed, folded, forms), meta


def forms_of_phrases(
    listed: Sequence[glossary.Headword],
    verbs: Collection[str],
    wordnet_folder: Path,
    arrays: Arrays,
    left_out: Collection[str],
) -> dict[str, Form]:
    """Return the forms of the glossary's and WordNet's verb phrases that neither they nor SCOWL list."""
    irregular = {
        form: base
        for form, bases in wordnet.irregular_forms(wordnet_folder).items()
        for base, pos in bases
        if pos == "v" and form != base
    }
    words = {word for length in wordlists.LENGTHS for word in decode(arrays, length)}
    phrases = [headword.written for headword in listed if headword.kind == "p" and (headword.grade or 0) > 1]
    known = words | {headword.word for headword in listed}
    of_verbs = sorted(verb for verb in verbs if " " in verb)
    made = inflected(phrases, of_verbs, Verbs(verbs, irregular, words), known, left_out)
    return {word: form for word, form in made.items() if len(word) in wordlists.LENGTHS}


def build(sources: Sources, target: Path, learned: Path = vectors.VECTORS) -> int:
    """Write the index; return its size in bytes.

    The same sources give the same bytes. Raises FileNotFoundError if a source is missing.
    """
    arrays, meta = facts(sources)
    return write_index(target, arrays | vectors.placed(vectors.load(learned), arrays), meta)
