"""The grid and the words of a fill-in, and the formats in use: JSON, text, Prolog lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from agent.draw.letters import spaced
from agent.grid import BLOCK
from agent.reading import capitals, expected, json_object, named, names, same_length, small, text_list, text_rows
from agent.slots import Slot, number_slots

if TYPE_CHECKING:
    from agent.draw.svg import Svg

EMPTY = "_"


EMPTIES = frozenset("_.-? ")
"""Signs for an empty cell that files use; `_` is the one that is written."""


MAX_SIDE = 200
"""Longer sides are refused: no published fill-in has them, a hostile file may."""


PROLOG_CELL = re.compile(r"""\s*(?:'((?:[^'\\]|''|\\.)*)'|"([^"]*)"|(\w+|[#.]))\s*""")


@dataclass(frozen=True, slots=True)
class FillIn:
    """A grid (`#` block, `_` empty, else given) and the words; `spare` allows words to be left over.

    >>> print(FillIn(("#a", "__"), ("ab", "cb")))
    # a
    _ _
    <BLANKLINE>
    ab cb
    """

    kind: ClassVar[str] = "fillin"

    grid: tuple[str, ...]
    words: tuple[str, ...]
    id: str = ""
    spare: bool = False
    title: str = ""

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.grid[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.grid)

    @property
    def givens(self) -> tuple[str, ...]:
        """The grid as it was handed out."""
        return self.grid

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The runs of two or more cells, numbered as in a crossword."""
        return number_slots(self.width, self.height, tuple(sign == BLOCK for row in self.grid for sign in row))

    def svg(self, rows: Sequence[str] = ()) -> Svg:
        """Draw the grid, or `rows` in its place, with the words; what is in the grid is ticked, givens are bold."""
        from agent.puzzles.fillin.draw import fillin_svg

        return fillin_svg(rows or self.grid, self.words, givens=self.grid, spare=self.spare, title=self.title)

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`parse` reads back to the same puzzle, once dumped."""
        spare = {"spare": True} if self.spare else {}
        return {**named(self.id, self.title), "grid": list(self.grid), "words": list(self.words), **spare}

    def __str__(self) -> str:
        return f"{spaced(self.grid)}\n\n{' '.join(self.words)}"

    def _repr_html_(self) -> str:
        return self.svg()


def parse(text: str, *, source: str = "") -> FillIn:
    """Read a puzzle: JSON with "grid" and "words", plain text (grid, blank line, words), or Prolog lists.

    The Prolog form is a list of rows and a list of words, each a list of characters, anywhere in the text:
    `[['#',h,'#'],[_,_,_],['#',_,'#']]` and `[[h,a,t],[b,a,g]]`. Letters keep the case of the words.
    Raises FormatError.

    >>> parse("[['#',h,'#'],[_,_,_],['#',_,'#']]  [[h,a,t],[b,a,g]]").words
    ('hat', 'bag')
    """
    stripped = text.lstrip()
    if stripped.startswith("{"):
        found = json_object(text, source=source)
        rows = text_rows(found, "grid", source=source, empty=EMPTY)
        words = text_list(found, "words", source=source)
        name, title = names(found)
        return replace(build(rows, words, spare=found.get("spare") is True, source=source), id=name, title=title)
    if "[[" in re.sub(r"\s", "", text):
        return parse_prolog(text, source=source)
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    end = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    rows = tuple(without_spaces(line) for line in lines[first:end])
    words = tuple(" ".join(lines[end:]).replace(",", " ").split())
    return build(rows, words, source=source, first_line=first + 1)


def without_spaces(line: str) -> str:
    """Remove the spaces between the cells of a row, if there is one between every two.

    >>> without_spaces("# h _"), without_spaces("#h_")
    ('#h_', '#h_')
    """
    line = line.strip()
    return line[::2] if len(line) > 2 and set(line[1::2]) == {" "} else line


