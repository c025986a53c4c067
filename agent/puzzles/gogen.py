"""Gogen: put letters into a square board, each once, so that every word is a path of king's moves.

A state keeps one bitmap of possible cells per letter. Two letters that follow each other in a word are neighbours:
each lives within one king's move of the other's possible cells. Every letter has a cell of its own: a placed letter
leaves the others' bitmaps, a cell that one letter alone can fill gets it, and two letters that share the same two
cells keep the others out. Newspaper puzzles need nothing more; the search is for boards with fewer givens.

A letter that follows itself in a word (the LL of HELLO) stays where it is.

>>> puzzle = parse("AB.\\nD.F\\nGHI\\n\\nBCE EFI CFE DEH AE")
>>> print(render(puzzle, propagate(start(puzzle))))
A B C
D E F
G H I
<BLANKLINE>
BCE  from row 1, column 2: B→C↙E
EFI  from row 2, column 2: E→F↓I
CFE  from row 1, column 3: C↓F←E
DEH  from row 2, column 1: D→E↓H
AE   from row 1, column 1: A↘E
"""

from __future__ import annotations

import html as markup
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from agent.core.propagate import Effort, OnStep, Rules, Step
from agent.reading import UnreadableError, capitals, json_object, same_length, text_list, text_rows

EMPTY = "."
EMPTIES = frozenset("._-?*")
"""Signs for an empty cell that files use; `.` is the one that is written."""
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""Letters that no word and no given uses fill the board in this order: A-Y for 5x5, as newspapers have it."""
MAX_CELLS = 64
"""More cells than this are refused: no variant has them, and a board needs as many different letters."""
ARROWS: Mapping[tuple[int, int], str] = {
    (-1, -1): "↖", (-1, 0): "↑", (-1, 1): "↗", (0, -1): "←", (0, 0): "·",
    (0, 1): "→", (1, -1): "↙", (1, 0): "↓", (1, 1): "↘",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gogen:
    """A board with givens (`.` where empty), the words, and the letters to be placed, as many as there are cells.

    >>> print(Gogen(("A.", ".."), ("AB", "CD"), "ABCD"))
    A .
    . .
    <BLANKLINE>
    AB CD
    """

    board: tuple[str, ...]
    words: tuple[str, ...]
    letters: str
    id: str = ""

    @property
    def width(self) -> int:
        """Cells in a row."""
        return len(self.board[0])

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.board)

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`parse` reads back to the same puzzle, once dumped."""
        return {"id": self.id, "board": list(self.board), "words": list(self.words), "letters": self.letters}

    def __str__(self) -> str:
        return "\n".join([*(" ".join(row) for row in self.board), "", " ".join(self.words)])

    def _repr_html_(self) -> str:
        return board_html(self.board) + f"<p>{markup.escape(' '.join(self.words))}</p>"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What stays the same for all states of a puzzle.

    `neighbours` maps a bitmap of cells to the cells one king's move away; it fills as it is asked. `beside` lists
    for each letter those that must be neighbours. `full` has a bit for every cell.
    """

    puzzle: Gogen
    neighbours: dict[int, int]
    beside: tuple[tuple[int, ...], ...]
    full: int
    effort: Effort = field(default_factory=Effort)


@dataclass(frozen=True, slots=True)
class State:
    """For each letter, in the puzzle's order, the bitmap of cells where it may be (bit row * width + column)."""

    cells: tuple[int, ...]
    table: Table = field(compare=False, repr=False)


