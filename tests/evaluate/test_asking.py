"""Servers are asked in the parent: each limit is kept once for all workers, and every puzzle has its own usage."""

from __future__ import annotations

import json
import pickle
import sqlite3
import threading
import time
from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.cache import Cache
from agent.candidates.llm import open_llm
from agent.config import Settings
from agent.evaluate.asking import asked_at_once
from agent.evaluate.results import Results
from agent.evaluate.run import Configuration, evaluate
from agent.grid import Puzzle
from agent.testing import Canned, FakeDatamuse, FakeOpenAI, clues_asked, completion, no_network

MINIS = Path(__file__).parents[2] / "data" / "minis"
PRICE = (1.0, 2.0)


@pytest.fixture(scope="module")
def minis() -> list[Puzzle]:
    return [replace(open_puzzle(path), id=path.stem) for path in sorted(MINIS.glob("mini-*.xd"))]


class Oracle:
    """Answers as a model that knows every puzzle; records the most questions it had at one time.

    It waits `seconds` before each answer, and with the first ones until `together` requests are there.
    """

    def __init__(self, minis, seconds=0.0, together=1):
        self.known = {puzzle.clue(slot): puzzle.solution.answer(slot) for puzzle in minis for slot in puzzle.grid.slots}
        self.seconds = seconds
        self.lock = threading.Lock()
        self.now = self.most = 0
        self.together, self.are_together = together, threading.Event()

    def __call__(self, request):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == self.together:
                self.are_together.set()
        self.are_together.wait(300)
        time.sleep(self.seconds)
        asked = clues_asked(request)
        said = [[slot, self.known[clue], 0.9] for slot, clue in asked.items() if clue in self.known]
        with self.lock:
            self.now -= 1
        usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
        return Canned(completion(json.dumps({"slots": said})) | {"usage": usage})


@pytest.fixture
def settings(tmp_path):
    return Settings(
        model="m", providers=("llm",), cache_dir=tmp_path / "cache", data_dir=tmp_path / "data", prices={"m": PRICE}
    )


def test_processes_search_and_the_parent_asks_in_parallel(minis, settings):
    oracle = Oracle(minis, together=3)
    with FakeOpenAI(oracle) as server:
        configuration = Configuration(replace(settings, base_url=server.base_url))
        lines = list(evaluate(minis, configuration, jobs=2, asks=3))
    assert oracle.most == 3
    assert all(line["solved"] for line in lines)


def test_every_line_has_the_usage_of_its_own_puzzle(minis, settings, tmp_path):
    with FakeOpenAI(Oracle(minis, seconds=0.02)) as server:
        configuration = Configuration(replace(settings, base_url=server.base_url, rounds=0))
        lines = list(evaluate(minis, configuration, jobs=2, asks=4))
        asked = len(server.chats)
        again = list(evaluate(minis, configuration, jobs=1))
        assert len(server.chats) == asked == len(minis)
    assert [line["calls"] for line in lines] == [1] * len(minis)
    assert [line["tokens"] for line in lines] == [1100] * len(minis)
    assert [line["cost"] for line in lines] == pytest.approx([0.0012] * len(minis))
    assert all(line["waited"] >= 0.02 for line in lines)
    assert [(line["calls"], line["cache_hits"], line["cost"]) for line in again] == [(0, 1, 0.0)] * len(minis)
    with closing(sqlite3.connect(tmp_path / "data" / "ledger.db")) as database:
        assert database.execute("select count(*) from calls").fetchone() == (len(minis),)


def test_a_limit_on_calls_holds_for_all_workers_together(minis, settings, tmp_path):
    path = tmp_path / "results.jsonl"
    with FakeOpenAI(Oracle(minis)) as server:
        limited = replace(settings, base_url=server.base_url, rounds=0, max_calls=5)
        with Results(path) as results:
            lines = list(evaluate(minis, Configuration(limited), jobs=2, asks=4, results=results))
            assert (len(lines), len(results)) == (len(minis), 5)
        assert len(server.chats) == 5
        assert sum("limit of 5 calls" in " ".join(line["warnings"]) for line in lines) == len(minis) - 5
        with Results(path) as results:
            lines = list(evaluate(minis, Configuration(replace(limited, max_calls=None)), jobs=1, results=results))
        assert len(server.chats) == len(minis)
    assert all(line["solved"] for line in lines)
    assert path.read_bytes().count(b"\n") == len(minis)


def test_all_wait_as_long_as_one_request_is_told_to(minis, settings):
    arrived = []
    oracle = Oracle(minis)

    def answer(request):
        arrived.append(time.monotonic())
        if len(arrived) == 1:
            return Canned({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "1"})
        return oracle(request)

    with FakeOpenAI(answer) as server:
        configuration = Configuration(replace(settings, base_url=server.base_url, rounds=0))
        lines = list(evaluate(minis[:6], configuration, jobs=1, asks=2))
    assert all(line["solved"] for line in lines)
    # the second thread's first request may have been under way already
    assert sum(when - arrived[0] < 0.9 for when in arrived) <= 2


