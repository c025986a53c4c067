"""The trusted side of the sandbox: start a worker, send it requests, and end it when it breaks the rules.

One worker runs the functions of one candidate. It is started with an empty environment, in a folder that no longer
has a name, with two pipes and nothing else, and locks itself down before it gets a byte of untrusted source (see
native.py). The parent keeps the time. Every answer of the worker is a claim until the parent has checked it.

Roads not taken, measured: in-process guards (RestrictedPython and its like) have been escaped again and again;
WebAssembly builds of CPython hold but run at 0.13 to 0.31 of the speed; a subset interpreter lacks `yield`;
containers need a daemon. A process that gives up its rights costs 0.2 s to start and nothing per call.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args

from agent.closing import Closing
from agent.errors import SandboxError, SandboxFailure, SandboxRefusedError, UsageError

Backend = Literal["bwrap+native", "native", "unsafe"]
BACKENDS: tuple[str, ...] = ("auto", *get_args(Backend))

HERE = Path(__file__).resolve().parent
MAX_FRAME = 8 << 20
"""Bytes of one answer; 10,000 successors of a 5x5 grid are 1.5 MiB."""
MAX_OUTPUT = 8 << 20
"""Bytes that a worker may print before it is ended: honest functions print nothing."""
READ_SIZE = 1 << 18
KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""Exit codes, without and with bubblewrap, of a worker that was killed but not by us: by its own limit of time."""
GRACE_SECONDS = 0.05
"""Time for a worker that is no longer needed to end by itself."""
DYING_SECONDS = 5.0
"""Time for a worker that closed its pipe to end by itself, so that its own exit code is reported on a busy machine
too."""
STEP_SECONDS = 60.0
"""Wall time for a request that is a matter of milliseconds: only a machine that hangs takes so long."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one worker: bytes of address space, CPU seconds of its whole life, successors of one call.

    >>> Limits().memory >> 20
    512
    """

    memory: int = 512 << 20
    cpu: int = 30
    items: int = 10_000
    start_seconds: float = STEP_SECONDS


DEFAULT_LIMITS = Limits()


def _refuse(constant: str) -> NoReturn:
    """NaN and Infinity are no JSON, and compare with no limit."""
    raise ValueError(constant)