def parse(text: str, *, givens: str = "", source: str = "") -> Gogen:
    """Read a puzzle: JSON, plain text (board, blank line, words), or words alone with `givens`.

    JSON has "board" and "words", and may have "letters". In plain text each row is a line, with or without spaces,
    `.`, `_`, `-`, `?` or `*` where empty. `givens` are nine letters for the first, third and fifth cells of the
    first, third and fifth rows of a 5x5 board, row by row. Raises UnreadableError.

    >>> parse("ace bd", givens="ABCDEFGHI").board
    ('A.B.C', '.....', 'D.E.F', '.....', 'G.H.I')
    """
    letters, name = "", ""
    if text.lstrip().startswith(("{", "[")):
        found = json_object(text, source=source)
        rows = text_rows(found, "board" if "board" in found else "grid", source=source, empty=EMPTY)
        words = text_list(found, "words", source=source)
        letters, name = str(found.get("letters", "")), str(found.get("id") or found.get("name") or "")
        first_line = 0
    elif givens:
        signs = "".join(givens.split()).replace(",", "")
        if len(signs) != 9:
            raise UnreadableError(f"nine starting letters, found {len(signs)}", source=source)
        between = EMPTY * 5
        rows = tuple(row for k in (0, 3, 6) for row in (f"{signs[k]}.{signs[k + 1]}.{signs[k + 2]}", between))[:5]
        words, first_line = tuple(text.replace(",", " ").split()), 1
    else:
        lines = text.split("\n")
        first = next((number for number, line in enumerate(lines) if line.strip()), 0)
        end = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
        rows = tuple("".join(line.split()).replace(",", "") for line in lines[first:end])
        words, first_line = tuple(" ".join(lines[end:]).replace(",", " ").split()), first + 1
    return build(rows, words, letters=letters, name=name, source=source, first_line=first_line)


def build(
    rows: tuple[str, ...],
    words: tuple[str, ...],
    *,
    letters: str = "",
    name: str = "",
    source: str = "",
    first_line: int = 0,
) -> Gogen:
    """Make a puzzle from rows and words, in capitals, the letters to be placed worked out where not given.

    Raises UnreadableError where there is no word, a row has another length, or a sign is no letter or digit.

    >>> build(("a.", ".."), ("ab", "cd")).letters
    'ABCD'
    """
    same_length(rows, source=source, first_line=first_line)
    cells = len(rows) * len(rows[0])
    if cells > MAX_CELLS:
        raise UnreadableError(f"a board of at most {MAX_CELLS} cells, found {cells}", source=source)
    if not words:
        raise UnreadableError("words after the board and a blank line", source=source)
    board = tuple("".join(EMPTY if sign in EMPTIES else capitals(sign) for sign in row) for row in rows)
    words = tuple(capitals(word) for word in words)
    for text in (*(row.replace(EMPTY, "") for row in board), *words):
        for sign in text:
            if not sign.isalnum():
                raise UnreadableError(
                    f"letters, digits or {EMPTY} in the board and words, found {sign!r}", source=source
                )
    used = dict.fromkeys("".join((*board, *words)).replace(EMPTY, ""))
    wanted = dict.fromkeys(capitals(letters)) or used
    spare = [letter for letter in ALPHABET if letter not in used]
    chosen = [*wanted, *(letter for letter in used if letter not in wanted)]
    chosen += spare[: max(0, cells - len(chosen))]
    return Gogen(board, words, "".join(sorted(chosen)), name)


def start(puzzle: Gogen) -> State:
    """Return the state before any deduction: givens in their cells, every other letter anywhere.

    >>> state = start(parse('{"board": ["A.", ".."], "words": ["AB"]}'))
    >>> [f"{cells:04b}" for cells in state.cells]
    ['0001', '1111', '1111', '1111']
    """
    order = {letter: number for number, letter in enumerate(puzzle.letters)}
    full = (1 << puzzle.width * puzzle.height) - 1
    beside: list[set[int]] = [set() for _ in order]
    for word in puzzle.words:
        for a, b in pairwise(word):
            if a != b:
                beside[order[a]].add(order[b])
                beside[order[b]].add(order[a])
    cells = [full] * len(order)
    for cell, letter in enumerate("".join(puzzle.board)):
        if letter != EMPTY:
            cells[order[letter]] &= 1 << cell
    neighbours = shape_neighbours(puzzle.width, puzzle.height)
    return State(tuple(cells), Table(puzzle, neighbours, tuple(tuple(sorted(s)) for s in beside), full))


@lru_cache(maxsize=16)
def shape_neighbours(width: int, height: int) -> dict[int, int]:
    """Return the memory of neighbours for a board's shape, with the single cells in it.

    >>> f"{shape_neighbours(2, 2)[1]:04b}"
    '1110'
    """
    memory = {}
    for cell in range(width * height):
        row, column = divmod(cell, width)
        memory[1 << cell] = sum(
            1 << r * width + c
            for r in range(max(0, row - 1), min(height, row + 2))
            for c in range(max(0, column - 1), min(width, column + 2))
            if (r, c) != (row, column)
        )
    return memory