def test_every_seed_is_asked_for_itself_and_kept_for_itself(minis, settings, tmp_path):
    path = tmp_path / "results.jsonl"
    with FakeOpenAI(Oracle(minis)) as server:
        configuration = Configuration(replace(settings, base_url=server.base_url, rounds=0))
        for _ in range(2):
            with Results(path) as results:
                lines = list(evaluate(minis[:2], configuration, jobs=1, seeds=3, results=results))
        assert sorted(str(chat.json.get("seed")) for chat in server.chats) == ["1", "1", "2", "2", "None", "None"]
    assert sorted((line["id"], line["seed"]) for line in lines) == [
        (mini.id, seed) for mini in minis[:2] for seed in range(3)
    ]
    with pytest.raises(ValueError, match="to a language model only"):
        list(evaluate(minis, Configuration(replace(settings, providers=("lexicon",))), seeds=2))


def test_offline_every_answer_comes_from_the_cache(minis, settings):
    with FakeOpenAI(Oracle(minis)) as server:
        configuration = Configuration(replace(settings, base_url=server.base_url, rounds=0))
        online = list(evaluate(minis[:4], configuration, jobs=1))
        with no_network(allow_loopback=False):
            offline = list(evaluate(minis[:4], Configuration(replace(configuration.settings, offline=True)), jobs=1))
    assert [line["grid"] for line in offline] == [line["grid"] for line in online]
    assert [line["calls"] for line in offline] == [0] * 4


def test_a_failing_provider_is_a_warning_on_that_line_alone(minis, settings):
    oracle = Oracle(minis)
    first = minis[0].clues[0].text

    def answer(request):
        return Canned({"error": {"message": "no"}}, status=403) if first in str(request.json) else oracle(request)

    with FakeOpenAI(answer) as server:
        configuration = Configuration(replace(settings, base_url=server.base_url))
        lines = {line["id"]: line for line in evaluate(minis[:3], configuration, jobs=1)}
    assert [bool(line["warnings"]) for _, line in sorted(lines.items())] == [True, False, False]
    assert not lines[minis[0].id]["solved"]


def test_a_provider_that_fails_in_part_is_a_warning_on_the_line(minis, settings):
    half = Canned(status=403)  # one query of all: the others are answered, with nothing
    with FakeDatamuse({"*": []}, faults=[half]) as server:
        both = replace(settings, providers=("datamuse", "lexicon"), datamuse_url=server.url, model="")
        (line,) = evaluate(minis[:1], Configuration(both), executor="processes", jobs=1)
    (warning,) = line["warnings"]
    assert warning.startswith("datamuse: 1 of ")
    assert warning.endswith("queries failed: the server says HTTP 403")


def test_known_letters_are_asked_with_as_in_a_single_solve(minis, settings):
    with FakeDatamuse({"*": []}) as server:
        both = replace(settings, providers=("datamuse", "lexicon"), datamuse_url=server.url, model="", threshold=1.0)
        (line,) = evaluate(minis[:1], Configuration(both), jobs=1)
        assert line["rounds"] >= 1
        assert line["calls"] == len(server.requests)


def test_a_copy_counts_from_zero_and_shares_the_cache(settings, tmp_path):
    with Cache(tmp_path / "cache") as cache, open_llm(settings, cache) as provider:
        assert provider.for_puzzle().usage() == provider.usage()
        assert provider.for_puzzle(3).client is provider.client


class Recording(Executor):
    """Runs each task at once, and keeps it in its serialised form."""

    def __init__(self):
        self.sent = []

    def submit(self, function, /, *arguments):
        self.sent.append(pickle.dumps((function, arguments)))
        future = Future()
        future.set_result(function(*arguments))
        return future


def test_an_executor_gets_no_keys_places_or_other_solutions(minis, settings, tmp_path):
    executor = Recording()
    with FakeOpenAI(Oracle(minis), key="top-secret") as server:
        asking = replace(settings, base_url=server.base_url, api_key="top-secret")
        lines = list(evaluate(minis[:3], Configuration(asking), executor=lambda: executor, jobs=1))
    assert all(line["solved"] for line in lines)
    assert len(executor.sent) >= 6  # each was handed out at least twice: without answers, and with them
    for secret in ("top-secret", server.base_url, str(tmp_path)):
        assert not any(secret.encode() in task for task in executor.sent)


def test_a_local_model_is_asked_for_one_puzzle_at_a_time():
    live = Settings(model="x", base_url="https://models.example/v1", providers=("llm",))
    assert asked_at_once(live) == asked_at_once(replace(live, providers=("datamuse",))) == 4
    assert asked_at_once(replace(live, base_url="http://127.0.0.1:11434/v1")) == 1
    assert asked_at_once(replace(live, offline=True)) == asked_at_once(Settings()) == 1
