"""The judge's output on the page: read as data, never run."""

import json
import xml.etree.ElementTree as ET

import pytest

from agent.autotos.evaluation import Row
from agent.autotos.faults import CounterExample, Fault, Verdict
from agent.autotos.search import SearchRun


def judged():
    """Return the judge's output for two functions."""
    example = CounterExample({"state": [["a", None], ["#", None]]}, [], [[["a", "b"], ["#", None]]], ([["x"]],))
    fault = Fault("junk", 3, "row 0 now spells 'ax'", example, "Look again.")
    faulty, fine = Verdict("successor", "f", "unsound", (fault,)), Verdict("goal", "g", "exact")
    return "\n".join(json.dumps({"file": "a.py", **verdict.to_json()}) for verdict in (faulty, fine))


def test_verdicts_come_with_their_counter_examples_as_grids(server):
    found = server.post("/api/verdicts", data=judged().encode()).json()
    faulty, fine = found["verdicts"]
    assert (faulty["name"], faulty["accepted"], fine["accepted"]) == ("a.py f", False, True)
    [fault] = faulty["faults"]
    assert (fault["name"], fault["text"], fault["count"]) == ("junk", "row 0 now spells 'ax'", 3)
    assert fault["counter_example"]["state"] == [["a", "."], ["#", "."]]
    assert fault["counter_example"]["expected"] == [[["a", "b"], ["#", "."]]]
    assert fault["counter_example"]["offending"] == [[["x"]]]
    assert found["chart"] == ""


def test_searches_are_listed_and_drawn(server):
    rows = [Row("functions", "dfs", SearchRun(str(i), "solved", True, 10**i, 1, 1, 0.1)) for i in range(5)]
    found = server.post("/api/verdicts", data="\n".join(json.dumps(row.to_json()) for row in rows).encode()).json()
    assert [row["expansions"] for row in found["searches"]] == [1, 10, 100, 1000, 10000]
    assert ET.fromstring(found["chart"]).tag.endswith("svg")  # noqa: S314 - it is our own


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "found nothing"),
        ("{", "line 1"),
        ("[]", "found nothing"),
        ("[1]", "item 1"),
        ("{}\n", "line 1"),
        (judged() + "\nhello", "line 3"),
        ("[" * 100_000, "the list"),
        ('{"verdict": "x", "details": {}}', "line 1"),
        ('{"expansions": "many", "strategy": "dfs"}', "line 1"),
        ('{"expansions": 1e999, "strategy": "dfs"}', "line 1"),
        ("\n".join(['{"verdict": "exact"}'] * 2001), "at most"),
    ],
)
def test_text_that_the_judge_did_not_print_is_refused(server, text, said):
    answer = server.post("/api/verdicts", data=text.encode())
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_odd_fields_of_a_verdict_do_no_harm(server):
    odd = {"verdict": 5, "function": ["x"], "details": [7, {"counter_example": {"state": "x", "expected": {}}}]}
    answer = server.post("/api/verdicts", data=json.dumps(odd).encode())
    assert answer.status_code == 200
    assert answer.json()["verdicts"][0]["faults"][0]["counter_example"]["state"] is None


def test_nothing_in_a_verdict_is_ever_run(server, tmp_path):
    mark = tmp_path / "run"
    source = f"open({str(mark)!r}, 'w').close()"
    row = {"verdict": source, "function": source, "source": source, "file": source, "details": [{"note": source}]}
    assert server.post("/api/verdicts", data=json.dumps(row).encode()).status_code == 200
    assert not mark.exists()
