"""What the server refuses, and what never leaves it."""

import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agent.config import Settings
from agent.testing import Canned, FakeDatamuse, FakeOpenAI, no_network
from agent.web.guard import Hosts

DATA = Path(__file__).parents[2] / "data"
KEY = "sk-a-very-secret-key-0123456789"
POLICY = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "connect-src 'self'",
    "font-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
]  # fmt: skip


def raw(client, head, body=b""):
    """Send bytes as they are; the status line's code and the body."""
    host, port = client.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join([*head, "Connection: close", "", ""]).encode("latin-1") + body)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return int(answer.split()[1]), answer


# Who may ask


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_its_own_names_are_answered(server, host):
    port = server.url.rsplit(":", 1)[1]
    assert raw(server, ["GET /api/settings HTTP/1.1", f"Host: {host}:{port}"])[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:{port}", "localhost", "localhost:1", "localhost:{port}.evil.example",
        "localhost.evil.example:{port}", "127.0.0.1.evil.example:{port}", "evil.example#localhost:{port}",
        "user@localhost:{port}", "0.0.0.0:{port}", "192.0.2.1:{port}", "[::2]:{port}", "[::1:{port}", ":{port}", "",
        "localhost:{port}:{port}", "localhost :{port}", "\xff:{port}",
    ],
)  # fmt: skip
def test_any_other_name_is_refused(server, host):
    """A name that leads here through an attacker's DNS is not ours."""
    port = server.url.rsplit(":", 1)[1]
    for path in ("/", "/api/settings", "/static/page.css"):
        status, answer = raw(server, [f"GET {path} HTTP/1.1", f"Host: {host.format(port=port)}"])
        assert status in {400, 421}
        assert b"lexicon" not in answer


def test_two_hosts_or_none_are_refused(server):
    port = server.url.rsplit(":", 1)[1]
    assert raw(server, ["GET / HTTP/1.1", f"Host: localhost:{port}", "Host: evil.example"])[0] in {400, 421}
    assert raw(server, ["GET / HTTP/1.1"])[0] == 400
    assert raw(server, ["GET / HTTP/1.0"])[0] == 421


@hypothesis_settings(max_examples=200, deadline=None)
@given(name=st.text(max_size=40), port=st.integers(0, 70_000))
def test_no_name_but_the_few_is_admitted(name, port):
    hosts = Hosts.of("127.0.0.1", 8420)
    if hosts.admit(f"{name}:{port}"):
        assert port == 8420
        assert name.lower() in {"localhost", "127.0.0.1", "[::1]", "::1"}


def test_a_server_for_every_address_takes_numbers_but_no_foreign_names():
    hosts = Hosts.of("0.0.0.0", 8420)  # noqa: S104 - nothing listens
    assert hosts.admit("192.0.2.7:8420")
    assert hosts.admit("[2001:db8::7]:8420")
    assert not hosts.admit("evil.example:8420")
    assert not hosts.admit("192.0.2.7.evil.example:8420")


def test_the_name_it_was_started_for_is_admitted():
    assert Hosts.of("box.example", 80).admit("box.example")
    assert not Hosts.of("box.example", 8420).admit("box.example")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "https://{host}"},
        {"Origin": "http://{host}.evil.example"},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://{host}", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_post_from_another_page_is_refused(server, headers):
    headers = {name: value.format(host=server.url.removeprefix("http://")) for name, value in headers.items()}
    for path in ("/api/puzzles?example=tiny-01", "/api/verdicts", "/api/puzzles/x/solve"):
        answer = server.post(path, headers=headers)
        assert answer.status_code == 403
        assert "only the page" in answer.json()["error"]


