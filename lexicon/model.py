"""The model: from evidence to probabilities, in numpy.

A word's score is what speaks for it before the clue is read, weighed by the clue's shape; plus features of its
spelling; plus the softened sum over its senses, each judged by a small net. One more score stands for all words that
are in no list. A softmax over all of them gives the distribution.

The weights are fitted by :mod:`lexicon.build.fit` and lie beside the index.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.evidence import WORD_FEATURES, Evidence, Shelf
from lexicon.pack import Pack, PackError
from lexicon.senses import Floats
from lexicon.shape import SHAPES
from lexicon.signals import signal_names

SIGNAL_SCALE = 2.0
"""Signals run from 0 to 1; doubling them let the fit take steps of the same size for all weights."""

FEATURE_SCALE = 3.0
"""The same for features of words, of which most are much smaller than 1."""

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
    "hidden shape": ("shapes", "hidden"),
    "out": ("hidden",),
    "form": ("forms", "shapes"),
    "pos": ("parts of speech", "shapes"),
    "rank": ("ranks",),
    "sense": (),
    "unlisted": ("shapes",),
}
"""Names of the arrays of weights and what their axes are."""


def feature_names(shelf: Shelf) -> dict[str, list[str]]:
    """List what each axis of the weights means, to be checked against what a model was fitted for."""
    return {
        "features": list(shelf.static_names),
        "word features": list(WORD_FEATURES),
        "signals": list(signal_names(shelf.relations)),
        "shapes": list(SHAPES),
        "forms": list(shelf.forms),
    }


class Model:
    """One or several sets of weights; the probabilities of several are averaged."""

    def __init__(self, path: Path) -> None:
        pack = Pack(path)
        self.meta: dict[str, Any] = pack.meta
        self._path = path
        self._sets = [
            {name: pack[f"{number}/{name}"] for name in PARAMETERS} for number in range(int(pack.meta["sets"]))
        ]

    def check(self, shelf: Shelf) -> None:
        """Raise PackError when the weights were fitted for other features than the shelf has."""
        for axis, names in feature_names(shelf).items():
            if self.meta["axes"][axis] != names:
                raise PackError(f"{self._path}: fitted for other {axis} than the index has; fit the model again")

    def probabilities(self, shelf: Shelf, evidence: Evidence, shape: Floats) -> NDArray[np.float64]:
        """Return the probabilities of all words of the shelf, and last of "in no list"; (n + 1,), sum 1."""
        total = np.zeros(len(shelf.size) + 1)
        for weights in self._sets:
            score = scores(weights, shelf, evidence, shape)
            odds = np.exp(score - score.max())
            total += odds / odds.sum()
        return total / len(self._sets)


def sense_scores(weights: dict[str, Floats], shelf: Shelf, evidence: Evidence, shape: Floats) -> Floats:
    """Return the score of every judged pair of word and sense."""
    code = shelf.pair_code[evidence.pairs]
    form, pos, rank = code // 16, code // 4 % 4, code % 4
    hidden = evidence.signals @ (SIGNAL_SCALE * weights["hidden"])
    hidden += (weights["hidden form"] + shape @ weights["hidden shape"])[form]
    hidden += weights["hidden pos"][pos] + weights["hidden rank"][rank]
    np.maximum(hidden, 0, out=hidden)
    found = hidden @ weights["out"] + evidence.signals @ (SIGNAL_SCALE * weights["linear"])
    found += (weights["form"] @ shape)[form] + (weights["pos"] @ shape)[pos] + weights["rank"][rank] + weights["sense"]
    return np.minimum(found, HIGHEST).astype(np.float32)


def scores(weights: dict[str, Floats], shelf: Shelf, evidence: Evidence, shape: Floats) -> NDArray[np.float64]:
    """Return the scores of all words of the shelf, and last of "in no list"."""
    words = shelf.static @ (weights["static"] @ shape)
    words += FEATURE_SCALE * (weights["words"] @ shape) @ evidence.word_features
    sense = np.exp(sense_scores(weights, shelf, evidence, shape).astype(np.float64))
    by_word = np.bincount(shelf.pair_word[evidence.pairs], sense, len(words))
    return np.append(words + np.log1p(by_word), weights["unlisted"] @ shape)
