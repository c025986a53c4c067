"""Make puzzles with exactly one solution: fill-ins, Gogens, nonograms, and filled minis.

The same seed and the same words give the same puzzle. What is made is proved unique by our own search, so a puzzle
comes back only when it is fit to be printed.

>>> print(nonogram(6, 4, seed=1))
rows: 2 / 5 / 4 / 4
columns: 0 / 3 / 3 / 4 / 4 / 1
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from typing import TypeVar

from agent.core.outcome import Budget
from agent.core.propagate import Rules, settle
from agent.errors import NotMadeError
from agent.formats.instance import CandidateInstance
from agent.grid import Grid
from agent.puzzles import fillin as fillins
from agent.puzzles import gogen as gogens
from agent.puzzles import nonogram as nonograms

S = TypeVar("S", bound=Hashable)

TRIES = 60
"""Fresh starts before a maker gives up; nearly every one needs fewer than five."""
SEARCH = 400
"""Expansions for one proof of uniqueness; what takes longer is too hard to be fun, and is thrown away."""
WORD_BLOCKS = 0.16
"""Share of blocks added where real words are to fill the pattern: fewer crossings, or no list would do."""
SAMPLE = 8000
"""Words of a longer list that a grid is filled from: quicker than 20,000; of 4,000, fillings are hard to find."""
RESTART = 40
"""Expansions after which a mini is begun again with other words: that is quicker than to get out of a bad beginning."""
FREQUENT = "ETAOINSRHLDCUMFPGWYBVKXJQZ"
"""Letters of English from the most to the least frequent: the last nine of A-Y are what a Gogen gives away."""
GIVEN_CELLS = (0, 2, 4, 10, 12, 14, 20, 22, 24)
"""Where newspapers print the nine letters of a 5x5 Gogen."""
MINI_PATTERNS = (
    (".....", ".....", ".....", ".....", "....."),
    ("#....", ".....", ".....", ".....", "....#"),
    ("....#", ".....", ".....", ".....", "#...."),
    ("#...#", ".....", ".....", ".....", "#...#"),
    ("##...", "#....", ".....", "....#", "...##"),
    ("...##", "....#", ".....", "#....", "##..."),
)
"""Block patterns of published 5x5 minis: every one connected, no word shorter than three letters."""


def goals(
    start: S, rules: Rules[S], *, count: int = 2, warm_up: Sequence[int] = (), expansions: int = SEARCH
) -> tuple[S, ...] | None:
    """Return up to `count` solutions, None where the search was not over in so many expansions."""
    outcome = settle(start, rules, count=count, budget=Budget(expansions=expansions), warm_up=warm_up).outcome
    return None if outcome.termination == "budget" else outcome.goals


# --- nonogram --------------------------------------------------------------------------------------------------


def nonogram(width: int = 15, height: int = 15, *, seed: int = 0, density: float = 0.55) -> nonograms.Nonogram:
    """Make a nonogram: a picture of blots, changed where it was not the only one until it is.

    Raises NotMadeError.

    >>> nonogram(5, 5, seed=3) == nonogram(5, 5, seed=3)
    True
    """
    if not (1 <= width <= 60 and 1 <= height <= 60):
        raise NotMadeError("a nonogram to be made has 1 to 60 cells a side")
    chance = random.Random(seed)
    for _ in range(TRIES):
        picture = blots(width, height, density, chance)
        for _ in range(width * height):
            puzzle = of_picture(picture, name=f"nonogram-{width}x{height}-{seed}")
            start = nonograms.start(puzzle)
            found = goals(start, nonograms.rules(start))
            if found is None:
                break
            if len(found) == 1:
                return puzzle
            one, other = (nonograms.rows(goal) for goal in found)
            differ = [(r, c) for r in range(height) for c in range(width) if one[r][c] != other[r][c]]
            row, column = chance.choice(differ)
            picture[row][column] = not picture[row][column]
    raise NotMadeError(f"no nonogram of {width}x{height} with one solution was found from seed {seed}")


def blots(width: int, height: int, density: float, chance: random.Random) -> list[list[bool]]:
    """Draw random cells and let each follow most of its neighbours once, so that runs appear."""
    rough = [[chance.random() < density for _ in range(width)] for _ in range(height)]
    return [
        [
            sum(
                rough[r][c]
                for r in range(max(0, row - 1), min(height, row + 2))
                for c in range(max(0, column - 1), min(width, column + 2))
            )
            * 2
            > (min(height, row + 2) - max(0, row - 1)) * (min(width, column + 2) - max(0, column - 1))
            for column in range(width)
        ]
        for row in range(height)
    ]


def of_picture(picture: Sequence[Sequence[bool]], *, name: str = "") -> nonograms.Nonogram:
    """Return the clues of a picture.

    >>> of_picture([[True, False, True]]).rows
    ((1, 1),)
    """

    def clue(line: Sequence[bool]) -> tuple[int, ...]:
        return nonograms.line.runs(sum(1 << cell for cell, filled in enumerate(line) if filled))

    columns = list(zip(*picture, strict=True))
    return nonograms.Nonogram(tuple(map(clue, picture)), tuple(map(clue, columns)), name)


# --- gogen -----------------------------------------------------------------------------------------------------


def gogen(words: Iterable[str] = (), *, seed: int = 0) -> gogens.Gogen:
    """Make a 5x5 Gogen with nine givens, from those of the words that a random board holds.

    Rare letters are given. Where the words do not settle the board (or there are none), random paths are added,
    letters in a row that are no word. Raises NotMadeError.

    >>> puzzle = gogen(seed=1)
    >>> len(gogens.rows(gogens.propagate(gogens.start(puzzle)))[0])
    5
    """
    chance = random.Random(seed)
    listed = sorted({word.upper() for word in words})
    usable = [word for word in listed if 3 <= len(word) <= 9 and word.isascii() and word.isalpha() and "Z" not in word]
    usable = [word for word in usable if all(a != b for a, b in pairwise(word))]
    letters = [letter for letter in FREQUENT if letter != "Z"]
    near = gogens.shape_neighbours(5, 5)
    for _ in range(TRIES):
        board = [""] * 25
        rare, common = letters[16:], letters[:16]
        chance.shuffle(rare)
        chance.shuffle(common)
        for cell in range(25):
            board[cell] = rare.pop() if cell in GIVEN_CELLS else common.pop()
        where = {letter: cell for cell, letter in enumerate(board)}
        fits = [word for word in usable if all(near[1 << where[a]] >> where[b] & 1 for a, b in pairwise(word))]
        chance.shuffle(fits)
        fits.sort(key=len, reverse=True)
        fits += [walk(board, chance) for _ in range(40)]
        rows = tuple(
            "".join(board[5 * r + c] if 5 * r + c in GIVEN_CELLS else gogens.EMPTY for c in range(5)) for r in range(5)
        )
        chosen = enough(rows, fits)
        if chosen:
            return gogens.build(rows, tuple(sorted(chosen)), letters="".join(letters), name=f"gogen-{seed}")
    raise NotMadeError(f"no Gogen with one solution was found from seed {seed}")


def walk(board: Sequence[str], chance: random.Random) -> str:
    """Return the letters along a random path of four to seven king's moves without a cell twice."""
    near = gogens.shape_neighbours(5, 5)
    path = [chance.randrange(25)]
    for _ in range(chance.randrange(4, 8)):
        free = [cell for cell in range(25) if near[1 << path[-1]] >> cell & 1 and cell not in path]
        if not free:
            break
        path.append(chance.choice(free))
    return "".join(board[cell] for cell in path)


