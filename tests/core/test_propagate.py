"""Deduction, search and back-end as one: who finishes, what is counted, and how the way is told."""

from dataclasses import replace

import pytest

from agent.core import Budget, Clock, Outcome
from agent.core.propagate import Effort, Rules, Step, explain, settle


class Finisher:
    """A back-end that returns what it was made with, and records what it is given."""

    name = "finisher"

    def __init__(self, **found):
        self.outcome = Outcome("exhausted", **found)

    def __call__(self, state, count, budget, work):
        self.given = (state, count, budget, work)
        return self.outcome


def counting(effort, goals=()):
    """Return rules by which a whole number has a half and the next one below it, at one unit of effort each."""

    def propagate(n, on_step=None):
        del on_step
        return n

    def successors(n):
        effort.units += 1
        return [n + 0.5, n + 1] if n == int(n) else []

    return Rules(propagate, lambda n: [("", n + 1)], successors, goals.__contains__, lambda n, goal: n <= goal, effort)


def words(*whole, deduced=None, effort=None):
    """Return rules that spell words letter by letter; `deduced` is what follows from some beginnings, None if nothing.

    The letters that fit are those with which a word goes on; `?` fits always, and leads nowhere.
    """
    deduced = deduced or {}

    def propagate(text, on_step=None):
        while text in deduced:
            longer = deduced[text]
            if on_step:
                on_step(Step("deduced", f"{text} is {longer}"))
            text = longer
            if text is None:
                return None
        return text

    def branches(text):
        letters = sorted({word[len(text)] for word in whole if word.startswith(text) and len(word) > len(text)})
        return [(letter, text + letter) for letter in letters]

    return Rules(
        propagate=propagate,
        branches=branches,
        successors=lambda text: [case for _, case in branches(text)],
        is_goal=whole.__contains__,
        admits=lambda text, goal: goal.startswith(text),
        effort=effort or Effort(),
    )


def heard_of(settled_by, *arguments, **options):
    """Settle, and return the result with the events as (kind, data)."""
    events = []
    settled = settled_by(*arguments, on_event=events.append, **options)
    return settled, [(event.kind, dict(event.data)) for event in events]


def ticking():
    """Return a budget whose clock goes on by a second at each look."""
    seconds = iter(range(10**6))
    return Budget(clock=Clock(lambda: float(next(seconds))))


# Settling


@pytest.mark.parametrize(("follows", "goals"), [("cat", ("cat",)), (None, ())])
def test_deduction_alone_may_settle_it(follows, goals):
    settled, events = heard_of(settle, "", words("cat", deduced={"": follows}), budget=ticking())
    assert (settled.outcome.goals, settled.outcome.termination) == (goals, "exhausted")
    assert (settled.outcome.best_partial, settled.root, settled.finished_by) == (follows, follows, "propagation")
    assert settled.outcome.seconds == 1
    assert events == [("propagated", {"solved": bool(goals)})]


def test_what_deduction_leaves_is_searched():
    settled, events = heard_of(settle, "", words("cat", "cow", "dog", deduced={"": "c"}), count=9)
    assert (settled.root, settled.finished_by, settled.outcome.goals) == ("c", "search", ("cat", "cow"))
    assert (settled.outcome.termination, settled.outcome.expansions, settled.outcome.generated) == ("exhausted", 3, 4)
    assert events[0] == ("propagated", {"solved": False})
    assert [data["goals"] for kind, data in events if kind == "goal"] == [1, 2]


def test_as_many_goals_are_found_as_are_asked_for():
    settled = settle("", words("cat", "cow"))
    assert (settled.outcome.goals, settled.outcome.termination) == (("cat",), "found")


def test_the_search_goes_in_the_order_of_the_branches():
    rules = words("ab", "ac", "b")
    first, events = heard_of(settle, "", rules, count=9)
    assert first.outcome.goals == ("ab", "ac", "b")
    assert [data["depth"] for kind, data in events if kind == "searching"] == [0]
    assert settle("", rules, budget=Budget(expansions=0)).outcome.termination == "budget"
    assert settle("", rules).outcome.goals == ("ab",)


