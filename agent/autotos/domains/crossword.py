"""The published domain: 5x5 mini crosswords with a list of answers for every row and column.

Instances are made here, never taken from the twenty that are used for the evaluation run. They are built around a
known square of words, real or pronounceable, with distractors that share its letters, and around each trap that
accepted functions of the published runs fell into: short and long answers, duplicates, empty lists, several goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from agent.autotos.domain import Arguments, Domain, Instance, State, freeze, thaw
from agent.verify.reference import is_goal_state, successor_state

SIDE = 5
Words = list[list[str]]

SQUARES = (  # the four of our own minis that have no blocks
    ("champ", "rotor", "itsme", "seems", "plays"),
    ("smash", "tempo", "ateam", "lance", "elder"),
    ("storm", "niche", "ateit", "plane", "senor"),
    ("basic", "inuse", "tidal", "email", "sends"),
)
VOWELS, CONSONANTS = "aeio", "lnrst"
"""A small alphabet: distractors then often agree with letters that are already there, and faults show."""

CANDIDATES = 10
"""Answers per list, as in the published instances."""


def square(random: Random) -> tuple[str, ...]:
    """Return five pronounceable rows whose columns are pronounceable too."""
    odd = random.randrange(2)
    return tuple(
        "".join(random.choice(VOWELS if (row + column) % 2 == odd else CONSONANTS) for column in range(SIDE))
        for row in range(SIDE)
    )


def columns(rows: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a square.

    >>> columns(("ab", "cd"))
    ('ac', 'bd')
    """
    return tuple("".join(letters) for letters in zip(*rows, strict=True))


def distractor(truth: str, random: Random) -> str:
    """Return a word that resembles the truth: one or two other letters, too short, too long, or strange."""
    kind = random.random()
    if kind < 0.15:
        return truth[: random.choice((3, 4))]
    if kind < 0.25:
        return truth + random.choice(("s", "er", "ing"))
    if kind < 0.65:
        word = list(truth)
        for at in random.sample(range(SIDE), random.choice((1, 2))):
            word[at] = random.choice(VOWELS + CONSONANTS)
        return "".join(word)
    return square(random)[0]


def lists(truths: Sequence[str], random: Random, size: int = CANDIDATES) -> Words:
    """Hide each truth among distractors."""
    made = []
    for truth in truths:
        words = [truth] + [distractor(truth, random) for _ in range(size - 1)]
        random.shuffle(words)
        made.append(words)
    return made


def instance(name: str, horizontal: Words, vertical: Words, *squares: Sequence[str]) -> Instance:
    """Return an instance; of the fillings `squares` those that are goals are kept."""
    start: State = ((None,) * SIDE,) * SIDE
    goals = [freeze(rows) for rows in squares]
    arguments = (horizontal, vertical)
    return Instance(name, start, arguments, tuple(goal for goal in goals if is_goal(goal, arguments)))


def instances(random: Random) -> list[Instance]:
    """Return the instances that successor and goal functions are compared on; each name tells the peculiarity.

    >>> made = instances(Random(0))
    >>> len(made), sum(not one.goals for one in made) >= 4
    (26, True)
    """
    made = [
        instance("plain", lists(rows, random), lists(columns(rows), random), rows)
        for rows in (*SQUARES, *(square(random) for _ in range(6)))
    ]

    def one() -> tuple[tuple[str, ...], Words, Words]:
        rows = square(random)
        return rows, lists(rows, random), lists(columns(rows), random)

    for slot in (1, 7):
        rows, across, down = one()
        truths = (*rows, *columns(rows))
        words = (across + down)[slot]
        words[:] = [word for word in words if word != truths[slot]]
        made.append(instance("truth absent", across, down, rows))
    rows, across, down = one()
    made.append(instance("no goal", across, lists(columns(square(random)), random)))
    rows, across, down = one()
    other = square(random)
    across = [[*words, word] for words, word in zip(across, other, strict=True)]
    down = [[*words, word] for words, word in zip(down, columns(other), strict=True)]
    made.append(instance("two goals", across, down, rows, other))
    made.append(many_goals(random))
    rows = square(random)
    mirrored = tuple(  # a square that reads the same across and down
        "".join(rows[min(r, c)][max(r, c)] for c in range(SIDE)) for r in range(SIDE)
    )
    both = lists(mirrored, random)
    made.append(instance("same across and down", both, [list(words) for words in both], mirrored))
    rows, across, down = one()
    across = [words + words[:4] for words in across]
    down = [[word for word in words for _ in range(2)] for words in down]
    made.append(instance("duplicates", across, down, rows))
    rows, across, down = one()
    upper = tuple(row.upper() for row in rows)
    big = [[word.upper() for word in words] for words in across]
    made.append(instance("upper case", big, [[word.upper() for word in words] for words in down], upper))
    rows = tuple(row[:2] + "-" + row[3:] if at == 2 else row for at, row in enumerate(square(random)))
    made.append(instance("hyphen", lists(rows, random), lists(columns(rows), random), rows))
    rows, across, down = one()
    odd = ["a", "no", "see", "pale", "string", "presentations", "strange-word"]
    across = [words[:4] + random.sample(odd, 6) for words in across]
    down = [random.sample(odd, 6) + words for words in down]
    made.append(instance("short and long answers", across, down, rows))
    rows, across, down = one()
    across[2] = []
    made.append(instance("an empty list", across, down, rows))
    rows, across, down = one()
    made.append(instance("no vertical answers", across, [[] for _ in range(SIDE)], rows))
    rows, across, down = one()
    made.append(instance("short answers only", [[w[:4] for w in words] for words in across], down, rows))
    rows = square(random)
    made.append(instance("one answer each", [[row] for row in rows], [[word] for word in columns(rows)], rows))
    rows = square(random)
    made.append(instance("few answers", lists(rows, random, 3), lists(columns(rows), random, 3), rows))
    rows, across, down = one()
    made.append(instance("words of other slots", across[1:] + across[:1], down, rows))
    return made


