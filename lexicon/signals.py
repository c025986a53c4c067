"""The signals: what a clue has in common with every sense, as numbers.

A clue is asked whole and in its parts (definitions separated by semicolons); a sense keeps the best value of each.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lexicon.senses import Floats, Senses, spans
from lexicon.text import tokens

GLOSS = ("gloss cosine", "gloss covers clue", "gloss covered by clue")
NAMES = ("name", "name inside clue")
EXTRA = (
    "hyponym two steps down", "hyponym three steps down", "neighbour's gloss", "named in the clue's definition",
    "named by the head", "under the head",
)  # fmt: skip
VECTOR = ("vector",)
NEIGHBOUR_FLOOR = 0.25
"""Definitions at least this similar to the clue lend their similarity to related senses: lower is noise."""

NAME_FLOOR = 0.3
"""Names at least this similar to the clue count for the senses related to them."""


STEP_DOWN = 0.85
"""What a sense keeps of the head's meaning per step down the tree of hyponyms."""

STEPS = 6
"""Steps followed down from the head of a clue."""

_HEAD_ENDS = re.compile(
    r"[,(:\"]| (?:of|in|for|with|from|by|on|at|to|used|that|which|who|whose|where|when|resembling|such|similar|or|and"
    r"|having|made|as|than|into|without|containing|worn|found|between|after|before|under|over|about)\b"
)
_HEAD_OPENS = re.compile(
    r"^(?:to |an? |the |one |any |some |\W+|(?:kind|type|sort|variety|form|species|genus|family|member|piece) of )+",
    re.IGNORECASE,
)


def head(text: str) -> str:
    """Return the head word of a definition: what kind of thing, or what to do; empty where there is none.

    >>> [head(text) for text in ("A torture instrument similar to the knout", "To raise to the sky", "Kind of lily")]
    ['instrument', 'raise', 'lily']
    """
    verb = text.lower().startswith("to ")
    rest = _HEAD_OPENS.sub("", text)
    end = _HEAD_ENDS.search(rest)
    words = tokens(rest[: end.start()] if end else rest)
    if not words:
        return ""
    return words[0] if verb else words[-1]


def signal_names(relations: tuple[str, ...]) -> tuple[str, ...]:
    """List the signals of a pair of word and sense."""
    return (*GLOSS, *NAMES, *relations, *EXTRA, *VECTOR)


def parts(clue: str) -> list[str]:
    """Split a clue into the texts that may each define the answer: the whole first.

    >>> parts("A fool; a stupid person")
    ['A fool; a stupid person', 'A fool', 'a stupid person']
    """
    pieces = [piece.strip() for piece in re.split(r";|\s--?\s", clue) if piece.strip()]
    return [clue, *pieces] if len(pieces) > 1 else [clue]


