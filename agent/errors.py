"""Every error that Gridwright raises for its users, in one tree.

    GridwrightError
    ├── UsageError (ValueError)     an argument, option or setting makes no sense
    │   ├── ConfigError             a setting
    │   ├── ClueSetError            a file of recorded candidates
    │   └── NotMadeError            no puzzle can be made to these wishes
    ├── UnreadableError             an input cannot be read
    │   ├── FormatError             a puzzle; it cannot be written either
    │   ├── DomainError             a search space for the judge
    │   ├── JournalError            the journal of an AutoToS loop
    │   └── VerdictError            verdicts of the judge
    ├── UnansweredError             none of those asked could answer
    │   ├── ProviderError           a provider of candidates
    │   ├── LlmError                a language model
    │   │   ├── ReplyError          it answered, but the answer is unusable
    │   │   └── LimitReachedError   a limit on calls or tokens forbids to ask it
    │   └── ModelError              the model of an AutoToS loop
    ├── SandboxError                a sandboxed worker broke a rule and was ended
    ├── SandboxRefusedError         no safe sandbox works here: nothing was run
    ├── BusyError                   the page's server has too many searches waiting
    └── LeftError                   a search of the page was abandoned before it ended

Each message is one line for the user: where, what was expected, and what was found. It never holds a key.
The embedded lexicon stands alone and has a base of its own, :class:`lexicon.LexiconError`. A look-up by a name that
does not exist raises KeyError, as in a dict. Any other exception is a fault of the program, or of a caller's types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

SandboxFailure = Literal["timeout", "limit", "memory", "died", "output", "protocol"]


def reason(error: BaseException) -> str:
    """Return the reason of an error that the system or a package raised, in one line, without number and file's name.

    >>> reason(FileNotFoundError(2, "No such file or directory", "x.txt")), reason(ValueError("[Errno 111] refused"))
    ('No such file or directory', 'refused')
    >>> reason(TimeoutError())
    'TimeoutError'
    """
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8 text"
    text = getattr(error, "strerror", None) or re.sub(r"^\[Errno -?\d+\] ", "", str(error))
    return next(iter(text.splitlines()), "") or type(error).__name__


class GridwrightError(Exception):
    """Base of all errors that are not faults of the program.

    >>> from agent.api import read_puzzle
    >>> try:
    ...     read_puzzle("hello", name="today.txt")
    ... except GridwrightError as error:
    ...     print(error)
    today.txt: expected clues under Across and Down headings, or a puzzle file, found neither
    """


class UsageError(GridwrightError, ValueError):
    """An argument, option or setting makes no sense. Also a ValueError, as Python's own functions raise it.

    >>> issubclass(UsageError, ValueError)
    True
    """


class ConfigError(UsageError):
    """A setting is unknown or has no usable value; the message says which, where it was set and what was expected.

    >>> from agent.api import open_tools
    >>> with open_tools(rounds=-1):
    ...     pass
    Traceback (most recent call last):
    agent.errors.ConfigError: flag --rounds: rounds must be 0 or more, not -1
    """


class ClueSetError(UsageError):
    """A clue set cannot be read; the message names the file and the line, and says what was expected.

    >>> from agent.api import open_tools
    >>> with open_tools(clue_set="pyproject.toml"):
    ...     pass
    Traceback (most recent call last):
    agent.errors.ClueSetError: pyproject.toml: line 1: not JSON (Expecting value: line 1 column 2 (char 1))
    """


class NotMadeError(UsageError):
    """No puzzle can be made to these wishes."""


class UnreadableError(GridwrightError):
    """An input cannot be read; the message names the file, the line if it is known, and what was expected.

    >>> issubclass(FormatError, UnreadableError)
    True
    """


class FormatError(UnreadableError):
    """A file cannot be read or written as a puzzle; the message says where, and what was expected.

    >>> str(FormatError("expected a number, found 'x'", "line 3").within("today.txt"))
    "today.txt: line 3: expected a number, found 'x'"
    """

    def __init__(self, problem: str, where: str = "", file: str = "") -> None:
        self.problem = problem
        self.where = where
        self.file = file
        super().__init__(": ".join(part for part in (file, where, problem) if part))

    def within(self, file: str) -> FormatError:
        """Return the same error with the file's name."""
        return FormatError(self.problem, self.where, file)


class DomainError(UnreadableError):
    """A file that was to describe a search space for the judge cannot be used."""


class JournalError(UnreadableError):
    """A journal cannot be read, or belongs to another loop; the message names file and line."""


class VerdictError(UnreadableError):
    """A text is not what the judge prints; the message says where, and what was expected."""


class UnansweredError(GridwrightError):
    """None of those that were asked could answer.

    >>> issubclass(ProviderError, UnansweredError)
    True
    """


class ProviderError(UnansweredError):
    """A provider cannot answer; a solve goes on without it, and fails if no other has an answer.

    `found` are the answers that it has all the same, by question, if it failed at a part of them.

    >>> from agent.api import open_puzzle, open_tools, solve
    >>> solve(open_puzzle("data/minis/mini-01.xd"), open_tools(providers="datamuse", offline=True))
    Traceback (most recent call last):
    agent.errors.ProviderError: no provider could answer: datamuse was asked offline, and its cache holds no answer ...
    """

    def __init__(self, problem: str, found: Mapping[str, Sequence[Any]] | None = None) -> None:
        super().__init__(problem)
        self.found = found


class LlmError(UnansweredError):
    """A language model could not be asked, or its answer cannot be used."""


class ReplyError(LlmError):
    """The server answered, but the answer is unusable: no JSON, empty, refused, an error sent with status 200."""


class LimitReachedError(LlmError):
    """`--max-calls` or `--max-tokens` forbids a further call."""


class ModelError(UnansweredError):
    """The model of an AutoToS loop could not be asked, or its budget ran out."""


class SandboxError(GridwrightError):
    """A sandboxed worker broke a rule and was ended; `kind` says which."""

    def __init__(self, kind: SandboxFailure, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: SandboxFailure = kind
        self.detail = detail


class SandboxRefusedError(GridwrightError):
    """There is no safe way to run untrusted code here; nothing was executed."""


class BusyError(GridwrightError):
    """Too many searches are waiting for their turn already."""


class LeftError(GridwrightError):
    """A search was abandoned before it ended."""
