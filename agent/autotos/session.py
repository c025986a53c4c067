"""One untrusted function in a worker, called case by case; a worker that fails is replaced by a fresh one."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from agent.autotos.cases import Case
from agent.autotos.compare import Reply
from agent.autotos.domain import Domain, Role
from agent.autotos.roles import function_for, none_found
from agent.autotos.sandbox import Limits, Worker
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.sandbox.wire import Unfit, decode, encode
from agent.closing import Closing
from agent.errors import SandboxError, SandboxRefusedError

PATIENCE = 0.4
"""Seconds of wall time after which a call is looked into. Honest calls take 0.1 to 10 ms."""
CALL_STEPS = 15_000_000
"""Steps (lines executed, see worker.py) after which a call does not end. They take PATIENCE or more, even on a quick
machine that does nothing else: a call that is not looked into there must not be a fault on a slow one."""
LOOK = Limits(cpu=6)
LOOK_SECONDS = 300.0
"""Limits while the steps of one call are counted, for code that runs without making steps, such as `while 1: pass`."""
WAIT_SECONDS = 60.0
"""Wall time to wait for a call that took long and is known to end; it may also end at the worker's own limit."""
AHEAD = 32
"""Calls that are sent before their replies are awaited: neither side then waits for the other at every call."""
KEPT = 20_000
"""States that a worker keeps as they were returned, to be looked at again at the end."""
TOO_LONG = ("timeout", "limit")
ENDLESS = f"it did not end within {CALL_STEPS // 1_000_000} million steps"

FIELDS: dict[str, tuple[type, ...]] = {
    "error": (str,),
    "message": (str,),
    "line": (int, type(None)),
    "type": (str,),
    "shared": (bool,),
    "steps": (int,),
    "kept": (bool,),
}
"""Fields of an answer and their types; anything else was not written by our worker."""


