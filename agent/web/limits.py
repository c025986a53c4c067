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
    rooms: int = 16
    """Rooms in which people solve together; above it, the one that nobody has been in for longest ends."""
    people: int = 12
    """People in a room at once: each holds a request as long as they are there, so that full rooms leave 64 of them."""
    room_seconds: float = 6 * 3600.0
    """Seconds after which a room that nobody is in has ended: from breakfast to the afternoon."""
    seconds: float = 120.0
    """Maximum seconds of search that a page may ask for."""
    patience: float = 600.0
    """Maximum seconds of waiting for providers that a page may ask for."""
    rounds: int = 5
    """Maximum rounds of asking again that a page may ask for."""
