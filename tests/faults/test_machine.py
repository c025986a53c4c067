"""Faults of the machine: a broken or locked cache, no network allowed, two processes at once, kill -9."""

import json
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from agent.testing import Canned, FakeDatamuse, FakeOpenAI, completion, no_network

DATA = Path(__file__).parents[2] / "data" / "minis"
ROWS = ["STOP", "HAVE", "IDEA", "PARK"]


def grid(result):
    return json.loads(result.stdout)["grid"]


def ask(server):
    return "-m", "fake", "--base-url", server.base_url, "--providers", "llm", "--json"


def cache_file(home):
    path = Path(home["GRIDWRIGHT_CACHE_DIR"]) / "cache.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.mark.parametrize("damage", [b"this is no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_corrupted_cache_is_one_line_and_the_answer_comes(run, home, tiny, knows, damage):
    cache_file(home).write_bytes(damage)
    with FakeOpenAI([knows]) as server:
        result = run("solve", tiny, *ask(server))
    assert grid(result) == ROWS
    assert [line for line in result.stderr.splitlines() if "going on without it" in line] == [
        line for line in result.stderr.splitlines() if "cache" in line and not line.startswith("llm:")
    ]
    assert result.stderr.count("going on without it") == 1


def test_a_cache_whose_folder_is_a_file_is_one_line(run, home, tiny, knows):
    folder = Path(home["GRIDWRIGHT_CACHE_DIR"])
    folder.parent.mkdir()
    folder.write_text("")
    with FakeOpenAI([knows]) as server:
        result = run("solve", tiny, *ask(server))
    assert grid(result) == ROWS
    assert result.stderr.count("going on without it") == 1


def test_a_locked_cache_is_one_line_and_the_answer_comes(run, home, tiny, knows):
    run("cache", "info")
    with closing(sqlite3.connect(cache_file(home), isolation_level=None)) as other, FakeOpenAI([knows]) as server:
        other.execute("BEGIN EXCLUSIVE")
        result = run("solve", tiny, *ask(server))
        other.execute("ROLLBACK")
    assert grid(result) == ROWS
    assert result.stderr.count("going on without it") == 1


class Bomb:
    def __reduce__(self):
        return (Path.touch, (Path(self.target),))


def test_a_planted_row_does_not_execute(run, home, tiny, knows, tmp_path):
    with FakeOpenAI([knows]) as server:
        run("solve", tiny, *ask(server))
        bomb = Bomb()
        bomb.target = str(tmp_path / "pwned")
        with closing(sqlite3.connect(cache_file(home))) as database:
            database.execute("update Cache set mode = 4, raw = 1, value = ?", (pickle.dumps(bomb),))
            database.commit()
        result = run("solve", tiny, *ask(server))
    assert grid(result) == ROWS
    assert result.stderr.count("did not write") == 1
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("command", ["solve", "hint", "evaluate", "candidates"])
def test_offline_opens_no_socket(run, tiny, clues, command):
    ask = (
        "-m",
        "fake",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--providers",
        "llm,datamuse,lexicon",
        "--clue-set",
        clues,
    )
    with no_network(allow_loopback=False):
        result = run(command, tiny, *ask, "--offline", "--json")
    assert result.stdout


def test_the_cache_alone_answers_offline(run, home, tiny, knows):
    words = [word.lower() for word in ROWS]
    with FakeOpenAI([knows]) as server, FakeDatamuse(lambda _: words) as datamuse:
        home["GRIDWRIGHT_DATAMUSE_URL"] = datamuse.url
        both = (*ask(server), "--providers", "llm,datamuse")
        first = run("solve", tiny, *both)
        with no_network(allow_loopback=False):
            again = run("solve", tiny, *both, "--offline")
    stats = json.loads(again.stdout)["stats"]
    assert grid(again) == grid(first) == ROWS
    assert set(stats["provider_calls"].values()) == {0}
    assert stats["cache_hits"] > 1


def test_two_processes_share_the_cache(spawn, run, tiny, knows):
    with FakeOpenAI([Canned(completion(json.dumps(knows)), delay=0.2)]) as server:
        both = [spawn("solve", tiny, *ask(server)) for _ in range(2)]
        for process in both:
            stdout, stderr = process.communicate(timeout=300)
            assert process.returncode == 0, stderr
            assert json.loads(stdout)["grid"] == ROWS
            assert "cannot be used" not in stderr
        run("solve", tiny, *ask(server), "--offline")
    assert json.loads(run("cache", "info", "--json").stdout)["entries"] == {"llm": 1}


def test_kill_9_loses_nothing_that_was_answered(spawn, run, tiny, knows, tmp_path):
    out = tmp_path / "results.jsonl"
    files = (tiny, DATA / "mini-01.xd")
    with FakeOpenAI([knows, Canned(completion("never"), delay=600)]) as server:
        process = spawn("evaluate", *files, *ask(server), "--out", out)
        deadline = time.monotonic() + 300
        while len(server.chats) < 2:
            assert time.monotonic() < deadline
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        process.kill()
        process.wait()
        with no_network(allow_loopback=False):
            cached = run("solve", tiny, *ask(server), "--offline")
            resumed = run("evaluate", *files, *ask(server), "--out", out, "--offline")
    assert grid(cached) == ROWS
    assert json.loads(out.read_text().splitlines()[0])["line"]["solved"] is True
    assert json.loads(resumed.stdout.splitlines()[-1])["summary"]["puzzles"] == 2


def test_closed_standard_streams_are_not_a_fault(tiny, clues, home):
    line = f"{sys.executable} -m agent solve {{}} --clue-set {clues} --offline {{}}"
    for puzzle, closed, code in ((tiny, ">&-", 0), (tiny, "2>&-", 0), ("-", "<&-", 3)):
        shell = ["sh", "-c", line.format(puzzle, closed)]
        ended = subprocess.run(shell, env={**os.environ, **home}, capture_output=True, text=True, check=False)
        assert ended.returncode == code, ended.stderr
        assert "internal error" not in ended.stderr


HOMELESS = """
import os, pwd
os.environ.pop("HOME", None)
def nobody(*_): raise KeyError
pwd.getpwuid = nobody
import sys
sys.argv = ["gridwright", "solve", {tiny!r}, "--clue-set", {clues!r}, "--offline"]
from agent.cli import main
main()
"""


def test_a_user_without_a_home_is_not_a_fault(tiny, clues):
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("XDG", "GRIDWRIGHT", "HOME"))}
    code = HOMELESS.format(tiny=str(tiny), clues=str(clues))
    ended = subprocess.run([sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
