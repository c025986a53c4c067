"""Shared by all formats: cleaned text, grids, and the one function that assembles a Puzzle."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agent.draw.letters import place
from agent.errors import FormatError, UsageError
from agent.grid import BLOCK, EMPTY, MAX_SIDE, Clue, Grid, Puzzle
from agent.slots import Bar, Direction
from agent.text import fold

TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
"""An HTML tag; short and without nesting, so that `a < b > c` stays as it is."""

LINE_BREAK_TAG = re.compile(r"<(br|p|li|div)\b[^<>]{0,300}>", re.IGNORECASE)

WHITE = frozenset(("", "fff", "ffffff", "white", "none", "transparent"))
"""Colours of a cell that is not shaded."""

INVISIBLE: dict[int, str | None] = {
    **dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
    **{sign: unicodedata.normalize("NFKC", chr(sign)) for sign in range(0xFB00, 0xFB07)},
}
"""Soft hyphens and marks of direction and of width go, ligatures become their letters: they only set the text."""

MAX_CELL = 30
"""More letters than this in one cell are refused: the longest rebus is a word."""


def shown(value: object) -> str:
    """Return a value in the form for messages: short, on one line.

    >>> shown("x" * 100)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
    """
    text = ascii(value) if not isinstance(value, str) else repr(value)
    return text if len(text) <= 41 else text[:38] + "..."


def clean(text: str) -> str:
    """Fold white space to single blanks and remove signs that are not seen.

    >>> clean("  Not\\tou\\u00adt\\x07 ")
    'Not out'
    """
    text = text.translate(INVISIBLE)
    visible = "".join(ch if ch.isspace() or unicodedata.category(ch) not in {"Cc", "Cs"} else " " for ch in text)
    return " ".join(visible.split())


def plain(markup: str) -> str:
    """Turn HTML into clean text: tags are removed, entities become characters.

    >>> plain("<i>Caf&eacute;</i> &amp; bar, a < b")
    'Café & bar, a < b'
    """
    return clean(html.unescape(TAG.sub("", LINE_BREAK_TAG.sub(" ", markup))))


def written(content: str, where: str = "") -> str:
    """Return the content of a cell in the form of :class:`Grid`: capitals without accents, `.` when empty.

    >>> written(" é "), written("Heart"), written("")
    ('E', 'HEART', '.')
    """
    text = "".join(content.split())
    folded = "".join(fold(text).upper().split())
    kept = "".join(ch for ch in folded if ch.isalnum()) or folded
    if len(kept) > MAX_CELL:
        raise FormatError(f"a cell holds at most {MAX_CELL} characters, not {len(kept)}", where)
    if (
        (text and not kept)
        or BLOCK in kept
        or (EMPTY in kept and kept != EMPTY)
        or any(unicodedata.category(ch)[0] == "C" for ch in kept)
    ):
        raise FormatError(f"expected the letters of a cell, found {shown(content)}", where)
    return kept or EMPTY


def make_grid(rows: Sequence[Sequence[str]], where: str = "") -> Grid:
    """Return a grid of rows of cells; every row must be as long as the first."""
    if not rows or not rows[0]:
        raise FormatError("expected rows of cells, found none", where)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FormatError(f"expected {len(rows[0])} cells in row {number} as in the first, found {len(row)}", where)
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise FormatError(f"expected 1 to {MAX_SIDE} cells a side, found {len(rows[0])}x{len(rows)}", where)
    return Grid(len(rows[0]), len(rows), tuple(cell for row in rows for cell in row))


def flat_grid(cells: Sequence[str], width: int, height: int, where: str = "") -> Grid:
    """Return a grid of cells that are listed row by row.

    >>> flat_grid(["A", "B", "#"], 2, 2, "cells")
    Traceback (most recent call last):
    agent.errors.FormatError: cells: expected 4 cells for 2x2, found 3
    """
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise FormatError(f"expected 1 to {MAX_SIDE} cells a side, found {width}x{height}", where)
    if len(cells) != width * height:
        raise FormatError(f"expected {width * height} cells for {width}x{height}, found {len(cells)}", where)
    return Grid(width, height, tuple(cells))


def full(grid: Grid | None) -> Grid | None:
    """Return the grid if it can serve as a solution: every cell filled."""
    return grid if grid is not None and grid.is_filled else None


def split_solution(grid: Grid) -> tuple[Grid, Grid | None]:
    """Read a lone grid: a filled one is the solution; in one with empty cells the letters are given.

    >>> [g and g.rows for g in split_solution(Grid.parse("AB"))]
    [('..',), ('AB',)]
    """
    return (grid.emptied(), grid) if grid.is_filled else (grid, None)


def assemble(
    grid: Grid,
    clues: Iterable[tuple[int, str, str]],
    solution: Grid | None = None,
    *,
    circles: Iterable[int] = (),
    shaded: Iterable[int] = (),
    progress: Grid | None = None,
    left_out: Iterable[str] = (),
    about: Mapping[str, str] | None = None,
) -> Puzzle:
    """Return the puzzle with clues (number, "A" or "D", text), cross-checked against the grid's numbers.

    `circles` and `shaded` are indexes of cells; a block cannot be marked. `about` has the fields of
    :class:`agent.grid.About`. Clues without text are left out. Raises FormatError if a number has no slot or comes
    twice.

    >>> assemble(Grid.parse(".."), [(2, "A", "Not out")])
    Traceback (most recent call last):
    agent.errors.FormatError: there is a clue for 2A, but the grid has across 1, down none
    """
    order = {slot.name: place for place, slot in enumerate(grid.slots)}
    found: dict[str, str] = {}
    for number, letter, text in clues:
        name = f"{number}{letter}"
        if name not in order:
            raise FormatError(f"there is a clue for {name}, but {numbering_in_words(grid)}")
        if name in found:
            raise FormatError(f"there are two clues for {name}")
        found[name] = text
    for name, letters in (("solution", solution), ("grid of letters written so far", progress)):
        if letters is not None and (letters.width, letters.blocks) != (grid.width, grid.blocks):
            raise FormatError(f"the {name} has its blocks in other cells than the grid")
    solution, progress = (one and replace(one, bars=grid.bars, numbers=grid.numbers) for one in (solution, progress))
    names = sorted((name for name, text in found.items() if text), key=order.__getitem__)
    white = {index for index, cell in enumerate(grid.cells) if cell != BLOCK}
    return Puzzle(
        grid,
        tuple(Clue(name, found[name]) for name in names),
        circles=frozenset(white.intersection(circles)),
        shaded=frozenset(white.intersection(shaded)),
        progress=progress if progress is not None and progress != grid else None,
        solution=solution,
        left_out=tuple(left_out),
        **{name: clean(text) for name, text in (about or {}).items()},
    )


def numbering_in_words(grid: Grid) -> str:
    """Return in words how a grid's slots are numbered.

    >>> numbering_in_words(Grid.parse("..\\n.."))
    'the grid has across 1, 3, down 1, 2'
    """
    numbers: dict[str, list[str]] = {"across": [], "down": []}
    for slot in grid.slots:
        numbers[slot.direction].append(str(slot.number))
    listed = ", ".join(f"{direction} {', '.join(of) or 'none'}" for direction, of in numbers.items())
    return f"the grid has {listed}"


def clue_of(grid: Grid, cells: Sequence[int], number: int, text: str, where: str) -> tuple[int, str, str]:
    """Return the clue of a slot that is known by its cells: number, "A" or "D", text.

    Raises FormatError if these cells are not a slot of the grid, or not of that number.

    >>> clue_of(Grid.parse(".."), [0, 1], 1, "Not out", "words[0]")
    (1, 'A', 'Not out')
    """
    slot = next((slot for slot in grid.slots if slot.cells == tuple(cells)), None)
    if slot is None:
        raise FormatError(f"cells {shown(tuple(cells))} are not a slot of the grid: {numbering_in_words(grid)}", where)
    if slot.number != number:
        raise FormatError(f"this clue is numbered {number}, its slot is {slot.name}", where)
    return slot.number, slot.direction[0].upper(), text


def clues_in_order(grid: Grid, direction: Direction, texts: Sequence[str], where: str) -> list[tuple[int, str, str]]:
    """Return the clues of a direction that stand without numbers, in the order of their slots.

    Raises FormatError unless there is one for each slot.

    >>> clues_in_order(Grid.parse(".."), "across", ["Not out"], "<ACROSS>")
    [(1, 'A', 'Not out')]
    """
    slots = [slot for slot in grid.slots if slot.direction == direction]
    if len(texts) != len(slots):
        raise FormatError(f"expected {len(slots)} clues, found {len(texts)}", where)
    return [(slot.number, direction[0].upper(), clean(text)) for slot, text in zip(slots, texts, strict=True)]


def with_bars(grid: Grid, sides: Mapping[int, Iterable[str]]) -> Grid:
    """Return a grid with more bars, at the sides of cells: T, R, B and L for top, right, bottom and left.

    Those at the edge of the grid or at a block part no two cells, and are left out.

    >>> sorted(with_bars(Grid.parse("...\\n.#."), {0: "TRB", 4: "L", 5: "L"}).bars)
    [(0, 1), (0, 3)]
    """
    bars: set[Bar] = set(grid.bars)
    for cell, letters in sides.items():
        row, column = divmod(cell, grid.width)
        beside = {
            "T": (row > 0, cell - grid.width),
            "R": (column < grid.width - 1, cell + 1),
            "B": (row < grid.height - 1, cell + grid.width),
            "L": (column > 0, cell - 1),
        }
        bars |= {(min(cell, beside[one][1]), max(cell, beside[one][1])) for one in letters if beside[one][0]}
    return replace(grid, bars=frozenset(bar for bar in bars if BLOCK not in {grid.cells[cell] for cell in bar}))


def parted(grid: Grid, words: Iterable[tuple[Sequence[int], str]]) -> tuple[Grid, list[str]]:
    """Return a grid with a bar wherever a word that its file lists ends inside a run of cells, and what a bar adds.

    Each word is its cells and its place in the file. A word that lies in no grid is left to :func:`clue_of`. Raises
    FormatError for words that no bars can make: one that turns or leaves cells out, two of a direction that overlap.

    >>> found, left_out = parted(Grid.parse("...."), [((0, 1), "words[0]"), ((2, 3), "words[1]")])
    >>> sorted(found.bars), left_out
    ([(1, 2)], ['that no bar shows where some words end'])
    """
    width, cells = grid.width, grid.cells
    taken: dict[tuple[int, int], Sequence[int]] = {}
    bars: set[Bar] = set()
    for word, where in words:
        if len(word) < 2 or any(not 0 <= cell < len(cells) or cells[cell] == BLOCK for cell in word):
            continue
        step = width if word[1] - word[0] == width else 1
        is_across = step == 1 and width > 1
        if list(word) != list(range(word[0], word[0] + step * len(word), step)) or (
            is_across and word[0] // width != word[-1] // width
        ):
            raise FormatError(f"words that turn or leave cells out are not read, as {shown(tuple(word))}", where)
        for cell in word:
            if list(taken.setdefault((step, cell), word)) != list(word):
                raise FormatError(f"words that overlap are not read, as two at {place(cell, width)}", where)
        outside = (word[0] - step, word[0]), (word[-1], word[-1] + step)
        bars |= {
            (one, other)
            for one, other in outside
            if one >= 0 and other < len(cells) and not (is_across and one // width != other // width)
        }
    bars = {bar for bar in bars - grid.bars if BLOCK not in {cells[cell] for cell in bar}}
    if not bars:
        return grid, []
    return replace(grid, bars=grid.bars | bars), ["that no bar shows where some words end"]


def sides_of(grid: Grid) -> dict[int, str]:
    """Return the bars as sides of the cells below and to the right of them: T, L or TL.

    >>> sides_of(with_bars(Grid.parse(".."), {0: "R"}))
    {1: 'L'}
    """
    sides: dict[int, str] = {}
    for one, other in sorted(grid.bars):
        sides[other] = sides.get(other, "") + ("L" if other - one == 1 and grid.width > 1 else "T")
    return sides


def shades(colours: Mapping[int, str]) -> tuple[list[int], list[str]]:
    """Return the cells whose colour is not white, and what is lost if they only count as shaded.

    >>> shades({0: "#FFFFFF", 1: "#cccccc", 2: "", 3: "red"})
    ([1, 3], ['the colours of shaded cells'])
    """
    found = {at: name for at, colour in colours.items() if (name := colour.strip().lstrip("#").lower()) not in WHITE}
    return list(found), ["the colours of shaded cells"] if len(set(found.values())) > 1 else []


def numbered(grid: Grid, printed: Sequence[int | None], where: str) -> Grid:
    """Return a grid with the numbers that a file prints in its cells, None for none, unless they are the standard ones.

    If no cell has any, the standard rule holds.

    >>> numbered(Grid.parse("..\\n.."), [1, 2, 3, None], "cells").numbers
    ()
    >>> numbered(Grid.parse("..\\n.."), [5, 2, 7, None], "cells").numbers
    ((0, 5), (1, 2), (2, 7))
    """
    if len(printed) != len(grid.cells):
        raise FormatError(f"expected {len(grid.cells)} numbers, found {len(printed)}", where)
    return _with_numbers(grid, {at: number for at, number in enumerate(printed) if number}, where)


def numbered_by_clues(grid: Grid, starts: Iterable[tuple[int, int]], where: str) -> Grid:
    """Return a grid with the numbers of its clues, each with the cell it begins in, unless the standard rule has them.

    >>> numbered_by_clues(Grid.parse("..\\n.."), [(0, 1), (2, 3)], "words").numbers
    ()
    """
    found: dict[int, int] = {}
    for cell, number in starts:
        if found.setdefault(cell, number) != number:
            raise FormatError(f"{place(cell, grid.width)} is numbered {found[cell]} and {number}", where)
    return grid if found.items() <= grid.slot_numbers.items() else _with_numbers(grid, found, where)


def _with_numbers(grid: Grid, numbers: Mapping[int, int], where: str) -> Grid:
    if not numbers or numbers == grid.slot_numbers:
        return grid
    try:
        return replace(grid, numbers=tuple(sorted(numbers.items())))
    except UsageError as error:
        raise FormatError(str(error), where) from error


def best_solution(puzzle: Puzzle, filled: Grid | None) -> Grid | None:
    """Return the solution for a written file: the filling, else the puzzle's own."""
    if filled is not None and filled.emptied() != puzzle.grid.emptied():
        raise FormatError("the filled grid has other blocks, bars or numbers than the puzzle")
    return filled if filled is not None else puzzle.solution
