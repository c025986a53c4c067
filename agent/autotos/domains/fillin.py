"""A second domain: fill-in puzzles, where every word of one list goes into the grid exactly once.

A state is a grid with `#` for blocks, None for empty cells and letters; the one argument is the list of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from agent.autotos.domain import Arguments, Cell, Domain, Instance, State, freeze
from agent.verify.reference import runs

BLOCK = "#"
PATTERNS = (
    ("...", ".#.", "..."),
    ("....", ".#..", "..#.", "...."),
    ("#...", ".#..", "....", "..#."),
    (".....", ".#.#.", ".....", ".#.#.", "....."),
    ("....#", ".##..", ".....", "..##.", "#...."),
    ("...#", "....", "#..."),
    ("......", ".#..#.", "......"),
)
LETTERS = "aeilnrst"


def _slots(state: State) -> list[list[tuple[int, int]]]:
    across, down = runs(state)
    return across + down


def _read(state: State, cells: list[tuple[int, int]]) -> list[Cell]:
    return [state[row][column] for row, column in cells]


def _unplaced(state: State, words: list[str]) -> Counter[str]:
    left = Counter(words)
    for cells in _slots(state):
        content = _read(state, cells)
        if None not in content:
            left["".join(cell or "" for cell in content)] -= 1
    return left


def successors(state: State, arguments: Arguments) -> set[State]:
    """Return every grid that has one more word, not yet in the grid, in one slot that was not full.

    >>> len(successors(((None, None),), (["ab", "cd", "ab"],)))
    2
    """
    (words,) = arguments
    left = _unplaced(state, words)
    found = set()
    for cells in _slots(state):
        content = _read(state, cells)
        if None not in content:
            continue
        for word in words:
            fits = len(word) == len(cells) and all(c in (None, w) for c, w in zip(content, word, strict=True))
            if fits and left[word] > 0:
                written = dict(zip(cells, word, strict=True))
                found.add(
                    tuple(tuple(written.get((r, c), cell) for c, cell in enumerate(row)) for r, row in enumerate(state))
                )
    return found


def is_goal(state: State, arguments: Arguments) -> bool:
    """Return whether the grid is full and its slots spell exactly the words, each as often as it is listed.

    >>> is_goal((("a", "b"),), (["ab"],))
    True
    """
    if any(cell is None for row in state for cell in row):
        return False
    return Counter("".join(cell or "" for cell in _read(state, cells)) for cells in _slots(state)) == Counter(
        arguments[0]
    )


def _instance(pattern: tuple[str, ...], random: Random, alphabet: str, name: str, *, keep: float = 0.0) -> Instance:
    goal = freeze([[BLOCK if cell == BLOCK else random.choice(alphabet) for cell in row] for row in pattern])
    words = ["".join(cell or "" for cell in _read(goal, cells)) for cells in _slots(goal)]
    random.shuffle(words)
    start = freeze([[cell if cell == BLOCK or random.random() < keep else None for cell in row] for row in goal])
    return Instance(name, start, (words,), (goal,))


def instances(random: Random) -> list[Instance]:
    """Return fill-ins of several shapes: with few letters or many, given letters, a word missing or extra."""
    made = [_instance(pattern, random, LETTERS, "plain") for pattern in PATTERNS for _ in range(2)]
    made += [_instance(pattern, random, "abc", "few letters") for pattern in PATTERNS]
    made += [_instance(pattern, random, LETTERS, "letters given", keep=0.2) for pattern in PATTERNS[:4]]
    base = _instance(PATTERNS[3], random, LETTERS, "")
    (words,) = base.arguments
    made.append(Instance("a word missing", base.start, (words[1:],)))
    made.append(Instance("words to spare", base.start, ([*words, "stone", "ale", words[0]],)))
    made.append(Instance("no words", base.start, ([],)))
    made.append(_instance(PATTERNS[3], random, "a", "one letter"))
    made.append(_instance(PATTERNS[4], random, "AB-", "upper case and hyphens"))
    return made


def small(random: Random) -> list[Instance]:
    """Return fill-ins whose whole space of states can be walked."""
    return [_instance(PATTERNS[at], random, "ab" if at else LETTERS, "small") for at in (0, 5, 6, 0, 5)]


def probes(instance: Instance, goal: State, random: Random) -> Iterator[State]:
    """Yield states around a goal: a cell emptied, a cell changed, slots exchanged, mirrored grids, the start."""
    alphabet = sorted({cell for row in goal for cell in row if cell and cell != BLOCK} | {"e", "q"})
    for r, row in enumerate(goal):
        for c, cell in enumerate(row):
            if cell != BLOCK:
                others = [letter for letter in alphabet if letter != cell]
                for new in (None, random.choice(others)):
                    yield tuple(
                        tuple(new if (y, x) == (r, c) else old for x, old in enumerate(line))
                        for y, line in enumerate(goal)
                    )
    for mirrored in (tuple(reversed(goal)), tuple(tuple(reversed(row)) for row in goal)):
        if all(
            (a == BLOCK) == (b == BLOCK) for x, y in zip(mirrored, goal, strict=True) for a, b in zip(x, y, strict=True)
        ):
            yield mirrored
    yield freeze([[cell if cell == BLOCK else "e" for cell in row] for row in goal])
    yield instance.start


def twists(arguments: Arguments, goal: State, random: Random) -> Iterator[Arguments]:
    """Yield the list with one change: a word lost, added, doubled, or replaced by a similar one."""
    del goal
    (words,) = arguments
    yield ([*words, "".join(random.sample(LETTERS, 4))],)
    yield ([],)
    for at, word in enumerate(words):
        rest = words[:at] + words[at + 1 :]
        near = word[:-1] + ("q" if word[-1] != "q" else "x")
        for substitute in (
            [],
            [word, word],
            [word[::-1]],
            [word.swapcase()],
            [near],
            [word[:-1]],
            [random.choice(words)],
        ):
            yield ([*rest, *substitute],)


def fault(state: State, child: State, arguments: Arguments) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    changed = {(r, c) for r, row in enumerate(state) for c, cell in enumerate(row) if child[r][c] != cell}
    for row, column in sorted(changed):
        if state[row][column] is not None:
            return "overwrite", (
                f"the cell in row {row}, column {column} held {state[row][column]!r} and now holds "
                f"{child[row][column]!r}"
            )
    within = [cells for cells in _slots(state) if changed <= set(cells)]
    if not within:
        return "several-words", "cells of more than one slot were filled at once"
    for cells in within:
        content = _read(child, cells)
        if None not in content:
            word = "".join(cell or "" for cell in content)
            if word in arguments[0]:
                return "junk", f"{word!r} was written again, but it is already in the grid as often as it is listed"
            return "junk", f"a slot now spells {word!r}, which is not among the words"
    return "short-word", f"a slot of {len(within[0])} cells got only some letters: a word must fill its slot exactly"


def keeps(state: State, arguments: Arguments) -> bool:
    """Return whether each letter of a state still belongs to a full slot that spells a listed word."""
    covered = {
        cell
        for cells in _slots(state)
        if "".join(c or " " for c in _read(state, cells)) in arguments[0]
        for cell in cells
    }
    return all(
        cell is None or cell == BLOCK or (r, c) in covered for r, row in enumerate(state) for c, cell in enumerate(row)
    )


def evaluation(data: Any) -> Instance:
    """Read an instance of the file form: `grid` (rows of `#`, `_` and letters) and `words`."""
    start = freeze([[None if cell == "_" else cell for cell in row] for row in data["grid"]])
    return Instance(str(data.get("name", "instance")), start, (list(data["words"]),))


FILLIN = Domain(
    name="fillin",
    functions={"successor": "successor_state", "goal": "is_goal_state"},
    parameters=("words",),
    successors=successors,
    is_goal=is_goal,
    instances=instances,
    small=small,
    probes=probes,
    twists=twists,
    fault=fault,
    keeps=keeps,
    evaluation=evaluation,
)
