"""Evaluation data: published forms are read, only files with the pinned checksum are kept, a missing one is named."""

import hashlib
import json
import os
import subprocess
import sys

import evaluation
import fetch
import published
import pytest

LOG = """
AutoToS prompt:

How is the successor state function defined?

Model response:
Think first.
```python
import copy

def successor_state(state, h, v):
    return [copy.copy(state)]

# Example usage:
print(successor_state([], [], []))
```

AutoToS prompt:

Please provide a goal test function in Python.

Model response:
```
def goal_test(state, h, v):
    return True
```

System message:
Goal Soundness Test Passed

AutoToS prompt:
The following exception was produced. Please fix this exception in the successor function.
Model response:
I am sorry.

System message:
Success: 19, failure: 1, total expansions 7, total generated 70
"""


def test_a_published_run_is_read_with_its_verdicts():
    first, second, third = published.attempts("some-noval_run1", LOG)
    head = "def successor_state(state, h, v):\n    import copy\n    return [copy.copy(state)]\n\n# Example usage:\n"
    assert (first["role"], first["paper_verdict"], first["source"]) == ("successor", "passed", head)
    assert (second["role"], second["paper_verdict"]) == ("goal", "rejected")
    assert (third["attempt"], third["source"], third["paper_verdict"]) == (3, None, "passed")
    assert third["run_result"] == {"success": 19, "failure": 1, "expansions": 7, "generated": 70}


def test_the_last_functions_of_a_run_that_got_to_its_end_are_final():
    whole = LOG.replace("Success: 19, failure: 1,", "Total success: 0, failure: 11,")
    first, second = published.finals("sokoban", list(published.attempts("x_run1", whole)))
    assert {row["role"]: row["final"] for row in (first, second)} == {"successor": True, "goal": True}
    assert (first["domain"], first["attempt"], first["published"]) == ("sokoban", 1, {"success": 0, "failure": 11})
    cut = list(published.attempts("x_run1", LOG[: LOG.index("Success:")]))
    assert not any("final" in row for row in published.finals("sokoban", cut))


def test_a_response_without_fences_is_code_as_a_whole():
    assert (
        published.function("def is_goal(state):\n    return True\nprint(1)\n")
        == "def is_goal(state):\n    return True\n"
    )
    assert published.function("There is no such function.") is None


def test_a_run_without_a_result_was_stopped():
    cut = LOG[: LOG.index("Success:")]
    assert [row["paper_verdict"] for row in published.attempts("x", cut)] == [
        published.STOPPED,
        "rejected",
        published.STOPPED,
    ]


def test_an_instance_comes_with_all_grids_that_its_lists_allow():
    across = [["abcde", "abcdx"], ["fghij"], ["klmno"], ["pqrst"], ["uvwxy", "uv"]]
    down = [["afkpu"], ["bglqv"], ["chmrw"], ["dinsx"], ["ejoty", "xjoty"]]
    rows = "\n".join(["Table 1", ",".join('"' + json.dumps(side).replace('"', '""') + '"' for side in (across, down))])
    (found,) = published.instances(rows)
    assert [grid[0] for grid in found["goal_grids"]] == ["abcde", "abcdx"]


def test_confidences_are_added_up_over_the_boards_of_a_puzzle():
    clues = [f"{place}. Clue: of {place}" for place in ("h1", "v1")]
    boards = ["\n".join(f"{clue}: {letters}" for clue in clues) for letters in ("_____", "A____")]
    log = {boards[0]: {"h1. apple": 0.5, "v1. angle": 0.1}, boards[1]: {"h1. apple": 0.2}}
    (puzzle,) = json.loads(published.gpt4_candidates(log))["puzzles"]
    assert puzzle["clues"] == {"h1": "Clue: of h1", "v1": "Clue: of v1"}
    assert puzzle["candidates"]["h1"] == {"apple": {"env_cache_score": 0.7}}


def test_nonograms_and_gogens_are_read():
    text = 'title "T"\nby "A"\ncopyright "C"\nwidth 2\nheight 2\n\nrows\n1,1\n0\n\ncolumns\n1\n1\n\ngoal "1100"\n'
    found = json.loads(published.webpbn("webpbn/x.non", text))
    assert (found["rows"], found["cols"], found["goal"]) == ([[1, 1], []], [[1], [1]], "1100")
    domino = "# a\nGRID 3-Dom\nROWS\n[ 3 1 ]\n[ 1 ]\nCOLUMNS\n[ 2 ]\n\nGRID 8-Dom\nROWS\n[ 1 ]\nCOLUMNS\n[ 1 ]\n"
    ((name, content),) = published.dominoes(domino)
    assert (name, json.loads(content)["rows"], json.loads(content)["cols"]) == ("3-dom", [[3, 1], [1]], [[2]])
    assert json.loads(published.gogen(3, "ABC\nDEF\nGHI\n\nNO\nYES\n"))["board"][2] == "D.E.F"