def test_states_are_not_compared_as_cases_exclude_each_other():
    twice = replace(words("ab"), successors=lambda text: ["ab", "ab"] if not text else [])
    settled = settle("", twice, count=9)
    assert (settled.outcome.goals, settled.outcome.duplicates) == (("ab", "ab"), 0)


def test_effort_knows_when_the_budget_is_over():
    effort = Effort()
    settle("", words("a", effort=effort), budget=Budget(expansions=0))
    assert effort.over()
    settle("", words("a", effort=effort))
    assert not effort.over()


# Warming up


def lengths_of_runs(rules, **options):
    """Return the expansions of each search that settling makes, and the settled whole."""
    runs = []

    def successors(state):
        runs[-1] += 1
        return rules.successors(state)

    def is_goal(state):
        if state == "":
            runs.append(0)
        return rules.is_goal(state)

    settled = settle("", replace(rules, successors=successors, is_goal=is_goal), **options)
    return runs[1:], settled  # the first look is deduction's


LONG = words("abcdefgh")


@pytest.mark.parametrize(
    ("most", "runs", "ended"),
    [
        (20, [2, 3, 8], "found"),  # both short ones, and what they left
        (13, [2, 3, 8], "found"),
        (12, [2, 3, 7], "budget"),
        (5, [2, 3], "budget"),  # all is used up: the last short one is the outcome
        (4, [2, 2], "budget"),  # no room for the second short one
        (2, [2], "budget"),
        (1, [1], "budget"),
    ],
)
def test_short_searches_come_first_and_count(most, runs, ended):
    lengths, settled = lengths_of_runs(LONG, warm_up=(2, 3), budget=Budget(expansions=most))
    assert ([length for length in lengths if length], settled.outcome.termination) == (runs, ended)
    assert settled.outcome.expansions == settled.outcome.generated == sum(runs)
    assert settled.finished_by == "search"


def test_a_short_search_that_ends_it_is_the_outcome():
    lengths, settled = lengths_of_runs(words("ab"), warm_up=(5, 5))
    assert (lengths, settled.outcome.goals, settled.outcome.termination) == ([2], ("ab",), "found")


def test_short_searches_are_not_bounded_by_own_effort():
    finisher = Finisher()
    settled = settle(0, counting(Effort()), warm_up=(7,), backend=finisher, own_effort=5)
    assert (settled.outcome.expansions, settled.finished_by) == (7 + 5, "finisher")
    spent = Budget(expansions=5)  # the second short search takes all that is left
    settled = settle(0, counting(Effort()), warm_up=(2, 3), budget=spent, backend=finisher, own_effort=1)
    assert (settled.outcome.expansions, settled.finished_by) == (5, "search")


# Taking turns


def test_own_effort_counts_from_the_beginning_of_the_search():
    settled, events = heard_of(settle, 0, counting(Effort(units=100)), backend=Finisher(), own_effort=5)
    assert (settled.finished_by, settled.outcome.expansions) == ("finisher", 5)
    assert ("racing", {"against": "finisher"}) in events


def test_a_back_end_looks_for_all_goals_in_the_time_that_is_left():
    finisher, budget = Finisher(goals=(3.5, 7.5)), Budget(seconds=60)
    rules = counting(Effort(), goals={3.5})
    settled = settle(0, rules, count=4, budget=budget, backend=finisher, own_effort=9, pace=3)
    assert finisher.given == (0, 4, budget, 3)
    assert finisher.given[2].clock is budget.clock
    assert settled.outcome.goals == (3.5, 7.5)


