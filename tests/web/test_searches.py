"""Searches over HTTP: a client that leaves ends its own, one that waits gets its turn, nothing is lost or mixed up."""

import gc
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from agent.api import open_puzzle
from agent.config import Settings
from agent.testing import Canned, FakeDatamuse, FakeOpenAI

DATA = Path(__file__).parents[2] / "data"
LONG = DATA / "minis" / "midi-01.xd"


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "search"]


@pytest.fixture
def slow(tmp_path):
    """Set up a server whose searches wait for a model until `release` is set."""
    release = threading.Event()

    def script(request):
        del request
        release.wait(300)
        return Canned("no", status=400)

    with FakeOpenAI(script) as model:
        settings = Settings(
            model="m", base_url=model.base_url, cache_dir=tmp_path / "c", data_dir=tmp_path / "d", timeout=300,
            providers=("llm",),
        )  # fmt: skip
        yield settings, release
        release.set()


# The events


def test_the_first_event_comes_before_the_search_has_ended(serve, slow, listen):
    settings, release = slow
    with serve(settings) as client:
        handle = client.open(example="tiny-01")["id"]
        with client.post(f"/api/puzzles/{handle}/solve", {"providers": ["llm"]}, stream=True) as answer:
            told = listen(answer)
            assert next(told) == ("started", {"id": handle})
            release.set()
            assert list(told)[-1][0] == "failed"


def test_a_page_without_patience_gets_the_others_grid(serve, slow, listen, solved):
    settings, _ = slow
    with serve(settings) as client:
        handle = client.open(example="tiny-01")["id"]
        asked = {"providers": ["clueset", "llm"], "patience": 0.3}
        with client.post(f"/api/puzzles/{handle}/solve", asked, stream=True) as answer:
            name, end = list(listen(answer))[-1]
    assert name == "solution"
    assert end["cells"] == list(solved)
    assert end["ended"].startswith("patience (0.3 s) ran out before llm answered")


def test_candidates_come_as_soon_as_their_provider_has_answered(serve, slow, listen):
    """The model is still thinking when the recorded candidates are shown."""
    settings, release = slow
    with serve(settings) as client:
        handle = client.open(example="tiny-01")["id"]
        choice = {"providers": ["clueset", "llm", "lexicon"]}
        with client.post(f"/api/puzzles/{handle}/solve", choice, stream=True) as answer:
            told = listen(answer)
            before = [next(told), next(told)]
            assert [name for name, _ in before] == ["started", "proposed"]
            assert before[1][1]["provider"] == "clueset"
            release.set()
            rest = dict(told)
        assert "llm" in rest["warning"]["text"]
        assert rest["solution"]["solved"] is True


def test_a_provider_that_fails_alone_is_a_failure(serve, slow):
    settings, release = slow
    release.set()
    with serve(settings) as client:
        name, data = client.solve(client.open(example="tiny-01")["id"], providers=["llm"])[-1]
    assert name == "failed"
    assert "no provider could answer" in data["error"]


def test_a_hint_whose_providers_fail_says_so(serve, slow):
    settings, release = slow
    release.set()
    with serve(settings) as client:
        opened = client.open(example="tiny-01")
        answer = client.ask(opened["id"], "hint", cells=opened["cells"], against="agent", providers=["llm"])
    assert answer.status_code == 502
    assert "no provider could answer" in answer.json()["error"]


def test_live_candidates_reach_the_page(serve, tmp_path):
    puzzle = open_puzzle(DATA / "minis" / "tiny-01.xd")
    words = [puzzle.solution.answer(slot).lower() for slot in puzzle.grid.slots]
    with (
        FakeDatamuse(lambda _: words) as datamuse,
        serve(Settings(datamuse_url=datamuse.url, cache_dir=tmp_path)) as client,
    ):
        told = dict(client.solve(client.open(example="tiny-01")["id"], providers=["datamuse"]))
    assert told["proposed"]["provider"] == "datamuse"
    assert "STOP" in [word for word, _ in told["proposed"]["slots"]["1A"]]
    assert told["solution"]["slots"][0]["source"] == "datamuse"


# Leaving


def test_a_search_ends_when_its_client_leaves(server, listen, until):
    handle = server.open(example="midi-01")["id"]
    answer = server.post(f"/api/puzzles/{handle}/solve", {"providers": ["lexicon"], "rounds": 5}, stream=True)
    assert next(listen(answer))[0] == "started"
    until(threads)
    answer.close()
    until(lambda: not threads() and len(server.server.app.state.turns) == 0)
    assert server.ask(handle, "check", cells=server.open(example="midi-01")["cells"]).status_code == 200


def test_a_search_that_was_left_keeps_no_answer(server, listen, until):
    handle = server.open(example="midi-01")["id"]
    answer = server.post(f"/api/puzzles/{handle}/solve", {"providers": ["lexicon"]}, stream=True)
    next(listen(answer))
    until(threads)
    answer.close()
    until(lambda: not threads())
    assert server.server.app.state.store.get(handle).answer is None