def test_the_other_domains_are_read_from_where_they_lie():
    raw = {f"src/{name}": f"text of {name}" for name in (
        "blocksworld/blocks_goals.jsonl", "blocksworld/blocks_non_goals.jsonl", "blocksworld/blocks_successors.jsonl",
        "blocksworld/solutions.csv", "blocksworld/blocks_instances/instance-7.pddl",
        "sokoban/test_instances/p05.pddl", "sokoban/unittests_instances/p01.pddl", "sokoban/domain.pddl",
        "sokoban/sokoban_optimal_costs.json", "twentyfourgame/24game_non_goals.jsonl",
        "twentyfourgame/24game_successors.jsonl",
        *(f"{name}/{name}_{kind}.jsonl" for name in ("prontoqa", "sokoban")
          for kind in ("goals", "non_goals", "successors")),
    )}  # fmt: skip
    raw |= {f"src/twentyfourgame/{name}.csv": f"Rank,Puzzles\n{rows}" for name, rows in
            {"unittests": "1,1 1 4 6\n", "model_test": "11,1 1 2 8\n12,6 6 6 6\n"}.items()}  # fmt: skip
    raw["src/clean_logs/24game/some-noval_logs/script_log_20240801_1.txt"] = LOG
    raw["src/clean_logs/24game/some-val_logs/script_log_20240801_2.txt"] = LOG
    made = dict(fetch.autotos_domains(raw))
    assert made["autotos_domains/blocksworld/instance-7.pddl"].endswith("instance-7.pddl")
    assert {"autotos_domains/sokoban/p01.pddl", "autotos_domains/sokoban/p05.pddl"} <= set(made)
    assert made["autotos_domains/blocksworld_goals.json"] == "text of blocksworld/blocks_goals.jsonl"
    assert json.loads(made["autotos_domains/game24_instances.json"]) == [[1, 1, 4, 6], [1, 1, 2, 8], [6, 6, 6, 6]]
    functions = [json.loads(line) for line in made["autotos_domains/game24_functions.jsonl"].splitlines()]
    assert [(row["domain"], row["run"], row["attempt"]) for row in functions] == [
        ("24game", "some-noval_run1", number) for number in (1, 2)
    ]
    apart = ("instance-7", "p01", "p05")
    pinned = {name for name in fetch.pinned() if name.startswith("autotos_domains/") and ".pddl" not in name}
    assert {name for name in made if not name.endswith(tuple(f"{one}.pddl" for one in apart))} == pinned


def test_only_a_file_with_the_pinned_checksum_is_kept(tmp_path):
    checksums = {"good/x.json": hashlib.sha256(b"right").hexdigest(), "bad.json": hashlib.sha256(b"else").hexdigest()}
    made = [("good/x.json", "right"), ("bad.json", "wrong"), ("stray.json", "")]
    assert fetch.keep(made, tmp_path, checksums) == ["bad.json", "stray.json"]
    assert [file.name for file in tmp_path.rglob("*.json")] == ["x.json"]
    assert fetch.absent(tmp_path, checksums) == ["bad.json"]


def test_every_published_function_has_our_strict_verdict():
    rows = [{"run": "gpt4-noval_run5", "attempt": 2}]
    assert list(fetch.judged(rows)) == [{**rows[0], "strict_verdict": "OK"}]


def test_without_a_network_one_line_says_what_to_do(tmp_path):
    closed = "http://127.0.0.1:9"
    environment = {**os.environ, "GRIDWRIGHT_DATA": str(tmp_path), "HTTPS_PROXY": closed, "https_proxy": closed}
    done = subprocess.run(
        [sys.executable, fetch.__file__], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert "cannot be reached" in line
    assert "GRIDWRIGHT_DATA" in line


def test_the_projects_own_file_goes_before_a_fetched_one(tmp_path, monkeypatch):
    monkeypatch.setenv(evaluation.VARIABLE, str(tmp_path))
    (tmp_path / "gogen").mkdir()
    for name in ("made-0.json", "other.json"):
        (tmp_path / "gogen" / name).touch()
    found = {file.name: file.parent.parent for file in evaluation.files("gogen/*.json")}
    assert (found["made-0.json"], found["other.json"]) == (evaluation.OWN, tmp_path)
    assert evaluation.path("minis") == evaluation.OWN / "minis"


@pytest.mark.parametrize("name", ["nothing.json", "gogen/nothing.json"])
def test_a_missing_file_is_named_with_the_way_to_get_it(name):
    line = evaluation.absence(evaluation.path(name))
    assert "nothing.json is not in" in line
    assert "make data" in line
    assert evaluation.absence(evaluation.path("minis")) is None