class ClueSignals:
    """A clue's signals for all senses: `table` is (signals, senses), without those that are made per length.

    `held_out` is a sense whose definition must not help: fitting asks its own definition as a clue.
    """

    def __init__(self, senses: Senses, clue: str, held_out: int | None = None) -> None:
        self.senses = senses
        self.held_out = held_out
        self.names = (*GLOSS, *NAMES, *senses.relations, *EXTRA)
        self.table: Floats = np.zeros((len(self.names), senses.count), np.float32)
        self._touched: list[NDArray[np.integer]] = []
        self.by_part: list[tuple[NDArray[np.integer], Floats]] = []
        self.queries = [query for query in (senses.numbers(part) for part in parts(clue)) if query]
        for query in self.queries:
            self._ask_glosses(query)
            self._ask_names(query)
        if held_out is not None:
            self.table[: len(GLOSS), held_out] = 0
        for word in {head(part) for part in parts(clue)}:
            self._follow_head(word)
        self._follow_names()
        self._follow_glosses()
        self.similarity = self._term_similarity()

    def _row(self, name: str) -> Floats:
        row: Floats = self.table[self.names.index(name)]
        return row

    def _ask_glosses(self, query: list[int]) -> None:
        index = self.senses.glosses
        rows, gained = index.sums(query)
        asked = np.float32((index.weight[query] ** 2).sum())
        held = index.norm[rows]
        for name, value in zip(
            GLOSS, (gained / (held * np.sqrt(asked)), gained / asked, gained / held**2), strict=True
        ):
            target = self._row(name)
            target[rows] = np.maximum(target[rows], value)
        self._touched.append(rows)
        value = gained / (held * np.sqrt(asked))
        if self.held_out is not None:
            value[rows == self.held_out] = 0
        self._asked = (rows, value)

    def _ask_names(self, query: list[int]) -> None:
        index = self.senses.names
        rows, gained = index.sums(query)
        asked = np.float32((index.weight[query] ** 2).sum())
        held = index.norm[rows]
        sense = self.senses.name_sense[rows]
        self._touched.append(sense)
        glossed, cosine = self._asked
        self.by_part.append(
            (np.concatenate([glossed, sense]), np.concatenate([cosine, gained / (held * np.sqrt(asked))]))
        )
        np.maximum.at(self._row("name"), sense, gained / (held * np.sqrt(asked)))
        inside = gained > 0.99 * held**2
        np.maximum.at(self._row("name inside clue"), sense[inside], np.sqrt(gained[inside] / asked))

    def _follow_names(self) -> None:
        senses, count = self.senses, self.senses.count
        name = np.maximum(self._row("name"), self._row("name inside clue"))
        first = self.names.index(senses.relations[0])
        named = np.flatnonzero(name > NAME_FLOOR)
        positions, owner = spans(senses.edge_starts, named)
        target = senses.edge_target[positions].astype(np.intp)
        block = self.table[first : first + len(senses.relations)].reshape(-1)
        self._touched.append(target)
        np.maximum.at(block, senses.edge_kind[positions].astype(np.intp) * count + target, name[named[owner]])
        down = senses.relations.index("hyponym")
        above = "hyponym"
        for below in EXTRA[:2]:
            source = np.flatnonzero(self._row(above) > NAME_FLOOR)
            positions, owner = spans(senses.edge_starts, source)
            kept = senses.edge_kind[positions] == down
            target = senses.edge_target[positions[kept]].astype(np.intp)
            self._touched.append(target)
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
                self._touched.append(senses.name_sense[single])
                np.maximum.at(self._row("named in the clue's definition"), self._touched[-1], np.float32(value))

    def _follow_head(self, word: str) -> None:
        senses = self.senses
        down = senses.relations.index("hyponym")
        for term in senses.numbers(word):
            rows = senses.names.rows(term)
            level = senses.name_sense[rows[senses.names.norm[rows] < senses.names.weight[term] * 1.01]]
            self._row("named by the head")[level] = 1
            under = self._row("under the head")
            value = np.float32(1)
            for _ in range(STEPS):
                positions, _owner = spans(senses.edge_starts, level)
                level = senses.edge_target[positions[senses.edge_kind[positions] == down]].astype(np.intp)
                level = np.unique(level[under[level] < value])
                if not level.size:
                    break
                under[level] = value
                self._touched.append(level)
                value *= np.float32(STEP_DOWN)

    def _follow_glosses(self) -> None:
        gloss = self._row("gloss cosine")
        source = np.flatnonzero(gloss > NEIGHBOUR_FLOOR)
        positions, owner = spans(self.senses.edge_starts, source)
        target = self.senses.edge_target[positions].astype(np.intp)
        self._touched.append(target)
        np.maximum.at(self._row("neighbour's gloss"), target, gloss[source[owner]])

    def strength(self) -> Floats:
        """Return a rough sum of all signals per sense: 0 for senses that no signal touches."""
        total = np.zeros(self.senses.count, np.float32)
        if self._touched:
            touched = np.zeros(self.senses.count, bool)
            for rows in self._touched:
                touched[rows] = True
            rows = np.flatnonzero(touched)
            total[rows] = self.table[:, rows].sum(axis=0)
        return total

    def _term_similarity(self) -> Floats:
        """Similarity of the clue's parts to every term that has a vector, (parts, rows of `Senses.vectors`).

        Weighted, so that the sum over a definition's terms, over the length of its vector, is the cosine.
        """
        senses = self.senses
        asked = []
        for query in self.queries:
            known = [term for term in query if senses.vector_row[term] >= 0]
            if known:
                vector = senses.vector_weight[senses.vector_row[known]] @ senses.vectors[senses.vector_row[known]]
                asked.append(vector / (np.linalg.norm(vector) + 1e-9))
        if not asked:
            return np.zeros((0, len(senses.vectors)), np.float32)
        similarity: Floats = (senses.vectors @ np.stack(asked, axis=1)).T * senses.vector_weight
        return similarity
