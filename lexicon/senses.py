"""Senses in the index: inverted definitions, inverted names, relations, vectors."""

from __future__ import annotations

from dataclasses import dataclass
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


def scaled(values: NDArray[np.int8], lengths: NDArray[np.float32]) -> Floats:
    """Return vectors of the directions of `values`, (n, dimensions), and of some lengths, (n,)."""
    vectors = values.astype(np.float32)
    vectors *= (lengths / (np.sqrt(np.einsum("ij,ij->i", vectors, vectors)) + 1e-9))[:, None]
    return vectors


VECTOR_BLOCK = 4096
"""Terms' vectors that are multiplied at once."""

LENGTHS: Floats = np.exp2((np.arange(256) - 112) / 24).astype(np.float32)
"""Scale of the lengths of definitions and their vectors: a byte each is within 1.5 %, which a cosine need not beat."""


def on_scale(lengths: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Return the nearest positions in `LENGTHS`.

    >>> LENGTHS[on_scale(np.array([1.0, 16.0]))].tolist()
    [1.0, 16.0]
    """
    place = np.rint(24 * np.log2(np.maximum(lengths, LENGTHS[0])) + 112)
    found: NDArray[np.uint8] = np.minimum(place, len(LENGTHS) - 1).astype(np.uint8)
    return found


@dataclass(frozen=True, slots=True)
class Inverted:
    """From a term to the rows that hold it, with the terms' weights and the rows' lengths.

    The rows of term t, in ascending order, are the running sums of its steps, `low[i] + 65536 * high[i]` for i in
    `range(starts[t], starts[t + 1])`: small numbers in two columns, of which a compressed index, in the wheel, is 3 MB
    smaller.
    """

    starts: NDArray[np.int32]
    low: NDArray[np.uint16]
    high: NDArray[np.uint8]
    weight: Floats
    norm: NDArray[np.float16] | NDArray[np.uint8]
    """Lengths; of definitions, positions in `LENGTHS`."""

    @classmethod
    def of(cls, pack: Pack, name: str) -> Inverted:
        """Read the table of an index that inverts `gloss` or `name`."""
        return cls(*(pack[f"{name} by term/{part}"] for part in cls.__slots__))

    def rows(self, term: int) -> NDArray[np.int32]:
        """Return the rows that hold a term."""
        rows: NDArray[np.int32] = np.cumsum(self._steps(self.starts[term], self.starts[term + 1]), dtype=np.int32)
        return rows

    def all_rows(self) -> NDArray[np.int32]:
        """Return the rows of all terms, one after the other."""
        sums = np.concatenate([[0], np.cumsum(self._steps(0, len(self.low)), dtype=np.int64)])
        before = np.repeat(sums[self.starts[:-1]], np.diff(self.starts))
        rows: NDArray[np.int32] = (sums[1:] - before).astype(np.int32)
        return rows

    def _steps(self, first: int, last: int) -> NDArray[np.int32]:
        steps: NDArray[np.int32] = self.low[first:last] + (self.high[first:last].astype(np.int32) << 16)
        return steps

    def sums(self, query: list[int]) -> tuple[NDArray[np.int32], Floats]:
        """Return the rows that hold any of the terms, and for each the sum of the squared weights of those it holds."""
        if not query:
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        found = [self.rows(term) for term in query]
        gained = np.repeat(self.weight[query] ** 2, [len(rows) for rows in found])
        return by_row(np.add, np.concatenate(found), gained)


class Senses:
    """The part of an index that does not depend on a word's length: mostly views of the file."""

    def __init__(self, pack: Pack) -> None:
        self.count = int(pack.meta["senses"])
        self.relations: tuple[str, ...] = tuple(pack.meta["relations"])
        firsts, origins = zip(*pack.meta["origins"], strict=True)
        self.origin: NDArray[np.uint8] = np.repeat(np.array(origins, np.uint8), np.diff([*firsts, self.count]))
        """Origin of each sense, a position in `vocabulary.ORIGINS`."""
        self._terms = pack.lines("terms")
        self._irregular = pack.lines("irregular")
        self.glosses = Inverted.of(pack, "gloss")
        """Term -> senses with it in their definition."""
        self.names = Inverted.of(pack, "name")
        """Term -> names (rows of `name_sense`) that hold it."""
        self.name_sense: NDArray[np.int32] = np.repeat(np.arange(self.count, dtype=np.int32), pack["names/count"])
        """Sense of each name."""
        self.pos: NDArray[np.uint8] = pack["sense/pos"]
        """Part of speech of each sense: 0 noun, 1 verb, 2 adjective, 3 adverb."""
        self.offset: NDArray[np.uint32] = pack["sense/offset"]
        """Offset of each sense in WordNet's files; 0 for senses that are not WordNet's."""
        self.gloss_starts: NDArray[np.int32] = pack["gloss/starts"]
        """Start of each sense's definition in `gloss_terms`, and the end of the last."""
        self.gloss_terms: NDArray[np.integer] = pack["gloss/term"]
        """Terms of all definitions, one after the other."""
        self.edge_starts: NDArray[np.int32] = pack["edge/starts"]
        """Start of each sense's relations, and the end of the last."""
        self.edge_kind: NDArray[np.uint8] = pack["edge/kind"]
        """Kind of each relation, a position in `relations`."""
        self.edge_target: NDArray[np.uint32] = pack["edge/target"]
        """Sense at the other end of each relation."""
        self.vector_norm: NDArray[np.uint8] = pack["vector/norm"]
        """Length of each sense's vector, the weighted sum of its definition's term vectors: a position in `LENGTHS`."""
        self._vector_terms: NDArray[np.uint32] = pack["vector/term"]
        self._vector_values: NDArray[np.int8] = pack["vector/value"]
        self._vector_weight: NDArray[np.float32] = pack["vector/weight"]

    def number(self, stem: str) -> int | None:
        """Return the number of a stem, None if it is in no definition or name."""
        found = self._terms.get(stem)
        return None if found is None else int(found)

    def base(self, form: str) -> str | None:
        """Return the base of an irregular form, None if it is not one: `mice` -> `mouse`."""
        found = self._irregular.get(form)
        return None if found is None else found.partition(" ")[0]

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of a text's stems, each once; unknown stems are left out."""
        found = map(self.number, dict.fromkeys(terms(text, self.base)))
        return [number for number in found if number is not None]

    @cached_property
    def vector_row(self) -> NDArray[np.unsignedinteger]:
        """Row of the vectors per term, `no_row` for terms without one: in the smallest numbers, as tables hold many."""
        row = np.full(len(self.glosses.weight), self.no_row, np.min_scalar_type(self.no_row))
        row[self._vector_terms] = np.arange(len(self._vector_terms))
        return row

    @property
    def no_row(self) -> int:
        """Row that stands for no term: one past the last of the vectors."""
        return len(self._vector_terms)

    def vectors(self, rows: NDArray[np.integer]) -> Floats:
        """Return some terms' vectors, a row each, as long as the term counts."""
        return scaled(self._vector_values[rows], self._vector_weight[rows])

    def vector_products(self, vectors: Floats) -> Floats:
        """Return the products of some vectors, (n, dimensions), with those of all terms, (n, terms).

        The terms' vectors are read a block at a time: as numbers of four bytes they would be 13 MB that stay.
        """
        products: Floats = np.empty((len(vectors), self.no_row), np.float32)
        for first in range(0, self.no_row, VECTOR_BLOCK):
            block = slice(first, first + VECTOR_BLOCK)
            np.matmul(vectors, self._vector_values[block].astype(np.float32).T, out=products[:, block])
        products *= self._vector_scale
        return products

    @cached_property
    def _vector_scale(self) -> Floats:
        """Length of each term's vector over that of its values."""
        squares = [
            np.einsum("ij,ij->i", block, block, dtype=np.float32)
            for block in np.split(self._vector_values, range(VECTOR_BLOCK, self.no_row, VECTOR_BLOCK))
        ]
        scale: Floats = self._vector_weight / (np.sqrt(np.concatenate(squares)) + np.float32(1e-9))
        return scale
