"""The one door to language models: any server that speaks OpenAI's chat.completions.

It holds the model to JSON as strictly as the server lets it, retries what may pass, enters every request in the
ledger, and hands an answer over for keeping before it looks into it: what was paid for is not lost.

>>> from agent.testing import FakeOpenAI
>>> with FakeOpenAI(["Hello!"]) as server, Client("fake-model", server.base_url) as client:
...     client.chat([{"role": "user", "content": "Hi"}])
'Hello!'
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from agent.config import OPENAI_URL
from agent.llm.errors import ReplyError
from agent.llm.ledger import Ledger, Outcome
from agent.llm.reply import How, Reply, estimate_usage, read_reply, read_usage
from agent.llm.retry import PASSING, PassingError, Retry
from agent.llm.transport import StatusError, Transport

Message = Mapping[str, str]
"""`{"role": "system" | "user" | "assistant", "content": text}`, as OpenAI has it."""

TIMEOUT_SECONDS = 120.0
"""How long one answer may take in all: models that think take a minute over a whole puzzle. Not fitted."""
MOST_BYTES = 16_000_000
"""Answers longer than this are dropped: a thousand times what a large puzzle needs. Not fitted."""
PAID_ATTEMPTS = 2
"""How often an answer is paid for that turns out unusable (prose, refusal, cut off): the second often is good."""
FORMAT_REFUSED = frozenset({400, 404, 415, 422, 501})
"""Statuses with which servers turn down a response format; the next lesser one is tried before giving up."""
RETRY = Retry()


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


class Client:
    """One model on one server. May be used from several threads; close it, or use it as a context manager.

    `api_key` is the key for just this server: nothing is read from the environment (:mod:`agent.config` does that,
    and knows which key is whose), and without one no key is sent. `timeout` is in seconds, for one whole answer.
    `report` is handed one line whenever something is tried again or done in a lesser way. `sleep` and `spread` (a
    random number 0 to 1) can be replaced for quick, repeatable tests. Raises LlmError for a base URL or key that
    cannot be one.
    """

    def __init__(
        self,
        model: str,
        base_url: str = OPENAI_URL,
        api_key: str = "",
        *,
        timeout: float = TIMEOUT_SECONDS,
        retry: Retry = RETRY,
        most_bytes: int = MOST_BYTES,
        ledger: Ledger | None = None,
        report: Callable[[str], None] = _to_stderr,
        sleep: Callable[[float], None] = time.sleep,
        spread: Callable[[], float] = random.random,
    ) -> None:
        self.model = model
        self._transport = Transport(base_url, api_key, label=model, timeout=timeout, most_bytes=most_bytes)
        self.base_url = self._transport.base_url
        self.host = self._transport.host
        self._retry = retry
        self.ledger = ledger
        self._report_line = report
        self._sleep = sleep
        self._spread = spread
        self._lock = threading.Lock()
        self._gate = threading.Lock()
        self._format: How = "json_schema"

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

        The prompt must say the form too: a server that knows no schemas is asked for any JSON, and one that does
        not know that either for text, in which JSON is looked for; what the server takes is remembered. `keep` is
        handed the whole body of each answer as it came, before anything is read from it; the way back is
        :func:`agent.llm.reply.read_reply`. `purpose` is for the ledger; the numbers it gives the requests are added
        to `calls`. `seed` is handed to the server, which may draw its answer by it.

        Raises LlmError with one line for the user, LimitReachedError where the ledger's limits forbid a call.
        """
        hows: tuple[How, ...] = ("json_schema", "json_object", "text")
        hows = hows[hows.index(self._format) :] if schema is not None else ("text",)
        refusal = ""
        for how in hows:
            request = _Request(self.model, tuple(messages), schema, how, purpose, keep, seed, calls)
            try:
                reply = self._insist(request)
            except _FormatRefusedError as error:
                refusal = str(error)
                continue
            if how != hows[0]:
                self._remember(how, refusal)
            if reply.cut:
                self.report("the answer was cut off; what is whole of it is used")
            return reply
        raise AssertionError("text is no format that could be refused")

    def chat(
        self, messages: Sequence[Message], *, purpose: str = "chat", keep: Callable[[str], None] | None = None
    ) -> str:
        """Ask the model and return what it says, as text. Raises LlmError as `complete` does."""
        return self.complete(messages, purpose=purpose, keep=keep).text

    def models(self) -> list[str]:
        """Return the names of the models that the server has. Raises LlmError."""
        try:
            listed = json.loads(self._transport.get_models())
            return sorted(entry["id"] for entry in listed["data"])
        except (ValueError, TypeError, KeyError):
            self._transport.fail("its list of models is unreadable")
        except (PassingError, StatusError) as error:
            self._transport.fail(str(error))

    def close(self) -> None:
        """Close the connections to the server."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _insist(self, request: _Request) -> Reply:
        """Make a request until it has a usable answer, or there is no point in it any more."""
        self._transport.check()
        paid = 0
        for attempt in range(1, self._retry.attempts + 1):
            with self._gate:
                pass  # the server asked another thread to wait: so do all
            try:
                return self._ask(request)
            except PassingError as error:
                paid += error.paid
                message = str(error)
                asked = error.wait is not None
                wait = self._retry.wait(attempt - 1, error.wait, spread=self._spread())
            if wait > self._retry.most:
                self._transport.fail(f"{message}; it asks to wait {wait:.0f} s, which is too long")
            if paid >= PAID_ATTEMPTS or attempt == self._retry.attempts:
                self._transport.fail(f"{message} (tried {attempt} times)")
            self.report(f"{message}; trying again in {wait:.1f} s")
            with self._gate if asked else nullcontext():  # what the server asks for holds for all threads
                self._sleep(wait)
        raise AssertionError("a Retry has at least one attempt")

    def _ask(self, request: _Request) -> Reply:
        """Make a request once, with its entry in the ledger."""
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
            body = self._transport.post_chat(request.arguments())
            outcome = "answered"
            if request.keep is not None:
                request.keep(body)
            usage = read_usage(body) or estimate_usage(prompt, body)
            return read_reply(body, how=request.how, wants_json=request.schema is not None)
        except ReplyError as error:
            raise PassingError(str(error), paid=True) from None
        except StatusError as error:
            outcome = "rejected"
            if request.how != "text" and error.status in FORMAT_REFUSED:
                raise _FormatRefusedError(str(error)) from None
            if error.status in PASSING and not error.is_final:
                raise PassingError(str(error), wait=error.wait) from None
            self._transport.fail(str(error))
        finally:
            if self.ledger is not None:
                self.ledger.finish(call, outcome, usage)

    def _remember(self, how: How, refusal: str) -> None:
        with self._lock:
            known, self._format = self._format == how, how
        if not known:
            self.report(f"{refusal}; answers are asked for as {how} from now on")

    def report(self, message: str) -> None:
        """Say one line to the user, with the server's name and without the key."""
        self._report_line(self._transport.line(message))


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
        """Return what the openai package is called with: just what every server knows."""
        arguments: dict[str, Any] = {"model": self.model, "messages": self.messages}
        if self.seed is not None:
            arguments["seed"] = self.seed
        if self.how == "json_schema":
            form = {"name": "reply", "strict": True, "schema": self.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": form}
        elif self.how == "json_object":
            arguments["response_format"] = {"type": "json_object"}
        return arguments


class _FormatRefusedError(Exception):
    """The server may not know this response format."""
