"""Searches on any `concurrent.futures` executor: processes of this machine, or a cluster's. An interrupted run resumes.

A search crosses the border of a process as a domain's name and sources, never as functions. Outcomes come as they end.
If a worker dies, it is unknown which search did it: those under way are repeated one at a time, and one that dies alone
is given up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Protocol

from agent.autotos.domain import Domain, Instance, Role, show
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.search import DEFAULT_LIMITS, SearchLimits, SearchRun, Strategy, run_pair, run_trusted


@dataclass(frozen=True, slots=True)
class Search:
    """A search that can be sent to a process: with the sources of a pair or, without any, by the trusted functions.

    `is_pruned` has the trusted functions return only the successors that are enough.

    >>> from agent.autotos.domains.game24 import GAME24
    >>> Search(GAME24, None, "native")(Instance("", [24, 1]), "bfs").moves
    1
    """

    domain: Domain
    sources: Mapping[Role, str] | None
    backend: Backend
    limits: SearchLimits = DEFAULT_LIMITS
    is_pruned: bool = False

    def __call__(self, instance: Instance, strategy: Strategy) -> SearchRun:
        """Search an instance in one order."""
        if self.sources is not None:
            return run_pair(self.domain, instance, self.sources, self.backend, strategy, self.limits)
        keep = self.domain.enough if self.is_pruned else None
        return run_trusted(self.domain, instance, strategy, self.limits, keep)

    def key(self, instance: Instance, strategy: Strategy) -> str:
        """Return a name for the search of an instance: the same for the same question."""
        asked = (show(asdict(instance)), show([self.domain.name, self.sources, asdict(self.limits), self.is_pruned]))
        digests = [hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12] for text in asked]
        return "|".join([instance.name, *digests, strategy])


class Pool(Protocol):
    """Workers that can be replaced if one died: :class:`agent.evaluate.executors.ExecutorPool`."""

    executor: Executor
    most: int

    def renew(self) -> None:
        """Replace the executor."""


class Kept(Protocol):
    """Outcomes on disk: :class:`agent.evaluate.results.Results`."""

    def __contains__(self, key: str) -> bool: ...

    def line(self, key: str) -> Any:
        """Return what was kept."""

    def add(self, key: str, configuration: str, line: Any) -> None:
        """Keep an outcome."""


def farmed(
    search: Search, instances: Sequence[Instance], strategy: Strategy, pool: Pool, kept: Kept | None = None
) -> Iterator[SearchRun]:
    """Yield the runs of all instances as they end; those that `kept` has are not made again, and new ones are added."""
    new = []
    for instance in instances:
        key = search.key(instance, strategy)
        if kept is not None and key in kept:
            yield SearchRun(**kept.line(key))
        else:
            new.append(instance)
    for instance, run in _searched(search, new, strategy, pool):
        if kept is not None:
            kept.add(search.key(instance, strategy), search.domain.name, asdict(run))
        yield run


def _searched(
    search: Search, instances: Sequence[Instance], strategy: Strategy, pool: Pool
) -> Iterator[tuple[Instance, SearchRun]]:
    waiting, suspects = iter(instances), list[Instance]()
    under_way: dict[Future[SearchRun], Instance] = {}
    while True:
        for instance in islice(waiting, pool.most - len(under_way)):
            under_way[pool.executor.submit(search, instance, strategy)] = instance
        if not under_way:
            break
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        if any(isinstance(future.exception(), BrokenExecutor) for future in done):
            suspects += under_way.values()
            under_way.clear()
            pool.renew()
            continue
        for future in done:
            yield under_way.pop(future), future.result()
    for instance in suspects:
        try:
            yield instance, pool.executor.submit(search, instance, strategy).result()
        except BrokenExecutor:
            pool.renew()
            yield instance, SearchRun(instance.name, "died: the process that searched ended", False, 0, 0, 0, 0.0)
