"""Gogens, letter by letter: a board of different letters on which every word is a path of king's moves."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from string import ascii_uppercase

from agent.autotos.domain import Domain, Instance, Kind
from agent.autotos.grids import Cell, Grid, agrees, cells_breach, changed, fewest, overwritten, written
from agent.puzzles.gogen.check import check_gogen


def successor_state(state: Grid, words: list[str], letters: str) -> Iterator[list[list[Cell]]]:
    """Return the steps of a search for a solved Gogen.

    - `state` is a list of rows, each a list of cells: a capital letter, or None while the cell is empty.
    - `words` is a list of strings. `letters` is a string of all letters that the full board holds, each once.

    One step writes one of the letters that is not yet on the board into one empty cell. It is allowed if in every word
    each two letters that follow each other, differ and are both on the board then, are in neighbouring cells: next to
    each other across, down or diagonally.
    """
    on = {cell: (r, c) for r, row in enumerate(state) for c, cell in enumerate(row) if cell}
    near: dict[str, set[str]] = {letter: set() for letter in letters}
    for word in words:
        for a, b in pairwise(word):
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    for r, row in enumerate(state):
        for c, cell in enumerate(row):
            for letter in letters if cell is None else "":
                beside = [on[other] for other in near[letter] - {letter} if other in on]
                if letter not in on and all(max(abs(r - y), abs(c - x)) == 1 for y, x in beside):
                    yield written(state, {(r, c): letter})


def is_goal_state(state: Grid, words: list[str], letters: str) -> bool:
    """Recognise a solved Gogen.

    - `state` is a list of rows, each a list of cells: a capital letter, or None while the cell is empty.
    - `words` is a list of strings. `letters` is a string of all letters that the full board holds, each once.

    Return True exactly when no cell is empty, the board holds each of the letters once and no others, and in every word
    each two letters that follow each other and differ are in neighbouring cells: across, down or diagonally.
    """
    return not why(state, words, letters)


def why(state: Grid, words: list[str], letters: str) -> str:
    """Return the first rule that keeps a state from being a goal, "" for a goal."""
    if any(cell is None for row in state for cell in row):
        return "a cell is empty"
    rows = ["".join(map(str, row)) for row in state]
    return next(iter(check_gogen(["." * len(row) for row in rows], words, rows, letters=letters)), "")


def path(board: Grid, random: Random, length: int) -> str:
    """Return a word that is a path of king's moves on a board, a letter doubled now and then."""
    r, c = random.randrange(len(board)), random.randrange(len(board[0]))
    word = ""
    for _ in range(length):
        word += str(board[r][c]) * (1 + (random.random() < 0.1))
        rows, columns = (range(max(at - 1, 0), at + 2) for at in (r, c))
        steps = [(y, x) for y in rows for x in columns if (y, x) != (r, c) and y < len(board) and x < len(board[0])]
        r, c = random.choice(steps)
    return word


def instances(random: Random) -> Iterator[Instance]:
    """Yield boards of several sizes, with letters given or none, many words or few, and some without a solution."""
    for place in range(26):
        height, width = ((2, 2), (2, 3), (3, 3), (3, 4), (5, 5))[place % 5]
        letters = "".join(random.sample(ascii_uppercase, height * width))
        goal: Grid = [list(letters[at : at + width]) for at in range(0, len(letters), width)]
        words = [path(goal, random, random.randint(2, 6)) for _ in range((height * width) // (1 + place % 3))]
        if place % 8 == 7:
            words.append(letters[0] + letters[-1] + letters[0])
        given = (0.8, 0.4, 0.0)[place % 3] if width < 5 else 0.9
        start = [[cell if random.random() < given else None for cell in row] for row in goal]
        arguments = {"words": words, "letters": "".join(sorted(letters))}
        goals = () if why(goal, words, letters) else (goal,)
        yield Instance(f"{height}x{width}", start, arguments, goals)


def probes(instance: Instance, goal: Grid, random: Random) -> Iterator[Grid]:
    """Yield states around a goal: cells emptied, exchanged, doubled, strange; mirrored boards."""
    cells = [(r, c) for r, row in enumerate(goal) for c, _ in enumerate(row)]
    for r, c in cells:
        y, x = random.choice([other for other in cells if other != (r, c)])
        yield written(goal, {(r, c): None})
        yield written(goal, {(r, c): goal[y][x], (y, x): goal[r][c]})
        yield written(goal, {(r, c): goal[y][x]})
        yield written(goal, {(r, c): "?"})
    yield from (goal[::-1], [row[::-1] for row in goal], instance.start)


def fault(state: Grid, child: Grid, words: list[str], letters: str) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    if clause := overwritten(state, child):
        return "overwrite", clause
    cells = changed(state, child)
    if len(cells) != 1:
        return "several-letters", f"{len(cells)} cells were filled in one step"
    letter = str(child[cells[0][0]][cells[0][1]])
    if letter not in letters or sum(cell == letter for row in child for cell in row) > 1:
        return "wrong-letter", f"{letter!r} is not a letter of the board, or is on it already"
    broken = next((word for word in words if letter in word), "")
    return "not-neighbours", f"{letter!r} was put away from a letter that it is next to in a word such as {broken!r}"


GOGEN = Domain(
    name="gogen",
    successors=successor_state,
    is_goal=is_goal_state,
    instances=instances,
    breach=lambda child, state, *_: cells_breach(child, state),
    kinds={
        "overwrite": Kind("a letter that was there was changed", "Write into empty cells only."),
        "several-letters": Kind("not exactly one cell was filled", "Write one letter for each successor."),
        "wrong-letter": Kind("a letter is strange or doubled", "Use each of the letters once, and no others."),
        "not-neighbours": Kind("letters of a word are apart", "Check the letters before and after in every word."),
    },
    fault=fault,
    why=why,
    probes=probes,
    toward=agrees,
    enough=fewest,
)