MEMORY = 1 << 16
"""Bitmaps whose neighbours are kept per shape; then the memory starts again. 65,536 take about 10 MB."""


def near(neighbours: dict[int, int], cells: int) -> int:
    """Work out and remember the cells one king's move away from any of `cells`."""
    if len(neighbours) > MEMORY:
        for key in [key for key in neighbours if key & (key - 1)]:
            del neighbours[key]
    found, rest = 0, cells
    while rest:
        bit = rest & -rest
        rest ^= bit
        found |= neighbours[bit]
    neighbours[cells] = found
    return found


def propagate(state: State, on_step: OnStep | None = None) -> State | None:
    """Deduce until nothing more follows; None where some letter has no cell left, or some cell no letter.

    >>> puzzle = parse('{"board": ["A.B"], "words": ["CAB"]}')
    >>> propagate(start(puzzle), print) is None
    A must be one king's move from B, but no such cell is left for it.
    True
    """
    table = state.table
    cells = list(state.cells)
    teller = Teller(table.puzzle, cells, on_step) if on_step else None
    if deduce(table, cells, teller):
        return State(tuple(cells), table)
    return None


@dataclass(frozen=True, slots=True)
class Teller:
    """Puts deductions into words; made only where somebody listens."""

    puzzle: Gogen
    cells: list[int]
    on_step: OnStep

    def place(self, cell: int) -> str:
        """Name a cell given as a bit."""
        row, column = divmod(cell.bit_length() - 1, self.puzzle.width)
        return f"row {row + 1}, column {column + 1}"

    def placed(self, letter: int, beside: tuple[int, ...]) -> None:
        """Say that a letter has one cell left, and next to which placed letters it must be."""
        name, cell = self.puzzle.letters[letter], self.cells[letter]
        known = [self.puzzle.letters[b] for b in beside if not self.cells[b] & (self.cells[b] - 1)]
        why = f"the only cell left beside {', '.join(known)}" if known else "no other cell is left for it"
        self.on_step(Step("only cell", f"{name} goes to {self.place(cell)}: {why}."))

    def only_letter(self, letter: int) -> None:
        """Say that a cell can take one letter alone."""
        name, cell = self.puzzle.letters[letter], self.cells[letter]
        self.on_step(Step("only letter", f"{name} goes to {self.place(cell)}: no other letter can be there."))

    def pair(self, a: int, b: int) -> None:
        """Say that two letters share two cells."""
        low = self.cells[a] & -self.cells[a]
        where = f"{self.place(low)} and {self.place(self.cells[a] ^ low)}"
        text = f"{self.puzzle.letters[a]} and {self.puzzle.letters[b]} share {where}: no other letter is there."
        self.on_step(Step("pair", text))

    def apart(self, a: int, b: int) -> None:
        """Say that two letters that must be neighbours cannot be."""
        names = f"{self.name(b)} must be one king's move from {self.name(a)}"
        self.stuck(f"{names}, but no such cell is left for it.")

    def stuck(self, text: str) -> None:
        """Say why there is no solution."""
        self.on_step(Step("contradiction", text))

    def name(self, letter: int) -> str:
        """Give the letter of a number."""
        return self.puzzle.letters[letter]


