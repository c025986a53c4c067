"""Bodies, requests and puzzles have limits."""

import socket

import pytest


def raw(client, head, body=b""):
    """Send bytes as they are; return the status code and the body."""
    host, port = client.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as connection:
        connection.sendall("\r\n".join([*head, "Connection: close", "", ""]).encode("latin-1") + body)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return int(answer.split()[1]), answer


def test_a_body_that_is_announced_too_large_is_refused(server):
    port = server.url.rsplit(":", 1)[1]
    head = ["POST /api/puzzles HTTP/1.1", f"Host: localhost:{port}", "Content-Length: 1000001"]
    status, answer = raw(server, head)  # no body follows
    assert status == 413
    assert b"1,000,000" in answer


def test_the_sender_of_a_large_file_hears_why_it_is_refused(server):
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
def test_a_bad_length_is_refused(server, length):
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


@pytest.mark.parametrize("begin", [b"", b"GET / HTTP/1.1\r\n"])
def test_a_head_that_does_not_come_is_not_waited_for(serve, begin):
    with serve(head_seconds=0.2) as client:
        host, port = client.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=300) as connection:
            connection.sendall(begin)
            assert connection.recv(100) == b""


def test_a_second_head_on_a_connection_has_its_time_too(serve):
    with serve(head_seconds=2.0) as client:
        host, port = client.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=300) as connection:
            connection.sendall(f"GET /none HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
            assert b"404" in connection.recv(10_000)
            connection.sendall(b"GET / HTTP/1.1\r\n")
            while connection.recv(10_000):
                pass


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


def test_the_oldest_puzzle_goes_when_the_store_is_full(serve):
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
