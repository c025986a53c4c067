"""The words of one length with all that does not depend on a clue: features, senses, definitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexicon.features import BYTE, Coded, Measured, by_code, flags, one_of
from lexicon.pack import Pack
from lexicon.senses import LENGTHS, Floats, Places, Senses, spans, starts_of
from lexicon.spelled import letter_pairs

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95, 99)
"""SCOWL's sizes, and the one for words in none of its lists."""

GRADES = range(1, 6)
"""Grades of the glossary: how likely an entry is as an answer, from 1, practically never, to 5, every week."""

SORTS = "wnpaifx"
"""Kinds of the glossary's entries, numbered from 1 in the index: word, name, phrase, abbreviation, something said,
foreign, letters or affix."""

ENDINGS = "SYEDRAONG"
"""Last letters that are features of a word."""

ORIGINS = ("WordNet", "dictionary", "glossary")
"""Where senses come from. Those that users add are weighed like the shipped ones of the same origin."""

BLOCK_TERMS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 18, 28)
"""Definitions are grouped by these numbers of terms, the shorter ones padded: few calls on long arrays."""


CODES_PER_FORM = 4 * 4 * len(ORIGINS)
"""Codes that pairs of one form can have: by part of speech, rank and origin (`Vocabulary.code`)."""


def coded(code: Places) -> tuple[Places, Places, Places, Places]:
    """Split pairs' codes: (form, part of speech, rank, origin of the sense).

    >>> [int(part) for part in coded(np.array(((3 * 4 + 2) * 4 + 1) * 3 + 2))]
    [3, 2, 1, 2]
    """
    count = len(ORIGINS)
    return code // CODES_PER_FORM, code // (4 * count) % 4, code // count % 4, code % count