def parse_prolog(text: str, *, source: str = "") -> FillIn:
    """Read the two lists of lists of a Prolog goal, anywhere in the text.

    >>> parse_prolog("p(Ws) :- puzzle([[a,X,_]]), Ws = [[a,b,c]].").grid
    ('a__',)
    """
    lists: list[tuple[str, ...]] = []
    rows: list[str] = []
    depth, position = 0, 0
    while position < len(text):
        sign = text[position]
        if sign == "%":
            line_end = text.find("\n", position)
            position = line_end if line_end >= 0 else len(text)
        elif sign == "[":
            depth += 1
            if depth == 2:
                end = text.find("]", position)
                inside = text[position + 1 : end] if end >= 0 else ""
                cells, at = [], 0
                while at < len(inside):
                    found = PROLOG_CELL.match(inside, at)
                    if found is None or (found.end() < len(inside) and inside[found.end()] != ","):
                        line = text.count("\n", 0, position + 1 + at) + 1
                        raise expected("comma-separated cells such as '#', _ or a", source=source, line=line)
                    quoted, double, plain = found.groups()
                    cell = quoted if quoted is not None else double if double is not None else plain
                    # a capital or an underscore begins a variable: an unknown letter
                    cells.append(EMPTY if plain and (plain[0] == "_" or plain[0].isupper()) else cell)
                    at = found.end() + 1
                if not cells or any(len(cell) != 1 for cell in cells):
                    line = text.count("\n", 0, position) + 1
                    raise expected("a list of single characters", source=source, line=line)
                rows.append("".join(cells))
                position, depth = end, 1
        elif sign == "]":
            depth -= 1
            if depth == 0 and rows:
                lists.append(tuple(rows))
                rows = []
        position += 1
    if len(lists) != 2:
        raise expected(f"two lists of lists, the grid and the words; found {len(lists)}", source=source)
    return build(lists[0], lists[1], source=source)


def build(
    rows: tuple[str, ...],
    words: tuple[str, ...],
    *,
    spare: bool = False,
    source: str = "",
    first_line: int = 0,
) -> FillIn:
    """Return a puzzle of rows and words, after checking both.

    If all words are in lower or all in upper case the givens follow; otherwise everything becomes upper case. A word
    that stands whole in the grid need not be listed. Raises FormatError.

    >>> build(("A_",), ("ab",)).grid
    ('a_',)
    >>> build(("at", "__"), ("no", "an", "to")).words
    ('no', 'an', 'to', 'at')
    """
    same_length(rows, source=source, first_line=first_line)
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise expected(f"a grid of at most {MAX_SIDE} cells a side", source=source)
    for number, row in enumerate(rows):
        for sign in row:
            if sign != BLOCK and sign not in EMPTIES and not sign.isalnum():
                line = first_line + number if first_line else 0
                raise expected(f"cells {BLOCK}, {EMPTY}, letters or digits, found {sign!r}", source=source, line=line)
    for word in words:
        if len(word) < 2 or not word.isalnum():
            raise expected(f"words of two or more letters or digits, found {word!r}", source=source)
    if not words:
        raise expected("words after the grid and a blank line", source=source)
    change = change_of(words)
    grid = tuple("".join(EMPTY if sign in EMPTIES else change(sign) for sign in row) for row in rows)
    puzzle = FillIn(grid, tuple(change(word) for word in words), spare=spare)
    return replace(puzzle, words=(*puzzle.words, *starters(puzzle)))


def starters(puzzle: FillIn) -> Iterator[str]:
    """Yield the words that stand whole in the grid and are not listed, as far as the list is short of such words.

    >>> list(starters(FillIn(("at", "__"), ("no", "an", "to")))), list(starters(FillIn(("at",), ("no",))))
    (['at'], [])
    """
    flat = "".join(puzzle.grid)
    written = Counter(word for slot in puzzle.slots if EMPTY not in (word := "".join(flat[at] for at in slot.cells)))
    room = Counter(map(len, puzzle.slots)) - Counter(map(len, puzzle.words))
    for word in (written - Counter(puzzle.words)).elements():
        if puzzle.spare or room[len(word)] > 0:
            room[len(word)] -= 1
            yield word


def change_of(words: Sequence[str]) -> Callable[[str], str]:
    """Return the function that sets the case of a puzzle's letters: small if all its words are, else capitals.

    >>> change_of(["ab"])("X"), change_of(["Ab"])("x")
    ('x', 'X')
    """
    together = "".join(words)
    return small if together == small(together) != capitals(together) else capitals


def write_text(puzzle: FillIn) -> str:
    """Return the puzzle as text that :func:`parse` reads: the grid, a blank line, a word on each line.

    >>> puzzle = parse("a_\\n\\nab")
    >>> parse(write_text(puzzle)) == puzzle
    True
    """
    return "\n".join([*puzzle.grid, "", *puzzle.words])