def test_a_hint_whose_client_leaves_ends_its_search(serve, slow, until):
    settings, release = slow
    with serve(settings) as client:
        opened = client.open(example="midi-01")
        body = {"cells": opened["cells"], "against": "agent", "providers": ["llm"]}
        host, port = client.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=300) as leaving:
            sent = json.dumps(body)
            head = [f"POST /api/puzzles/{opened['id']}/hint HTTP/1.1", f"Host: localhost:{port}"]
            head += ["Content-Type: application/json", f"Content-Length: {len(sent)}"]
            leaving.sendall("\r\n".join([*head, "", sent]).encode())
            until(threads)
        release.set()
        until(lambda: not threads() and not len(client.server.app.state.turns))


def test_a_client_that_leaves_the_queue_makes_room(serve, slow, listen, until):
    settings, release = slow
    with serve(settings, solves=1, waiting=1) as client:
        handle = client.open(example="tiny-01")["id"]
        path, choice = f"/api/puzzles/{handle}/solve", {"providers": ["llm"]}
        first = client.post(path, choice, stream=True)
        until(threads)
        second = requests.post(client.url + path, json=choice, stream=True, timeout=300)
        told = listen(second)
        assert [next(told), next(told)] == [("started", {"id": handle}), ("waiting", {"ahead": 0})]
        assert client.post(path, choice).status_code == 503
        second.close()
        until(lambda: len(client.server.app.state.turns) == 1)
        third = requests.post(client.url + path, json=choice, stream=True, timeout=300)
        assert third.status_code == 200
        release.set()
        assert list(listen(third))[-1][0] == "failed"
        first.close()
        third.close()


def test_when_the_server_stops_every_stream_ends(serve, slow, listen, until):
    settings, release = slow
    with serve(settings, solves=1) as client:
        handle = client.open(example="tiny-01")["id"]
        path, choice = f"/api/puzzles/{handle}/solve", {"providers": ["llm"]}
        streams = [requests.post(client.url + path, json=choice, stream=True, timeout=300) for _ in range(3)]
        told = [listen(stream) for stream in streams]
        assert [next(one)[0] for one in told] == ["started"] * 3
        until(threads)
        client.server.should_exit = True
        assert [list(one)[-1][1]["error"] for one in told] == ["the server is stopping"] * 3
        release.set()
        for stream in streams:
            stream.close()


def test_a_waiting_hint_is_told_when_the_server_stops(serve, slow, until):
    settings, release = slow
    with serve(settings) as client:
        opened = client.open(example="tiny-01")
        body = {"cells": opened["cells"], "against": "agent", "providers": ["llm"]}
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(requests.post, f"{client.url}/api/puzzles/{opened['id']}/hint", json=body, timeout=300)
            until(threads)
            client.server.should_exit = True
            assert asked.result().status_code == 503
        release.set()


def test_too_many_searches_are_told_to_come_back(serve, slow, until):
    settings, release = slow
    with serve(settings, solves=1, waiting=0) as client:
        handle = client.open(example="tiny-01")["id"]
        path, choice = f"/api/puzzles/{handle}/solve", {"providers": ["llm"]}
        first = client.post(path, choice, stream=True)
        until(threads)
        refused = client.post(path, choice)
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) > 0
        assert client.ask(handle, "reveal").status_code == 200  # a request without a search is served
        release.set()
        first.close()


# Many at once


def test_fifty_solves_at_once_lose_and_mix_up_nothing(serve):
    """Each page opens its own puzzle, solves it, and gets its own solution back."""
    names = sorted(path.stem for path in (DATA / "minis").glob("m*.xd") if path.stem != "midi-01")
    wanted = {name: list(open_puzzle(DATA / "minis" / f"{name}.xd").solution.cells) for name in names}
    with serve() as client:

        def one(number):
            name = names[number % len(names)]
            with requests.Session() as session:
                answer = session.post(f"{client.url}/api/puzzles?example={name}", timeout=300)
                handle = answer.json()["id"]
                path, choice = f"{client.url}/api/puzzles/{handle}/solve", {"providers": ["clueset"]}
                with session.post(path, json=choice, stream=True, timeout=300) as stream:
                    lines = [line for line in stream.iter_lines() if line.startswith(b"data: ")]
            started, end = json.loads(lines[0][6:]), json.loads(lines[-1][6:])
            assert started["id"] == end["handle"] == handle
            assert end["official"] == wanted[name]
            return end["cells"] == wanted[name]

        with ThreadPoolExecutor(50) as pool:
            solved = list(pool.map(one, range(50)))
        assert all(solved)
        assert len(client.server.app.state.turns) == 0
        assert len(client.server.app.state.store) == 50


def test_the_solutions_kept_do_not_grow_with_the_requests(serve, until):
    def solutions():
        gc.collect()
        return sum(type(thing).__name__ == "Solution" for thing in gc.get_objects())

    before = solutions()  # other tests may keep some
    with serve(puzzles=4) as client:
        for _ in range(20):
            client.solve(client.open(example="tiny-01")["id"], providers=["clueset"])
        until(lambda: solutions() <= before + 5)


def test_a_limit_on_calls_holds_for_the_server_as_a_whole(serve, tmp_path):
    with FakeOpenAI(lambda _: {"slots": []}) as model:
        settings = Settings(
            model="m", base_url=model.base_url, cache_dir=tmp_path / "c", data_dir=tmp_path / "d", timeout=300,
            providers=("llm",), max_calls=1, rounds=0,
        )  # fmt: skip
        with serve(settings) as client:
            for example in ("tiny-01", "mini-01", "mini-02"):
                client.solve(client.open(example=example)["id"], providers=["llm"])
        assert len(model.requests) == 1
