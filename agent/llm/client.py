"""The one door to language models: any server that speaks OpenAI's chat.completions.

It holds the model to JSON as strictly as the server allows, retries failures that may pass, enters every request in the
ledger, and hands over each response to be kept before reading it, so that nothing paid for is lost.

>>> from agent.testing import FakeOpenAI
>>> with FakeOpenAI(["Hello!"]) as server, Client("fake-model", server.base_url) as client:
...     client.complete([{"role": "user", "content": "Hi"}]).text
'Hello!'
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from agent.closing import Closing
from agent.config import OPENAI_URL, Settings
from agent.errors import LlmError, ReplyError
from agent.llm.api import Connect, LateError, Message, StatusError
from agent.llm.ledger import LEDGER, Ledger, Limits, Outcome
from agent.llm.reply import How, Reply, estimate_usage, read_reply, read_usage
from agent.llm.transport import Transport
from agent.network import PASSING, Gate, GivenUpError, PassingError, Retry
from agent.warn import Warn, warn_on_stderr

TIMEOUT_SECONDS = 120.0
"""Default time for one whole response: models that think take a minute over a whole puzzle. Not fitted."""
MOST_BYTES = 16_000_000
"""Responses longer than this are dropped: a large puzzle needs a thousandth of it. Not fitted."""
PAID_ATTEMPTS = 2
"""Unusable answers (prose, refusals), or late ones, that are paid for before giving up: the second is often good."""
FORMAT_REFUSED = frozenset({400, 404, 415, 422, 501})
"""Statuses by which servers refuse a response format; the next weaker one is tried before giving up."""
SERVER_FAILED = 500
"""Status of a server that failed at a request, which may be its way of refusing a form."""
HOWS: tuple[How, ...] = ("json_schema", "json_object", "text")
"""Forms in which an answer is asked for, the strictest first."""
RETRY = Retry()


class Client(Closing):
    """One model on one server. May be used from several threads; close it, or use it as a context manager.

    `api_key` is the key for just this server: nothing is read from the environment (:mod:`agent.config` does that,
    and knows which key is whose), and without one no key is sent. `timeout` is in seconds, for one whole response.
    `warn` is called with one line whenever something is tried again or done in a weaker way. `connect` makes the API.
    `sleep`, `clock` and `spread` (a random number 0 to 1) can be replaced for quick, repeatable tests. Raises
    ConfigError for a base URL or key that cannot be one.
    """

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI_URL,
        api_key: str = "",
        *,
        timeout: float | None = None,
        retry: Retry = RETRY,
        most_bytes: int = MOST_BYTES,
        ledger: Ledger | None = None,
        warn: Warn = warn_on_stderr,
        connect: Connect = Transport,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        spread: Callable[[], float] = random.random,
    ) -> None:
        self.model = model
        self.timeout = TIMEOUT_SECONDS if timeout is None else timeout
        self._api = connect(base_url, api_key, label=model, timeout=self.timeout, most_bytes=most_bytes)
        self.base_url = self._api.base_url
        self.host = self._api.host
        self.ledger = ledger
        self._warn_line = warn
        self._gate = Gate(retry, sleep=sleep, clock=clock, spread=spread)
        self._lock = threading.Lock()
        self._format: How = "json_schema"
        self._is_taken = False  # whether the server has answered in that form
        self._is_doubted = False  # whether it has failed at that form and then answered in a weaker one

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        purpose: str = "chat",
        keep: Callable[[str], None] | None = None,
        seed: int | None = None,
        calls: list[int | None] | None = None,
    ) -> Reply:
        """Ask the model, for JSON by a schema if there is one, and return its reply.

        The prompt must describe the form too: a server that knows no schemas is asked for any JSON, and one that does
        not know that either for text, in which JSON is looked for; the form that a server accepts is remembered (if it
        fails instead of refusing, once it has done so in two calls: it may only have been out of order). `keep` is
        called with the whole body of each response as it came, before anything is read from it;
        :func:`agent.llm.reply.read_reply` reads it again. `purpose` is for the ledger; the numbers that the ledger
        gives the requests are added to `calls`. `seed` is passed to the server, which may draw its answer by it.

        Raises LlmError with one line for the user: ReplyError if the server answers, but never usably,
        LimitReachedError if the ledger's limits forbid a call.
        """
        hows = HOWS[HOWS.index(self._format) :] if schema is not None else ("text",)
        refusal = ""
        for how in hows:
            request = _Request(self.model, tuple(messages), schema, how, purpose, keep, seed, calls)
            try:
                reply = self._insist(request)
            except _FormatRefusedError as error:
                refusal = str(error)
                continue
            if reply.how == hows[0]:
                self._is_taken = self._is_taken or schema is not None
            elif refusal or self._is_doubted:
                self._remember(reply.how, refusal or "HTTP 500 for every stricter form")
            else:
                self._is_doubted = True
                self.warn(f"HTTP 500 for every stricter form; this answer was asked for as {reply.how}")
            if reply.cut:
                self.warn("the answer was cut off; using the complete part")
            return reply
        raise AssertionError("plain text cannot be refused as a format")

    def models(self) -> list[str]:
        """Return the names of the models that the server has, sorted. Raises LlmError."""
        try:
            listed = json.loads(self._api.get_models())
            return sorted(entry["id"] for entry in listed["data"])
        except (ValueError, TypeError, KeyError):
            self._fail("its list of models is unreadable")
        except (PassingError, StatusError) as error:
            self._fail(str(error))

    def close(self) -> None:
        """Close the connections to the server."""
        self._api.close()

    def _insist(self, request: _Request) -> Reply:
        """Make a request until it has a usable answer, or further attempts are pointless.

        Some servers fail, instead of refusing, if they do not know a form. So one that fails twice, and has never
        answered in it, is asked for a weaker form; if it did so in an earlier call, it need not fail twice.
        """
        self._api.check()
        unusable: list[ReplyError] = []
        failures = late = 0

        def attempt() -> Reply:
            nonlocal request, failures, late
            try:
                return self._ask(request)
            except _ServerFailedError:
                failures += 1
                if (failures > 1 or self._is_doubted) and not self._is_taken and request.how != "text":
                    request = replace(request, how=HOWS[HOWS.index(request.how) + 1])
                raise
            except LateError as error:
                late += 1
                if late < PAID_ATTEMPTS:
                    raise
                self._fail(f"{error} (tried {PAID_ATTEMPTS} times); the setting timeout gives it longer")
            except ReplyError as error:
                unusable.append(error)
                if len(unusable) < PAID_ATTEMPTS:
                    raise PassingError(str(error)) from None
                raise ReplyError(self._api.line(f"{error} (tried {PAID_ATTEMPTS} times)")) from None

        try:
            return self._gate.call(
                attempt, on_retry=lambda reason, wait: self.warn(f"{reason}; trying again in {wait:.1f} s")
            )
        except GivenUpError as error:
            self._fail(str(error))

    def _ask(self, request: _Request) -> Reply:
        """Make a request once, with its entry in the ledger. Raises ReplyError for an unusable answer."""
        prompt = json.dumps(request.messages, ensure_ascii=False)
        call = None
        if self.ledger is not None:
            least = estimate_usage(prompt, "").total
            call = self.ledger.begin(model=self.model, host=self.host, purpose=request.purpose, expected=least)
            if request.calls is not None:
                request.calls.append(call)
        outcome: Outcome = "lost"
        usage = None
        try:
            body = self._api.post_chat(request.arguments())
            outcome = "answered"
            if request.keep is not None:
                request.keep(body)
            usage = read_usage(body) or estimate_usage(prompt, body)
            return read_reply(body, how=request.how, wants_json=request.schema is not None)
        except StatusError as error:
            outcome = "rejected"
            if request.how != "text" and error.status in FORMAT_REFUSED:
                raise _FormatRefusedError(str(error)) from None
            if error.status == SERVER_FAILED:
                raise _ServerFailedError(str(error), wait=error.wait) from None
            if error.status in PASSING and not error.is_final:
                raise PassingError(str(error), wait=error.wait) from None
            self._fail(str(error))
        finally:
            if self.ledger is not None:
                self.ledger.finish(call, outcome, usage)

    def _remember(self, how: How, refusal: str) -> None:
        with self._lock:
            known, self._format = self._format == how, how
            self._is_taken = True
        if not known:
            self.warn(f"{refusal}; answers are asked for as {how} from now on")

    def warn(self, message: str) -> None:
        """Warn the user in one line, with the server's name and without the key."""
        self._warn_line(self._api.line(message))

    def _fail(self, message: str) -> NoReturn:
        raise LlmError(self._api.line(message)) from None


