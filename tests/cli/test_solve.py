"""`gridwright solve`: every way in, every way out, every exit code."""

import json
import re
import subprocess
import threading
import time
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.formats import write_puzzle
from agent.result import SCHEMA_VERSION
from agent.testing import Canned, FakeDatamuse, FakeOpenAI, completion, no_network

ROWS = ["STOP", "HAVE", "IDEA", "PARK"]
ENDINGS = ["xd", "ipuz", "puz", "jpz", "json", "txt"]
DATA = Path(__file__).parents[2] / "data" / "minis"


def test_a_file_is_solved_and_only_the_answer_is_on_stdout(run, tiny, clues):
    result = run("solve", tiny, "--clue-set", clues, "--offline")
    assert result.stdout.startswith("Tiny: Magic Words\n")
    assert re.search(r"1A  STOP  +>?9\d %  llm:recorded-2026-11  Red octagon's word", result.stdout)
    assert result.stdout.splitlines()[1].startswith("Solved: ")
    assert result.stderr == ""


def test_stdin_is_read_for_a_dash(run, tiny, clues):
    result = run("solve", "-", "--clue-set", clues, "--json", stdin=Path(tiny).read_text())
    assert json.loads(result.stdout)["grid"] == ROWS


def test_clue_text_alone_is_enough(run, tiny, clues, tmp_path):
    text = tmp_path / "today.txt"
    text.write_bytes(write_puzzle(open_puzzle(tiny), "text"))
    text.write_text(text.read_text().partition("Across")[1] + text.read_text().partition("Across")[2])
    result = json.loads(run("solve", text, "--clue-set", clues, "--size", "4x4", "--json", "--offline").stdout)
    assert result["grid"] == ROWS
    assert result["pattern_probability"] > 0


def test_json_has_all_fields_of_the_contract(run, tiny, clues):
    result = json.loads(run("solve", tiny, "--clue-set", clues, "--json").stdout)
    assert result["schema_version"] == 2
    assert (result["solved"], result["sure"], result["consistent"]) == (True, 0.5, True)
    assert result["proof"] == "optimal"
    assert [len(row) for row in result["confidence"]] == [4] * 4
    assert result["slots"][0].keys() == {"slot", "clue", "answer", "probability", "source", "why", "alternatives"}
    assert result["stats"].keys() >= {
        "expansions", "generated", "provider_calls", "cache_hits", "tokens", "cost", "seconds"
    }  # fmt: skip


def test_the_user_sets_the_probability_that_counts_as_solved(run, tiny, clues, home):
    ask = ("solve", tiny, "--clue-set", clues, "--offline")
    probability = json.loads(run(*ask, "--json").stdout)["probability"]
    assert 0.5 < probability < 1
    refused = run(*ask, "--sure", "1", code=1)
    assert "Not sure enough: " in refused.stdout
    assert "Solved" not in refused.stdout
    home["GRIDWRIGHT_SURE"] = "1"
    assert json.loads(run(*ask, "--json", code=1).stdout)["solved"] is False
    assert "from 0.5 to 1" in run(*ask, "--sure", "0.4", code=2).stderr


def test_guesses_stay_empty_if_only_sure_letters_are_wanted(run, riddle, tmp_path):
    saved, page, picture = (tmp_path / f"out.{ending}" for ending in ("ipuz", "html", "svg"))
    ask = ("solve", riddle, "--offline", "--ink", "sure")
    found = json.loads(run(*ask, "--save", saved, "--html", page, "--svg", picture, "--json", code=None).stdout)
    letters, confidence = "".join(found["grid"]), [sure for row in found["confidence"] for sure in row]
    guesses = [place for place, sure in enumerate(confidence) if sure < 0.5]
    assert guesses
    assert [place for place, letter in enumerate(letters) if letter == "."] == guesses
    written = [cell for row in json.loads(saved.read_text())["solution"] for cell in row]
    assert [place for place, letter in enumerate(written) if letter is None] == guesses
    for text in (page.read_text(), picture.read_text()):
        assert not re.search(r"[a-z], (<1|[1-4]?\d) % sure", text)
    assert re.search(r"(?m)^ +\d+[AD]  [A-Z]*\.", run(*ask, code=None).stdout)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_saved_grid_opens_again(run, tiny, clues, tmp_path, ending):
    out = tmp_path / f"out.{ending}"
    run("solve", tiny, "--clue-set", clues, "--save", out)
    again = open_puzzle(out)
    assert (again.solution or again.grid).rows == tuple(ROWS)
    assert [clue.text for clue in again.clues] == [clue.text for clue in open_puzzle(tiny).clues]


