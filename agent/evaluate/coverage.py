"""Accuracy against coverage: the share of right grids among those that a solver is surest of.

If its probabilities separate right from wrong grids, the curve begins near 1 and falls to the rate over all grids only
at its end (El-Yaniv & Wiener 2010 draw it upside down, as risk against coverage). The area is the mean over its steps.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from agent.evaluate.lines import Line

Floats = NDArray[np.float64]

STEPS = 20
"""Steps of a curve from none to all grids."""

COVERAGES: Floats = np.arange(1, STEPS + 1) / STEPS
"""The shares of grids at which curves are known, surest first."""


def accuracy(stated: Floats, right: Floats, weights: Floats) -> Floats:
    """Return the share of right grids among the surest at each of :data:`COVERAGES`, as (draws, STEPS).

    `stated` and `right` (0 or 1) are (grids,), `weights` how often each draw has each grid, (draws, grids). Grids of
    equal probability have no order: a share that ends among them gets their mean. Draws without any grid are NaN.

    >>> accuracy(np.array([0.9, 0.2]), np.array([1.0, 0.0]), np.ones((1, 2)))[0, [9, 14, 19]].round(3).tolist()
    [1.0, 0.667, 0.5]
    """
    if not stated.size:
        return np.full((len(weights), STEPS), np.nan)
    order = np.argsort(-stated, kind="stable")
    ends = np.flatnonzero(np.diff(stated[order], append=-1.0))
    weights = weights[:, order]
    drawn, good = (
        np.pad(np.cumsum(sums, axis=1)[:, ends], ((0, 0), (1, 0))) for sums in (weights, weights * right[order])
    )
    wanted = drawn[:, -1:] * COVERAGES
    found = np.stack([np.interp(*one) for one in zip(wanted, drawn, good, strict=True)])
    with np.errstate(invalid="ignore"):
        return found / wanted


def coverage(lines: Iterable[Line]) -> list[float] | None:
    """Return the share of right grids at each of :data:`COVERAGES`, None if no line has an official solution.

    >>> coverage([{"solved": True, "probability": 0.9}, {"solved": False, "probability": 0.2}])[9::5]
    [1.0, 0.6667, 0.5]
    """
    scored = (line for line in lines if "error" not in line and line["solved"] is not None)
    grids = [(line["probability"], line["solved"]) for line in scored]
    if not grids:
        return None
    stated, right = np.array(grids, np.float64).T
    found: list[float] = accuracy(stated, right, np.ones((1, len(grids))))[0].round(4).tolist()
    return found
