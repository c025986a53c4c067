"""A room as a value: order, people, time, and what each browser is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import UsageError
from agent.web.boards import read
from agent.web.together import (
    COLOURS,
    MAX_NAME,
    FullError,
    StrangerError,
    enter,
    leave,
    move,
    named,
    news,
    read_edits,
    rename,
    room_of,
    win,
    write,
)

PUZZLE = read(b"NO#\nOHM\n\n\nA1. Not yes ~ NO", "x.xd")
NONOGRAM = read(b"1 1\n\n1\n0\n1", "x.non")
GOGEN = read(b'{"board": ["A.", ".."], "words": ["ABCD"], "letters": "ABCD"}', "x.json")


def meeting(*keys, most=4):
    room = room_of(PUZZLE)
    for key in keys:
        room = enter(room, key, "", 0.0, most)
    return room


# Edits


def test_of_two_letters_in_one_cell_the_later_one_stays():
    room = meeting("a", "b")
    room = write(room, "a", 1, {0: ("X", "")}, 1.0)
    room = write(room, "b", 1, {0: ("Y", "pencil")}, 1.0)
    assert room.cells[0] == ("Y", "pencil")


def test_a_batch_that_is_sent_again_is_not_applied_again():
    room = write(meeting("a", "b"), "a", 1, {0: ("X", "")}, 1.0)
    room = write(room, "b", 1, {0: ("Y", "")}, 1.0)
    assert write(room, "a", 1, {0: ("X", "")}, 2.0) == room


def test_nobody_writes_with_a_key_of_no_one():
    for act in (
        lambda room: write(room, "c", 1, {}, 0.0),
        lambda room: move(room, "c", 0, "across"),
        lambda room: rename(room, "", "Ann"),
        lambda room: news(None, room, "c", 0.0),
    ):
        with pytest.raises(StrangerError):
            act(meeting("a", "b"))


@pytest.mark.parametrize(
    "edits",
    [
        {}, "x", [[0, "A"]], [["0", "A", ""]], [[True, "A", ""]], [[0, 1, ""]], [[0, "A", "blood"]], [[2, "A", ""]],
        [[0, "A\u200b", ""]],
        [[-1, "A", ""]], [[6, "A", ""]], [[0, "#", ""]], [[0, "A" * 100, ""]], [[0, "\u202e", ""]], [[0, "A", ""]] * 7,
    ],
)  # fmt: skip
def test_edits_that_the_puzzle_cannot_have_are_refused(edits):
    with pytest.raises(UsageError):
        read_edits(edits, PUZZLE)


def test_edits_are_read_in_the_form_of_the_puzzle():
    assert read_edits([[0, "heart", "help"], [1, ".", "pencil"]], PUZZLE) == {0: ("HEART", "help"), 1: (".", "")}
    assert read_edits([[0, ".", "help"], [1, "?", ""]], NONOGRAM) == {0: (".", "help"), 1: ("?", "")}
    with pytest.raises(UsageError):
        read_edits([[0, "A", ""]], NONOGRAM)


def test_a_cell_for_one_letter_takes_no_letter_that_becomes_two():
    assert read_edits([[1, "b", ""]], GOGEN) == {1: ("B", "")}
    with pytest.raises(UsageError):
        read_edits([[1, "ß", ""]], GOGEN)


@given(data=st.data())
def test_all_browsers_agree_with_the_room_whatever_they_have_missed(data):
    """Each applies what it is told, at moments of its own, with some of its connections lost."""
    keys = ("a", "b", "c")
    room = meeting(*keys)
    told, grids = dict.fromkeys(keys), {key: {} for key in keys}

    def tell(key):
        found = news(told[key], room, key, 0.0)
        grids[key] |= {cell: tuple(written) for cell, *written in found["cells"]}
        told[key] = room

    for batch in range(1, data.draw(st.integers(1, 12)) + 1):
        key = data.draw(st.sampled_from(keys))
        edit = {data.draw(st.sampled_from([0, 1, 3, 4])): (data.draw(st.sampled_from("XY")), "")}
        room = write(room, key, batch, edit, float(batch))
        if data.draw(st.booleans()):
            tell(data.draw(st.sampled_from(keys)))
        if data.draw(st.booleans()):
            told[data.draw(st.sampled_from(keys))] = None
    for key in keys:
        tell(key)
        assert grids[key] == dict(enumerate(room.cells))


def test_nothing_is_told_twice():
    room = meeting("a")
    after = write(room, "a", 1, {1: ("X", "")}, 1.0)
    assert news(room, after, "a", 1.0)["cells"] == [[1, "X", ""]]
    assert news(after, after, "a", 1.0)["cells"] == []
    assert "people" not in news(after, after, "a", 1.0)


def test_keys_are_told_to_their_owner_alone():
    room = meeting("first-key", "second-key")
    assert news(None, room, "first-key", 0.0)["key"] == "first-key"
    assert "second-key" not in str(news(None, room, "first-key", 0.0))


# People


def test_people_have_colours_of_their_own_and_keep_them():
    room = meeting("a", "b", "c")
    assert [one.to_json()["name"] for one in room.people] == ["Blue", "Amber", "Green"]
    room = leave(room, "a", 1, 1.0)
    room = enter(enter(room, "d", "", 2.0, 4), "a", "Ann", 3.0, 4)
    assert [one.to_json()["name"] for one in room.people] == ["Ann", "Amber", "Green", "Violet"]
    assert len({name[0] for name in COLOURS}) == len(COLOURS)


def test_a_room_takes_only_so_many():
    room = meeting("a", "b", most=2)
    with pytest.raises(FullError):
        enter(room, "c", "", 1.0, 2)
    room = enter(leave(room, "a", 1, 1.0), "c", "", 2.0, 2)
    assert [one.key for one in room.people] == ["b", "c"]
    assert enter(room, "c", "", 3.0, 2).known("c").visit == 2


def test_an_earlier_connection_that_ends_late_sends_nobody_away():
    room = enter(meeting("a"), "a", "", 1.0, 4)
    assert leave(room, "a", 1, 2.0) == room
    assert leave(room, "a", 2, 2.0).is_empty


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("", ""), (" \t ", ""), ("Ann\nLee", "Ann Lee"), ("a\u202eb\u0000\u200bc", "abc"), ("<b>", "<b>"),
        ("É" * 99, "É" * MAX_NAME),
    ],
)  # fmt: skip
def test_names_are_short_plain_text(name, shown):
    assert named(name) == shown


@pytest.mark.parametrize(("cell", "direction"), [(-1, "across"), (6, "down"), (True, "down"), ("0", "down"), (0, "up")])
def test_a_cursor_is_in_the_grid(cell, direction):
    with pytest.raises(UsageError):
        move(meeting("a"), "a", cell, direction)


# The time


def test_the_time_runs_while_somebody_is_there_from_the_first_letter_to_the_last():
    room = enter(room_of(PUZZLE), "a", "", 100.0, 4)
    assert room.seconds_at(150.0) == 0.0
    room = write(room, "a", 1, {0: ("N", "")}, 200.0)
    assert room.seconds_at(210.0) == 10.0
    room = leave(room, "a", 1, 220.0)
    assert room.seconds_at(1000.0) == 20.0
    room = enter(room, "b", "", 1000.0, 4)
    room = win(room, 1005.0)
    assert room.seconds_at(2000.0) == 25.0
    assert write(room, "b", 1, {0: (".", "")}, 2000.0).seconds_at(3000.0) == 25.0


def test_the_time_that_was_spent_alone_counts():
    room = room_of(PUZZLE, {0: ("N", "")}, seconds=60.0, now=5.0)
    assert room.seconds_at(100.0) == 60.0
    assert enter(room, "a", "", 100.0, 4).seconds_at(101.0) == 61.0
