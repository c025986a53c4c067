"""Best-first and depth-first search over functions.

A state is any immutable, hashable value. `successors(state)` yields the states one step on, `is_goal(state)`
says whether a state is finished. The shape is the one that AutoToS asks of language models (Cao et al. 2024,
arXiv 2408.11326), so trusted and judged functions run through the same code.

Every state is looked at once: a state that was generated before is dropped as a duplicate. If the children of a
state exclude each other, so that no state can come twice, `tree=True` spares the memory of the states seen. The goal
test runs when a state is taken for expansion; a goal is not expanded, and counts as no expansion.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from itertools import count as counter
from typing import TypeVar

from agent.core.outcome import Budget, Event, OnEvent, Outcome, Termination, ignore

S = TypeVar("S", bound=Hashable)

UNLIMITED = Budget()
EVENT_EVERY = 256
"""Expansions between two "searching" events: often enough for a live view, too rare to cost anything."""


def best_first(
    start: S,
    successors: Callable[[S], Iterable[S]],
    is_goal: Callable[[S], bool],
    priority: Callable[[S], float],
    *,
    budget: Budget = UNLIMITED,
    count: int = 1,
    slack: float = float("inf"),
    tree: bool = False,
    on_event: OnEvent = ignore,
) -> Outcome[S]:
    """Expand the state of lowest priority first until `count` goals are found.

    If `priority` never overestimates the cost of the best goal below a state (admissible), the first goal
    is an optimum, and goals come in order of cost (A*, Hart, Nilsson and Raphael 1968). Equal priorities are
    broken in favour of the deeper state, then of the one generated first. With `slack` the search also ends,
    as "found", when every state left is worse than the first goal by more than that.

    >>> digits = lambda s: [s + d for d in "123"] if len(s) < 3 else []
    >>> outcome = best_first("", digits, lambda s: len(s) == 3, lambda s: sum(map(int, s)), count=2)
    >>> outcome.goals, outcome.termination
    (('111', '112'), 'found')
    """
    started = budget.clock.worked()
    tick = counter()
    first = priority(start)
    frontier: list[tuple[float, int, int, S]] = [(first, 0, next(tick), start)]
    seen = {start}
    goals: list[S] = []
    best_partial, deepest = start, 0
    expansions = generated = duplicates = 0
    limit = float("inf")
    termination: Termination = "exhausted"
    while frontier:
        cost, minus_depth, _, state = frontier[0]
        if cost > limit:
            termination = "found"
            break
        if is_goal(state):
            heapq.heappop(frontier)
            if not goals:
                limit = cost + slack
            goals.append(state)
            on_event(Event("goal", {"goals": len(goals), "cost": cost, "expansions": expansions}))
            if len(goals) >= count:
                termination = "found"
                break
            continue
        reason = budget.stop_reason(expansions)
        if reason is not None:
            termination = reason
            break
        heapq.heappop(frontier)
        if -minus_depth > deepest:
            best_partial, deepest = state, -minus_depth
        if expansions % EVENT_EVERY == 0:
            on_event(Event("searching", {"expansions": expansions, "bound": cost, "frontier": len(frontier)}))
        expansions += 1
        for child in successors(state):
            generated += 1
            if not tree:
                if child in seen:
                    duplicates += 1
                    continue
                seen.add(child)
            heapq.heappush(frontier, (priority(child), minus_depth - 1, next(tick), child))
    return Outcome(
        termination=termination,
        goals=tuple(goals),
        best_partial=best_partial,
        bound=frontier[0][0] if frontier else float("inf"),
        expansions=expansions,
        generated=generated,
        duplicates=duplicates,
        seconds=budget.clock.worked() - started,
    )


def depth_first(
    start: S,
    successors: Callable[[S], Iterable[S]],
    is_goal: Callable[[S], bool],
    *,
    budget: Budget = UNLIMITED,
    count: int = 1,
    tree: bool = False,
    on_event: OnEvent = ignore,
) -> Outcome[S]:
    """Expand the newest state first, children in the order `successors` yields them.

    Needs no priority, and memory only for the states seen, with `tree` for the path alone; goals come in no
    order of quality.

    >>> digits = lambda s: [s + d for d in "123"] if len(s) < 3 else []
    >>> depth_first("", digits, lambda s: s == "231").goal
    '231'
    """
    started = budget.clock.worked()
    seen = {start}
    stack = [(0, iter((start,)))]
    goals: list[S] = []
    best_partial, deepest = start, 0
    expansions = generated = duplicates = 0
    termination: Termination = "exhausted"
    while stack:
        depth, siblings = stack[-1]
        state = next(siblings, None)
        if state is None:
            stack.pop()
            continue
        if depth:  # the start was given, not generated
            generated += 1
            if not tree:
                if state in seen:
                    duplicates += 1
                    continue
                seen.add(state)
        if is_goal(state):
            goals.append(state)
            on_event(Event("goal", {"goals": len(goals), "expansions": expansions}))
            if len(goals) >= count:
                termination = "found"
                break
            continue
        reason = budget.stop_reason(expansions)
        if reason is not None:
            termination = reason
            break
        if depth > deepest:
            best_partial, deepest = state, depth
        if expansions % EVENT_EVERY == 0:
            on_event(Event("searching", {"expansions": expansions, "depth": depth}))
        expansions += 1
        stack.append((depth + 1, iter(successors(state))))
    return Outcome(
        termination=termination,
        goals=tuple(goals),
        best_partial=best_partial,
        bound=float("inf") if termination == "exhausted" else float("-inf"),
        expansions=expansions,
        generated=generated,
        duplicates=duplicates,
        seconds=budget.clock.worked() - started,
    )
