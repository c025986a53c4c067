"""The search finds the goals that brute force finds, reports correctly how it ended, and stops when told to."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.core import Budget, best_first, depth_first
from agent.core.clock import Clock

"""No deadline: the machine may be busy."""

NATURALS = "every number has a successor, so this search never ends by itself"


@dataclass(frozen=True)
class Tree:
    """A weighted tree: node -> (child, weight) pairs. A state's cost is the weight on the way to it."""

    children: tuple[tuple[tuple[int, int], ...], ...]
    goals: frozenset[int]

    def costs(self) -> dict[int, int]:
        """Cost of every node, by walking the whole tree."""
        found, todo = {}, [(0, 0)]
        while todo:
            node, cost = todo.pop()
            found[node] = cost
            todo += [(child, cost + weight) for child, weight in self.children[node]]
        return found

    def goal_costs(self) -> list[int]:
        """Costs of the goals with no other goal above them (a goal is not expanded), cheapest first."""
        found, todo = [], [(0, 0)]
        while todo:
            node, cost = todo.pop()
            if node in self.goals:
                found.append(cost)
            else:
                todo += [(child, cost + weight) for child, weight in self.children[node]]
        return sorted(found)

    def below(self, node: int) -> float:
        """Cost from a node to the cheapest goal below it."""
        if node in self.goals:
            return 0
        return min((weight + self.below(child) for child, weight in self.children[node]), default=float("inf"))

    def successors(self, node: int) -> list[int]:
        return [child for child, _ in self.children[node]]

    def is_goal(self, node: int) -> bool:
        return node in self.goals


@st.composite
def trees(draw) -> Tree:
    """Trees of at most 25 nodes, every node a goal or not."""
    size = draw(st.integers(1, 25))
    children: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for node in range(1, size):
        children[draw(st.integers(0, node - 1))].append((node, draw(st.integers(0, 6))))
    goals = frozenset(draw(st.sets(st.integers(0, size - 1))))
    return Tree(tuple(map(tuple, children)), goals)


@st.composite
def graphs(draw) -> dict[int, tuple[int, ...]]:
    """Directed graphs of at most 12 nodes, loops and double edges included."""
    size = draw(st.integers(1, 12))
    node = st.integers(0, size - 1)
    return {at: tuple(draw(st.lists(node, max_size=4))) for at in range(size)}


def reachable(graph: dict[int, tuple[int, ...]]) -> set[int]:
    seen, todo = {0}, [0]
    while todo:
        fresh = set(graph[todo.pop()]) - seen
        seen |= fresh
        todo += fresh
    return seen


@given(trees(), st.floats(0, 1))
def test_an_admissible_priority_finds_the_best_goal_first(tree, share):
    costs = tree.costs()
    expected = tree.goal_costs()

    def admissible(node: int) -> float:
        ahead = tree.below(node)
        return costs[node] + (share * ahead if ahead < float("inf") else 0)

    outcome = best_first(0, tree.successors, tree.is_goal, admissible)
    assert (outcome.goal is not None) == bool(expected)
    if expected:
        assert costs[outcome.goal] == expected[0]
        assert outcome.termination == "found"
    else:
        assert outcome.termination == "exhausted"


@given(trees(), st.integers(1, 5))
def test_goals_come_cheapest_first_and_at_most_count(tree, asked):
    costs, expected = tree.costs(), tree.goal_costs()
    outcome = best_first(0, tree.successors, tree.is_goal, costs.__getitem__, count=asked)
    assert [costs[goal] for goal in outcome.goals] == expected[:asked]
    assert outcome.termination == ("found" if len(expected) >= asked else "exhausted")


@given(trees(), st.integers(0, 6))
def test_slack_finds_all_goals_near_the_best_and_no_other(tree, slack):
    costs, expected = tree.costs(), tree.goal_costs()
    outcome = best_first(0, tree.successors, tree.is_goal, costs.__getitem__, count=100, slack=slack)
    near = [cost for cost in expected if cost <= expected[0] + slack]
    assert [costs[goal] for goal in outcome.goals] == near
    assert outcome.termination in {"found", "exhausted"}
    if outcome.termination == "found":
        assert outcome.bound > expected[0] + slack


