"""Run many puzzles on any executor and yield a line for each as it is done.

    puzzles -> tasks -> executor -> line, or questions of the search -> answered in the parent -> task again

Puzzles are read as they are needed and lines are yielded as they come: only the puzzles under way are in memory.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from agent.candidates.registry import chosen
from agent.config import Settings
from agent.errors import UsageError
from agent.evaluate.asking import Asking, Inquiry, asked_at_once, open_asking
from agent.evaluate.executors import ExecutorChoice, ExecutorPool, open_pool
from agent.evaluate.lines import FailureLine, Line, ResultLine
from agent.evaluate.results import Results
from agent.evaluate.task import NeedsAnswers, TaskSettings, work
from agent.formats import CandidateInstance, Item
from agent.tools import DEFAULTS, Tools, open_tools
from agent.warn import Warn, ignore_warning

PUZZLES_PER_PROCESS = 40
"""With fewer puzzles than this a further process costs more to start than it saves."""
MOST_DEATHS = 2
"""Workers that may die of one puzzle, working on it alone, until it is given up."""
MOST_BARREN_DEATHS = 20
"""Consecutive deaths of workers with no puzzle finished, after which the machine is to blame, not a puzzle."""

WITHOUT_EFFECT = frozenset(
    {"api_key", "cache_dir", "data_dir", "max_calls", "max_tokens", "origins", "patience", "prices", "run"}
)
"""Settings that change no result: keys, folders, limits on what is asked, and the patience, which is ignored here."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Configuration:
    """How puzzles are solved: settings and clue sets. Its digest is part of every result's key.

    `label` is its name in reports; without one it is described.

    >>> str(Configuration(Settings(rounds=0), ("data/minis/minis_llm.clues.jsonl",)))
    'minis_llm + lexicon, rounds 0'
    """

    settings: Settings
    clue_sets: tuple[str, ...] = ()
    label: str = ""

    @property
    def digest(self) -> str:
        """Short hash of everything that can change a result."""
        fields = {name: value for name, value in asdict(self.settings).items() if name not in WITHOUT_EFFECT}
        sets = [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in self.clue_sets]
        editions = [entry.edition() for entry in chosen(self.settings.providers) if entry.edition]
        content = json.dumps([fields, sets, editions], default=str, sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def __str__(self) -> str:
        if self.label:
            return self.label
        settings = self.settings
        names = [Path(path).name.removesuffix(".jsonl").removesuffix(".clues") for path in self.clue_sets]
        names += [entry.variant(settings) or entry.name for entry in chosen(settings.providers)]
        changed = [
            f", {name} {getattr(settings, name):g}"
            for name in ("rounds", "threshold", "seconds", "sure")
            if getattr(settings, name) != getattr(DEFAULTS, name)
        ]
        return (" + ".join(names) or "no provider") + "".join(changed)


@dataclass(slots=True)
class Job:
    """A puzzle under way."""

    key: str
    seed: int
    item: Item
    inquiry: Inquiry
    deaths: int = 0


def keyed(items: Iterable[Item], configuration: Configuration, seeds: int = 1) -> Iterator[tuple[str, int, Item]]:
    """Yield (key, seed, puzzle) for each puzzle and seed: id, content, configuration and seed make the key."""
    digest = configuration.digest
    for number, item in enumerate(items, 1):
        content = hashlib.sha256(repr(item).encode("utf-8", "backslashreplace")).hexdigest()[:8]
        for seed in range(seeds):
            yield f"{item.id or number}|{content}|{digest}|{seed}", seed, item


def evaluate(
    items: Iterable[Item],
    configuration: Configuration,
    *,
    executor: ExecutorChoice = "processes",
    jobs: int = 0,
    asks: int = 0,
    seeds: int = 1,
    results: Results | None = None,
    warn: Warn = ignore_warning,
) -> Generator[Line, None, None]:
    """Solve puzzles and yield their result lines as they come; close the iterator to end early.

    `executor` names the workers (:mod:`agent.evaluate.executors`), `jobs` is their number (0: as many as are worth it),
    `asks` the number of puzzles that providers are asked about at one time (0: as suits the servers). Every puzzle is
    done once for each of `seeds` seeds; only the answers of a language model depend on them.

    Lines that `results` has are yielded from there and not run again, and all others are added to it, except for
    puzzles that ended in an error or that a limit on calls or tokens kept from being asked: those are not finished.
    The same puzzle given twice is done once. `warn` takes the warnings of providers, cache and results.
    Raises UsageError for an executor or provider that does not exist, and for clues that nothing was named to answer;
    OSError for a cluster that cannot be reached.
    """
    settings = configuration.settings
    if seeds > 1 and not any(entry.live and entry.live.uses_seed for entry in chosen(settings.providers)):
        raise UsageError("seeds make a difference to a language model only, and none is asked")
    items, jobs = (items, jobs) if jobs else choose_jobs(items)
    with (
        open_tools(settings, configuration.clue_sets, warn) as tools,
        open_asking(asks or asked_at_once(settings)) as asking,
        open_pool(executor, jobs=jobs) as pool,
    ):
        given = TaskSettings(tools.lexicon is not None, tools.rounds, tools.threshold, settings.seconds, tools.sure)
        run = _Run(given, tools, asking, pool, str(configuration), results)
        yield from run.lines(keyed(_answerable(items, tools), configuration, seeds))


def _answerable(items: Iterable[Item], tools: Tools) -> Iterator[Item]:
    """Yield the puzzles. Raises UsageError at one that has clues if there is nothing to answer them."""
    for item in items:
        if not isinstance(item, CandidateInstance):
            tools.expect_answers()
        yield item


def choose_jobs(items: Iterable[T]) -> tuple[Iterable[T], int]:
    """Return all the puzzles, and how many processes are worth starting for their number.

    >>> choose_jobs("ab")[1]
    1
    """
    rest, cores = iter(items), os.cpu_count() or 1
    first = list(islice(rest, cores * PUZZLES_PER_PROCESS))
    return chain(first, rest), max(1, len(first) // PUZZLES_PER_PROCESS)


class _Run:
    """The puzzles under way: each is with a worker, being asked about, or ready to go to a worker again.

    When a worker of a pool dies, the pool is broken, and it is unknown which puzzle did it. All puzzles of the pool are
    suspects then: they get a new pool, one at a time, until each is done or has killed its workers on its own.
    """

    def __init__(
        self,
        task: TaskSettings,
        tools: Tools,
        asking: Asking,
        pool: ExecutorPool,
        label: str,
        results: Results | None,
    ) -> None:
        self.task = task
        self.tools = tools
        self.asking = asking
        self.pool = pool
        self.label = label
        self.results = results
        self.came: SimpleQueue[Callable[[], Line | None]] = SimpleQueue()
        self.asked = 0
        self.working = 0
        self.ready: deque[Job] = deque()
        self.suspects: deque[Job] = deque()
        self.on_trial: Job | None = None
        self.broken = False
        self.barren_deaths = 0

    def lines(self, todo: Iterable[tuple[str, int, Item]]) -> Iterator[Line]:
        """Yield all lines as they come."""
        most, seen = self.pool.most + 2 * self.asking.at_once, set[str]()
        for key, seed, item in todo:
            if key in seen:
                continue
            seen.add(key)
            if self.results is not None and key in self.results:
                yield self.results.line(key)
                continue
            while self.under_way >= most:
                yield from self.step()
            # every round asks once, the first look is not counted as one, and a puzzle without a grid asks once more
            self.ready.append(Job(key, seed, item, Inquiry(self.tools.providers, seed, self.task.rounds + 2)))
        while self.under_way:
            yield from self.step()

    @property
    def under_way(self) -> int:
        """Number of puzzles that are begun and not done."""
        return self.asked + self.working + len(self.ready) + len(self.suspects)

    def step(self) -> Iterator[Line]:
        """Submit all tasks that can be, and take the next result; yield its line if a puzzle is done."""
        self.hand_out()
        while not (self.working or self.asked):  # the executor broke before it took any task
            self.hand_out()
        line = self.came.get()()
        if line is not None:
            yield line

    def hand_out(self) -> None:
        """Submit the puzzles that the executor may have now."""
        if self.broken and not self.working:
            self.pool.renew()
            self.broken = False
        if self.suspects and not self.on_trial and not self.working:
            self.on_trial = self.suspects.popleft()
            self.submit(self.on_trial)
        while self.ready and not (self.suspects or self.on_trial or self.broken) and self.working < self.pool.most:
            self.submit(self.ready.popleft())

    def submit(self, job: Job) -> None:
        """Submit a puzzle."""
        try:
            future = self.pool.executor.submit(work, self.task, job.item, job.inquiry.recorded())
        except BrokenExecutor:  # it did not take the puzzle
            self.note_death()
            (self.suspects if self.on_trial is job else self.ready).appendleft(job)
            self.on_trial = None
            return
        self.working += 1
        future.add_done_callback(lambda done: self.came.put(partial(self.came_back, job, done)))

    def came_back(self, job: Job, future: Future[ResultLine | NeedsAnswers]) -> Line | None:
        """Receive a puzzle from the executor: done, with questions, or lost."""
        self.working -= 1
        was_alone, self.on_trial = self.on_trial is job, None
        try:
            found = future.result()
        except BrokenExecutor:
            return self.worker_died(job, was_alone=was_alone)
        except CancelledError as error:
            raise ConnectionError("the executor dropped a task: is its scheduler gone?") from error
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to this puzzle's line
            return self.done(job, failure(job, error))
        if isinstance(found, NeedsAnswers):
            self.asked += 1
            answered = self.asking.submit(job.inquiry, found.questions)
            answered.add_done_callback(lambda done: self.came.put(partial(self.answers_came, job, done)))
            return None
        return self.done(job, {**found, "seed": job.seed, **job.inquiry.usage()})

    def answers_came(self, job: Job, future: Future[None]) -> Line | None:
        """Resume a puzzle whose questions were answered."""
        self.asked -= 1
        try:
            future.result()
        except Exception as error:  # noqa: BLE001 - a fault of a provider's own belongs to this puzzle's line
            return self.done(job, failure(job, error))
        self.ready.append(job)
        return None

    def worker_died(self, job: Job, *, was_alone: bool) -> Line | None:
        """Make a puzzle of a broken pool a suspect, or give it up."""
        self.note_death()
        job.deaths += was_alone
        if job.deaths >= MOST_DEATHS:
            return self.done(job, failure(job, RuntimeError(f"{job.deaths} workers died of it")))
        self.suspects.append(job)
        return None

    def note_death(self) -> None:
        """Have the executor renewed. Raises OSError if that has been useless for long."""
        if not self.broken:
            self.broken = True
            self.barren_deaths += 1
            if self.barren_deaths > MOST_BARREN_DEATHS:
                raise OSError(f"{self.barren_deaths} workers died one after the other: is there too little memory?")

    def done(self, job: Job, line: Line) -> Line:
        """Store a line if its puzzle is finished, and return it."""
        if "error" not in line:
            self.barren_deaths = 0
            if self.results is not None and not job.inquiry.limited:
                self.results.add(job.key, self.label, line)
        return line


def failure(job: Job, error: Exception) -> FailureLine:
    """Return the line of a puzzle that failed, so that the others go on."""
    return {"id": job.item.id, "seed": job.seed, "error": f"{type(error).__name__}: {error}"}
