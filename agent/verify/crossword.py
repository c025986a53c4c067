"""Check finished grids, with nothing taken from the code that found them.

The search numbers its slots with `Grid.slots` and crosses them on bitmaps; the checker walks rows and columns of
plain text and knows neither. It is the last thing that happens before a grid is called solved.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proof:
    """The checker's result: every fault it found, none if the grid holds.

    >>> print(Proof(()))
    verified
    """

    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True when no fault was found."""
        return not self.faults

    def __str__(self) -> str:
        return "verified" if self.holds else "not verified: " + "; ".join(self.faults)


def verify_crossword(pattern: Sequence[str], filled: Sequence[str], answers: Mapping[str, Collection[str]]) -> Proof:
    """Check a filled crossword against its empty pattern and the answers that each slot may take.

    `pattern` and `filled` are rows of text, `#` for a block and `.` for an empty cell; letters given in the pattern
    must have stayed. `answers` maps slot names (`1A`) to words. Reported are: a changed block or given letter, an
    empty cell, a word that is not among its slot's answers, a slot without answers, and a word that occurs twice.

    >>> good = {"1A": {"AT"}, "3A": {"NO"}, "1D": {"AN"}, "2D": {"TO"}}
    >>> print(verify_crossword(["..", ".."], ["AT", "NO"], good))
    verified
    >>> print(verify_crossword(["..", ".."], ["AT", "SO"], good))
    not verified: 3A: SO is not one of its answers; 1D: AS is not one of its answers
    """
    faults: list[str] = []
    if [len(row) for row in pattern] != [len(row) for row in filled]:
        return Proof(("the grid does not have the size of its pattern",))
    for r, (before, after) in enumerate(zip(pattern, filled, strict=True), 1):
        for c, (given, now) in enumerate(zip(before, after, strict=True), 1):
            if (given == "#") != (now == "#"):
                faults.append(f"row {r} column {c}: a block is not where the pattern has it")
            elif now == ".":
                faults.append(f"row {r} column {c}: the cell is empty")
            elif given not in {".", now}:
                faults.append(f"row {r} column {c}: {given} was given, {now} stands there")
    placed: dict[str, str] = {}
    for name, word in _words(filled).items():
        if "." in word:
            continue  # reported as an empty cell
        if word not in answers.get(name, ()):
            faults.append(f"{name}: {word} is not one of its answers")
        if word in placed:
            faults.append(f"{name}: {word} stands at {placed[word]} already")
        placed[word] = name
    return Proof(tuple(faults))


def _words(rows: Sequence[str]) -> dict[str, str]:
    """Return the words of a grid by name: numbers rise in reading order of the words' first cells."""
    columns = ["".join(row[c] for row in rows) for c in range(len(rows[0]))]
    across = {(r, m.start()): m.group() for r, row in enumerate(rows) for m in re.finditer(r"[^#]{2,}", row)}
    down = {(m.start(), c): m.group() for c, column in enumerate(columns) for m in re.finditer(r"[^#]{2,}", column)}
    numbers = {at: number for number, at in enumerate(sorted({*across, *down}), 1)}
    words = {f"{numbers[at]}A": word for at, word in across.items()}
    return words | {f"{numbers[at]}D": word for at, word in down.items()}
