"""The evaluation run: search with a function pair from outside, and judge success outside.

The parent keeps frontier, closed set and counters; the worker only returns the successors of a batch of states. Counts
are those of the published runs: a state is examined when it is popped for the first time, a goal is not an expansion,
and every successor returned counts as generated.

States are sent packed, one character per cell, and in batches: the states that would be popped next go along with the
one that is needed. That work is wasted only if the search ends, as each of them is expanded once.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, get_args

from agent.autotos.domain import ROLES, Domain, Instance, Role, State, pack, unpack
from agent.autotos.sandbox import Limits, Worker
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.session import LoadError, load_function
from agent.closing import Closing
from agent.errors import SandboxError

Strategy = Literal["dfs", "bfs", "best-first"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Expanded = tuple[bool, str]
Expand = Callable[[Sequence[str]], list[Expanded]]

BATCH = 64
"""States per request: with 8 the round trips cost a quarter of the time, with 64 almost nothing."""
LOAD_SECONDS = 20.0
"""Wall time to execute a source."""
BATCH_SECONDS = 20.0
"""Wall time of one batch, after which the pair counts as hanging."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of the search of one instance: seconds, expansions, and states kept (about 150 bytes each).

    >>> SearchLimits().expansions
    2000000
    """

    seconds: float = 60.0
    expansions: int = 2_000_000
    states: int = 10_000_000


DEFAULT_LIMITS = SearchLimits()


@dataclass(frozen=True, slots=True)
class SearchRun:
    """The search of one instance; `ended` is solved, false goal, exhausted, budget, or a worker's failure.

    `solved` is judged by the trusted goal test alone.
    """

    instance: str
    ended: str
    solved: bool
    expansions: int
    generated: int
    duplicates: int
    seconds: float
    goal: str = ""


class _Frontier:
    """Packed states in the order of a strategy."""

    def __init__(self, strategy: Strategy, priority: Callable[[str], float]) -> None:
        self.strategy = strategy
        self.priority = priority
        self.stack: list[str] = []
        self.queue: deque[str] = deque()
        self.heap: list[tuple[float, int, str]] = []
        self.tick = 0

    def push(self, states: list[str]) -> None:
        if self.strategy == "dfs":
            self.stack += states
        elif self.strategy == "bfs":
            self.queue += states
        else:
            for state in states:
                self.tick -= 1  # among equals, the newest first
                heapq.heappush(self.heap, (self.priority(state), self.tick, state))

    def pop(self) -> str:
        if self.strategy == "dfs":
            return self.stack.pop()
        return self.queue.popleft() if self.strategy == "bfs" else heapq.heappop(self.heap)[2]

    def __len__(self) -> int:
        return len(self.stack) + len(self.queue) + len(self.heap)

    def next(self, count: int) -> Iterable[str]:
        """Return the states that are likely popped next; a heap's first entries are only roughly its least."""
        if self.strategy == "dfs":
            return reversed(self.stack[-count:])
        if self.strategy == "bfs":
            return islice(self.queue, count)
        return [entry[2] for entry in self.heap[:count]]


def search(
    domain: Domain,
    instance: Instance,
    expand: Expand,
    strategy: Strategy = "dfs",
    limits: SearchLimits = DEFAULT_LIMITS,
) -> SearchRun:
    """Search one instance with `expand`, which returns for packed states whether each is a goal, and its successors.

    Best-first uses the domain's priority. A state that `expand` calls a goal ends the search; the trusted test decides
    whether it is one.
    """
    width = len(instance.start[0])
    size = width * len(instance.start)
    frontier = _Frontier(strategy, lambda state: domain.priority(unpack(state, width)))
    frontier.push([pack(instance.start)])
    closed: set[str] = set()
    known: dict[str, Expanded] = {}
    expansions = generated = duplicates = 0
    started = time.perf_counter()
    ended, goal = "exhausted", ""
    while len(frontier):
        state = frontier.pop()
        if state in closed:
            duplicates += 1
            continue
        if (
            expansions >= limits.expansions
            or len(frontier) + len(closed) > limits.states
            or time.perf_counter() - started > limits.seconds
        ):
            ended = "budget"
            break
        answer = known.pop(state, None)
        if answer is None:
            wanted = {state: None}
            for other in frontier.next(BATCH):
                if other not in closed and other not in known:
                    wanted[other] = None
            batch = list(wanted)
            try:
                known.update(zip(batch, expand(batch), strict=True))
            except SandboxError as failure:
                ended = f"{failure.kind}: {failure.detail}"
                break
            answer = known.pop(state)
        closed.add(state)
        if answer[0]:
            goal = state
            ended = "solved" if domain.is_goal(unpack(state, width), instance.arguments) else "false goal"
            break
        expansions += 1
        text = answer[1]
        children = [text[at : at + size] for at in range(0, len(text), size)]
        generated += len(children)
        frontier.push(children)
    seconds = time.perf_counter() - started
    return SearchRun(instance.name, ended, ended == "solved", expansions, generated, duplicates, seconds, goal)


