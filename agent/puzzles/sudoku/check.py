"""Check a finished Sudoku, with nothing taken from the code that found it."""

from collections.abc import Sequence

from agent.verify.rows import changed


def check_sudoku(givens: Sequence[str], box: tuple[int, int], filled: Sequence[str]) -> tuple[str, ...]:
    """Check that the givens stayed, and that every row, column and box holds each of the first digits once."""
    faults = changed(givens, filled, empty=".")
    if [len(row) for row in givens] != [len(row) for row in filled]:
        return tuple(faults)
    corners = [(y, x) for y in range(0, len(filled), box[1]) for x in range(0, len(filled), box[0])]
    boxes = ["".join(row[x : x + box[0]] for row in filled[y : y + box[1]]) for y, x in corners]
    for what, units in (("row", filled), ("column", ["".join(c) for c in zip(*filled, strict=True)]), ("box", boxes)):
        for number, held in enumerate(units, 1):
            if "".join(sorted(held)) != "123456789ABCDEFG"[: len(filled)]:
                faults.append(f"{what} {number} holds {held}, not each digit once")
    return tuple(faults)
