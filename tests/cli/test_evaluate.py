"""`gridwright evaluate`: a line per puzzle, a summary, and no work done twice."""

import json
import re
import signal
import time
from pathlib import Path

from agent.testing import Canned, FakeOpenAI, completion

DATA = Path(__file__).parents[2] / "data" / "minis"
GOOBIX = {
    "id": "own-1",
    "grid": ["AT", "NO"],
    "size": "2x2",
    "clues": {
        "across": [[1, "Not away from", "AT"], [3, "Refusal", "NO"]],
        "down": [[1, "One", "AN"], [2, "In the direction of", "TO"]],
    },
}
"""A puzzle as the lists of GooBix have it: answers beside the clues, for scoring alone."""


def lines_of(result):
    *lines, last = map(json.loads, result.stdout.splitlines())
    return lines, last["summary"]


def test_there_is_a_line_per_puzzle_and_last_the_summary(run, clues):
    result = run("evaluate", DATA / "tiny-01.xd", DATA / "mini-01.xd", "--clue-set", clues, "--offline", "--json")
    lines, summary = lines_of(result)
    assert [line["id"] for line in lines] == ["tiny-01", "mini-01"]
    assert all(line["solved"] and line["claimed"] and line["consistent"] for line in lines)
    assert all(0.5 <= line["probability"] <= 1 for line in lines)
    assert summary["puzzles"] == summary["solved"] == 2
    assert summary["letters"] == [35, 35]
    assert summary["words"] == [18, 18]
    assert (summary["claimed"], summary["claimed_wrong"], summary["false_consistent"]) == (2, 0, 0)
    errors = ("grid_calibration_error", "calibration_error", "letter_calibration_error")
    assert all(0 <= summary[error] <= 1 for error in errors)
    assert summary["seconds"] > 0
    assert {"expansions", "generated"} <= summary.keys()


def test_people_get_words(run, clues):
    result = run("evaluate", DATA / "tiny-01.xd", "--clue-set", clues)
    assert re.fullmatch(r"tiny-01 +>99 % sure, 16 of 16 letters agree", result.stdout.splitlines()[0])
    assert result.stderr == ""


def test_a_list_of_puzzles_is_scored_by_answers_kept_unseen(run, tmp_path):
    wrong = {**GOOBIX, "id": "own-2", "clues": {**GOOBIX["clues"], "across": [[1, "Zzz", "AT"], [3, "Refusal", "NO"]]}}
    (tmp_path / "list.json").write_text(json.dumps([GOOBIX, wrong]))
    clues = tmp_path / "c.jsonl"
    listed = {"Not away from": "AT", "Zzz": "IT", "Refusal": "NO", "One": "AN", "In the direction of": "TO"}
    clues.write_text(
        "".join(json.dumps({"clue": c, "length": 2, "candidates": [[a, 0.9]]}) + "\n" for c, a in listed.items())
    )
    ask = ("--clue-set", clues, "--providers", "none", "--offline", "--json")
    lines, summary = lines_of(run("evaluate", tmp_path / "list.json", *ask))
    assert [(line["id"], line["consistent"]) for line in lines] == [("own-1", True), ("own-2", False)]
    assert lines[0]["letters"] == [4, 4]
    assert summary["consistent"] == 1
    assert summary["puzzles"] == 2


def test_candidate_lists_are_filled_without_any_clue(run, tmp_path):
    instance = {
        "index": 0,
        "clues": ["Not away from", "Refusal", "One", "In the direction of"],
        "true_answers": ["at", "no", "an", "to"],
        "horizontal_answers": [["at", "so"], ["no", "at"]],
        "vertical_answers": [["an", "as"], ["to", "ot"]],
    }
    (tmp_path / "lists.json").write_text(json.dumps([instance]))
    lines, summary = lines_of(run("evaluate", tmp_path / "lists.json", "--json"))
    assert lines[0]["grid"] == ["AT", "NO"]
    assert summary["consistent"] == 1


def test_puzzles_in_the_results_are_not_run_again(run, clues, tmp_path):
    out = tmp_path / "results.jsonl"
    ask = ("--clue-set", clues, "--out", out, "--json")
    first = run("evaluate", DATA / "tiny-01.xd", *ask)
    kept = out.read_bytes()
    again = run("evaluate", DATA / "tiny-01.xd", *ask)
    assert out.read_bytes() == kept
    assert lines_of(again)[0] == lines_of(first)[0]
    out.write_bytes(kept[:-20])  # a run that was killed while it wrote
    run("evaluate", DATA / "tiny-01.xd", DATA / "mini-01.xd", *ask)
    assert [json.loads(line)["line"]["id"] for line in out.read_text().splitlines()] == ["tiny-01", "mini-01"]


def test_results_of_something_else_are_refused(run, clues, tmp_path):
    (tmp_path / "notes.txt").write_text("my notes\n")
    result = run("evaluate", DATA / "tiny-01.xd", "--clue-set", clues, "--out", tmp_path / "notes.txt", code=2)
    assert "notes.txt: line 1: expected a result line" in result.stderr


def test_results_of_another_version_are_one_line(run, clues, tmp_path):
    out = tmp_path / "old.jsonl"
    out.write_text('{"key": "tiny-01|5f0c2a91|9d2e8f1c30aa|0", "configuration": "x", "line": {"id": "tiny-01"}}\n')
    said = "old.jsonl: line 1: expected result lines of version 2, found version 1"
    assert said in run("evaluate", DATA / "tiny-01.xd", "--clue-set", clues, "--out", out, code=2).stderr
    assert said in run("report", out, code=2).stderr


