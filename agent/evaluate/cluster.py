"""A Dask cluster as an executor, and the only importer of `distributed` (extra `cluster`).

    dask scheduler --port 8786                        # on one machine
    dask worker tcp://HOST:8786 --nthreads 1          # on each machine, one for each core
    gridwright evaluate ... --executor dask://HOST:8786

Whole puzzles are the tasks. A worker that dies loses none: the scheduler gives its puzzles to the others, and gives
up a puzzle that was on too many dying workers (`distributed.scheduler.allowed-failures`). Workers need the same version
of gridwright, and nothing else: no files, no keys, no other network connection.
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
"""Time for a scheduler to answer: a running one does so in a fraction of a second."""
WORKERS_SECONDS = 60.0
"""Time to wait for the first worker, which may have been started together with the scheduler."""
LOGGED_MESSAGES = 10
"""Messages to the scheduler that Dask keeps for debugging, each with its puzzle; its default is a thousand."""


@contextmanager
def connect(address: str) -> Iterator[tuple[Callable[[], Executor], int]]:
    """Connect to a scheduler; yield a function that makes an executor of it, and the number of its workers' threads.

    Raises UsageError if the extra is not installed, the address is invalid or a worker has another version of
    gridwright, OSError if no scheduler answers or no worker appears.
    """
    if find_spec("distributed") is None:
        raise UsageError(f"{address} needs the extra: pip install 'gridwright[cluster]'")
    import dask
    from distributed import Client

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # our own messages say what users must know
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
    """Return the version of gridwright that a worker has."""
    return __version__


class DaskExecutor(Executor):
    """Dask's own executor, with the standard library's shutdown and lightweight tasks.

    A task is sent as bytes: otherwise the scheduler would read each puzzle into objects, which is slow, and keep them
    for as long as its logs do.
    """

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a task to the scheduler."""
        return self._inner.submit(run_pickled, pickle.dumps((function, args, kwargs)))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more tasks, and wait for those under way or, as Dask cannot do both, drop them."""
        self._inner.shutdown(wait=wait and not cancel_futures)


def run_pickled(task: bytes) -> Any:
    """Run a task on a worker."""
    function, args, kwargs = pickle.loads(task)  # noqa: S301  # from the parent, over the connection that also brings its code
    return function(*args, **kwargs)
