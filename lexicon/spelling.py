"""How words in no list are spelled: a letter model, so that crossings can still spell them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SMOOTHING = 2.0
"""Added to every letter's count at a position: no letter is impossible anywhere."""


OWN_WEIGHT = 20.0
"""Pairs of letters at a position count as this many were seen of the pair at any position: rare ones borrow."""


def spelling_model(columns: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what spelling costs (-log p), learnt from a list of words given as (length, n): a first-order chain.

    Two parts that are to be added: per position and letter, (length, 26), and per position and two neighbouring
    letters, (length - 1, 26, 26). The second is nowhere below 0: each letter's best predecessor is in the first.

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