@given(trees(), st.integers(0, 8))
def test_no_goal_that_was_not_found_is_cheaper_than_the_bound(tree, allowed):
    costs, expected = tree.costs(), tree.goal_costs()
    outcome = best_first(
        0, tree.successors, tree.is_goal, costs.__getitem__, count=100, budget=Budget(expansions=allowed)
    )
    found = [costs[goal] for goal in outcome.goals]
    missed = expected[len(found) :]
    assert found == expected[: len(found)]
    assert all(cost >= outcome.bound for cost in missed)


@given(graphs(), st.sets(st.integers(0, 11)))
def test_both_searches_reach_the_same_goals_of_a_graph(graph, goals):
    without_goals_inside = {at: () if at in goals else to for at, to in graph.items()}
    expected = reachable(without_goals_inside) & goals
    best = best_first(0, graph.__getitem__, goals.__contains__, float, count=100)
    deep = depth_first(0, graph.__getitem__, goals.__contains__, count=100)
    assert set(best.goals) == set(deep.goals) == expected
    assert len(best.goals) == len(deep.goals) == len(expected)
    assert best.termination == deep.termination == "exhausted"


@pytest.mark.parametrize("search", ["best", "deep"])
@given(graph=graphs())
def test_every_state_is_expanded_once_and_every_child_counted(search, graph):
    expanded: list[int] = []

    def successors(state: int) -> tuple[int, ...]:
        expanded.append(state)
        return graph[state]

    if search == "best":
        outcome = best_first(0, successors, lambda _: False, float)
    else:
        outcome = depth_first(0, successors, lambda _: False)
    everything = reachable(graph)
    edges = sum(len(graph[at]) for at in everything)
    assert sorted(expanded) == sorted(everything)
    assert (outcome.termination, outcome.goals) == ("exhausted", ())
    assert outcome.bound == float("inf")  # nothing is left: a proof that there is no goal
    assert outcome.expansions == len(everything)
    assert outcome.generated == edges
    assert outcome.duplicates == edges - (len(everything) - 1)


def both_searches(successors, is_goal=lambda _: False, **options):
    yield best_first(0, successors, is_goal, float, **options)
    yield depth_first(0, successors, is_goal, **options)


@given(st.integers(0, 30))
def test_a_budget_of_expansions_is_kept_to_the_last_one(allowed):
    for outcome in both_searches(lambda n: [n + 1], budget=Budget(expansions=allowed)):
        assert (outcome.termination, outcome.expansions) == ("budget", allowed), NATURALS


def test_a_budget_of_seconds_ends_a_search_that_has_no_end():
    for outcome in both_searches(lambda n: [n + 1], budget=Budget(seconds=0.01)):
        assert outcome.termination == "budget", NATURALS


def test_no_time_at_all_expands_nothing():
    for outcome in both_searches(lambda n: [n + 1], budget=Budget(seconds=0)):
        assert (outcome.termination, outcome.expansions, outcome.best_partial) == ("budget", 0, 0)


def test_a_start_that_is_a_goal_costs_nothing():
    for outcome in both_searches(lambda _: [], lambda _: True, budget=Budget(expansions=0)):
        assert (outcome.termination, outcome.goal, outcome.expansions) == ("found", 0, 0)


def test_a_search_stops_when_another_thread_says_so():
    stop = threading.Event()

    def successors(n: int) -> list[int]:
        if n == 5:
            setter = threading.Thread(target=stop.set)
            setter.start()
            setter.join()
        return [n + 1]

    for outcome in both_searches(successors, budget=Budget(cancelled=stop.is_set)):
        assert outcome.termination == "cancelled"
        assert outcome.expansions == 6
        stop.clear()


def test_goals_found_before_the_budget_ran_out_are_kept():
    is_even = lambda n: n in {2, 12}  # noqa: E731 - a goal test is a plain function
    for outcome in both_searches(lambda n: [n + 1, n + 10], is_even, budget=Budget(expansions=5), count=9):
        assert outcome.termination == "budget"
        assert set(outcome.goals) <= {2, 12}
        assert outcome.goals


def test_the_best_partial_is_the_deepest_state_that_was_expanded():
    words = {"": ["a", "b"], "a": [], "b": ["bb"], "bb": ["bbb"], "bbb": []}
    for outcome in (
        best_first("", words.__getitem__, lambda _: False, len),
        depth_first("", words.__getitem__, lambda _: False),
    ):
        assert outcome.best_partial == "bbb"


