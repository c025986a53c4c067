"""Requests that are refused, and the headers of every answer."""

import socket

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agent.web.guard import Hosts

POLICY = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "connect-src 'self'",
    "font-src 'none'", "base-uri 'none'", "manifest-src 'self'", "form-action 'none'", "frame-ancestors 'none'",
]  # fmt: skip


def raw(client, head, body=b""):
    """Send bytes as they are; return the status code and the body."""
    host, port = client.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as connection:
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
    for path in ("/", "/api/settings", server.part("page.css")):
        status, answer = raw(server, [f"GET {path} HTTP/1.1", f"Host: {host.format(port=port)}"])
        assert status in {400, 421}
        assert b"lexicon" not in answer


def test_two_hosts_or_none_are_refused(server):
    port = server.url.rsplit(":", 1)[1]
    assert raw(server, ["GET / HTTP/1.1", f"Host: localhost:{port}", "Host: evil.example"])[0] in {400, 421}
    assert raw(server, ["GET / HTTP/1.1"])[0] == 400
    assert raw(server, ["GET / HTTP/1.0"])[0] == 421


@hypothesis_settings(max_examples=hypothesis_settings.default.max_examples * 2)
@given(name=st.text(max_size=40), port=st.integers(0, 70_000))
def test_no_name_but_the_few_is_admitted(name, port):
    hosts = Hosts.of("127.0.0.1", 8420)
    if hosts.admit(f"{name}:{port}"):
        assert port == 8420
        assert name.lower() in {"localhost", "127.0.0.1", "[::1]", "::1"}


def test_a_public_server_takes_numbers_but_no_foreign_names():
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
        ("GET", "/"), ("GET", "/worker.js"), ("GET", "/static/none.js"), ("GET", "/api/settings"), ("PUT", "/"),
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
