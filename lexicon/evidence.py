"""What there is to know about the words of one length: fixed features, and the evidence of one clue.

`Shelf` holds what does not depend on a clue; `Evidence` what one clue adds. Both are plain arrays, made the same way
for fitting the model and for asking it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexicon.blanks import contexts
from lexicon.closed import called_up
from lexicon.pack import Pack
from lexicon.senses import Floats, Places, Senses, order_of, spans, starts_of
from lexicon.signals import ClueSignals
from lexicon.spelled import Spellings
from lexicon.text import STOP_WORDS, stem, tokens
from lexicon.words import WordList

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95, 99)
"""SCOWL's sizes, and the one for words in none of its lists."""

MOST_PAIRS = 2500
"""Word-sense pairs that are judged per clue, those with the most evidence: bounds the time per clue."""

VECTOR_DOCUMENTS = 600
"""Definitions whose pairs are taken for the similarity of their vectors alone."""

SPELLING_STEPS = (0.45, 0.6, 0.75, 0.88)
"""Similarities of spelling from which on a feature counts: the model learns a broken line over them."""

MERGED_STEPS = (0.0, 0.4, 0.8, 1.2)
"""The same for how well all senses of a word together cover the clue."""

BLOCK_TERMS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 18, 28)
"""Documents are taken together from one of these numbers of terms to the next, the shorter ones filled up: few calls
on long arrays."""

SATURATION, LENGTH_SHARE = 1.2, 0.75
"""The usual constants of BM25: how fast a term's repetitions stop counting, how much long documents are held back."""

MOST_SPELLED = 5
"""Words of a clue whose spelling is compared, the first ones: each costs a third of a millisecond."""

SHORTEST_SPELLED = 3

WORD_FEATURES = (
    tuple(f"spelled {step}" for step in SPELLING_STEPS)
    + tuple(f"rare and spelled {step}" for step in SPELLING_STEPS)
    + tuple(f"merged {step}" for step in MERGED_STEPS)
    + ("parts, mean", "parts, mean over half", "parts, least")
    + ("blank", "blank, both sides", "blank, long context", "in the clue", "stem in the clue")
    + ("closed class", "closed class of few", "worked out")
)
"""Features of a word that depend on the clue but on no sense."""

FEW = 8
"""Members of one length up to which a closed class says much about the answer."""

RARE_SIZE = 80
"""From this SCOWL size on a word counts as rare."""


def coded(code: Places) -> tuple[Places, Places, Places, Places]:
    """Take pairs' codes apart: (form, part of speech, rank, 1 where the sense is from a glossary or added dictionary).

    >>> [int(part) for part in coded(np.array(3 * 32 + 2 * 8 + 1 * 2 + 1))]
    [3, 2, 1, 1]
    """
    return code // 32, code // 8 % 4, code // 2 % 4, code % 2


