"""The public interface: read a puzzle of any kind, solve it, use the result.

    puzzle = open_puzzle("today.puz")       # or read_puzzle(text): crosswords, clues alone, Sudokus, ...
    result = solve(puzzle)                  # the embedded lexicon answers: no key, no network
    print(result)                           # also result.to_json(), .to_html(), .svg(), .summary, .solved

`open_tools` names further sources of answers: a language model, Datamuse, recorded clue sets.

**What is promised.** The names in `__all__`, with their documented arguments, attributes and errors, are stable under
semantic versioning: an incompatible change raises the major version (the minor one while that is 0) and is listed in
the changelog. Results, puzzles and grids may gain attributes, arguments with a default may be added, and the set of
kinds and formats may grow. Everything else in the packages `agent` and `lexicon` is private: it may change in any
release, also if no name begins with an underscore.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeAlias, overload

from agent.core import Budget, Event, OnEvent, limit
from agent.core.outcome import ignore, never
from agent.errors import (
    ClueSetError,
    ConfigError,
    FormatError,
    GridwrightError,
    ProviderError,
    UnansweredError,
    UnreadableError,
    UsageError,
)
from agent.formats import EXPECTED, CandidateInstance, is_binary, load_source, read_one, write_puzzle
from agent.grid import Clue, ClueText, Grid, Puzzle
from agent.kinds import GridPuzzle, GridResult, detect, read_kind, solve_kind
from agent.proposing import tell_late
from agent.reading import decode
from agent.result import Result
from agent.solution import Answer, Solution
from agent.solve import solve as solve_crossword
from agent.solve import solve_lists
from agent.tools import Tools
from agent.warn import Warn, ignore_warning

__all__ = [
    "Answer",
    "AnyPuzzle",
    "CandidateInstance",
    "Clue",
    "ClueSetError",
    "ClueText",
    "ConfigError",
    "Event",
    "FormatError",
    "Grid",
    "GridPuzzle",
    "GridResult",
    "GridwrightError",
    "ProviderError",
    "Puzzle",
    "Result",
    "Solution",
    "Tools",
    "UnansweredError",
    "UnreadableError",
    "UsageError",
    "open_puzzle",
    "open_tools",
    "read_puzzle",
    "solve",
    "write_puzzle",
]

CluedPuzzle: TypeAlias = Puzzle | ClueText | CandidateInstance

AnyPuzzle: TypeAlias = CluedPuzzle | GridPuzzle
"""A crossword, clues without a grid, a grid with lists of candidates, or a puzzle without clues.

