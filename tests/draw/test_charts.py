"""Axes hold every value between round numbers, on a linear and on a log scale; other values are refused."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.draw.axis import axis_over, label
from agent.draw.chart import dot_chart, interval_chart, line_chart

values = st.lists(st.floats(-1e12, 1e12).filter(lambda v: v == 0 or abs(v) > 1e-9), min_size=1, max_size=20)
counts = st.lists(st.integers(0, 10**12), min_size=1, max_size=20)


@given(values)
@example([1e12, 999_999_999_999.9999])
def test_every_value_lies_on_the_axis_between_round_numbers(known):
    axis = axis_over(known, 0, 100)
    assert all(-1e-6 <= axis.at(value) <= 100 + 1e-6 for value in known)
    assert 2 <= len(axis.ticks) <= 12
    assert all(a < b for a, b in pairwise(axis.ticks))
    assert axis.ticks[0] == axis.low
    assert axis.ticks[-1] == axis.high


@given(values)
def test_greater_values_lie_further_along(known):
    axis = axis_over(known, 0, 100)
    places = [axis.at(value) for value in sorted(known)]
    assert places == sorted(places)


@given(counts)
def test_a_log_axis_takes_zero_and_everything_above(known):
    axis = axis_over(known, 0, 100, log=True)
    assert all(-1e-6 <= axis.at(value) <= 100 + 1e-6 for value in known)
    assert 2 <= len(axis.ticks) <= 14
    assert (axis.ticks[0] == 0) == (0 in known)
    assert all(a < b for a, b in pairwise(axis.ticks))
    if 0 in known:
        assert axis.at(0) == 0 < axis.at(axis.ticks[1])


def test_a_tenfold_is_the_same_step_everywhere_on_a_log_axis():
    axis = axis_over([1, 10**6], 0, 600, log=True)
    assert [axis.at(10.0**k) for k in range(7)] == pytest.approx([0, 100, 200, 300, 400, 500, 600])


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_number_that_is_not_finite_is_refused(value):
    with pytest.raises(ValueError, match="finite numbers only"):
        line_chart({"a": [(0, value)]}, x="x", y="y")


def test_a_log_axis_refuses_negative_values():
    with pytest.raises(ValueError, match="no negative numbers"):
        dot_chart({"a": {"b": -1}}, x="x", log_x=True)


def test_an_interval_must_be_in_order():
    with pytest.raises(ValueError, match="a: expected low <= mid <= high, not 3, 2, 4"):
        interval_chart({"a": (3, 2, 4)}, x="x")


def test_no_data_is_an_empty_chart():
    assert "<circle" not in line_chart({}, x="x", y="y")
    assert "<circle" not in interval_chart({}, x="x")
    assert "<circle" not in dot_chart({}, x="x")


def test_two_series_differ_in_more_than_colour():
    svg = line_chart({"a": [(0, 0), (1, 1)], "b": [(0, 1), (1, 0)]}, x="x", y="y")
    assert 'stroke-dasharray="none"' in svg
    assert 'stroke-dasharray="7 3"' in svg
    assert svg.count("<circle") == 3  # two points and the legend
    assert svg.count("m-4 -4h8v8h-8z") == 3


def test_both_axes_of_a_calibration_chart_have_one_range():
    svg = line_chart({"a": [(0.2, 0.9)]}, x="said", y="right", diagonal=True)
    assert svg.count(">0.8<") == 2


def test_a_chart_says_its_numbers_in_words():
    svg = line_chart({"own": [(0.1, 0.5), (0.9, 0.7)]}, x="said", y="right")
    assert "own: 2 points, right from 0.5 (at 0.1) to 0.7 (at 0.9)." in svg


@given(st.floats(1e-6, 1e15))
def test_labels_are_short(value):
    assert len(label(value)) <= 12