def open_client(settings: Settings, warn: Warn = warn_on_stderr) -> Client:
    """Return a client for the model that the settings name, with the user's ledger and limits; close it afterwards.

    Nothing is opened before the first request. Raises ConfigError for a base URL or key that cannot be one.

    >>> client = open_client(Settings(model="m", base_url="http://localhost:11434/v1", timeout=5))
    >>> client.host, client.timeout
    ('localhost:11434', 5)
    """
    limits = Limits(settings.max_calls, settings.max_tokens)
    return Client(
        settings.model,
        settings.base_url,
        settings.api_key,
        timeout=settings.timeout,
        ledger=Ledger(settings.data_dir / LEDGER, limits=limits, run=settings.run, prices=settings.prices, warn=warn),
        warn=warn,
    )


@dataclass(frozen=True, slots=True)
class _Request:
    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None
    how: How
    purpose: str
    keep: Callable[[str], None] | None
    seed: int | None
    calls: list[int | None] | None

    def arguments(self) -> dict[str, Any]:
        """Return the arguments for the openai package: only those that every server knows."""
        arguments: dict[str, Any] = {"model": self.model, "messages": self.messages}
        if self.seed is not None:
            arguments["seed"] = self.seed
        if self.how == "json_schema":
            form = {"name": "reply", "strict": True, "schema": self.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": form}
        elif self.how == "json_object":
            arguments["response_format"] = {"type": "json_object"}
        return arguments


class _ServerFailedError(PassingError):
    """The server failed at a request, perhaps because it does not know this response format."""


class _FormatRefusedError(Exception):
    """The server may not know this response format."""
