"""The published domain: 5x5 mini crosswords with a list of answers for every row and column.

Instances are made here, never taken from the twenty that are used for the evaluation run. They are built around a
known square of words, real or pronounceable, with distractors that share its letters, and around each trap that
accepted functions of the published runs fell into: short and long answers, duplicates, empty lists, several goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from string import ascii_lowercase
from typing import Any

from agent.autotos.domain import Domain, Instance, Kind, Role
from agent.autotos.grids import Cell, Grid, agrees, cells_breach, changed, contents, fewest, overwritten, written
from agent.autotos.published import PUBLISHED
from agent.autotos.shrink import fewer, replaced, word_lists

SIDE = 5
Words = list[list[str]]
Cells = tuple[tuple[int, int], ...]

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
    goals = [[list(row) for row in rows] for rows in squares]
    arguments = {"horizontal_answers": horizontal, "vertical_answers": vertical}
    start = [[None] * SIDE for _ in range(SIDE)]
    return Instance(name, start, arguments, tuple(goal for goal in goals if is_goal_state(goal, horizontal, vertical)))


def relabelled(one: Instance, random: Random) -> Instance:
    """Return an instance with its letters exchanged for others of the whole alphabet."""
    letters = random.sample(ascii_lowercase, len(ascii_lowercase))
    table = str.maketrans(ascii_lowercase + ascii_lowercase.upper(), "".join(letters) + "".join(letters).upper())
    arguments = {
        name: [[word.translate(table) for word in words] for words in lists] for name, lists in one.arguments.items()
    }
    goals = tuple([[cell.translate(table) for cell in row] for row in goal] for goal in one.goals)
    return Instance(one.name, one.start, arguments, goals)


def instances(random: Random) -> list[Instance]:
    """Return the instances that successor and goal functions are compared on; each name tells the peculiarity.

    >>> made = instances(Random(0))
    >>> len(made), sum(not one.goals for one in made) >= 4
    (33, True)
    """
    plain = [instance("plain", lists(rows, random), lists(columns(rows), random), rows) for rows in SQUARES]
    return [*plain, *(relabelled(one, random) for one in (*peculiar(random), *small(random)))]


def peculiar(random: Random) -> list[Instance]:
    """Return instances in a small alphabet, most of them with a peculiarity."""
    made = [
        instance("plain", lists(rows, random), lists(columns(rows), random), rows)
        for rows in (square(random) for _ in range(6))
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
    across = [lists([row], random, 40)[0] for row in rows]
    made.append(instance("long lists", across, [lists([word], random, 25)[0] for word in columns(rows)], rows))
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
    """Return instances with few answers and several goals, each of which a function that prunes must still reach."""
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


def successor_state(
    state: Grid, horizontal_answers: list[list[str]], vertical_answers: list[list[str]]
) -> Iterator[list[list[Cell]]]:
    """Return the steps of a search for a solved 5x5 mini crossword.

    - `state` is a list of 5 rows, each a list of 5 cells. A cell is None while it is empty, else a one-character
      string.
    - `horizontal_answers` is a list of 5 lists of strings: the possible answers for row 0 to row 4.
    - `vertical_answers` is a list of 5 lists of strings: the possible answers for column 0 to column 4.

    One step writes one answer into one slot. The slots are the 5 rows and the 5 columns. An answer of a slot's own list
    may be written if at least one cell of the slot is empty, the answer has exactly 5 letters, and it agrees with every
    letter that already stands in the slot. Answers of other lengths are in the lists and must be skipped; a list may be
    empty. Letters are written exactly as they stand in the lists.
    """
    for (_, cells), answers in zip(slots(state), [*horizontal_answers, *vertical_answers], strict=True):
        now = contents(state, cells)
        if None not in now:
            continue
        for answer in answers:
            if len(answer) == len(cells) and all(a in (None, b) for a, b in zip(now, answer, strict=True)):
                yield written(state, dict(zip(cells, answer, strict=True)))


def is_goal_state(state: Grid, horizontal_answers: list[list[str]], vertical_answers: list[list[str]]) -> bool:
    """Recognise a solved 5x5 mini crossword.

    - `state` is a list of 5 rows, each a list of 5 cells. A cell is None while it is empty, else a one-character
      string.
    - `horizontal_answers` is a list of 5 lists of strings: the possible answers for row 0 to row 4.
    - `vertical_answers` is a list of 5 lists of strings: the possible answers for column 0 to column 4.

    Return True exactly when no cell is empty, every row spells one of that row's answers, and every column, read from
    the top, spells one of that column's answers. Otherwise return False.
    """
    return not why(state, horizontal_answers, vertical_answers)


def why(state: Grid, horizontal_answers: list[list[str]], vertical_answers: list[list[str]]) -> str:
    """Return the first rule that keeps a state from being a goal, "" for a goal.

    >>> why([["a"]], [["a"]], [["b"]])
    "column 0 spells 'a', which is not among its answers"
    """
    for (name, cells), answers in zip(slots(state), [*horizontal_answers, *vertical_answers], strict=True):
        word = contents(state, cells)
        if None in word:
            return f"{name} has an empty cell"
        if "".join(map(str, word)) not in answers:
            return f"{name} spells {''.join(map(str, word))!r}, which is not among its answers"
    return ""


def probes(instance: Instance, goal: Grid, random: Random) -> Iterator[Grid]:
    """Yield states around a goal, or around a full grid if there is none; most are not goals."""
    horizontal, vertical = instance.arguments["horizontal_answers"], instance.arguments["vertical_answers"]
    letters = sorted({cell for row in goal for cell in row if cell} | {"q"})
    for at in range(SIDE * SIDE):
        row, column = divmod(at, SIDE)
        yield written(goal, {(row, column): None})
        yield written(goal, {(row, column): random.choice([c for c in letters if c != goal[row][column]])})
    first, second = random.sample(range(SIDE), 2)
    rows = list(goal)
    rows[first], rows[second] = rows[second], rows[first]
    yield rows
    turned = transposed(goal)
    yield turned
    turned[first], turned[second] = turned[second], turned[first]
    yield transposed(turned)
    yield goal[::-1]
    yield [row[::-1] for row in goal]
    for _ in range(3):  # every row is an answer, the columns are arbitrary; then the other way round
        yield _by_lists(horizontal, goal, random)
        yield transposed(_by_lists(vertical, transposed(goal), random))
    yield instance.start
    yield [[None] * SIDE if at == first else row for at, row in enumerate(goal)]
    yield [[*row[:-1], None] for row in goal]
    yield [[goal[0][0]] * SIDE for _ in range(SIDE)]


def twists(arguments: Mapping[str, Any], goal: Grid, random: Random) -> Iterator[dict[str, Words]]:
    """Take each slot's answer out of its own list, and put something near it, or the answer elsewhere, in its place."""
    lists = [*arguments["horizontal_answers"], *arguments["vertical_answers"]]
    for at, (_, cells) in enumerate(slots(goal)):
        word = "".join(map(str, contents(goal, cells)))
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


