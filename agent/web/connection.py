"""Connections that do not wait for ever: the head of each request must arrive in time.

Uvicorn limits neither how long a new connection may be silent nor how slowly the lines before a body may come, so
few clients could hold all connections. Bodies have a limit of their own (:mod:`agent.web.guard`).
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """A connection that is closed when a head is not there `head_seconds` after it was due."""

    def __init__(self, *arguments: Any, head_seconds: float, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head_seconds = head_seconds
        self._due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on while a head is incomplete; one that has come ends the wait."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the wait."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(self._head_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
