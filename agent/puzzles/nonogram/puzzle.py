"""A nonogram as a value: the clues of its rows and columns, and its colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from agent.puzzles.nonogram.colours import BLACK, UNKNOWN, WHITE, Colour
from agent.puzzles.nonogram.line import Block
from agent.reading import named

if TYPE_CHECKING:
    from agent.draw.svg import Svg

Clue = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Nonogram:
    """Row clues from the top, column clues from the left: blocks of a length and a colour, none for an empty line.

    `colours` begin with that of blank cells; a block's colour is its place among them. If there is one besides, its
    sign is `#`, and clues are written as bare lengths.

    >>> print(Nonogram((((2, 1),), ()), (((1, 1),), ((1, 1),))))
    rows: 2 / 0
    columns: 1 / 1
    """

    kind: ClassVar[str] = "nonogram"

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    id: str = ""
    title: str = ""
    colours: tuple[Colour, ...] = (WHITE, BLACK)

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.columns)

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def givens(self) -> tuple[str, ...]:
        """Nothing is given: rows of cells that are not known."""
        return (UNKNOWN * self.width,) * self.height

    @property
    def signs(self) -> str:
        """The signs of all colours, blank first."""
        return "".join(colour.sign for colour in self.colours)

    def words(self, clue: Clue) -> tuple[str, ...]:
        """Return the blocks of a clue as they are written.

        >>> nonogram = Nonogram((), (), colours=(WHITE, Colour("red", "FF0000", "r"), Colour("blue", "0000FF", "b")))
        >>> nonogram.words(((2, 1), (1, 2)))
        ('2r', '1b')
        """
        plain = len(self.colours) == 2
        return tuple(f"{length}{'' if plain else self.colours[colour].sign}" for length, colour in clue)

    def svg(self, rows: Sequence[str] = ()) -> Svg:
        """Draw the clues with an empty picture, or with `rows` of signs."""
        from agent.puzzles.nonogram.draw import nonogram_svg

        across, down = ([self.words(clue) for clue in side] for side in (self.rows, self.columns))
        return nonogram_svg(rows or self.givens, across, down, self.colours, title=self.title)

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`agent.puzzles.nonogram.files.parse` reads back to the same puzzle, once dumped."""
        plain = len(self.colours) == 2
        sides = [
            [[length for length, _ in clue] if plain else list(self.words(clue)) for clue in side]
            for side in (self.rows, self.columns)
        ]
        found: dict[str, Any] = {**named(self.id, self.title), "width": self.width, "height": self.height}
        found |= {"rows": sides[0], "cols": sides[1]}
        if self.colours != (WHITE, BLACK):
            found["colours"] = [{"sign": one.sign, "name": one.name, "rgb": one.rgb} for one in self.colours]
        return found

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        sides = (" / ".join(" ".join(self.words(clue)) or "0" for clue in side) for side in (self.rows, self.columns))
        return "\n".join(f"{name}: {clues}" for name, clues in zip(("rows", "columns"), sides, strict=True))
