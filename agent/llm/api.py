"""The interface between a client and a server's API: chat completions in OpenAI's terms, whatever the server's own.

An API of another form is one class, on :class:`agent.llm.server.Server`, that translates both ways; all the rest
(retries, ledger, cache, reading of answers) stays as it is. :mod:`agent.llm.client` chooses the class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from agent.network import PassingError

Message = Mapping[str, str]
"""`{"role": "system" | "user" | "assistant", "content": text}`, as OpenAI has it."""


class StatusError(Exception):
    """The server answered with an error status; `wait` is its Retry-After, `is_final` if waiting cannot help."""

    def __init__(self, status: int, body: str, wait: float | None) -> None:
        try:
            error = json.loads(body)
        except (ValueError, RecursionError):
            error = body
        if isinstance(error, dict):
            error = error.get("error") or error
        said = error.get("message", "") if isinstance(error, dict) else error
        super().__init__(f"HTTP {status}{f': {said}' if said else ''}")
        self.status = status
        self.wait = wait
        self.is_final = isinstance(error, dict) and error.get("code") == "insufficient_quota"  # comes as a 429


class LateError(PassingError):
    """The response was not there, or not whole, when its time was up; it may have to be paid for all the same."""


class Api(Protocol):
    """Requests to one server, from several threads."""

    base_url: str
    host: str

    def check(self) -> None:
        """Raise LlmError if no request can be made at all: a key is missing, or this is closed."""

    def post_chat(self, arguments: Mapping[str, Any]) -> str:
        """Return the body of a chat completion; `arguments` are those of the openai package.

        Raises PassingError for what may pass, StatusError for an error status, LlmError for everything else.
        """

    def get_models(self) -> str:
        """Return the body of the list of models, `{"data": [{"id": name}, ...]}`; raises as `post_chat` does."""

    def line(self, message: str) -> str:
        """Return a message as one line for the user: labelled, without the key, without control characters."""

    def close(self) -> None:
        """Close the connections to the server."""


class Connect(Protocol):
    """Makes an API for a server: `label` stands before the colon in messages, `timeout` is in seconds per response.

    Raises ConfigError for a base URL or key that cannot be one.
    """

    def __call__(self, base_url: str, key: str, *, label: str, timeout: float, most_bytes: int) -> Api:
        """Return the API; no connection is opened yet."""