def enough(rows: tuple[str, ...], fits: Sequence[str]) -> list[str]:
    """Choose words, those that bring new neighbours first, until the board is settled; then drop what is not needed."""
    chosen: list[str] = []
    known: set[tuple[str, str]] = set()
    for word in fits:
        links = {(min(a, b), max(a, b)) for a, b in pairwise(word)}
        if len(links - known) >= 2:
            known |= links
            chosen.append(word)
            if len(chosen) >= 5 and settled(rows, chosen):
                break
    else:
        return []
    for word in sorted(chosen, key=len):
        fewer = [other for other in chosen if other != word]
        if fewer and settled(rows, fewer):
            chosen = fewer
    return chosen


def settled(rows: tuple[str, ...], words: Sequence[str]) -> bool:
    """Whether the words leave one way to fill the board."""
    start = gogens.start(gogens.build(rows, tuple(words)))
    found = goals(start, gogens.rules(start))
    return found is not None and len(found) == 1


# --- fill-in and mini ------------------------------------------------------------------------------------------


def fillin(
    width: int = 9, height: int = 9, *, words: Iterable[str] = (), seed: int = 0, blocks: float = 0.22
) -> fillins.FillIn:
    """Make a fill-in: a symmetric pattern filled with some of the words, or with random letters where none are given.

    Letters are given where it takes them for one solution. Raises NotMadeError.

    >>> puzzle = fillin(5, 5, seed=2)
    >>> len(puzzle.words) == len(puzzle.slots)
    True
    """
    if not (2 <= width <= 40 and 2 <= height <= 40):
        raise NotMadeError("a fill-in to be made has 2 to 40 cells a side")
    chance = random.Random(seed)
    listed = sorted({word.lower() for word in words if word.isalnum() and len(word) > 1})
    for _ in range(TRIES):
        pattern = symmetric(width, height, blocks if not listed else blocks + WORD_BLOCKS, chance)
        slots = fillins.FillIn(pattern, ("xx",)).slots
        if len(slots) < 2:
            continue
        filled = write_words(pattern, listed, chance) if listed else write_letters(pattern, chance)
        if filled is None:
            continue
        flat = "".join(filled)
        used = tuple(sorted("".join(flat[cell] for cell in slot.cells) for slot in slots))
        given = list("".join(pattern))
        for _ in range(width * height):
            grid = tuple("".join(given[k : k + width]) for k in range(0, len(given), width))
            puzzle = fillins.FillIn(grid, used, f"fillin-{width}x{height}-{seed}")
            start = fillins.start(puzzle)
            found = goals(start, fillins.rules(start), warm_up=fillins.WARM_UP)
            if found is None:
                break
            if len(found) == 1:
                return puzzle
            one, other = ("".join(fillins.rows(goal)) for goal in found)
            differ = [cell for cell in range(len(given)) if one[cell] != other[cell] and given[cell] == "_"]
            if not differ:
                break
            cell = chance.choice(differ)
            given[cell] = flat[cell]
    raise NotMadeError(f"no fill-in of {width}x{height} with one solution was found from seed {seed}")


