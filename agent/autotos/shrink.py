"""Shrink a counter-example: leave out every answer that the fault does not need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from agent.autotos.cases import Case
from agent.autotos.domain import Arguments, Domain, Role, replaced, word_lists

MAX_TRIES = 150
"""Calls spent on shrinking one counter-example; emptying ten lists and then halving needs about sixty."""


def _smaller(words: list[str]) -> Iterator[list[str]]:
    """Yield shorter lists, the shortest first."""
    size = len(words)
    while size:
        for at in range(0, len(words), size):
            yield words[:at] + words[at + size :]
        size //= 2


def shrink(domain: Domain, role: Role, case: Case, still_fails: Callable[[Case], bool]) -> Case:
    """Return a case with as few answers as possible for which `still_fails` holds.

    The state stays as it is, and stays one that trusted moves can reach. Makes at most MAX_TRIES calls.
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
