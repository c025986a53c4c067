"""Who does the searching: any `concurrent.futures.Executor`, by name processes, threads or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager

from agent.errors import UsageError
from agent.evaluate import cluster

AHEAD = 4
"""Puzzles handed to each worker beyond those it works on, so that none waits for the parent; a cluster's network takes
longer than a pipe, but its scheduler keeps them as well, and their memory is what bounds the run's. Not fitted."""

Kind = str | Callable[[], Executor]
"""A name, or what makes any executor of the standard library's interface; it is called again when its workers died."""

NAMES = "processes, threads or dask://HOST:PORT"


class ExecutorPool:
    """An executor that can be opened again when its workers died, and how many puzzles it may have at a time.

    >>> with open_pool("threads", jobs=2) as pool:
    ...     pool.executor.submit(len, "four").result(), pool.most
    (4, 8)
    """

    def __init__(self, start: Callable[[], Executor], workers: int) -> None:
        self.most = AHEAD * workers
        self._start = start
        self.executor = start()

    def renew(self) -> None:
        """Put a new executor in the place of one whose workers died."""
        self.close()
        self.executor = self._start()

    def close(self) -> None:
        """End the workers; what has not begun is not begun."""
        self.executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def open_pool(kind: Kind, *, jobs: int) -> Iterator[ExecutorPool]:
    """Open an executor with `jobs` workers (a cluster has as many as it has), and close it at the end.

    One process is none: it would be this one with a pipe in between. Raises UsageError for an unknown name, OSError
    where there is no cluster at the address.
    """
    with _opened(kind, jobs) as (start, workers):
        pool = ExecutorPool(start, workers)
        try:
            yield pool
        finally:
            pool.close()


@contextmanager
def _opened(kind: Kind, jobs: int) -> Iterator[tuple[Callable[[], Executor], int]]:
    """Yield what starts an executor, and how many workers it has."""
    if callable(kind):
        yield kind, jobs
    elif kind.startswith(cluster.SCHEME):
        with cluster.connect(kind) as connected:
            yield connected
    else:
        yield _local(kind, jobs), jobs


def _local(name: str, jobs: int) -> Callable[[], Executor]:
    if name not in {"processes", "threads"}:
        raise UsageError(f"there is no executor {name}: expected {NAMES}")
    if name == "threads" or jobs == 1:
        return lambda: ThreadPoolExecutor(jobs, thread_name_prefix="search")
    return lambda: ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_tie_to_parent)


def _context() -> multiprocessing.context.BaseContext:
    """Start processes from a clean one: a fork of a parent with threads and open databases inherits their locks."""
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")


def _tie_to_parent() -> None:
    """Make a worker one that ends with its parent, and only with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all: the parent hears it, and ends the workers
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the process that started it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
