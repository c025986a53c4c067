"""Fill-in puzzles: every word of one list goes into the grid exactly once.

A state is a grid with `#` for blocks, None for empty cells and letters; the one argument is the list of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from agent.autotos.domain import Domain, Instance, Kind, Role
from agent.autotos.grids import Cell, Grid, agrees, cells_breach, changed, contents, fewest, overwritten, written
from agent.autotos.shrink import fewer
from agent.verify.reference import Position, runs

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


def _slots(state: Grid) -> list[list[Position]]:
    across, down = runs(state)
    return across + down


def _word(state: Grid, cells: list[Position]) -> str:
    """Return what a slot spells, a space for an empty cell."""
    return "".join(cell or " " for cell in contents(state, cells))


def _spelled(state: Grid) -> Counter[str]:
    return Counter(word for cells in _slots(state) if " " not in (word := _word(state, cells)))


def successor_state(state: Grid, words: list[str]) -> Iterator[list[list[Cell]]]:
    """Return the steps of a search for a solved fill-in puzzle.

    - `state` is a list of rows, each a list of cells. A cell is "#" for a block, None while it is empty, else one
      letter.
    - `words` is a list of strings, which may hold a word more than once.

    A slot is a run of two or more cells, across or down, between blocks or the edges. One step writes one word into one
    slot that has at least one empty cell: the word has exactly the slot's length, agrees with every letter that already
    stands there, and is still to be placed: it is not yet spelled by full slots as often as `words` holds it.
    """
    left = Counter(words) - _spelled(state)
    for cells in _slots(state):
        now = contents(state, cells)
        for word in left if None in now else ():
            if len(word) == len(cells) and all(a in (None, b) for a, b in zip(now, word, strict=True)):
                yield written(state, dict(zip(cells, word, strict=True)))


def is_goal_state(state: Grid, words: list[str]) -> bool:
    """Recognise a solved fill-in puzzle.

    - `state` is a list of rows, each a list of cells. A cell is "#" for a block, None while it is empty, else one
      letter.
    - `words` is a list of strings, which may hold a word more than once.

    A slot is a run of two or more cells, across or down, between blocks or the edges. Return True exactly when no cell
    is empty and the slots spell exactly the words of the list, each as often as the list holds it. Otherwise return
    False.
    """
    return not why(state, words)


def why(state: Grid, words: list[str]) -> str:
    """Return the first rule that keeps a state from being a goal, "" for a goal.

    >>> why([["a", "b"]], ["ab", "ab"])
    "'ab' is spelled once and listed 2 times"
    """
    if any(cell is None for row in state for cell in row):
        return "a cell is empty"
    spelled, listed = _spelled(state), Counter(words)
    for word in sorted(spelled | listed):
        if spelled[word] != listed[word]:
            return f"{word!r} is spelled {_times(spelled[word])} and listed {_times(listed[word])}"
    return ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times" if count else "never"


def _instance(pattern: tuple[str, ...], random: Random, alphabet: str, name: str, *, keep: float = 0.0) -> Instance:
    goal: Grid = [[BLOCK if cell == BLOCK else random.choice(alphabet) for cell in row] for row in pattern]
    words = [_word(goal, cells) for cells in _slots(goal)]
    random.shuffle(words)
    start = [[cell if cell == BLOCK or random.random() < keep else None for cell in row] for row in goal]
    return Instance(name, start, {"words": words}, (goal,))


def instances(random: Random) -> list[Instance]:
    """Return fill-ins of several shapes: with few letters or many, given letters, a word missing or extra."""
    made = [_instance(pattern, random, LETTERS, "plain") for pattern in PATTERNS for _ in range(2)]
    made += [_instance(pattern, random, "abc", "few letters") for pattern in PATTERNS]
    made += [_instance(pattern, random, LETTERS, "letters given", keep=0.2) for pattern in PATTERNS[:4]]
    made += [_instance(PATTERNS[at], random, "ab" if at else "bcdfghjkmopquvwxyz", "small") for at in (0, 5, 6, 0, 5)]
    base = _instance(PATTERNS[3], random, LETTERS, "")
    words = base.arguments["words"]
    made.append(Instance("a word missing", base.start, {"words": words[1:]}))
    made.append(Instance("words to spare", base.start, {"words": [*words, "stone", "ale", words[0]]}))
    made.append(Instance("no words", base.start, {"words": []}))
    made.append(_instance(PATTERNS[3], random, "a", "one letter"))
    made.append(_instance(PATTERNS[4], random, "AB-", "upper case and hyphens"))
    return made


def probes(instance: Instance, goal: Grid, random: Random) -> Iterator[Grid]:
    """Yield states around a goal: a cell emptied, a cell changed, slots exchanged, mirrored grids, the start."""
    alphabet = sorted({cell for row in goal for cell in row if cell and cell != BLOCK} | {"e", "q"})
    for r, row in enumerate(goal):
        for c, cell in enumerate(row):
            if cell != BLOCK:
                yield written(goal, {(r, c): None})
                yield written(goal, {(r, c): random.choice([letter for letter in alphabet if letter != cell])})
    for mirrored in (goal[::-1], [row[::-1] for row in goal]):
        if all((goal[r][c] == BLOCK) == (mirrored[r][c] == BLOCK) for r, c in changed(goal, mirrored)):
            yield mirrored
    yield [[cell if cell == BLOCK else "e" for cell in row] for row in goal]
    yield instance.start


def twists(arguments: Mapping[str, Any], goal: Grid, random: Random) -> Iterator[dict[str, Any]]:
    """Yield the list with one change: a word lost, added, doubled, or replaced by a similar one."""
    del goal
    words = arguments["words"]
    yield {"words": [*words, "".join(random.sample(LETTERS, 4))]}
    yield {"words": []}
    for at, word in enumerate(words):
        rest = words[:at] + words[at + 1 :]
        near = word[:-1] + ("q" if word[-1] != "q" else "x")
        alike = [word[::-1]], [word.swapcase()], [near], [word[:-1]], [random.choice(words)]
        for substitute in ([], [word, word], *alike):
            yield {"words": [*rest, *substitute]}


KINDS = {
    "overwrite": Kind(
        "a letter that was already there was changed",
        "Write a word only where each cell of its slot is empty or holds the same letter already.",
    ),
    "several-words": Kind(
        "more than one slot was filled in one step",
        "Each successor is one step on: one word written into one slot.",
    ),
    "short-word": Kind(
        "a slot was filled in part only",
        "Skip words whose length is not exactly that of the slot, and write a whole word at once.",
    ),
    "junk": Kind(
        "something was written that is not a word of the list, or no longer to be placed",
        "Write only words of the list, unchanged, and none that full slots already spell as often as it is listed.",
    ),
}
ADVICE = {
    "false-positive": "Return True only if every cell is filled and the slots spell every listed word exactly as often "
    "as it is listed, and no other: count the words of both sides.",
    "false-negative": "Return True whenever every cell is filled and the slots spell every listed word exactly as "
    "often as it is listed, and no other.",
    "missing": "Return the result of every word that is still to be placed and fits, for every slot that is not full.",
    "parent": "A slot that is already full is done: do not write into it again.",
    "duplicate": "Leave out grids that were returned already, for instance when a word is listed twice.",
}


def fault(state: Grid, child: Grid, words: list[str]) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    if clause := overwritten(state, child):
        return "overwrite", clause
    cells_changed = set(changed(state, child))
    within = [cells for cells in _slots(state) if cells_changed <= set(cells)]
    if not within:
        return "several-words", "cells of more than one slot were filled at once"
    for cells in within:
        word = _word(child, cells)
        if " " not in word:
            if word in words:
                return "junk", f"{word!r} was written again, but it is already in the grid as often as it is listed"
            return "junk", f"a slot now spells {word!r}, which is not among the words"
    return "short-word", f"a slot of {len(within[0])} cells got only some letters: a word must fill its slot exactly"


def keeps(state: Grid, arguments: Mapping[str, Any]) -> bool:
    """Return whether each letter of a state still belongs to a full slot that spells a listed word."""
    covered = {cell for cells in _slots(state) if _word(state, cells) in arguments["words"] for cell in cells}
    return all(cell in (None, BLOCK) or (r, c) in covered for r, row in enumerate(state) for c, cell in enumerate(row))


def smaller(role: Role, state: Grid, arguments: Mapping[str, Any]) -> Iterator[tuple[Grid, Mapping[str, Any]]]:
    """Yield the state with fewer words; a goal test keeps one, as without any it learns nothing."""
    for less in fewer(arguments, least=int(role == "goal")):
        if role == "goal" or keeps(state, less):
            yield state, less


def read(name: str, data: Any) -> Iterator[Instance]:
    """Read an instance of the file form: `grid` (rows of `#`, `_` and letters) and `words`."""
    start = [[None if cell == "_" else cell for cell in row] for row in data["grid"]]
    yield Instance(str(data.get("name", name)), start, {"words": list(data["words"])})


FILLIN = Domain(
    name="fillin",
    successors=successor_state,
    is_goal=is_goal_state,
    instances=instances,
    breach=lambda child, state, *_: cells_breach(child, state),
    kinds=KINDS,
    fault=fault,
    why=why,
    advice=ADVICE,
    probes=probes,
    twists=twists,
    smaller=smaller,
    toward=agrees,
    enough=fewest,
    read=read,
)
