"""The evidence of one clue about the words of one length: plain arrays, the same for fitting and for asking.

The facts that do not depend on a clue are in :mod:`lexicon.vocabulary`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexicon.blanks import contexts
from lexicon.closed import called_up
from lexicon.senses import Floats, Places
from lexicon.signals import ClueSignals
from lexicon.spelled import similar
from lexicon.text import STOP_WORDS, stem, tokens
from lexicon.vocabulary import Documents, Vocabulary
from lexicon.words import WordList

MOST_PAIRS = 2500
"""Word-sense pairs that are judged per clue, those with the most evidence: bounds the time per clue."""

SAMPLE_STEP = 16
"""Every so many values are the sample in which the largest are looked for first."""

VECTOR_DOCUMENTS = 600
"""Definitions whose pairs are judged for the similarity of their vectors alone."""

SPELLING_STEPS = (0.45, 0.6, 0.75, 0.88)
"""Similarities of spelling at which a feature begins to count: the fit learns a broken line over them."""

MERGED_STEPS = (0.0, 0.4, 0.8, 1.2)
"""The same for the degree to which all senses of a word together cover the clue."""

CENTRAL_STEPS = (0.2, 0.35, 0.5, 0.65)
"""The same for the cosine of the clue's vector with that of all definitions of a word together."""

SATURATION, LENGTH_SHARE = 1.2, 0.75
"""The usual constants of BM25 (k1, b): saturation of a term's repetitions, penalty of long documents."""

MOST_SPELLED = 5
"""Maximum number of a clue's words whose spelling is compared, the first ones: each takes a third of a millisecond."""

SHORTEST_SPELLED = 3
"""Letters of the shortest word of a clue whose spelling is compared."""

WORD_FEATURES = (
    tuple(f"spelled {step}" for step in SPELLING_STEPS)
    + tuple(f"rare and spelled {step}" for step in SPELLING_STEPS)
    + tuple(f"merged {step}" for step in MERGED_STEPS)
    + tuple(f"central {step}" for step in CENTRAL_STEPS)
    + ("parts, mean", "parts, mean over half", "parts, least")
    + ("blank", "blank, both sides", "blank, long context", "in the clue", "stem in the clue")
    + ("closed class", "closed class of few", "worked out")
)
"""Features of a word that depend on the clue but on no sense."""

FEW = 8
"""Members of one length up to which a closed class counts as small."""

RARE_SIZE = 80
"""From this SCOWL size on a word counts as rare."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one clue about the words of a vocabulary.

    `pairs` are the positions of the judged word-sense pairs, ascending, with their `code` by `Vocabulary.code`;
    `signals` is (pairs, signals). `word_features` is (features, touched) for the words at the places `touched`,
    ascending; all other words have none.
    """

    pairs: Places
    code: Places
    signals: Floats
    touched: Places
    word_features: Floats

    def features_of(self, place: int) -> dict[str, float]:
        """Return the features of the word at a place by name."""
        here = self.word_features[:, self.touched == place].sum(axis=1)
        return dict(zip(WORD_FEATURES, here.tolist(), strict=True))


def similarities(vocabulary: Vocabulary, clue: ClueSignals) -> Floats:
    """Return the cosine of each definition's vector with each part of a clue, (parts, documents)."""
    found = vocabulary.documents.similarities(clue.similarity)
    if clue.held_out is not None and vocabulary.documents.of_sense[clue.held_out] >= 0:
        found[:, vocabulary.documents.of_sense[clue.held_out]] = 0
    return found


def largest(values: Floats, count: int) -> Places:
    """Return the places of the `count` largest of more values, in no order.

    A sample tells what they exceed, so that few values are compared with each other: a fifth of the time.

    >>> sorted(largest(np.arange(1000, dtype=np.float32), 3).tolist())
    [997, 998, 999]
    """
    sample = values[::SAMPLE_STEP]
    expected = min(2 * count // SAMPLE_STEP + SAMPLE_STEP, len(sample))
    places = np.flatnonzero(values > np.partition(sample, -expected)[-expected])
    if len(places) < count:
        places = np.arange(len(values))
    if len(places) > count:
        places = places[np.argpartition(-values[places], count)[:count]]
    return places


def pair_signals(vocabulary: Vocabulary, clue: ClueSignals, cosines: Floats) -> tuple[Places, Floats]:
    """Return the pairs worth judging, ascending, and their signals, (pairs, signals)."""
    documents = vocabulary.documents
    similarity = np.maximum(cosines.max(axis=0), 0)
    listed, column, table = by_document(documents, clue)
    lexical, owner = documents.pairs_in(listed)
    if len(lexical) > MOST_PAIRS:
        strength = (table.sum(axis=0)[:-1] + 2 * similarity[listed])[owner]
        lexical = lexical[np.argpartition(-strength, MOST_PAIRS)[:MOST_PAIRS]]
    # Lexical signals and vectors each bring their best; a mask joins them, so that no pair is judged twice.
    if len(similarity) > VECTOR_DOCUMENTS:
        alone = largest(similarity, VECTOR_DOCUMENTS)
    else:
        alone = np.flatnonzero(similarity > 0)
    chosen = np.zeros(len(vocabulary.pair_word), bool)
    chosen[lexical] = chosen[documents.pairs_in(alone)[0]] = True
    pairs = np.flatnonzero(chosen)
    document = documents.of_pair[pairs]
    return pairs, np.concatenate([table[:, column[document]].T, similarity[document, None]], axis=1)


def by_document(documents: Documents, clue: ClueSignals) -> tuple[Places, NDArray[np.int32], Floats]:
    """Return the documents that any signal of a clue touches, ascending, and the strongest of each signal for them.

    The signals are (signals, touched documents and one that none touches), the column of each document is (documents,):
    -1, the column of zeros, for those that only their vectors are near to the clue.
    """
    found = []
    for number, senses, values in clue.found:
        document = documents.of_sense[senses]
        here = np.flatnonzero(document >= 0)
        found.append((number, document[here], values[here]))
    column = np.full(documents.count, -1, np.int32)
    for _, document, _ in found:
        column[document] = 0
    listed = np.flatnonzero(column == 0)
    column[listed] = np.arange(len(listed))
    table: Floats = np.zeros((len(clue.names), len(listed) + 1), np.float32)
    if found:
        at = np.concatenate([number * table.shape[1] + column[document] for number, document, _ in found])
        np.maximum.at(table.ravel(), at, np.concatenate([values for *_, values in found]))
    return listed, column, table


def merged(vocabulary: Vocabulary, signals: ClueSignals) -> Floats:
    """Return the degree to which all senses of each word together cover the clue, (n,): BM25 over its definitions.

    It is divided by the sum of the terms' weights: 1 if every term of the clue occurs once in a text of mean length.
    """
    senses, documents, count = signals.senses, vocabulary.documents, len(vocabulary.size)
    total = np.zeros(count, np.float32)
    query = signals.queries[0] if signals.queries else []
    mean_length = vocabulary.text_length.mean()
    weights = senses.glosses.weight[query]
    # A sense without a document in this vocabulary has document -1: it marks the last entry, which is then left out.
    holds = np.empty(documents.count + 1, bool)
    for term, weight in zip(query, weights, strict=True):
        holds[:] = False
        holds[documents.of_sense[senses.glosses.rows(term)]] = True
        holds[documents.of_sense[senses.name_sense[senses.names.rows(term)]]] = True
        if signals.held_out is not None:
            holds[documents.of_sense[signals.held_out]] = False
        pairs, _ = documents.pairs_in(np.flatnonzero(holds[:-1]))
        found = np.bincount(vocabulary.pair_word[pairs], minlength=count)
        here = np.flatnonzero(found)
        times = found[here].astype(np.float32)
        held_back = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * vocabulary.text_length[here] / mean_length)
        total[here] += weight * times * (1 + SATURATION) / (times + held_back)
    return total / max(float(weights.sum()), 1e-6)