class Shelf:
    """Words of one length with everything that is known of them before a clue is read.

    `static` is (n, features) with the names in `static_names`; pairs join words to senses.
    """

    def __init__(self, pack: Pack, senses: Senses, length: int) -> None:
        self.length = length
        self._senses = senses
        self.relations = senses.relations
        self.forms: tuple[str, ...] = tuple(pack.meta["forms"])
        self._pack = pack
        self.columns = pack[f"letters/{length}"]
        self.size = pack[f"size/{length}"]
        self.kinds = pack[f"kinds/{length}"]
        self.tagged = pack[f"tagged/{length}"]
        self.pair_word: Places = pack[f"pair/word/{length}"].astype(np.intp)
        self.pair_sense: Places = pack[f"pair/sense/{length}"].astype(np.intp)
        packed = pack[f"pair/form/{length}"]
        self.pair_form = packed & 31
        self.pair_rank = packed >> 5 & 3
        self.pair_added: NDArray[np.bool_] = packed >> 7 > 0

    def word(self, place: int) -> str:
        """Return the word at a place."""
        return bytes(self.columns[:, place] + np.uint8(65)).decode()

    @cached_property
    def pair_code(self) -> Places:
        """Form, part of speech, rank and dictionary of each pair as one number, to be taken apart by `coded`."""
        code = self.pair_form.astype(np.intp) * 4 + self._senses.pos[self.pair_sense]
        return (code * 4 + self.pair_rank) * 2 + self.pair_added

    @cached_property
    def spellings(self) -> Spellings:
        """Letter pairs of the words."""
        return Spellings(self.columns)

    @cached_property
    def static(self) -> Floats:
        """Features of the words that depend on no clue, (n, features); dictionaries the user added do not count."""
        table: Floats = np.stack([column for _, column in self._static_columns()], axis=1)
        return table

    @cached_property
    def static_names(self) -> list[str]:
        """Names of the columns of `static`."""
        return [name for name, _ in self._static_columns()]

    def _static_columns(self) -> list[tuple[str, Floats]]:
        count = len(self.size)
        found: list[tuple[str, NDArray[np.generic]]] = [("one", np.ones(count))]
        found += [(f"size {size}", self.size == size) for size in SIZES]
        kinds = self._pack.meta["kinds"]
        found += [(f"kind {name}", (self.kinds >> bit) & 1) for bit, name in enumerate(kinds)]
        found += [("only a name", (self.kinds & 7 != 0) & (self.kinds & 1 == 0))]
        found += [("no kind", self.kinds == 0), ("tagged", np.log1p(self.tagged) / 3)]
        shipped = ~self.pair_added
        word, form = self.pair_word[shipped], self.pair_form[shipped]
        own = form == 0
        pos = self._senses.pos[self.pair_sense[shipped]]
        for number, name in enumerate("nvar"):
            found.append((f"sense {name}", np.bincount(word[own & (pos == number)], minlength=count) > 0))
        meanings = np.bincount(word[own], minlength=count)
        found += [("senses", np.log1p(meanings) / 2), ("no sense", np.bincount(word, minlength=count) == 0)]
        for number, name in enumerate(self._pack.meta["forms"]):
            if number:
                here = word[form == number]
                found.append((f"form {name}", np.bincount(here, minlength=count) > 0))
        last, before = self.columns[-1], self.columns[-2]
        for ending in ("S", "Y", "E", "D", "R", "A", "O", "N", "G"):
            found.append((f"ends in {ending}", last == ord(ending) - 65))
        found.append(("ends in ER", (last == 17) & (before == 4)))
        found.append(("begins with RE", (self.columns[0] == 17) & (self.columns[1] == 4)))
        found.append(("begins with UN", (self.columns[0] == 20) & (self.columns[1] == 13)))
        found.append(("spelling", self._spelling()))
        return [(name, np.asarray(column).astype(np.float32)) for name, column in found]

    def _spelling(self) -> Floats:
        """How usual the letter pairs of a word are among its length's words, mean log-probability, centred."""
        columns = np.concatenate([np.full((1, len(self.size)), 26), self.columns, np.full((1, len(self.size)), 26)])
        pair = columns[:-1].astype(np.intp) * 27 + columns[1:]
        counts = np.bincount(pair.ravel(), minlength=27 * 27).reshape(27, 27) + 0.5
        log = np.log(counts / counts.sum(axis=1, keepdims=True)).ravel()
        mean = log[pair].mean(axis=0)
        centred: Floats = (mean - mean.mean()).astype(np.float32)
        return centred

    @cached_property
    def text_length(self) -> Floats:
        """Number of terms in all definitions of each word, (n,), at least 1."""
        count = self._senses.gloss_starts[self.pair_sense + 1] - self._senses.gloss_starts[self.pair_sense]
        return np.maximum(np.bincount(self.pair_word, count, len(self.size)), 1).astype(np.float32)

    @cached_property
    def documents(self) -> Documents:
        """The definitions of the senses that words of this length have."""
        return Documents(self._senses, self.pair_sense)


