"""HTTP to one OpenAI-compatible server through the openai package, with that server's key, within time and size limits.

This is the only module that imports openai, at the first request, as that takes most of a second. Its own
automatisms are turned off: it would retry unseen, follow redirects, and send other servers the values that its
environment variables hold for OpenAI.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from agent.config import OPENAI_URL
from agent.errors import LlmError
from agent.llm.api import StatusError
from agent.network import LOOPBACK, PassingError, retry_after

if TYPE_CHECKING:
    import httpx2
    import openai

OWN_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent"}
    | {"x-stainless-raw-response"}  # by which the openai package knows that the body is ours to read
)
"""Headers that servers other than OpenAI get. The openai package would add organisation, project and custom headers."""
LINE_CHARACTERS = 200
"""Characters of an error message at most: enough for the server's reason, not for a page of HTML."""


class Transport:
    """The API of an OpenAI-compatible server (:class:`agent.llm.api.Api`).

    `label` stands before the colon in every message, `timeout` is in seconds, for one whole response. Raises LlmError
    for a base URL or key that cannot be one.
    """

    def __init__(self, base_url: str, key: str, *, label: str, timeout: float, most_bytes: int) -> None:
        self.base_url = base_url.rstrip("/")
        try:
            url = urlsplit(self.base_url)
            usable = url.scheme in {"http", "https"} and url.hostname and url.port != 0
        except ValueError:  # brackets or a port that make no sense
            raise LlmError("the base URL cannot be parsed: expected one like http://localhost:11434/v1") from None
        if url.username or url.password or url.query:
            raise LlmError(f"the base URL of {url.hostname} holds a secret: give the key as GRIDWRIGHT_API_KEY instead")
        if not usable:
            raise LlmError(f"{base_url} is not a valid base URL: expected one like http://localhost:11434/v1")
        self.host = url.netloc
        self._is_loopback = url.hostname in LOOPBACK
        self._key = key.strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise LlmError(f"the key for {self.host} holds characters that cannot be in a key")
        self._label = label
        self._timeout = timeout
        self._late = f"response incomplete after {timeout:g} s"
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._api: openai.OpenAI | None = None
        self._closed = False

    def check(self) -> None:
        """Raise LlmError if no request can be made at all: no key for OpenAI, or closed."""
        if not self._key and self.base_url == OPENAI_URL:
            raise LlmError(f"no key for {self.host}: set OPENAI_API_KEY, or name a server of your own with --base-url")
        if self._closed:
            raise LlmError(f"the client for {self.host} is closed")

    def post_chat(self, arguments: Mapping[str, Any]) -> str:
        """Ask for a chat completion and return the body of the response.

        Raises PassingError for what may pass, StatusError for an error status, LlmError for everything else.
        """
        api = self._connect()
        return self._exchange(lambda: api.chat.completions.with_streaming_response.create(**arguments))

    def get_models(self) -> str:
        """Ask for the list of models and return the body of the response; raises as `post_chat` does."""
        return self._exchange(self._connect().models.with_streaming_response.list)

    def close(self) -> None:
        """Close the connections to the server."""
        with self._lock:
            self._closed = True
            api, self._api = self._api, None
        if api is not None:
            api.close()

    def fail(self, message: str) -> NoReturn:
        """Raise LlmError with a message made fit to show."""
        raise LlmError(self.line(message)) from None

    def line(self, message: str) -> str:
        """Return a message as one line: labelled, without the key, without control characters."""
        if self._key:
            message = message.replace(self._key, "***")
        message = " ".join("".join(ch if ch.isprintable() else " " for ch in message).split())
        cut = message[:LINE_CHARACTERS] + "..." if len(message) > LINE_CHARACTERS else message
        return f"{self._label} at {self.host}: {cut}"

    def _connect(self) -> openai.OpenAI:
        """Return the openai client, made at the first call."""
        self.check()
        with self._lock:
            if self._api is None:
                import httpx2
                import openai

                try:
                    http = httpx2.Client(
                        timeout=self._timeout,
                        follow_redirects=False,  # neither clues nor key go where the user did not send them
                        trust_env=not self._is_loopback,  # a proxy would look for the server on its own machine
                        event_hooks={"request": [self._own_headers], "response": [self._refuse_error]},
                    )
                except (ImportError, ValueError) as error:  # how httpx2 refuses SOCKS and malformed addresses
                    self.fail(f"the proxy that the environment names cannot be used: {error}")
                # With no key at all the package would look for one itself; what is sent is up to _own_headers.
                self._api = openai.OpenAI(
                    api_key=self._key or "none",
                    base_url=self.base_url,
                    timeout=self._timeout,
                    max_retries=0,  # retries are ours: reported, and entered in the ledger
                    http_client=http,
                )
            return self._api

    def _exchange(self, send: Callable[[], AbstractContextManager[openai.APIResponse[Any]]]) -> str:
        """Send one HTTP request and return the body of the response as text."""
        import httpx2
        import openai

        try:
            with send() as response:
                return self._read(response)
        except openai.APIConnectionError as error:
            # Whatever is raised before the response's headers are read, by _refuse_error too, arrives as the cause.
            cause = error.__cause__
            if isinstance(cause, (StatusError, PassingError, LlmError)):
                raise cause from None
            if isinstance(cause, httpx2.ConnectError):
                self.fail(f"cannot connect: {cause}")
            self._broken(cause or error)
        except httpx2.HTTPError as error:
            self._broken(error)
        except (openai.OpenAIError, httpx2.InvalidURL) as error:
            self.fail(str(error))

    def _read(self, response: openai.APIResponse[Any] | httpx2.Response) -> str:
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
                raise PassingError(self._late)
        return b"".join(pieces).decode(errors="replace")

    def _broken(self, error: BaseException) -> NoReturn:
        import httpx2

        late = isinstance(error, httpx2.TimeoutException)
        raise PassingError(self._late if late else f"the connection broke: {error}") from None

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
