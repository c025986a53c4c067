"""The signals: what a clue has in common with every sense, as numbers.

A clue is asked whole and in its parts (definitions separated by semicolons); a sense keeps the best value of each.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lexicon.senses import Floats, Senses, spans

GLOSS = ("gloss cosine", "gloss covers clue", "gloss covered by clue")
NAMES = ("name", "name inside clue")
EXTRA = ("hyponym two steps down", "hyponym three steps down", "neighbour's gloss", "named in the clue's definition")
VECTOR = ("vector",)

NEIGHBOUR_FLOOR = 0.25
"""Definitions at least this similar to the clue lend their similarity to related senses: fewer would be noise and slow."""

NAME_FLOOR = 0.3
"""Names at least this similar to the clue count for the senses related to them."""


def signal_names(relations: tuple[str, ...]) -> tuple[str, ...]:
    """List the columns of a signal table."""
    return (*GLOSS, *NAMES, *relations, *EXTRA, *VECTOR)


def parts(clue: str) -> list[str]:
    """Split a clue into the texts that may each define the answer: the whole first.

    >>> parts("A fool; a stupid person")
    ['A fool; a stupid person', 'A fool', 'a stupid person']
    """
    pieces = [piece.strip() for piece in re.split(r";|\s--?\s", clue) if piece.strip()]
    return [clue, *pieces] if len(pieces) > 1 else [clue]


class ClueSignals:
    """A clue's signals for all senses: `table` is (signals, senses); the last row, `vector`, is filled per length."""

    def __init__(self, senses: Senses, clue: str) -> None:
        self._senses = senses
        self.names = signal_names(senses.relations)
        self.table: Floats = np.zeros((len(self.names), senses.count), np.float32)
        self.queries = [query for query in (senses.numbers(part) for part in parts(clue)) if query]
        for query in self.queries:
            self._ask_glosses(query)
            self._ask_names(query)
        self._follow_names()
        self._follow_glosses()
        self.similarity = self._term_similarity()

    def _row(self, name: str) -> Floats:
        return self.table[self.names.index(name)]

    def _ask_glosses(self, query: list[int]) -> None:
        index = self._senses.glosses
        rows, gained = index.sums(query)
        asked = np.float32((index.weight[query] ** 2).sum())
        held = index.norm[rows]
        for name, value in zip(GLOSS, (gained / (held * np.sqrt(asked)), gained / asked, gained / held**2), strict=True):
            target = self._row(name)
            target[rows] = np.maximum(target[rows], value)

    def _ask_names(self, query: list[int]) -> None:
        index = self._senses.names
        rows, gained = index.sums(query)
        asked = np.float32((index.weight[query] ** 2).sum())
        held = index.norm[rows]
        sense = self._senses.name_sense[rows]
        np.maximum.at(self._row("name"), sense, gained / (held * np.sqrt(asked)))
        inside = gained > 0.99 * held**2
        np.maximum.at(self._row("name inside clue"), sense[inside], np.sqrt(gained[inside] / asked))

    def _follow_names(self) -> None:
        senses, count = self._senses, self._senses.count
        name = np.maximum(self._row("name"), self._row("name inside clue"))
        first = senses.relations and self.names.index(senses.relations[0])
        named = np.flatnonzero(name > NAME_FLOOR)
        positions, owner = spans(senses.edge_starts, named)
        target = senses.edge_target[positions].astype(np.intp)
        block = self.table[first : first + len(senses.relations)].reshape(-1)
        np.maximum.at(block, senses.edge_kind[positions].astype(np.intp) * count + target, name[named[owner]])
        down = senses.relations.index("hyponym")
        above = "hyponym"
        for below in EXTRA[:2]:
            source = np.flatnonzero(self._row(above) > NAME_FLOOR)
            positions, owner = spans(senses.edge_starts, source)
            kept = senses.edge_kind[positions] == down
            target = senses.edge_target[positions[kept]].astype(np.intp)
            np.maximum.at(self._row(below), target, self._row(above)[source[owner[kept]]])
            above = below
        exact = np.flatnonzero(self._row("name") > 0.95)
        if 0 < len(exact) <= 60:
            positions, _ = spans(senses.gloss_starts, exact)
            mentioned = np.unique(senses.gloss_terms[positions])
            for term in mentioned:
                rows = senses.names.rows(int(term))
                single = rows[senses.names.norm[rows] < senses.names.weight[term] * 1.01]
                value = min(1.0, float(senses.glosses.weight[term]) / 10)
                np.maximum.at(self._row("named in the clue's definition"), senses.name_sense[single], np.float32(value))

    def _follow_glosses(self) -> None:
        gloss = self._row("gloss cosine")
        source = np.flatnonzero(gloss > NEIGHBOUR_FLOOR)
        positions, owner = spans(self._senses.edge_starts, source)
        target = self._senses.edge_target[positions].astype(np.intp)
        np.maximum.at(self._row("neighbour's gloss"), target, gloss[source[owner]])

    def _term_similarity(self) -> Floats:
        """Weighted similarity of every term to the clue, (queries, terms); dotted with a definition it is its cosine."""
        senses = self._senses
        result = np.zeros((len(self.queries), len(senses.term_number)), np.float32)
        kept = senses.vector_row >= 0
        for number, query in enumerate(self.queries):
            known = [term for term in query if senses.vector_row[term] >= 0]
            if known:
                vector = senses.glosses.weight[known] @ senses.vectors[senses.vector_row[known]]
                vector /= np.linalg.norm(vector) + 1e-9
                result[number, kept] = senses.vectors @ vector
        return result * senses.glosses.weight


def vector_similarity(
    signals: ClueSignals, starts: NDArray[np.intp], terms: NDArray[np.intp], norm: Floats
) -> Floats:
    """Return the cosine of the clue's vector with documents' vectors, the best over the clue's parts.

    `terms` are the documents' terms one after the other, `starts` where each begins (no document is empty), `norm` the
    length of each document's vector.
    """
    if not len(signals.similarity) or not len(starts):
        return np.zeros(len(starts), np.float32)
    best = signals.similarity[:, terms]
    return (np.add.reduceat(best, starts, axis=1) / norm).max(axis=0).astype(np.float32)