def _split(lists: Words) -> dict[str, Words]:
    return {"horizontal_answers": lists[:SIDE], "vertical_answers": lists[SIDE:]}


def transposed(grid: Grid) -> list[list[Cell]]:
    """Return a grid with rows for columns.

    >>> transposed([["a", "b"]])
    [['a'], ['b']]
    """
    return [list(column) for column in zip(*grid, strict=True)]


def _by_lists(words: Words, otherwise: Grid, random: Random) -> list[list[Cell]]:
    fitting = [[word for word in own if len(word) == SIDE] for own in words]
    return [list(random.choice(own) if own else row) for own, row in zip(fitting, otherwise, strict=True)]


def slots(state: Grid) -> tuple[tuple[str, Cells], ...]:
    """Return the slots with their cells, rows first.

    >>> [name for name, cells in slots([["a", None]])]
    ['row 0', 'column 0', 'column 1']
    """
    return _slots(len(state), len(state[0]))


@lru_cache(maxsize=8)
def _slots(height: int, width: int) -> tuple[tuple[str, Cells], ...]:
    rows = [(f"row {row}", tuple((row, column) for column in range(width))) for row in range(height)]
    return (
        *rows,
        *((f"column {column}", tuple((row, column) for row in range(height))) for column in range(width)),
    )


