"""The rooms of a server: a stream to each person who is there, and the routes. They live in memory, and end with it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from agent.errors import BusyError, UsageError
from agent.formats import write_puzzle
from agent.grid import ClueText, Puzzle
from agent.kinds import GridPuzzle
from agent.solution import Solution
from agent.web import together
from agent.web.answering import EventStream, Problem, answer_json, body_of, entry_of
from agent.web.assisting import is_right
from agent.web.limits import Limits
from agent.web.puzzle_store import Entry, Source
from agent.web.running import FRAME_SECONDS, SIGN_OF_LIFE_SECONDS
from agent.web.solving import SIGN_OF_LIFE
from agent.web.together import Room
from agent.web.wire import frame

ROOM_BYTES = 16
"""Random bytes in a room's address: it cannot be guessed."""
KEY_BYTES = 12
"""Random bytes in the key by which a browser is known in a room."""


ENDED = "this room has ended: rooms end with the server, or hours after everybody has left"


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a link to a room needs: the server's address if other machines can reach it, and its token if it has one."""

    address: str = ""
    token: str = ""

    def to_json(self) -> dict[str, str]:
        """Describe it to a page that has shown the token itself."""
        return {"address": self.address, "token": self.token}


@dataclass(slots=True)
class Meeting:
    """A room in use: its puzzle, where that came from, and the room's present value, which streams wait to change."""

    handle: str
    puzzle: Puzzle | GridPuzzle
    source: Source
    room: Room
    is_over: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def become(self, room: Room) -> None:
        """Take a new value, and wake the streams."""
        self.room = room
        self.wake()

    def end(self) -> None:
        """End for good; the streams end, too."""
        self.is_over = True
        self.wake()

    def wake(self) -> None:
        """Wake the streams that wait for a change."""
        self.changed.set()
        self.changed = asyncio.Event()


class Rooms:
    """Keeps up to `most` rooms; one that nobody has been in for `idle` seconds has ended.

    >>> from agent.kinds import read_kind
    >>> puzzle, rooms = read_kind("1\\n\\n1"), Rooms(1, 60.0, lambda: 0.0)
    >>> first = rooms.add(puzzle, Source(), together.room_of(puzzle))
    >>> second = rooms.add(puzzle, Source(), together.room_of(puzzle))
    >>> rooms.get(first.handle) is None, first.is_over, rooms.get(second.handle) is second
    (True, True, True)
    """

    def __init__(self, most: int, idle: float, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._most, self._idle = most, idle
        self._meetings: dict[str, Meeting] = {}

    def add(self, puzzle: Puzzle | GridPuzzle, source: Source, room: Room) -> Meeting:
        """Open a room. If there are enough, the one left for longest ends; raises BusyError if people are in all."""
        self._end_idle()
        if len(self._meetings) >= self._most:
            left = [one for one in self._meetings.values() if one.room.is_empty]
            if not left:
                raise BusyError
            self._drop(min(left, key=lambda one: one.room.used))
        meeting = Meeting(secrets.token_urlsafe(ROOM_BYTES), puzzle, source, room)
        self._meetings[meeting.handle] = meeting
        return meeting

    def get(self, handle: str) -> Meeting | None:
        """Return a room; None if it has ended, or never was."""
        self._end_idle()
        return self._meetings.get(handle)

    def end_all(self) -> None:
        """End every room."""
        for meeting in list(self._meetings.values()):
            self._drop(meeting)

    def _end_idle(self) -> None:
        latest = self.now() - self._idle
        for meeting in list(self._meetings.values()):
            if meeting.room.is_empty and meeting.room.used < latest:
                self._drop(meeting)

    def _drop(self, meeting: Meeting) -> None:
        del self._meetings[meeting.handle]
        meeting.end()

    def __len__(self) -> int:
        return len(self._meetings)


async def follow(meeting: Meeting, key: str, visit: int, now: Callable[[], float]) -> AsyncIterator[bytes]:
    """Yield what changes in a room, until it ends or the same browser joins it again."""
    told: Room | None = None
    while True:
        changed, room = meeting.changed, meeting.room
        person = room.known(key)
        if meeting.is_over or person is None or person.visit != visit:
            break
        yield frame("room", together.news(told, room, key, now()))
        told = room
        while not changed.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), SIGN_OF_LIFE_SECONDS)
            if not changed.is_set():
                yield SIGN_OF_LIFE
        await asyncio.sleep(FRAME_SECONDS)
    if meeting.is_over:
        yield frame("over", {})


