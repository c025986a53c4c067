"""A real server on loopback in a thread, and a client that speaks HTTP to it."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests

from agent.api import open_puzzle
from agent.config import Settings
from agent.web.choice import Offer
from agent.web.limits import Limits
from agent.web.page_files import PageFiles
from agent.web.server import bind, make_server
from agent.web.token import Token

DATA = Path(__file__).parents[2] / "data"
PATIENCE = 300.0
"""Seconds until a test gives a server up: a loaded machine is slow."""


@dataclass
class Client:
    """Talks to one server, as the page does."""

    url: str
    server: object
    session: requests.Session = field(default_factory=requests.Session)

    def get(self, path, **options):
        return self.session.get(self.url + path, timeout=PATIENCE, **options)

    def post(self, path, body=None, **options):
        if body is not None:
            options["json"] = body
        return self.session.post(self.url + path, timeout=PATIENCE, **options)

    def part(self, name):
        """Find the address of a part of the page."""
        return f"/static/{PageFiles.read().version}/{name}"

    def open(self, data=b"", **query):
        answer = self.post("/api/puzzles", data=data, params=query)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def solve(self, handle, **choice):
        """Solve to the end; return the events as (name, data)."""
        with self.post(f"/api/puzzles/{handle}/solve", choice, stream=True) as answer:
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"].startswith("text/event-stream")
            return list(events(answer))

    def ask(self, handle, what, **body):
        return self.post(f"/api/puzzles/{handle}/{what}", body)


def events(answer):
    """Read server-sent events as they come."""
    name = None
    for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def wait_until(holds):
    """Wait until another thread makes a condition true."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.01)


@contextmanager
def serving(settings=None, clue_sets=(), host="127.0.0.1", token="", **limits):
    """Serve on a free port; everything is closed and every search has ended when the context ends."""
    listening = bind(host, 0)
    known = Token(token, listening.getsockname()[1]) if token else None
    server = make_server(
        Offer(settings or Settings(), tuple(clue_sets), Limits(**limits)), listening, host, token=known
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    shown = f"[{host}]" if ":" in host else host
    client = Client(f"http://{shown}:{listening.getsockname()[1]}", server)
    try:
        wait_until(lambda: server.started)
        yield client
    finally:
        client.session.close()
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()
    wait_until(lambda: not searching())


def searching():
    """List the threads that search."""
    return [thread for thread in threading.enumerate() if thread.name == "search"]


@pytest.fixture(scope="module")
def server():
    """Serve with the lexicon and the recorded candidates, for all tests of a module."""
    with serving() as client:
        yield client


@pytest.fixture(scope="module")
def tiny(server):
    return server.open(example="tiny-01")


@pytest.fixture(scope="module")
def solved():
    return open_puzzle(DATA / "minis" / "tiny-01.xd").solution.cells


@pytest.fixture(scope="session")
def serve():
    """Return the function that starts a server."""
    return serving


@pytest.fixture
def until():
    """Return the function that waits for a condition."""
    return wait_until


@pytest.fixture
def listen():
    """Return the function that reads events as they arrive."""
    return events
