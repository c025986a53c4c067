"""The signals: numbers for the common ground of a clue and a sense.

A clue is asked whole and in its parts (definitions separated by semicolons); a sense keeps the best value of each.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from lexicon.senses import LENGTHS, Floats, Places, Senses, by_row, spans
from lexicon.text import tokens

GLOSS = ("gloss cosine", "gloss covers clue", "gloss covered by clue")
NAMES = ("name", "name inside clue")
EXTRA = (
    "hyponym two steps down", "hyponym three steps down", "neighbour's gloss", "synonym's gloss",
    "named in the clue's definition", "named by the head", "under the head",
)  # fmt: skip
VECTOR = ("vector",)
NEIGHBOUR_FLOOR = 0.25
"""Definitions at least this similar to the clue lend their similarity to related senses: lower is noise."""

NAME_FLOOR = 0.3
"""Names at least this similar to the clue count for the senses related to them."""


EXACT = 0.95
"""From this similarity on a name is the clue itself."""

STEP_DOWN = 0.85
"""Factor of a sense's signal per step down the tree of hyponyms."""

STEPS = 6
"""Steps followed down from the head of a clue."""

_HEAD_ENDS = re.compile(
    r"[,(:\"]|(?: \w\w+[^\We]ed)?"
    r" (?:of|in|for|with|from|by|on|at|to|used|that|which|who|whose|where|when|resembling|such|similar|or|and"
    r"|having|made|as|than|into|without|containing|worn|found|between|after|before|under|over|about)\b"
)
_HEAD_OPENS = re.compile(
    r"^(?:to |an? |the |one |any |some |\W+|(?:kind|type|sort|variety|form|species|genus|family|member|piece) of )+",
    re.IGNORECASE,
)


