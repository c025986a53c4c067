"""A grid as plain text, with shades for terminals that have colours."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from agent.draw.doubt import CLEAR, GUESS

BLOCK, EMPTY, BAR = "#", ".", "‖"

SHADES = ((CLEAR, "\x1b[38;5;16;48;5;230m"), (0.7, "\x1b[38;5;16;48;5;222m"), (GUESS, "\x1b[38;5;245m"))
"""Probability below which a cell gets each shade: black on yellow, then on amber, and grey for guesses."""

GREEN = "\x1b[32m"
RESET = "\x1b[0m"


def shade(sure: float) -> tuple[str, str]:
    """Return the escape sequences that begin and end a cell's shade; empty for a letter that is sure.

    >>> shade(0.95), shade(0.6) == (SHADES[1][1], RESET)
    (('', ''), True)
    """
    begin = next((begin for limit, begin in reversed(SHADES) if sure < limit), "")
    return begin, RESET if begin else ""


def grid_text(
    rows: Sequence[Sequence[str]],
    *,
    numbers: Mapping[int, int] | None = None,
    bars: Collection[tuple[int, int]] = (),
    confidence: Sequence[float] = (),
    colour: bool = False,
) -> str:
    """Draw a grid; cells have indexes row * width + column, `numbers` are cell -> number, `bars` are between two cells.

    With `confidence` (one for each cell, 0 to 1) guesses are in lower case; `colour` shades doubtful
    cells with the escape sequences of terminals.

    >>> print(grid_text(["AB", "C#"], numbers={0: 1}, confidence=[0.9, 0.4, 1.0, 1.0]))
    +---+---+
    |1  |   |
    | A | b |
    +---+---+
    |   |███|
    | C |███|
    +---+---+
    """
    numbers = numbers or {}
    width = len(rows[0])
    lines = ["+---" * width + "+"]
    for first, row in zip(range(0, width * len(rows), width), rows, strict=True):
        top, bottom = "|", "|"
        for index, cell in enumerate(row, first):
            if cell == BLOCK:
                top, bottom = top + "███|", bottom + "███|"
                continue
            edge = BAR if width > 1 and (index, index + 1) in bars else "|"
            sure = confidence[index] if confidence and cell != EMPTY else 1.0
            letter = " " if cell == EMPTY else cell[:3]
            begin, end = shade(sure) if colour else ("", "")
            top += f"{begin}{numbers.get(index, ''):<3}{end}{edge}"
            bottom += f"{begin}{letter.lower() if sure < GUESS else letter:^3}{end}{edge}"
        below = ("===" if (cell, cell + width) in bars else "---" for cell in range(first, first + width))
        lines += [top, bottom, "+" + "".join(f"{line}+" for line in below)]
    return "\n".join(lines)


def legend(cells: Sequence[str], confidence: Sequence[float], *, colour: bool = False) -> str:
    """Explain the shades, lower case and empty cells of a picture; empty text if it has none of them.

    >>> legend("AB", [0.9, 0.4])
    'letters: lower case under 50 %, a guess'
    """
    letters = [sure for cell, sure in zip(cells, confidence, strict=True) if cell not in {BLOCK, EMPTY}]
    marks = []
    if colour:
        floors = (*(limit for limit, _ in SHADES[1:]), 0.0)
        for (limit, begin), floor in zip(SHADES[:-1], floors, strict=False):
            if any(floor <= sure < limit for sure in letters):
                marks.append(f"{begin} under {100 * limit:.0f} % {RESET}")
    if any(sure < GUESS for sure in letters):
        begin, end = shade(0.0) if colour else ("", "")
        marks.append(f"{begin}lower case under {100 * GUESS:.0f} %, a guess{end}")
    if EMPTY in cells:
        marks.append(f"empty if none reaches {100 * GUESS:.0f} %")
    return f"letters: {', '.join(marks)}" if marks else ""
