"""Fit the model's weights: `python -m lexicon fit`.

In numpy, with explicit gradients, so that no machine learning library is needed.

The seeds are fixed; the same material gives the same weights.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.build.material import Pair, without
from lexicon.evidence import Evidence
from lexicon.lexicon import Lexicon
from lexicon.model import (
    FEATURE_SCALE,
    HIGHEST,
    PARAMETERS,
    SIGNAL_SCALE,
    Weights,
    by_word,
    code_bias,
    feature_names,
    hidden_layer,
    sense_scores,
    softmaxes,
    word_scores,
)
from lexicon.pack import write_pack
from lexicon.senses import Floats
from lexicon.shape import shape
from lexicon.text import fold
from lexicon.vocabulary import Vocabulary, coded

LOG = logging.getLogger(__name__)

HIDDEN = 24
"""Width of the net that judges a sense, as in the prototype."""

EPOCHS = 10
LEARNING_RATE = 0.02
BATCH = 16
SETS = 2
"""Sets of weights from different seeds, averaged: reduces the effect of random starts."""

SHAPE_PENALTY = 4e-3
"""Pull to zero of the weights that tie shapes to forms and features: there are thousands, and few clues."""

NET_PENALTY = 7e-4
"""Pull to zero of the net's weights; of its straight part towards 1."""

SHAPED = ("static", "words", "form", "pos", "source", "unlisted")
NET = ("hidden", "hidden form", "hidden pos", "hidden rank", "hidden source", "hidden shape", "out", "rank", "linear")
"""Names of the weights that are pulled to their start, by penalty."""

START = {
    "hidden": 0.3, "hidden form": 0.1, "hidden pos": 0.1, "hidden rank": 0.1, "hidden source": 0.1,
    "hidden shape": 0.05, "out": 0.05,
}  # fmt: skip
"""Spread of the random start of some weights; the others start at zero."""

SHARES = {"own": 0.6, "minis": 1.0, "goobix": 1.0}
"""Weight of a pair by its origin: our own pairs are many, and easier than printed clues."""

OUTSIDE = 0.1
"""Share of every pair that counts as an answer in no list. The material's answers were on their writers' minds, so
nearly all of them are listed; of what newspapers ask, some 3 % are not. Three times that has the least log loss on
tuning puzzles, with and without hidden answers (`tests/bench/fit_outside.py`)."""

NEGLIGIBLE = 1e-3
"""Odds, relative to those of the likeliest word, up to which words are not raised in fitting the lead."""

LEAD_STEPS = 20
"""Steps of Newton's method, of which a few are enough."""

RAMP = 0.3
"""Share of the steps in which the learning rate rises; then it falls to nothing (one cycle)."""


@dataclass(frozen=True, slots=True)
class Example:
    """A pair with its evidence; `target` is the answer's place, or one past the last word."""

    pair: Pair
    vocabulary: Vocabulary
    evidence: Evidence
    shape: Floats
    target: int
    weight: float


def examples(lexicon: Lexicon, pairs: Iterable[Pair]) -> Iterator[Example]:
    """Yield the evidence for all pairs whose answer has a length of the lexicon."""
    for pair in pairs:
        length = len(fold(pair.answer))
        if length not in lexicon.lengths:
            continue
        vocabulary = lexicon.vocabulary(length)
        evidence = lexicon.evidence(pair.clue, length)
        place = lexicon.words(length).find(fold(pair.answer))
        target = len(vocabulary.size) if place is None else place
        yield Example(pair, vocabulary, evidence, shape(pair.clue), target, SHARES[pair.origin])


