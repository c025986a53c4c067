"""The one place from which an evaluation speaks to servers: threads of the parent process.

Rate limits and budgets belong to a server and to a run, not to a worker: two processes with half a limit each enforce
it badly, and a cluster cannot enforce it at all. So there is one client per server, one pace, one ledger and one cache,
all in the parent, and any number of threads that wait for answers. Clue sets are read here as well, so that workers on
other machines need no files. Workers only search (:mod:`agent.evaluate.task`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from agent.candidates.provider import Cached, Metered, Provider
from agent.candidates.registry import chosen
from agent.config import Settings
from agent.errors import ProviderError
from agent.evaluate.lines import Spent
from agent.evaluate.task import Answers, Questions, RecordedProvider
from agent.network import is_local

ASKED_AT_ONCE = 4
"""Puzzles that providers are asked about at one time: as many as small accounts allow without rate limiting."""


def asked_at_once(settings: Settings) -> int:
    """Return for how many puzzles providers may be asked at one time.

    One if there is no network to wait for, or if a server runs on this machine, which has no more power to offer.

    >>> asked_at_once(Settings(model="qwen3", base_url="http://localhost:11434/v1", providers=("llm",)))
    1
    """
    servers = [entry.live.server(settings) for entry in chosen(settings.providers) if entry.live]
    is_waiting = servers and not settings.offline
    return ASKED_AT_ONCE if is_waiting and not any(map(is_local, servers)) else 1


class Inquiry:
    """The answers of the providers about one puzzle, and the usage they took."""

    def __init__(self, providers: Sequence[Provider], seed: int, most: int) -> None:
        self._providers = [
            provider.for_puzzle(seed) if isinstance(provider, Metered) else provider for provider in providers
        ]
        self._answers: list[dict[Questions, Answers | ProviderError]] = [{} for _ in providers]
        self._most = most
        self.seconds = 0.0

    def recorded(self) -> tuple[RecordedProvider, ...]:
        """Return the answers so far as providers for a worker, in the order of the real ones."""
        return tuple(
            RecordedProvider(
                provider.name, dict(answers), self._most, isinstance(provider, Cached) and provider.offline
            )
            for provider, answers in zip(self._providers, self._answers, strict=True)
        )

    def ask(self, questions: Questions) -> None:
        """Ask all providers except those that failed on this puzzle before, as `solve` does."""
        started = time.perf_counter()
        for provider, answers in zip(self._providers, self._answers, strict=True):
            if not any(isinstance(answer, ProviderError) and answer.found is None for answer in answers.values()):
                try:
                    answers[questions] = {slot: tuple(found) for slot, found in provider.propose(questions).items()}
                except ProviderError as error:
                    answers[questions] = error
        self.seconds += time.perf_counter() - started

    @property
    def limited(self) -> bool:
        """Whether a limit on calls or tokens kept a provider from being asked."""
        return any(provider.usage().limited for provider in self._metered())

    def usage(self) -> Spent:
        """Return the usage of servers, with the seconds of waiting for them."""
        used = [provider.usage() for provider in self._metered()]
        costs = [one.cost for one in used]
        return {
            "calls": sum(one.calls for one in used),
            "cache_hits": sum(one.cache_hits for one in used),
            "tokens": sum(one.tokens for one in used),
            "cost": None if None in costs else sum(cost for cost in costs if cost is not None),
            "waited": round(self.seconds, 4),
        }

    def _metered(self) -> list[Metered]:
        return [provider for provider in self._providers if isinstance(provider, Metered)]


class Asking:
    """Threads that ask providers."""

    def __init__(self, pool: ThreadPoolExecutor, at_once: int) -> None:
        self._pool = pool
        self.at_once = at_once

    def submit(self, inquiry: Inquiry, questions: Questions) -> Future[None]:
        """Ask in one of the threads."""
        return self._pool.submit(inquiry.ask, questions)


@contextmanager
def open_asking(at_once: int) -> Iterator[Asking]:
    """Start the threads; at the end requests that have not begun are dropped, and the others are waited for."""
    with ThreadPoolExecutor(at_once, thread_name_prefix="asking") as pool:
        try:
            yield Asking(pool, at_once)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
