"""One untrusted function in a worker, called case by case; a worker that fails is replaced by a fresh one."""

from __future__ import annotations

import time
from typing import Any

from agent.autotos.cases import Case
from agent.autotos.compare import Reply
from agent.autotos.domain import Domain, Role, thaw
from agent.autotos.sandbox import Limits, Worker
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.sandbox.wire import Unfit, decode, encode, same
from agent.closing import Closing
from agent.errors import SandboxError

CALL_SECONDS = 1.0
"""Wall time of one call; the published loop allows the same. Honest functions take 0.1 to 10 ms."""
LOAD_SECONDS = 2.0
"""Wall time to execute the top level of a source."""

FIELDS: dict[str, tuple[type, ...]] = {
    "error": (str,),
    "message": (str,),
    "line": (int, type(None)),
    "type": (str,),
    "shared": (bool,),
    "cpu": (float,),
}
"""Fields of an answer and their types; anything else was not written by our worker."""


class LoadError(Exception):
    """A source could not be loaded; `kind` is the kind of fault, the message a clause that says why."""

    def __init__(self, kind: str, note: str) -> None:
        super().__init__(note)
        self.kind = kind


def is_well_formed(answer: dict[str, Any]) -> bool:
    """Return whether the fields of a claim have the types that an honest worker gives them."""
    return all(type(answer[name]) in types for name, types in FIELDS.items() if name in answer)


class Session(Closing):
    """Loads a source and calls its function; use it as a context manager.

    `hash_seed` fixes set order and `random`: two sessions with different seeds must agree. Raises LoadError.
    """

    def __init__(
        self, source: str, role: Role, domain: Domain, backend: Backend, limits: Limits, *, hash_seed: int = 0
    ) -> None:
        self.source, self.role, self.backend, self.limits, self.hash_seed = source, role, backend, limits, hash_seed
        self.failures = 0
        self._spent = 0.0
        self._worker_cpu = 0.0
        self._started, self._thread_began = time.monotonic(), time.thread_time()
        self._worker: Worker | None = None
        try:
            self.function = self._choose(domain)
            self._load()
        except BaseException:
            self.close()
            raise

    def _ask(self, op: str, timeout: float, **fields: Any) -> dict[str, Any]:
        if self._worker is None:
            self._worker = Worker(self.backend, self.limits, hash_seed=self.hash_seed)
        began = time.monotonic()
        try:
            answer = self._worker.request(op, timeout, **fields)
        except SandboxError:
            self._spent += self._worker_cpu + time.monotonic() - began
            self._worker_cpu = 0.0
            self.failures += 1
            self._worker = None
            raise
        if type(answer.get("cpu")) is float:
            self._worker_cpu = answer["cpu"]
        return answer

    def _choose(self, domain: Domain) -> str:
        """Return the name of the function that plays the role (:meth:`Domain.function_for`)."""
        outline = self._try_loading("outline", source=self.source)
        names = [name for name in outline.get("functions", []) if type(name) is str]
        name = domain.function_for(self.role, names)
        if name is None:
            missing = f"{self.role} function" if names else "function"
            wanted = domain.functions[self.role]
            raise LoadError("no-function", f"the source defines no {missing}; {wanted} was asked for")
        return name

    def _try_loading(self, op: str, **fields: Any) -> dict[str, Any]:
        try:
            answer = self._ask(op, LOAD_SECONDS, **fields)
        except SandboxError as failure:
            raise LoadError(failure.kind, f"while the source was loaded: {failure.detail}") from None
        if "error" in answer:
            error, message, line = (str(answer.get(name))[:300] for name in ("error", "message", "line"))
            kind = {"SyntaxError": "syntax", "IndentationError": "syntax", "TabError": "syntax"}.get(error, "exception")
            if error == "MemoryError":
                kind = "memory"
            raise LoadError(kind, f"{error}: {message} (line {line}), while the source was loaded")
        return answer

    def _load(self) -> None:
        self._try_loading("load", role=self.role, name=self.function, source=self.source)

    def call(self, case: Case, state: Any = None) -> Reply:
        """Call the function once on fresh arguments, with another form of the case's state if one is given.

        A worker that fails is ended, and the next call gets a new one.
        """
        arguments = [thaw(case.state) if state is None else state, *case.instance.arguments]
        try:
            if self._worker is None:
                self._load()
            answer = self._ask(
                "call",
                CALL_SECONDS,
                role=self.role,
                arguments=encode(arguments),
                iterable=self.role == "successor",
                limit=self.limits.items,
            )
        except SandboxError as failure:
            return Reply({}, failure.kind, failure.detail)
        except LoadError as error:
            return Reply({}, error.kind, f"{error} a second time")
        if not is_well_formed(answer):
            return Reply({}, "protocol", "an answer that the worker does not give by itself")
        if "error" in answer:
            return Reply(answer)
        try:
            value, after = decode(answer["value"]), decode(answer["arguments"])
        except (KeyError, Unfit):
            return Reply({}, "protocol", "an answer without the agreed fields")
        return Reply({**answer, "value": value}, mutated=not same(after, arguments))

    @property
    def effort(self) -> float:
        """Seconds of processor time that judging took so far, here and in the workers.

        Wall time would make verdicts depend on the load of the machine. A worker's own statement of its time is
        a claim, so wall time counts as well, at a fifth.
        """
        spent = self._spent + self._worker_cpu + time.thread_time() - self._thread_began
        return max(spent, (time.monotonic() - self._started) / 5)

    def is_clean(self) -> bool:
        """Return whether the worker is still in step: a surplus answer, sent by untrusted code, shows here."""
        try:
            return self._worker is None or self._ask("ping", CALL_SECONDS).get("pong") is True
        except SandboxError:
            return False

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