def test_a_report_is_a_page_of_its_own(run, tiny, clues, tmp_path):
    run("solve", tiny, "--clue-set", clues, "--html", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "STOP" in page
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_wrong_ending_is_reported_before_the_work(run, tiny, tmp_path):
    result = run("solve", tiny, "--save", tmp_path / "out.doc", code=2)
    assert "expected an ending of .puz, .jpz, .json, .ipuz, .xd, .txt" in result.stderr
    assert result.stdout == ""


def test_a_format_that_cannot_hold_the_grid_is_said_before_the_work(run, tmp_path):
    (tmp_path / "barred.json").write_text('{"grid": ["...."], "bars": [[1, 2]], "clues": {"across": [[1, "a"]]}}')
    with FakeOpenAI([]) as server:
        ask = ("-m", "fake", "--base-url", server.base_url, "--save", tmp_path / "out.puz")
        result = run("solve", tmp_path / "barred.json", *ask, code=2)
        assert server.requests == []
    assert "a .puz file cannot hold a grid with bars: .jpz, .json, .ipuz can" in result.stderr


def test_a_models_answers_are_recorded_and_replayed(run, tiny, knows, tmp_path):
    with FakeOpenAI([knows]) as server:
        live = run(
            "solve", tiny, "-m", "fake", "--base-url", server.base_url, "--record", tmp_path / "r.jsonl", "--json"
        )
        assert len(server.chats) == 1
    with no_network(allow_loopback=False):
        replay = run("solve", tiny, "--clue-set", tmp_path / "r.jsonl", "--offline", "--json")
    assert json.loads(live.stdout)["grid"] == json.loads(replay.stdout)["grid"] == ROWS


def test_the_cost_is_in_the_stats_and_on_stderr(run, tiny, knows, tmp_path):
    settings = tmp_path / "config.toml"
    settings.write_text('[prices]\n"fake" = [2.0, 10.0]\n')
    with FakeOpenAI([Canned(completion(json.dumps(knows), tokens=(1000, 500)))]) as server:
        ask = ("solve", tiny, "-m", "fake", "--base-url", server.base_url, "--json")
        first = run(*ask, "--config", settings)
        second = run(*ask, "--config", settings)
        quiet = run(*ask, "--config", settings, "--quiet")
        assert len(server.chats) == 1
    stats = [json.loads(result.stdout)["stats"] for result in (first, second)]
    assert [s["provider_calls"] for s in stats] == [{"llm": 1}, {"llm": 0}]
    assert [s["tokens"] for s in stats] == [1500, 0]
    assert [s["cost"] for s in stats] == [0.007, 0.0]
    assert [s["cache_hits"] for s in stats] == [0, 1]
    assert "llm: 1 request, 1,500 tokens, cost 0.0070" in first.stderr
    assert quiet.stderr == ""


def test_without_a_price_the_cost_is_null(run, tiny, knows):
    with FakeOpenAI([knows]) as server:
        result = run("solve", tiny, "-m", "fake", "--base-url", server.base_url, "--json")
    assert json.loads(result.stdout)["stats"]["cost"] is None
    assert "cost unknown" in result.stderr


def test_datamuse_is_asked_and_counted(run, tiny, home):
    words = ["stop", "have", "idea", "park", "ship", "tada", "over", "peak"]
    with FakeDatamuse(lambda _: words) as server:
        home["GRIDWRIGHT_DATAMUSE_URL"] = server.url
        # the grid and its mirror image are equally probable, so neither is likelier right than wrong
        result = run("solve", tiny, "--providers", "datamuse", "--json", code=None)
        stats = json.loads(result.stdout)["stats"]
        assert stats["provider_calls"] == {"datamuse": len(server.requests)}
    assert {slot["answer"].lower() for slot in json.loads(result.stdout)["slots"]} == set(words)
    assert stats["tokens"] == 0


def test_an_unsolvable_puzzle_is_exit_1_with_the_best_partial(run, tiny, clues, tmp_path):
    half = tmp_path / "half.jsonl"
    half.write_text(next(line for line in Path(clues).read_text().splitlines() if '"Red octagon' in line))
    result = run("solve", tiny, "--clue-set", half, "--providers", "none", "--offline", code=1)
    assert "STOP" in result.stdout
    assert "Solved" not in result.stdout


@pytest.mark.parametrize(
    "wrong",
    [
        ["--rounds", "-1"],
        ["--rounds", "many"],
        ["--providers", "oracle"],
        ["--size", "5by5"],
        ["--size", "0x5"],
        ["--clue-set", "no-such-file.jsonl"],
        ["--config", "no-such-file.toml"],
        ["--frobnicate"],
        ["--base-url"],
    ],
)
def test_wrong_usage_is_exit_2(run, tiny, wrong):
    result = run("solve", tiny, *wrong, code=2)
    assert result.stdout == ""
    assert result.stderr.strip()


def test_no_puzzle_at_all_is_exit_2(run):
    assert "PUZZLE" in run("solve", code=2).stderr


def test_an_unreadable_puzzle_is_exit_3_and_names_the_file(run, tmp_path):
    (tmp_path / "x.ipuz").write_text('{"version": ')
    result = run("solve", tmp_path / "x.ipuz", code=3)
    assert "x.ipuz: " in result.stderr
    assert "expected" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("limits", "said"),
    [(["--patience", "0"], "patience (0 s) ran out"), (["--patience", "0.3"], "search limit of 0 s was reached")],
)
def test_a_limit_of_0_is_a_limit(spawn, tiny, limits, said):
    never = threading.Event()
    with FakeOpenAI(lambda _request: never.wait() and "") as server:
        ask = ("--providers", "llm,lexicon", "-m", "x", "--base-url", server.base_url)
        process = spawn("solve", tiny, *ask, "--seconds", "0", *limits)
        _, stderr = process.communicate()
        never.set()
    assert (process.returncode, said in stderr) == (5, True), stderr


