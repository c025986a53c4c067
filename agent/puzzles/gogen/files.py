"""The board and the words of a Gogen, and the formats in use: JSON, text, words with nine letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from agent.draw.letters import spaced
from agent.reading import capitals, expected, json_object, named, names, same_length, text_list, text_rows

if TYPE_CHECKING:
    from agent.draw.svg import Svg

EMPTY = "."


EMPTIES = frozenset("._-?*")
"""Signs for an empty cell that files use; `.` is the one that is written."""


ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""Letters that no word and no given uses fill the board in this order: A-Y for 5x5, as newspapers have it."""


MAX_CELLS = 64
"""More cells than this are refused: no variant has them, and each needs a different letter."""


@dataclass(frozen=True, slots=True)
class Gogen:
    """A board with givens (`.` for an empty cell), the words, and the letters to be placed, as many as there are cells.

    >>> print(Gogen(("A.", ".."), ("AB", "CD"), "ABCD"))
    A .
    . .
    <BLANKLINE>
    AB CD
    """

    kind: ClassVar[str] = "gogen"

    board: tuple[str, ...]
    words: tuple[str, ...]
    letters: str
    id: str = ""
    title: str = ""

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.board[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.board)

    @property
    def givens(self) -> tuple[str, ...]:
        """The board as it was handed out."""
        return self.board

    def svg(self, rows: Sequence[str] = ()) -> Svg:
        """Draw the board, or `rows` in its place, with the words' paths as far as they are known; givens are bold."""
        from agent.puzzles.gogen.draw import gogen_svg

        rows = rows or self.board
        givens = [at for at, sign in enumerate("".join(self.board)) if sign != EMPTY]
        return gogen_svg(rows, paths(self, rows), bold=givens, title=self.title)

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`parse` reads back to the same puzzle, once dumped."""
        board = {"board": list(self.board), "words": list(self.words), "letters": self.letters}
        return {**named(self.id, self.title), **board}

    def __str__(self) -> str:
        return f"{spaced(self.board)}\n\n{' '.join(self.words)}"

    def _repr_html_(self) -> str:
        return self.svg()


def parse(text: str, *, source: str = "") -> Gogen:
    """Read a puzzle: JSON, or plain text (board, blank line, words).

    JSON has "board" and "words", and may have "letters". In plain text each row is a line, with or without spaces,
    `.`, `_`, `-`, `?` or `*` for an empty cell. Raises FormatError.

    >>> parse("A_\\n__\\n\\nABCD").board
    ('A.', '..')
    """
    if text.lstrip().startswith(("{", "[")):
        found = json_object(text, source=source)
        rows = text_rows(found, "board" if "board" in found else "grid", source=source, empty=EMPTY)
        words = text_list(found, "words", source=source)
        puzzle = build(rows, words, letters=str(found.get("letters", "")), source=source)
        name, title = names(found)
        return replace(puzzle, id=name, title=title)
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    end = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    rows = tuple("".join(line.split()).replace(",", "") for line in lines[first:end])
    return build(rows, listed(" ".join(lines[end:])), source=source, first_line=first + 1)


def listed(text: str) -> tuple[str, ...]:
    """Split words at spaces and commas."""
    return tuple(text.replace(",", " ").split())


def parse_words(text: str, letters: str, source: str = "") -> Gogen:
    """Read a list of words for a 5x5 board with nine starting letters.

    The letters are those of the first, third and fifth cells of the first, third and fifth rows, row by row.
    Raises FormatError.

    >>> parse_words("ace bd", "ABCDEFGHI").board
    ('A.B.C', '.....', 'D.E.F', '.....', 'G.H.I')
    """
    signs = "".join(letters.split()).replace(",", "")
    if len(signs) != 9:
        raise expected(f"nine starting letters, found {len(signs)}", source=source)
    rows = tuple(row for k in (0, 3, 6) for row in (EMPTY.join(signs[k : k + 3]), EMPTY * 5))[:5]
    return build(rows, listed(text), source=source, first_line=1)


def build(
    rows: tuple[str, ...],
    words: tuple[str, ...],
    *,
    letters: str = "",
    name: str = "",
    source: str = "",
    first_line: int = 0,
) -> Gogen:
    """Return a puzzle of rows and words, in capitals; the letters to be placed are worked out if not given.

    Raises FormatError if there is no word, a row has another length, or a sign is not a letter or digit.

    >>> build(("a.", ".."), ("ab", "cd")).letters
    'ABCD'
    """
    same_length(rows, source=source, first_line=first_line)
    cells = len(rows) * len(rows[0])
    if cells > MAX_CELLS:
        raise expected(f"a board of at most {MAX_CELLS} cells, found {cells}", source=source)
    if not words:
        raise expected("words after the board and a blank line", source=source)
    board = tuple("".join(EMPTY if sign in EMPTIES else capitals(sign) for sign in row) for row in rows)
    words = tuple(capitals(word) for word in words)
    for text in (*(row.replace(EMPTY, "") for row in board), *words):
        for sign in text:
            if not sign.isalnum():
                raise expected(f"letters, digits or {EMPTY} in the board and words, found {sign!r}", source=source)
    used = dict.fromkeys("".join((*board, *words)).replace(EMPTY, ""))
    wanted = dict.fromkeys(capitals(letters)) or used
    spare = [letter for letter in ALPHABET if letter not in used]
    chosen = [*wanted, *(letter for letter in used if letter not in wanted)]
    chosen += spare[: max(0, cells - len(chosen))]
    return Gogen(board, words, "".join(sorted(chosen)), name)


def write_text(puzzle: Gogen) -> str:
    """Return the puzzle as text that :func:`parse` reads: the board, a blank line, a word on each line.

    >>> puzzle = parse("A.\\n..\\n\\nABCD")
    >>> parse(write_text(puzzle)) == puzzle
    True
    """
    return "\n".join([*puzzle.board, "", *puzzle.words])


def paths(puzzle: Gogen, board: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Trace each word whose letters all stand on the board: word -> (row, column) of each letter, from 0.

    >>> paths(parse('{"board": ["AB"], "words": ["ABA"]}'), ("AB",))
    {'ABA': ((0, 0), (0, 1), (0, 0))}
    """
    where = {letter: (r, c) for r, row in enumerate(board) for c, letter in enumerate(row)}
    return {word: tuple(where[a] for a in word) for word in puzzle.words if all(a in where for a in word)}
