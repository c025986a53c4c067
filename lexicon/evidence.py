"""What there is to know about the words of one length: fixed features, and the evidence of one clue.

`Shelf` holds what does not depend on a clue; `Evidence` what one clue adds. Both are plain arrays, made the same way
for fitting the model and for asking it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lexicon.blanks import contexts
from lexicon.closed import called_up
from lexicon.pack import Pack
from lexicon.senses import Floats, Places, Senses, spans
from lexicon.signals import ClueSignals
from lexicon.spelled import Spellings
from lexicon.text import STOP_WORDS, stem, tokens
from lexicon.words import WordList

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95, 99)
"""SCOWL's sizes, and the one for words in none of its lists."""

MOST_PAIRS = 2500
"""Word-sense pairs that are judged per clue, those with the most evidence: bounds the time per clue."""

VECTOR_PAIRS = 800
"""Pairs taken for the similarity of their vectors alone."""

SPELLING_STEPS = (0.45, 0.6, 0.75, 0.88)
"""Similarities of spelling from which on a feature counts: the model learns a broken line over them."""

MERGED_STEPS = (0.0, 0.4, 0.8, 1.2)
"""The same for how well all senses of a word together cover the clue."""

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
    def documents(self) -> tuple[Places, Places, Places, Floats]:
        """Senses of the pairs as documents: (document of each pair, starts, rows of vectors, vector norms)."""
        senses = self._senses
        used, document = np.unique(self.pair_sense, return_inverse=True)
        positions, owner = spans(senses.gloss_starts, used)
        terms = senses.vector_row[senses.gloss_terms[positions]]
        kept = terms >= 0
        terms, owner = terms[kept], owner[kept]
        starts = np.searchsorted(owner, np.arange(len(used)))
        # A definition without any term that has a vector borrows the next one's first term, at no weight in its norm.
        starts = np.minimum(starts, max(len(terms) - 1, 0))
        return document, starts, terms, senses.vector_norm[used]


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
    document, starts, terms, norm = shelf.documents
    vector = np.zeros(len(shelf.pair_sense), np.float32)
    if len(clue.similarity) and len(starts):
        similarity = np.zeros(len(starts), np.float32)
        for part in clue.similarity:
            similarity = np.maximum(similarity, np.add.reduceat(part[terms], starts) / norm)
        vector = similarity[document]
        if clue.held_out is not None:
            vector[shelf.pair_sense == clue.held_out] = 0
    place = clue.place[shelf.pair_sense]
    lexical = np.flatnonzero(place >= 0)
    if len(lexical) > MOST_PAIRS:
        strength = clue.table.sum(axis=0)[place[lexical]] + 2 * vector[lexical]
        lexical = lexical[np.argpartition(-strength, MOST_PAIRS)[:MOST_PAIRS]]
    if len(vector) > VECTOR_PAIRS:
        alone = np.argpartition(-vector, VECTOR_PAIRS)[:VECTOR_PAIRS]
    else:
        alone = np.flatnonzero(vector > 0)
    pairs = np.union1d(lexical, alone)
    return pairs, np.concatenate([clue.table[:, place[pairs]].T, vector[pairs, None]], axis=1)


def merged(shelf: Shelf, signals: ClueSignals) -> Floats:
    """Compute how well all senses of each word together cover the clue: BM25 over the sum of its definitions, (n,).

    Divided by what a single mention of every term of the clue would give in a document of mean length.
    """
    senses, count = signals.senses, len(shelf.size)
    total = np.zeros(count, np.float32)
    query = signals.queries[0] if signals.queries else []
    held_back = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * shelf.text_length / shelf.text_length.mean())
    weights = senses.glosses.weight[query]
    for term, weight in zip(query, weights, strict=True):
        holds = np.zeros(senses.count, bool)
        holds[senses.glosses.rows(term)] = True
        holds[senses.name_sense[senses.names.rows(term)]] = True
        if signals.held_out is not None:
            holds[signals.held_out] = False
        found = np.bincount(shelf.pair_word[holds[shelf.pair_sense]], minlength=count).astype(np.float32)
        total += weight * found * (1 + SATURATION) / (found + held_back)
    return total / max(float(weights.sum()), 1e-6)


