"""Read the facts of a planning problem in PDDL (the STRIPS part: ground facts in `:init` and `:goal`)."""

from __future__ import annotations

import re


def facts(text: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return the ground facts of the initial state and of the goal, as tuples of their words.

    Raises ValueError if the text has no initial state.

    >>> facts("(define (:init (handempty) (on a b)) (:goal (and (clear a))))")
    ([('handempty',), ('on', 'a', 'b')], [('clear', 'a')])
    """
    body = re.sub(r";.*", "", text)
    if "(:init" not in body:
        raise ValueError("expected a planning problem with (:init ...)")
    init, _, goal = body.partition("(:init")[2].partition("(:goal")
    found = [[tuple(words.split()) for words in re.findall(r"\(([^()]+)\)", part)] for part in (init, goal)]
    return found[0], found[1]
