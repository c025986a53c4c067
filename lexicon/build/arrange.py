"""From facts to the arrays of an index file, and back.

Facts are the content of the sources, in the form in which they are collected and extended. The file holds them in the
form that a look-up needs: definitions and names inverted, starts instead of lengths, pairs of word and sense in the
order of their definitions. So opening the lexicon computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.pack import Pack
from lexicon.senses import Floats, Inverted, Places, on_scale, scaled, starts_of

Arrays = dict[str, NDArray[Any]]

JUDGED = ("grade", "base grade", "sort", "meanings")
"""What the glossary says of the words of each length: `glossary.judgements`."""

OF_WORDS = ("letters", "size", "kinds", "tagged", *JUDGED)
"""Facts about the words of each length that the file holds unchanged."""

OF_SENSES = (
    "irregular", "sense/pos", "sense/offset", "names/count", "gloss/term", "edge/kind", "edge/target", "vector/term",
    "vector/value", "vector/weight",
)  # fmt: skip
"""Other facts that it holds unchanged."""

SHORTEST = 1e-3
"""Shorter vectors are dropped: their direction would be that of rounding errors."""


def arranged(facts: Arrays, lengths: Iterable[int]) -> Arrays:
    """Return the arrays of an index file for facts about words of some lengths."""
    lexis = lines(facts["terms"])
    stored = {name: facts[name] for name in OF_SENSES}
    numbered = sorted((term.encode(), number) for number, term in enumerate(lexis))
    stored["terms"] = np.frombuffer(b"".join(b"%s %d\n" % line for line in numbered), np.uint8)
    for name in ("gloss", "name"):
        table = inverted(facts[f"{name}/count"], facts[f"{name}/term"], len(lexis))
        stored |= {f"{name} by term/{key}": getattr(table, key) for key in Inverted.__slots__}
    for name in ("gloss", "edge"):
        stored[f"{name}/starts"] = starts_of(facts[f"{name}/count"])
    stored["gloss by term/norm"] = on_scale(stored["gloss by term/norm"])
    directions, lengths_of_vectors = document_vectors(facts, len(lexis))
    stored["vector/norm"] = on_scale(lengths_of_vectors)
    for length in lengths:
        stored |= {f"{name}/{length}": facts[f"{name}/{length}"] for name in OF_WORDS}
        pair_sense = facts[f"pair/sense/{length}"]
        used = np.unique(pair_sense)
        sense = used[np.argsort(facts["gloss/count"][used], kind="stable")]
        document = np.zeros(len(facts["gloss/count"]), np.intp)
        document[sense] = np.arange(len(sense))
        order = np.argsort(document[pair_sense], kind="stable")
        stored[f"pair/word/{length}"] = facts[f"pair/word/{length}"][order]
        stored[f"pair/form/{length}"] = facts[f"pair/form/{length}"][order]
        stored[f"document/sense/{length}"] = sense.astype(np.int32)
        stored[f"document/pairs/{length}"] = narrow(np.bincount(document[pair_sense], minlength=len(sense)))
        words = len(facts[f"size/{length}"])
        stored[f"centre/{length}"] = centre_lengths(directions, pair_sense, facts[f"pair/word/{length}"], words)
    return stored


def facts_of(pack: Pack) -> Arrays:
    """Return the facts that an index was made from; the terms of a name may come in another order."""
    lengths = range(pack.meta["lengths"][0], pack.meta["lengths"][1] + 1)
    facts = {name: pack[name] for name in (*OF_SENSES, *(f"{name}/{n}" for name in OF_WORDS for n in lengths))}
    numbered = (line.split(" ") for line in lines(pack["terms"]))
    lexis = [term for _, term in sorted((int(number), term) for term, number in numbered)]
    facts["terms"] = np.frombuffer("\n".join(lexis).encode(), np.uint8)
    for name in ("gloss", "edge"):
        facts[f"{name}/count"] = narrow(np.diff(pack[f"{name}/starts"]))
    names = Inverted.of(pack, "name")
    rows, term = names.all_rows(), np.repeat(np.arange(len(lexis), dtype=np.uint32), np.diff(names.starts))
    facts["name/term"] = term[np.argsort(rows, kind="stable")]
    facts["name/count"] = narrow(np.bincount(rows, minlength=int(pack["names/count"].sum())))
    for length in lengths:
        facts[f"pair/word/{length}"] = pack[f"pair/word/{length}"]
        facts[f"pair/form/{length}"] = pack[f"pair/form/{length}"]
        sense = np.repeat(pack[f"document/sense/{length}"], pack[f"document/pairs/{length}"])
        facts[f"pair/sense/{length}"] = sense.astype(np.uint32)
    return facts


def lines(array: NDArray[Any]) -> list[str]:
    """Return the lines of a text that is stored as an array.

    >>> lines(np.frombuffer(b"one\\ntwo", np.uint8))
    ['one', 'two']
    """
    return array.tobytes().decode().splitlines()


def decode(pack: Pack | Arrays, length: int) -> list[str]:
    """Return the words of a length in the order of an index."""
    letters = np.ascontiguousarray(pack[f"letters/{length}"].T) + np.uint8(65)
    return [bytes(row).decode() for row in letters]


def narrow(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers from 0 in the narrowest type that holds them.

    >>> narrow(np.array([3, 256])).dtype
    dtype('uint16')
    """
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def inverted(count: NDArray[Any], term: NDArray[Any], terms: int) -> Inverted:
    """Invert rows of terms, given as the lengths of the rows and their terms one after the other.

    >>> table = inverted(np.array([2, 1]), np.array([0, 1, 1]), terms=3)
    >>> table.rows(1).tolist(), table.all_rows().tolist()
    ([0, 1], [0, 0, 1])
    """
    row = np.repeat(np.arange(len(count), dtype=np.int32), count)
    frequency = np.bincount(term, minlength=terms)
    weight = np.log(1 + (len(count) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    norm = np.sqrt(np.bincount(row, weight[term] ** 2, len(count))) + 1e-6
    starts, rows = starts_of(frequency), row[np.argsort(term, kind="stable")]
    first = starts[:-1][frequency > 0]
    steps = np.diff(rows, prepend=np.int32(0))
    steps[first] = rows[first]
    low, high = steps.astype(np.uint16), (steps >> 16).astype(np.uint8)
    return Inverted(starts, low, high, weight, norm.astype(np.float16))


def document_vectors(facts: Arrays, terms: int) -> tuple[Floats, Floats]:
    """Return the direction of each definition's vector, (senses, dimensions), and its length, (senses,).

    A definition's vector is the sum of its terms' vectors; without any of these its length counts as 1.
    """
    count, term = facts["gloss/count"], facts["gloss/term"]
    vectors = np.zeros((terms, facts["vector/value"].shape[1]), np.float32)
    vectors[facts["vector/term"]] = scaled(facts["vector/value"], facts["vector/weight"])
    starts = starts_of(count)
    total = np.zeros((len(count), vectors.shape[1]), np.float32)
    for first in range(0, len(count), 4096):
        last = min(first + 4096, len(count))
        filled = np.flatnonzero(count[first:last]) + first
        part = vectors[term[starts[first] : starts[last]]]
        total[filled] = np.add.reduceat(part, starts[filled] - starts[first], axis=0)
    lengths = lengths_of(total)
    return total / lengths[:, None], lengths


def centre_lengths(directions: Floats, sense: Places, word: Places, words: int) -> NDArray[np.float16]:
    """Return the length of the sum of the directions of each word's definitions, (words,), 1 for a word without any."""
    total = np.zeros((words, directions.shape[1]), np.float32)
    np.add.at(total, word, directions[sense])
    return lengths_of(total).astype(np.float16)


def lengths_of(vectors: Floats) -> Floats:
    """Return the lengths of vectors, 1 for those that are too short to have a direction."""
    lengths: Floats = np.linalg.norm(vectors, axis=1)
    lengths[lengths < SHORTEST] = 1
    return lengths