def loss_and_gradient(weights: Weights, example: Example, gradient: Weights) -> float:
    """Add the gradient of one example's loss to `gradient`; return the loss.

    The loss is minus log p of the answer, but for the share `OUTSIDE`, which counts as "in no list".
    """
    vocabulary, evidence, asked = example.vocabulary, example.evidence, example.shape
    form, pos, rank, source = coded(evidence.code)
    hidden = hidden_layer(weights, code_bias(weights), evidence, asked)
    sense = sense_scores(weights, hidden, evidence, asked)
    summed = by_word(vocabulary, evidence, sense)
    words = vocabulary.static @ (weights["static"] @ asked)
    words[evidence.touched] += word_scores(weights, evidence, asked)
    score = np.append(words + np.log1p(summed), weights["unlisted"] @ asked)
    share = np.exp(score - score.max())
    share /= share.sum()
    wanted = {example.target: 1 - OUTSIDE}
    wanted[len(words)] = wanted.get(len(words), 0) + OUTSIDE
    loss = -example.weight * sum(part * float(np.log(share[place])) for place, part in wanted.items())

    for place, part in wanted.items():
        share[place] -= part
    share *= example.weight
    of_words = share[:-1].astype(np.float32)
    gradient["unlisted"] += share[-1] * asked
    gradient["static"] += np.outer(vocabulary.static.T @ of_words, asked)
    gradient["words"] += np.outer(FEATURE_SCALE * (evidence.word_features @ of_words[evidence.touched]), asked)
    chain = (share[:-1] / (1 + summed))[vocabulary.pair_word[evidence.pairs]]
    of_sense = (chain * np.exp(np.minimum(sense, HIGHEST)) * (sense < HIGHEST)).astype(np.float32)
    gradient["out"] += hidden.T @ of_sense
    gradient["linear"] += SIGNAL_SCALE * (evidence.signals.T @ of_sense)
    gradient["sense"] += of_sense.sum()
    of_hidden = np.outer(of_sense, weights["out"]) * (hidden > 0)
    gradient["hidden"] += SIGNAL_SCALE * (evidence.signals.T @ of_hidden)
    for name, kind in (("form", form), ("pos", pos), ("rank", rank), ("source", source)):
        size = len(weights[name])
        by_kind = np.bincount(kind, of_sense, size).astype(np.float32)
        gradient[name] += by_kind if name == "rank" else np.outer(by_kind, asked)
        chosen = np.zeros((size, len(kind)), np.float32)
        chosen[kind, np.arange(len(kind))] = 1
        hidden_by_kind = chosen @ of_hidden
        gradient[f"hidden {name}"] += hidden_by_kind
        if name == "form":
            gradient["hidden shape"] += np.outer(asked, hidden_by_kind.sum(axis=0))
    return loss


def starting_weights(sizes: dict[str, int], seed: int) -> Weights:
    """Draw the weights to start from."""
    random = np.random.default_rng(seed)
    weights = {
        name: np.array(random.standard_normal([sizes[axis] for axis in axes]) * START.get(name, 0.0), np.float32)
        for name, axes in PARAMETERS.items()
    }
    weights["linear"] += 1
    weights["sense"] -= 3
    return weights


