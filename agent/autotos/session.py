"""One untrusted function in a worker, called case by case; a worker that fails is replaced by a fresh one."""

from __future__ import annotations

import re
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

PATIENCE = (1.0, 8.0, 60.0)
"""Seconds of wall time after which a call is looked into, in the first judgement of a function and when it is repeated
because the machine was at fault. Honest calls take 0.1 to 10 ms."""
CALL_STEPS = 10_000_000
"""Steps (lines executed, see worker.py) after which a call does not end. They take 0.15 s or more."""
LOOK = Limits(cpu=10)
LOOK_SECONDS = 300.0
"""Limits while the steps of one call are counted, for code that runs without making steps."""
TOO_LONG = ("timeout", "limit")
ENDLESS = f"it did not end within {CALL_STEPS // 1_000_000} million steps"

FIELDS: dict[str, tuple[type, ...]] = {
    "error": (str,),
    "message": (str,),
    "line": (int, type(None)),
    "type": (str,),
    "shared": (bool,),
    "steps": (int,),
}
"""Fields of an answer and their types; anything else was not written by our worker."""


class LoadError(Exception):
    """A source could not be loaded; `kind` is the kind of fault, the message a clause that says why."""

    def __init__(self, kind: str, note: str) -> None:
        super().__init__(note)
        self.kind = kind


class StalledError(Exception):
    """A call took longer than the patience allows, and then ended in few steps: the machine was busy."""


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
    clock: a call that takes longer than `patience`, in seconds, is repeated in a fresh worker that counts its steps.
    If it ends there, it was the machine, and StalledError is raised. Raises LoadError.
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
        patience: float = PATIENCE[-1],
    ) -> None:
        self.source, self.role, self.domain, self.backend, self.limits = source, role, domain, backend, limits
        self.hash_seed, self.patience = hash_seed, patience
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
            self._worker = self._start(self.limits, self.patience)
        except LoadError as error:
            if error.kind not in TOO_LONG:
                raise
            self._start_to_look().close()
            raise StalledError from None

    def _start_to_look(self) -> Worker:
        """Return a worker with the function loaded while its steps were counted. Raises LoadError."""
        try:
            return self._start(LOOK, LOOK_SECONDS, steps=CALL_STEPS)
        except LoadError as error:
            if error.kind in TOO_LONG:
                raise LoadError("timeout", f"while the source was loaded: {ENDLESS}") from None
            raise

    def call(self, case: Case, state: Any = None, *, steps: int | None = None, keep: int | None = None) -> Reply:
        """Call the function once on fresh arguments, with another form of the case's state if one is given.

        With `steps` they are counted, and limited. `keep` is the number by which :meth:`is_as_returned` finds the call.
        A worker that fails is ended, and the next call gets a new one. Raises StalledError.
        """
        sent = encode([case.state if state is None else state, *self.domain.arguments(self.role, case.instance)])
        fields = {
            "role": self.role,
            "arguments": sent,
            "iterable": self.role == "successor",
            "limit": self.limits.items,
            "keep": keep,
        }
        try:
            if self._worker is None:
                self._load()
            assert self._worker is not None  # noqa: S101 - for the type checker
            if steps is None:
                answer = self._worker.request("call", self.patience, **fields)
            else:
                answer = self._worker.request("call", LOOK_SECONDS, steps=steps, **fields)
        except SandboxError as failure:
            self._worker = None
            if failure.kind == "timeout" and steps is None:
                return self._look_into(fields)
            self.failures += 1
            return Reply({}, "timeout" if failure.kind in TOO_LONG else failure.kind, failure.detail)
        except LoadError as error:
            return Reply({}, error.kind, f"{error} a second time")
        return as_reply(answer, sent, steps or 0)

    def _look_into(self, fields: dict[str, Any]) -> Reply:
        """Repeat a call that took long, and count its steps. Raises StalledError if it ends."""
        self.failures += 1
        try:
            with self._start_to_look() as worker:
                answer = worker.request("call", LOOK_SECONDS, steps=CALL_STEPS, **fields)
        except (SandboxError, LoadError) as failure:
            if failure.kind in TOO_LONG:
                return Reply({}, "timeout", ENDLESS)
            return Reply({}, failure.kind, str(failure))
        if answer.get("error") == "Exhausted":
            return Reply({}, "timeout", ENDLESS)
        raise StalledError

    def is_as_returned(self, place: int, reply: Reply) -> bool:
        """Return whether the arguments and the result of a call that was kept are still what they were."""
        assert self._worker is not None  # noqa: S101 - the call was kept in it
        try:
            now = self._worker.request("look", LOOK_SECONDS, place=place)
            return all(now[name] == reply.answer[name] for name in ("arguments", "wire"))
        except (SandboxError, KeyError):
            return False

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
