"""How words in no list are spelled: a letter model, so that crossings can still spell them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SMOOTHING = 2.0
"""Added to every letter's count at a position: no letter is impossible anywhere."""


def letter_model(columns: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return log-probabilities (length, 26) of letters by position in a list of words, given as (length, n).

    >>> model = letter_model(np.array([[0, 0], [25, 25]], np.uint8))
    >>> model.shape, bool(model[0, 0] > model[0, 1])
    ((2, 26), True)
    """
    counts = np.stack([np.bincount(column, minlength=26) for column in columns]) + SMOOTHING
    model: NDArray[np.float32] = np.log(counts / counts.sum(axis=1, keepdims=True)).astype(np.float32)
    return model
