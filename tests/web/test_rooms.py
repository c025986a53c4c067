"""Rooms over HTTP: who gets in, what crosses over, how they end."""

from contextlib import contextmanager

import pytest

from agent.web.boards import read
from agent.web.puzzle_store import Source
from agent.web.rooms import Rooms
from agent.web.together import room_of

LATER = 1000.0


@contextmanager
def inside(client, room, **who):
    """Be in a room; yields what is heard there, as an iterator of (name, data)."""
    with client.post(f"/api/rooms/{room}/join", who, stream=True) as answer:
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield iter(client.events(answer))


@pytest.fixture
def client(server, listen):
    server.events = listen
    return server


def opened(client, example="tiny-01", edits=(), **more):
    handle = client.open(example=example)["id"]
    answer = client.ask(handle, "together", edits=list(edits), **more)
    assert answer.status_code == 201, answer.text
    return answer.json()["room"]


def write(client, room, key, batch, *edits, **more):
    return client.post(f"/api/rooms/{room}/write", {"key": key, "batch": batch, "edits": list(edits), **more})


def until(heard, holds):
    """Listen until somebody hears what is waited for."""
    return next(data for name, data in heard if holds(data))


def test_letters_cross_over(client):
    room = opened(client, edits=[[0, "x", "pencil"]], seconds=30)
    with inside(client, room) as one, inside(client, room, name="Ann") as other:
        first, second = next(one)[1], next(other)[1]
        assert first["cells"][0] == [0, "X", "pencil"]
        assert first["seconds"] >= 30
        assert [person["name"] for person in second["people"]] == ["Blue", "Ann"]
        assert until(one, lambda data: len(data.get("people", [])) == 2)
        assert write(client, room, second["key"], 1, [1, "y", ""], cell=2, direction="down").status_code == 200
        news = until(one, lambda data: data["cells"])
        assert news["cells"] == [[1, "Y", ""]]
        ann = {"number": 2, "name": "Ann", "colour": 1, "cell": 2, "direction": "down", "here": True}
        assert news["people"][1] == ann


def test_a_browser_that_comes_back_is_known_and_its_old_connection_ends(client):
    room = opened(client)
    with inside(client, room) as one:
        key = next(one)[1]["key"]
        write(client, room, key, 7, [0, "A", ""])
        with inside(client, room, key=key) as again:
            told = next(again)[1]
            assert (told["you"], told["key"], told["batch"]) == (1, key, 7)
            assert not [name for name, _ in one if name != "room"]  # to its end


def test_who_leaves_is_missed(client):
    room = opened(client)
    with inside(client, room) as one:
        with inside(client, room) as other:
            next(other)
            until(one, lambda data: len(data.get("people", [])) == 2)
        until(one, lambda data: [person["here"] for person in data.get("people", [])] == [True, False])


def test_the_last_letter_is_a_win_for_everybody(client, solved):
    room = opened(client)
    letters = [[cell, letter, ""] for cell, letter in enumerate(solved) if letter != "#"]
    with inside(client, room) as one, inside(client, room) as other:
        key = next(one)[1]["key"]
        write(client, room, key, 1, *letters[:-1])
        write(client, room, key, 2, [letters[-1][0], "Q", ""])
        assert not until(other, lambda data: len(data["cells"]) and data["batch"] == 0)["won"]
        write(client, room, key, 3, letters[-1])
        assert until(one, lambda data: data["won"])["runs"] is False
        assert until(other, lambda data: data["won"])


def test_a_grid_that_is_solved_already_opens_as_won(client, solved):
    letters = [[cell, letter, ""] for cell, letter in enumerate(solved) if letter != "#"]
    with inside(client, opened(client, edits=letters, seconds=30)) as one:
        told = next(one)[1]
        assert (told["won"], told["runs"], told["seconds"]) == (True, False, 30)


def test_without_an_official_solution_a_grid_is_never_won_whatever_a_page_says(client):
    handle = client.open(b"..\n..\n\n\nA1. Not yes\nA3. Dear me\n\nD1. Not yes\nD2. Dear me")["id"]
    letters = [[cell, "A", ""] for cell in range(4)]
    with inside(client, client.ask(handle, "together", edits=letters, won=True).json()["room"]) as one:
        told = next(one)[1]
        assert told["won"] is False
    room = client.ask(handle, "together").json()["room"]
    with inside(client, room) as one:
        write(client, room, next(one)[1]["key"], 1, *letters, won=True)
        assert not until(one, lambda data: data["batch"] == 1)["won"]


@pytest.mark.parametrize("example", ["picture-01", "sudoku-6x6-1", "gogen-01", "words-01"])
def test_puzzles_of_other_kinds_have_rooms_too(client, example):
    puzzle = client.open(example=example)
    free = next(cell for cell, content in enumerate(puzzle["cells"]) if content in {".", "?"})
    sign = {"digits": "1", "switches": "#"}.get(puzzle["form"]["cells"], "A")
    room = client.ask(puzzle["id"], "together", edits=[[free, sign, ""]]).json()["room"]
    with inside(client, room) as one:
        assert next(one)[1]["cells"][free] == [free, sign, ""]