Each has a `kind` and an `id`.
"""


def open_puzzle(path: Path | str, *, size: tuple[int, int] | None = None, letters: str = "") -> AnyPuzzle:
    """Read the puzzle of a file, or of stdin for `-`; it is recognised by its content, never by its name.

    Raises FormatError, which names the file, the line or field, and what was expected. Arguments as in
    :func:`read_puzzle`.

    >>> puzzle = open_puzzle("data/minis/mini-01.xd")
    >>> puzzle.title, puzzle.clue("5A")
    ('Nothing but Net', 'Worker with lofty goals?')
    """
    content, name = load_source(path)
    return read_puzzle(content, name=name, size=size, letters=letters)


def read_puzzle(
    content: str | bytes, *, name: str = "", size: tuple[int, int] | None = None, letters: str = ""
) -> AnyPuzzle:
    r"""Read the puzzle that is the content of a file, or text as it was pasted.

    `name` is its name in error messages. `size` is (width, height) of the grid, for clues that come without one. With
    `letters` the text is a list of words, and these are the given letters of their board.
    Bytes are decoded as UTF-8, as UTF-16 if they begin with its mark, else as Windows-1252. Raises FormatError.

    >>> read_puzzle("Across\n1. Not yes\n3. Expression of pain\n\nDown\n1. Not off\n2. Him").across[0].text
    'Not yes'
    >>> read_puzzle("1.....3..4.....2").kind
    'sudoku'
    """
    if not is_binary(content):
        content = decode(content, source=name, wanted=EXPECTED)
        kind = detect(content)
        if kind or letters:
            return read_kind(content, kind=kind, letters=letters, source=name)
    return read_one(content, name, size=size)


def open_tools(
    *,
    clue_set: Path | str | Sequence[Path | str] = (),
    providers: str | Sequence[str] | None = None,
    model: str | None = None,
    base_url: str | None = None,
    offline: bool | None = None,
    rounds: int | None = None,
    max_calls: int | None = None,
    max_tokens: int | None = None,
    sure: float | None = None,
    record: Path | str | None = None,
    config: Path | str | None = None,
    warn: Warn = ignore_warning,
) -> AbstractContextManager[Tools]:
    """Open the tools for crosswords: the lexicon, and further providers if they are named; closed at the end.

    Nothing is opened before `with` or :func:`solve` uses the result. It can be used again, and by several threads.
    The arguments have the names of the options of `gridwright solve` and mean the same: `clue_set` is one file of
    recorded candidates or several, `providers` the names of the providers to ask, `model` a language model at
    `base_url`; `record` adds the answers of live providers to a clue set. Options left out come from the environment,
    the settings file (`config`, else the user's own), else the default: the lexicon alone. Keys come from the
    environment only. `warn` is called with one line for each problem that was worked around.
    Raises UsageError before anything is asked: ConfigError for a setting, ClueSetError for a clue set.

    >>> with open_tools(clue_set="data/minis/minis_llm.clues.jsonl", offline=True) as tools:
    ...     minis = [open_puzzle(f"data/minis/mini-0{n}.xd") for n in (1, 2)]
    ...     [solve(mini, tools).solved for mini in minis]
    [True, True]
    """
    flags = {
        "providers": providers,
        "model": model,
        "base_url": base_url,
        "offline": offline,
        "rounds": rounds,
        "max_calls": max_calls,
        "max_tokens": max_tokens,
        "sure": sure,
    }
    clue_sets = [clue_set] if isinstance(clue_set, Path | str) else list(clue_set)
    return _Opener(partial(_open, flags, config, clue_sets, warn, Path(record) if record else None))


def _open(
    flags: Mapping[str, object],
    config: Path | str | None,
    clue_sets: Sequence[Path | str],
    warn: Warn,
    record: Path | None,
) -> AbstractContextManager[Tools]:
    from agent.config import load_settings
    from agent.tools import open_tools as open_with

    return open_with(load_settings(flags=flags, file=config), clue_sets, warn, record=record)


class _Opener(threading.local, AbstractContextManager[Tools]):
    """Opens tools each time it is entered. What is open is kept for each thread, so each closes its own."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Tools]]) -> None:
        self._opened = opened
        self._open: list[AbstractContextManager[Tools]] = []

    def __enter__(self) -> Tools:
        tools = self._opened()
        found = tools.__enter__()
        self._open.append(tools)
        return found

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.pop().__exit__(kind, error, trace)


AnyTools: TypeAlias = Tools | AbstractContextManager[Tools] | None


@overload
def solve(
    puzzle: CluedPuzzle,
    tools: AnyTools = ...,
    *,
    seconds: float | None = ...,
    patience: float | None = ...,
    count: int = ...,
    prove_unique: bool = ...,
    explain: bool = ...,
    on_event: OnEvent = ...,
    cancelled: Callable[[], bool] = ...,
) -> Solution: ...


@overload
def solve(
    puzzle: GridPuzzle,
    tools: AnyTools = ...,
    *,
    seconds: float | None = ...,
    patience: float | None = ...,
    count: int = ...,
    prove_unique: bool = ...,
    explain: bool = ...,
    on_event: OnEvent = ...,
    cancelled: Callable[[], bool] = ...,
) -> GridResult: ...


def solve(
    puzzle: AnyPuzzle,
    tools: AnyTools = None,
    *,
    seconds: float | None = None,
    patience: float | None = None,
    count: int = 1,
    prove_unique: bool = True,
    explain: bool = False,
    on_event: OnEvent = ignore,
    cancelled: Callable[[], bool] = never,
) -> Solution | GridResult:
    r"""Solve a puzzle of any kind. The official solution of a crossword, if it has one, is not looked at.

    `tools` are what :func:`open_tools` has opened, for several puzzles; or its result as it is, which is then opened
    for this puzzle and closed again; by default `open_tools()`. Puzzles without clues need none.
    `seconds` limits the search, `patience` the seconds of waiting for providers, both without limit by default.
    `count`, `prove_unique` and `explain` are for puzzles without clues: how many solutions to look for, whether to
    prove that there is no other, whether to explain each step. `on_event` is called with each event, in
    this thread. `cancelled` is asked often; once it is true, the best that is known comes back within about a second.

    A limit or cancellation is not an error: `ended` of the result says so. Raises UnansweredError if nothing that was
    asked could answer, UsageError if tools have nothing to ask, for a puzzle that cannot be solved (a rebus) and for a
    limit or count that is too low, FormatError for clues that fit no grid.

    >>> print(solve(read_puzzle("2\n\n1\n1")))
    ▀▀
    <BLANKLINE>
    Solved, and it is the only solution. No guessing was needed.
    >>> solve(open_puzzle("data/minis/tiny-01.xd"), open_tools(clue_set="data/minis/minis_llm.clues.jsonl")).grid.rows
    ('STOP', 'HAVE', 'IDEA', 'PARK')
    """
    if isinstance(puzzle, str | bytes | Path):
        raise UsageError("expected a puzzle: open_puzzle reads a file, read_puzzle reads text")
    for name, value, least in (("seconds", seconds, 0), ("patience", patience, 0), ("count", count, 1)):
        if value is not None and not value >= least:
            raise UsageError(f"{name} must be {least} or more, not {value}")
    budget = Budget(seconds=limit(seconds), patience=limit(patience), cancelled=cancelled)
    if not isinstance(puzzle, CluedPuzzle):
        return solve_kind(
            puzzle, count=count, prove_unique=prove_unique, explain=explain, budget=budget, on_event=on_event
        )
    with nullcontext(tools) if isinstance(tools, Tools) else tools or open_tools() as opened:
        if not isinstance(puzzle, CandidateInstance):
            opened.expect_answers()
        solution = solve_clued(puzzle, opened, budget=budget, on_event=on_event)
    if solution.is_unanswered:
        raise ProviderError(f"no provider could answer: {'; '.join(solution.failures)}")
    return solution


def solve_clued(puzzle: CluedPuzzle, tools: Tools, *, budget: Budget, on_event: OnEvent = ignore) -> Solution:
    """Fill a crossword from clues or lists. An unanswered one is returned, not an error: evaluations count it."""
    if isinstance(puzzle, CandidateInstance):
        return solve_lists(puzzle.grid, puzzle.answers, puzzle.id, budget=budget)
    if isinstance(puzzle, ClueText):
        from agent.gridless.solve import solve_clues

        solution = solve_clues(puzzle, tools, budget=budget, on_event=on_event)
    else:
        solution = solve_crossword(puzzle, tools, budget=budget, on_event=on_event)
    tell_late(tools.providers, on_event)
    return solution
