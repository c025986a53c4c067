"""The server's limits, in one place, so that tests can set small ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one server.

    >>> Limits(solves=1).body
    1000000
    """

    body: int = 1_000_000
    """Bytes of a request's body: the largest shipped puzzle has a hundredth of it."""
    body_seconds: float = 20.0
    """Seconds within which a body must arrive: loopback takes milliseconds, a trickle is cut off."""
    head_seconds: float = 10.0
    """Seconds within which the lines before a body must arrive, from the start of a connection or of the lines."""
    requests: int = 256
    """Requests at once, streams included; above it the answer is 503. Fifty people with four tabs each stay below."""
    solves: int = 4
    """Searches at once: two keep two cores busy, two more may wait for a provider's server meanwhile."""
    waiting: int = 100
    """Searches that may wait for their turn; above it the answer is 503 with Retry-After."""
    puzzles: int = 256
    """Puzzles kept in memory; the least recently used one goes first."""
    puzzle_bytes: int = 32_000_000
    """Bytes of the files behind them, together."""
    seconds: float = 120.0
    """Maximum seconds of search that a page may ask for."""
    patience: float = 600.0
    """Maximum seconds of waiting for providers that a page may ask for."""
    rounds: int = 5
    """Maximum rounds of asking again that a page may ask for."""
