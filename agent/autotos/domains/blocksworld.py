"""Blocks world, as published: a hand that moves one block at a time (the four operators of the planning benchmark)."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any, TypedDict

from agent.autotos.domain import Domain, Instance, Kind
from agent.autotos.pddl import facts

LISTS = ("clear", "on-table", "on")
Facts = Mapping[str, Any]
Goal = TypedDict("Goal", {"clear": list[str], "on-table": list[str], "on": list[tuple[str, str]]})
State = TypedDict(
    "State",
    {"clear": list[str], "on-table": list[str], "arm-empty": bool, "holding": str | None, "on": list[tuple[str, str]]},
)


def successor(state: State) -> Iterator[Facts]:
    """Return the steps of a search in a world of blocks that are arranged into stacks by one hand.

    A state is a dictionary of facts, such as
    {'clear': ['b'], 'on-table': ['d'], 'arm-empty': True, 'holding': None, 'on': [('a', 'c'), ('b', 'a'), ('c', 'd')]}:
    the blocks that are clear (nothing is on them, and they are not held), the blocks that stand on the table, whether
    the hand is empty, the block that it holds or None, and pairs of a block and the block that it is directly on.

    The moves are:
    - pick up: with an empty hand, a clear block on the table; it is then held, and neither clear nor on the table.
    - unstack: with an empty hand, a clear block that is on another; it is then held, not clear and no longer on the
      other, which becomes clear.
    - put down: the held block; it is then on the table and clear, and the hand is empty.
    - stack: the held block on a clear one; it is then on it and clear, the other is not clear, and the hand is empty.

    Each successor is a new dictionary with the same keys, and all facts true after the move. Lists may be in any order.
    """
    clear, table, held, on = state["clear"], state["on-table"], state["holding"], state["on"]
    if held is None:
        for block in clear:
            yield {
                "clear": [*(one for one in clear if one != block), *(below for above, below in on if above == block)],
                "on-table": [one for one in table if one != block],
                "arm-empty": False,
                "holding": block,
                "on": [pair for pair in on if pair[0] != block],
            }
        return
    free = {"arm-empty": True, "holding": None}
    yield {"clear": [*clear, held], "on-table": [*table, held], "on": on, **free}
    for block in clear:
        rest = [one for one in clear if one != block]
        yield {"clear": [*rest, held], "on-table": table, "on": [*on, (held, block)], **free}


def is_goal_state(state: State, goal: Goal) -> bool:
    """Recognise a goal in a world of blocks.

    A state is a dictionary of facts, such as
    {'clear': ['b'], 'on-table': ['d'], 'arm-empty': True, 'holding': None, 'on': [('a', 'c'), ('b', 'a'), ('c', 'd')]}.
    `goal` has the same form without 'arm-empty' and 'holding', such as
    {'clear': [], 'on-table': [], 'on': [('b', 'c'), ('d', 'b')]}: facts that must be true. It is partial: facts that it
    does not name are free. Return True exactly when every fact of the goal, under all three keys, is true in the state.
    """
    return not why(state, goal)


def why(state: Facts, goal: Facts) -> str:
    """Return a fact of the goal that is not true, "" if there is none."""
    return next((f"{one!r} is not in {name!r}" for name in goal for one in goal[name] if one not in state[name]), "")


def key(state: Facts) -> tuple[Any, ...]:
    """Name a state by its facts in order."""
    return (*(tuple(sorted(state[name])) for name in LISTS), state["holding"], state["arm-empty"])


def world(blocks: str, random: Random) -> Facts:
    """Return the state of blocks in random towers."""
    towers: list[list[str]] = []
    for block in random.sample(blocks, len(blocks)):
        if towers and random.random() < 0.7:
            random.choice(towers).append(block)
        else:
            towers.append([block])
    on = [(above, below) for tower in towers for below, above in pairwise(tower)]
    tops, feet = [tower[-1] for tower in towers], [tower[0] for tower in towers]
    return {"clear": tops, "on-table": feet, "arm-empty": True, "holding": None, "on": on}


def instances(random: Random) -> Iterator[Instance]:
    """Yield worlds of three to seven blocks, with goals about some or all of the three lists."""
    for place in range(26):
        blocks = "abcdefg"[: 3 + place % 5]
        start, end = world(blocks, random), world(blocks, random)
        named = (("on",), ("on",), LISTS, ("clear",), ("on-table",))[place * 2 // 3 % 5]
        counts = {name: random.randint(min(1, len(end[name])), len(end[name])) for name in LISTS if name in named}
        goal = {name: random.sample(end[name], counts.get(name, 0)) for name in LISTS}
        yield Instance(f"goals {', '.join(named)}", start, {"goal": goal}, (end,))


def fault(state: State, child: Facts) -> tuple[str, str]:
    """Return the fault of a wrong successor: a move with other effects than its own, or no move at all."""
    if child["arm-empty"] != (child["holding"] is None):
        return "wrong-effects", f"'arm-empty' is {child['arm-empty']} though 'holding' is {child['holding']!r}"

    def wrong(right: Facts) -> list[str]:
        return [name for name in LISTS if sorted(child[name]) != sorted(right[name])]

    moves = [right for right in successor(state) if right["holding"] == child["holding"]]
    right = min(moves, key=lambda one: len(wrong(one)), default={})
    if not right or len(wrong(right)) == len(LISTS):
        return "illegal-move", "no allowed move leads to a state with these facts"
    name = wrong(right)[0]
    return "wrong-effects", f"after the move {name!r} is {child[name]}, but it must be {right[name]} in some order"


def read(name: str, text: str) -> Iterator[Instance]:
    """Read a problem in PDDL, predicates `clear`, `ontable`, `on`, `handempty` and `holding`."""

    def named(part: list[tuple[str, ...]], word: str) -> list[str]:
        return [one[1] for one in part if one[0] == word]

    init, goal = (
        {"clear": named(part, "clear"), "on-table": named(part, "ontable"), "on": [x[1:] for x in part if x[0] == "on"]}
        for part in facts(text)
    )
    held = next(iter(named(facts(text)[0], "holding")), None)
    yield Instance(name, {**init, "arm-empty": held is None, "holding": held}, {"goal": goal})


CHECK = "Check every condition of a move: the hand, whether the block is clear, and what it stands on."
WRITE = "Go through all five keys for each of the four moves, and write down which facts become true and which false."
BLOCKSWORLD = Domain(
    name="blocksworld",
    successors=successor,
    is_goal=is_goal_state,
    instances=instances,
    key=key,
    kinds={
        "illegal-move": Kind("a move was made that is not allowed", CHECK),
        "wrong-effects": Kind("a fact is wrong after the move", WRITE),
    },
    fault=fault,
    why=why,
    advice={"missing": "Return every allowed move: pick up, unstack, put down and stack, for every block."},
    shortest=True,
    read=read,
)
