"""Large crosswords for benchmarks and tests, made from a seed: pattern, words, clues and recorded lists.

No full-size puzzle is part of the project. These have a newspaper's shape (symmetric, no word of one or two letters),
are filled from the words of the lexicon's own glossary, and take their clues from its meanings.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from agent.candidates.provider import Question
from agent.grid import BLOCK, EMPTY, Candidate, Clue, Grid, Puzzle
from agent.puzzles.crossword import FORBIDDEN, Domain
from agent.puzzles.crossword.layers import layered
from agent.puzzles.crossword.tighten import tighten
from lexicon.build.glossary import headwords

LONGEST = 7
"""Letters of the longest word: the glossary has few that are longer."""
SHORTEST = 3
KNOWN = 0.85
"""Share of the slots whose recorded list has the answer."""
NOISE = 4
"""Wrong words in a recorded list."""
WIDTH = 1500
"""Partial fillings a layer of the maker's search."""
TRIES = 300
"""Patterns that are tried before the maker gives up."""


@cache
def meanings() -> Mapping[str, tuple[str, ...]]:
    """Return the glossary: word in capitals -> its meanings."""
    return {headword.word: headword.meanings for headword in headwords() if headword.meanings and headword.grade != 0}


@cache
def words(length: int) -> tuple[str, ...]:
    """Return the glossary's words of a length."""
    return tuple(sorted(word for word in meanings() if len(word) == length))


def pattern(width: int, height: int, chance: random.Random) -> Grid | None:
    """Draw a symmetric, connected pattern without short words: blocks are set where the longest run is, until none is.

    None where a run that is too long cannot be broken.
    """
    blocked = [[False] * width for _ in range(height)]
    while True:
        runs = sorted(_runs(blocked), key=len, reverse=True)
        if len(runs[0]) <= LONGEST:
            return Grid.parse("\n".join("".join(BLOCK if cell else EMPTY for cell in row) for row in blocked))
        cells = list(runs[0])
        chance.shuffle(cells)
        for row, column in cells:
            pair = {(row, column), (height - 1 - row, width - 1 - column)}
            for r, c in pair:
                blocked[r][c] = True
            if min(map(len, _runs(blocked))) >= SHORTEST and _connected(blocked):
                break
            for r, c in pair:
                blocked[r][c] = False
        else:
            return None


def _runs(blocked: list[list[bool]]) -> Iterator[list[tuple[int, int]]]:
    height, width = len(blocked), len(blocked[0])
    lines = [[(r, c) for c in range(width)] for r in range(height)] + [
        [(r, c) for r in range(height)] for c in range(width)
    ]
    for line in lines:
        run: list[tuple[int, int]] = []
        for r, c in line:
            if not blocked[r][c]:
                run.append((r, c))
            elif run:
                yield run
                run = []
        if run:
            yield run


def _connected(blocked: list[list[bool]]) -> bool:
    free = {(r, c) for r, row in enumerate(blocked) for c, cell in enumerate(row) if not cell}
    todo = [next(iter(free))]
    seen = set(todo)
    while todo:
        r, c = todo.pop()
        for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
            if near in free and near not in seen:
                seen.add(near)
                todo.append(near)
    return seen == free


def crossword(width: int, height: int, seed: int) -> Puzzle:
    """Make a crossword with its official solution. Raises ValueError if none of the patterns tried can be filled."""
    for attempt in range(TRIES):
        chance = random.Random(f"{width}x{height}/{seed}/{attempt}")
        grid = pattern(width, height, chance)
        if grid is None:
            continue
        noise = np.random.default_rng(chance.randrange(2**32))
        domains = []
        for slot in grid.slots:
            domain = Domain.of(list(words(len(slot))), length=len(slot))
            domains.append(replace(domain, costs=noise.exponential(1.0, len(domain))))
        found = layered(grid, tighten(domains, grid.crossings), FORBIDDEN / 2, WIDTH)
        if found.letters:
            filled = replace(grid, cells=tuple(found.letters[0]))
            clues = tuple(Clue(slot.name, chance.choice(meanings()[filled.answer(slot)])) for slot in grid.slots)
            return Puzzle(grid, clues, id=f"large-{width}x{height}-{seed}", solution=filled)
    raise ValueError(f"no {width}x{height} pattern from seed {seed} was filled")


def jumble(width: int, height: int, seed: int) -> Puzzle:
    """Make a crossword whose clues are those of random words: it has no solution, and is as hard as possible."""
    for attempt in range(TRIES):
        chance = random.Random(f"jumble {width}x{height}/{seed}/{attempt}")
        grid = pattern(width, height, chance)
        if grid is not None:
            drawn = {slot.name: chance.choice(words(len(slot))) for slot in grid.slots}
            clues = tuple(Clue(name, chance.choice(meanings()[word])) for name, word in drawn.items())
            return Puzzle(grid, clues, id=f"jumble-{width}x{height}-{seed}")
    raise ValueError(f"no {width}x{height} pattern came from seed {seed}")


def recorded(puzzle: Puzzle, seed: int, known: float = KNOWN) -> Mapping[str, tuple[Candidate, ...]]:
    """Return the list a language model might have given for each clue: mostly with the answer, always with others."""
    chance = random.Random(seed)
    lists = {}
    for slot in puzzle.grid.slots:
        others = words(len(slot))
        drawn = chance.sample(others, min(NOISE, len(others)))
        answer = puzzle.solution.answer(slot) if puzzle.solution else ""
        if chance.random() < known:
            drawn = [answer, *(word for word in drawn if word != answer)]
        shares = [0.7, 0.15, 0.08, 0.04, 0.03]
        lists[slot.name] = tuple(Candidate(word, share, "llm:made") for word, share in zip(drawn, shares, strict=False))
    return lists


class Lists:
    """A provider that has recorded lists by slot."""

    def __init__(self, lists: Mapping[str, tuple[Candidate, ...]]) -> None:
        self.name = "llm"
        self._lists = lists

    def propose(self, questions: Sequence[Question]) -> Mapping[str, tuple[Candidate, ...]]:
        """Return the recorded lists of the slots."""
        return {question.slot: self._lists[question.slot] for question in questions}
