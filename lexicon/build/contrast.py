"""Learn the vectors of terms by contrast: `python -m lexicon learn`. Needs torch, which the extra `fitting` brings.

The vector of a text is the weighted sum of its terms' vectors. Vectors and weights are learned so that two meanings of
one word, or a meaning and the word's name, are closer to each other than to those of the other words in a batch
(a softmax over the batch, van den Oord 2018); so are a thesaurus's synonyms, and a meaning of a word and a synonym. The
texts are the definitions and names in the index and the words of the thesaurus, no clue of a puzzle.

One thread and fixed seeds: the same index and the same torch give the same vectors, in about eight minutes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from lexicon.build.arrange import Arrays, lines
from lexicon.build.vectors import TermVectors
from lexicon.senses import starts_of
from lexicon.text import terms

LOG = logging.getLogger(__name__)

DIMENSIONS = 96
RAREST = 3
"""Terms in fewer definitions get no vector: little can be learned about them."""

LONGEST = 14
"""Terms of a text that are read, the first ones: few definitions have more, and those have many topics."""

EPOCHS = 4
BATCH = 1024
LEARNING_RATE = 0.006
SHARPNESS = 12.0
"""Factor of the cosines in the softmax to start from; it is learned too."""

MORE_ROUNDS = (2, 2, 4)
"""Rounds of pairing a word's meanings in an epoch: a word takes part in those that ask for no more than it has."""

SEED = 20261122


@dataclass(frozen=True, slots=True)
class Texts:
    """Definitions, names, a thesaurus's words as rows of terms: `terms` is (texts, `LONGEST`), padded with `none`.

    `word` is the word that each text is of: for a definition its first name. `named` are pairs of definition and
    name, `meanings` pairs of word and definition, by word, `synonyms` pairs of a thesaurus's words.
    """

    terms: NDArray[np.int64]
    none: int
    word: NDArray[np.int64]
    named: NDArray[np.int64]
    meanings: NDArray[np.int64]
    synonyms: NDArray[np.int64]


def texts_of(facts: Arrays, kept: NDArray[np.int64], synonyms: Iterable[tuple[str, str]]) -> Texts:
    """Return the texts of an index's facts and of a thesaurus; `kept` are the terms that get a vector, ascending."""
    definitions = len(facts["gloss/count"])
    numbered: dict[str, int] = {}
    pairs = [(numbered.setdefault(a, len(numbered)), numbered.setdefault(b, len(numbered))) for a, b in synonyms]
    lexis = {term: number for number, term in enumerate(lines(facts["terms"]))}
    irregular = {form: word for form, word, _ in (line.split(" ") for line in lines(facts["irregular"]))}
    further = [sorted({lexis[t] for t in terms(word, irregular.get) if t in lexis}) for word in numbered]
    count = [facts["gloss/count"], facts["name/count"], np.array([len(row) for row in further], np.int64)]
    starts = starts_of(np.concatenate(count).astype(np.int64))
    names = len(facts["name/count"]) + len(further)
    flat = np.array([number for row in further for number in row], np.int64)
    term = np.concatenate([facts["gloss/term"], facts["name/term"], flat]).astype(np.int64)
    row = np.full(int(term.max()) + 1, len(kept))
    row[kept] = np.arange(len(kept))
    table = np.full((definitions + names, LONGEST), len(kept))
    for place in range(LONGEST):
        longer = np.flatnonzero(np.diff(starts) > place)
        table[longer, place] = row[term[starts[longer] + place]]
    of_name: dict[bytes, int] = {}
    ends = starts[definitions:]
    word = np.array(
        [of_name.setdefault(np.sort(term[ends[i] : ends[i + 1]]).tobytes(), len(of_name)) for i in range(names)]
    )
    sense = np.repeat(np.arange(definitions), facts["names/count"])
    first = starts_of(facts["names/count"])[:-1]
    return Texts(
        table,
        len(kept),
        np.concatenate([word[first], word]),
        np.stack([sense, definitions + np.arange(len(sense))], axis=1),
        np.unique(np.stack([word[: len(sense)], sense], axis=1), axis=0),
        definitions + len(sense) + np.array(pairs, np.int64).reshape(-1, 2),
    )


