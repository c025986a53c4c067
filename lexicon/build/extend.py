"""Add a dictionary to an index: a new index with the shipped facts and the added ones, on the user's machine."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.build import wordlists
from lexicon.build.arrange import JUDGED, Arrays, decode, facts_of, lines
from lexicon.build.index import (
    PARTS_OF_SPEECH,
    RELATIONS,
    Entry,
    joins,
    pair_arrays,
    ragged,
    write_index,
)
from lexicon.build.phrases import Form
from lexicon.pack import Pack
from lexicon.text import fold, terms
from lexicon.vocabulary import ORIGINS

LOG = logging.getLogger(__name__)

SENSES_OF_AN_ADDED_FORM = {"dictionary": 4, "glossary": 16}
"""A form inherits this many of its base's added definitions, by their origin: they are cut finer than WordNet's."""

SYNONYMS = 6
"""Senses of another word that a definition by that word alone is tied to, its most frequent ones."""

_POINTS_TO = re.compile(
    r"^(?:see(?: also)?|same as|(?:an? )?(?:\w+\.? )?(?:form|spelling|variant|name|word) (?:of|for)|to|an?|the) ",
    re.IGNORECASE,
)

LONGEST_DEFINITION = {"dictionary": 8, "glossary": 40}
"""Maximum number of stems kept of a definition, the first ones: a dictionary's go on into examples and remarks."""


def extend(
    base: Pack,
    added: Iterable[Entry],
    target: Path,
    *,
    words: Mapping[str, int],
    origin: str,
    source: Mapping[str, Any],
    fingerprint: int,
) -> int:
    """Write an index with everything of `base`, the added entries and words (with sizes); return its size in bytes.

    `origin` is one of `ORIGINS`; `source` describes the addition; `fingerprint` identifies the shipped index that the
    new one extends.
    """
    entries = list(added)
    arrays, meta = extended(facts_of(base), base.meta, entries, words, origin)
    meta["base"] = fingerprint
    meta["added"] = [*meta.get("added", ()), {**source, "definitions": len(entries)}]
    return write_index(target, arrays, meta)


def extended(
    base: Arrays,
    meta: Mapping[str, Any],
    entries: Sequence[Entry],
    words: Mapping[str, int],
    origin: str,
    *,
    phrases: Mapping[str, Form] | None = None,
    new_stems: bool = True,
) -> tuple[Arrays, dict[str, Any]]:
    """Return an index with entries and words (with sizes) added, as arrays and meta data; vectors stay as they are.

    `origin`, one of `ORIGINS`, is that of the entries. Words among `phrases` are forms of others, which the entries
    define. Without `new_stems`, definitions leave out stems that the index does not have yet, or not in definitions.
    """
    arrays = dict(base)
    irregular = {form: (word, pos) for form, word, pos in (line.split(" ") for line in lines(base["irregular"]))}
    plain = {form: word for form, (word, _) in irregular.items()}
    lexis = lines(base["terms"])
    place = {term: number for number, term in enumerate(lexis)}

    def numbers(text: str, known: Container[int] | None = None) -> list[int]:
        found = []
        for term in dict.fromkeys(terms(text, plain.get)):
            if known is not None and place.get(term, -1) not in known:
                continue
            if term not in place:
                place[term] = len(lexis)
                lexis.append(term)
            found.append(place[term])
        return sorted(found[:longest])

    longest = LONGEST_DEFINITION[origin]
    known = None if new_stems else range(min(len(lexis), np.iinfo(base["gloss/term"].dtype).max + 1))
    glosses = [numbers(entry.definition, known) for entry in entries]
    names = [[numbers(name) for name in entry.names] for entry in entries]
    LOG.info("%d definitions", len(entries))
    heads = ({fold(name) for entry in entries for name in entry.names} | set(words)).difference(meta["left out"])
    listed, places, moved = with_words(base, meta["lengths"], heads, words)
    arrays |= listed

    first = int(meta["senses"])
    most = SENSES_OF_AN_ADDED_FORM[origin]
    added = joins(entries, places, irregular, phrases=phrases, first=first, senses_of_a_form=most)
    tables = {length: with_pairs(base, length, table, moved[length]) for length, table in added.items()}
    arrays |= pair_arrays(tables)

    def append(name: str, values: NDArray[Any]) -> None:
        fits = values.max(initial=0) <= np.iinfo(base[name].dtype).max
        arrays[name] = np.concatenate([base[name], values.astype(base[name].dtype) if fits else values])

    gloss_count, gloss_term = ragged(glosses, np.uint32)
    append("gloss/count", gloss_count)
    append("gloss/term", gloss_term)
    name_count, name_term = ragged([row for rows in names for row in rows], np.uint32)
    append("name/count", name_count)
    append("name/term", name_term)
    append("names/count", np.array([len(rows) for rows in names], np.uint8))
    arrays |= with_synonyms(base, entries, places, tables, first)
    append("sense/pos", np.array([PARTS_OF_SPEECH.index(entry.pos) for entry in entries], np.uint8))
    append("sense/offset", np.zeros(len(entries), np.uint32))
    arrays["terms"] = np.frombuffer("\n".join(lexis).encode(), np.uint8)

    counts = {"senses": first + len(entries), "words": sum(len(listed) for listed in places.values())}
    origins = [*meta["origins"], [first, ORIGINS.index(origin)]]
    return arrays, {**meta, **counts, "origins": origins}