def test_no_answer_from_any_provider_is_exit_4(run, tiny):
    with FakeOpenAI([], key="right") as server:
        result = run("solve", tiny, "--providers", "llm", "-m", "x", "--base-url", server.base_url, code=4)
    assert result.stderr.startswith("gridwright: no provider could answer: llm: x at 127.0.0.1")
    assert result.stderr.count("\n") == 1


def test_a_spent_budget_is_exit_5(run, tiny):
    with FakeOpenAI([{}]) as server:
        ask = ("--providers", "llm", "-m", "x", "--base-url", server.base_url)
        for limit in ("--max-calls", "--max-tokens"):
            result = run("solve", tiny, *ask, limit, 0, code=5)
            assert "limit of 0" in result.stderr
        assert not server.requests


def test_no_time_for_the_search_is_exit_5(run):
    assert run("solve", DATA / "midi-01.xd", "--providers", "lexicon", "--seconds", "0.001", code=5).stdout


def test_ctrl_c_while_a_model_thinks_is_exit_130(spawn, tiny, clues):
    with FakeOpenAI([Canned(completion("late"), delay=600)]) as server:
        process = spawn("solve", tiny, "-m", "x", "--base-url", server.base_url, "--clue-set", clues)
        wait_for(server, 1)
        process.send_signal(2)
        stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "interrupted" in stderr
    assert "Traceback" not in stdout + stderr


def test_ctrl_c_prints_the_best_grid_that_is_known(spawn, tiny, clues):
    with FakeOpenAI([Canned(completion("late"), delay=600)]) as server:
        process = spawn("solve", tiny, "-m", "x", "--base-url", server.base_url, "--clue-set", clues, "--json")
        wait_for(server, 1)
        process.send_signal(2)
        stdout, stderr = process.communicate(timeout=300)
    assert json.loads(stdout)["grid"] == ROWS
    assert "interrupted before llm answered" in json.loads(stdout)["ended"]
    assert "cut short: interrupted before llm answered" in stderr


def test_a_model_that_is_not_waited_for_lets_the_program_end(spawn, tiny):
    with FakeOpenAI([Canned(completion("late"), delay=600)]) as server:
        process = spawn("solve", tiny, "-m", "x", "--base-url", server.base_url, "--patience", "0.1", "--json")
        stdout, _ = process.communicate(timeout=300)
    found = json.loads(stdout)
    assert "." not in "".join(found["grid"])
    assert found["ended"].startswith("patience (0.1 s) ran out before llm answered")
    assert process.returncode == (0 if found["solved"] else 5)


def test_a_closed_pipe_ends_it_quietly(spawn, tiny, clues, tmp_path):
    process = spawn("solve", tiny, "--clue-set", clues, "--save", tmp_path / "out.xd")
    process.stdout.close()
    process.stdout = None
    _, stderr = process.communicate(timeout=300)
    assert stderr == ""
    assert process.returncode == 141
    assert open_puzzle(tmp_path / "out.xd").solution.rows == tuple(ROWS)


