"""`gridwright judge` and `gridwright autotos search`, as a user meets them."""

import json
from pathlib import Path

import autotos_bank as bank  # the bank is data for the tests as well
import pytest
from typer import Typer
from typer.testing import CliRunner

from agent.cli import judging

app = Typer()
judging.add_to(app)

FEWER = str(Path(__file__).with_name("fewer.py"))
SHORT = next(source for name, _, source, _ in bank.bank() if name == "short answers from the left")
FEWEST = dict(bank.PRUNING)["fewest candidates first"]


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, list(map(str, arguments)), input=stdin, catch_exceptions=False)


@pytest.fixture
def pair(tmp_path):
    path = tmp_path / "pair.py"
    path.write_text(FEWEST + bank.GOAL)
    return path


def test_a_file_with_both_functions_gets_two_verdicts(pair, safe_backend):
    done = run("judge", pair, "--domain", FEWER, "--json", "--backend", safe_backend)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert [(row["file"], row["role"], row["verdict"]) for row in rows] == [
        (str(pair), "successor", "goal-preserving"),
        (str(pair), "goal", "exact"),
    ]
    assert rows[0]["backend"] == safe_backend
    assert rows[0]["faults"] == ["missing"]
    assert rows[1]["counter_example"] is None
    assert rows[1]["seconds"] > 0


def test_one_source_that_is_not_python_is_one_plain_line(tmp_path, safe_backend):
    (tmp_path / "f.py").write_text("def f(:\n")
    done = run("judge", tmp_path / "f.py", "--role", "goal", "--backend", safe_backend)
    assert "SyntaxError: invalid syntax (line 1), while the source was loaded" in done.stdout
    assert "0 of 1 function accepted" in done.stderr


def test_json_lines_keep_what_identifies_them(tmp_path, safe_backend):
    rows = [
        {"run": "a", "attempt": 1, "role": "successor", "source": SHORT},
        {"run": "a", "attempt": 2, "role": "successor", "source": None},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    done = run("judge", "-", "--json", "--backend", safe_backend, "--html", tmp_path / "r.html", stdin=text)
    judged = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [(row["run"], row["attempt"], row["verdict"]) for row in judged] == [
        ("a", 1, "unsound"),
        ("a", 2, "no-function"),
    ]
    assert judged[0]["counter_example"]["state"] == [[None] * 5] * 5
    page = (tmp_path / "r.html").read_text()
    assert "Row 1: empty, empty" in page
    assert "<script" not in page


def test_plain_output_is_one_line_a_function(pair, safe_backend):
    done = run("judge", pair, "--backend", safe_backend)
    assert done.stdout.splitlines()[1] == f"{pair} goal is_goal_state: exact"
    assert "2 of 2 functions accepted" in done.stderr


def test_unreadable_input_and_wrong_options_have_their_own_codes(tmp_path):
    (tmp_path / "bad.jsonl").write_text("{nonsense")
    assert run("judge", tmp_path / "bad.jsonl").exit_code == 3
    assert run("judge", tmp_path / "absent.py").exit_code == 3
    (tmp_path / "f.py").write_text(bank.GOAL)
    assert run("judge", tmp_path / "f.py", "--domain", "chess").exit_code == 2
    assert run("judge", tmp_path / "f.py", "--backend", "docker").exit_code == 2
    assert run("judge", tmp_path / "f.py", "--role", "heuristic").exit_code == 2
    assert run("autotos", "--model", "").exit_code == 2


def test_a_missing_function_is_an_error_and_never_skipped(tmp_path, safe_backend):
    (tmp_path / "f.py").write_text("def get_successor_states(state, h, v):\n    return []\n" + bank.GOAL)
    assert run("judge", tmp_path / "f.py", "--backend", safe_backend).exit_code == 1
    (tmp_path / "goal.py").write_text(bank.GOAL)
    done = run("judge", tmp_path / "goal.py", "--backend", safe_backend)
    assert (done.exit_code, "successor successor_state: no-function" in done.stdout) == (1, True)
    assert run("judge", tmp_path / "goal.py", "--role", "goal", "--backend", safe_backend).exit_code == 0


def test_without_a_sandbox_nothing_is_run(tmp_path):
    canary = tmp_path / "canary"
    path = tmp_path / "f.py"
    path.write_text(f"open({str(canary)!r}, 'w').close()\n{bank.GOAL}")
    done = run("judge", path, "--backend", "unsafe")
    assert done.exit_code == 4
    assert "unsafe-exec" in done.stderr
    assert not canary.exists()


def test_unsafe_execution_works_if_it_is_asked_for(tmp_path):
    (tmp_path / "f.py").write_text(bank.GOAL)
    done = run("judge", tmp_path / "f.py", "--role", "goal", "--backend", "unsafe", "--unsafe-exec", "--json")
    assert json.loads(done.stdout)["backend"] == "unsafe"


def test_a_pair_searches_and_is_judged_outside(pair, tmp_path, safe_backend):
    done = run(
        "autotos", "search", pair, "--backend", safe_backend, "--json", "--search-expansions", "300",
        "--html", tmp_path / "s.html",
    )  # fmt: skip
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    total = next(row for row in rows if row["who"] == "functions" and row["total"])
    assert done.exit_code == 0
    assert total["ended"] == "5/5 solved"
    assert len({row["instance"] for row in rows if row["who"] == "functions"}) == 6  # told apart by their names
    assert "<svg" in (tmp_path / "s.html").read_text()


def test_a_search_needs_both_functions(tmp_path):
    (tmp_path / "f.py").write_text(bank.GOAL)
    done = run("autotos", "search", tmp_path / "f.py", "--json", "--no-reference")
    assert done.exit_code == 1
    assert "no successor function" in done.stdout


def test_instances_of_another_form_are_refused(pair, tmp_path):
    (tmp_path / "i.json").write_text('[{"x": 1}]')
    done = run("autotos", "search", pair, "--instances", tmp_path / "i.json")
    assert done.exit_code == 3
    assert "item 0" in done.stderr
