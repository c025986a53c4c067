"""Executors for the search: processes, threads, a Dask cluster, or any `concurrent.futures.Executor`."""

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
"""Puzzles submitted per worker, so that none waits for the parent. More would help a cluster, whose network is slower
than a pipe, but its scheduler holds them too, and they make up the memory of a run. Not fitted."""

ExecutorChoice = str | Callable[[], Executor]
"""A name, or a function that makes an executor; it is called again when the executor's workers died."""

NAMES = "processes, threads or dask://HOST:PORT"


class ExecutorPool:
    """An executor that can be replaced when its workers died, and the number of puzzles it may have at a time.

    >>> with open_pool("threads", jobs=2) as pool:
    ...     pool.executor.submit(len, "four").result(), pool.most
    (4, 8)
    """

    def __init__(self, start: Callable[[], Executor], workers: int) -> None:
        self.most = AHEAD * workers
        self._start = start
        self.executor = start()

    def renew(self) -> None:
        """Replace the executor."""
        self.close()
        self.executor = self._start()

    def close(self) -> None:
        """End the workers; tasks that have not begun are dropped."""
        self.executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def open_pool(choice: ExecutorChoice, *, jobs: int) -> Iterator[ExecutorPool]:
    """Open an executor with `jobs` workers (a cluster has its own number), and close it at the end.

    With one job the search runs in a thread here; a separate process would only add a pipe. Raises UsageError for an
    unknown name, OSError if there is no cluster at the address.
    """
    with _opened(choice, jobs) as (start, workers):
        pool = ExecutorPool(start, workers)
        try:
            yield pool
        finally:
            pool.close()


@contextmanager
def _opened(choice: ExecutorChoice, jobs: int) -> Iterator[tuple[Callable[[], Executor], int]]:
    """Yield a function that starts an executor, and its number of workers."""
    if callable(choice):
        yield choice, jobs
    elif choice.startswith(cluster.SCHEME):
        with cluster.connect(choice) as connected:
            yield connected
    else:
        yield _local(choice, jobs), jobs


def _local(name: str, jobs: int) -> Callable[[], Executor]:
    if name not in {"processes", "threads"}:
        raise UsageError(f"unknown executor {name}; expected {NAMES}")
    if name == "threads" or jobs == 1:
        return lambda: ThreadPoolExecutor(jobs, thread_name_prefix="search")
    return lambda: ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_tie_to_parent)


def _context() -> multiprocessing.context.BaseContext:
    """Start processes from a clean one: a fork of a parent with threads and databases would inherit their locks."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["agent.evaluate.task"])  # imported once, and not by every worker: 0.3 s each
    return context


def _tie_to_parent() -> None:
    """Tie the worker's lifetime to its parent: ignore Ctrl-C, exit when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes: the parent ends the workers
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker when the process that started it is gone, for whatever reason."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