def by_parts(vocabulary: Vocabulary, signals: ClueSignals) -> tuple[Floats, Floats]:
    """Return how well each word answers the parts of a clue that has several: (mean, least) over the parts, (n,).

    A part counts by the best of the word's senses. Both are zero for clues with a single definition.
    """
    # The first entry of `by_part` is the whole clue; the parts proper follow.
    table = np.zeros((max(len(signals.by_part) - 1, 1), len(vocabulary.size)), np.float32)
    for row, (sense, value) in zip(table, signals.by_part[1:], strict=False):
        pairs, owner = vocabulary.documents.pairs_of(sense)
        np.maximum.at(row, vocabulary.pair_word[pairs], value[owner])
    return table.mean(axis=0), table.min(axis=0)


def spelled_like(vocabulary: Vocabulary, clue: Sequence[str]) -> Floats:
    """Return how much each word is spelled like one of the clue's words, from 0 to 1, (n,)."""
    spelled = np.zeros(len(vocabulary.size), np.float32)
    near, value = similar(vocabulary.columns, [word.upper() for word in clue[:MOST_SPELLED]])
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
    """Return a clue's words that carry meaning and are long enough to compare, each once."""
    said = dict.fromkeys(word for word in tokens(clue) if word.isalpha())
    return [word for word in said if len(word) >= SHORTEST_SPELLED and word not in STOP_WORDS]


def word_features(
    vocabulary: Vocabulary,
    words: WordList,
    clue: str,
    signals: ClueSignals,
    cosines: Floats,
    phrases: Callable[[int], WordList | None],
) -> tuple[Places, Floats]:
    """Return the features of `WORD_FEATURES`: places of the words that have any, ascending, and (features, words)."""
    covered = merged(vocabulary, signals)
    mean, least = by_parts(vocabulary, signals)
    spelled = spelled_like(vocabulary, content_words(clue))
    central = vocabulary.central(cosines[0])
    single = list(single_features(words, clue, phrases))
    has = (covered > 0) | (mean > 0) | (spelled > SPELLING_STEPS[0]) | (central > CENTRAL_STEPS[0])
    has[[place for _, place, _ in single]] = True
    touched = np.flatnonzero(has)
    covered, mean, least, spelled = covered[touched], mean[touched], least[touched], spelled[touched]
    result = np.zeros((len(WORD_FEATURES), len(touched)), np.float32)
    rare = vocabulary.size[touched] >= RARE_SIZE
    for number, step in enumerate(SPELLING_STEPS):
        over = np.maximum(0, spelled - step)
        result[number] = over
        result[number + len(SPELLING_STEPS)] = over * rare
    column = WORD_FEATURES.index(f"merged {MERGED_STEPS[0]}")
    for number, step in enumerate(MERGED_STEPS):
        result[column + number] = np.maximum(0, covered - step)
    column = WORD_FEATURES.index(f"central {CENTRAL_STEPS[0]}")
    for number, step in enumerate(CENTRAL_STEPS):
        result[column + number] = np.maximum(0, central[touched] - step)
    column = WORD_FEATURES.index("parts, mean")
    result[column : column + 3] = mean, np.maximum(0, mean - 0.5), least
    for name, place, value in single:  # `touched` holds every one of these places, in order
        row, here = WORD_FEATURES.index(name), np.searchsorted(touched, place)
        result[row, here] = max(result[row, here], value)
    return touched, result


def _forms(word: str) -> set[str]:
    base = stem(word)
    return {base, base + "e", base + "s", base + "ed", base + "er", base + "ing", base + "es"} - {word}
