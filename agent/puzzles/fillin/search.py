"""The search over what deduction leaves open in a fill-in: depth first, slot by slot, with weights that it learns."""

from __future__ import annotations

from collections.abc import Iterator

from agent.core.propagate import Rules
from agent.draw.letters import in_rows
from agent.puzzles.fillin.deduce import State, propagate, where

WARM_UP = (30, 45, 65, 100, 150, 225)
"""Expansions of the short searches that teach the weights before the complete one. Chosen on 15 generated puzzles near
the phase transition that are part of no benchmark: half the work of a run without them; no other series did better."""


def choose(state: State) -> int:
    """Pick the slot to branch on, the one with the fewest words for its weight; -1 if every slot has one word."""
    slot, best = -1, float("inf")
    for number, (mine, weight) in enumerate(zip(state.words, state.table.weights, strict=True)):
        if mine & (mine - 1):
            score = mine.bit_count() / weight
            if score < best:
                slot, best = number, score
    return slot


def cases(state: State, slot: int) -> Iterator[State]:
    """Yield the state with each of the words of a slot written into it, nothing deduced yet."""
    words = list(state.words)
    rest = words[slot]
    while rest:
        words[slot] = rest & -rest
        rest ^= words[slot]
        yield State(tuple(words), state.table, (slot,))


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the words of one slot: the one with the fewest words for its weight.

    >>> from agent.puzzles.fillin.deduce import start
    >>> from agent.puzzles.fillin.files import parse
    >>> [text for text, _ in branches(start(parse("__\\n__\\n\\nab cd ac bd")))][:2]
    ['1A (row 1, column 1) = ab', '1A (row 1, column 1) = cd']
    """
    table, slot = state.table, choose(state)
    if slot >= 0:
        for case in cases(state, slot):
            word = table.words[table.lengths[slot]][case.words[slot].bit_length() - 1]
            yield f"{where(table, slot)} = {word}", case


def successors(state: State) -> Iterator[State]:
    """Yield the states one word on, each deduced to its fixed point; impossible ones are dropped.

    >>> from agent.puzzles.fillin.deduce import start
    >>> from agent.puzzles.fillin.files import parse
    >>> len(list(successors(start(parse("__\\n__\\n\\nab cd ac bd")))))
    2
    """
    if state.changed:
        known = propagate(state)
        if known is None:
            return
        state = known
    slot = choose(state)
    if slot >= 0:
        for case in cases(state, slot):
            deduced = propagate(case)
            if deduced is not None:
                yield deduced


def is_goal(state: State) -> bool:
    """Return whether every slot has its one word, and all of them have been propagated.

    >>> from agent.puzzles.fillin.deduce import start
    >>> from agent.puzzles.fillin.files import parse
    >>> is_goal(start(parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")))
    False
    """
    return not state.changed and not any(mine & (mine - 1) for mine in state.words)


def admits(state: State, goal: State) -> bool:
    """Return whether a goal lies below a state."""
    return all(mine & theirs for mine, theirs in zip(state.words, goal.words, strict=True))


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return Rules(propagate, branches, successors, is_goal, admits, state.table.effort)


def rows(state: State) -> tuple[str, ...]:
    """Return the grid as rows, with every letter that is known.

    >>> from agent.puzzles.fillin.deduce import start
    >>> from agent.puzzles.fillin.files import parse
    >>> rows(start(parse("#h#\\n___\\n#_#\\n\\nhat\\nbag")))
    ('#h#', '_a_', '#t#')
    """
    table = state.table
    cells = list("".join(table.puzzle.grid))
    for slot, mine in zip(table.slots, state.words, strict=True):
        for cell, at in zip(slot.cells, table.masks[len(slot)], strict=True):
            known = next((letter for letter, mask in at.items() if mine and not mine & ~mask), None)
            if known is not None:
                cells[cell] = known
    return in_rows("".join(cells), table.puzzle.width)
