"""Vectors of terms: terms of the same definitions are close to each other (latent semantic analysis).

In numpy alone, so that a user's own dictionary can be added without further libraries. Deterministic: the
random start has a fixed seed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 64
"""Dimensions of a term's vector: half of the prototype's, to keep the file small."""

RAREST = 5
"""Terms in fewer documents get no vector: little can be learnt about them, and vectors take space in the file."""

LONGEST = 40
"""Maximum number of a document's terms that are counted with each other; longer texts have many topics."""

ROUNDS = 5
"""Power iterations, as in the prototype."""

OVERSAMPLING = 20
"""Extra directions carried along, cut off at the end; the usual choice for randomised eigenvectors."""

LEAST_WEIGHT = np.float32(0.01)
"""Weight of a term in every document: it carries no information, but a row of zeros could not be scaled."""

SEED = 20261121

CHUNK = 1 << 20
"""Co-occurrences multiplied at a time, to bound memory."""


def cooccurrences(
    starts: NDArray[np.int64], terms: NDArray[np.int64], size: int, weight: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Count weighted co-occurrences of terms in documents: (row starts, columns, counts) of a symmetric matrix.

    `starts` has one entry per document and one more at the end; a term occurs once per document. A pair in a document
    of n terms counts the product of the terms' weights over n.
    """
    keys: list[NDArray[np.int64]] = []
    values: list[NDArray[np.float32]] = []
    lengths = np.diff(starts)
    for length in range(1, LONGEST + 1):
        rows = np.flatnonzero(lengths == length)
        if not rows.size:
            continue
        block = terms[starts[rows][:, None] + np.arange(length)]
        left = np.repeat(block, length, axis=1).ravel()
        right = np.tile(block, (1, length)).ravel()
        keys.append(left * size + right)
        values.append(weight[left] * weight[right] / np.float32(length))
    key = np.concatenate(keys)
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    count = np.add.reduceat(np.concatenate(values)[order], first)
    row = key[first] // size
    column = key[first] % size
    return np.searchsorted(row, np.arange(size + 1)).astype(np.int64), column, count.astype(np.float32)


def multiply(
    starts: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.float32], dense: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Multiply a sparse matrix (no empty rows) with a dense one, some rows at a time."""
    result = np.empty((len(starts) - 1, dense.shape[1]), np.float32)
    row = 0
    while row < len(result):
        end = int(np.searchsorted(starts, starts[row] + CHUNK, "right")) - 1
        end = min(max(end, row + 1), len(result))
        part = slice(starts[row], starts[end])
        product = dense[columns[part]] * values[part, None]
        result[row:end] = np.add.reduceat(product, starts[row:end] - starts[row], axis=0)
        row = end
    return result


def term_vectors(
    starts: NDArray[np.int64], terms: NDArray[np.int64], size: int, dimensions: int = DIMENSIONS
) -> NDArray[np.int8]:
    """Compute vectors of unit length, times 127, for terms 0 to size-1; zeros for terms that are too rare.

    `starts` and `terms` are the documents (each term once per document).
    """
    document_frequency = np.bincount(terms, minlength=size)
    kept = np.flatnonzero(document_frequency >= RAREST)
    place = np.full(size, -1, np.int64)
    place[kept] = np.arange(len(kept))
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    small = place[terms]
    owner, small = owner[small >= 0], small[small >= 0]
    document_starts = np.searchsorted(owner, np.arange(len(starts)))
    weight = np.log((len(starts) - 1) / document_frequency[kept]).astype(np.float32)
    weight = np.maximum(weight, LEAST_WEIGHT)
    rows, columns, counts = cooccurrences(document_starts, small, len(kept), weight)
    counts = np.log1p(2 * counts)
    scale = 1 / np.sqrt(np.add.reduceat(counts, rows[:-1]))
    counts *= scale[columns] * np.repeat(scale, np.diff(rows))
    start = np.random.default_rng(SEED).standard_normal((len(kept), dimensions + OVERSAMPLING)).astype(np.float32)
    basis = np.linalg.qr(start)[0]
    for _ in range(ROUNDS):
        basis = np.linalg.qr(multiply(rows, columns, counts, basis))[0]
    projected = basis.T @ multiply(rows, columns, counts, basis)
    values, turn = np.linalg.eigh((projected + projected.T) / 2)
    best = np.argsort(-values)[:dimensions]
    vectors = (basis @ turn[:, best]) * np.sqrt(np.maximum(values[best], 0))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    result = np.zeros((size, dimensions), np.int8)
    peak = np.abs(vectors).max(axis=1, keepdims=True) + 1e-9
    result[kept, : vectors.shape[1]] = np.round(vectors * (127 / peak)).astype(np.int8)
    return result
