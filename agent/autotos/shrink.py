"""Shrink a counter-example: the domain offers smaller ones, and the first that still shows the fault is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from agent.autotos.cases import Case, goal_case, successor_case
from agent.autotos.domain import Domain, Role

MAX_TRIES = 150
"""Calls spent on shrinking one counter-example; emptying ten lists and then halving needs about sixty."""


def shrink(domain: Domain, role: Role, case: Case, still_fails: Callable[[Case], bool]) -> Case:
    """Return a case as small as found for which `still_fails` holds. Makes at most MAX_TRIES calls."""
    make = successor_case if role == "successor" else goal_case
    tries = 0
    progress = True
    while progress:
        progress = False
        for state, arguments in domain.smaller(role, case.state, case.instance.arguments):
            if tries >= MAX_TRIES:
                return case
            tries += 1
            smaller = make(domain, replace(case.instance, arguments=arguments, goals=()), state)
            if still_fails(smaller):
                case, progress = smaller, True
                break
    return case


def fewer(arguments: Mapping[str, Any], least: int = 0) -> Iterator[dict[str, Any]]:
    """Yield arguments with a part of one of their lists of strings left out, large parts first.

    No list becomes shorter than `least`.

    >>> [one["words"] for one in fewer({"words": ["a", "b"]})]
    [[], ['b'], ['a']]
    """
    for path, words in word_lists(arguments):
        size = len(words)
        while size:
            for at in range(0, len(words), size):
                rest = words[:at] + words[at + size :]
                if len(rest) >= least:
                    yield replaced(arguments, path, rest)
            size //= 2


def word_lists(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    """Yield the lists of strings in nested lists, with the path to each.

    >>> list(word_lists({"down": [["a"], []]}))
    [(('down', 0), ['a']), (('down', 1), [])]
    """
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from word_lists(item, (*path, name))
    elif isinstance(value, list):
        if all(isinstance(item, str) for item in value) and path:
            yield path, value
        else:
            for place, item in enumerate(value):
                yield from word_lists(item, (*path, place))


def replaced(value: Any, path: tuple[Any, ...], words: list[str]) -> Any:
    """Return nested lists with the list at `path` replaced.

    >>> replaced({"down": [["a"], []]}, ("down", 0), [])
    {'down': [[], []]}
    """
    if not path:
        return words
    if isinstance(value, Mapping):
        return {**value, path[0]: replaced(value[path[0]], path[1:], words)}
    return [replaced(item, path[1:], words) if place == path[0] else item for place, item in enumerate(value)]
