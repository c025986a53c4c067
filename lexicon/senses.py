"""What the index knows of senses, ready to be asked: inverted definitions, inverted names, relations, vectors."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.pack import Pack
from lexicon.text import terms

Floats = NDArray[np.float32]
Places = NDArray[np.intp]


def spans(starts: NDArray[Any], rows: NDArray[Any]) -> tuple[Places, Places]:
    """List the positions of some rows of a ragged table: (positions, which of `rows` each belongs to).

    >>> positions, owner = spans(np.array([0, 2, 2, 5]), np.array([2, 0]))
    >>> positions.tolist(), owner.tolist()
    ([2, 3, 4, 0, 1], [0, 0, 0, 1, 1])
    """
    begin = starts[rows]
    count = starts[rows + 1] - begin
    owner = np.repeat(np.arange(len(rows)), count)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    return begin[owner] + offset, owner


def starts_of(count: NDArray[Any]) -> NDArray[np.int32]:
    """Turn the lengths of rows into their starts, with the end of the last row added."""
    starts = np.zeros(len(count) + 1, np.int32)
    np.cumsum(count, out=starts[1:])
    return starts


def order_of(keys: NDArray[Any]) -> Places:
    """Return the stable order of whole numbers from 0: by lower, then by upper 16 bits, which numpy sorts fast.

    >>> order_of(np.array([70000, 3, 70000, 2])).tolist()
    [3, 1, 0, 2]
    """
    order: Places = np.argsort(keys.astype(np.uint16), kind="stable")
    if keys.max(initial=0) >> 16:
        order = order[np.argsort((keys >> 16).astype(np.uint16)[order], kind="stable")]
    return order


def by_row(combine: np.ufunc, rows: NDArray[Any], values: Floats) -> tuple[NDArray[Any], Floats]:
    """Combine the values of equal rows: (rows, each once and in order, combined values).

    >>> rows, values = by_row(np.maximum, np.array([4, 1, 4]), np.array([1, 2, 3], np.float32))
    >>> rows.tolist(), values.tolist()
    ([1, 4], [2.0, 3.0])
    """
    if not rows.size:
        return rows, values
    order = np.argsort(rows)
    rows = rows[order]
    first = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    return rows[first], combine.reduceat(values[order], first)


class Inverted:
    """From a term to the rows it occurs in, with the terms' weights and the rows' norms.

    >>> table = Inverted(np.array([2, 1]), np.array([0, 1, 1]), terms=3)
    >>> table.rows(1).tolist()
    [0, 1]
    """

    def __init__(self, count: NDArray[Any], term: NDArray[Any], terms: int) -> None:
        row = np.repeat(np.arange(len(count), dtype=np.int32), count)
        frequency = np.bincount(term, minlength=terms)
        self._starts = starts_of(frequency)
        self._rows = row[order_of(term)]
        self.weight: Floats = np.log(1 + (len(count) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
        self.norm: Floats = np.sqrt(np.bincount(row, self.weight[term] ** 2, len(count))).astype(np.float32) + 1e-6

    def rows(self, term: int) -> NDArray[np.int32]:
        """Return the rows that hold a term."""
        return self._rows[self._starts[term] : self._starts[term + 1]]

    def sums(self, query: list[int]) -> tuple[NDArray[np.int32], Floats]:
        """Return the rows that hold any of the terms, and for each the sum of the squared weights of those it holds."""
        if not query:
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        found = [self.rows(term) for term in query]
        gained = np.repeat(self.weight[query] ** 2, [len(rows) for rows in found])
        return by_row(np.add, np.concatenate(found), gained)


class Senses:
    """The part of an index that does not depend on a word's length; made on first use, then shared."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self.count = int(pack.meta["senses"])
        self.relations: tuple[str, ...] = tuple(pack.meta["relations"])

    @cached_property
    def term_number(self) -> dict[str, int]:
        """Stem -> number."""
        terms = self._pack.text("terms")
        return dict(zip(terms, range(len(terms)), strict=True))

    @cached_property
    def irregular(self) -> dict[str, str]:
        """Irregular form -> base: `mice` -> `mouse`."""
        return {form: base for form, base, _ in (line.split(" ") for line in self._pack.text("irregular"))}

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a text's stems, each once; unknown stems are left out."""
        known = self.term_number
        return list(dict.fromkeys(known[term] for term in terms(text, self.irregular) if term in known))

    @cached_property
    def pos(self) -> NDArray[np.uint8]:
        """Part of speech per sense: 0 noun, 1 verb, 2 adjective, 3 adverb."""
        return self._pack["sense/pos"]

    @cached_property
    def offset(self) -> NDArray[np.uint32]:
        """Where each sense stands in WordNet's files; 0 for senses that are not WordNet's."""
        return self._pack["sense/offset"]

    @cached_property
    def gloss_starts(self) -> NDArray[np.int32]:
        """Where each sense's definition begins in `gloss_terms`."""
        return starts_of(self._pack["gloss/count"])

    @cached_property
    def gloss_terms(self) -> NDArray[np.uint16]:
        """Terms of all definitions, one after the other."""
        return self._pack["gloss/term"]

    @cached_property
    def glosses(self) -> Inverted:
        """Term -> senses with it in their definition."""
        return Inverted(self._pack["gloss/count"], self.gloss_terms, len(self.term_number))

    @cached_property
    def names(self) -> Inverted:
        """Term -> names (rows of `name_sense`) that hold it."""
        return Inverted(self._pack["name/count"], self._pack["name/term"], len(self.term_number))

    @cached_property
    def name_sense(self) -> NDArray[np.int32]:
        """Which sense each name belongs to."""
        return np.repeat(np.arange(self.count, dtype=np.int32), self._pack["names/count"])

    @cached_property
    def edge_starts(self) -> NDArray[np.int32]:
        """Where each sense's relations begin."""
        return starts_of(self._pack["edge/count"])

    @cached_property
    def edge_kind(self) -> NDArray[np.uint8]:
        """Kind of each relation, a position in `relations`."""
        return self._pack["edge/kind"]

    @cached_property
    def edge_target(self) -> NDArray[np.uint32]:
        """Sense at the other end of each relation."""
        return self._pack["edge/target"]

    @cached_property
    def vector_row(self) -> Places:
        """Row of `vectors` per term, -1 for terms without a vector."""
        row = np.full(len(self.term_number), -1, np.intp)
        row[self._pack["vector/term"]] = np.arange(len(self._pack["vector/term"]))
        return row

    @cached_property
    def vectors(self) -> Floats:
        """Vectors of the terms that have one, a row each, as long as the term is rare: rare terms count for more.

        One more row, of zeros, stands for no term.
        """
        weight = self.glosses.weight[self._pack["vector/term"]]
        stored = self._pack["vector/value"]
        values = np.zeros((len(stored) + 1, stored.shape[1]), np.float32)
        values[:-1] = stored
        values[:-1] *= (weight / np.sqrt(np.einsum("ij,ij->i", values[:-1], values[:-1])))[:, None]
        return values

    @cached_property
    def vector_norm(self) -> Floats:
        """Length of each sense's vector: the weighted sum of its definition's term vectors."""
        return self._pack["vector/norm"].astype(np.float32)
