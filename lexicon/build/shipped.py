"""Assemble the shipped index from WordNet, SCOWL, the own glossary and learned vectors: `python -m lexicon build`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lexicon.build import glossary, vectors, wordlists, wordnet
from lexicon.build.arrange import Arrays
from lexicon.build.extend import extended
from lexicon.build.index import wordnet_index, write_index


def facts(wordnet_folder: Path, scowl_folder: Path, own: Path = glossary.GLOSSARY) -> tuple[Arrays, dict[str, Any]]:
    """Return all facts but the vectors, and meta data. Raises FileNotFoundError if a source is missing."""
    listed = list(glossary.headwords(own))
    left_out = {headword.word for headword in listed if headword.grade == glossary.LEFT_OUT}
    listed = [headword for headword in listed if headword.word not in left_out]
    verbs = wordnet.verbs(wordnet_folder)
    ours = list(glossary.entries(listed, verbs))
    arrays, meta = wordnet_index(wordnet_folder, scowl_folder, [entry.definition for entry in ours], left_out)
    arrays, meta = extended(arrays, meta, ours, {headword.word: wordlists.NO_SIZE for headword in listed})
    return arrays | glossary.judgements(arrays, wordlists.LENGTHS, listed, verbs), meta


def build(
    wordnet_folder: Path,
    scowl_folder: Path,
    target: Path,
    own: Path = glossary.GLOSSARY,
    learned: Path = vectors.VECTORS,
) -> int:
    """Write the index; return its size in bytes.

    The same sources give the same bytes. Raises FileNotFoundError if a source is missing.
    """
    arrays, meta = facts(wordnet_folder, scowl_folder, own)
    return write_index(target, arrays | vectors.placed(vectors.load(learned), arrays), meta)