def test_ties_go_to_the_deeper_state_then_to_the_older():
    order: list[str] = []

    def successors(word: str) -> list[str]:
        order.append(word)
        return [word + sign for sign in "ab"] if len(word) < 2 else []

    best_first("", successors, lambda _: False, lambda _: 0.0)
    assert order == ["", "a", "aa", "ab", "b", "ba", "bb"]


def test_depth_first_pulls_children_in_order_and_as_needed():
    pulled = count()

    def successors(word: str):
        for sign in "abc":
            next(pulled)
            yield word + sign

    outcome = depth_first("", successors, lambda word: len(word) == 3)
    assert outcome.goal == "aaa"
    assert next(pulled) == outcome.generated == 3


def test_listeners_hear_every_goal_and_the_progress():
    digits = lambda word: [word + sign for sign in "12"] if len(word) < 10 else []  # noqa: E731 - as above
    is_goal = lambda word: len(word) == 10 and word.count("1") >= 9  # noqa: E731 - as above
    for search in ("best", "deep"):
        heard = []
        if search == "best":
            outcome = best_first("", digits, is_goal, lambda w: sum(map(int, w)), count=99, on_event=heard.append)
        else:
            outcome = depth_first("", digits, is_goal, count=99, on_event=heard.append)
        assert [event.data["goals"] for event in heard if event.kind == "goal"] == list(range(1, 12))
        assert len(outcome.goals) == 11
        steps = [event.data["expansions"] for event in heard if event.kind == "searching"]
        assert steps == sorted(set(steps))
        assert len(steps) > 1
    assert {event.kind for event in heard} == {"goal", "searching"}


def test_an_error_in_a_function_is_the_callers_to_see():
    def broken(_: int) -> list[int]:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        best_first(0, broken, lambda _: False, float)
    with pytest.raises(ZeroDivisionError, match="mine"):
        depth_first(0, broken, lambda _: False)


def uniform(start, successors, is_goal, **options):
    """Search best first with all states equally good."""
    return best_first(start, successors, is_goal, lambda _: 0, **options)


SEARCHES = pytest.mark.parametrize("search", [uniform, depth_first], ids=["best first", "depth first"])


@SEARCHES
def test_the_first_of_the_deepest_states_is_shown(search):
    outcome = search("", {"": ["a", "b"], "a": [], "b": []}.__getitem__, lambda _: False)
    assert (outcome.best_partial, outcome.termination) == ("a", "exhausted")


@SEARCHES
def test_the_seconds_are_those_from_start_to_end(search):
    readings = iter([0.0, 5.0, 6.0])
    budget = Budget(clock=Clock(lambda: next(readings, 7.0)))
    outcome = search("", {"": ["a"], "a": []}.__getitem__, lambda _: False, budget=budget)
    assert outcome.seconds == 2


def test_depth_first_bounds_nothing_unless_it_saw_everything():
    states = {"": ["a", "b"], "a": [], "b": []}.__getitem__
    assert depth_first("", states, lambda _: False).bound == float("inf")
    assert depth_first("", states, lambda state: state == "a").bound == float("-inf")


def test_best_first_reports_its_expansions_bound_and_frontier():
    heard = []
    best_first(0, lambda n: [n + 1], lambda n: n == 600, float, on_event=heard.append)
    assert [(event.kind, dict(event.data)) for event in heard] == [
        *(("searching", {"expansions": n, "bound": n, "frontier": 0}) for n in (0, 256, 512)),
        ("goal", {"goals": 1, "cost": 600, "expansions": 600}),
    ]


def test_depth_first_reports_its_expansions_and_depth():
    heard = []
    depth_first(0, lambda n: [n + 1], lambda n: n == 600, on_event=heard.append)
    assert [(event.kind, dict(event.data)) for event in heard] == [
        *(("searching", {"expansions": n, "depth": n}) for n in (0, 256, 512)),
        ("goal", {"goals": 1, "expansions": 600}),
    ]


def test_a_budget_of_one_expansion_is_not_over_yet():
    assert not Budget(expansions=1).is_over()
    assert Budget(expansions=0).is_over()
