"""Exit codes: the one place that has them. docs/cli.md has the table for users."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.errors import SandboxRefusedError, UnansweredError, UnreadableError, UsageError
from lexicon import LexiconError

if TYPE_CHECKING:
    from agent.result import Result

DONE, NOT_SOLVED, USAGE, UNREADABLE, UNANSWERED, LIMIT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130

INTERNAL = 70
"""Exit code of an internal error, by the custom of sysexits.h."""

CLOSED_PIPE = 128 + 13
"""Exit code if the reader of stdout has gone: as a shell reports for any program that SIGPIPE ended."""

ERRORS: tuple[tuple[type[BaseException], int], ...] = (
    (UsageError, USAGE),
    (LexiconError, USAGE),
    (OSError, USAGE),
    (UnreadableError, UNREADABLE),
    (UnansweredError, UNANSWERED),
    (SandboxRefusedError, UNANSWERED),
    (KeyboardInterrupt, INTERRUPTED),
)


def of_error(error: BaseException) -> int | None:
    """Return the exit code of an error, None if it is a fault of the program.

    >>> from agent.errors import FormatError
    >>> of_error(FormatError("expected a grid")), of_error(ZeroDivisionError())
    (3, None)
    """
    return next((code for kind, code in ERRORS if isinstance(error, kind)), None)


def of_result(result: Result) -> int:
    """Return the exit code of a result: interrupted, else solved, else ended by a limit, else not solved."""
    if result.termination == "cancelled":
        return INTERRUPTED
    if result.solved:
        return DONE
    return LIMIT if result.ended else NOT_SOLVED
