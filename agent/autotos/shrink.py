"""Make a counter-example small: leave out every answer that the fault does not need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from agent.autotos.cases import Case
from agent.autotos.domain import Arguments, Domain, Role

MAX_TRIES = 150
"""Calls spent on making one counter-example smaller; emptying ten lists and then halving needs about sixty."""


def word_lists(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    """Find the lists of strings in nested lists, with the way to each.

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


def _smaller(words: list[str]) -> Iterator[list[str]]:
    """Offer shorter lists, the shortest first."""
    size = len(words)
    while size:
        for at in range(0, len(words), size):
            yield words[:at] + words[at + size :]
        size //= 2


def shrink(domain: Domain, role: Role, case: Case, still_fails: Callable[[Case], bool]) -> Case:
    """Return a case with as few answers as possible for which `still_fails` holds.

    The state stays as it is, and stays one that trusted moves can reach. Costs at most MAX_TRIES calls.
    """
    trusted: Callable[..., Any] = domain.successors if role == "successor" else domain.is_goal
    tries = 0

    def attempt(arguments: Arguments) -> Case | None:
        nonlocal tries
        tries += 1
        if role == "successor" and not domain.keeps(case.state, arguments):
            return None
        smaller = Case(replace(case.instance, arguments=arguments), case.state, trusted(case.state, arguments))
        return smaller if smaller.expected is not None and still_fails(smaller) else None

    progress = True
    while progress and tries < MAX_TRIES:
        progress = False
        for path, _ in list(word_lists(case.instance.arguments)):
            again = True
            while again and tries < MAX_TRIES:
                again = False
                current = dict(word_lists(case.instance.arguments))[path]
                for words in _smaller(current):
                    if tries >= MAX_TRIES:
                        break
                    smaller = attempt(tuple(replaced(case.instance.arguments, path, words)))
                    if smaller is not None:
                        case = smaller
                        progress = again = True
                        break
    return case