class Vocabulary:
    """Words of one length with everything about them that does not depend on a clue.

    `static` is (n, features) with the names in `static_names`. Pairs join words to senses: word, form, rank and origin
    of each are in the arrays `pair_...`, and `documents` has their senses.
    """

    def __init__(self, pack: Pack, senses: Senses, length: int) -> None:
        self.length = length
        self._senses = senses
        self.relations = senses.relations
        self.forms: tuple[str, ...] = tuple(pack.meta["forms"])
        self._kind_names: tuple[str, ...] = tuple(pack.meta["kinds"])
        self.columns: NDArray[np.uint8] = pack[f"letters/{length}"]
        self.size: NDArray[np.uint8] = pack[f"size/{length}"]
        self.kinds: NDArray[np.uint16] = pack[f"kinds/{length}"]
        self.tagged: NDArray[np.uint8] = pack[f"tagged/{length}"]
        self.grade: NDArray[np.uint8] = pack[f"grade/{length}"]
        self.base_grade: NDArray[np.uint8] = pack[f"base grade/{length}"]
        self.sort: NDArray[np.uint8] = pack[f"sort/{length}"]
        self.meanings: NDArray[np.uint8] = pack[f"meanings/{length}"]
        self.documents = Documents(pack, senses, length)
        self.pair_word: NDArray[np.uint32] = pack[f"pair/word/{length}"]
        packed: NDArray[np.uint8] = pack[f"pair/form/{length}"]
        self.pair_form = packed & 31
        self.pair_rank = packed >> 5
        self._shipped_senses = int(pack.meta["shipped senses"])
        self._centre_norm: Floats = pack[f"centre/{length}"].astype(np.float32)

    def word(self, place: int) -> str:
        """Return the word at a place."""
        return bytes(self.columns[:, place] + np.uint8(65)).decode()

    def code(self, pairs: Places) -> Places:
        """Return form, part of speech, rank and origin of pairs as one number each, to be split by `coded`."""
        sense = self.documents.sense_of(pairs)
        code: Places = self.pair_form[pairs].astype(np.intp) * 4 + self._senses.pos[sense]
        origin: Places = self._senses.origin[sense].astype(np.intp)
        return (code * 4 + self.pair_rank[pairs]) * len(ORIGINS) + origin

    @cached_property
    def static_names(self) -> list[str]:
        """Names of the columns of `static`."""
        return [
            "one",
            *(f"size {size}" for size in SIZES),
            *(f"kind {name}" for name in self._kind_names),
            *("only a name", "no kind", "tagged"),
            *(f"sense {name}" for name in "nvar"),
            *("senses", "no sense"),
            *(f"form {name}" for name in self.forms[1:]),
            *(f"ends in {ending}" for ending in ENDINGS),
            *("ends in ER", "begins with RE", "begins with UN", "spelling"),
            *(f"grade {grade}" for grade in GRADES),
            *(f"form of grade {grade}" for grade in GRADES),
            *(f"sort {sort}" for sort in SORTS),
            *("meanings", "no meaning"),
        ]

    @cached_property
    def _own(self) -> tuple[Coded | Measured, ...]:
        """The features of the words, in the order of `static_names`; dictionaries the user added do not count."""
        kinds = np.arange(1 << len(self._kind_names))
        return (
            by_code(self.size, np.ones(len(BYTE)), *(size == BYTE for size in SIZES)),
            by_code(
                self.kinds,
                *(kinds >> bit & 1 for bit in range(len(self._kind_names))),
                (kinds & 7 != 0) & (kinds & 1 == 0),
                kinds == 0,
            ),
            by_code(self.tagged, np.log1p(BYTE) / 3),
            *self._of_senses(),
            *self._of_letters(),
            one_of(self.grade, *GRADES),
            one_of(self.base_grade, *GRADES),
            one_of(self.sort, *range(1, len(SORTS) + 1)),
            by_code(self.meanings, np.log1p(BYTE) / 2, BYTE == 0),
        )

    @cached_property
    def static(self) -> Floats:
        """Features of the words that depend on no clue, (n, features), as a table: for fitting."""
        return np.concatenate([features.columns() for features in self._own]).T

    def own_scores(self, weights: Floats) -> Floats:
        """Return each word's scores by its own features, (n, scores), by weights (features, scores)."""
        total = np.zeros((len(self.size), weights.shape[1]), np.float32)
        at = 0
        for features in self._own:
            total += features.scores(weights[at : at + features.count])
            at += features.count
        return total

    def _of_senses(self) -> Iterator[Coded]:
        """Yield parts of speech, number of senses, having no sense, and forms."""
        count = len(self.size)
        sense, of_pair = self.documents.sense, self.documents.of_pair
        counts = (sense < self._shipped_senses) & (self._senses.origin.take(sense) != ORIGINS.index("glossary"))
        kept = np.flatnonzero(counts.take(of_pair))
        word, form = self.pair_word.take(kept).astype(np.intp), self.pair_form.take(kept)
        pos = self._senses.pos.take(sense.take(of_pair.take(kept)))
        has_form = np.zeros((len(self.forms), count), bool)
        has_form.ravel()[form * np.intp(count) + word] = True
        own = form == 0
        has_pos = np.zeros((4, count), bool)
        has_pos[pos[own], word[own]] = True
        senses = np.bincount(word[own], minlength=count).astype(np.uint16)
        yield flags(*has_pos)
        yield by_code(senses, np.log1p(np.arange(int(senses.max(initial=0)) + 1)) / 2)
        has = [~has_form.any(axis=0), *has_form[1:]]
        for first in range(0, len(has), 8):
            yield flags(*has[first : first + 8])

    def _of_letters(self) -> Iterator[Coded | Measured]:
        """Yield endings, beginnings, and how common the word's letter pairs are.

        The last is the mean log-probability of its pairs among the words of the length, centred.
        """
        columns = self.columns
        last, before, first, second = columns[-1], columns[-2], columns[0], columns[1]
        yield one_of(last, *(ord(ending) - 65 for ending in ENDINGS))
        yield flags((last == 17) & (before == 4), (first == 17) & (second == 4), (first == 20) & (second == 13))
        pair = letter_pairs(columns)
        counts = np.bincount(pair.ravel(), minlength=27 * 27).reshape(27, 27) + 0.5
        mean = np.log(counts / counts.sum(axis=1, keepdims=True)).ravel()[pair].mean(axis=0)
        yield Measured((mean - mean.mean()).astype(np.float32))

    def central(self, cosines: Floats) -> Floats:
        """Return each word's cosine with a clue, (n,), given that of each document: of all its definitions together."""
        total = np.bincount(self.pair_word, cosines.take(self.documents.of_pair), len(self.size))
        return (total / self._centre_norm).astype(np.float32)

    @cached_property
    def text_length(self) -> Floats:
        """Number of terms in all definitions of each word, (n,), at least 1."""
        count = self.documents.terms.take(self.documents.of_pair)
        return np.maximum(np.bincount(self.pair_word, count, len(self.size)), 1).astype(np.float32)