class Documents:
    """The definitions of some senses, those with fewer terms first.

    `of_sense` is sense -> document or -1, `of_pair` the same for pairs, and `blocks` the terms: (first document, rows
    of vectors as (terms, documents)) for all documents with about the same number of terms.
    """

    def __init__(self, senses: Senses, pair_sense: Places) -> None:
        used = np.zeros(senses.count, bool)
        used[pair_sense] = True
        sense = np.flatnonzero(used)
        positions, owner = spans(senses.gloss_starts, sense)
        rows = senses.vector_row[senses.gloss_terms[positions]]
        rows, owner = rows[rows >= 0], owner[rows >= 0]
        size = np.bincount(owner, minlength=len(sense))
        starts = starts_of(size)
        order = order_of(size)
        sense, size = sense[order], size[order]
        self.count = len(sense)
        self.of_sense = np.full(senses.count, -1, np.int32)
        self.of_sense[sense] = np.arange(self.count)
        self.of_pair = self.of_sense[pair_sense]
        self._norm = senses.vector_norm[sense]
        self._pairs = order_of(self.of_pair)
        self._starts = np.searchsorted(self.of_pair[self._pairs], np.arange(self.count + 1))
        self.blocks: list[tuple[int, Places]] = []
        for shorter, terms in pairwise((*BLOCK_TERMS, max(int(size.max(initial=0)), BLOCK_TERMS[-1] + 1))):
            here = np.flatnonzero((size > shorter) & (size <= terms))
            if here.size:
                place = np.arange(terms)[:, None]
                at = np.minimum(starts[order[here]] + place, len(rows) - 1)
                padded = np.where(place < size[here], rows[at], len(senses.vectors) - 1)
                self.blocks.append((int(here[0]), padded))

    def pairs_of(self, senses: NDArray[np.integer]) -> tuple[Places, Places]:
        """Return the pairs of some senses: (pairs, which of the senses each belongs to)."""
        document = self.of_sense[senses]
        here = np.flatnonzero(document >= 0)
        positions, owner = spans(self._starts, document[here])
        return self._pairs[positions], here[owner]

    def pairs(self, documents: Places) -> Places:
        """Return the pairs of some documents."""
        return self._pairs[spans(self._starts, documents)[0]]

    def similarity(self, of_terms: Sequence[Floats]) -> Floats:
        """Return each document's best similarity to any part of a clue, given that of the vectors' rows to each."""
        best: Floats = np.zeros(self.count, np.float32)
        for part in of_terms:
            for first, rows in self.blocks:
                here = best[first : first + rows.shape[1]]
                np.maximum(here, part.take(rows).sum(axis=0), out=here)
        best /= self._norm
        return best


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one clue says about the words of a shelf.

    `pairs` are positions of the judged word-sense pairs, `signals` (pairs, signals) what speaks for each;
    `word_features` is (features, touched) for the words at the places `touched`; all others have none.
    """

    pairs: Places
    signals: Floats
    touched: Places
    word_features: Floats

    def features_of(self, place: int) -> dict[str, float]:
        """Return the features of the word at a place by name."""
        here = self.word_features[:, self.touched == place].sum(axis=1)
        return dict(zip(WORD_FEATURES, here.tolist(), strict=True))


def pair_signals(shelf: Shelf, clue: ClueSignals) -> tuple[Places, Floats]:
    """Pick the pairs worth judging, and gather their signals."""
    documents = shelf.documents
    similarity = documents.similarity(clue.similarity)
    if clue.held_out is not None and documents.of_sense[clue.held_out] >= 0:
        similarity[documents.of_sense[clue.held_out]] = 0
    lexical, column = documents.pairs_of(clue.listed)
    if len(lexical) > MOST_PAIRS:
        strength = clue.table.sum(axis=0)[column] + 2 * similarity[documents.of_pair[lexical]]
        lexical = lexical[np.argpartition(-strength, MOST_PAIRS)[:MOST_PAIRS]]
    if len(similarity) > VECTOR_DOCUMENTS:
        alone = np.argpartition(-similarity, VECTOR_DOCUMENTS)[:VECTOR_DOCUMENTS]
    else:
        alone = np.flatnonzero(similarity > 0)
    chosen = np.zeros(len(shelf.pair_sense), bool)
    chosen[lexical] = chosen[documents.pairs(alone)] = True
    pairs = np.flatnonzero(chosen)
    place = clue.place[shelf.pair_sense[pairs]]
    return pairs, np.concatenate([clue.table[:, place].T, similarity[documents.of_pair[pairs], None]], axis=1)


def merged(shelf: Shelf, signals: ClueSignals) -> Floats:
    """Compute how well all senses of each word together cover the clue: BM25 over the sum of its definitions, (n,).

    Divided by what a single mention of every term of the clue would give in a document of mean length.
    """
    senses, documents, count = signals.senses, shelf.documents, len(shelf.size)
    total = np.zeros(count, np.float32)
    query = signals.queries[0] if signals.queries else []
    held_back = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * shelf.text_length / shelf.text_length.mean())
    weights = senses.glosses.weight[query]
    holds = np.empty(documents.count + 1, bool)
    for term, weight in zip(query, weights, strict=True):
        holds[:] = False
        holds[documents.of_sense[senses.glosses.rows(term)]] = True
        holds[documents.of_sense[senses.name_sense[senses.names.rows(term)]]] = True
        if signals.held_out is not None:
            holds[documents.of_sense[signals.held_out]] = False
        pairs = documents.pairs(np.flatnonzero(holds[:-1]))
        found = np.bincount(shelf.pair_word[pairs], minlength=count).astype(np.float32)
        total += weight * found * (1 + SATURATION) / (found + held_back)
    return total / max(float(weights.sum()), 1e-6)


def by_parts(shelf: Shelf, signals: ClueSignals) -> tuple[Floats, Floats]:
    """Compute how well each word answers every part of a clue with several: (mean, least) over the parts, (n,).

    A part is answered as well as by the best of the word's senses. Zero for clues with a single definition.
    """
    table = np.zeros((max(len(signals.by_part) - 1, 1), len(shelf.size)), np.float32)
    for row, (sense, value) in zip(table, signals.by_part[1:], strict=False):
        pairs, owner = shelf.documents.pairs_of(sense)
        np.maximum.at(row, shelf.pair_word[pairs], value[owner])
    return table.mean(axis=0), table.min(axis=0)


def spelled_like(shelf: Shelf, clue: Sequence[str]) -> Floats:
    """Return how much each word is spelled like one of the clue's words, from 0 to 1, (n,)."""
    spelled = np.zeros(len(shelf.size), np.float32)
    near, value = shelf.spellings.similar([word.upper() for word in clue[:MOST_SPELLED]])
    np.maximum.at(spelled, near, value)
    return spelled


