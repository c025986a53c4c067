"""The model: from evidence to probabilities, in numpy.

A word's score is the sum of its own features, weighed by the clue's shape; the features it has for this clue; and the
softened sum over its senses, each judged by a small net. One more score is that of all words in no list together. A
softmax over all of them gives the distribution.

The weights are fitted by :mod:`lexicon.build.fit` and shipped with the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.errors import PackError
from lexicon.evidence import WORD_FEATURES, Evidence
from lexicon.pack import Pack
from lexicon.senses import Floats
from lexicon.shape import SHAPES
from lexicon.signals import signal_names
from lexicon.vocabulary import CODES_PER_FORM, ORIGINS, Vocabulary, coded

SIGNAL_SCALE = 2.0
"""Signals run from 0 to 1; doubling them let the fit take steps of the same size for all weights."""

FEATURE_SCALE = 3.0
"""The same for features of words, most of which are much smaller than 1."""

HIGHEST = 25.0
"""Largest score of a sense, to keep the exponential finite."""

PARAMETERS = {
    "static": ("features", "shapes"),
    "words": ("word features", "shapes"),
    "linear": ("signals",),
    "hidden": ("signals", "hidden"),
    "hidden form": ("forms", "hidden"),
    "hidden pos": ("parts of speech", "hidden"),
    "hidden rank": ("ranks", "hidden"),
    "hidden source": ("sources", "hidden"),
    "hidden shape": ("shapes", "hidden"),
    "out": ("hidden",),
    "form": ("forms", "shapes"),
    "pos": ("parts of speech", "shapes"),
    "rank": ("ranks",),
    "source": ("sources", "shapes"),
    "sense": (),
    "unlisted": ("shapes",),
}
"""Names of the arrays of weights, and of their axes."""

Weights = dict[str, Floats]


def feature_names(vocabulary: Vocabulary) -> dict[str, list[str]]:
    """Return the meaning of each position along the axes of the weights, to be compared with that of a fitted model."""
    return {
        "features": list(vocabulary.static_names),
        "word features": list(WORD_FEATURES),
        "signals": list(signal_names(vocabulary.relations)),
        "shapes": list(SHAPES),
        "forms": list(vocabulary.forms),
        "sources": list(ORIGINS),
    }


class Model:
    """One or several sets of weights; the probabilities of several are averaged, and the likeliest words raised."""

    def __init__(self, path: Path) -> None:
        pack = Pack(path)
        self.path = path
        self.meta: dict[str, Any] = pack.meta
        self._lead = float(pack.meta["lead"])
        self._sets = [
            {name: pack[f"{number}/{name}"] for name in PARAMETERS} for number in range(int(pack.meta["sets"]))
        ]
        self._by_code = [code_bias(weights) for weights in self._sets]

    def check(self, vocabulary: Vocabulary) -> None:
        """Raise PackError if the weights were fitted for other features than the vocabulary has."""
        for axis, names in feature_names(vocabulary).items():
            if self.meta["axes"][axis] != names:
                raise PackError(f"{self.path}: fitted for other {axis} than the index has; fit the model again")

    def probabilities(self, vocabulary: Vocabulary, evidence: Evidence, shape: Floats) -> NDArray[np.float64]:
        """Return the probabilities of all words of the vocabulary, and last of "in no list"; (n + 1,), sum 1."""
        return raised(softmaxes(self._sets, self._by_code, vocabulary, evidence, shape), self._lead)


def softmaxes(
    sets: Sequence[Weights], by_code: Sequence[Floats], vocabulary: Vocabulary, evidence: Evidence, shape: Floats
) -> NDArray[np.float64]:
    """Return the sum of the probabilities of sets of weights, (n + 1,); `by_code` is the `code_bias` of each set."""
    total = np.zeros(len(vocabulary.size) + 1)
    # The features of a word are looked up once for all sets: that takes longer than to sum them.
    own = vocabulary.own_scores(np.stack([weights["static"] @ shape for weights in sets], axis=1))
    for number, weights in enumerate(sets):
        # Odds are relative to the best prior, so none overflows, and a word without evidence keeps its prior as it
        # is: only judged senses and touched words are worked on, however many words there are.
        prior = np.ascontiguousarray(own[:, number])
        most = prior.max()
        odds = np.empty(len(total))
        odds[:-1] = np.exp(prior - most)
        hidden = hidden_layer(weights, by_code[number], evidence, shape)
        odds[:-1] *= 1 + by_word(vocabulary, evidence, sense_scores(weights, hidden, evidence, shape))
        odds[evidence.touched] *= np.exp(word_scores(weights, evidence, shape))
        odds[-1] = np.exp(weights["unlisted"] @ shape - most)
        total += odds / odds.sum()
    return total


def raised(odds: NDArray[np.float64], lead: float) -> NDArray[np.float64]:
    """Return probabilities in which the likeliest word is `lead` nats likelier, others in proportion to their odds.

    The last entry, "in no list", is no word. Of clues that the weights have not learned from, the likeliest word is
    right more often than a softmax says, and words far below it are not.

    >>> odds = np.array([3.0, 1.0, 1.0])
    >>> raised(odds, 0.0).round(2).tolist(), raised(odds, 1.0).round(2).tolist()
    ([0.6, 0.2, 0.2], [0.77, 0.13, 0.09])
    """
    found = odds.copy()
    found[:-1] *= np.exp(lead * odds[:-1] / odds[:-1].max())
    probabilities: NDArray[np.float64] = found / found.sum()
    return probabilities


def word_scores(weights: Weights, evidence: Evidence, shape: Floats) -> Floats:
    """Return the share of the clue's word features in the scores of the words that have any, (touched,)."""
    return (FEATURE_SCALE * (weights["words"] @ shape) @ evidence.word_features).astype(np.float32, copy=False)