class Worker(Closing):
    """A running sandbox; use it as a context manager, it leaves no process, pipe or folder behind.

    `hash_seed` fixes the order of sets of strings and the state of `random`, so that a verdict can be repeated;
    `python` is another interpreter than the running one, and `without` leaves out a measure (native.py), for tests.
    Must be used from the thread that made it: the kernel ends the worker when that thread ends.
    Raises SandboxRefusedError if the lock-down did not take effect, SandboxError if the worker did not start.
    """

    def __init__(
        self,
        backend: Backend,
        limits: Limits = DEFAULT_LIMITS,
        *,
        hash_seed: int = 0,
        python: str | None = None,
        without: Sequence[str] = (),
    ) -> None:
        self.backend = backend
        self.limits = limits
        self.printed = 0
        self._buffer = bytearray()
        self._last_words = b""
        self._selector = selectors.DefaultSelector()
        interpreter = os.path.realpath(python or sys.executable)
        request_read, self._requests = os.pipe()
        self._answers, answer_write = os.pipe()
        config = {
            "native": str(HERE / "native.py"),
            "wire": str(HERE / "wire.py"),
            "lock_down": backend != "unsafe",
            "without": list(without),
            "memory": limits.memory,
            "cpu": limits.cpu,
            "seed": hash_seed,
        }
        flags = ["-P", "-s", "-S", "-B", "-X", "utf8"]  # as -I does, but PYTHONHASHSEED must count
        command = [interpreter, *flags, str(HERE / "worker.py"), str(request_read), str(answer_write)]
        command.append(json.dumps(config))
        if backend == "bwrap+native":
            from agent.autotos.sandbox.bwrap import wrap

            command = wrap(command, [os.path.dirname(os.path.dirname(interpreter)), str(HERE)])  # noqa: PTH120
        folder = tempfile.mkdtemp(prefix="gridwright-")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own worker
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(request_read, answer_write),
                env={"PYTHONHASHSEED": str(hash_seed)},
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            for end in (self._requests, self._answers):
                os.close(end)
            self._selector.close()
            raise SandboxError("died", f"could not start: {error}") from error
        finally:
            os.rmdir(folder)  # noqa: PTH106 - the worker keeps the nameless folder: nothing can be left behind
            os.close(request_read)
            os.close(answer_write)
        self._exit_code: int | None = None
        self._was_killed = False
        output = self._process.stdout
        assert output is not None  # noqa: S101 - for the type checker: stdout is a pipe
        for end in (self._requests, self._answers, output.fileno()):
            os.set_blocking(end, False)
        self._selector.register(self._answers, selectors.EVENT_READ, "answers")
        self._selector.register(output, selectors.EVENT_READ, "output")
        try:
            hello = self._receive("ready", time.monotonic() + limits.start_seconds)
            self.applied: dict[str, Any] = hello["applied"]
            if backend != "unsafe" and not (self.applied.get("seccomp") and self.applied.get("rlimits")):
                raise SandboxRefusedError(  # noqa: TRY301 - the worker is closed on the way out
                    "the system call filter could not be applied: untrusted code is not run"
                )
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """Process id of the worker, or of bubblewrap around it."""
        return self._process.pid

    def request(self, op: str, timeout: float = STEP_SECONDS, **fields: Any) -> dict[str, Any]:
        """Send a request and return the worker's answer, a claim.

        Raises SandboxError if no well-formed answer comes within `timeout` seconds; the worker is ended then.
        """
        if self._exit_code is not None:
            raise SandboxError("died", "the worker has ended")
        deadline = time.monotonic() + timeout
        number = os.urandom(8).hex()  # cannot be guessed by code that wants to forge the next answer
        body = json.dumps({"id": number, "op": op, **fields}, separators=(",", ":")).encode()
        frame = memoryview(len(body).to_bytes(4, "big") + body)
        while frame:
            try:
                frame = frame[os.write(self._requests, frame) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    self._fail("timeout", "the request was not read")
                time.sleep(0.001)
            except BrokenPipeError:
                self._fail_died()
        return self._receive(number, deadline)

    def _receive(self, number: str, deadline: float) -> dict[str, Any]:
        while True:
            message = self._take_frame()
            if message is not None:
                if type(message) is not dict or message.get("id") != number:
                    self._fail("protocol", "an answer that was not asked for")
                return dict(message)
            left = deadline - time.monotonic()
            if left <= 0:
                self._fail("timeout", "no answer in time")
            for key, _ in self._selector.select(left):
                try:
                    data = os.read(key.fd, READ_SIZE)
                except BlockingIOError:
                    continue
                if key.data == "output":
                    self._hear(key.fileobj, data)
                elif data:
                    self._buffer += data
                else:
                    self._fail_died()

    def _take_frame(self) -> Any:
        if len(self._buffer) < 4:
            return None
        size = int.from_bytes(self._buffer[:4], "big")
        if size > MAX_FRAME:
            self._fail("protocol", f"an answer of {size} bytes; at most {MAX_FRAME} are read")
        if len(self._buffer) < 4 + size:
            return None
        body = bytes(self._buffer[4 : 4 + size])
        del self._buffer[: 4 + size]
        try:
            message = json.loads(body, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return self._fail("protocol", "an answer that is no JSON")
        if b"\\ud" in body:  # half of a surrogate pair cannot be printed or sent on; whole characters are kept
            message = json.loads(json.dumps(message, ensure_ascii=False).encode(errors="replace"))
        return message

    def _hear(self, stream: Any, data: bytes) -> None:
        if not data:
            self._selector.unregister(stream)
            return
        self.printed += len(data)
        self._last_words = (self._last_words + data)[-2000:]
        if self.printed > MAX_OUTPUT:
            self._fail("output", f"more than {MAX_OUTPUT >> 20} MiB printed")

    def _fail(self, kind: SandboxFailure, detail: str) -> Any:
        self.close()
        raise SandboxError(kind, detail)

    def _fail_died(self) -> Any:
        code = self.close(DYING_SECONDS)
        if code in KILLED and not self._was_killed:
            raise SandboxError("limit", f"{self.limits.cpu} s of processor time were used up")
        words = self._last_words.decode(errors="replace").strip().splitlines()
        raise SandboxError("died", f"the process ended (exit code {code}) {words[-1][:200] if words else ''}".strip())

    def close(self, grace: float = GRACE_SECONDS) -> int:
        """End the worker, after `grace` seconds by force, and return its exit code."""
        if self._exit_code is not None:
            return self._exit_code
        os.close(self._requests)
        os.close(self._answers)
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._was_killed = True
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                self._process.kill()
        self._exit_code = self._process.wait()
        self._selector.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return self._exit_code


@lru_cache(maxsize=8)
def works(backend: Backend) -> bool:
    """Return whether a worker of this back-end starts, locks itself down and answers here.

    >>> works("unsafe")
    True
    """
    if backend == "bwrap+native" and shutil.which("bwrap") is None:
        return False
    if backend != "unsafe" and not sys.platform.startswith("linux"):
        return False
    try:
        with Worker(backend) as worker:
            return bool(worker.request("ping", timeout=DEFAULT_LIMITS.start_seconds).get("pong"))
    except (SandboxError, SandboxRefusedError):
        return False


def choose_backend(wanted: str = "auto", *, allow_unsafe: bool = False) -> Backend:
    """Return the strongest back-end that works here.

    `wanted` is one of BACKENDS. Raises SandboxRefusedError, before anything untrusted is run, if none is safe and
    `allow_unsafe` is not given; UsageError for an unknown name.

    >>> choose_backend("unsafe", allow_unsafe=True)
    'unsafe'
    """
    if wanted not in BACKENDS:
        raise UsageError(f"unknown back-end {wanted}; choose from {', '.join(BACKENDS)}")
    choices: tuple[Backend, ...] = ("bwrap+native", "native") if wanted == "auto" else (wanted,)  # type: ignore[assignment]
    for backend in choices:
        if backend == "unsafe":
            if allow_unsafe:
                return backend
        elif works(backend):
            return backend
    if wanted == "auto" and allow_unsafe:
        return "unsafe"
    raise SandboxRefusedError(
        "no safe sandbox works here (it needs Linux on x86_64 or aarch64 with seccomp), so nothing was run; "
        "--unsafe-exec runs the functions with your own rights"
    )