def test_the_puzzle_of_a_room_can_be_opened_by_its_guests(client):
    example = opened(client)
    assert client.get(f"/api/rooms/{example}").json()["source"] == {"example": "tiny-01"}
    text = b"NO\nOH\n\n\nA1. Not yes\nA3. Dear me\n\nD1. Not yes\nD2. Dear me"
    pasted = client.ask(client.open(text, name="a.txt")["id"], "together").json()["room"]
    assert client.get(f"/api/rooms/{pasted}").json()["source"] == {"name": "a.txt", "text": text.decode()}
    mini = client.open(example="mini-01")
    binary = client.ask(mini["id"], "export?format=puz", cells=mini["cells"]).content
    room = client.ask(client.open(binary, name="a.puz")["id"], "together").json()["room"]
    source = client.get(f"/api/rooms/{room}").json()["source"]
    assert set(source) == {"name", "base64"}


def test_clues_alone_have_a_room_once_their_grid_is_found(client):
    text = b"ACROSS\n1. Furniture to sleep on\n4. Pole to row a boat with\n5. Humorously sarcastic\n"
    text += b"DOWN\n1. Weapon that shoots arrows\n2. Organ of hearing\n3. Free from moisture"
    handle = client.open(text)["id"]
    assert client.ask(handle, "together").status_code == 422
    client.solve(handle, providers=["lexicon"])
    room = client.ask(handle, "together").json()["room"]
    source = client.get(f"/api/rooms/{room}").json()["source"]
    again = client.open(source["text"].encode(), name=source["name"])
    assert (again["width"], again["height"], again["official"]) == (3, 3, False)
    assert set(again["cells"]) == {"."}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"batch": 1}, 403), ({"key": "x", "batch": 1}, 403), ({"key": 1, "batch": 1}, 422), ({"key": "x"}, 422),
        ({"key": "", "batch": 1, "edits": [[0, "#", ""]]}, 422), ({"key": "\ud800", "batch": 1}, 422),
        ({"key": "", "batch": 1, "edits": [[0, "\ud800", ""]]}, 422), ({"key": "x", "batch": True}, 422),
    ],
)  # fmt: skip
def test_what_is_no_change_is_refused(client, body, status):
    room = opened(client)
    with inside(client, room) as one:
        next(one)
        assert client.post(f"/api/rooms/{room}/write", body).status_code == status


@pytest.mark.parametrize("body", [{"seconds": -1}, {"seconds": "1"}, {"seconds": 1e300}, {"edits": [[0, "#", ""]]}])
def test_a_room_begins_with_what_the_puzzle_can_have(client, body):
    assert client.ask(client.open(example="tiny-01")["id"], "together", **body).status_code == 422


def test_a_room_that_is_not_there_has_ended(client):
    for answer in (
        client.get("/api/rooms/none"),
        client.post("/api/rooms/none/join", {}),
        client.post("/api/rooms/none/write", {}),
    ):
        assert answer.status_code == 404
        assert "ended" in answer.json()["error"]


def test_rooms_and_their_people_have_limits(serve, listen):
    with serve(rooms=1, people=1) as client:
        client.events = listen
        left = opened(client)
        room = opened(client)  # nobody is in the first
        assert client.get(f"/api/rooms/{left}").status_code == 404
        with inside(client, room) as one:
            next(one)
            full = client.post(f"/api/rooms/{room}/join", {})
            assert full.status_code == 409
            assert "as many as it takes" in full.json()["error"]
            handle = client.open(example="tiny-01")["id"]
            assert client.ask(handle, "together").status_code == 503


def test_a_room_that_nobody_is_in_ends_by_itself():
    puzzle, now = read(b"1\n\n1", "x.non"), [0.0]
    rooms = Rooms(4, LATER, lambda: now[0])
    meeting = rooms.add(puzzle, Source(), room_of(puzzle))
    now[0] = LATER
    assert rooms.get(meeting.handle) is meeting
    now[0] = LATER + 1
    assert rooms.get(meeting.handle) is None
    assert meeting.is_over


def test_who_is_in_a_room_hears_that_the_server_stops(serve, listen):
    with serve() as client:
        client.events = listen
        room = opened(client)
        with inside(client, room) as one:
            next(one)
            client.server.should_exit = True
            assert [name for name, _ in one][-1] == "over"


def test_a_link_has_what_other_machines_need(serve):
    with serve() as client:
        handle = client.open(example="tiny-01")["id"]
        assert client.ask(handle, "together").json()["address"] == ""
    with serve(host="0.0.0.0", token="open-sesame") as client:  # noqa: S104, S106 - of this test
        client.url = client.url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        client.session.headers["Authorization"] = "Bearer open-sesame"
        handle = client.open(example="tiny-01")["id"]
        found = client.ask(handle, "together").json()
        assert found["token"] == "open-sesame"  # noqa: S105
        assert found["address"].startswith("http://")
        assert "127.0.0.1" not in found["address"]
