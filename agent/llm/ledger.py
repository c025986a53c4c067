"""The record of requests to language models and their costs: one row per request, in SQLite, shared by processes.

The ledger also enforces the limits: a call is entered before it is made, and is not made if a limit forbids it.
Costs are known only for models whose prices the user has set; nothing is assumed.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     ledger = Ledger(Path(folder) / "ledger.db", limits=Limits(max_calls=1), prices={"m": (2.0, 10.0)})
...     call = ledger.begin(model="m", host="localhost", purpose="example", expected=100)
...     ledger.finish(call, "answered", Usage(1000, 100))
...     print(ledger.totals())
...     ledger.begin(model="m", host="localhost", purpose="example", expected=100)
Traceback (most recent call last):
agent.errors.LimitReachedError: the limit of 1 calls to language models is reached
"""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from agent.errors import LimitReachedError, LlmError, reason
from agent.llm.reply import Usage
from agent.warn import Warn, warn_on_stderr

LEDGER = "ledger.db"
"""The ledger's file in the folder for the user's data."""

Outcome = Literal["answered", "rejected", "lost"]
"""How a request ended: with an answer, with an error status (which is free), or unknown, as the connection broke."""

LOCK_SECONDS = 10.0
"""Time to wait while another process writes; writing one row takes milliseconds. Not fitted."""

_TABLE = """
create table if not exists calls (
    id integer primary key, run text not null, at text not null, model text not null, host text not null,
    purpose text not null, outcome text not null, expected integer not null,
    prompt_tokens integer, completion_tokens integer, estimated integer, cost real
)"""
# A request that is under way, or whose answer was lost, may have been charged: it counts with its expected tokens.
_SPENT = """
select count(*), coalesce(sum(coalesce(prompt_tokens + completion_tokens, expected)), 0)
from calls where run = ? and outcome != 'rejected'"""


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum number of requests and of tokens (prompt and completion together) of one run; None means no limit."""

    max_calls: int | None = None
    max_tokens: int | None = None

    def __bool__(self) -> bool:
        return self.max_calls is not None or self.max_tokens is not None


@dataclass(frozen=True, slots=True)
class Totals:
    """The usage of a run; `cost` is None as soon as the price of one call is not known.

    >>> print(Totals(3, 1200, 300, None))
    3 calls, 1,200 + 300 tokens, cost unknown
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None

    def __str__(self) -> str:
        cost = "cost unknown" if self.cost is None else f"cost {self.cost:.4f}"
        return f"{self.calls:,} calls, {self.prompt_tokens:,} + {self.completion_tokens:,} tokens, {cost}"


class Ledger:
    """The ledger of all calls, at `path`; a missing folder is made, accessible to the user alone.

    Processes that work on one run share its name, and so its limits. `prices` maps a model to the price of a million
    prompt and of a million completion tokens. Nothing is opened before the first call or stays open between calls, so a
    ledger may be shared with threads and child processes. If the file cannot be used, calls go unrecorded with one line
    to `warn`; with limits set they raise an error.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        limits: Limits = Limits(),
        run: str | None = None,
        prices: Mapping[str, tuple[float, float]] | None = None,
        warn: Warn = warn_on_stderr,
    ) -> None:
        self.path = Path(path)
        self.limits = limits
        self.run = run or uuid.uuid4().hex
        self._prices = dict(prices or {})
        self._warn = warn
        self._complained = False

    def begin(self, *, model: str, host: str, purpose: str, expected: int) -> int | None:
        """Enter a call that is about to be made and takes at least `expected` tokens; return its number.

        Raises LimitReachedError if the run has no more calls or tokens, LlmError if limits cannot be enforced. A
        call's completion is only known afterwards: the tokens may exceed the limit by those of the calls under way.
        """
        try:
            with self._writing() as database:
                calls, tokens = database.execute(_SPENT, (self.run,)).fetchone()
                self._enforce(calls, tokens + expected)
                row = database.execute(
                    "insert into calls (run, at, model, host, purpose, outcome, expected) values (?,?,?,?,?,'open',?)",
                    (self.run, datetime.now(UTC).isoformat(timespec="milliseconds"), model, host, purpose, expected),
                )
                return row.lastrowid
        except (sqlite3.Error, OSError) as error:
            if self.limits:
                raise LlmError(
                    f"{self.path}: the ledger cannot be written ({reason(error)}), so limits cannot be kept"
                ) from None
            self._complain(error)
            return None

    def finish(self, call: int | None, outcome: Outcome, usage: Usage | None = None) -> None:
        """Enter how a call ended and the tokens that it used."""
        if call is None:
            return
        try:
            with self._writing() as database:
                entry = database.execute("select model from calls where id = ?", (call,)).fetchone()
                if entry is None:
                    raise sqlite3.DataError("the entry of a call is gone")
                database.execute(
                    "update calls set outcome=?, prompt_tokens=?, completion_tokens=?, estimated=?, cost=? where id=?",
                    (
                        outcome,
                        usage and usage.prompt,
                        usage and usage.completion,
                        usage and usage.estimated,
                        self._cost(entry[0], usage),
                        call,
                    ),
                )
        except (sqlite3.Error, OSError) as error:
            self._complain(error)

    def totals(self, calls: Sequence[int | None] | None = None) -> Totals:
        """Sum up this run, or just some calls of it by their numbers (None for one that went unrecorded).

        Requests that the server rejected do not count. Raises LlmError on a bad file.
        """
        unrecorded = calls.count(None) if calls is not None else 0
        if not self.path.exists() or (calls is not None and len(calls) == unrecorded):
            return Totals(unrecorded, 0, 0, None if unrecorded else 0.0)
        chosen = None if calls is None else json.dumps([call for call in calls if call is not None])
        try:
            with self._writing() as database:
                made, prompt, completion, unpriced, cost = database.execute(
                    "select count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),"
                    " coalesce(sum(cost is null), 0), coalesce(sum(cost), 0.0)"
                    " from calls where outcome != 'rejected' and run = ?"
                    " and (? is null or id in (select value from json_each(?)))",
                    (self.run, chosen, chosen),
                ).fetchone()
        except (sqlite3.Error, OSError) as error:
            raise LlmError(f"{self.path}: the ledger cannot be read: {reason(error)}") from None
        return Totals(made + unrecorded, prompt, completion, None if unpriced or unrecorded else cost)

    def _enforce(self, calls: int, tokens: int) -> None:
        most_calls, most_tokens = self.limits.max_calls, self.limits.max_tokens
        if most_calls is not None and calls >= most_calls:
            raise LimitReachedError(f"the limit of {most_calls:,} calls to language models is reached")
        if most_tokens is not None and tokens > most_tokens:
            raise LimitReachedError(f"the limit of {most_tokens:,} tokens does not allow for another call")

    def _cost(self, model: str, usage: Usage | None) -> float | None:
        if usage is None or usage.estimated or model not in self._prices:
            return None
        a_prompt, a_completion = self._prices[model]
        return (usage.prompt * a_prompt + usage.completion * a_completion) / 1e6

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            self._warn(f"{self.path}: calls to language models go unrecorded: {reason(error)}")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction that no other process can come between."""
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(self.path, timeout=LOCK_SECONDS, isolation_level=None)) as database:
            # Turning a new database to WAL takes an exclusive lock for which SQLite does not wait: another process that
            # holds it is doing the same, and the mode stays with the file.
            with suppress(sqlite3.OperationalError):
                database.execute("pragma journal_mode = wal")
            database.execute("begin immediate")
            try:
                database.execute(_TABLE)
                yield database
            except BaseException:
                database.execute("rollback")
                raise
            database.execute("commit")