class Documents:
    """The definitions of the senses that words of one length have, those with fewer terms first.

    Pairs lie in the order of their documents: those of document d are `starts[d]` to `starts[d + 1]`. So the
    pairs of a set of documents are ranges, and no table is needed to find them.
    """

    def __init__(self, pack: Pack, senses: Senses, length: int) -> None:
        self.sense: NDArray[np.int32] = pack[f"document/sense/{length}"]
        """Sense of each document."""
        self.count = len(self.sense)
        pairs: NDArray[np.integer] = pack[f"document/pairs/{length}"]
        self._starts = starts_of(pairs)
        self.of_pair = np.arange(self.count, dtype=np.int32).repeat(pairs)
        """Document of each pair."""
        self.of_sense = np.full(senses.count, -1, np.int32)
        """Document of each sense, -1 if it has none."""
        self.of_sense[self.sense] = np.arange(self.count, dtype=np.int32)
        self._norm = LENGTHS.take(senses.vector_norm.take(self.sense))
        start = senses.gloss_starts.take(self.sense)
        self.terms = senses.gloss_starts.take(self.sense + 1) - start
        """Number of terms of each document, ascending."""
        self._blocks = list(self._padded(senses, start))

    def _padded(self, senses: Senses, starts: NDArray[np.int32]) -> Iterator[tuple[int, NDArray[np.unsignedinteger]]]:
        """Yield blocks of documents with about as many terms: the first document, rows of vectors, (terms, documents).

        `starts` are the places of the documents' first terms. Documents with fewer terms than their block are padded
        with the row that stands for no term.
        """
        count = self.terms
        ends = np.searchsorted(count, (*BLOCK_TERMS, count[-1] if self.count else 0), side="right")
        for first, end in pairwise(ends.tolist()):
            if first < end:
                place = np.arange(count[end - 1])[:, None]
                # Past the last definition a padded document reads the last term; the padding hides it.
                term = senses.gloss_terms.take(starts[first:end] + place, mode="clip")
                rows = senses.vector_row.take(term)
                if count[first] < count[end - 1]:
                    rows[place >= count[first:end]] = senses.no_row
                yield first, rows

    def sense_of(self, pairs: Places) -> NDArray[np.int32]:
        """Return the senses of pairs."""
        return self.sense[self.of_pair[pairs]]

    def pairs_of(self, senses: NDArray[np.integer]) -> tuple[Places, Places]:
        """Return the pairs of some senses: (pairs, which of the senses each belongs to)."""
        document = self.of_sense[senses]
        here = np.flatnonzero(document >= 0)
        positions, owner = spans(self._starts, document[here])
        return positions, here[owner]

    def pairs_in(self, documents: Places) -> tuple[Places, Places]:
        """Return the pairs of some documents: (pairs, which of the documents each belongs to)."""
        return spans(self._starts, documents)

    def similarities(self, of_terms: Floats) -> Floats:
        """Return each document's cosine with each part of a clue, (parts, documents), given that of the vectors' rows.

        A clue without any part that has a vector counts as one part like nothing.
        """
        cosines: Floats = np.zeros((max(len(of_terms), 1), self.count), np.float32)
        for row, part in zip(cosines, of_terms, strict=False):
            for first, rows in self._blocks:
                part.take(rows).sum(axis=0, out=row[first : first + rows.shape[1]])
        cosines /= self._norm
        return cosines
