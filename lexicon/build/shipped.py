"""Assemble the shipped index from WordNet, SCOWL and the own glossary: `python -m lexicon build`."""

from __future__ import annotations

from pathlib import Path

from lexicon.build import glossary
from lexicon.build.extend import extended
from lexicon.build.index import add_vectors, wordnet_index, write_index


def build(wordnet_folder: Path, scowl_folder: Path, target: Path, glossary_file: Path = glossary.GLOSSARY) -> int:
    """Write the index; return its size in bytes.

    The same sources give the same bytes. Raises FileNotFoundError if a source is missing.
    """
    ours = list(glossary.entries(glossary_file))
    arrays, meta = wordnet_index(wordnet_folder, scowl_folder, [entry.definition for entry in ours])
    arrays, meta = extended(arrays, meta, ours, {})
    add_vectors(arrays)
    return write_index(target, arrays, meta)
