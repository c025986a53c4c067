"""Configurations compared: the figures are those of the lines, and the intervals are what they claim to be."""

from __future__ import annotations

import json
import math
import random
import re
from xml.etree import ElementTree as ET

import pytest

from agent.evaluate.compare import compare, read_contestants
from agent.evaluate.coverage import COVERAGES, coverage
from agent.evaluate.metrics import KINDS, Tally, bin_of
from agent.evaluate.report import to_html, to_json, to_text
from agent.evaluate.results import SCHEMA_VERSION


def line(name: str, right: int, total: int = 20, *, cost: float | None = 0.0, probability: float = 0.9, **changes):
    """Return the line of a puzzle with some of its letters right, in slots of four letters."""
    slots = [[probability, number < right // 4] for number in range(total // 4)]
    return {
        "id": name,
        "seed": 0,
        "probability": probability,
        "cells": [[bin_of(probability), total, total * probability, right]],
        "solved": right == total,
        "letters": [right, total],
        "words": [right // 4, total // 4],
        "claimed": probability >= 0.5,
        "consistent": True,
        "false_consistent": False,
        "proof": "optimal",
        "slots": slots,
        "expansions": 1,
        "generated": 1,
        "calls": 1,
        "cache_hits": 0,
        "tokens": 100,
        "cost": cost,
        "warnings": [],
        "seconds": 0.25,
        "waited": 0.5,
        **changes,
    }


@pytest.fixture
def write(tmp_path):
    """Write a file of results of one or more configurations: label -> lines."""

    def write(name, **configurations):
        records = [
            {
                "key": f"{one['id']}|c0ffee|{label:>12}|{one['seed']}",
                "schema_version": SCHEMA_VERSION,
                "configuration": label,
                "line": one,
            }
            for label, lines in configurations.items()
            for one in lines
        ]
        (tmp_path / name).write_text("".join(json.dumps(record) + "\n" for record in records))
        return tmp_path / name

    return write


def lines_by_chance(share, puzzles=400, seed=0):
    chance = random.Random(seed)
    return [line(f"p{n}", 20 if chance.random() < share else 0) for n in range(puzzles)]


def test_the_figures_are_those_of_the_summary(write):
    lines = [line("a", 20), line("b", 8, probability=0.35), line("c", 12, probability=0.8)]
    (one,) = compare(read_contestants([write("r.jsonl", x=lines)])).standings
    summary = Tally(lines).summary(1.0)
    assert one.figures["letters"].value == pytest.approx(summary["letters"][0] / summary["letters"][1])
    assert one.figures["words"].value == pytest.approx(summary["words"][0] / summary["words"][1])
    assert one.figures["puzzles"].value == pytest.approx(1 / 3)
    for error in KINDS.values():
        assert one.figures[error].value == pytest.approx(summary[error], abs=1e-4)
    assert [found.value for found in one.coverage] == pytest.approx(coverage(lines), abs=1e-4)
    assert (one.claimed, one.claimed_wrong, one.consistent, one.false_consistent) == (2, 1, 3, 0)
    assert (one.figures["tokens"].value, one.figures["seconds"].value, one.figures["waited"].value) == (100, 0.25, 0.5)
    assert one.seconds == (0.75, 0.75, 0.75)
    assert one.calibration["slots"] == [
        {"from": 0.3, "count": 5, "stated": 0.35, "right": 0.4},
        {"from": 0.8, "count": 5, "stated": 0.8, "right": 0.6},
        {"from": 0.9, "count": 5, "stated": 0.9, "right": 1.0},
    ]
    assert [(row["count"], row["stated"], row["right"]) for row in one.calibration["grids"]] == [
        (1, 0.35, 0.0),
        (1, 0.8, 0.0),
        (1, 0.9, 1.0),
    ]
    assert [row["right"] for row in one.calibration["letters"]] == [0.4, 0.6, 1.0]


def test_accuracy_against_coverage_ends_at_the_rate_of_puzzles(write):
    chance = random.Random(3)
    lines = [
        line(f"p{n}", 20 if chance.random() < probability else 0, probability=probability)
        for n in range(400)
        for probability in [chance.random()]
    ]
    (one,) = compare(read_contestants([write("r.jsonl", x=lines)])).standings
    assert one.coverage[-1] == one.figures["puzzles"]
    assert all(found.low <= found.value <= found.high for found in one.coverage)
    assert (
        one.coverage[4].low > one.coverage[-1].high
    )  # a configuration that states honest numbers is better when it is sure
    assert one.coverage[-1].value < one.figures["coverage_area"].value < one.coverage[0].value
    (found,) = to_json(compare(read_contestants([write("r.jsonl", x=lines)])))["configurations"]
    assert [row["coverage"] for row in found["coverage"]] == COVERAGES.tolist()
    assert found["coverage"][-1]["value"] == found["puzzles"]["value"]
    assert found["grid_calibration_error"]["value"] < 0.1


def test_being_surer_of_wrong_answers_costs_area(write):
    knows = [line(f"p{n}", 20 * (n < 50), probability=0.9 if n < 50 else 0.1) for n in range(100)]
    boasts = [line(f"p{n}", 20 * (n < 50), probability=0.1 if n < 50 else 0.9) for n in range(100)]
    _, second = compare(read_contestants([write("r.jsonl", knows=knows, boasts=boasts)])).standings
    assert second.against["puzzles"].value == 0
    assert second.against["coverage_area"].high < 0


def test_an_interval_is_as_wide_as_theory_has_it(write):
    (one,) = compare(read_contestants([write("r.jsonl", x=lines_by_chance(0.7))])).standings
    found = one.figures["puzzles"]
    error = math.sqrt(found.value * (1 - found.value) / 400)
    assert found.low == pytest.approx(found.value - 1.96 * error, abs=0.006)
    assert found.high == pytest.approx(found.value + 1.96 * error, abs=0.006)
    assert one.figures["letters"] == found  # all letters of a puzzle are right or wrong together


def test_intervals_hold_the_truth_about_as_often_as_they_say(write):
    held = 0
    for seed in range(60):
        path = write("r.jsonl", x=lines_by_chance(0.7, puzzles=100, seed=seed))
        found = compare(read_contestants([path]), resamples=400).standings[0].figures["puzzles"]
        held += found.low <= 0.7 <= found.high
    assert 51 <= held <= 60  # 57 are expected; fewer than 51 come once in two hundred times


def test_a_small_difference_that_is_always_there_is_seen(write):
    chance = random.Random(5)
    hard = [chance.randrange(0, 16, 4) for _ in range(100)]
    lower = [line(f"p{n}", right) for n, right in enumerate(hard)]
    higher = [line(f"p{n}", right + 4 * (n % 4 == 0)) for n, right in enumerate(hard)]
    first, second = compare(read_contestants([write("r.jsonl", lower=lower, higher=higher)])).standings
    assert first.against is None
    assert first.figures["letters"].high > second.figures["letters"].low  # on their own they could be the same
    assert second.against["letters"].value == pytest.approx(0.05)
    assert 0.02 < second.against["letters"].low < second.against["letters"].high < 0.08


def test_equal_results_differ_by_nothing_and_surely_so(write):
    same = lines_by_chance(0.5, puzzles=50)
    _, second = compare(read_contestants([write("a.jsonl", x=same), write("b.jsonl", x=same)])).standings
    assert all((found.value, found.low, found.high) == (0, 0, 0) for found in second.against.values())


def test_the_seed_decides_the_intervals(write):
    contestants = read_contestants([write("r.jsonl", x=lines_by_chance(0.5))])
    one, again, other = (to_json(compare(contestants, seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one["configurations"] != other["configurations"]


def test_only_puzzles_that_all_have_are_compared(write):
    both = [line("a", 20), line("b", 8)]
    comparison = compare(read_contestants([write("a.jsonl", x=[*both, line("c", 20)]), write("b.jsonl", y=both)]))
    assert (comparison.puzzles, comparison.left_out) == (2, 1)
    assert [one.figures["puzzles"].value for one in comparison.standings] == [0.5, 0.5]
    with pytest.raises(ValueError, match="no puzzle in common"):
        compare(read_contestants([write("a.jsonl", x=both[:1]), write("b.jsonl", y=both[1:])]))


def test_seeds_count_together_and_a_repeated_key_or_file_once(write, tmp_path):
    lines = [line("a", 20), line("a", 0, seed=1), line("b", 20), line("b", 20, seed=1), line("b", 0)]
    comparison = compare(read_contestants([write("r.jsonl", x=lines)]))
    (one,) = comparison.standings
    assert (comparison.puzzles, one.runs) == (2, 4)
    assert compare(read_contestants([tmp_path / "r.jsonl"] * 2)).standings == comparison.standings
    assert one.figures["puzzles"].value == 0.5  # the last line for b and seed 0 counts, and it is a wrong one


def test_a_cost_that_is_not_known_is_left_out_not_zero(write):
    path = write("r.jsonl", known=[line("a", 20, cost=0.25)], unknown=[line("a", 20, cost=None)])
    known, unknown = compare(read_contestants([path])).standings
    assert known.figures["cost"].value == 0.25
    assert "cost" not in unknown.figures
    assert "cost" not in unknown.against


def test_puzzles_without_a_solution_have_times_and_no_rates(write):
    bare = line("a", 20) | {"solved": None, "letters": None, "words": None, "slots": [], "cells": []}
    comparison = compare(read_contestants([write("r.jsonl", x=[bare])]))
    (one,) = comparison.standings
    assert (one.scored, set(one.figures)) == (0, {"seconds", "waited", "calls", "tokens", "cost"})
    assert "-" in to_text(comparison)
    assert one.coverage == ()
    assert "surest" not in to_text(comparison)
    json.dumps(to_json(comparison), allow_nan=False)
    to_html(comparison)


def test_a_label_or_a_file_name_tells_configurations_apart(write):
    lines = [line("a", 20)]

    def names(*paths):
        return [contestant.name for contestant in read_contestants(paths)]

    assert names(write("r.jsonl", one=lines, two=lines)) == ["one", "two"]
    assert names(write("before.jsonl", x=lines), write("after.jsonl", x=lines)) == ["before", "after"]
    both = names(write("before.jsonl", x=lines, y=lines), write("after.jsonl", x=lines, y=lines))
    assert both == ["before: x", "before: y", "after: x", "after: y"]


def test_files_that_hold_no_results_are_refused(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(ValueError, match=r"empty.jsonl: expected results, found none"):
        read_contestants([tmp_path / "empty.jsonl"])
    (tmp_path / "notes.txt").write_text("notes\n")
    with pytest.raises(ValueError, match="line 1: expected a result line"):
        read_contestants([tmp_path / "notes.txt"])


def test_the_page_is_self_contained_and_escapes_names(write):
    label = '<script>alert("x")</script>'
    path = write("r.jsonl", **{label: lines_by_chance(0.5, 30), "plain": lines_by_chance(0.6, 30, seed=1)})
    page = to_html(compare(read_contestants([path])))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"(src|href)=|url\(|@import", page)
    charts = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(charts) == 9
    for chart in charts:
        ET.fromstring(chart)  # noqa: S314  # our own


def test_ten_thousand_puzzles_are_compared_in_bounded_memory(write):
    import tracemalloc

    contestants = read_contestants([write("r.jsonl", x=[line(f"p{n}", 20) for n in range(10_000)])])
    tracemalloc.start()
    compare(contestants, resamples=1000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6
