"""Calling servers: at a pace, again after failures that may pass, and not before a server that asks to wait is ready.

>>> gate = Gate(Retry(attempts=2, first=0))
>>> answers = iter([PassingError("HTTP 503"), "here it is"])
>>> def ask():
...     answer = next(answers)
...     if isinstance(answer, Exception):
...         raise answer
...     return answer
>>> gate.call(ask, on_retry=lambda reason, wait: print(f"{reason}: again in {wait:g} s"))
HTTP 503: again in 0 s
'here it is'
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine."""

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""HTTP statuses that may pass. The others will be the same next time."""

T = TypeVar("T")


def is_local(url: str) -> bool:
    """Return whether a URL names this machine.

    >>> is_local("http://localhost:11434/v1"), is_local("https://api.datamuse.com"), is_local("http://[")
    (True, False, False)
    """
    try:
        return urlsplit(url).hostname in LOOPBACK
    except ValueError:
        return False


def through_proxy(url: str) -> str:
    """Return the proxy of the environment on the way to a URL in words, without its password; "" without one.

    >>> through_proxy("http://localhost:11434/v1")
    ''
    """
    parts, proxies = urlsplit(url), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or not parts.hostname or is_local(url) or proxy_bypass(parts.netloc):
        return ""
    return f" through the proxy {urlsplit(proxy if '//' in proxy else f'//{proxy}').netloc.rpartition('@')[2]}"


def retry_after(value: str | None) -> float | None:
    """Read a Retry-After header, seconds or a date, as seconds from now; None if it holds neither.

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
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


class PassingError(Exception):
    """An attempt failed, and the next may not; `wait` is the number of seconds that the server asked for, if it did."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class GivenUpError(Exception):
    """No attempt worked, or the server asks for more patience than there is."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Maximum number of attempts, and the seconds between them: `first`, doubled each time up to `most`.

    A server that asks for more than `most` seconds is given up.

    >>> [Retry().wait(attempt, None, spread=1.0) for attempt in range(3)], Retry().wait(0, 7.0, spread=0.5)
    ([1.0, 2.0, 4.0], 7.0)
    """

    attempts: int = 4
    first: float = 1.0
    most: float = 60.0

    def wait(self, attempt: int, asked: float | None, *, spread: float) -> float:
        """Return the seconds to wait after a failed attempt (0 is the first): the server's own number if it has one.

        `spread`, 0 to 1, keeps clients that failed together from coming back together.
        """
        if asked is not None:
            return asked
        return min(self.most, self.first * 2.0**attempt) * (0.5 + 0.5 * spread)


class Gate:
    """Lets the requests of all threads to one server through.

    Requests begin at most `per_second` times a second. `sleep`, `clock` and `spread` (a random number, 0 to 1) can be
    replaced for quick, repeatable tests.
    """

    def __init__(
        self,
        retry: Retry,
        *,
        per_second: float = math.inf,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        spread: Callable[[], float] = lambda: 1.0,
    ) -> None:
        self._retry = retry
        self._interval = 1 / per_second
        self._sleep = sleep
        self._clock = clock
        self._spread = spread
        self._lock = threading.Lock()
        self._next = -math.inf

    def call(
        self,
        attempt: Callable[[], T],
        *,
        on_retry: Callable[[str, float], None] = lambda _reason, _wait: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> T:
        """Return what `attempt` returns, repeating it as long as it raises PassingError.

        `on_retry` is called with the reason and the seconds before each further attempt; after `stop` returns True
        there is none. Raises GivenUpError, and whatever else `attempt` raises.
        """
        for number in range(1, self._retry.attempts + 1):
            self.wait()
            try:
                return attempt()
            except PassingError as error:
                wait = self._retry.wait(number - 1, error.wait, spread=self._spread())
                if wait > self._retry.most:
                    raise GivenUpError(f"{error}; it asks to wait {wait:.0f} s, which is too long") from None
                if number == self._retry.attempts or stop():
                    tried = f" (tried {number} times)" if number > 1 else ""
                    raise GivenUpError(f"{error}{tried}") from None
                on_retry(str(error), wait)
                if error.wait is None:
                    self._sleep(wait)
                else:
                    self.hold(wait)  # what the server asks for holds for all threads
        raise AssertionError("a Retry has at least one attempt")

    def wait(self) -> None:
        """Return when the caller may send a request."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._next)
            self._next = turn + self._interval
        if turn > now:
            self._sleep(turn - now)

    def hold(self, seconds: float) -> None:
        """Hold back all new requests for a while."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)
