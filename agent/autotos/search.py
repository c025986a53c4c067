"""The evaluation run: search with a function pair from outside, and judge success outside.

The parent keeps frontier, visited states and counters; the worker only returns the successors of a batch of states.
Counts are those of the published runs: a state is examined when it is popped for the first time, a goal is not an
expansion, and every successor returned counts as generated. A search is solved if the trusted goal test accepts its
last state and trusted moves lead there, step by step, along its path.

States are sent packed, as one text each (:mod:`agent.autotos.packing`), and in batches: the states that would be popped
next go along with the one that is needed. That work is wasted only if the search ends, as each is expanded once.
"""

from __future__ import annotations

import heapq
import sys
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, Literal, get_args

from agent.autotos.domain import ROLES, Domain, Instance, Role, State
from agent.autotos.forms import Misfit
from agent.autotos.packing import Packed, Packing, packing_of, unpacked
from agent.autotos.sandbox import Limits, Worker
from agent.autotos.sandbox.supervisor import Backend
from agent.autotos.sandbox.wire import Unfit, encode
from agent.autotos.session import LoadError, load_function
from agent.closing import Closing
from agent.errors import SandboxError

if sys.platform == "linux":
    from resource import RUSAGE_SELF, getrusage

Strategy = Literal["dfs", "bfs", "best-first"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Expanded = tuple[bool, Sequence[Packed]]
Expand = Callable[[Sequence[Packed]], list[Expanded]]
"""Takes packed states; returns for each whether it is a goal, and else its packed successors."""

LOAD_SECONDS = 60.0
"""Wall time to execute the top level of a source, also on a busy machine."""
BATCH = 64
"""States per request: with 8 the round trips cost a quarter of the time, with 64 almost nothing."""
BATCH_SECONDS = 60.0
"""Wall time of one batch, after which the pair counts as hanging."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of the search of one instance: seconds, expansions, and states kept (about 300 bytes each).

    >>> SearchLimits().expansions
    2000000
    """

    seconds: float = 60.0
    expansions: int = 2_000_000
    states: int = 10_000_000


DEFAULT_LIMITS = SearchLimits()


@dataclass(frozen=True, slots=True)
class SearchRun:
    """The search of one instance; `ended` is solved, false goal, false path, exhausted, budget, or a worker's failure.

    `solved` is judged by the trusted functions alone. `moves` is the length of the path to the goal, `kept` the
    greatest number of states kept at one time, `as_known` whether the outcome is the one that is known for the
    instance: solvable or not, and for breadth-first search the least number of moves; None if nothing is known. `peak`
    is the greatest memory in MiB of the process until the end of the search.
    """

    instance: str
    ended: str
    solved: bool
    expansions: int
    generated: int
    duplicates: int
    seconds: float
    goal: str = ""
    moves: int | None = None
    kept: int = 0
    peak: int = 0
    as_known: bool | None = None


Entry = tuple[Packed, Packed | None]
"""A packed state and the one that it was reached from."""


class _Frontier:
    """Packed states with their parents, in the order of a strategy."""

    def __init__(self, strategy: Strategy, priority: Callable[[Packed], float]) -> None:
        self.strategy = strategy
        self.priority = priority
        self.stack: list[Entry] = []
        self.queue: deque[Entry] = deque()
        self.heap: list[tuple[float, int, Entry]] = []
        self.tick = 0

    def push(self, states: Iterable[Packed], parent: Packed | None) -> None:
        entries = [(state, parent) for state in states]
        if self.strategy == "dfs":
            self.stack += entries
        elif self.strategy == "bfs":
            self.queue += entries
        else:
            for entry in entries:
                self.tick -= 1  # among equals, the newest first
                heapq.heappush(self.heap, (self.priority(entry[0]), self.tick, entry))

    def pop(self) -> Entry:
        if self.strategy == "dfs":
            return self.stack.pop()
        return self.queue.popleft() if self.strategy == "bfs" else heapq.heappop(self.heap)[2]

    def __len__(self) -> int:
        return len(self.stack) + len(self.queue) + len(self.heap)

    def next(self, count: int) -> Iterable[Packed]:
        """Return the states that are likely popped next; a heap's first entries are only roughly its least."""
        if self.strategy == "dfs":
            return (state for state, _ in reversed(self.stack[-count:]))
        if self.strategy == "bfs":
            return (state for state, _ in islice(self.queue, count))
        return (entry[0] for _, _, entry in self.heap[:count])


def search(
    domain: Domain,
    instance: Instance,
    expand: Expand,
    strategy: Strategy = "dfs",
    limits: SearchLimits = DEFAULT_LIMITS,
    packing: Packing | None = None,
) -> SearchRun:
    """Search one instance with `expand`; `packing` is that of its states, by default the states themselves.

    Best-first uses the domain's priority. A state that `expand` calls a goal ends the search.
    """
    packing = packing or unpacked(domain)
    frontier = _Frontier(strategy, lambda state: domain.priority(packing.unpack(state)))
    frontier.push([packing.pack(instance.start)], None)
    came: dict[Hashable, Packed | None] = {}
    known: dict[Packed, Expanded] = {}
    expansions = generated = duplicates = kept = 0
    started = time.perf_counter()
    ended = "exhausted"
    path: list[State] = []
    try:
        while len(frontier):
            kept = max(kept, len(frontier) + len(came))
            state, parent = frontier.pop()
            key = packing.key(state)
            if key in came:
                duplicates += 1
                continue
            if expansions >= limits.expansions or kept > limits.states or _late(started, limits):
                ended = "budget"
                break
            answer = known.pop(packing.name(state), None)
            if answer is None:
                batch = {packing.name(state): state}
                for other in frontier.next(BATCH) if packing.is_remote else ():
                    if packing.name(other) not in known:
                        batch[packing.name(other)] = other
                known.update(zip(batch, expand(list(batch.values())), strict=True))
                answer = known.pop(packing.name(state))
            came[key] = parent
            if answer[0]:
                path = _path(state, came, packing)
                ended = _outcome(domain, instance, path)
                break
            expansions += 1
            generated += len(answer[1])
            frontier.push(answer[1], state)
    except SandboxError as failure:
        ended = f"{failure.kind}: {failure.detail}"
    except (Misfit, Unfit) as misfit:
        ended = f"wrong-type: a successor {misfit}"
    seconds = time.perf_counter() - started
    solved = ended == "solved"
    run = SearchRun(instance.name, ended, solved, expansions, generated, duplicates, seconds, kept=kept, peak=_peak())
    if path:
        run = replace(run, goal=packing.text(path[-1]), moves=len(path) - 1)
    return replace(run, as_known=_as_known(instance, run, strategy))


def _peak() -> int:
    """Return the greatest memory of this process so far in MiB, 0 if the system does not tell."""
    return getrusage(RUSAGE_SELF).ru_maxrss >> 10 if sys.platform == "linux" else 0


def _late(started: float, limits: SearchLimits) -> bool:
    return time.perf_counter() - started > limits.seconds


def _path(state: Packed, came: dict[Hashable, Packed | None], packing: Packing) -> list[State]:
    """Return the states from the start to a state."""
    path, at = [], state
    while at is not None:
        path.append(packing.unpack(at))
        at = came[packing.key(at)]
    return path[::-1]


def _outcome(domain: Domain, instance: Instance, path: list[State]) -> str:
    """Judge a path by the trusted functions: its last state, then each step."""
    if not domain.holds(path[-1], instance):
        return "false goal"
    for state, child in pairwise(path):
        if domain.key(child) not in domain.children(state, instance):
            return "false path"
    return "solved"


def _as_known(instance: Instance, run: SearchRun, strategy: Strategy) -> bool | None:
    """Return whether a run agrees with what is known of its instance; None if that is nothing."""
    if instance.solvable is None and instance.optimal is None:
        return None
    if not run.solved:
        return instance.solvable is False and run.ended == "exhausted"
    return instance.solvable is not False and (
        strategy != "bfs" or instance.optimal is None or run.moves == instance.optimal
    )


Keep = Callable[[State, list[State]], list[State]]


def trusted(domain: Domain, instance: Instance, keep: Keep | None = None) -> Expand:
    """Return the trusted functions of a domain in the form that `search` takes; `keep` may prune the successors."""
    successors = domain.arguments("successor", instance)

    def expand(states: Sequence[Packed]) -> list[Expanded]:
        answers: list[Expanded] = []
        for state in states:
            if domain.holds(state, instance):
                answers.append((True, ()))
            elif keep is None:
                answers.append((False, list(domain.successors(state, *successors))))
            else:
                answers.append((False, keep(state, list(domain.children(state, instance).values()))))
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

    def bind(self, domain: Domain, instance: Instance, packing: Packing) -> Expand:
        """Return the pair's `expand` for one instance."""
        arguments = {role: encode(domain.arguments(role, instance)) for role in ROLES}
        self._worker.request("bind", arguments=arguments, width=packing.width)

        def expand(states: Sequence[Packed]) -> list[Expanded]:
            answer = self._worker.request("expand", BATCH_SECONDS, states=list(states), limit=self._items)
            if "error" in answer:
                where = f" in the {answer['role']} function, line {answer['line']}" if answer.get("role") else ""
                raise SandboxError("died", f"{answer['error']}: {answer.get('message', '')}{where}")
            return [checked(item, packing) for item in checked_list(answer.get("answers"), len(states))]

        return expand

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def checked_list(answers: Any, count: int) -> list[Any]:
    """Return a claim if it is a list of `count` answers. Raises SandboxError."""
    if type(answers) is not list or len(answers) != count:
        raise SandboxError("protocol", "not one answer for each state")
    return answers


def checked(item: Any, packing: Packing) -> Expanded:
    """Return one claim if it is a truth value and packed states. Raises SandboxError."""
    if type(item) is not list or len(item) != 2 or type(item[0]) is not bool:
        raise SandboxError("protocol", "an answer without the agreed form")
    states = packing.split(item[1])
    if states is None:
        raise SandboxError("protocol", "successors that are not whole states")
    return item[0], states


def run_pair(
    domain: Domain,
    instance: Instance,
    sources: Mapping[Role, str],
    backend: Backend,
    strategy: Strategy = "dfs",
    limits: SearchLimits = DEFAULT_LIMITS,
) -> SearchRun:
    """Search an instance with a pair of functions (role -> source) in a fresh worker."""
    sandbox = Limits(cpu=int(limits.seconds) * 2 + 10)
    packing = packing_of(domain, instance)
    try:
        with Pair(domain, sources, backend, sandbox) as pair:
            return search(domain, instance, pair.bind(domain, instance, packing), strategy, limits, packing)
    except (SandboxError, LoadError) as failure:
        return SearchRun(instance.name, str(failure), False, 0, 0, 0, 0.0)


def run_trusted(
    domain: Domain,
    instance: Instance,
    strategy: Strategy = "dfs",
    limits: SearchLimits = DEFAULT_LIMITS,
    keep: Keep | None = None,
) -> SearchRun:
    """Search an instance with the trusted functions; `keep` may prune the successors (:attr:`Domain.enough`)."""
    return search(domain, instance, trusted(domain, instance, keep), strategy, limits)


def totals(runs: Sequence[SearchRun]) -> SearchRun:
    """Add up the runs of many instances.

    >>> totals([SearchRun("a", "solved", True, 1, 2, 3, 0.5, as_known=True)]).ended
    '1/1 solved, 1/1 as known'
    """
    solved = sum(run.solved for run in runs)
    known = [run.as_known for run in runs if run.as_known is not None]
    ended = f"{solved}/{len(runs)} solved" + (f", {sum(known)}/{len(known)} as known" if known else "")
    total = SearchRun("all", ended, solved == len(runs), 0, 0, 0, 0.0, as_known=all(known) if known else None)
    for run in runs:
        total = replace(
            total,
            expansions=total.expansions + run.expansions,
            generated=total.generated + run.generated,
            duplicates=total.duplicates + run.duplicates,
            seconds=total.seconds + run.seconds,
            kept=max(total.kept, run.kept),
            peak=max(total.peak, run.peak),
        )
    return total
