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
from contextlib import suppress
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
"""Time for a worker to end by itself when its pipes are closed."""
END_SECONDS = 10.0
"""Time for a worker that closed its pipe to end by itself, so that its own exit code and last words are reported."""
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
    """NaN and Infinity are not JSON, and are neither above nor below a limit."""
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
        self._exit_code: int | None = None
        self._buffer = bytearray()
        self._unsent = bytearray()
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
        output = self._process.stdout
        assert output is not None  # noqa: S101 - for the type checker: stdout is a pipe
        for end in (self._requests, self._answers, output.fileno()):
            os.set_blocking(end, False)
        self._selector.register(self._answers, selectors.EVENT_READ, "answers")
        self._selector.register(output, selectors.EVENT_READ, "output")
        try:
            hello = self.answer("ready", limits.start_seconds)
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
        return self.answer(self.post(op, **fields), timeout)

    def post(self, op: str, **fields: Any) -> str:
        """Send a request without waiting, and return its number. Requests are served one by one, in their order.

        Raises SandboxError if the worker has ended.
        """
        if self._exit_code is not None:
            raise SandboxError("died", "the worker has ended")
        number = os.urandom(8).hex()  # cannot be guessed by code that wants to forge the next answer
        body = json.dumps({"id": number, "op": op, **fields}, separators=(",", ":")).encode()
        self._unsent += len(body).to_bytes(4, "big") + body
        self._send()
        return number

    def _send(self) -> None:
        """Write what the worker's pipe takes now; the rest goes while an answer is awaited."""
        try:
            del self._unsent[: os.write(self._requests, self._unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # what it answered before it ended is still to be read, and then its end is seen
            self._unsent.clear()
        is_watched = self._requests in self._selector.get_map()
        if self._unsent and not is_watched:
            self._selector.register(self._requests, selectors.EVENT_WRITE, "requests")
        elif not self._unsent and is_watched:
            self._selector.unregister(self._requests)

    def answer(self, number: str, timeout: float) -> dict[str, Any]:
        """Return the answer to the earliest request that was not answered yet, which has this number.

        Raises SandboxError as :meth:`request` does.
        """
        if not self.has_answer(timeout):
            self._fail("timeout", "no answer in time")
        message = self._take_frame()
        if type(message) is not dict or message.get("id") != number:
            self._fail("protocol", "an answer that was not asked for")
        return dict(message)

    def has_answer(self, timeout: float) -> bool:
        """Wait until an answer is there, at most `timeout` seconds, and return whether it is.

        Raises SandboxError if the worker has ended or breaks the rules.
        """
        if self._exit_code is not None:
            raise SandboxError("died", "the worker has ended")
        deadline = time.monotonic() + timeout
        while len(self._buffer) < self._frame_end():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(left):
                self._attend(key)
        return True

    def _frame_end(self) -> int:
        """Return the length of what has come when the next answer is whole, as far as that is known."""
        size = int.from_bytes(self._buffer[:4], "big") if len(self._buffer) >= 4 else 0
        if size > MAX_FRAME:
            self._fail("protocol", f"an answer of {size} bytes; at most {MAX_FRAME} are read")
        return 4 + size

    def _attend(self, key: selectors.SelectorKey) -> None:
        """Read or write where the worker is ready for it. Raises SandboxError if it has ended."""
        if key.data == "requests":
            self._send()
            return
        try:
            data = os.read(key.fd, READ_SIZE)
        except BlockingIOError:
            return
        if key.data == "output":
            self._hear(key.fileobj, data)
        elif data:
            self._buffer += data
        else:
            self._fail_died()

    def _take_frame(self) -> Any:
        """Return the message of the answer that is there."""
        end = self._frame_end()
        body = bytes(self._buffer[4:end])
        del self._buffer[:end]
        try:
            message = json.loads(body, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return self._fail("protocol", "an answer that is not JSON")
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

    def _fail_died(self) -> NoReturn:
        """Report a worker that closed its pipe: so its end shows first, and its exit code and last words come after."""
        output = self._process.stdout
        assert output is not None  # noqa: S101 - for the type checker: stdout is a pipe
        code, how = None, "the process closed its pipe"
        with suppress(subprocess.TimeoutExpired, BlockingIOError):
            code = self._process.wait(END_SECONDS)
            how = f"the process ended (exit code {code})"
            while data := os.read(output.fileno(), READ_SIZE):
                self._hear(output, data)
        self.close()
        if code in KILLED:
            raise SandboxError("limit", f"{self.limits.cpu} s of processor time were used up")
        words = self._last_words.decode(errors="replace").strip().splitlines()
        raise SandboxError("died", f"{how} {words[-1][:200] if words else ''}".strip())

    def close(self) -> int:
        """End the worker, if need be by force, and return its exit code."""
        if self._exit_code is not None:
            return self._exit_code
        os.close(self._requests)
        os.close(self._answers)
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
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
