"""Memory after a search: what is free goes back to the system.

The C library keeps what a search has freed, for each thread of its own, and a search has a thread of its own: a server
that had solved one 30x30 kept its memory for good. Python's search for circular garbage, which is postponed for the
sake of short commands, is due as well: a search leaves some.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Collect garbage, and return free memory to the system if the C library can."""
    gc.collect()
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    """Return glibc's `malloc_trim`; a function that does nothing if there is another C library."""
    try:
        trim: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return bool
    return trim
