"""The shipped fakes are part of the product: they do what they promise and leave nothing behind."""

import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.error
import urllib.request

import pytest

from agent.testing import Canned, FakeDatamuse, FakeOpenAI, NetworkBlocked, completion, no_network


def get(url):
    with urllib.request.urlopen(url, timeout=300) as answer:  # noqa: S310  # our own fake
        return json.load(answer)


def post(server, body):
    request = urllib.request.Request(f"{server.base_url}/chat/completions", json.dumps(body).encode())  # noqa: S310
    with urllib.request.urlopen(request, timeout=300) as answer:  # noqa: S310
        return json.load(answer)


def test_replies_come_in_order_and_the_last_one_stays():
    with FakeOpenAI(["one", {"two": 2}]) as server:
        said = [post(server, {})["choices"][0]["message"]["content"] for _ in range(3)]
    assert said == ["one", '{"two": 2}', '{"two": 2}']
    assert [request.method for request in server.chats] == ["POST"] * 3


def test_a_function_can_answer():
    with FakeOpenAI(lambda request: request.json["x"]) as server:
        assert post(server, {"x": "hi"})["choices"][0]["message"]["content"] == "hi"


def test_a_script_that_fails_is_raised_again_at_the_end():
    with pytest.raises(ZeroDivisionError), FakeOpenAI(lambda _: 1 / 0) as server:  # noqa: PT012  # both are the point
        with pytest.raises(urllib.error.HTTPError, match="500") as caught:
            post(server, {})
        caught.value.close()


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"sent": 0.5}, http.client.IncompleteRead),
        ({"sent": 0.5, "reset": True}, ConnectionResetError),
        ({"sent": 0}, http.client.RemoteDisconnected),
        ({"sent": 0, "reset": True}, ConnectionResetError),
    ],
)
def test_connections_end_as_asked(fault, error):
    with FakeOpenAI([Canned(completion("x" * 1000), **fault)]) as server, pytest.raises(error):
        post(server, {})


def test_closing_ends_slow_answers_idle_connections_and_threads():
    def wait_in_vain():
        with pytest.raises(http.client.RemoteDisconnected):
            post(server, {})

    before = set(threading.enumerate())
    started = time.monotonic()
    with FakeOpenAI([Canned(completion("late"), delay=600)]) as server:
        idle = socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])))
        thread = threading.Thread(target=wait_in_vain)
        thread.start()
        while not server.requests:
            time.sleep(0.001)
    thread.join()
    idle.close()
    assert set(threading.enumerate()) <= before
    assert time.monotonic() - started < 300


def test_datamuse_answers_by_constraints_pattern_and_max():
    with FakeDatamuse({"ml=big cat": ["lion", "tiger", "puma"], "rel_trg=zoo": ["tiger", "lion"]}) as server:
        words = lambda query: [entry["word"] for entry in get(f"{server.url}/words?{query}")]  # noqa: E731
        assert words("ml=big+cat&max=2") == ["lion", "tiger"]
        assert words("ml=big+cat&sp=????") == ["lion", "puma"]
        assert words("ml=big+cat&rel_trg=zoo&topics=x") == ["lion", "tiger"]
        assert words("ml=nothing") == []
        assert server.requests[0].query == {"ml": "big cat", "max": "2"}


def test_datamuse_faults_come_first_and_none_means_no_fault():
    with FakeDatamuse(lambda query: [query["s"]], faults=[Canned(status=500), None, Canned("[")]) as server:
        with pytest.raises(urllib.error.HTTPError, match="500") as caught:
            get(f"{server.url}/sug?s=a")
        caught.value.close()
        assert get(f"{server.url}/sug?s=a") == [{"word": "a", "score": 1000}]
        with pytest.raises(ValueError, match="Expecting value"):
            get(f"{server.url}/sug?s=a")


def test_the_guard_lets_loopback_through_and_nothing_else():
    with FakeDatamuse({}) as server, no_network():
        assert get(f"{server.url}/words?ml=x") == []
    for host in ("192.0.2.1", "example.org"):
        with pytest.raises(NetworkBlocked, match=host), no_network():
            socket.create_connection((host, 80), timeout=1)


def test_a_swallowed_attempt_is_still_raised():
    with pytest.raises(NetworkBlocked, match=r"192\.0\.2\.1"), no_network(), contextlib.suppress(RuntimeError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)


def test_without_loopback_no_socket_can_be_made_in_any_thread():
    failures = []

    def work():
        try:
            socket.socket().close()
        except NetworkBlocked as error:
            failures.append(error)

    with pytest.raises(NetworkBlocked), no_network(allow_loopback=False):  # noqa: PT012  # raised on leaving
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(failures) == 1
    socket.socket().close()


def test_datagrams_are_covered():
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(NetworkBlocked), no_network():
        sender.sendto(b"x", ("192.0.2.1", 9))
