"""The reports of judge and search, as pictures."""

from __future__ import annotations

import re

from agent.autotos.domains import load
from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.evaluation import Row, load_instances, rows
from agent.autotos.faults import CounterExample, Fault, Verdict, draw
from agent.autotos.gridwright import by_gridwright
from agent.autotos.report import chart, page, search_page
from agent.autotos.search import SearchRun

BEFORE = [["a", None], [None, None]]
AFTER = [["a", "b"], [None, None]]
HOSTILE = "<script>alert(1)</script>"


def test_a_verdict_draws_its_counter_example_in_a_notebook():
    example = CounterExample({"state": BEFORE, "words": [HOSTILE]}, [AFTER], [], (AFTER,))
    verdict = Verdict("successor", "f", "unsound", (Fault("junk", 1, HOSTILE, example, HOSTILE),), cases=3)
    drawn = verdict._repr_html_()
    assert drawn.count("<svg") == 2
    assert "✗ unsound" in drawn
    assert "<script" not in drawn
    assert "<script" not in page([(HOSTILE, verdict)])


def test_an_accepted_function_is_ticked():
    assert "✓ exact" in Verdict("goal", "f", "exact")._repr_html_()


def test_changed_cells_are_marked_and_other_values_written():
    assert draw(AFTER, BEFORE).count("<rect") == 1
    assert "<rect" not in draw(AFTER)
    assert draw([["a"], []]) == "<code>[[&#x27;a&#x27;], []]</code>"
    assert "<rect" not in draw([["a"]], BEFORE)  # of another size: nothing to compare


def run(instance: str, expansions: int, *, solved: bool = True) -> SearchRun:
    return SearchRun(instance, "solved" if solved else "budget", solved, expansions, 0, 0, 0.0)


def test_searches_of_one_name_have_a_mark_each():
    rows = [Row("f", "dfs", one) for one in (run("a", 5), run("a", 0), run("all", 900, solved=False))]
    rows.append(Row("f", "dfs", run("all", 905), is_total=True))
    drawn = chart(rows)
    marks = re.findall(r"<title>([^<]*, f, dfs: [^<]*)</title>", drawn)
    assert marks == ["a, f, dfs: 5", "a (2), f, dfs: 0", "all, f, dfs: 900"]
    assert "hollow: not solved" in drawn
    assert drawn.count('fill="none" stroke="#') == 1


def test_the_trusted_goal_function_accepts_our_own_search():
    found = list(rows("gridwright", load_instances(CROSSWORD, ""), ("best-first",), by_gridwright))
    assert all(row.run.solved for row in found)
    assert [row.is_total for row in found[-2:]] == [False, True]
    assert found[-1].run.expansions == sum(row.run.expansions for row in found[:-1]) < 10


def test_published_runs_are_shown_for_their_own_domain_only():
    rows = [Row("f", "dfs", run("all", 5), is_total=True)]
    assert "published: gpt4" in search_page(rows, CROSSWORD.published)
    assert "published" not in search_page(rows, load("fillin").published)
