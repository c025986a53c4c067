"""Memory after a search: what is free goes back to the system.

The C library keeps what a search has freed, for each thread of its own, and a search has a thread of its own: a server
that had solved one 30x30 kept its memory for good, and minis left more or less of theirs. Returning it takes
milliseconds. Python's search for circular garbage, which is postponed for the sake of short commands, looks at all
objects and takes longer, but searches leave hardly any.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from functools import cache

WORK_PER_COST = 20.0
"""Processor time that is spent on other things for each second of an errand, so that it takes a twentieth at most."""


class Errand:
    """Does `act` now and then, if other work has taken long enough since; `now` is a clock of processor time.

    >>> errand = Errand(lambda: None)
    >>> errand.run(), errand.run()
    (True, False)
    """

    def __init__(self, act: Callable[[], object], now: Callable[[], float] = time.process_time) -> None:
        self._act = act
        self._now = now
        self._due = 0.0

    def run(self) -> bool:
        """Do it if it is due; return whether it was."""
        began = self._now()
        if began < self._due:
            return False
        self._act()
        ended = self._now()
        self._due = ended + WORK_PER_COST * (ended - began)
        return True


def give_back() -> None:
    """Collect circular garbage, and return free memory to the system if the C library can; each if it is due."""
    COLLECTING.run()
    TRIMMING.run()


def trim() -> None:
    """Return what is free to the system, if the C library can."""
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    """Return glibc's `malloc_trim`; a function that does nothing if there is another C library."""
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return bool
    return found


COLLECTING = Errand(gc.collect)
TRIMMING = Errand(trim)
"""Those of this process."""
