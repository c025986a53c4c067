"""A clock that tells work from waiting."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Clock:
    """Seconds since it was made, those of our own work and those spent waiting for others apart.

    One thread works and waits; others may read. `now` is replaced by tests that must not depend on real time.

    >>> hours = iter([9.0, 10.0, 13.0, 15.0, 15.0])
    >>> clock = Clock(lambda: next(hours))
    >>> with clock.waiting():  # from ten to one
    ...     pass
    >>> clock.worked(), clock.waited()  # asked at three
    (3.0, 3.0)
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._started = now()
        self._waited = 0.0
        self._waiting_since: float | None = None

    def worked(self) -> float:
        """Return the seconds of work so far; they stand still during a wait."""
        return (self._now() if self._waiting_since is None else self._waiting_since) - self._started - self._waited

    def waited(self) -> float:
        """Return the seconds of waiting so far."""
        return self._waited + (0.0 if self._waiting_since is None else self._now() - self._waiting_since)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count what passes until the context ends as waiting. Contexts do not nest."""
        self._waiting_since = self._now()
        try:
            yield
        finally:
            self._waited, self._waiting_since = self.waited(), None
