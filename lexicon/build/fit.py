"""Fit the model's weights: `python -m lexicon fit`. Needs torch (dependency group `fit`); nothing else does.

The seeds are fixed; the same material and versions give the same weights.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lexicon.build.material import Pair
from lexicon.lexicon import Lexicon
from lexicon.model import FEATURE_SCALE, HIGHEST, PARAMETERS, SIGNAL_SCALE, feature_names
from lexicon.pack import write_pack
from lexicon.shape import shape
from lexicon.text import fold

LOG = logging.getLogger(__name__)

HIDDEN = 24
"""Width of the net that judges a sense, as in the prototype."""

EPOCHS = 10
LEARNING_RATE = 0.02
BATCH = 16
SETS = 2
"""Sets of weights from different seeds, averaged: calms the luck of the start."""

SHAPE_PENALTY = 4e-3
"""Pull to zero of the weights that tie shapes to forms and features: there are thousands, and few clues."""

NET_PENALTY = 7e-4
"""Pull to zero of the net's weights; of its straight part towards 1."""

SHARES = {"own": 0.6, "minis": 1.0, "goobix": 1.0}
"""Weight of a pair by where it comes from: the own pairs are many and easier than printed clues."""


@dataclass(slots=True)
class Example:
    """A pair with its evidence as tensors; `target` is the answer's place, or one past the last word."""

    length: int
    target: int
    weight: float
    pairs: torch.Tensor
    signals: torch.Tensor
    places: torch.Tensor
    features: torch.Tensor
    shape: torch.Tensor


@dataclass(slots=True)
class Words:
    """What a shelf holds, as tensors."""

    static: torch.Tensor
    pair_word: torch.Tensor
    pair_code: torch.Tensor


def examples(lexicon: Lexicon, pairs: Iterable[Pair]) -> tuple[list[Example], dict[int, Words]]:
    """Collect the evidence for all pairs whose answer has a length of the lexicon."""
    found: list[Example] = []
    shelves: dict[int, Words] = {}
    for pair in pairs:
        length = len(fold(pair.answer))
        if length not in lexicon.lengths:
            continue
        shelf = lexicon.shelf(length)
        if length not in shelves:
            shelves[length] = Words(
                torch.tensor(shelf.static), torch.tensor(shelf.pair_word), torch.tensor(shelf.pair_code)
            )
        evidence = lexicon.evidence(pair.clue, length)
        place = lexicon.words(length).find(fold(pair.answer))
        touched = np.flatnonzero(evidence.word_features.any(axis=0))
        found.append(
            Example(
                length,
                len(shelf.size) if place is None else place,
                SHARES[pair.origin],
                torch.tensor(evidence.pairs),
                torch.tensor(evidence.signals),
                torch.tensor(touched),
                torch.tensor(evidence.word_features[:, touched]),
                torch.tensor(shape(pair.clue)),
            )
        )
    return found, shelves


class Net(torch.nn.Module):
    """The model of :mod:`lexicon.model`, with gradients."""

    def __init__(self, signals: Sequence[str], sizes: dict[str, int], seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        start = {
            "hidden": 0.3,
            "hidden form": 0.1,
            "hidden pos": 0.1,
            "hidden rank": 0.1,
            "hidden shape": 0.05,
            "out": 0.05,
        }
        self.weights = torch.nn.ParameterDict()
        for name, axes in PARAMETERS.items():
            shape_ = [sizes[axis] for axis in axes]
            self.weights[name] = torch.nn.Parameter(torch.randn(shape_) * start.get(name, 0.0))
        self.start = torch.tensor([0.0 if name.startswith("added") else 1.0 for name in signals])
        self.weights["linear"].data.copy_(self.start)
        self.weights["sense"].data.fill_(-3.0)

    def forward(self, example: Example, words: Words) -> torch.Tensor:
        """Return the scores of all words, and last of "in no list"."""
        w, h = self.weights, example.shape
        total = words.static @ (w["static"] @ h)
        total = total.index_add(0, example.places, FEATURE_SCALE * example.features.T @ (w["words"] @ h))
        code = words.pair_code[example.pairs]
        form, pos, rank = code // 16, code // 4 % 4, code % 4
        hidden = example.signals @ (SIGNAL_SCALE * w["hidden"]) + (w["hidden form"] + h @ w["hidden shape"])[form]
        hidden = torch.relu(hidden + w["hidden pos"][pos] + w["hidden rank"][rank])
        sense = hidden @ w["out"] + example.signals @ (SIGNAL_SCALE * w["linear"]) + w["rank"][rank] + w["sense"]
        sense = sense + (w["form"] @ h)[form] + (w["pos"] @ h)[pos]
        odds = torch.exp(sense.clamp(max=HIGHEST))
        by_word = torch.zeros(len(total)).index_add(0, words.pair_word[example.pairs], odds)
        return torch.cat([total + torch.log1p(by_word), (w["unlisted"] @ h).view(1)])

    def penalty(self) -> torch.Tensor:
        """Return what the size of the weights costs."""
        w = self.weights
        shaped = sum((w[name] ** 2).sum() for name in ("static", "words", "form", "pos", "unlisted"))
        net = sum((w[name] ** 2).sum() for name in w if name.startswith("hidden") or name in ("out", "rank"))
        return SHAPE_PENALTY * shaped + NET_PENALTY * (net + ((w["linear"] - self.start) ** 2).sum())


def fit(
    found: Sequence[Example], shelves: dict[int, Words], signals: Sequence[str], sizes: dict[str, int], seed: int
) -> Net:
    """Fit one set of weights."""
    torch.set_num_threads(1)
    net = Net(signals, sizes, seed)
    order = np.random.default_rng(seed)
    optimiser = torch.optim.Adam(net.parameters(), lr=LEARNING_RATE)
    steps = EPOCHS * -(-len(found) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, LEARNING_RATE, total_steps=steps)
    for epoch in range(EPOCHS):
        shuffled = order.permutation(len(found))
        total = 0.0
        for first in range(0, len(shuffled), BATCH):
            batch = [found[place] for place in shuffled[first : first + BATCH]]
            losses = [
                -example.weight * torch.log_softmax(net(example, shelves[example.length]), 0)[example.target]
                for example in batch
            ]
            loss = torch.stack(losses).mean()
            optimiser.zero_grad()
            (loss + net.penalty()).backward()
            optimiser.step()
            schedule.step()
            total += float(loss.detach()) * len(batch)
        LOG.info("seed %d, epoch %d: %.3f", seed, epoch, total / len(found))
    return net


def axis_sizes(lexicon: Lexicon) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Return the names of the axes, and the lengths of all axes of the weights."""
    axes = feature_names(lexicon.shelf(5))
    sizes = {axis: len(names) for axis, names in axes.items()}
    return axes, sizes | {"hidden": HIDDEN, "parts of speech": 4, "ranks": 4}


def fit_model(lexicon: Lexicon, pairs: Sequence[Pair], target: Path) -> None:
    """Fit all sets of weights and write them to a file."""
    found, shelves = examples(lexicon, pairs)
    axes, sizes = axis_sizes(lexicon)
    arrays: dict[str, Any] = {}
    for seed in range(SETS):
        net = fit(found, shelves, axes["signals"], sizes, seed)
        for name in PARAMETERS:
            arrays[f"{seed}/{name}"] = net.weights[name].detach().numpy()
    counted = {origin: sum(pair.origin == origin for pair in pairs) for origin in SHARES}
    write_pack(target, arrays, {"axes": axes, "sets": SETS, "pairs": counted}, set())