def fit(found: Sequence[Example], sizes: dict[str, int], seed: int) -> Weights:
    """Fit one set of weights: Adam with one cycle of the learning rate, as usual."""
    weights = starting_weights(sizes, seed)
    order = np.random.default_rng(seed)
    first = {name: np.zeros_like(values) for name, values in weights.items()}
    second = {name: np.zeros_like(values) for name, values in weights.items()}
    steps = EPOCHS * -(-len(found) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        shuffled = order.permutation(len(found))
        total = 0.0
        for start in range(0, len(shuffled), BATCH):
            batch = [found[place] for place in shuffled[start : start + BATCH]]
            gradient = {name: np.zeros_like(values) for name, values in weights.items()}
            total += sum(loss_and_gradient(weights, example, gradient) for example in batch)
            step += 1
            rate = LEARNING_RATE * _cycle(step / steps)
            for name, values in weights.items():
                slope = gradient[name] / len(batch)
                if name in SHAPED:
                    slope += 2 * SHAPE_PENALTY * values
                elif name in NET:
                    slope += 2 * NET_PENALTY * (values - (name == "linear"))
                first[name] += 0.1 * (slope - first[name])
                second[name] += 0.001 * (slope**2 - second[name])
                mean, spread = first[name] / (1 - 0.9**step), second[name] / (1 - 0.999**step)
                np.subtract(values, rate * mean / (np.sqrt(spread) + 1e-8), out=values)
        LOG.info("seed %d, epoch %d: %.3f", seed, epoch, total / len(found))
    return weights


def _cycle(done: float) -> float:
    """Return the learning rate's share at a share of the steps: up, then down, in half waves."""
    if done < RAMP:
        return 0.04 + 0.96 * (1 - math.cos(math.pi * done / RAMP)) / 2
    return (1 + math.cos(math.pi * (done - RAMP) / (1 - RAMP))) / 2


def axis_sizes(lexicon: Lexicon) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Return the names of the axes, and the lengths of all axes of the weights."""
    axes = feature_names(lexicon.vocabulary(5))
    sizes = {axis: len(names) for axis, names in axes.items()}
    return axes, sizes | {"hidden": HIDDEN, "parts of speech": 4, "ranks": 4}


def fit_model(lexicon: Lexicon, pairs: Sequence[Pair], target: Path) -> None:
    """Fit all sets of weights and write them to a file."""
    found = list(examples(lexicon, pairs))
    axes, sizes = axis_sizes(lexicon)
    arrays: dict[str, Any] = {}
    for seed, weights in enumerate(fit_sets(found, sizes)):
        arrays |= {f"{seed}/{name}": values for name, values in weights.items()}
    counted = {origin: sum(pair.origin == origin for pair in pairs) for origin in SHARES}
    write_pack(target, arrays, {"axes": axes, "sets": SETS, "lead": fit_lead(found, sizes), "pairs": counted})


def fit_sets(found: Sequence[Example], sizes: dict[str, int]) -> list[Weights]:
    """Fit one set of weights for each seed."""
    return [fit(found, sizes, seed) for seed in range(SETS)]


Case = tuple[NDArray[np.float64], NDArray[np.float64], float]
"""Odds of the words for a clue, their odds relative to the likeliest word's, and that of the answer."""


def fit_lead(found: Sequence[Example], sizes: dict[str, int]) -> float:
    """Fit the lead of the likeliest words: on either half of the printed clues, with weights of the other half."""
    printed = [example for example in found if example.pair.origin != "own"]
    cases: list[Case] = []
    for half in (0, 1):
        held = printed[half::2]
        others = set(without((example.pair for example in found), [example.pair for example in held]))
        sets = fit_sets([example for example in found if example.pair in others], sizes) if held else []
        by_code = [code_bias(weights) for weights in sets]
        for example in held:
            odds = softmaxes(sets, by_code, example.vocabulary, example.evidence, example.shape)
            relative = np.append(odds[:-1] / odds[:-1].max(), 0.0)
            near = relative > NEGLIGIBLE  # the others are counted together
            odds = np.append(odds[near], odds[~near].sum())
            cases.append((odds, np.append(relative[near], 0.0), float(relative[example.target])))
    lead = likeliest_lead(cases)
    LOG.info("lead %.2f, from %d clues", lead, len(cases))
    return lead


def likeliest_lead(cases: Sequence[Case]) -> float:
    """Return the lead with the greatest likelihood, in nats; 0 without cases.

    As it enters in proportion to the relative odds, that is the one for which the answers' mean of these is as great as
    expected.

    >>> odds, relative = np.array([0.5, 0.5]), np.array([1.0, 0.0])
    >>> round(likeliest_lead([(odds, relative, right) for right in (1.0, 1.0, 1.0, 0.0)]), 3)  # log 3
    1.099
    """
    lead = 0.0
    for _ in range(LEAD_STEPS if cases else 0):
        missing = spread = 0.0
        for odds, relative, answer in cases:
            share = odds * np.exp(lead * relative)
            share /= share.sum()
            expected = float(share @ relative)
            missing += answer - expected
            spread += float(share @ relative**2) - expected**2
        lead += missing / spread
    return lead
