"""The index of WordNet and SCOWL, as arrays by name.

It holds facts only: the stems in each definition, the words that name each sense, relations of senses, forms of words.
The texts of the definitions are left out.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.build import wordlists, wordnet
from lexicon.build.arrange import JUDGED, Arrays, arranged
from lexicon.build.morphology import FORMS, bases
from lexicon.build.phrases import Form
from lexicon.errors import LexiconError
from lexicon.pack import write_pack
from lexicon.text import fold, terms
from lexicon.vocabulary import ORIGINS

LOG = logging.getLogger(__name__)

RELATIONS = (
    "hypernym", "hyponym", "similar", "antonym", "derived", "part", "whole", "domain", "member of domain", "verb",
    "synonym",
)  # fmt: skip
"""Kinds of relation in the index, read as: the target is a ... of the source; WordNet has all but the last."""

SYMBOLS = {
    "@": "hypernym", "@i": "hypernym", "~": "hyponym", "~i": "hyponym", "&": "similar", "^": "similar", "$": "similar",
    "!": "antonym", "+": "derived", "\\": "derived", "<": "derived", "=": "derived",
    "%p": "part", "%m": "part", "%s": "part", "#p": "whole", "#m": "whole", "#s": "whole",
    ";c": "domain", ";r": "domain", ";u": "domain", "-c": "member of domain", "-r": "member of domain",
    "-u": "member of domain", "*": "verb", ">": "verb",
}  # fmt: skip
"""WordNet's pointer symbols -> our kinds of relation."""

SENSES_OF_A_FORM = 6
"""A form (plural, past, ...) inherits this many of its base's senses, the most frequent ones: keeps the index small."""

PARTS_OF_SPEECH = "nvar"

RAREST = 3
"""Definitions of a large dictionary that a stem must be in to count, if no other definition has it."""


@dataclass(slots=True)
class Entry:
    """One sense as it goes into the index: its names, the stems of its definition, its relations."""

    pos: str
    offset: int
    names: tuple[str, ...]
    definition: str
    relations: list[tuple[int, int]] = field(default_factory=list)
    ranks: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()


def wordnet_entries(folder: Path) -> list[Entry]:
    """Read WordNet into entries; relations point to positions in the list."""
    synsets = list(wordnet.synsets(folder))
    place = {(synset.pos, synset.offset): number for number, synset in enumerate(synsets)}
    place |= {("s", synset.offset): number for number, synset in enumerate(synsets) if synset.pos == "a"}
    counted = wordnet.sense_counts(folder)
    entries = []
    for synset in synsets:
        known = [counted.get((synset.pos, lemma.lower(), synset.offset), (1, 0)) for lemma in synset.lemmas]
        relations = {
            (RELATIONS.index(SYMBOLS[symbol]), place[pos, offset])
            for symbol, pos, offset in synset.pointers
            if symbol in SYMBOLS
        }
        entries.append(
            Entry(
                synset.pos,
                synset.offset,
                tuple(lemma.replace("_", " ") for lemma in synset.lemmas),
                synset.definition,
                sorted(relations),
                tuple(rank for rank, _ in known),
                tuple(count for _, count in known),
            )
        )
    return entries


