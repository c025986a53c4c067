"""Solving together: one grid that several people fill, as a value. Every change makes a new one.

Changes apply in the order in which the server gets them, so a cell that two people write at once ends the same for
everybody. A browser is told the difference between the value it was told last and the present one (:func:`news`): one
that is slow, or comes back, misses nothing and is sent nothing twice. Time comes in as `now`, in seconds.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent.errors import GridwrightError, UsageError
from agent.grid import Puzzle
from agent.kinds import GridPuzzle
from agent.web.boards import form, free_cells, read_cells, start_cells

INK, PENCIL, HELP = "", "pencil", "help"
"""How a cell was written: in ink, in pencil, or by a hint."""

Written = tuple[str, str]
"""The content of a cell, and how it was written."""

MAX_NAME = 20
"""Characters of a name."""

COLOURS = ("Blue", "Amber", "Green", "Violet", "Red", "Teal", "Pink", "Olive", "Coral", "Indigo", "Slate", "Walnut")
"""What people are called who have not named themselves; no two begin with the same letter. The page has the colours."""


class FullError(GridwrightError):
    """A room has as many people as it may have."""


class StrangerError(GridwrightError):
    """A change comes with a key that is nobody's in this room."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a room: `number` is known to all, `key` to one browser alone.

    `batch` numbers the last edits that were applied, `visit` the connection, which ends if another one takes its place.
    """

    number: int
    key: str
    colour: int
    name: str = ""
    cell: int = 0
    direction: str = ""
    batch: int = 0
    visit: int = 1
    is_here: bool = True

    def to_json(self) -> dict[str, Any]:
        """Describe it to everybody in the room.

        >>> Person(1, "secret", 0).to_json()
        {'number': 1, 'name': 'Blue', 'colour': 0, 'cell': 0, 'direction': '', 'here': True}
        """
        name = self.name or COLOURS[self.colour]
        found = {"number": self.number, "name": name, "colour": self.colour}
        return {**found, "cell": self.cell, "direction": self.direction, "here": self.is_here}


@dataclass(frozen=True, slots=True)
class Room:
    """A grid and the people who fill it. The time runs while somebody is there, from the first letter to the last.

    `since` is when it began to run, None while it stands still; `used` when somebody did something last.
    """

    cells: tuple[Written, ...]
    people: tuple[Person, ...] = ()
    seconds: float = 0.0
    since: float | None = None
    is_begun: bool = False
    is_won: bool = False
    used: float = 0.0

    @property
    def contents(self) -> tuple[str, ...]:
        """The contents of the cells."""
        return tuple(content for content, _ in self.cells)

    @property
    def is_empty(self) -> bool:
        """Whether nobody is there."""
        return not any(person.is_here for person in self.people)

    def seconds_at(self, now: float) -> float:
        """Return the shared time."""
        return self.seconds + (0.0 if self.since is None else now - self.since)

    def known(self, key: str) -> Person | None:
        """Return the person with a key, None if it is nobody's."""
        return next((one for one in self.people if hmac.compare_digest(one.key.encode(), key.encode())), None)


def room_of(
    puzzle: Puzzle | GridPuzzle, edits: Mapping[int, Written] | None = None, seconds: float = 0.0, now: float = 0.0
) -> Room:
    """Return a grid as one person has begun to fill it, who has spent `seconds` on it.

    >>> from agent.grid import Grid
    >>> room_of(Puzzle(Grid.parse(".#."), ()), {0: ("A", "")}).contents
    ('A', '#', '.')
    """
    cells = {cell: (content, INK) for cell, content in enumerate(start_cells(puzzle))} | dict(edits or {})
    return Room(tuple(cells.values()), seconds=seconds, is_begun=bool(edits) or seconds > 0, used=now)


def enter(room: Room, key: str, name: str, now: float, most: int) -> Room:
    """Let somebody in, or in again who has a key of this room. Raises FullError if `most` are there already.

    The key of somebody new must be fresh and random.

    >>> room = enter(Room(((".", ""),)), "k", "Ann", 0.0, 2)
    >>> enter(leave(room, "k", 1, 1.0), "k", "Anna", 5.0, 2).people
    (Person(number=1, key='k', colour=0, name='Anna', cell=0, direction='', batch=0, visit=2, is_here=True),)
    """
    known = room.known(key)
    if known is not None:
        again = replace(known, name=named(name), visit=known.visit + 1, is_here=True)
        return _wound(_with(room, again), now)
    people = room.people
    if len(people) >= most:  # of those who are away, the one who came first makes room
        away = next((one for one in people if not one.is_here), None)
        if away is None:
            raise FullError(f"{most} people are in this room already, as many as it takes")
        people = tuple(one for one in people if one is not away)
    taken = {one.colour for one in people}
    colour = next(index for index in range(len(people) + 1) if index not in taken) % len(COLOURS)
    number = 1 + max((one.number for one in room.people), default=0)
    return _wound(replace(room, people=(*people, Person(number, key, colour, named(name)))), now)


def leave(room: Room, key: str, visit: int, now: float) -> Room:
    """Note that a connection has ended; nothing changes if another has taken its place."""
    known = room.known(key)
    if known is None or known.visit != visit:
        return room
    return _wound(_with(room, replace(known, is_here=False)), now)


