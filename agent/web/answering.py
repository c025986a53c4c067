"""What routes share: bodies of requests, answers, problems, streams that are cleaned up after."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from agent.web.guard import RETRY_SECONDS
from agent.web.puzzle_store import Entry
from agent.web.wire import dumps


class Problem(HTTPException):
    """The answer to a request that cannot be served; `line` is the faulty one of a text, counted from 1, if known."""

    def __init__(self, status: HTTPStatus, text: str, *, line: int | None = None) -> None:
        again = {"retry-after": RETRY_SECONDS.decode()} if status == HTTPStatus.SERVICE_UNAVAILABLE else None
        super().__init__(int(status), text, again)
        self.line = line


def answer_json(value: Any, status: HTTPStatus = HTTPStatus.OK, headers: dict[str, str] | None = None) -> Response:
    """Answer with JSON."""
    return Response(dumps(value), int(status), headers, "application/json")


async def answer_problem(request: Request, problem: Exception) -> Response:
    """Answer a request that cannot be served: always JSON with one sentence."""
    del request
    assert isinstance(problem, HTTPException)  # noqa: S101 - it is registered for these alone
    line = problem.line if isinstance(problem, Problem) else None
    said = {"error": problem.detail, **({} if line is None else {"line": line})}
    return answer_json(said, HTTPStatus(problem.status_code), dict(problem.headers or {}))


async def answer_fault(request: Request, fault: Exception) -> Response:
    """Answer if the program itself is at fault; Starlette writes the traceback to the server's log."""
    del request
    return answer_json({"error": f"internal error: {type(fault).__name__}"}, HTTPStatus(500))


async def body_of(request: Request) -> dict[str, Any]:
    """Read a body of JSON; no body is an empty object."""
    data = await request.body()
    try:
        found = json.loads(data) if data.strip() else {}
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "expected a JSON object")
    return found


def entry_of(request: Request) -> Entry:
    """Return the puzzle that a request is about."""
    entry: Entry | None = request.app.state.store.get(request.path_params["handle"])
    if entry is None:
        raise Problem(HTTPStatus.NOT_FOUND, "this puzzle is not open any more: open it again")
    return entry


class EventStream(StreamingResponse):
    """Streams events, and calls `close` when they have ended or the client disconnects."""

    def __init__(self, events: AsyncIterator[bytes], close: Callable[[], None]) -> None:
        self._close = close
        super().__init__(events, media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the events end or the client disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._close()
