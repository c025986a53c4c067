"""The budget and its clock: one deadline for all parts of a solve, which waiting does not move."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest

from agent.calls import Calls
from agent.core import Budget, Clock

LONGEST_SECONDS = 30.0


class Time:
    """Time that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_clock_runs_during_work_and_stops_during_waits():
    time = Time()
    clock = Clock(time)
    time.now += 2
    with clock.waiting():
        time.now += 50
        assert (clock.worked(), clock.waited()) == (2, 50)
    time.now += 1
    assert (clock.worked(), clock.waited()) == (3, 50)


def test_an_error_while_waiting_lets_the_clock_run_on():
    time = Time()
    clock = Clock(time)
    with suppress(KeyError), clock.waiting():
        time.now += 5
        raise KeyError
    time.now += 1
    assert (clock.worked(), clock.waited()) == (1, 5)


def test_a_stricter_budget_keeps_the_clock_and_ends_no_later():
    time = Time()
    budget = Budget(seconds=10, clock=Clock(time))
    time.now += 4
    part, more = budget.at_most(seconds=3), budget.at_most(seconds=30)
    assert (part.left, more.left) == (3, 6)
    time.now += 3
    assert (budget.stop_reason(), part.stop_reason()) == (None, "budget")
    time.now += 3
    assert more.stop_reason() == budget.stop_reason() == "budget"


def test_a_share_is_of_what_is_left():
    time = Time()
    budget = Budget(seconds=10, clock=Clock(time))
    time.now += 4
    assert budget.at_most(share=0.5).left == 3
    assert budget.at_most(share=0.5, seconds=1).left == 1
    time.now += 9
    assert budget.at_most(share=0.5).is_over()
    assert not Budget(clock=Clock(time)).at_most(share=0.5).is_over()


def test_patience_is_spent_by_waiting_alone():
    time = Time()
    budget = Budget(patience=8, clock=Clock(time))
    time.now += 100
    with budget.clock.waiting():
        time.now += 5
    assert budget.patience_left == 3
    assert budget.stop_reason() is None


def test_cancellation_precedes_every_other_reason():
    assert Budget(seconds=0, cancelled=lambda: True).stop_reason() == "cancelled"


def test_resources_are_closed_at_once_if_no_call_is_under_way():
    closed = []
    Calls().when_done(lambda: closed.append("now"))
    assert closed == ["now"]


def test_resources_are_closed_when_the_last_call_has_ended():
    calls, closed = Calls(), threading.Event()
    may_end = [threading.Event(), threading.Event()]
    futures = [calls.start(lambda event=event: event.wait(LONGEST_SECONDS)) for event in may_end]
    calls.when_done(closed.set)
    may_end[0].set()
    assert futures[0].result(LONGEST_SECONDS)
    assert not closed.is_set()
    may_end[1].set()
    assert closed.wait(LONGEST_SECONDS)


def test_the_error_of_a_call_comes_with_its_result():
    with pytest.raises(ZeroDivisionError):
        Calls().start(lambda: 1 // 0).result(LONGEST_SECONDS)


def test_a_stricter_budget_has_fewer_expansions_and_never_more():
    budget = Budget(expansions=10)
    assert budget.at_most(expansions=3).expansions == 3
    assert budget.at_most(expansions=30).expansions == 10