def write(room: Room, key: str, batch: int, edits: Mapping[int, Written], now: float) -> Room:
    """Apply edits; those of a batch that is not newer than the last were applied already. Raises StrangerError.

    >>> room = enter(Room(((".", ""), (".", ""))), "k", "", 0.0, 2)
    >>> room = write(room, "k", 1, {0: ("A", "")}, 1.0)
    >>> write(room, "k", 1, {0: ("B", "")}, 2.0).contents
    ('A', '.')
    """
    person = _present(room, key)
    if batch <= person.batch:
        return room
    cells = list(room.cells)
    for cell, written in edits.items():
        cells[cell] = written
    found = replace(_with(room, replace(person, batch=batch)), cells=tuple(cells))
    return _wound(replace(found, is_begun=room.is_begun or bool(edits)), now)


def move(room: Room, key: str, cell: int, direction: str) -> Room:
    """Note which cell somebody is in. Raises StrangerError, and UsageError if there is no such cell."""
    if isinstance(cell, bool) or not isinstance(cell, int) or not 0 <= cell < len(room.cells):
        raise UsageError(f"cell: expected a number from 0 to {len(room.cells) - 1}")
    if direction not in {"across", "down"}:
        raise UsageError("direction: expected across or down")
    return _with(room, replace(_present(room, key), cell=cell, direction=direction))


def rename(room: Room, key: str, name: str) -> Room:
    """Give somebody another name. Raises StrangerError."""
    return _with(room, replace(_present(room, key), name=named(name)))


def win(room: Room, now: float) -> Room:
    """Stop the time: the grid is solved."""
    return _wound(replace(room, is_won=True), now)


def news(before: Room | None, room: Room, key: str, now: float) -> dict[str, Any]:
    """Describe to somebody what has changed; everything if they have been told nothing before. Raises StrangerError.

    >>> room = enter(Room(((".", ""), (".", ""))), "k", "", 0.0, 2)
    >>> news(room, write(room, "k", 1, {1: ("A", "pencil")}, 5.0), "k", 7.5)
    {'cells': [[1, 'A', 'pencil']], 'batch': 1, 'seconds': 2.5, 'runs': True, 'won': False}
    """
    person = _present(room, key)
    cells = room.cells if before is None else before.cells
    changed = [
        [index, *written]
        for index, (written, then) in enumerate(zip(room.cells, cells, strict=True))
        if before is None or written != then
    ]
    told: dict[str, Any] = {"cells": changed, "batch": person.batch, "seconds": round(room.seconds_at(now), 1)}
    told |= {"runs": room.since is not None, "won": room.is_won}
    if before is None:
        told |= {"you": person.number, "key": key}
    shown = [one.to_json() for one in room.people]
    if before is None or shown != [one.to_json() for one in before.people]:
        told["people"] = shown
    return told


def read_edits(value: Any, puzzle: Puzzle | GridPuzzle) -> dict[int, Written]:
    """Read the edits that a page sent, each `[cell, content, how]`, in the form in which the puzzle has its cells.

    Raises UsageError if one is not of a cell that may be filled in, or not what it can hold.

    >>> from agent.grid import Grid
    >>> read_edits([[1, "é", "pencil"]], Puzzle(Grid.parse("#."), ()))
    {1: ('E', 'pencil')}
    """
    start, free, has_letters = start_cells(puzzle), free_cells(puzzle), form(puzzle)["cells"] == "letters"
    if not isinstance(value, list) or len(value) > len(start):
        raise UsageError(f"edits: expected a list of at most {len(start)}")
    filled = list(start)
    how: dict[int, str] = {}
    for edit in value:
        if not isinstance(edit, list) or [type(part) for part in edit] != [int, str, str]:
            raise UsageError("edits: expected [cell, content, how] of each")
        if edit[0] not in free or edit[2] not in {INK, PENCIL, HELP}:
            raise UsageError("edits: expected cells that may be filled in, written in ink, in pencil or by help")
        if any(unicodedata.category(sign)[0] == "C" for sign in edit[1]):
            raise UsageError("edits: expected no signs that cannot be seen")
        filled[edit[0]], how[edit[0]] = edit[1].upper() if has_letters else edit[1], edit[2]
    cells = read_cells(filled, puzzle)
    if has_letters:  # capitals on the page, whatever the kind has
        cells = tuple(map(str.upper, cells))
    return {cell: (cells[cell], INK if cells[cell] == start[cell] else way) for cell, way in how.items()}


def named(text: str) -> str:
    r"""Return a name as it is shown: on one line, without signs that steer the text around it, and not too long.

    >>> named(" Ann\n\u202e Lee "), len(named("x" * 100))
    ('Ann Lee', 20)
    """
    spaced = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(sign for sign in spaced if unicodedata.category(sign)[0] != "C")[:MAX_NAME].strip()


def _present(room: Room, key: str) -> Person:
    person = room.known(key)
    if person is None:
        raise StrangerError("nobody in this room has this key")
    return person


def _with(room: Room, person: Person) -> Room:
    return replace(room, people=tuple(person if one.number == person.number else one for one in room.people))


def _wound(room: Room, now: float) -> Room:
    """Let the time run on, begin or stand still, as what has changed has it."""
    runs = room.is_begun and not room.is_won and not room.is_empty
    return replace(room, seconds=room.seconds_at(now), since=now if runs else None, used=now)
