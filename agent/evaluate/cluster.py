"""A Dask cluster as an executor, and the only importer of `distributed` (extra `cluster`).

    dask scheduler --port 8786                        # on one machine
    dask worker tcp://HOST:8786 --nthreads 1          # on each machine, one for each core
    gridwright evaluate ... --executor dask://HOST:8786

Whole puzzles are the tasks. A worker that dies loses none: the scheduler gives its puzzles to the others, and gives
up a puzzle that was on too many dying workers (`distributed.scheduler.allowed-failures`). Workers need gridwright in
the same version, and nothing else: no files, no keys, no network of their own.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, ParamSpec, TypeVar

from agent import __version__
from agent.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")

SCHEME = "dask://"
CONNECT_SECONDS = 10.0
"""How long a scheduler may take to answer: one that is there does so in a fraction of a second."""
WORKERS_SECONDS = 60.0
"""How long to wait for the first worker: they may have been started together with the scheduler."""
LOGGED_MESSAGES = 10
"""Messages to the scheduler that Dask keeps for its developers, each with its puzzle; by default it is a thousand."""


@contextmanager
def connect(address: str) -> Iterator[tuple[Callable[[], Executor], int]]:
    """Connect to a scheduler; yield what makes an executor of it, and how many threads its workers have.

    Raises UsageError where the extra is not installed, the address makes no sense or a worker has another version of
    gridwright, OSError where no scheduler answers or no worker comes.
    """
    if find_spec("distributed") is None:
        raise UsageError(f"{address} needs the extra: pip install 'gridwright[cluster]'")
    import dask
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what users must know, we say ourselves
    try:
        with dask.config.set({"distributed.admin.low-level-log-length": LOGGED_MESSAGES}):
            client = Client("tcp://" + address.removeprefix(SCHEME), timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise OSError(f"no Dask scheduler answers at {address}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except TimeoutError as error:
            raise OSError(f"the Dask scheduler at {address} has no workers") from error
        for worker, version in client.run(worker_version, on_error="return").items():
            if version != __version__:
                raise UsageError(f"{worker}: expected a worker with gridwright {__version__}, found {version}")
        yield lambda: DaskExecutor(client.get_executor(pure=False)), sum(client.nthreads().values())


def worker_version() -> str:
    """Say which gridwright a worker has."""
    return __version__


class DaskExecutor(Executor):
    """Dask's own executor, with the shutdown that the standard library's have and tasks that weigh little.

    A task goes as bytes: otherwise the scheduler would read each puzzle into objects, which takes its time, and keep
    them for as long as its logs reach back.
    """

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand a task to the scheduler."""
        return self._inner.submit(run_pickled, pickle.dumps((function, args, kwargs)))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks, and wait for those under way or, as Dask cannot do both, have them dropped."""
        self._inner.shutdown(wait=wait and not cancel_futures)


def run_pickled(task: bytes) -> Any:
    """Run a task on a worker."""
    function, args, kwargs = pickle.loads(task)  # noqa: S301  # the parent's, over the connection that brings its code
    return function(*args, **kwargs)
