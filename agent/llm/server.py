"""HTTP to one server of language models, with that server's key, within time and size limits: what every API needs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NoReturn, Protocol
from urllib.parse import urlsplit

from agent.calls import Calls
from agent.config import OPENAI_URL
from agent.errors import ConfigError, LlmError, reason
from agent.llm.api import LateError, StatusError
from agent.network import LOOPBACK, PassingError, retry_after, through_proxy

if TYPE_CHECKING:
    import httpx2

OWN_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
    | {"x-stainless-raw-response"}  # by which the openai package knows that the body is ours to read
)
"""Headers that servers other than OpenAI get. The openai package would add organisation, project and custom headers."""
LINE_CHARACTERS = 200
"""Characters of an error message at most: enough for the server's reason, not for a page of HTML."""
MASK = "***"
"""Stands for the key in messages and in what a server sends back."""
SECRET_CHARACTERS = 12
"""Keys are at least as long; shorter ones, such as "ollama" for a server that wants none, may be part of an answer."""


class Body(Protocol):
    """The body of a response."""

    def iter_bytes(self) -> Iterator[bytes]:
        """Yield it in pieces."""


class Server:
    """One server, for a class that speaks its API (:class:`agent.llm.api.Api`). May be used from several threads.

    `label` stands before the colon in every message, `timeout` is in seconds, for one whole response. Raises
    ConfigError for a base URL or key that cannot be one.
    """

    def __init__(self, base_url: str, key: str, *, label: str, timeout: float, most_bytes: int) -> None:
        self.base_url = base_url.rstrip("/")
        try:
            url = urlsplit(self.base_url)
            usable = url.scheme in {"http", "https"} and url.hostname and url.port != 0
        except ValueError:  # brackets or a port that make no sense
            raise ConfigError("the base URL cannot be parsed: expected one like http://localhost:11434/v1") from None
        if url.username or url.password or url.query:
            raise ConfigError(f"the base URL of {url.hostname} holds a secret: set GRIDWRIGHT_API_KEY instead")
        if not (usable and self.base_url.isprintable()):  # splitting drops line breaks; other control characters stay
            raise ConfigError(f"{base_url!a} is not a valid base URL: expected one like http://localhost:11434/v1")
        self.host = url.netloc
        self._is_loopback = url.hostname in LOOPBACK
        self._key = key.strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise ConfigError(f"the key for {self.host} holds characters that cannot be in a key")
        self._label = label
        self._timeout = timeout
        self._late = f"response incomplete after {timeout:g} s"
        self._most_bytes = most_bytes
        self._calls = Calls()
        self._lock = threading.Lock()
        self._http: httpx2.Client | None = None
        self._closed = False

    def check(self) -> None:
        """Raise LlmError if no request can be made at all: no key for OpenAI, or closed."""
        if not self._key and self.base_url == OPENAI_URL:
            raise LlmError(f"no key for {self.host}: set OPENAI_API_KEY, or name a server of your own with --base-url")
        if self._closed:
            raise LlmError(f"the client for {self.host} is closed")

    def close(self) -> None:
        """Close the connections to the server."""
        with self._lock:
            self._closed = True
            http, self._http = self._http, None
        if http is not None:
            http.close()

    def fail(self, message: str) -> NoReturn:
        """Raise LlmError with a message made fit to show."""
        raise LlmError(self.line(message)) from None

    def line(self, message: str) -> str:
        """Return a message as one line: labelled, without the key, without control characters."""
        if self._key:
            message = message.replace(self._key, MASK)
        message = " ".join("".join(ch if ch.isprintable() else " " for ch in message).split())
        cut = message[:LINE_CHARACTERS] + "..." if len(message) > LINE_CHARACTERS else message
        return f"{self._label} at {self.host}: {cut}"

    def http(self) -> httpx2.Client:
        """Return the HTTP client, made at the first call. Its requests raise StatusError for an error status."""
        import httpx2

        self.check()
        with self._lock:
            if self._http is None:
                try:
                    self._http = httpx2.Client(
                        timeout=self._timeout,
                        follow_redirects=False,  # neither clues nor key go where the user did not send them
                        trust_env=not self._is_loopback,  # a proxy would look for the server on its own machine
                        event_hooks={"request": [self._own_headers], "response": [self._refuse_error]},
                    )
                except (ImportError, ValueError) as error:  # how httpx2 refuses SOCKS and malformed addresses
                    hint = str(error).replace("httpx[socks]", "httpx2[socks]")  # it gives its predecessor's name
                    self.fail(f"the proxy that the environment names cannot be used: {hint}")
            return self._http

    def exchange(self, send: Callable[[], AbstractContextManager[Body]]) -> str:
        """Send one HTTP request and return the body of the response as text; raises as `Api.post_chat` does.

        The timeout is for all of it, headers that trickle in included; a request that takes longer is abandoned. The
        key is masked, should the server send it back: what is returned may be kept.
        """
        import httpx2

        def ask() -> str:
            with send() as response:
                return self._read(response)

        try:
            body = self._calls.start(ask).result(self._timeout)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            self.broken(error)
        except TimeoutError:
            raise LateError(self._late) from None
        return body.replace(self._key, MASK) if len(self._key) >= SECRET_CHARACTERS else body

    def broken(self, error: BaseException) -> NoReturn:
        """Raise a request's exception as one of the errors of `Api.post_chat`."""
        import httpx2

        if isinstance(error, (StatusError, PassingError, LlmError)):
            raise error from None
        if isinstance(error, httpx2.ConnectError):
            self.fail(f"cannot connect{through_proxy(self.base_url)}: {reason(error)}")
        if isinstance(error, httpx2.InvalidURL):
            self.fail(str(error))
        if isinstance(error, httpx2.TimeoutException):
            raise LateError(self._late) from None
        raise PassingError(f"the connection broke: {error}") from None

    def _read(self, response: Body) -> str:
        """Read a body to its end within the timeout, which also ends one that trickles in byte by byte."""
        deadline = time.monotonic() + self._timeout
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes():
            pieces.append(piece)
            size += len(piece)
            if size > self._most_bytes:
                self.fail(f"the response is longer than {self._most_bytes:,} bytes")
            if time.monotonic() > deadline:
                raise LateError(self._late)
        return b"".join(pieces).decode("utf-8-sig", errors="replace")

    def _refuse_error(self, response: httpx2.Response) -> None:
        """Read an error status's body, with our limits on size and time; redirects count as errors."""
        if not response.is_success:
            wait = retry_after(response.headers.get("retry-after"))
            raise StatusError(response.status_code, self._read(response), wait)

    def _own_headers(self, request: httpx2.Request) -> None:
        """Send this server's key or none, and no other headers than necessary to servers other than OpenAI."""
        if self.base_url != OPENAI_URL:
            for name in [name for name in request.headers if name.lower() not in OWN_HEADERS]:
                del request.headers[name]
        request.headers.pop("authorization", None)
        if self._key:
            request.headers["authorization"] = f"Bearer {self._key}"