def test_a_post_from_its_own_page_or_from_no_page_is_served(server):
    for headers in ({}, {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        assert server.post("/api/puzzles?example=tiny-01", headers=headers).status_code == 201


def test_no_other_page_may_read_what_it_says(server):
    answer = server.get("/api/settings", headers={"Origin": "http://evil.example"})
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert (
        server.session.options(server.url + "/api/puzzles", headers={"Origin": "http://evil.example"}).status_code
        == 403
    )


# What every answer carries


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"), ("GET", "/static/page.css"), ("GET", "/static/none.js"), ("GET", "/api/settings"), ("PUT", "/"),
        ("POST", "/api/puzzles"), ("POST", "/api/puzzles?example=mini-01"), ("POST", "/api/puzzles/x/solve"),
    ],
)  # fmt: skip
def test_every_answer_is_strict(server, method, path):
    answer = server.session.request(method, server.url + path)
    assert answer.headers["content-security-policy"].split("; ") == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == ("no-store" if path.startswith("/api") else "no-cache")
    assert "server" not in answer.headers


def test_a_refusal_and_a_stream_are_as_strict(server):
    refused = server.get("/", headers={"Host": "evil.example"})
    handle = server.open(example="tiny-01")["id"]
    with server.post(f"/api/puzzles/{handle}/solve", {}, stream=True) as streamed:
        for answer in (refused, streamed):
            assert answer.headers["content-security-policy"].split("; ") == POLICY


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(server):
    page = server.get("/").text
    assert " style=" not in page
    assert "<style" not in page
    assert " on" not in "".join(part.split(">")[0] for part in page.split("<script")[1:])
    assert "http://" not in page
    assert "https://" not in page


# How much is taken


def test_a_body_that_is_announced_too_large_is_refused(server):
    port = server.url.rsplit(":", 1)[1]
    head = ["POST /api/puzzles HTTP/1.1", f"Host: localhost:{port}", "Content-Length: 1000001"]
    status, answer = raw(server, head)  # no body follows
    assert status == 413
    assert b"1,000,000" in answer


def test_who_sends_a_large_file_hears_why_it_is_refused(server):
    answer = server.post("/api/puzzles", data=b"x" * 20_000_000)
    assert answer.status_code == 413
    assert "1,000,000" in answer.json()["error"]


def test_a_body_that_turns_out_too_large_is_refused(server):
    def pieces():
        for _ in range(200):
            yield b"x" * 10_000

    answer = server.post("/api/puzzles", data=pieces())
    assert answer.status_code == 413
    assert "1,000,000" in answer.json()["error"]


def test_a_body_of_exactly_the_limit_is_read(server):
    answer = server.post("/api/puzzles", data=b" " * 1_000_000)
    assert answer.status_code == 422


@pytest.mark.parametrize("length", ["-1", "x", "99999999999999999999999999", "1e3"])
def test_a_length_that_is_none_is_refused(server, length):
    port = server.url.rsplit(":", 1)[1]
    status, _ = raw(server, ["POST /api/puzzles HTTP/1.1", f"Host: localhost:{port}", f"Content-Length: {length}"])
    assert status in {400, 413}


def test_a_body_that_never_ends_is_given_up(serve):
    with serve(body_seconds=0.2) as client:
        port = client.url.rsplit(":", 1)[1]
        head = ["POST /api/puzzles HTTP/1.1", f"Host: localhost:{port}", "Content-Length: 1000"]
        status, _ = raw(client, head, b"only this")
        assert status == 408
        assert client.get("/api/settings").status_code == 200


def test_a_client_that_leaves_while_it_sends_does_no_harm(server):
    host, port = server.url.removeprefix("http://").split(":")
    for _ in range(5):
        connection = socket.create_connection((host, int(port)))
        connection.sendall(
            f"POST /api/puzzles HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 100\r\n\r\nx".encode()
        )
        connection.close()
    assert server.get("/api/settings").status_code == 200