def code_bias(weights: Weights) -> Floats:
    """Return the share of form, part of speech, rank and source in the hidden layer, (codes, hidden)."""
    form, pos, rank, source = coded(np.arange(CODES_PER_FORM * len(weights["form"])))
    bias: Floats = weights["hidden form"][form] + weights["hidden pos"][pos]
    bias += weights["hidden rank"][rank] + weights["hidden source"][source]
    return bias


def hidden_layer(weights: Weights, by_code: Floats, evidence: Evidence, shape: Floats) -> Floats:
    """Return the hidden layer of the net that judges senses, (pairs, hidden); `by_code` is the weights' `code_bias`."""
    hidden: Floats = evidence.signals @ (SIGNAL_SCALE * weights["hidden"])
    hidden += by_code[evidence.code] + shape @ weights["hidden shape"]
    return np.maximum(hidden, 0, out=hidden)


def sense_scores(weights: Weights, hidden: Floats, evidence: Evidence, shape: Floats) -> Floats:
    """Return the score of every judged pair of word and sense, (pairs,), given the hidden layer."""
    form, pos, rank, source = coded(np.arange(CODES_PER_FORM * len(weights["form"])))
    bias = (weights["form"] @ shape)[form] + (weights["pos"] @ shape)[pos] + (weights["source"] @ shape)[source]
    bias += weights["rank"][rank] + weights["sense"]
    score: Floats = hidden @ weights["out"]
    score += evidence.signals @ (SIGNAL_SCALE * weights["linear"]) + bias[evidence.code]
    return score


def by_word(vocabulary: Vocabulary, evidence: Evidence, score: Floats) -> NDArray[np.float64]:
    """Sum the odds of each word's senses, (n,)."""
    odds = np.exp(np.minimum(score, HIGHEST).astype(np.float64))
    return np.bincount(vocabulary.pair_word[evidence.pairs], odds, len(vocabulary.size)).astype(np.float64, copy=False)