def symmetric(width: int, height: int, blocks: float, chance: random.Random) -> tuple[str, ...]:
    """Draw a pattern that looks the same upside down, without cells that belong to no word."""
    grid = [["_"] * width for _ in range(height)]
    for _ in range(int(width * height * blocks / 2)):
        row, column = chance.randrange(height), chance.randrange(width)
        grid[row][column] = grid[height - 1 - row][width - 1 - column] = "#"
    for row in range(height):
        for column in range(width):
            beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if all(not (0 <= r < height and 0 <= c < width) or grid[r][c] == "#" for r, c in beside):
                grid[row][column] = "#"
    return tuple("".join(row) for row in grid)


def write_letters(pattern: tuple[str, ...], chance: random.Random) -> tuple[str, ...]:
    """Fill a pattern with random letters, more kinds of them for larger grids."""
    letters = FREQUENT[: max(6, min(20, len(pattern) + 2))].lower()
    return tuple("".join(sign if sign == "#" else chance.choice(letters) for sign in row) for row in pattern)


def write_words(
    pattern: tuple[str, ...], words: Sequence[str], chance: random.Random, *, expansions: int = SEARCH
) -> tuple[str, ...] | None:
    """Fill a pattern with words of a list, no word twice; None where no filling was found."""
    mixed = chance.sample(words, min(SAMPLE, len(words)))
    start = fillins.start(fillins.FillIn(pattern, tuple(mixed), spare=True))
    found = goals(start, fillins.rules(start), count=1, warm_up=fillins.WARM_UP, expansions=expansions)
    return fillins.rows(found[0]) if found else None


def minis(words: Iterable[str], *, seed: int = 0, pattern: Sequence[str] = ()) -> Iterator[Grid]:
    """Make minis without end: the first with this seed, the second with the next one, and so on.

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

    Letters that stand in the pattern stay. Raises NotMadeError where no filling was found.

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

    `words` are the words of each length, from which the others are drawn by chance.

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