class Waiter:
    """A back-end that ends it in its fourth turn, and records when each came and how much work it was given."""

    name = "waiter"

    def __init__(self, effort):
        self.effort = effort
        self.turns = []

    def __call__(self, *given):
        work = given[-1]
        self.turns.append((self.effort.units, work))
        return Outcome("exhausted" if len(self.turns) == 4 else "budget")


def test_each_turn_is_twice_as_long_as_the_one_before():
    waiter = Waiter(Effort())
    assert settle(0, counting(waiter.effort), backend=waiter, own_effort=6, pace=3).finished_by == "waiter"
    assert waiter.turns == [(6, 2), (18, 4), (42, 8), (90, 16)]


@pytest.mark.parametrize(("own", "shown"), [(None, 1.5), (9, 9)])
def test_the_furthest_state_is_the_back_ends_if_it_has_one(own, shown):
    settled = settle(0, counting(Effort()), backend=Finisher(best_partial=own), own_effort=5)
    assert settled.outcome.best_partial == shown


def test_a_search_that_ends_by_itself_leaves_the_back_end_no_turn():
    finisher = Finisher()
    for budget, ended in ((Budget(), "found"), (Budget(expansions=2), "budget")):
        settled = settle("", LONG, backend=finisher, budget=budget)
        assert (settled.finished_by, settled.outcome.termination) == ("search", ended)
    cancelled = settle("", LONG, backend=finisher, budget=Budget(cancelled=lambda: True))
    assert (cancelled.finished_by, cancelled.outcome.termination) == ("search", "cancelled")
    assert not hasattr(finisher, "given")


def test_without_a_back_end_own_effort_is_not_a_bound():
    assert settle(0, counting(Effort(), goals={50}), own_effort=3).outcome.goals == (50,)


def test_the_seconds_are_those_of_everything():
    budget = ticking()
    before = budget.clock.worked()
    settled = settle(0, counting(Effort()), backend=Finisher(seconds=1000.0), own_effort=5, budget=budget)
    assert 5 < settled.outcome.seconds < budget.clock.worked() - before < 1000


# Explaining


def told(rules, goal, *, only=False):
    """Return the sentences and the cells of each step."""
    steps = explain("", rules, goal, lambda text: [text.ljust(3, ".")[:2], text.ljust(3, ".")[2:]], only=only)
    return [(step.rule, step.text, step.cells) for step in steps]


def test_choices_are_reported_with_the_cells_that_they_settle():
    rules = words("cat", "cow", "dog", deduced={"d": "do", "do": "dog"})
    assert told(rules, "dog") == [
        ("choice", "Choose d: one choice that leads to a solution.", ((0, "d"),)),
        ("deduced", "d is do", ()),
        ("deduced", "do is dog", ()),
    ]
    assert told(rules, "cow") == [
        ("choice", "Choose c: one choice that leads to a solution.", ((0, "c"),)),
        ("choice", "Choose o: one choice that leads to a solution.", ((1, "o"),)),
        ("choice", "So w.", ((2, "w"),)),
    ]


def test_if_the_goal_is_the_only_one_the_other_choices_fail():
    two, three = words("ab", "b"), words("a", "b", "c")
    assert told(two, "ab", only=True)[0][1] == "Choose a: the other was tried and fails."
    assert told(three, "c", only=True)[0][1] == "Choose c: each of the other 2 was tried and fails."


def test_without_a_goal_the_steps_end_where_deduction_ends():
    assert told(words("cat", deduced={"": "c"}), None) == [("deduced", " is c", ())]
    assert told(words("cat", deduced={"": "c", "c": None}), None) == [
        ("deduced", " is c", ()),
        ("deduced", "c is None", ()),
    ]


def test_a_goal_that_a_choice_contradicts_ends_the_steps():
    assert told(words("ab", deduced={"a": None}), "ab") == [
        ("choice", "So a.", ((0, "a"),)),
        ("deduced", "a is None", ()),
    ]


def test_a_step_is_its_sentence():
    assert str(Step("rule", "This is so.")) == "This is so."
