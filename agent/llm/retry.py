"""When to try a request again, and how long to wait before it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses that may pass. The others will be the same next time."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a request is made at most, and how many seconds lie between: `first`, doubled each time up to `most`.

    A server that asks for more patience than `most` is not asked again. Usual values, not fitted.

    >>> [Retry().wait(attempt, None, spread=1.0) for attempt in range(3)], Retry().wait(0, 7.0, spread=0.5)
    ([1.0, 2.0, 4.0], 7.0)
    """

    attempts: int = 4
    first: float = 1.0
    most: float = 60.0

    def wait(self, attempt: int, asked: float | None, *, spread: float) -> float:
        """Return the seconds to wait after a failed attempt (0 is the first): what the server asked for, if it did.

        `spread`, 0 to 1, keeps clients that failed together from coming back together.
        """
        if asked is not None:
            return asked
        return min(self.most, self.first * 2.0**attempt) * (0.5 + 0.5 * spread)


class PassingError(Exception):
    """Worth another attempt; `wait` is what the server asked for, `paid` whether it gave an answer."""

    def __init__(self, message: str, *, wait: float | None = None, paid: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.paid = paid


def retry_after(value: str | None) -> float | None:
    """Read a Retry-After header, seconds or a date, as seconds from now; None where it says nothing usable.

    >>> retry_after("2"), retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), retry_after("soon"), retry_after(None)
    (2.0, 0.0, None, None)
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