# Routes


async def open_room(request: Request) -> Response:
    """Open a room for a puzzle, with what the person has written so far."""
    entry, body = entry_of(request), await body_of(request)
    puzzle, source = grid_of(entry)
    rooms: Rooms = request.app.state.rooms
    seconds = body.get("seconds", 0)
    if type(seconds) not in {int, float} or not 0 <= seconds < 1e9:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "seconds: expected those spent so far")
    try:
        edits = together.read_edits(body.get("edits", []), puzzle)
        room = together.room_of(puzzle, edits, float(seconds), rooms.now())
        if is_right(puzzle, room.contents):
            room = together.win(room, rooms.now())
        meeting = rooms.add(puzzle, source, room)
    except UsageError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
    except BusyError:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "people are in every room that this server has") from None
    invitation: Invitation = request.app.state.invitation
    return answer_json({"room": meeting.handle, **invitation.to_json()}, HTTPStatus.CREATED)


def grid_of(entry: Entry) -> tuple[Puzzle | GridPuzzle, Source]:
    """Return a puzzle that has a grid, and what it can be opened from: for clues alone with the grid that was found."""
    if not isinstance(entry.puzzle, ClueText):
        return entry.puzzle, entry.source
    if not isinstance(entry.answer, Solution):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "these clues have no grid yet: solve them first")
    found = entry.answer.puzzle
    return found, Source(name=entry.source.name, data=write_puzzle(found, "ipuz"))


def meeting_of(request: Request) -> Meeting:
    """Return the room that a request is about."""
    meeting: Meeting | None = request.app.state.rooms.get(request.path_params["room"])
    if meeting is None:
        raise Problem(HTTPStatus.NOT_FOUND, ENDED)
    return meeting


async def describe(request: Request) -> Response:
    """Return what the puzzle of a room is opened from, and how the room is reached."""
    invitation: Invitation = request.app.state.invitation
    return answer_json({"source": meeting_of(request).source.to_json(), **invitation.to_json()})


async def join(request: Request) -> Response:
    """Let somebody in, and stream what happens in the room."""
    meeting, body = meeting_of(request), await body_of(request)
    rooms: Rooms = request.app.state.rooms
    limits: Limits = request.app.state.offer.limits
    key = text_of(body, "key")
    if not key or meeting.room.known(key) is None:
        key = secrets.token_urlsafe(KEY_BYTES)
    try:
        meeting.become(together.enter(meeting.room, key, text_of(body, "name"), rooms.now(), limits.people))
    except together.FullError as full:
        raise Problem(HTTPStatus.CONFLICT, str(full)) from full
    visit = next(person.visit for person in meeting.room.people if person.key == key)

    def close() -> None:
        meeting.become(together.leave(meeting.room, key, visit, rooms.now()))

    return EventStream(follow(meeting, key, visit, rooms.now), close)


async def write(request: Request) -> Response:
    """Take what somebody in a room has done: edits, their cell, their name."""
    meeting, body = meeting_of(request), await body_of(request)
    now, key, batch = request.app.state.rooms.now(), text_of(body, "key"), body.get("batch")
    if type(batch) is not int:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "batch: expected a number")
    try:
        room = together.write(meeting.room, key, batch, together.read_edits(body.get("edits", []), meeting.puzzle), now)
        if "cell" in body:
            room = together.move(room, key, body["cell"], text_of(body, "direction"))
        if "name" in body:
            room = together.rename(room, key, text_of(body, "name"))
    except UsageError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
    except together.StrangerError as error:
        raise Problem(HTTPStatus.FORBIDDEN, str(error)) from error
    if not room.is_won and is_right(meeting.puzzle, room.contents):
        room = together.win(room, now)
    meeting.become(room)
    return answer_json({"batch": batch})


def text_of(body: dict[str, Any], name: str) -> str:
    """Return a text of a body, "" if it is missing."""
    value = body.get(name, "")
    if not isinstance(value, str) or any("\ud800" <= sign <= "\udfff" for sign in value):  # half a sign is no text
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{name}: expected a text")
    return value