def single_features(
    words: WordList, clue: str, phrases: Callable[[int], WordList | None]
) -> Iterator[tuple[str, int, float]]:
    """Yield (feature, place, value) for features that few words have."""
    length = len(words.columns)
    for before, after in contexts(clue):
        listed = phrases(len(before) + length + len(after))
        if listed is None:
            continue
        for place in listed.matching(before + "?" * length + after)[:50]:
            here = words.find(listed.word(place)[len(before) : len(before) + length])
            if here is not None:
                yield "blank", here, 1
                yield "blank, both sides", here, bool(before and after)
                yield "blank, long context", here, min(1, len(before + after) / 8)
    said = [word for word in tokens(clue) if word.isalpha()]
    forms = {form for word in content_words(clue) for form in _forms(word)}
    for name, given in (("in the clue", said), ("stem in the clue", forms)):
        for word in given:
            here = words.find(word.upper())
            if here is not None:
                yield name, here, 1
    called = {word: name for word, name in called_up(clue).items() if len(word) == length}
    members = Counter(called.values())
    for word, name in called.items():
        here = words.find(word)
        if here is not None:
            yield "closed class", here, 1
            yield "closed class of few", here, members[name] <= FEW
            yield "worked out", here, members[name] == 1


def content_words(clue: str) -> list[str]:
    """Return a clue's words that mean something and are long enough to compare, each once."""
    said = dict.fromkeys(word for word in tokens(clue) if word.isalpha())
    return [word for word in said if len(word) >= SHORTEST_SPELLED and word not in STOP_WORDS]


def word_features(
    shelf: Shelf, words: WordList, clue: str, signals: ClueSignals, phrases: Callable[[int], WordList | None]
) -> tuple[Places, Floats]:
    """Compute the features of `WORD_FEATURES`: places of the words that have any, and (features, those words)."""
    covered = merged(shelf, signals)
    mean, least = by_parts(shelf, signals)
    spelled = spelled_like(shelf, content_words(clue))
    single = list(single_features(words, clue, phrases))
    has = (covered > 0) | (mean > 0) | (spelled > SPELLING_STEPS[0])
    has[[place for _, place, _ in single]] = True
    touched = np.flatnonzero(has)
    covered, mean, least, spelled = covered[touched], mean[touched], least[touched], spelled[touched]
    result = np.zeros((len(WORD_FEATURES), len(touched)), np.float32)
    rare = shelf.size[touched] >= RARE_SIZE
    for number, step in enumerate(SPELLING_STEPS):
        over = np.maximum(0, spelled - step)
        result[number] = over
        result[number + len(SPELLING_STEPS)] = over * rare
    column = WORD_FEATURES.index(f"merged {MERGED_STEPS[0]}")
    for number, step in enumerate(MERGED_STEPS):
        result[column + number] = np.maximum(0, covered - step)
    column = WORD_FEATURES.index("parts, mean")
    result[column : column + 3] = mean, np.maximum(0, mean - 0.5), least
    for name, place, value in single:
        row, here = WORD_FEATURES.index(name), np.searchsorted(touched, place)
        result[row, here] = max(result[row, here], value)
    return touched, result


def _forms(word: str) -> set[str]:
    base = stem(word)
    return {base, base + "e", base + "s", base + "ed", base + "er", base + "ing", base + "es"} - {word}
