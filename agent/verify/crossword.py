"""Check finished grids, with nothing taken from the code that found them.

The search numbers its slots with `Grid.slots` and crosses them on bitmaps; the checker walks rows and columns of
plain text and knows neither. It is the last thing that happens before a grid is called solved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verification:
    """The checker's result: every fault it found, none if the grid holds.

    >>> print(Verification(()))
    verified
    """

    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True when no fault was found."""
        return not self.faults

    def __str__(self) -> str:
        return "verified" if self.holds else "not verified: " + "; ".join(self.faults)


def verify_crossword(
    pattern: Sequence[str],
    filled: Sequence[str],
    answers: Mapping[str, Collection[str]],
    bars: Collection[tuple[int, int]] = (),
    numbers: Collection[tuple[int, int]] = (),
) -> Verification:
    """Check a filled crossword against its empty pattern and the answers that each slot may take.

    `pattern` and `filled` are rows of text, `#` for a block and `.` for an empty cell; letters given in the pattern
    must have stayed. `answers` maps slot names (`1A`) to words. Reported are: a changed block or given letter, an
    empty cell, a word that is not among its slot's answers, a slot without answers, and a word that occurs twice.
    `bars` part two cells, counted row by row from 0, the lower one first; `numbers` are the grid's own, each with its
    cell, and leave words that begin elsewhere unnamed and unchecked.

    >>> good = {"1A": {"AT"}, "3A": {"NO"}, "1D": {"AN"}, "2D": {"TO"}}
    >>> print(verify_crossword(["..", ".."], ["AT", "NO"], good))
    verified
    >>> print(verify_crossword(["..", ".."], ["AT", "SO"], good))
    not verified: 3A: SO is not one of its answers; 1D: AS is not one of its answers
    """
    faults: list[str] = []
    if [len(row) for row in pattern] != [len(row) for row in filled]:
        return Verification(("the grid does not have the size of its pattern",))
    for r, (before, after) in enumerate(zip(pattern, filled, strict=True), 1):
        for c, (given, now) in enumerate(zip(before, after, strict=True), 1):
            if (given == "#") != (now == "#"):
                faults.append(f"row {r} column {c}: a block is not where the pattern has it")
            elif now == ".":
                faults.append(f"row {r} column {c}: the cell is empty")
            elif given not in {".", now}:
                faults.append(f"row {r} column {c}: {given} was given, {now} stands there")
    placed: dict[str, str] = {}
    for name, word in _words(filled, bars, dict(numbers)).items():
        if "." in word:
            continue  # reported as an empty cell
        if word not in answers.get(name, ()):
            faults.append(f"{name}: {word} is not one of its answers")
        if word in placed:
            faults.append(f"{name}: {word} stands at {placed[word]} already")
        placed[word] = name
    return Verification(tuple(faults))


def _words(rows: Sequence[str], bars: Collection[tuple[int, int]], own: Mapping[int, int]) -> dict[str, str]:
    """Return the words of a grid by name: by its own numbers, else these rise in reading order of the first cells."""
    width, letters = len(rows[0]), "".join(rows)

    def runs(line: range) -> Iterator[list[int]]:
        run: list[int] = []
        for cell in line:
            if run and (letters[cell] == "#" or (run[-1], cell) in bars):
                yield run
                run = []
            if letters[cell] != "#":
                run.append(cell)
        yield run

    across = [run for row in range(len(rows)) for run in runs(range(row * width, (row + 1) * width)) if len(run) > 1]
    down = [run for column in range(width) for run in runs(range(column, len(letters), width)) if len(run) > 1]
    numbers = own or {at: number for number, at in enumerate(sorted({run[0] for run in across + down}), 1)}
    return {
        f"{numbers[run[0]]}{way}": "".join(letters[cell] for cell in run)
        for way, found in (("A", across), ("D", down))
        for run in found
        if run[0] in numbers
    }