def head(text: str) -> str:
    """Return the head word of a definition: the kind of thing, or the action; empty if there is none.

    >>> [head(text) for text in ("A torture instrument similar to the knout", "To raise to the sky", "Kind of lily")]
    ['instrument', 'raise', 'lily']
    >>> [head(text) for text in ("Drink brewed from leaves", "Rugged mountain crest in the Alps", "Flower bed in Kew")]
    ['drink', 'crest', 'bed']
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
    """A clue's signals for the senses that any signal touches, without those computed per length.

    `found` are the signals as they were found, each as its place in `names`, senses and values.
    `held_out` is a sense whose definition must not help: fitting may ask its own definition as a clue.
    """

    def __init__(self, senses: Senses, clue: str, held_out: int | None = None) -> None:
        self.senses = senses
        self.held_out = held_out
        self.names = (*GLOSS, *NAMES, *senses.relations, *EXTRA)
        self.found: list[tuple[int, NDArray[np.integer], Floats]] = []
        self.by_part: list[tuple[NDArray[np.integer], Floats]] = []
        self.queries = [query for query in (senses.numbers(part) for part in parts(clue)) if query]
        for query in self.queries:
            self._ask_glosses(query)
            self._ask_names(query)
        for word in {head(part) for part in parts(clue)}:
            self._follow_head(word)
        self._follow_names()
        self._follow_glosses()
        self.similarity = self._term_similarity()

    def _note(self, name: str, rows: NDArray[np.integer], values: Floats | float) -> None:
        if not isinstance(values, np.ndarray):
            values = np.full(rows.shape, values, np.float32)
        self.found.append((self.names.index(name), rows, values))

    def _strongest(self, *names: str) -> tuple[NDArray[np.integer], Floats]:
        """Return the senses that have any of some signals, and the strongest of these for each."""
        wanted = {self.names.index(name) for name in names}
        found = [(rows, values) for number, rows, values in self.found if number in wanted]
        if not found:
            return np.zeros(0, np.intp), np.zeros(0, np.float32)
        rows, values = zip(*found, strict=True)
        return by_row(np.maximum, np.concatenate(rows), np.concatenate(values))

    def _ask_glosses(self, query: list[int]) -> None:
        index = self.senses.glosses
        rows, gained = index.sums(query)
        if self.held_out is not None:
            kept = rows != self.held_out
            rows, gained = rows[kept], gained[kept]
        asked = np.float32((index.weight[query] ** 2).sum())
        held = LENGTHS[index.norm[rows]]
        cosine = gained / (held * np.sqrt(asked))
        for name, value in zip(GLOSS, (cosine, gained / asked, gained / held**2), strict=True):
            self._note(name, rows, value)
        self._asked = (rows, cosine)

    def _ask_names(self, query: list[int]) -> None:
        index = self.senses.names
        rows, gained = index.sums(query)
        asked = np.float32((index.weight[query] ** 2).sum())
        held = index.norm[rows].astype(np.float32)
        sense = self.senses.name_sense[rows]
        cosine = gained / (held * np.sqrt(asked))
        glossed, before = self._asked
        self.by_part.append((np.concatenate([glossed, sense]), np.concatenate([before, cosine])))
        self._note("name", sense, cosine)
        inside = gained > 0.99 * held**2
        self._note("name inside clue", sense[inside], np.sqrt(gained[inside] / asked))

    def _follow_names(self) -> None:
        senses = self.senses
        named, name = above(NAME_FLOOR, *self._strongest(*NAMES))
        positions, owner = spans(senses.edge_starts, named)
        target = senses.edge_target[positions].astype(np.intp)
        kind, lent = senses.edge_kind[positions], name[owner]
        for number in np.flatnonzero(np.bincount(kind)):
            of_kind = kind == number
            self._note(senses.relations[number], target[of_kind], lent[of_kind])
        down = senses.relations.index("hyponym")
        upper = "hyponym"
        for below in EXTRA[:2]:
            source, strength = above(NAME_FLOOR, *self._strongest(upper))
            positions, owner = spans(senses.edge_starts, source)
            kept = senses.edge_kind[positions] == down
            target = senses.edge_target[positions[kept]].astype(np.intp)
            self._note(below, target, strength[owner[kept]])
            upper = below
        exact, _ = above(EXACT, *self._strongest("name"))
        if 0 < len(exact) <= 60:
            positions, _ = spans(senses.gloss_starts, exact)
            for term in sorted(set(senses.gloss_terms[positions].tolist())):
                value = min(1.0, float(senses.glosses.weight[term]) / 10)
                self._note("named in the clue's definition", self._named_alone(term), value)

    def _named_alone(self, term: int) -> Places:
        """Return the senses with a name of just this term."""
        rows = self.senses.names.rows(term)
        alone = self.senses.names.norm[rows] < self.senses.names.weight[term] * 1.01
        found: Places = self.senses.name_sense[rows[alone]]
        return found

    def _follow_head(self, word: str) -> None:
        senses = self.senses
        down = senses.relations.index("hyponym")
        for term in senses.numbers(word):
            level = self._named_alone(term)
            self._note("named by the head", level, 1)
            value = 1.0
            seen = np.zeros(senses.count, bool)
            for _ in range(STEPS):
                positions, _owner = spans(senses.edge_starts, level)
                below = senses.edge_target[positions[senses.edge_kind[positions] == down]]
                below = np.sort(below[~seen[below]]).astype(np.intp)
                level = below[np.flatnonzero(np.diff(below, prepend=-1))]
                if not level.size:
                    break
                seen[level] = True
                self._note("under the head", level, value)
                value *= STEP_DOWN

    def _follow_glosses(self) -> None:
        source, gloss = above(NEIGHBOUR_FLOOR, *self._strongest("gloss cosine"))
        positions, owner = spans(self.senses.edge_starts, source)
        target = self.senses.edge_target[positions].astype(np.intp)
        lent = gloss[owner]
        synonym = self.senses.edge_kind[positions] == self.senses.relations.index("synonym")
        self._note("neighbour's gloss", target[~synonym], lent[~synonym])
        self._note("synonym's gloss", target[synonym], lent[synonym])

    def _term_similarity(self) -> Floats:
        """Similarity of each of the clue's parts to every term that has a vector, and 0 for `Senses.no_row`.

        Weighted, so that the sum over a definition's terms, over the length of its vector, is the cosine.
        """
        senses = self.senses
        asked = [rows[rows != senses.no_row] for rows in (senses.vector_row[query] for query in self.queries)]
        vectors = [senses.vectors(rows).sum(axis=0) for rows in asked if rows.size]
        similarity: Floats = np.zeros((len(vectors), senses.no_row + 1), np.float32)
        if vectors:
            units = np.stack([vector / (np.linalg.norm(vector) + 1e-9) for vector in vectors])
            similarity[:, :-1] = senses.vector_products(units)
        return similarity


def above(floor: float, rows: NDArray[np.integer], values: Floats) -> tuple[NDArray[np.integer], Floats]:
    """Keep the rows whose values are above a floor."""
    kept = values > floor
    return rows[kept], values[kept]
