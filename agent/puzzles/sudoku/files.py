"""The digits of a Sudoku, and the forms in which people keep them: a line, rows with or without frames, JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from agent.draw.grid import grid_svg
from agent.draw.letters import spaced
from agent.draw.svg import Svg
from agent.puzzles.sudoku.recognise import BOXES, rows_in
from agent.reading import expected, json_object, named, names


@dataclass(frozen=True, slots=True)
class Sudoku:
    """Rows of digits, `.` for an empty cell; `box` is the width and height of a box."""

    kind: ClassVar[str] = "sudoku"
    givens: tuple[str, ...]
    box: tuple[int, int]
    id: str = ""
    title: str = ""

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.givens)

    height = width

    def svg(self, rows: Sequence[str] = ()) -> Svg:
        """Draw the givens in bold, with `rows` as far as they are filled, and the boxes framed."""
        bold = [at for at, sign in enumerate("".join(self.givens)) if sign != "."]
        return grid_svg(rows or self.givens, bold=bold, heavy=self.box, title=self.title or "Sudoku")

    _repr_html_ = svg

    def __str__(self) -> str:
        return spaced(self.givens, self.box)

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`parse` reads back to the same puzzle, once dumped."""
        return {**named(self.id, self.title), "sudoku": list(self.givens), "box": list(self.box)}


def parse(text: str, *, source: str = "") -> Sudoku:
    """Read a puzzle: all cells in a line, a row on each line, or JSON with "sudoku" and "box". Raises FormatError.

    >>> parse('{"sudoku": "1.....3..4.....2", "box": [2, 2]}').givens
    ('1...', '..3.', '.4..', '...2')
    """
    found = json_object(text, source=source) if text.lstrip().startswith("{") else {"sudoku": text}
    grid = found.get("sudoku")
    rows = rows_in("\n".join(map(str, grid)) if isinstance(grid, list) else str(grid))
    if not rows:
        raise expected("as many rows as cells in a row, 4 to 16, with digits and dots", source=source)
    box = found.get("box", list(BOXES[len(rows)]))
    if box not in [[wide, len(rows) // wide] for wide in range(1, len(rows) + 1) if not len(rows) % wide]:
        raise expected(f'"box" to be a width and a height of {len(rows)} cells together', source=source)
    return Sudoku(rows, (int(box[0]), int(box[1])), *names(found))