def test_a_terminal_without_the_characters_does_no_harm(spawn, clues):
    process = spawn(
        "solve", DATA / "mini-01.xd", "--clue-set", clues, env={"PYTHONIOENCODING": "ascii"}, stderr=subprocess.STDOUT
    )
    stdout, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    assert stdout.isascii()
    assert "PILOT" in stdout


def wait_for(server, count):
    """Wait until a server has had this many requests."""
    deadline = time.monotonic() + 300
    while len(server.requests) < count:
        assert time.monotonic() < deadline, "no request came"
        time.sleep(0.02)


def test_the_demo_is_solved_by_the_embedded_lexicon_alone(run):
    with no_network(allow_loopback=False):
        solved = run(
            "solve", str(Path(__file__).parents[2] / "data" / "demo" / "plain-words.xd"), "--json", "--offline"
        ).stdout
    found = json.loads(solved)
    assert found["solved"]
    assert found["proof"] == "optimal"
    assert found["grid"] == ["START", "THREE", "ROOFS", "ASSET", "PEERS"]


ASKED = (["--providers", "datamuse"], ["--providers", "llm", "-m", "x", "--base-url", "http://127.0.0.1:9/v1"])


@pytest.mark.parametrize("ask", ASKED, ids=["datamuse", "llm"])
def test_offline_without_any_answer_is_exit_4_and_says_why(run, tiny, ask):
    for command in ("solve", "hint"):
        against = ["--against", "agent"] if command == "hint" else []
        result = run(command, tiny, *ask, *against, "--offline", code=4)
        why = f"{ask[1]} was asked offline, and its cache holds no answer for 8 of 8 clues"
        assert result.stderr == f"gridwright: no provider could answer: {why}\n"
        assert result.stdout == ""


@pytest.mark.parametrize("ask", ASKED, ids=["datamuse", "llm"])
def test_offline_clues_without_an_answer_are_counted_once(run, tiny, clues, ask):
    wanted = f"{ask[1]} was asked offline, and its cache holds no answer for 8 of 8 clues"
    with_lexicon = ["--providers", f"{ask[1]},lexicon", *ask[2:]]
    for others in (["--clue-set", clues], ["--rounds", 3]):
        result = run("solve", tiny, *with_lexicon, "--offline", "--json", *others, code=None)
        assert json.loads(result.stdout)["warnings"] == [wanted]
        assert result.stderr.count(f"warning: {wanted}") == 1


def test_offline_an_answer_in_the_cache_is_not_missed(run, tiny, knows):
    first = {"slots": [slot for slot in knows["slots"] if slot["slot"] != "4D"]}
    with FakeOpenAI([first] * 9) as server:
        ask = ("-m", "x", "--base-url", server.base_url, "--rounds", 0, "--json")
        asked = run("solve", tiny, *ask, code=None)
        replayed = run("solve", tiny, *ask, "--offline", code=None)
    assert json.loads(replayed.stdout)["grid"] == json.loads(asked.stdout)["grid"]
    assert json.loads(replayed.stdout)["warnings"] == []


def test_a_puzzle_cut_off_among_its_clues_says_which_are_missing(run, tiny, clues):
    whole = Path(tiny).read_text("utf-8")
    cut = whole[: whole.index("D2. ")]
    result = run("solve", "-", "--clue-set", clues, "--json", stdin=cut, code=None)
    assert json.loads(result.stdout)["warnings"] == ["no clue for 2D, 3D, 4D"]
    assert "warning: no clue for 2D, 3D, 4D\n" in result.stderr


def test_json_of_a_solve_that_is_ended_hard_has_its_version(spawn, riddle):
    one = {"slots": [{"slot": "1A", "candidates": [{"answer": "MELT", "probability": 0.99}]}]}
    with FakeOpenAI([one, Canned(completion("late"), delay=600)]) as server:
        process = spawn("solve", riddle, "-m", "x", "--base-url", server.base_url, "--json")
        wait_for(server, 2)
        while process.poll() is None:
            process.send_signal(2)  # the second ends it hard
            time.sleep(0.02)
        found = json.loads(process.communicate()[0])
    assert process.returncode == 130
    assert found["schema_version"] == SCHEMA_VERSION
    assert found["probability"] < 0.5
    assert (found["kind"], found["solved"], len(found["grid"])) == ("crossword", False, 5)
    assert not any("." in row for row in found["grid"])