def many_goals(random: Random) -> Instance:
    """Return an instance in which two distant cells can each have one of two letters: four goals."""
    rows = square(random)
    squares = [
        (first + rows[0][1:], *rows[1:4], rows[4][:4] + last)
        for first in (rows[0][0], "q")
        for last in (rows[4][4], "z")
    ]
    across = [sorted({s[at] for s in squares}) for at in range(SIDE)]
    down = [sorted({columns(s)[at] for s in squares}) for at in range(SIDE)]
    return instance("many goals", across, down, *squares)


def small(random: Random) -> list[Instance]:
    """Return instances with goals whose whole space of states can be walked.

    >>> all(one.goals for one in small(Random(0)))
    True
    """
    made = [many_goals(random), many_goals(random)]
    for _ in range(2):
        rows, other = square(random), square(random)
        across = [[row, word] for row, word in zip(rows, other, strict=True)]
        down = [[word] for word in columns(rows)]
        down = [[*words, extra] for words, extra in zip(down, columns(other), strict=True)]
        made.append(instance("two goals, nothing else", across, down, rows, other))
    for _ in range(2):
        rows = square(random)
        made.append(instance("few answers", lists(rows, random, 2), lists(columns(rows), random, 2), rows))
    return made


def successors(state: State, arguments: Arguments) -> set[State]:
    """Return the trusted successors, with letters as in the lists.

    >>> start = ((None,) * 5,) * 5
    >>> len(successors(start, ([["storm"], [], [], [], []], [["slate"], [], [], [], []])))
    2
    """
    if not _is_upper(arguments):
        return {freeze(child) for child in successor_state(thaw(state), *arguments)}
    children = successor_state(thaw(_lower(state)), *arguments)
    return {tuple(tuple(cell and cell.upper() for cell in row) for row in child) for child in children}


def is_goal(state: State, arguments: Arguments) -> bool:
    """Return whether a state is a goal, by the trusted test."""
    if _is_upper(arguments) and any(cell and cell != cell.upper() for row in state for cell in row):
        return False
    return is_goal_state(thaw(_lower(state) if _is_upper(arguments) else state), *arguments)


def _is_upper(arguments: Arguments) -> bool:
    """Return whether an instance is in upper case; the reference functions write lower-case letters only."""
    return any(word != word.lower() for words in (*arguments[0], *arguments[1]) for word in words)


def _lower(state: State) -> State:
    return tuple(tuple(cell and cell.lower() for cell in row) for row in state)


def probes(instance: Instance, goal: State, random: Random) -> Iterator[State]:
    """Yield states around a goal, or around a full grid if there is none; most are not goals."""
    horizontal, vertical = instance.arguments
    for at in range(SIDE * SIDE):
        row, column = divmod(at, SIDE)
        yield _with(goal, row, column, None)
        yield _with(goal, row, column, random.choice([c for c in VOWELS + CONSONANTS + "q" if c != goal[row][column]]))
    first, second = random.sample(range(SIDE), 2)
    rows = list(goal)
    rows[first], rows[second] = rows[second], rows[first]
    yield tuple(rows)
    turned = tuple(zip(*goal, strict=True))
    yield turned
    swapped = list(turned)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    yield tuple(zip(*swapped, strict=True))
    yield tuple(reversed(goal))
    yield tuple(tuple(reversed(row)) for row in goal)
    for _ in range(3):  # every row is an answer, the columns are arbitrary; then the other way round
        yield _by_lists(horizontal, goal, random)
        yield tuple(zip(*_by_lists(vertical, tuple(zip(*goal, strict=True)), random), strict=True))
    yield instance.start
    yield tuple((None,) * SIDE if at == first else row for at, row in enumerate(goal))
    yield tuple((*row[:-1], None) for row in goal)
    yield tuple((goal[0][0],) * SIDE for _ in range(SIDE))


