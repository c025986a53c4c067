"""The material that the weights are fitted to: pairs of clue and answer.

Own pairs (`pairs.tsv` in this folder, written for this project, CC0), the half of the newspaper-style minis that is for
tuning, and, if the evaluation data are at hand, GooBix puzzles 100 to 155 without any pair whose clue or answer occurs
in puzzles 0 to 99, on which results are reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OWN_PAIRS = Path(__file__).with_name("pairs.tsv")


@dataclass(frozen=True, slots=True)
class Pair:
    """A clue, its answer, and their origin."""

    clue: str
    answer: str
    origin: str


def own_pairs() -> list[Pair]:
    """Read the project's own pairs."""
    lines = OWN_PAIRS.read_text(encoding="utf-8").splitlines()
    return [Pair(clue, answer, "own") for clue, answer in (line.split("\t") for line in lines)]


def mini_pairs(folder: Path) -> list[Pair]:
    """Read the clues and answers of .xd files."""
    clue = re.compile(r"[AD]\d+\. (.*) ~ ([A-Z]+)")
    lines = [line.strip() for path in sorted(folder.glob("*.xd")) for line in path.read_text("utf-8").splitlines()]
    return [Pair(found[1], found[2], "minis") for found in map(clue.fullmatch, lines) if found]


def puzzle_pairs(path: Path) -> list[Pair]:
    """Read the clues and answers of a list of GooBix puzzles."""
    return pairs_of(json.loads(path.read_text(encoding="utf-8")))


def pairs_of(puzzles: Iterable[Any]) -> list[Pair]:
    """List the clues and answers of GooBix puzzles."""
    entries = [entry for puzzle in puzzles for way in ("across", "down") for entry in puzzle["clues"][way]]
    return sorted(
        {Pair(clue, answer, "goobix") for _, clue, answer in entries}, key=lambda pair: (pair.clue, pair.answer)
    )


def without(pairs: Iterable[Pair], reported: Sequence[Pair]) -> list[Pair]:
    """Drop every pair whose clue or answer occurs in the reported ones.

    >>> kept = Pair("A fool", "NINNY", "own")
    >>> without([kept, Pair("A dolt", "ASS", "own")], [Pair("Donkey", "ASS", "goobix")]) == [kept]
    True
    """
    clues = {pair.clue for pair in reported}
    answers = {pair.answer for pair in reported}
    return [pair for pair in pairs if pair.clue not in clues and pair.answer not in answers]


def material(minis: Path, evaluation: Path | None) -> list[Pair]:
    """Return the pairs to fit to; with the evaluation data at hand, none that occurs in a reported puzzle."""
    newspaper = mini_pairs(minis)
    if evaluation is None:
        return own_pairs() + newspaper
    reported = puzzle_pairs(evaluation / "goobix_000_099.json")
    goobix = without(puzzle_pairs(evaluation / "goobix_100_155.json"), reported)
    return without(own_pairs(), reported) + newspaper + goobix