def deduce(table: Table, cells: list[int], teller: Teller | None) -> bool:
    """Narrow `cells` in place to the fixed point; False at a contradiction."""
    neighbours, beside, full, count = table.neighbours, table.beside, table.full, len(cells)
    if count > full.bit_length():
        if teller:
            teller.stuck(f"{count} different letters do not fit into {full.bit_length()} cells.")
        return False
    everyone = range(count)
    for letter in everyone:
        if not cells[letter]:
            if teller:
                teller.stuck(f"{teller.name(letter)} is given more than once.")
            return False
    square = count == full.bit_length()
    queue = list(everyone)
    waiting = set(queue)
    while True:
        table.effort.units += len(queue)
        while queue:
            a = queue.pop()
            waiting.discard(a)
            around = neighbours.get(cells[a]) or near(neighbours, cells[a])
            for b in beside[a]:
                left = cells[b] & around
                if left != cells[b]:
                    if not left:
                        if teller:
                            teller.apart(a, b)
                        return False
                    cells[b] = left
                    if teller and not left & (left - 1):
                        teller.placed(b, beside[b])
                    if b not in waiting:
                        waiting.add(b)
                        queue.append(b)
                        table.effort.units += 1
        once = more = taken = 0
        for a, mine in enumerate(cells):
            more |= once & mine
            once |= mine
            if not mine & (mine - 1):
                if taken & mine:
                    if teller:
                        teller.stuck(
                            f"{teller.name(cells.index(mine))} and {teller.name(a)} both need {teller.place(mine)}."
                        )
                    return False
                taken |= mine
        if square and once != full:
            if teller:
                empty = full & ~once
                teller.stuck(f"No letter is left for {teller.place(empty & -empty)}.")
            return False
        single = once & ~more if square else 0
        for a, mine in enumerate(cells):
            if not mine & (mine - 1):
                continue
            only = mine & single
            left = only or mine & ~taken
            if left == mine:
                continue
            if not left or only & (only - 1):
                if teller:
                    why = f"Two cells need {teller.name(a)}." if left else f"No cell is left for {teller.name(a)}."
                    teller.stuck(why)
                return False
            cells[a] = left
            if teller and only:
                teller.only_letter(a)
            elif teller and not left & (left - 1):
                teller.placed(a, beside[a])
            waiting.add(a)
            queue.append(a)
        if not queue and not pairs(cells, queue, waiting, teller):
            return False
        if not queue:
            return True


def pairs(cells: list[int], queue: list[int], waiting: set[int], teller: Teller | None) -> bool:
    """Where two letters have the same two cells, take these from the others; False at a contradiction."""
    seen: dict[int, int] = {}
    for a, mine in enumerate(cells):
        if mine.bit_count() != 2:
            continue
        b = seen.setdefault(mine, a)
        if a == b:
            continue
        told = teller is None
        for c, theirs in enumerate(cells):
            if theirs & mine and c not in (a, b):
                if not told and teller:
                    teller.pair(b, a)
                    told = True
                left = theirs & ~mine
                if not left:
                    if teller:
                        teller.stuck(f"No cell is left for {teller.name(c)}.")
                    return False
                cells[c] = left
                if c not in waiting:
                    waiting.add(c)
                    queue.append(c)
    return True


def branches(state: State) -> Iterator[tuple[str, State]]:
    """Split a state by the cells of one letter: of those with few cells left, one with many neighbours.

    >>> puzzle = parse('{"board": ["A.", ".."], "words": ["ABCD"]}')
    >>> [text for text, _ in branches(propagate(start(puzzle)))]
    ['B at row 1, column 2', 'B at row 2, column 1', 'B at row 2, column 2']
    """
    table = state.table
    open_letters = [letter for letter, mine in enumerate(state.cells) if mine & (mine - 1)]
    if not open_letters:
        return
    letter = min(open_letters, key=lambda a: (4 * state.cells[a].bit_count() - len(table.beside[a]), a))
    rest = state.cells[letter]
    while rest:
        bit = rest & -rest
        rest ^= bit
        row, column = divmod(bit.bit_length() - 1, table.puzzle.width)
        child = State((*state.cells[:letter], bit, *state.cells[letter + 1 :]), table)
        yield f"{table.puzzle.letters[letter]} at row {row + 1}, column {column + 1}", child


def successors(state: State) -> Iterator[State]:
    """Yield the states one choice on, each deduced to its fixed point; impossible ones are dropped.

    >>> len(list(successors(start(parse('{"board": ["A.", ".."], "words": ["ABCD"]}')))))
    3
    """
    for _, child in branches(state):
        deduced = propagate(child)
        if deduced is not None:
            yield deduced


def is_goal(state: State) -> bool:
    """Whether every letter has its one cell.

    >>> is_goal(start(parse('{"board": ["AB"], "words": ["AB"]}')))
    True
    """
    return not any(mine & (mine - 1) for mine in state.cells)


def priority(state: State) -> float:
    """Count the cells that are still too many: 0 at a goal.

    >>> priority(start(parse('{"board": ["A.."], "words": ["ABC"]}')))
    4
    """
    return sum(mine.bit_count() - 1 for mine in state.cells)