def test_a_torn_results_file_is_healed_and_reported(run, clues, tmp_path):
    out = tmp_path / "results.jsonl"
    run("evaluate", DATA / "tiny-01.xd", "--clue-set", clues, "--out", out)
    out.write_bytes(out.read_bytes()[:-20])
    result = run("evaluate", DATA / "tiny-01.xd", "--clue-set", clues, "--out", out)
    assert result.stderr == f"{out}: line 1: torn off when the run was killed; ignored\n"
    assert len(out.read_text().splitlines()) == 1


def test_json_lines_are_puzzles_and_a_bad_line_is_named(run, tmp_path):
    made = run("make", "mini", "--seed", "5", "--count", "3", "--lists", "4").stdout
    path = tmp_path / "minis.jsonl"
    path.write_text(made)
    lines, summary = lines_of(run("evaluate", path, "--json"))
    assert [line["id"] for line in lines] == ["mini-5", "mini-6", "mini-7"]
    assert summary["consistent"] == 3
    with path.open("a") as file:
        file.write("\n[1]\n")
    assert "minis.jsonl: line 5: expected a puzzle: an object" in run("evaluate", path, "--json", code=3).stderr


def test_a_missing_or_silent_executor_is_one_line(run, clues, monkeypatch):
    monkeypatch.setattr("agent.evaluate.cluster.CONNECT_SECONDS", 0.2)
    ask = ("evaluate", DATA / "tiny-01.xd", "--clue-set", clues, "--executor")
    wrong = run(*ask, "magic", code=2).stderr
    assert wrong == "gridwright: unknown executor magic; expected processes, threads or dask://HOST:PORT\n"
    assert run(*ask, "dask://127.0.0.1:9", code=2).stderr == (
        "gridwright: no Dask scheduler answers at dask://127.0.0.1:9\n"
    )


def test_a_report_compares_what_was_kept(run, clues, tmp_path):
    out, page = tmp_path / "results.jsonl", tmp_path / "report.html"
    other = tmp_path / "other.jsonl"
    other.write_text('{"clue": "Of another puzzle", "length": 5, "candidates": [["OTHER", 0.9]]}\n')
    files = sorted(DATA.glob("mini-0*.xd"))
    run("evaluate", *files, "--clue-set", clues, "--providers", "none", "--out", out, "--label", "lists")
    run("evaluate", *files, "--clue-set", other, "--providers", "none", "--out", out, "--label", "other")
    refused = run("evaluate", *files, "--providers", "none", code=2).stderr
    assert refused == "gridwright: nothing to answer clues: name a provider, a language model or a clue set\n"
    text = run("report", out, "--html", page).stdout
    assert re.search(r"^lists +100.0 % \[100.0, 100.0\]", text, re.MULTILINE)
    assert re.search(r"^other +-.* -100.0 \[-100.0, -100.0\]", text, re.MULTILINE)
    assert page.read_text().count("<svg") >= 4
    found = json.loads(run("report", out, "--json", "--resamples", "500", "--seed", "3").stdout)
    assert (found["resamples"], found["seed"], found["puzzles"]) == (500, 3, len(files))
    assert [one["name"] for one in found["configurations"]] == ["lists", "other"]
    assert found["configurations"][1]["against_first"]["words"]["value"] == -1


def test_a_report_on_something_else_is_one_line(run, tmp_path):
    (tmp_path / "notes.txt").write_text("my notes\n")
    assert "notes.txt: line 1: expected a result line" in run("report", tmp_path / "notes.txt", code=2).stderr
    assert "none.jsonl" in run("report", tmp_path / "none.jsonl", code=2).stderr


def test_two_processes_find_the_same(run, clues):
    files = sorted(DATA.glob("mini-0*.xd"))
    one, both = (run("evaluate", *files, "--clue-set", clues, "--json", "--jobs", n) for n in (1, 2))
    grids = [{line["id"]: line["grid"] for line in lines_of(result)[0]} for result in (one, both)]
    assert grids[0] == grids[1]
    assert len(grids[0]) == len(files)


def test_a_missing_file_is_exit_3(run, tmp_path):
    assert "none.xd" in run("evaluate", tmp_path / "none.xd", code=3).stderr


def test_a_provider_that_fails_is_one_warning_for_all_puzzles(run, clues):
    with FakeOpenAI([], key="right") as server:
        ask = ("-m", "x", "--base-url", server.base_url, "--clue-set", clues)
        result = run("evaluate", DATA / "tiny-01.xd", DATA / "tiny-01.xd", *ask)
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("warning: llm: x at 127.0.0.1")


def test_ctrl_c_keeps_what_was_found(spawn, tmp_path, knows):
    out = tmp_path / "results.jsonl"
    with FakeOpenAI([knows, Canned(completion("late"), delay=600)]) as server:
        ask = ("-m", "x", "--base-url", server.base_url, "--out", out)
        process = spawn("evaluate", DATA / "tiny-01.xd", DATA / "mini-01.xd", *ask, "--providers", "llm")
        while not (len(server.chats) == 2 and out.read_bytes()) and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in stdout + stderr
    assert "interrupted; the results so far are in" in stderr
    assert json.loads(out.read_text())["line"]["solved"] is True


def test_offline_clues_without_an_answer_are_counted_per_puzzle(run, tiny):
    lines = run("evaluate", tiny, "--providers", "datamuse,lexicon", "--offline", "--json").stdout.splitlines()
    why = "datamuse was asked offline, and its cache holds no answer for 8 of 8 clues"
    assert json.loads(lines[0])["warnings"] == [why]