def pairs(texts: Texts, random: np.random.Generator) -> NDArray[np.int64]:
    """Return the pairs of an epoch in random order, (n, 2): of names, of meanings of one word, and of synonyms."""
    word = texts.meanings[:, 0]
    count = np.bincount(word, minlength=int(texts.word.max()) + 1)
    starts = starts_of(count)
    found = [texts.named]
    for least in MORE_ROUNDS:
        meaning = texts.meanings[np.lexsort((random.random(len(word)), word)), 1]
        following = np.arange(len(word)) + 1
        last = following == starts[word + 1]
        following[last] = starts[word[last]]
        enough = count[word] >= least
        found.append(np.stack([meaning, meaning[following]], axis=1)[enough])
    synonyms = texts.synonyms.copy()
    owner = texts.word[synonyms[:, 0]]
    defined = (count[owner] > 0) & (random.random(len(synonyms)) < 0.5)
    chosen = (starts[owner] + random.random(len(owner)) * count[owner]).astype(np.int64)[defined]
    synonyms[defined, 0] = texts.meanings[chosen, 1]
    found.append(synonyms)
    filled = (texts.terms != texts.none).any(axis=1)
    joined = np.concatenate(found)
    joined = joined[filled[joined].all(axis=1)]
    mixed: NDArray[np.int64] = joined[random.permutation(len(joined))]
    return mixed


class Encoder(torch.nn.Module):  # type: ignore[misc]  # mypy runs without torch
    """From rows of terms to vectors of length 1."""

    def __init__(self, rarity: NDArray[np.float32]) -> None:
        super().__init__()
        start = torch.randn(len(rarity) + 1, DIMENSIONS) / DIMENSIONS**0.5
        start[-1] = 0
        self.vectors = torch.nn.Parameter(start)
        weight = torch.from_numpy(np.append(rarity, -20).astype(np.float32))  # the last row stands for no term
        self.weights = torch.nn.Parameter(torch.log(torch.expm1(weight.clamp(min=0.02))))
        with torch.no_grad():
            self.weights[-1] = -20
        self.sharpness = torch.nn.Parameter(torch.tensor(SHARPNESS).log())

    def forward(self, terms: torch.Tensor) -> torch.Tensor:
        """Return the vectors of texts, (texts, `DIMENSIONS`), given their terms, (texts, `LONGEST`)."""
        weight = functional.softplus(functional.embedding(terms, self.weights[:, None]))
        return functional.normalize((functional.embedding(terms, self.vectors) * weight).sum(dim=1), eps=1e-6)


def loss(encoder: Encoder, left: torch.Tensor, right: torch.Tensor, word: torch.Tensor) -> torch.Tensor:
    """Return the mean cost of finding each text's partner in the batch, both ways; texts of one word are not rivals."""
    cosine = encoder(left) @ encoder(right).T * encoder.sharpness.exp()
    same = word[:, None] == word[None, :]
    same.fill_diagonal_(False)
    cosine = cosine.masked_fill(same, -1e4)
    target = torch.arange(len(word))
    return (functional.cross_entropy(cosine, target) + functional.cross_entropy(cosine.T, target)) / 2


def learned(facts: Arrays, synonyms: Iterable[tuple[str, str]] = ()) -> TermVectors:
    """Learn vectors from the definitions and names in the facts of an index, and from pairs of synonyms."""
    torch.set_num_threads(1)  # the order of sums depends on the number of threads
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    frequency = np.bincount(facts["gloss/term"])
    kept = np.flatnonzero(frequency >= RAREST)
    texts = texts_of(facts, kept, synonyms)
    rarity = np.log(len(facts["gloss/count"]) / frequency[kept]) / 8
    encoder = Encoder(rarity.astype(np.float32))
    optimizer = torch.optim.Adam(encoder.parameters(), lr=LEARNING_RATE)
    rows, word = torch.from_numpy(texts.terms), torch.from_numpy(texts.word)
    steps = EPOCHS * (len(pairs(texts, np.random.default_rng(SEED))) // BATCH)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, steps)
    for epoch in range(EPOCHS):
        asked = torch.from_numpy(pairs(texts, random))
        total = 0.0
        for batch in asked[: len(asked) // BATCH * BATCH].split(BATCH):
            optimizer.zero_grad()
            cost = loss(encoder, rows[batch[:, 0]], rows[batch[:, 1]], word[batch[:, 0]])
            cost.backward()
            optimizer.step()
            slower.step()
            total += cost.item()
        LOG.info("epoch %d: %.3f", epoch, total / (len(asked) // BATCH))
    with torch.no_grad():
        vectors = encoder.vectors[:-1].numpy()
        weights = functional.softplus(encoder.weights[:-1]).numpy() * np.linalg.norm(vectors, axis=1)
    lexis = lines(facts["terms"])
    peak = np.abs(vectors).max(axis=1, keepdims=True)
    return TermVectors([lexis[term] for term in kept], np.round(vectors * (127 / peak)).astype(np.int8), weights)
