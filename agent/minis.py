"""Make crossword minis: patterns filled with words of a list, without clues."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from agent.core.making import TRIES
from agent.errors import NotMadeError
from agent.formats.instance import CandidateInstance
from agent.grid import Grid
from agent.puzzles.fillin.make import write_words

RESTART = 40
"""Expansions after which a mini is begun again with other words: quicker than to search on from a bad start."""
MINI_PATTERNS = (
    (".....", ".....", ".....", ".....", "....."),
    ("#....", ".....", ".....", ".....", "....#"),
    ("....#", ".....", ".....", ".....", "#...."),
    ("#...#", ".....", ".....", ".....", "#...#"),
    ("##...", "#....", ".....", "....#", "...##"),
    ("...##", "....#", ".....", "#....", "##..."),
)
"""Block patterns of published 5x5 minis: every one connected, no word shorter than three letters."""


def minis(words: Iterable[str], *, seed: int = 0, pattern: Sequence[str] = ()) -> Iterator[Grid]:
    """Yield minis endlessly: the first with this seed, the second with the next one, and so on.

    >>> from itertools import islice
    >>> first, second = islice(minis(["AB", "CD", "AC", "BD", "EF"], pattern=["..", ".."], seed=3), 2)
    >>> second == mini(["AB", "CD", "AC", "BD", "EF"], pattern=["..", ".."], seed=4)
    True
    """
    listed = sorted({word.upper() for word in words if word.isalnum() and len(word) > 1})
    for number in count(seed):
        yield _mini(listed, number, pattern)


def mini(words: Iterable[str], *, seed: int = 0, pattern: Sequence[str] = ()) -> Grid:
    """Make a crossword mini: a pattern (`#` block, `.` cell; by default one of 5x5) filled with words of the list.

    Letters in the pattern stay. Raises NotMadeError if no filling was found.

    >>> print(mini(["AB", "CD", "AC", "BD", "EF"], pattern=["..", ".."]))
    A B
    C D
    """
    return next(minis(words, seed=seed, pattern=pattern))


def _mini(listed: Sequence[str], seed: int, pattern: Sequence[str]) -> Grid:
    chance = random.Random(seed)
    for _ in range(TRIES):
        rows = tuple(pattern) or chance.choice(MINI_PATTERNS)
        filled = write_words(tuple(row.replace(".", "_").upper() for row in rows), listed, chance, expansions=RESTART)
        if filled is not None:
            return Grid.parse("\n".join(filled))
    raise NotMadeError(f"the {len(listed)} words fill no pattern from seed {seed}")


def with_lists(grid: Grid, words: Mapping[int, Sequence[str]], *, length: int, seed: int = 0) -> CandidateInstance:
    """Make a puzzle of a filled grid: each slot gets a list of words, its answer among `length` of them.

    `words` are the words of each length, from which the others are drawn at random.

    >>> puzzle = with_lists(Grid.parse("AB\\nCD"), {2: ["EF", "GH", "IJ", "AB"]}, length=3, seed=7)
    >>> puzzle.id, len(puzzle.answers["1D"]), "AC" in puzzle.answers["1D"]
    ('mini-7', 3, True)
    """
    chance = random.Random(seed)
    answers = {}
    for slot in grid.slots:
        others = words.get(len(slot), ())
        drawn = chance.sample(others, min(length, len(others)))
        answer = grid.answer(slot)
        listed = [answer, *(word for word in drawn if word != answer)][:length]
        chance.shuffle(listed)
        answers[slot.name] = tuple(listed)
    return CandidateInstance(f"mini-{seed}", grid.emptied(), answers, grid)
