"""A kind of puzzle for the judge, the loop and the evaluation run, which know nothing else about it.

A domain's states are grids: rows of cells, each None while empty, or one character. Two functions are asked for,
`successor(state, *arguments)` and `goal(state, *arguments)`; the arguments are the rest of an instance, as JSON.
A new domain is one small file in `agent/autotos/domains` that makes a `Domain`, and a folder of prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

Role = Literal["successor", "goal"]
ROLES: tuple[Role, ...] = ("successor", "goal")
Cell = str | None
State = tuple[tuple[Cell, ...], ...]
Arguments = tuple[Any, ...]
EMPTY = " "
"""An empty cell in the packed form of a state."""


def freeze(rows: Iterable[Iterable[Cell]]) -> State:
    """Return rows as a hashable state.

    >>> freeze([["a", None]])
    (('a', None),)
    """
    return tuple(tuple(row) for row in rows)


def thaw(state: State) -> list[list[Cell]]:
    """Return a state as the lists that a function is called with.

    >>> thaw((("a", None),))
    [['a', None]]
    """
    return [list(row) for row in state]


def pack(state: State) -> str:
    """Return a state as one character per cell, row by row.

    >>> pack((("a", None), ("b", "c")))
    'a bc'
    """
    return "".join(cell or EMPTY for row in state for cell in row)


def unpack(text: str, width: int) -> State:
    """Return the state of a packed text.

    >>> unpack("a bc", 2)
    (('a', None), ('b', 'c'))
    """
    cells = [None if cell == EMPTY else cell for cell in text]
    return tuple(tuple(cells[at : at + width]) for at in range(0, len(cells), width))


def picture(state: State) -> str:
    """Return a drawing of a state, `.` for an empty cell.

    >>> print(picture((("a", None), ("b", "c"))))
    a .
    b c
    """
    return "\n".join(" ".join(cell or "." for cell in row) for row in state)


def letters(state: State) -> int:
    """Return the number of filled cells.

    >>> letters((("a", None),))
    1
    """
    return sum(cell is not None for row in state for cell in row)


def word_lists(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    """Yield the lists of strings in nested lists, with the path to each.

    >>> list(word_lists([[["a"], []]]))
    [((0, 0), ['a']), ((0, 1), [])]
    """
    if isinstance(value, (list, tuple)):
        if all(isinstance(item, str) for item in value) and path:
            yield path, list(value)
        else:
            for place, item in enumerate(value):
                yield from word_lists(item, (*path, place))


def replaced(value: Any, path: tuple[int, ...], words: list[str]) -> Any:
    """Return nested lists with the list at `path` replaced.

    >>> replaced([[["a"], []]], (0, 0), [])
    [[[], []]]
    """
    if not path:
        return words
    return [replaced(item, path[1:], words) if place == path[0] else item for place, item in enumerate(value)]


@dataclass(frozen=True, slots=True)
class Instance:
    """A puzzle to judge on: the start of the search, the arguments after the state in every call, and known goals.

    `name` tells its peculiarity; `goals` are those that its maker knows, not necessarily all.
    """

    name: str
    start: State
    arguments: Arguments
    goals: tuple[State, ...] = ()


@dataclass(frozen=True, slots=True)
class Domain:
    """A kind of puzzle: its trusted functions and the makers of its instances.

    `successors` and `is_goal` are the trusted reference. `instances(random)` makes varied instances for the
    comparison, `small(random)` makes instances with goals whose whole space of states can be walked in a moment.
    `probes(instance, goal, random)` makes states that a goal test must tell from a goal, `twists(arguments, goal,
    random)` makes arguments with which it is no longer one: each breaks exactly one rule. `fault(state, child,
    arguments)` describes the fault of a wrong successor, `keeps(state, arguments)` returns whether a state can still be
    reached after an instance was made smaller, `evaluation(data)` reads an instance from a file. `priority` orders a
    best-first search, lowest first.
    """

    name: str
    functions: Mapping[Role, str]
    parameters: tuple[str, ...]
    successors: Callable[[State, Arguments], set[State]]
    is_goal: Callable[[State, Arguments], bool]
    instances: Callable[[Random], Sequence[Instance]]
    small: Callable[[Random], Sequence[Instance]]
    probes: Callable[[Instance, State, Random], Iterable[State]]
    twists: Callable[[Arguments, State, Random], Iterable[Arguments]]
    fault: Callable[[State, State, Arguments], tuple[str, str]]
    keeps: Callable[[State, Arguments], bool]
    evaluation: Callable[[Any], Instance]
    priority: Callable[[State], float] = field(default=lambda state: -letters(state))

    def signature(self, role: Role) -> str:
        """Return the head of the function that is asked for."""
        return f"{self.functions[role]}(state, {', '.join(self.parameters)})"
