"""A search in a thread of its own, its events handed to the server's loop, and the queue of searches.

The search cannot be interrupted from outside, only asked to end: it looks at `Budget.cancelled`. A client that
disconnects cancels its search, whose place is free when its thread has really ended.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from agent.core import Event, OnEvent
from agent.errors import BusyError, LeftError

R = TypeVar("R")

Work = Callable[[Callable[[], bool], OnEvent], R]
"""Does the work: takes a function that returns whether it was cancelled, and a listener."""

FRAME_SECONDS = 1 / 60
"""Seconds between two deliveries of events: as often as a screen is drawn."""

SIGN_OF_LIFE_SECONDS = 10.0
"""Seconds of silence after which an empty delivery is sent, so that a connection that died is noticed."""

NICENESS = 10
"""How far a search steps back for everything else on the machine: the browser that shows it needs the processors for
each key. More would hold the server itself up while the machine is busy, as a thread that waits to run keeps others of
its process from running Python."""

PASSING = "searching"
"""Kind of the events of which only the latest counts."""


Shape = Callable[[Event], bytes]
"""Serialises an event; called in the search's thread, which keeps the server's loop free."""


class Turns:
    """Lets at most `most` searches run at once and `waiting` wait for their turn, first come first served."""

    def __init__(self, most: int, waiting: int) -> None:
        self._free, self._room = most, most + waiting
        self._queue: deque[asyncio.Future[None]] = deque()
        self._runs: set[Run[Any]] = set()

    def run(self, work: Work[R], shape: Shape) -> Run[R]:
        """Register a search, which starts when it is first listened to. Raises BusyError if too many are waiting."""
        if len(self._runs) >= self._room:
            raise BusyError
        run = Run(self, work, shape)
        self._runs.add(run)
        return run

    def __len__(self) -> int:
        return len(self._runs)

    def cancel_all(self) -> None:
        """Ask every search to end, and tell the listeners that nothing more will come."""
        for run in list(self._runs):
            run.close()
            run.end_listening()

    async def take(self, on_wait: Callable[[int], None]) -> None:
        """Wait for a free place; `on_wait` hears how many are before it."""
        if self._free:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        on_wait(len(self._queue))
        self._queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.give_back()  # it got its turn in the same moment
            raise

    def give_back(self) -> None:
        """Pass a place to the next search in the queue that still waits."""
        while self._queue:
            place = self._queue.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._free += 1

    def forget(self, run: Run[Any]) -> None:
        """Drop a search from the register."""
        self._runs.discard(run)


def step_back() -> None:
    """Give everything else on the machine precedence over this thread, if threads have a priority of their own."""
    if sys.platform == "linux":  # elsewhere it would be the whole server's
        os.nice(NICENESS)


class Run(Generic[R]):
    """One search: iterate over `events()` while it lasts, then `result()` returns the outcome."""

    def __init__(self, turns: Turns, work: Work[R], shape: Shape) -> None:
        self._turns, self._work, self._shape = turns, work, shape
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._pending: list[tuple[str, bytes]] = []
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._begin: asyncio.Task[None] | None = None
        self._has_ended = False
        self._result: R | None = None
        self._error: BaseException | None = None

    async def events(self) -> AsyncIterator[bytes]:
        """Begin, and yield what happens in order, some events at a time, until the search has ended.

        An empty delivery means that it is still at work. Of passing events only the latest is delivered.
        """
        self._begin = asyncio.create_task(self._wait_and_start())
        try:
            while not self._has_ended or self._pending:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), SIGN_OF_LIFE_SECONDS)
                self._woken.clear()
                with self._lock:
                    happened, self._pending = self._pending, []
                if happened or not self._has_ended:
                    yield b"".join(shaped for _, shaped in happened)
                if not self._has_ended:
                    await asyncio.sleep(FRAME_SECONDS)
        finally:
            self.close()

    async def result(self) -> R:
        """Return the outcome, after waiting for it if nothing listens. Raises the search's own exceptions."""
        if not self._has_ended:
            async for _ in self.events():
                pass
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value] # set together with the end

    def close(self) -> None:
        """Abandon the search: drop it if it has not begun, else ask it to end."""
        self._cancelled.set()
        if self._begin is None or self._begin.cancel():
            self._turns.forget(self)
            self.end_listening()

    def end_listening(self) -> None:
        """Tell the listener that the search was abandoned; a running thread ends by itself."""
        if not self._has_ended:
            self._error, self._has_ended = LeftError("abandoned before it ended"), True
            self._woken.set()

    async def _wait_and_start(self) -> None:
        await self._turns.take(lambda ahead: self._hear(Event("waiting", {"ahead": ahead})))
        threading.Thread(target=self._run, name="search", daemon=True).start()

    def _run(self) -> None:
        """Search, in the thread."""
        step_back()
        result: R | None = None
        error: BaseException | None = None
        try:
            result = self._work(self._cancelled.is_set, self._hear)
        except BaseException as caught:  # noqa: BLE001 - it is raised again where the result is asked for
            error = caught
        with suppress(RuntimeError):  # the server's loop has ended meanwhile: there is no listener left
            self._loop.call_soon_threadsafe(self._end, result, error)

    def _end(self, result: R | None, error: BaseException | None) -> None:
        if not self._has_ended:
            self._result, self._error, self._has_ended = result, error, True
            self._woken.set()
        self._turns.forget(self)
        self._turns.give_back()

    def _hear(self, event: Event) -> None:
        """Keep an event until the next delivery; called from the search's thread."""
        shaped = event.kind, self._shape(event)
        with self._lock:
            is_first = not self._pending
            if self._pending and event.kind == PASSING == self._pending[-1][0]:
                self._pending[-1] = shaped
            else:
                self._pending.append(shaped)
        if is_first:
            with suppress(RuntimeError):  # as above
                self._loop.call_soon_threadsafe(self._woken.set)
