"""A letter model for words in no list, so that crossings can still spell them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SMOOTHING = 2.0
"""Added to every letter's count at a position: no letter is impossible anywhere."""


OWN_WEIGHT = 20.0
"""Weight, in counts, of a pair's frequency at any position in that at one position: rare pairs borrow from it."""


def spelling_model(columns: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the costs of spelling (-log p) estimated from words given as (length, n): a first-order Markov chain.

    Two parts to be added: per position and letter, (length, 26), and per position and two neighbouring letters,
    (length - 1, 26, 26). The second is never negative: the cost of a letter after its best predecessor is in the first.

    >>> letters, pairs = spelling_model(np.array([[0, 0], [25, 24]], np.uint8))
    >>> letters.shape, pairs.shape, float(pairs.min())
    ((2, 26), (1, 26, 26), 0.0)
    """
    length = len(columns)
    first = np.bincount(columns[0], minlength=26) + SMOOTHING
    letters = np.zeros((length, 26))
    letters[0] = -np.log(first / first.sum())
    counts = np.zeros((length - 1, 26, 26))
    for position in range(length - 1):
        pair = columns[position].astype(np.intp) * 26 + columns[position + 1]
        counts[position] = np.bincount(pair, minlength=26 * 26).reshape(26, 26)
    anywhere = counts.sum(axis=0) + SMOOTHING / 26
    anywhere /= anywhere.sum(axis=1, keepdims=True)
    shares = counts + OWN_WEIGHT * anywhere
    costs = -np.log(shares / shares.sum(axis=2, keepdims=True))
    best = costs.min(axis=1)
    letters[1:] = best
    return letters.astype(np.float32), (costs - best[:, None, :]).astype(np.float32)
