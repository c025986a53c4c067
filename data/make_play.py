"""Make the puzzles of the folder play again: `python data/make_play.py`.

Pictures are drawn in pictures.txt; everything else comes from seeds, the lexicon's common words, and the makers behind
`gridwright make`.

A puzzle is written only if the solver proves that it has one solution.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import lexicon
from agent.draw.letters import in_rows
from agent.errors import NotMadeError
from agent.kinds import GridPuzzle, solve_kind
from agent.puzzles.fillin.make import make as make_fillin
from agent.puzzles.gogen.deduce import shape_neighbours
from agent.puzzles.gogen.files import EMPTY, build
from agent.puzzles.gogen.make import GIVEN_CELLS
from agent.puzzles.nonogram.make import of_picture

HERE = Path(__file__).parent / "play"
LICENCE = "CC0, made by data/make_play.py"
COMMON = ("size 10", "size 20", "size 35")
"""Columns of the vocabulary: words that are in every dictionary, the most common first."""
UNCOMMON = ("kind upper", "kind proper-names", "kind abbreviations", "kind contractions", "no sense")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
BLOCKS = 0.18
"""Share of blocks in a fill-in, to which its maker adds some."""
SWAPS = 7_500
"""Attempts to bring the letters of a Gogen's words next to each other."""
MOST = 8
"""Number of Gogens that are made."""


def common(lengths: Sequence[int], sizes: int) -> list[str]:
    """List common words of some lengths: those of the first `sizes` columns."""
    found = []
    for length in lengths:
        vocabulary = lexicon.load(permissive=True).vocabulary(length)
        at = {name: index for index, name in enumerate(vocabulary.static_names)}
        for word in range(len(vocabulary.static)):
            row = vocabulary.static[word]
            is_common = any(row[at[name]] for name in COMMON[:sizes] if name in at)
            if is_common and not any(row[at[name]] for name in UNCOMMON if name in at):
                found.append(vocabulary.word(word))
    return found


def write(folder: str, name: str, puzzle: GridPuzzle, title: str) -> bool:
    """Write a puzzle with a title if it has one solution; return whether it has."""
    result = solve_kind(puzzle)
    if not result.verified:
        sys.stdout.write(f"{folder}/{name}: not unique\n")
        return False
    about: dict[str, Any] = {**puzzle.to_json(), "id": name, "title": title, "licence": LICENCE}
    (HERE / folder).mkdir(exist_ok=True)
    (HERE / folder / f"{name}.json").write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")
    return True


def pictures() -> None:
    """Turn the drawn pictures into nonograms. The file has name and title: a title must not give the picture away."""
    drawn = [block.split("\n") for block in (HERE.parent / "pictures.txt").read_text("utf-8").strip().split("\n\n")]
    drawn.sort(key=lambda lines: len(lines[1]) * len(lines[1:]))
    number = 1
    for named, *rows in drawn:
        name, _, title = named.partition(": ")
        puzzle = of_picture([[cell == "#" for cell in row] for row in rows])
        if write("nonograms", f"picture-{number:02}", puzzle, title):
            number += 1
        else:
            sys.stdout.write(f"  {name}\n")


def fillins() -> None:
    """Fill patterns with common words."""
    words = common(range(3, 10), 3)
    for number, side in enumerate((5, 6, 7, 8, 9, 10), 1):
        for seed in range(20):
            with suppress(NotMadeError):
                puzzle = make_fillin(side, side, words=words, seed=seed, blocks=BLOCKS)
                if write("fillin", f"words-{number:02}", puzzle, f"Words {number}"):
                    break


def gogens() -> None:
    """Arrange letters so that common words can be traced, and choose words that settle the board."""
    words = [word for word in common(range(4, 9), 2) if "Z" not in word and all(a != b for a, b in pairwise(word))]
    near = shape_neighbours(5, 5)
    number = 1
    for seed in range(40):
        board = arranged(words, random.Random(seed), near)
        given = [letter if cell in GIVEN_CELLS else EMPTY for cell, letter in enumerate(board)]
        rows = in_rows("".join(given), 5)
        chosen = chosen_words(rows, traced(words, board, near), board)
        puzzle = build(rows, tuple(sorted(chosen)), letters=LETTERS) if chosen else None
        if puzzle and write("gogen", f"gogen-{number:02}", puzzle, f"Gogen {number}"):
            number += 1
        if number > MOST:
            return


def traced(words: Sequence[str], board: Sequence[str], near: dict[int, int]) -> list[str]:
    """List the words that a board of letters holds."""
    where = {letter: cell for cell, letter in enumerate(board)}
    return [word for word in words if all(near[1 << where[a]] >> where[b] & 1 for a, b in pairwise(word))]


def arranged(words: Sequence[str], chance: random.Random, near: dict[int, int]) -> list[str]:
    """Swap letters until many words are nearly traced: pairs of neighbours count by how many words have them."""
    sample = chance.sample(list(words), 60)
    weight: dict[tuple[str, str], float] = {}
    for word in sample:
        for pair in pairwise(word):
            weight[pair] = weight.get(pair, 0) + 1
    board = list(LETTERS)
    chance.shuffle(board)

    def score() -> float:
        where = {letter: cell for cell, letter in enumerate(board)}
        return sum(min(n, 3) for (a, b), n in weight.items() if near[1 << where[a]] >> where[b] & 1)

    best = score()
    for step in range(SWAPS):
        a, b = chance.randrange(25), chance.randrange(25)
        board[a], board[b] = board[b], board[a]
        now = score()
        if now >= best or chance.random() < 2.7 ** ((now - best) / (3 * (1 - step / SWAPS) + 0.01)):
            best = now
        else:
            board[a], board[b] = board[b], board[a]
    return board


def pairs(word: str) -> set[frozenset[str]]:
    """Return the pairs of letters that a word makes neighbours."""
    return {frozenset(pair) for pair in pairwise(word)}


def chosen_words(rows: Sequence[str], fits: Sequence[str], board: Sequence[str]) -> list[str]:
    """Choose few words that have every letter that is not given, and leave one solution; none if there are no such."""
    needed = set(board) - set("".join(rows))
    chosen: list[str] = []
    links: set[frozenset[str]] = set()
    left = sorted(fits, key=lambda word: (-len(set(word)), word))
    for _ in range(14):
        missing = needed - set("".join(chosen))
        gain = {word: len(pairs(word) - links) + 3 * len(set(word) & missing) for word in left}
        word = max(left, key=lambda one: (gain[one], -len(one)), default="")
        if not word or gain[word] < 1:
            break
        chosen.append(word)
        left.remove(word)
        links |= pairs(word)
        if needed <= set("".join(chosen)) and solve_kind(build(tuple(rows), tuple(chosen), letters=LETTERS)).verified:
            return chosen
    return []


if __name__ == "__main__":
    pictures()
    fillins()
    gogens()