def every(state: State, children: set[State]) -> list[State]:
    """Return all successors, in an order that does not depend on hashes."""
    del state
    return sorted(children, key=repr)


def trusted(domain: Domain, instance: Instance, keep: Callable[[State, set[State]], list[State]] = every) -> Expand:
    """Return the trusted functions of a domain in the form that `search` takes; `keep` may prune the successors."""
    width = len(instance.start[0])

    def expand(states: Sequence[str]) -> list[Expanded]:
        answers: list[Expanded] = []
        for packed in states:
            state = unpack(packed, width)
            if domain.is_goal(state, instance.arguments):
                answers.append((True, ""))
            else:
                children = keep(state, domain.successors(state, instance.arguments))
                answers.append((False, "".join(map(pack, children))))
        return answers

    return expand


class Pair(Closing):
    """A successor and a goal function in one worker, called batch by batch; use it as a context manager.

    Raises SandboxError if the worker fails, LoadError if a source does not load.
    """

    def __init__(self, domain: Domain, sources: Mapping[Role, str], backend: Backend, limits: Limits) -> None:
        self._worker = Worker(backend, limits)
        self._items = limits.items
        try:
            for role in ROLES:
                load_function(self._worker, sources[role], role, domain, LOAD_SECONDS)
        except (SandboxError, LoadError):
            self._worker.close()
            raise

    def bind(self, instance: Instance) -> Expand:
        """Return the pair's `expand` for one instance."""
        size = len(instance.start[0]) * len(instance.start)
        self._worker.request("bind", arguments=list(instance.arguments), width=len(instance.start[0]))

        def expand(states: Sequence[str]) -> list[Expanded]:
            answer = self._worker.request("expand", BATCH_SECONDS, states=states, limit=self._items)
            if "error" in answer:
                where = f" in the {answer['role']} function, line {answer['line']}" if answer.get("role") else ""
                raise SandboxError("died", f"{answer['error']}: {answer.get('message', '')}{where}")
            return [checked(item, size) for item in checked_list(answer.get("answers"), len(states))]

        return expand

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def checked_list(answers: Any, count: int) -> list[Any]:
    """Return a claim if it is a list of `count` answers. Raises SandboxError."""
    if type(answers) is not list or len(answers) != count:
        raise SandboxError("protocol", "not one answer for each state")
    return answers


def checked(item: Any, size: int) -> Expanded:
    """Return one claim if it is a truth value and packed states of `size` cells. Raises SandboxError.

    >>> checked([False, "ab"], 2)
    (False, 'ab')
    """
    if type(item) is not list or len(item) != 2 or type(item[0]) is not bool or type(item[1]) is not str:
        raise SandboxError("protocol", "an answer without the agreed form")
    if len(item[1]) % size:
        raise SandboxError("protocol", "successors that are not whole grids")
    return item[0], item[1]


def run_pair(
    domain: Domain,
    instances: Sequence[Instance],
    sources: Mapping[Role, str],
    backend: Backend,
    strategy: Strategy = "dfs",
    limits: SearchLimits = DEFAULT_LIMITS,
) -> list[SearchRun]:
    """Search every instance with a pair of functions (role -> source), each in a fresh worker."""
    runs = []
    for instance in instances:
        sandbox = Limits(cpu=int(limits.seconds) * 2 + 10)
        try:
            with Pair(domain, sources, backend, sandbox) as pair:
                runs.append(search(domain, instance, pair.bind(instance), strategy, limits))
        except (SandboxError, LoadError) as failure:
            runs.append(SearchRun(instance.name, str(failure), False, 0, 0, 0, 0.0))
    return runs


def run_trusted(
    domain: Domain,
    instances: Sequence[Instance],
    strategy: Strategy = "dfs",
    limits: SearchLimits = DEFAULT_LIMITS,
    functions: Callable[[Domain, Instance], Expand] = trusted,
) -> list[SearchRun]:
    """Search every instance with trusted functions."""
    return [search(domain, instance, functions(domain, instance), strategy, limits) for instance in instances]


def totals(runs: Sequence[SearchRun]) -> SearchRun:
    """Add up the runs of many instances.

    >>> totals([SearchRun("a", "solved", True, 1, 2, 3, 0.5)]).ended
    '1/1 solved'
    """
    solved = sum(run.solved for run in runs)
    total = SearchRun("all", f"{solved}/{len(runs)} solved", solved == len(runs), 0, 0, 0, 0.0)
    for run in runs:
        total = replace(
            total,
            expansions=total.expansions + run.expansions,
            generated=total.generated + run.generated,
            duplicates=total.duplicates + run.duplicates,
            seconds=total.seconds + run.seconds,
        )
    return total
