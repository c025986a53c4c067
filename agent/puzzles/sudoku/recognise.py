"""Recognise a Sudoku by its content."""

from agent.draw.letters import in_rows
from agent.glimpse import Glimpse

SIGNS = "123456789ABCDEFG"
BOXES = {4: (2, 2), 6: (3, 2), 8: (4, 2), 9: (3, 3), 10: (5, 2), 12: (4, 3), 14: (7, 2), 15: (5, 3), 16: (4, 4)}
"""Number of digits -> width and height of a box, unless the file has others."""
PLAIN = str.maketrans("0_*?", "....", "|, \t\r")


def looks_like(seen: Glimpse) -> bool:
    """Return whether a text is a Sudoku: a square of cells, some with digits, as text or under "sudoku" in JSON."""
    if seen.document is not None:
        return "sudoku" in seen.document
    return any(sign in SIGNS for row in rows_in("\n".join(seen.lines)) for sign in row)


def rows_in(text: str) -> tuple[str, ...]:
    """Return a square of cells, `.` for an empty one, from rows or all cells in a line; none if it is not a square.

    >>> rows_in("1 0 | 3 4\\n----+----\\n3 4 | 1 2\\n2 1 | 4 3\\n4 3 | 2 1")
    ('1.34', '3412', '2143', '4321')
    """
    rows = [line.translate(PLAIN) for line in text.upper().split("\n") if line.strip("-+=| \t\r")]
    if len(rows) == 1 and (side := round(len(rows[0]) ** 0.5)) ** 2 == len(rows[0]) > 0:
        rows = [*in_rows(rows[0], side)]
    is_square = len(rows) in BOXES and all(len(row) == len(rows) for row in rows)
    return tuple(rows) if is_square and set("".join(rows)) <= {".", *SIGNS[: len(rows)]} else ()
