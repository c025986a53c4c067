"""Memory after a search: what is free goes back to the system.

The C library keeps what a search has freed, for each thread of its own, and a search has a thread of its own: a server
that had solved one 30x30 kept its memory for good. Python's search for circular garbage, which is postponed for the
sake of short commands, is due as well: a search leaves some. It looks at all objects, so it is done after searches that
took much longer, and for the small ones once in a while.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from functools import cache

WORK_PER_COST = 20.0
"""Processor time that is spent on other things for each second of collecting, so that it takes a twentieth at most."""


class Collector:
    """Collects garbage now and then; `now` is a clock of processor time.

    >>> collector = Collector()
    >>> collector.give_back(), collector.give_back()
    (True, False)
    """

    def __init__(self, now: Callable[[], float] = time.process_time) -> None:
        self._now = now
        self._due = 0.0

    def give_back(self) -> bool:
        """Collect garbage, and return free memory to the system if the C library can; return whether it was due."""
        began = self._now()
        if began < self._due:
            return False
        gc.collect()
        _trim()(0)
        ended = self._now()
        self._due = ended + WORK_PER_COST * (ended - began)
        return True


COLLECTOR = Collector()
"""That of this process."""


@cache
def _trim() -> Callable[[int], object]:
    """Return glibc's `malloc_trim`; a function that does nothing if there is another C library."""
    try:
        trim: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return bool
    return trim
