"""Servers that play OpenAI and Datamuse over real HTTP on loopback, and a guard against the network.

They ship with the package, so that code built on it can be tested as the package itself is: the code under test opens
real sockets, and every fault of a real network can be scripted. Nothing is patched. (One long module, as all of it is
needed together: one import, one page to read.)

>>> import urllib.request
>>> with FakeDatamuse({"ml=big cat": ["lion", "tiger"]}) as server:
...     with urllib.request.urlopen(server.url + "/words?ml=big+cat&max=1") as answer:
...         answer.read()
b'[{"word": "lion", "score": 1000}]'

Faults are :class:`Canned` answers in the script; :func:`completion` builds what a chat server says:

>>> busy = Canned({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "2"})
>>> half = Canned(completion("cut"), sent=0.5, reset=True)
>>> server = FakeOpenAI([busy, half, "the third request gets this"])
"""

from __future__ import annotations

import fnmatch
import ipaddress
import json
import re
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

DRIP_BYTES = 16
"""Bytes between two pauses of a dripping answer: small, so that a short answer takes long."""

TOP_SCORE = 1000
"""Score of the first word of a fake Datamuse response; each further word has one less, as only the order matters."""

_CLUE_ASKED = re.compile(r"^(\S+) \(\d[^)]*\): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Request:
    """A request to a fake server; header names are in lower case.

    >>> Request("GET", "/words", {"ml": "cat"}, {}, b"").query["ml"]
    'cat'
    """

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @cached_property
    def json(self) -> Any:
        """The body read as JSON. Raises ValueError if it is not JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Canned:
    """One HTTP response, and its faults.

    `body` is bytes, text, or anything JSON. `delay` seconds pass before the first byte, `pause` seconds after every
    few bytes of the body, and of the headers with `slow_head`. `sent` is the share of the body that is sent before the
    connection ends, though the headers promise all of it; with 0 not even the headers are sent. `reset` ends it as a
    crash does instead of closing it.

    >>> Canned({"ok": True}).payload
    b'{"ok": true}'
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    pause: float = 0.0
    slow_head: bool = False
    sent: float = 1.0
    reset: bool = False

    @property
    def payload(self) -> bytes:
        """The body as bytes."""
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


class FakeServer:
    """Serve `answer(request)` on a free loopback port while the context is open, and record every request.

    Closing it also ends slow responses and idle connections, and leaves no thread or socket behind. If `answer` raises,
    the client gets a 500 and the context raises the same error when it ends: a broken script is not a fault under
    test.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.lock = threading.Lock()
        self._failures: list[Exception] = []

    def answer(self, request: Request) -> Canned:
        """Return the answer to a request; the fakes override this."""
        raise NotImplementedError

    def respond(self, request: Request) -> Canned:
        """Record a request and return its answer. Called from several threads."""
        with self.lock:
            self.requests.append(request)
        try:
            return self.answer(request)
        except Exception as error:  # noqa: BLE001 - whatever a test's own script raises is raised again on exit
            self._failures.append(error)
            return Canned(f"the fake server's script failed: {error!r}", status=500)

    @property
    def url(self) -> str:
        """Address without a path, such as `http://127.0.0.1:40123`."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._server = _Server(self.respond)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name=type(self).__name__)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()
        self._thread.join()
        if self._failures and error is None:
            raise self._failures[0]


class FakeOpenAI(FakeServer):
    """An OpenAI-compatible chat server that follows a script.

    `script` is a list of replies, taken in order, the last one repeatedly; or a function from the :class:`Request` to a
    reply. A reply is the model's text, a :class:`Canned` response, or any JSON value, which the model writes as text.
    `rejects` names the response formats that the server answers with 400, as older local servers do. With `key`,
    requests without it get 401.

    >>> with FakeOpenAI(["hello"]) as server:
    ...     server.base_url.endswith("/v1")
    True
    """

    def __init__(
        self,
        script: Sequence[Any] | Callable[[Request], Any] = ("",),
        *,
        rejects: Sequence[str] = (),
        key: str | None = None,
        models: Sequence[str] = ("fake-model",),
    ) -> None:
        super().__init__()
        self._script = script
        self._rejects = rejects
        self._key = key
        self._models = models
        self._turn = 0

    @property
    def base_url(self) -> str:
        """The base URL for clients."""
        return f"{self.url}/v1"

    @property
    def chats(self) -> list[Request]:
        """The requests for a completion, in order of arrival."""
        return [request for request in self.requests if request.path == "/v1/chat/completions"]

    def answer(self, request: Request) -> Canned:
        """Answer `/v1/models` and `/v1/chat/completions`."""
        if self._key is not None and request.headers.get("authorization") != f"Bearer {self._key}":
            return _error(401, "this server wants another key")
        if (request.method, request.path) == ("GET", "/v1/models"):
            return Canned({"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]})
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            return _error(404, f"no such path: {request.method} {request.path}")
        wanted = (request.json.get("response_format") or {}).get("type")
        if wanted in self._rejects:
            return _error(400, f"response_format {wanted} is not supported")
        reply = self._next(request)
        if isinstance(reply, Canned):
            return reply
        return Canned(completion(reply if isinstance(reply, str) else json.dumps(reply)))

    def _next(self, request: Request) -> Any:
        if callable(self._script):
            return self._script(request)
        with self.lock:
            turn, self._turn = self._turn, self._turn + 1
        return self._script[min(turn, len(self._script) - 1)]


def clues_asked(request: Request) -> dict[str, str]:
    """Return the clues in a request for candidates: slot -> clue as the prompt shows it.

    >>> says = {"messages": [{}, {"content": "1 2\\n3 .\\n\\n1A (2 1D1 2D1): Not out\\n IN / ON, or none of these?"}]}
    >>> clues_asked(Request("POST", "/v1/chat/completions", {}, {}, json.dumps(says).encode()))
    {'1A': 'Not out'}
    """
    return dict(_CLUE_ASKED.findall(request.json["messages"][-1]["content"]))


def completion(
    text: str | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    tokens: tuple[int, int] | None = (100, 50),
    **more: Any,
) -> dict[str, Any]:
    """Return the JSON of a chat completion.

    `tokens` are the prompt's and the completion's, None leaves the usage out; `more` adds top-level fields.

    >>> completion("Hi")["choices"][0]["message"]["content"]
    'Hi'
    """
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if refusal is not None:
        message["refusal"] = refusal
    choice = {"index": 0, "message": message, "finish_reason": finish}
    body: dict[str, Any] = {"id": "chatcmpl-0", "object": "chat.completion", "created": 0, "model": "fake-model"}
    body["choices"] = [choice]
    if tokens is not None:
        prompt, answer = tokens
        body["usage"] = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}
    return body | more


class FakeDatamuse(FakeServer):
    """Datamuse, answering `/words` and `/sug` from a small table, or from a function of the query's parameters.

    The table maps one constraint, written `ml=big cat`, to words (or to Datamuse's own objects), best first. Words
    must be under every constraint of the query that the table has; `sp` also works as a pattern over the words
    and `max` cuts, as on the real server. Other constraints have no words. `faults` are the responses to the first
    requests: a :class:`Canned` one, or None for the regular response.

    >>> FakeDatamuse({"ml=big cat": ["lion", "puma"]}).words({"ml": "big cat", "sp": "p???"})
    [{'word': 'puma', 'score': 999}]
    """

    def __init__(
        self,
        table: Mapping[str, Sequence[Any]] | Callable[[Mapping[str, str]], Sequence[Any]],
        *,
        faults: Sequence[Canned | None] = (),
    ) -> None:
        super().__init__()
        self._table = table
        self._faults = list(faults)

    def answer(self, request: Request) -> Canned:
        """Answer `/words` and `/sug`."""
        with self.lock:
            fault = self._faults.pop(0) if self._faults else None
        if fault is not None:
            return fault
        if request.method != "GET" or request.path not in {"/words", "/sug"}:
            return Canned("no such path", status=404)
        return Canned(self.words(request.query))

    def words(self, query: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the table's words for a query's parameters, as Datamuse's objects."""
        if callable(self._table):
            return _scored(self._table(query))[: int(query.get("max", 100))]
        lists = [_scored(self._table[f"{k}={v}"]) for k, v in query.items() if f"{k}={v}" in self._table]
        if not lists:
            return []
        pattern = query.get("sp", "*") if f"sp={query.get('sp')}" not in self._table else "*"
        others = [{entry["word"] for entry in found} for found in lists[1:]]
        kept = [entry for entry in lists[0] if all(entry["word"] in other for other in others)]
        return [entry for entry in kept if fnmatch.fnmatchcase(entry["word"], pattern)][: int(query.get("max", 100))]


class NetworkBlocked(RuntimeError):  # noqa: N818 - it says what happened; no OSError, which a provider would take as a fault
    """The network was used although it is forbidden."""


@contextmanager
def no_network(*, allow_loopback: bool = True) -> Iterator[None]:
    """Forbid the network to the whole process, all threads, while the context is open.

    Connecting, sending and name look-ups beyond loopback raise NetworkBlocked; with `allow_loopback=False` creating
    any socket does. Attempts whose error was swallowed raise when the context ends. Child processes are not
    covered. It uses the interpreter's audit events, so nothing is patched and no library can evade it.

    >>> with no_network(allow_loopback=False):
    ...     socket.socket()
    Traceback (most recent call last):
    agent.testing.NetworkBlocked: socket.__new__ ...
    """
    guard = _Guard(allow_loopback)
    _hook_once()
    _guards.append(guard)
    try:
        yield
    finally:
        _guards.remove(guard)
    if guard.attempts:
        raise NetworkBlocked("; ".join(guard.attempts))


@dataclass(slots=True)
class _Guard:
    allow_loopback: bool
    attempts: list[str] = field(default_factory=list)

    def check(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.__new__":
            blocked = not self.allow_loopback
        elif event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
            blocked = not _stays_here(arguments[1])
        elif event in {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}:
            blocked = not (self.allow_loopback and _is_loopback(arguments[0]))
        else:
            return
        if blocked:
            # The first argument is the socket itself, for a look-up the name.
            what = f"{event} {[argument for argument in arguments if not isinstance(argument, socket.socket)]}"
            self.attempts.append(what)
            raise NetworkBlocked(what)


_guards: list[_Guard] = []
_hooked = threading.Event()


def _hook_once() -> None:
    # An audit hook cannot be removed: there is one for the life of the process, idle without a guard.
    if not _hooked.is_set():
        _hooked.set()
        sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if _guards and event.startswith("socket."):
        for guard in tuple(_guards):
            guard.check(event, arguments)


def _stays_here(address: Any) -> bool:
    # Only internet addresses are tuples; a path or number is a local socket. None means connected already.
    return not isinstance(address, tuple) or not address or _is_loopback(address[0])


def _is_loopback(host: Any) -> bool:
    if isinstance(host, bytes):
        host = host.decode(errors="replace")
    if host in (None, "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _error(status: int, message: str) -> Canned:
    return Canned({"error": {"message": message, "type": "invalid_request_error"}}, status=status)


def _scored(words: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"word": word, "score": TOP_SCORE - rank} if isinstance(word, str) else dict(word)
        for rank, word in enumerate(words)
    ]


class _Server(ThreadingHTTPServer):
    """A thread per connection, and an end that does not wait for clients to hang up."""

    daemon_threads = False  # joined when the server closes, so that none outlives it
    request_queue_size = 64

    def __init__(self, respond: Callable[[Request], Canned]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.respond = respond
        self.stopping = threading.Event()
        self.to_reset: set[Any] = set()
        self._open: set[Any] = set()
        self._open_lock = threading.Lock()

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        with self._open_lock:
            self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        with self._open_lock:
            self._open.discard(request)
        if request in self.to_reset:
            self.to_reset.discard(request)
            self.close_request(request)  # without the orderly shutdown that the base class performs
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        # The client hung up, as it does on a timeout, which is tested. Anything else is a fault of the fake.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def stop(self) -> None:
        self.stopping.set()
        self.shutdown()
        with self._open_lock:
            for connection in self._open:
                with suppress(OSError):  # the other side may just have closed it
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Log nothing: the requests are recorded."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        self._send(self.server.respond(Request(self.command, url.path, query, headers, body)))

    do_POST = do_GET  # noqa: N815 - the base class wants this name

    def _send(self, canned: Canned) -> None:
        payload = canned.payload
        if self.server.stopping.wait(canned.delay):
            self.close_connection = True
            return
        if canned.sent > 0:
            self.send_response(canned.status)
            for name, value in {"Content-Type": "application/json", **canned.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload)))
            if canned.slow_head:
                self._drip(b"".join(self._headers_buffer), canned.pause)
                self._headers_buffer: list[bytes] = []
            self.end_headers()
        self._drip(payload[: int(len(payload) * canned.sent)], canned.pause)
        if canned.sent < 1 or canned.reset:
            self.close_connection = True
        if canned.reset:
            # Lingering for zero seconds turns the close into a reset.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.server.to_reset.add(self.connection)

    def _drip(self, data: bytes, pause: float) -> None:
        """Send data, with a pause after every few bytes if there is one."""
        step = DRIP_BYTES if pause else len(data) or 1
        for start in range(0, len(data), step):
            self.wfile.write(data[start : start + step])
            if pause and self.server.stopping.wait(pause):
                break