def twists(arguments: Arguments, goal: State, random: Random) -> Iterator[Arguments]:
    """Take each slot's answer out of its own list, and put something near it, or the answer elsewhere, in its place."""
    lists = [*arguments[0], *arguments[1]]
    for at, (_, cells) in enumerate(slots(goal)):
        word = "".join(goal[row][column] or "" for row, column in sorted(cells))
        other = random.choice([place for place in range(len(lists)) if place != at])
        cell = random.randrange(SIDE)
        near = word[:cell] + ("q" if word[cell] != "q" else "x") + word[cell + 1 :]
        anagram = "".join(random.sample(word, SIDE))
        for substitute in (
            "",
            word[::-1],
            word.swapcase(),
            word[:-1],
            word + "s",
            "s" + word,
            near,
            anagram,
            " " + word,
        ):
            own = [answer for answer in lists[at] if answer != word] + ([substitute] if substitute else [])
            yield _split([own if place == at else answers for place, answers in enumerate(lists)])
        twisted = [
            [answer for answer in answers if answer != word or place != at] for place, answers in enumerate(lists)
        ]
        twisted[other] = [*twisted[other], word]
        yield _split(twisted)
        yield _split([[] if place == at else answers for place, answers in enumerate(lists)])


def _split(lists: Words) -> Arguments:
    return (lists[:SIDE], lists[SIDE:])


def _with(state: State, row: int, column: int, cell: str | None) -> State:
    return tuple(
        (*cells[:column], cell, *cells[column + 1 :]) if at == row else cells for at, cells in enumerate(state)
    )


def _by_lists(words: Sequence[Sequence[str]], otherwise: State, random: Random) -> State:
    fitting = [[tuple(word) for word in own if len(word) == SIDE] for own in words]
    return tuple(random.choice(own) if own else row for own, row in zip(fitting, otherwise, strict=True))


def slots(state: State) -> tuple[tuple[str, frozenset[tuple[int, int]]], ...]:
    """Return the slots with their cells, rows first.

    >>> [name for name, cells in slots((("a", None),))]
    ['row 0', 'column 0', 'column 1']
    """
    return _slots(len(state), len(state[0]))


@lru_cache(maxsize=8)
def _slots(height: int, width: int) -> tuple[tuple[str, frozenset[tuple[int, int]]], ...]:
    rows = [(f"row {row}", frozenset((row, column) for column in range(width))) for row in range(height)]
    return (
        *rows,
        *((f"column {column}", frozenset((row, column) for row in range(height))) for column in range(width)),
    )


def fault(state: State, child: State, arguments: Arguments) -> tuple[str, str]:
    """Return the fault of a wrong successor: its kind, and a clause for the feedback."""
    changed = {(r, c) for r, row in enumerate(state) for c, cell in enumerate(row) if child[r][c] != cell}
    for row, column in sorted(changed):
        if state[row][column] is not None:
            return "overwrite", (
                f"the cell in row {row}, column {column} held {state[row][column]!r} and now holds "
                f"{child[row][column]!r}"
            )
    within = [(name, cells) for name, cells in slots(state) if changed <= cells]
    if not within:
        return "several-words", "cells of more than one row or column were filled at once"
    answers = [*arguments[0], *arguments[1]]
    names = [name for name, _ in slots(state)]
    for name, cells in within:
        if None not in (child[row][column] for row, column in sorted(cells)):
            word = "".join(child[row][column] or "" for row, column in sorted(cells))
            others = [other for other, words in zip(names, answers, strict=True) if word in words]
            if others:
                return "junk", f"{word!r} was written into {name}, but it is an answer of {others[0]}"
            long = [answer for answer in answers[names.index(name)] if len(answer) > len(cells) and word in answer]
            if long:
                return "junk", f"{name} has {len(cells)} cells, and of the longer answer {long[0]!r} {word!r} was kept"
            return "junk", f"{name} now spells {word!r}, which is not among its answers"
    name, cells = within[0]
    return "short-word", (
        f"{len(changed)} of the {len(cells)} cells of {name} were filled and the slot is still not complete: "
        "an answer that does not have exactly the slot's length, or only a part of one, was written"
    )


def keeps(state: State, arguments: Arguments) -> bool:
    """Return whether each letter of a state still belongs to a full slot that spells one of its answers."""
    covered: set[tuple[int, int]] = set()
    for (_, cells), words in zip(slots(state), [*arguments[0], *arguments[1]], strict=True):
        if "".join(state[row][column] or " " for row, column in sorted(cells)) in words:
            covered |= cells
    return all(cell is None or (r, c) in covered for r, row in enumerate(state) for c, cell in enumerate(row))


def evaluation(data: Any) -> Instance:
    """Read an instance of the published form: `horizontal_answers`, `vertical_answers`, `goal_grids`."""
    across, down = data["horizontal_answers"], data["vertical_answers"]
    return instance(str(data.get("index", "instance")), across, down, *data.get("goal_grids", ()))


CROSSWORD = Domain(
    name="crossword",
    functions={"successor": "successor_state", "goal": "is_goal_state"},
    parameters=("horizontal_answers", "vertical_answers"),
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