KINDS = {
    "overwrite": Kind(
        "a letter that was already there was changed",
        "Write an answer only where each cell of its slot is empty or holds the same letter already.",
    ),
    "several-words": Kind(
        "more than one slot was filled in one step",
        "Each successor is one step on: one answer written into one slot.",
    ),
    "short-word": Kind(
        "a slot was filled in part only",
        "Skip answers whose length is not exactly that of the slot, and write a whole answer at once.",
    ),
    "junk": Kind(
        "something was written that is not an answer of the slot",
        "Write only answers of the slot's own list that have exactly its length, unchanged; skip all others.",
    ),
}
ADVICE = {
    "false-positive": "Return True only if every cell is filled and every slot spells one of its own answers.",
    "false-negative": "Return True whenever every cell is filled and every slot spells one of its own answers.",
    "missing": "Return the result of every answer that fits, for every slot that is not yet full, of every direction.",
    "parent": "A slot that is already full is done: do not write into it again.",
    "exception": "Handle every state that can be reached, with empty cells as None, and lists that are empty or hold "
    "answers of any length. Only the standard library is at hand.",
}


def fault(
    state: Grid, child: Grid, horizontal_answers: list[list[str]], vertical_answers: list[list[str]]
) -> tuple[str, str]:
    """Return the fault of a wrong successor: its kind, and a clause for the feedback."""
    if clause := overwritten(state, child):
        return "overwrite", clause
    cells_changed = set(changed(state, child))
    within = [(name, cells) for name, cells in slots(state) if cells_changed <= set(cells)]
    if not within:
        return "several-words", "cells of more than one row or column were filled at once"
    answers = [*horizontal_answers, *vertical_answers]
    names = [name for name, _ in slots(state)]
    for name, cells in within:
        content = contents(child, cells)
        if None not in content:
            word = "".join(map(str, content))
            others = [other for other, words in zip(names, answers, strict=True) if word in words]
            if others:
                return "junk", f"{word!r} was written into {name}, but it is an answer of {others[0]}"
            long = [answer for answer in answers[names.index(name)] if len(answer) > len(cells) and word in answer]
            if long:
                return "junk", f"{name} has {len(cells)} cells, and of the longer answer {long[0]!r} {word!r} was kept"
            return "junk", f"{name} now spells {word!r}, which is not among its answers"
    name, cells = within[0]
    return "short-word", (
        f"{len(cells_changed)} of the {len(cells)} cells of {name} were filled and the slot is still not complete: "
        "an answer that does not have exactly the slot's length, or only a part of one, was written"
    )


def keeps(state: Grid, arguments: Mapping[str, Any]) -> bool:
    """Return whether each letter of a state still belongs to a full slot that spells one of its answers."""
    covered: set[tuple[int, int]] = set()
    lists = [*arguments["horizontal_answers"], *arguments["vertical_answers"]]
    for (_, cells), words in zip(slots(state), lists, strict=True):
        if "".join(cell or " " for cell in contents(state, cells)) in words:
            covered.update(cells)
    return all(cell is None or (r, c) in covered for r, row in enumerate(state) for c, cell in enumerate(row))


def smaller(role: Role, state: Grid, arguments: Mapping[str, Any]) -> Iterator[tuple[Grid, Mapping[str, Any]]]:
    """Yield the state with fewer answers; for a goal test each list keeps one, as without any it learns nothing."""
    for less in fewer(arguments, least=int(role == "goal")):
        if role == "goal" or keeps(state, less):
            yield state, less


def read(name: str, data: Any) -> Iterator[Instance]:
    """Read an instance of the published form: `horizontal_answers`, `vertical_answers`, `goal_grids`.

    Raises ValueError.
    """
    across, down = data["horizontal_answers"], data["vertical_answers"]
    yield instance(str(data.get("index", name)), across, down, *data.get("goal_grids", ()))


def recombine(instances: Sequence[Instance], random: Random) -> list[Instance]:
    """Return as many instances as are given, each list of answers taken from another one of them.

    So functions can be judged on real candidate lists while every instance of the evaluation stays unseen. Raises
    ValueError for fewer than two.
    """
    if len(instances) < 2:
        raise ValueError("expected two or more instances: their lists are exchanged")
    made = []
    for _ in instances:
        arguments: Mapping[str, Any] = instances[0].arguments
        donor = random.randrange(len(instances))
        for path, _ in list(word_lists(arguments)):
            donor = (donor + random.randrange(1, len(instances))) % len(instances)  # never the same one twice in a row
            arguments = replaced(arguments, path, dict(word_lists(instances[donor].arguments))[path])
        made.append(Instance("recombined", instances[0].start, arguments))
    return made


CROSSWORD = Domain(
    name="crossword",
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
    recombine=recombine,
    published=PUBLISHED,
)
