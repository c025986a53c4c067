"""Shared by all commands: errors as one line, output that survives closed pipes, Ctrl-C, files checked in advance."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, Self, TextIO

import typer

from agent.cli import exits
from agent.cli.exits import CLOSED_PIPE, INTERNAL, INTERRUPTED
from agent.disk import check_writable
from agent.warn import warn_on_stderr

if TYPE_CHECKING:
    from rich.status import Status

    from agent.config import Settings
    from agent.core import Event

GRACE_SECONDS = 5.0
"""After Ctrl-C the best known grid is there within a second or two; if it takes longer, the process is ended."""
STATUS_AFTER_SECONDS = 1.0
"""A command that takes longer than this shows a status line."""
TRACEBACK = "GRIDWRIGHT_TRACEBACK"
"""Environment variable that makes an internal error show its traceback."""

P = ParamSpec("P")


def examples(*lines: str) -> str:
    r"""Return the epilog of a help text: one example per line, not reflowed.

    >>> examples("gridwright config")
    '\x08\nExamples:\n  gridwright config'
    """
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


class Voice:
    """Messages on stderr other than errors: none when quiet; at a terminal, a status line if the work takes long."""

    show_after = STATUS_AFTER_SECONDS

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self._status: Status | None = None
        self._timer: threading.Timer | None = None
        self._text = "at work"

    def warn(self, text: str) -> None:
        """Write one line to stderr."""
        if not self.quiet:
            warn_on_stderr(text)

    def __enter__(self) -> Self:
        if not self.quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._timer = threading.Timer(self.show_after, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def _show(self) -> None:
        from rich.console import Console

        self._status = Console(stderr=True).status(self._text)
        self._status.start()

    def on_event(self, event: Event) -> None:
        """Show the event, but never a letter: a user who asked for a single hint sees this too."""
        if event.kind == "proposed":
            found = event.data["candidates"]
            total = sum(map(len, found.values()))
            self._text = f"{event.data['provider']}: {total} candidates for {len(found)} clues"
        elif event.kind == "round":
            doubtful = ", ".join(event.data["unsure"])
            self._text = (
                f"round {event.data['round']}: {f'looking again at {doubtful}' if doubtful else 'weighing the grid'}"
            )
        elif event.kind == "searching":
            self._text = f"searching: {event.data['expansions']:,} expansions"
        elif event.kind == "pattern":
            self._text = f"block pattern {'/'.join(event.data['rows'])}"
        if self._status is not None:
            self._status.update(self._text)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._status is not None:
            self._status.stop()


def has_colours(stream: TextIO) -> bool:
    """Return whether colours may be written: the stream is a terminal that has them, and NO_COLOR is not set."""
    known = os.environ.get("TERM") != "dumb" and (sys.platform != "win32" or "WT_SESSION" in os.environ)
    return known and not os.environ.get("NO_COLOR") and stream.isatty()


def stop(code: int, text: str) -> NoReturn:
    """Print the reason to stderr and exit with the code."""
    warn_on_stderr(f"gridwright: {text}")
    raise typer.Exit(code)


def emit(answer: object) -> None:
    """Print to stdout and flush, so that a write error is raised here and not when the interpreter exits."""
    try:
        print(answer, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the buffer is discarded
        raise typer.Exit(CLOSED_PIPE) from None
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        stop(INTERNAL, f"stdout cannot be written: {error.strerror}")


def emit_json(value: Any) -> None:
    """Print JSON on one line, in ASCII if stdout is not UTF-8; what a terminal would obey or hide is escaped."""
    text = json.dumps(value, ensure_ascii=(sys.stdout.encoding or "").lower().replace("-", "") != "utf8")
    emit("".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text))


@contextmanager
def guard() -> Iterator[None]:
    """Report what no command has caught as an internal error, in one line instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a character shows a question mark
    try:
        yield
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        warn_on_stderr(f"gridwright: internal error: {_one_line(error)}")
        warn_on_stderr(f"gridwright: please report it; {TRACEBACK}=1 shows where it happened")
        sys.exit(INTERNAL)


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def clean(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that users can cause into one line and the exit code that :mod:`agent.cli.exits` has for them."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except (Exception, KeyboardInterrupt) as error:
            code = exits.of_error(error)
            if code is None:
                raise
            stop(code, _reason(error))

    return run


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def settings_from(config: Path | None = None, **flags: Any) -> Settings:
    """Combine the settings: flags, then environment, then file, then defaults."""
    from agent.config import load_settings

    return load_settings(flags=flags, file=config)


def end_now(code: int) -> NoReturn:
    """End the process and its workers at once, without waiting for any thread; what was printed is written out."""
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.kill()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


@contextmanager
def interruptible(last_words: Callable[[], None], *, at_once: bool = False) -> Iterator[threading.Event]:
    """Set the event at the first Ctrl-C (and raise KeyboardInterrupt if `at_once`); exit within GRACE_SECONDS.

    If the work has not ended by then, `last_words` prints the best it has and the process exits; answers are already
    in the cache. A second Ctrl-C does so immediately.
    """
    asked = threading.Event()

    # The handler may run while this thread holds a lock of `threading`, so it must not start a thread as a timer would:
    # one waits already. Putting into a SimpleQueue is safe there.
    interrupts: SimpleQueue[bool] = SimpleQueue()
    # Only one of both prints the end: the watcher, or the work that ends in the same moment, which then waits in vain.
    ending = threading.Lock()

    def watch() -> None:
        with suppress(Empty):
            if not interrupts.get() or not interrupts.get(timeout=GRACE_SECONDS):
                return  # the work ended by itself
        if ending.acquire(blocking=False):
            try:
                last_words()
            finally:
                end_now(INTERRUPTED)

    def handler(number: int, frame: object) -> None:
        del number, frame
        is_first = not asked.is_set()
        asked.set()
        interrupts.put(True)
        if at_once and is_first:
            raise KeyboardInterrupt

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield asked
    finally:
        ending.acquire()
        interrupts.put(False)
        signal.signal(signal.SIGINT, before)


def check_outputs(*files: Path | str | None) -> None:
    """Raise UsageError if a file that is named cannot be written, so that this is found before the work."""
    for path in files:
        if path:
            check_writable(path)
