"""Calls that may be abandoned: each in a thread that neither its caller nor the end of the process waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

THREAD = "call"
"""Name of the threads that make calls."""


def any_under_way() -> bool:
    """Return whether this process makes any call still, abandoned or not.

    >>> any_under_way()
    False
    """
    return any(thread.name == THREAD for thread in threading.enumerate())


class Calls:
    """Calls under way. A caller may stop waiting; the call continues, for its effects, such as a cached answer.

    >>> Calls().start(lambda: 6 * 7).result()
    42
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way = 0
        self._closing: list[Callable[[], None]] = []

    def start(self, call: Callable[[], T]) -> Future[T]:
        """Start a call in a thread of its own; the future has its result or error."""
        from concurrent.futures import Future  # takes a while to load, and few commands speak to a server

        future: Future[T] = Future()
        with self._lock:
            self._under_way += 1
        threading.Thread(target=self._run, args=(call, future), name=THREAD, daemon=True).start()
        return future

    def when_done(self, close: Callable[[], None]) -> None:
        """Call `close` at once if no call is under way, else in the thread of the last one that ends."""
        with self._lock:
            if self._under_way:
                self._closing.append(close)
                return
        close()

    def _run(self, call: Callable[[], T], future: Future[T]) -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001 - it is raised again where the result is asked for
            future.set_exception(error)
        with self._lock:
            self._under_way -= 1
            closing = [] if self._under_way else self._closing
            if closing:
                self._closing = []
        for close in closing:
            close()