class LoadError(Exception):
    """A source could not be loaded; `kind` is the kind of fault, the message a clause that says why."""

    def __init__(self, kind: str, note: str) -> None:
        super().__init__(note)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the function on a case; `state` is another form of the case's state, None for the usual one.

    `keep` is the number by which :meth:`Session.first_changed` finds the call, None if it need not.
    """

    case: Case
    state: Any = None
    keep: int | None = None


def is_well_formed(answer: dict[str, Any]) -> bool:
    """Return whether the fields of a claim have the types that an honest worker gives them."""
    return all(type(answer[name]) in types for name, types in FIELDS.items() if name in answer)


def masked(message: Any) -> str:
    """Return the beginning of an exception's message without addresses in memory, which differ from run to run.

    >>> masked("no <list_iterator object at 0x7f3a21d0>")
    'no <list_iterator object at 0x...>'
    """
    return re.sub(r"\b0x[0-9a-fA-F]+", "0x...", str(message))[:500]


def load_function(worker: Worker, source: str, role: Role, domain: Domain, timeout: float, **more: Any) -> str:
    """Load a source, have one of its functions play the role (roles.py), and return its name.

    Raises LoadError, and SandboxError if the worker fails.
    """
    answer = worker.request("load", timeout, role=role, source=source, **more)
    if "error" in answer:
        error, message, line = (masked(answer.get(name)) for name in ("error", "message", "line"))
        kinds = {"SyntaxError": "syntax", "IndentationError": "syntax", "TabError": "syntax", "MemoryError": "memory"}
        if error == "Exhausted":
            raise LoadError("timeout", f"while the source was loaded: {ENDLESS}")
        kind = kinds.get(error, "exception")
        raise LoadError(kind, f"{error}: {message} (line {line}), while the source was loaded")
    names = answer.get("functions")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise LoadError("protocol", "while the source was loaded: an answer without the agreed fields")
    wanted = domain.functions[role]
    name = function_for(role, wanted, names)
    if name is None:
        raise LoadError("no-function", none_found(role, wanted, names))
    worker.request("appoint", timeout, role=role, name=name)
    return name


class Session(Closing):
    """Loads a source and calls its function; use it as a context manager.

    `hash_seed` fixes set order and `random`: two sessions with different seeds must agree. No outcome depends on the
    clock: a call that takes long is repeated in a fresh worker that counts its steps. Only if it does not end there is
    it given up, else its answer is waited for. Raises LoadError, and SandboxRefusedError if the machine is too busy.
    """

    def __init__(
        self,
        source: str,
        role: Role,
        domain: Domain,
        backend: Backend,
        limits: Limits,
        *,
        hash_seed: int = 0,
    ) -> None:
        self.source, self.role, self.domain, self.backend, self.limits = source, role, domain, backend, limits
        self.hash_seed = hash_seed
        self.failures = 0
        self._worker: Worker | None = None
        self._load()

    def _start(self, limits: Limits, timeout: float, **more: Any) -> Worker:
        """Return a worker with the function loaded. Raises LoadError."""
        try:
            worker = Worker(self.backend, limits, hash_seed=self.hash_seed)
        except SandboxError as failure:
            raise SandboxRefusedError(f"no worker could be started ({failure.detail}): nothing was run") from failure
        try:
            self.function = load_function(worker, self.source, self.role, self.domain, timeout, **more)
        except BaseException as error:
            worker.close()
            if isinstance(error, SandboxError):
                raise LoadError(error.kind, f"while the source was loaded: {error.detail}") from None
            raise
        return worker

    def _load(self) -> None:
        try:
            self._worker = self._start(self.limits, PATIENCE)
        except LoadError as error:
            if error.kind not in TOO_LONG:
                raise
            self._start_to_look().close()
            self._worker = self._start(self.limits, WAIT_SECONDS)

    def _start_to_look(self) -> Worker:
        """Return a worker with the function loaded while its steps were counted. Raises LoadError."""
        try:
            return self._start(LOOK, LOOK_SECONDS, steps=CALL_STEPS)
        except LoadError as error:
            if error.kind in TOO_LONG:
                raise LoadError("timeout", f"while the source was loaded: {ENDLESS}") from None
            raise

    def call(self, case: Case, state: Any = None, *, steps: int | None = None) -> Reply:
        """Call the function once on fresh arguments, with another form of the case's state if one is given.

        With `steps` they are counted, and limited. A worker that fails is ended, and the next call gets a new one.
        """
        fields = self._fields(Call(case, state))
        if steps is None:
            (reply,) = self._replies([fields])
            return reply
        try:
            answer = self._ready().request("call", LOOK_SECONDS, steps=steps, **fields)
        except (SandboxError, LoadError) as failure:
            return self._failed(failure)
        return as_reply(answer, fields["arguments"], steps)

    def calls(self, asked: Iterable[Call]) -> Generator[Reply]:
        """Yield the replies to many calls, as if they were made one after the other.

        They are sent AHEAD at a time. If not all replies are taken, the worker is ended with the rest unread.
        """
        waiting = iter(asked)
        while some := [self._fields(call) for call in islice(waiting, AHEAD)]:
            yield from self._replies(some)

    def _fields(self, call: Call) -> dict[str, Any]:
        """Return what is sent for a call."""
        state = call.case.state if call.state is None else call.state
        return {
            "role": self.role,
            "arguments": encode([state, *self.domain.arguments(self.role, call.case.instance)]),
            "iterable": self.role == "successor",
            "limit": self.limits.items,
            "keep": call.keep,
            "room": KEPT,
        }

    def _ready(self) -> Worker:
        """Return the worker, a new one if the last one failed. Raises LoadError."""
        if self._worker is None:
            self._load()
        assert self._worker is not None  # noqa: S101 - for the type checker
        return self._worker

    def _replies(self, asked: Sequence[dict[str, Any]]) -> Iterator[Reply]:
        """Send calls together and yield the replies; after a failure the rest is sent to a new worker."""
        sent: deque[str] = deque()
        try:
            for place, fields in enumerate(asked):
                try:
                    worker = self._ready()
                    if not sent:
                        sent.extend(worker.post("call", **one) for one in asked[place:])
                    if not worker.has_answer(PATIENCE):
                        self._look_into(worker, fields)
                    answer = worker.answer(sent.popleft(), 0)
                except (SandboxError, LoadError) as failure:
                    sent.clear()
                    yield self._failed(failure)
                else:
                    yield as_reply(answer, fields["arguments"], 0)
        finally:
            if sent:
                self.close()

    def _failed(self, failure: SandboxError | LoadError) -> Reply:
        """End the worker, and return the reply for the call that it failed in."""
        if self._worker is None:
            return Reply({}, failure.kind, f"{failure} a second time")
        self.close()
        self.failures += 1
        detail = failure.detail if isinstance(failure, SandboxError) else str(failure)
        return Reply({}, "timeout" if failure.kind in TOO_LONG else failure.kind, detail)

    def _look_into(self, worker: Worker, fields: dict[str, Any]) -> None:
        """Make a call that takes long in another worker as well, which counts its steps; return if it ends.

        Raises SandboxError and LoadError if it does not, SandboxRefusedError if the first worker stays behind.
        """
        with self._start_to_look() as looking:
            try:
                answer = looking.request("call", LOOK_SECONDS, steps=CALL_STEPS, **fields)
            except SandboxError as failure:
                if failure.kind not in TOO_LONG:
                    raise
                answer = {"error": "Exhausted"}
        if answer.get("error") == "Exhausted":
            raise SandboxError("timeout", ENDLESS)
        if not worker.has_answer(WAIT_SECONDS):
            raise SandboxRefusedError(
                f"the machine is too busy to judge: a call of few steps took more than {WAIT_SECONDS:.0f} s; "
                "try again later"
            )

    def first_changed(self, kept: Sequence[tuple[int, Reply]]) -> int | None:
        """Return the first of the calls that were kept whose arguments or result are not what they were, else None."""
        waiting = iter(kept)
        while some := list(islice(waiting, AHEAD)):
            try:
                numbers = [self._ready().post("look", place=place) for place, _ in some]
                looks = [self._ready().answer(number, LOOK_SECONDS) for number in numbers]
            except SandboxError:
                return some[0][0]
            for (place, reply), now in zip(some, looks, strict=True):
                if any(name not in now or now[name] != reply.answer[name] for name in ("arguments", "wire")):
                    return place
        return None

    def is_clean(self) -> bool:
        """Return whether the worker is still in step: a surplus answer, sent by untrusted code, shows here."""
        try:
            return self._worker is None or self._worker.request("ping", LOOK_SECONDS).get("pong") is True
        except SandboxError:
            return False

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def as_reply(answer: dict[str, Any], sent: list[Any], steps: int) -> Reply:
    """Return a worker's claim as a reply, after a check of its form; the arguments and the limit of steps were sent."""
    if not is_well_formed(answer) or not 0 <= answer.get("steps", 0) <= steps + 1:
        return Reply({}, "protocol", "an answer that the worker does not give by itself")
    if answer.get("error") == "Exhausted":
        return Reply({}, "timeout", ENDLESS)
    if "error" in answer:
        return Reply({**answer, "message": masked(answer.get("message", ""))})
    try:
        wire, after = answer["value"], answer["arguments"]
        value = decode(wire)
    except (KeyError, Unfit):
        return Reply({}, "protocol", "an answer without the agreed fields")
    mutated = after != sent or repr(after) != repr(sent)  # 1, 1.0 and True are equal, and not the same
    return Reply({**answer, "value": value, "wire": wire}, mutated=mutated)