def test_requests_beyond_the_cap_are_told_to_come_back(serve, until):
    with serve(requests=2, body_seconds=30.0) as client:
        host, port = client.url.removeprefix("http://").split(":")
        held = [socket.create_connection((host, int(port))) for _ in range(2)]
        for connection in held:
            connection.sendall(f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 9\r\n\r\n".encode())
        until(lambda: client.get("/api/settings").status_code == 503)
        answer = client.get("/api/settings")
        assert answer.headers["retry-after"] == "5"
        for connection in held:
            connection.close()
        until(lambda: client.get("/api/settings").status_code == 200)


def test_the_oldest_puzzle_goes_when_the_shelf_is_full(serve):
    with serve(puzzles=3) as client:
        first, *others = [client.open(example="tiny-01")["id"] for _ in range(4)]
        assert client.ask(first, "reveal").status_code == 404
        assert all(client.ask(handle, "reveal").status_code == 200 for handle in others)


def test_a_puzzle_that_is_used_stays(serve):
    with serve(puzzles=2) as client:
        kept = client.open(example="tiny-01")["id"]
        for _ in range(5):
            client.open(example="mini-01")
            assert client.ask(kept, "reveal").status_code == 200


def test_large_files_push_each_other_out(serve):
    with serve(puzzle_bytes=5_000) as client:
        large = b"Title: " + b"x" * 3_000 + b"\n\n\nNO\nOH\n\n\nA1. x ~ NO\nA3. y ~ OH\n"
        first, second = client.open(large)["id"], client.open(large)["id"]
        assert client.ask(first, "reveal").status_code == 404
        assert client.ask(second, "reveal").status_code == 200


# What never leaves


def everything_said(client):
    """Go through every route, and give all that was answered, heads and bodies."""
    said = []

    def note(answer):
        said.append(repr(answer.headers) + answer.text)
        return answer

    for path in ("/", "/api/settings", "/api/examples", "/api/nothing", "/static/page.css"):
        note(client.get(path))
    opened = note(client.post("/api/puzzles?example=tiny-01")).json()
    for what, body in (
        ("solve", {"providers": ["llm", "datamuse"]}),
        ("solve", {}),
        ("hint", {"cells": opened["cells"], "against": "agent"}),
        ("check", {"cells": opened["cells"]}),
        ("reveal", {"against": "agent"}),
        ("export?format=xd", {"cells": opened["cells"]}),
        ("solve", {"providers": ["nobody"]}),
    ):
        note(client.post(f"/api/puzzles/{opened['id']}/{what}", body))
    return "".join(said)


@pytest.mark.parametrize("answer", [f"I know your key: {KEY}", Canned({"error": {"message": KEY}}, status=401)])
def test_no_key_is_in_any_answer(serve, tmp_path, answer):
    """Not even where the model or its server says the key."""
    with FakeOpenAI([answer]) as model, FakeDatamuse({}) as words:
        settings = Settings(
            model="m", base_url=model.base_url, api_key=KEY, cache_dir=tmp_path / "c", data_dir=tmp_path / "d",
            datamuse_url=words.url, providers=("llm", "lexicon"),
        )  # fmt: skip
        with serve(settings) as client:
            said = everything_said(client)
        assert model.requests
        assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in said
    assert KEY[:12] not in said


def test_a_secret_in_a_base_url_is_never_shown(serve, tmp_path):
    settings = Settings(
        model="m", base_url=f"http://user:{KEY}@127.0.0.1:9/v1", cache_dir=tmp_path / "c", data_dir=tmp_path / "d"
    )
    with serve(settings) as client:
        said = everything_said(client)
    assert KEY not in said
    assert "holds a secret" in said


def test_the_llm_is_offered_under_the_models_name_alone(serve, tmp_path):
    settings = Settings(model="m-7", base_url="http://127.0.0.1:9/v1", api_key=KEY, cache_dir=tmp_path)
    with serve(settings) as client:
        answer = client.get("/api/settings")
    row = next(row for row in answer.json()["providers"] if row["name"] == "llm")
    assert (row["label"], row["available"]) == ("m-7", True)
    assert "127.0.0.1:9" not in answer.text


def test_it_works_without_a_network(serve):
    with no_network(allow_loopback=True), serve(Settings(offline=True)) as client:
        handle = client.open(example="mini-01")["id"]
        assert client.solve(handle)[-1][1]["verified"] is True
        assert client.get("/").status_code == 200


def test_a_page_offline_never_asks_datamuse(serve, tmp_path):
    with FakeDatamuse({}) as words:
        settings = Settings(offline=True, datamuse_url=words.url, cache_dir=tmp_path)
        with serve(settings) as client:
            client.solve(client.open(example="tiny-01")["id"], providers=["datamuse", "lexicon"])
        assert words.requests == []
