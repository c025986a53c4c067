"""The learned vectors of terms: a file that :mod:`lexicon.build.contrast` writes and the build reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexicon.build.arrange import Arrays, lines

VECTORS = Path(__file__).with_name("vectors.npz")


@dataclass(frozen=True, slots=True)
class TermVectors:
    """Terms with the direction of their vector, (n, dimensions) up to scale, and its length, (n,)."""

    terms: Sequence[str]
    directions: NDArray[np.int8]
    lengths: NDArray[np.float32]


def save(vectors: TermVectors, path: Path) -> None:
    """Write vectors to a file."""
    terms = np.frombuffer("\n".join(vectors.terms).encode(), np.uint8)
    np.savez(path, terms=terms, directions=vectors.directions, lengths=vectors.lengths.astype(np.float32))


def load(path: Path = VECTORS) -> TermVectors:
    """Read vectors from a file. Raises OSError or ValueError if it is not there or no such file."""
    with np.load(path) as file:
        return TermVectors(lines(file["terms"]), file["directions"], file["lengths"])


def placed(vectors: TermVectors, facts: Arrays) -> Arrays:
    """Return the vectors as arrays of an index: those of its terms, by the number of the term."""
    number = {term: place for place, term in enumerate(lines(facts["terms"]))}
    here = sorted((number[term], row) for row, term in enumerate(vectors.terms) if term in number)
    rows = np.array([row for _, row in here], np.intp)
    return {
        "vector/term": np.array([term for term, _ in here], np.uint32),
        "vector/value": vectors.directions[rows],
        "vector/weight": vectors.lengths[rows],
    }