def with_words(
    base: Arrays, lengths: tuple[int, int], heads: Collection[str], sizes: Mapping[str, int]
) -> tuple[Arrays, dict[int, dict[str, int]], dict[int, NDArray[np.int64]]]:
    """Return facts about words with those of new `heads`, and by length each word's place and the old words' places.

    `lengths` are the shortest and the longest; `sizes` are SCOWL sizes of some words, which a smaller one keeps.
    """
    arrays: Arrays = {}
    places: dict[int, dict[str, int]] = {}
    moved: dict[int, NDArray[np.int64]] = {}
    for length in range(lengths[0], lengths[1] + 1):
        old = decode(base, length)
        listed = sorted(set(old) | {head for head in heads if len(head) == length})
        place = places[length] = {word: number for number, word in enumerate(listed)}
        moved[length] = np.array([place[word] for word in old], np.int64)
        letters = np.frombuffer("".join(listed).encode(), np.uint8).reshape(-1, length) - 65
        arrays[f"letters/{length}"] = np.ascontiguousarray(letters.T)
        for name, missing in (("size", wordlists.NO_SIZE), *((name, 0) for name in ("kinds", "tagged", *JUDGED))):
            column = np.full(len(listed), missing, base[f"{name}/{length}"].dtype)
            column[moved[length]] = base[f"{name}/{length}"]
            arrays[f"{name}/{length}"] = column
        for word, size in sizes.items():
            if len(word) == length and word in place:
                arrays[f"size/{length}"][place[word]] = min(size, arrays[f"size/{length}"][place[word]])
                arrays[f"kinds/{length}"][place[word]] |= size < wordlists.NO_SIZE
    return arrays, places, moved


def with_pairs(base: Arrays, length: int, added: NDArray[np.int64], moved: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return an index's rows of (word, sense, form) with those added, sorted; `moved` are the words' new positions."""
    kept = np.stack([base[f"pair/{name}/{length}"].astype(np.int64) for name in ("word", "sense", "form")], axis=1)
    kept[:, 0] = moved[kept[:, 0]]
    both = np.concatenate([kept, added])
    return both[np.lexsort((both[:, 2], both[:, 1], both[:, 0]))]


def pointed_to(definition: str) -> str:
    """Return the word that a definition consists of, folded, or an empty string.

    >>> [pointed_to(text) for text in ("See Emir", "to fetch", "variant of wite", "An Arab prince")]
    ['EMIR', 'FETCH', 'WITE', '']
    """
    rest, before = definition.strip(), ""
    while rest != before:
        before, rest = rest, _POINTS_TO.sub("", rest)
    return fold(rest) if re.fullmatch(r"[\w'-]+", rest) else ""


def with_synonyms(
    base: Arrays,
    entries: Sequence[Entry],
    words: Mapping[int, Mapping[str, int]],
    tables: Mapping[int, NDArray[np.int64]],
    first: int,
) -> Arrays:
    """Return the relations with those of the entries added: a definition by one word ties its sense to that word's.

    `tables` are the joined rows of all words, old and new; `first` is the number of the first entry's sense.
    """
    of_verb = np.concatenate([base["sense/pos"], [PARTS_OF_SPEECH.index(entry.pos) for entry in entries]]) == 1
    wanted: dict[str, list[int]] = {}
    for sense, entry in enumerate(entries, first):
        word = pointed_to(entry.definition)
        if word:
            wanted.setdefault(word, []).append(sense)
    source, target = [], []
    for length, table in tables.items():
        own = table[table[:, 2] & 31 == 0]
        own = own[np.lexsort((own[:, 1], own[:, 2] & 96, own[:, 0]))]
        starts = np.searchsorted(own[:, 0], np.arange(len(words[length]) + 1))
        for word, place in words[length].items():
            for sense in wanted.get(word, ()):
                senses = own[starts[place] : starts[place + 1], 1]
                senses = senses[of_verb[senses] == of_verb[sense]][:SYNONYMS]
                source += senses.tolist()
                target += [sense] * len(senses)
    count = base["edge/count"]
    sources = np.concatenate([np.repeat(np.arange(len(count)), count), np.array(source, np.int64)])
    order = np.argsort(sources, kind="stable")
    kinds = np.concatenate([base["edge/kind"], np.full(len(source), RELATIONS.index("synonym"), np.uint8)])
    targets = np.concatenate([base["edge/target"], np.array(target, np.uint32)])
    counts = np.bincount(sources, minlength=len(of_verb))
    wide = np.promote_types(count.dtype, np.min_scalar_type(int(counts.max(initial=0))))
    return {"edge/count": counts.astype(wide), "edge/kind": kinds[order], "edge/target": targets[order]}