def by_parts(shelf: Shelf, signals: ClueSignals) -> tuple[Floats, Floats]:
    """Compute how well each word answers every part of a clue with several: (mean, least) over the parts, (n,).

    A part is answered as well as by the best of the word's senses. Zero for clues with a single definition.
    """
    count = len(shelf.size)
    if len(signals.by_part) < 2:
        return np.zeros(count, np.float32), np.zeros(count, np.float32)
    rows = []
    dense = np.zeros(signals.senses.count, np.float32)
    for sense, value in signals.by_part[1:]:
        dense[:] = 0
        np.maximum.at(dense, sense, value)
        here = np.flatnonzero(dense[shelf.pair_sense])
        best = np.zeros(count, np.float32)
        np.maximum.at(best, shelf.pair_word[here], dense[shelf.pair_sense[here]])
        rows.append(best)
    table = np.stack(rows)
    return table.mean(axis=0), table.min(axis=0)


def word_features(
    shelf: Shelf, words: WordList, clue: str, signals: ClueSignals, phrases: Callable[[int], WordList | None]
) -> tuple[Places, Floats]:
    """Compute the features of `WORD_FEATURES`: places of the words that have any, and (features, those words)."""
    result = np.zeros((len(WORD_FEATURES), len(words)), np.float32)
    covered = merged(shelf, signals)
    column = WORD_FEATURES.index(f"merged {MERGED_STEPS[0]}")
    for number, step in enumerate(MERGED_STEPS):
        result[column + number] = np.maximum(0, covered - step)
    mean, least = by_parts(shelf, signals)
    column = WORD_FEATURES.index("parts, mean")
    result[column : column + 3] = mean, np.maximum(0, mean - 0.5), least
    said = [word for word in tokens(clue) if word.isalpha()]
    spelled = np.zeros(len(words), np.float32)
    content = [word for word in dict.fromkeys(said) if len(word) >= SHORTEST_SPELLED and word not in STOP_WORDS]
    for word in content[:MOST_SPELLED]:
        near, value = shelf.spellings.similar(word.upper())
        spelled[near] = np.maximum(spelled[near], value)
    rare = shelf.size >= RARE_SIZE
    for number, step in enumerate(SPELLING_STEPS):
        over = np.maximum(0, spelled - step)
        result[number] = over
        result[number + len(SPELLING_STEPS)] = over * rare
    column = WORD_FEATURES.index("blank")
    for before, after in contexts(clue):
        length = len(before) + len(words.columns) + len(after)
        listed = phrases(length)
        if listed is None:
            continue
        for place in listed.matching(before + "?" * len(words.columns) + after)[:50]:
            word = listed.word(place)[len(before) : len(before) + len(words.columns)]
            here = words.find(word)
            if here is not None:
                result[column, here] = 1
                result[column + 1, here] = max(result[column + 1, here], bool(before and after))
                result[column + 2, here] = max(result[column + 2, here], min(1, len(before + after) / 8))
    column = WORD_FEATURES.index("in the clue")
    for word in said:
        here = words.find(word.upper())
        if here is not None:
            result[column, here] = 1
    _closed(result, words, clue)
    for word in {form for token in content for form in _forms(token)}:
        here = words.find(word.upper())
        if here is not None:
            result[column + 1, here] = 1
    touched = np.flatnonzero(result.any(axis=0))
    return touched, np.ascontiguousarray(result[:, touched])


def _closed(result: Floats, words: WordList, clue: str) -> None:
    """Fill in the features of closed classes."""
    column = WORD_FEATURES.index("closed class")
    found = {word: name for word, name in called_up(clue).items() if len(word) == words.length}
    by_name = Counter(found.values())
    for word, name in found.items():
        here = words.find(word)
        if here is not None:
            result[column, here] = 1
            result[column + 1, here] = by_name[name] <= FEW
            result[column + 2, here] = by_name[name] == 1


def _forms(word: str) -> set[str]:
    base = stem(word)
    return {base, base + "e", base + "s", base + "ed", base + "er", base + "ing", base + "es"} - {word}