def admits(state: State, goal: State) -> bool:
    """Whether a goal lies below a state."""
    return all(mine & theirs for mine, theirs in zip(state.cells, goal.cells, strict=True))


def rules(state: State) -> Rules[State]:
    """Bundle the functions of this kind for :func:`agent.core.propagate.settle`."""
    return Rules(propagate, branches, successors, is_goal, priority, admits, state.table.effort, depth_first=True)


def rows(state: State) -> tuple[str, ...]:
    """Return the board as rows, `.` for a cell whose letter is not known.

    >>> rows(start(parse('{"board": ["A.."], "words": ["ABC"]}')))
    ('A..',)
    """
    puzzle = state.table.puzzle
    board = [EMPTY] * (puzzle.width * puzzle.height)
    for letter, mine in zip(puzzle.letters, state.cells, strict=True):
        if mine and not mine & (mine - 1):
            board[mine.bit_length() - 1] = letter
    one = "".join(board)
    return tuple(one[k : k + puzzle.width] for k in range(0, len(one), puzzle.width))


def paths(puzzle: Gogen, board: tuple[str, ...]) -> dict[str, tuple[tuple[int, int], ...]]:
    """Trace each word whose letters all stand on the board: word -> (row, column) of each letter, from 0.

    >>> paths(parse('{"board": ["AB"], "words": ["ABA"]}'), ("AB",))
    {'ABA': ((0, 0), (0, 1), (0, 0))}
    """
    where = {letter: (r, c) for r, row in enumerate(board) for c, letter in enumerate(row)}
    return {word: tuple(where[a] for a in word) for word in puzzle.words if all(a in where for a in word)}


def render(puzzle: Gogen, state: State) -> str:
    """Draw the board as text, and under it the path of each word as letters and arrows."""
    board = rows(state)
    lines = [" ".join(row) for row in board]
    traced = paths(puzzle, board)
    room = max((len(word) for word in traced), default=0)
    if traced:
        lines.append("")
    for word, path in traced.items():
        arrows = "".join(
            ARROWS.get((b[0] - a[0], b[1] - a[1]), "?") + letter
            for (a, b), letter in zip(pairwise(path), word[1:], strict=True)
        )
        row, column = path[0]
        lines.append(f"{word:{room}}  from row {row + 1}, column {column + 1}: {word[0]}{arrows}")
    return "\n".join(lines)


def html(puzzle: Gogen, state: State) -> str:
    """Draw the board as HTML, with a small picture of each word's path.

    >>> html(parse('{"board": ["AB"], "words": ["AB"]}'), start(parse('{"board": ["AB"], "words": ["AB"]}')))[:6]
    '<table'
    """
    board = rows(state)
    drawn = [board_html(board)]
    for word, path in paths(puzzle, board).items():
        points = " ".join(f"{10 * c + 5},{10 * r + 5}" for r, c in path)
        row, column = path[0]
        drawn.append(
            f'<figure style="display:inline-block;margin:6px"><svg viewBox="0 0 {10 * puzzle.width} '
            f'{10 * puzzle.height}" width="60" height="60" style="background:#eee">'
            f'<polyline points="{points}" fill="none" stroke="#06c" stroke-width="1.5"/>'
            f'<circle cx="{10 * column + 5}" cy="{10 * row + 5}" r="2" fill="#06c"/></svg>'
            f"<figcaption>{markup.escape(word)}</figcaption></figure>"
        )
    return "".join(drawn)


def board_html(board: tuple[str, ...]) -> str:
    """Draw rows of letters as an HTML table.

    >>> board_html(("A.",)).count("<td")
    2
    """
    box = "width:2em;height:2em;border:1px solid #444;text-align:center"
    lines = "".join(
        "<tr>"
        + "".join(f'<td style="{box}">{"" if sign == EMPTY else markup.escape(sign)}</td>' for sign in row)
        + "</tr>"
        for row in board
    )
    return f'<table style="border-collapse:collapse;font-family:sans-serif">{lines}</table>'


def write(puzzle: Gogen) -> str:
    """Write the puzzle as JSON that :func:`parse` reads.

    >>> puzzle = parse("A.\\n..\\n\\nABCD")
    >>> parse(write(puzzle)) == puzzle
    True
    """
    return json.dumps(puzzle.to_json(), ensure_ascii=False)
