"""What the server takes at most: every cap in one place, so that tests can set small ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps of one server.

    >>> Limits(solves=1).body
    1000000
    """

    body: int = 1_000_000
    """Bytes of a request's body: the largest shipped puzzle has a hundredth of it."""
    body_seconds: float = 20.0
    """Seconds within which a body must have come: a loopback takes milliseconds, who trickles is cut off."""
    requests: int = 256
    """Requests at once, streams included; above it the answer is 503. Fifty people with four tabs each stay below."""
    solves: int = 4
    """Searches at once: two keep two cores busy, two more may wait for a provider's server meanwhile."""
    waiting: int = 100
    """Searches that may wait for their turn; above it the answer is 503 with Retry-After."""
    puzzles: int = 256
    """Puzzles kept in memory; the one not used for longest goes first."""
    puzzle_bytes: int = 32_000_000
    """Bytes of the files behind them, together."""
    seconds: float = 120.0
    """Seconds of search that a page may ask for at most."""
    patience: float = 600.0
    """Seconds of waiting for providers that a page may ask for at most."""
    rounds: int = 5
    """Rounds of asking again that a page may ask for at most."""
