"""How probabilities are shown: rounded down, so that nothing reads surer than it is, and where doubt begins."""

from __future__ import annotations

import math

GUESS = 0.5
"""A letter or word less probable than this is a guess: shown in lower case, and revealed only if insisted on."""

CLEAR = 0.9
"""Probability from which a letter or word is called sure; less is shaded."""

DIGITS = 4
"""Digits of a written probability."""

NOISE = 1e-9
"""Tolerance for floating-point error, so that 0.29 stays 29 %."""


def percent(probability: float) -> str:
    """Return a probability in whole percent, rounded down; never 100 %, as the truth may be in no list.

    >>> [percent(p) for p in (1.0, 0.9999, 0.99, 0.496, 0.29, 0.004)]
    ['>99 %', '>99 %', '99 %', '49 %', '29 %', '<1 %']
    """
    if probability > 0.99:
        return ">99 %"
    return f"{math.floor(100 * probability + NOISE)} %" if probability >= 0.01 else "<1 %"


def percent_in_words(probability: float) -> str:
    """Return a percentage for the middle of a sentence.

    >>> percent_in_words(0.9999), percent_in_words(0.004), percent_in_words(0.97)
    ('over 99 %', 'under 1 %', '97 %')
    """
    return percent(probability).replace(">", "over ").replace("<", "under ")


def rounded(probability: float) -> float:
    """Round a probability down to the written digits, so that nearly certain does not become certain.

    >>> rounded(0.99996), rounded(0.49999), rounded(0.57), rounded(1.0)
    (0.9999, 0.4999, 0.57, 1.0)
    """
    scale: int = 10**DIGITS
    return min(math.floor(scale * probability + NOISE) / scale, probability)