def ragged(rows: Sequence[Sequence[int]], dtype: Any) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Store rows of different lengths as (lengths, values)."""
    lengths = np.array([len(row) for row in rows], np.int64)
    if lengths.max(initial=0) > np.iinfo(np.uint8).max:
        raise LexiconError("a row has more than 255 values")
    return lengths.astype(np.uint8), np.array([value for row in rows for value in row], dtype)


def vocabulary(
    definitions: Iterable[Sequence[str]], names: Iterable[Sequence[str]], shared: Iterable[Collection[str]] = ()
) -> list[str]:
    """List all stems: those of definitions first, frequent before rare, so that they fit into 16 bits.

    Of the stems that only `shared` definitions have, those in fewer than `RAREST` are left out.
    """
    defined = Counter(term for row in definitions for term in row)
    further = Counter(term for row in shared for term in row)
    defined.update({term: count for term, count in further.items() if term in defined or count >= RAREST})
    named = Counter(term for row in names for term in row)
    ordered = sorted(defined, key=lambda term: (-defined[term], term))
    if len(ordered) > np.iinfo(np.uint16).max:
        raise LexiconError(f"{len(ordered)} stems in definitions, expected at most 65535")
    return ordered + sorted(set(named) - set(ordered), key=lambda term: (-named[term], term))


def listings(entries: Iterable[Entry], scowl_folder: Path, left_out: Collection[str]) -> dict[str, wordlists.Listing]:
    """List the words of SCOWL and the names of the entries, but for those left out."""
    listed = wordlists.read_scowl(scowl_folder)
    for entry in entries:
        for name in entry.names:
            word = fold(name)
            if len(word) in wordlists.LENGTHS and not any(character.isdigit() for character in name):
                known = listed.setdefault(word, wordlists.Listing(wordlists.NO_SIZE, 0))
                if not name.isalpha():
                    known.kinds |= 1 << wordlists.KINDS.index("phrase")
    return {word: listing for word, listing in listed.items() if word not in left_out}


def times_tagged(entries: Iterable[Entry]) -> Counter[str]:
    """Count how often each word was met in texts in one of its senses."""
    tagged: Counter[str] = Counter()
    for entry in entries:
        for name, count in zip(entry.names, entry.counts, strict=True):
            tagged[fold(name)] += count
    return tagged


def wordnet_index(
    wordnet_folder: Path,
    scowl_folder: Path,
    further: Iterable[str] = (),
    shared: Iterable[str] = (),
    left_out: Collection[str] = (),
) -> tuple[Arrays, dict[str, Any]]:
    """Return the arrays and meta data of an index, without vectors, from WordNet and SCOWL.

    `further` and `shared` are definitions to be added later, whose stems get numbers among those that fit into 16 bits:
    all stems of `further`, the frequent ones of `shared`. Words `left_out` are not in the index, and do not get into
    it with a dictionary that is added.
    Raises FileNotFoundError if a source is missing.
    """
    irregular = {
        form: bases_[0] for form, bases_ in sorted(wordnet.irregular_forms(wordnet_folder).items()) if "_" not in form
    }
    plain = {form: base for form, (base, _) in irregular.items()}
    entries = wordnet_entries(wordnet_folder)
    listed = listings(entries, scowl_folder, left_out)
    LOG.info("%d senses, %d listed words", len(entries), len(listed))
    arrays: Arrays = {}
    number: dict[str, int] = {}
    for length in wordlists.LENGTHS:
        words = sorted(word for word in listed if len(word) == length)
        for word in words:
            number[word] = len(number)
        letters = np.frombuffer("".join(words).encode(), np.uint8).reshape(-1, length) - ord("A")
        arrays[f"letters/{length}"] = np.ascontiguousarray(letters.T)
        arrays[f"size/{length}"] = np.array([listed[word].size for word in words], np.uint8)
        arrays[f"kinds/{length}"] = np.array([listed[word].kinds for word in words], np.uint16)
        arrays |= {f"{name}/{length}": np.zeros(len(words), np.uint8) for name in JUDGED}

    glosses = [sorted(set(terms(entry.definition, plain.get))) for entry in entries]
    names = [[sorted(set(terms(name, plain.get))) for name in entry.names] for entry in entries]
    defined = [*glosses, *(sorted(set(terms(text, plain.get))) for text in further)]
    lexis = vocabulary(
        defined, [term for row in names for term in row], (set(terms(text, plain.get)) for text in shared)
    )
    place = {term: i for i, term in enumerate(lexis)}
    LOG.info("%d stems", len(lexis))
    arrays["terms"] = np.frombuffer("\n".join(lexis).encode(), np.uint8)
    arrays["irregular"] = np.frombuffer(
        "".join(f"{a} {b} {pos}\n" for a, (b, pos) in irregular.items()).encode(), np.uint8
    )
    arrays["sense/pos"] = np.array([PARTS_OF_SPEECH.index(entry.pos) for entry in entries], np.uint8)
    arrays["sense/offset"] = np.array([entry.offset for entry in entries], np.uint32)
    arrays["gloss/count"], arrays["gloss/term"] = ragged([[place[t] for t in row] for row in glosses], np.uint16)
    flat = [row for rows in names for row in rows]
    arrays["names/count"] = np.array([len(rows) for rows in names], np.uint8)
    arrays["name/count"], arrays["name/term"] = ragged([[place[t] for t in row] for row in flat], np.uint32)
    arrays["edge/count"] = np.array([len(entry.relations) for entry in entries], np.uint16)
    arrays["edge/kind"] = np.array([kind for entry in entries for kind, _ in entry.relations], np.uint8)
    arrays["edge/target"] = np.array([target for entry in entries for _, target in entry.relations], np.uint32)

    tagged = times_tagged(entries)
    for length in wordlists.LENGTHS:
        seen = [tagged[word] for word in number if len(word) == length]
        arrays[f"tagged/{length}"] = np.minimum(np.array(seen), 255).astype(np.uint8)
    places = {
        length: {word: i for i, word in enumerate(sorted(word for word in number if len(word) == length))}
        for length in wordlists.LENGTHS
    }
    arrays |= pair_arrays(joins(entries, places, irregular))

    meta = {
        "name": "permissive",
        "relations": RELATIONS,
        "forms": FORMS,
        "kinds": wordlists.KINDS,
        "lengths": [wordlists.LENGTHS.start, wordlists.LENGTHS.stop - 1],
        "senses": len(entries),
        "shipped senses": len(entries),
        "origins": [[0, ORIGINS.index("WordNet")]],
        "words": len(number),
        "left out": sorted(left_out),
        "sources": ["WordNet 3.0", "SCOWL 2020.12.07", "Webster 1913", "own glossary"],
    }
    return arrays, meta


def joins(
    entries: Sequence[Entry],
    words: Mapping[int, Mapping[str, int]],
    irregular: Mapping[str, tuple[str, str]],
    *,
    phrases: Mapping[str, Form] | None = None,
    first: int = 0,
    senses_of_a_form: int = SENSES_OF_A_FORM,
) -> dict[int, NDArray[np.int64]]:
    """Join words and senses: length -> rows of (word's position, sense, form with rank), sorted.

    A word has its own senses, and as a form of another (plural, past, agent, ...) senses of that base. `words` maps
    length -> word -> position; `phrases` are words that are forms of phrases; `first` is the number of the first
    entry's sense.
    """
    phrases = phrases or {}
    senses: dict[str, list[tuple[int, int, str]]] = {}
    for place, entry in enumerate(entries, first):
        for name, rank in zip(entry.names, entry.ranks, strict=True):
            senses.setdefault(fold(name), []).append((rank, place, entry.pos))
    for found in senses.values():
        found.sort()
    lemma_pos = {word: "".join({pos for _, _, pos in found}) for word, found in senses.items()}
    irregular_bases: dict[str, list[tuple[str, str]]] = {}
    for form, (base, pos) in irregular.items():
        irregular_bases.setdefault(fold(form), []).append((fold(base), pos))
    form_of = {"n": "plural", "v": "past", "a": "comparative", "r": "comparative"}
    tables = {}
    for length, listed in words.items():
        rows: set[tuple[int, int, int]] = set()
        for word, local in listed.items():
            own = set()
            for rank, sense, _ in senses.get(word, ()):
                own.add(sense)
                rows.add((local, sense, _packed("own", rank)))
            links = list(bases(word, lemma_pos))
            links += [(form_of[pos], base, pos) for base, pos in irregular_bases.get(word, ())]
            if word in phrases:
                links.append((phrases[word].way, phrases[word].base, PARTS_OF_SPEECH))
            for form, base, wanted in links:
                kept = [(rank, sense) for rank, sense, pos in senses.get(base, ()) if pos in wanted]
                for rank, sense in kept[:senses_of_a_form]:
                    if sense not in own:
                        rows.add((local, sense, _packed(form, rank)))
        tables[length] = np.array(sorted(rows), np.int64).reshape(-1, 3)
    return tables


def _packed(form: str, rank: int) -> int:
    return FORMS.index(form) + 32 * (rank >= 2) + 64 * (rank >= 4)


def pair_arrays(tables: Mapping[int, NDArray[np.int64]]) -> dict[str, NDArray[Any]]:
    """Return the columns of joined rows under their names in the facts."""
    arrays: dict[str, NDArray[Any]] = {}
    for length, table in tables.items():
        arrays[f"pair/word/{length}"] = table[:, 0].astype(np.uint32)
        arrays[f"pair/sense/{length}"] = table[:, 1].astype(np.uint32)
        arrays[f"pair/form/{length}"] = table[:, 2].astype(np.uint8)
    return arrays


def write_index(target: Path, facts: Arrays, meta: Mapping[str, Any]) -> int:
    """Write an index of some facts; return its size in bytes."""
    shortest, longest = meta["lengths"]
    return write_pack(target, arranged(facts, range(shortest, longest + 1)), meta)
