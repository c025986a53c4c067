"""Clue text as people paste it: Across and Down headings, numbered clues, perhaps a grid before them.

Every line is one of a few things, told apart by the tables below in this order: a heading, a clue, a number whose text
stands on the next line (as web pages give it), or the continuation of the clue before. The tables make this module
longer than most.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.errors import FormatError
from agent.formats.common import best_solution, clean, plain, shown, split_solution
from agent.formats.rows import TEXT_SIGNS, format_rows, parse_rebus, parse_rows
from agent.grid import BLOCK, EMPTY, MAX_SIDE, TOLD, ClueText, Grid, NumberedClue, Puzzle

DIRECTION_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("a", "across", "acrosses", "acr", "horizontal", "horizontals", "horizontally"), "A"),
    **dict.fromkeys(("horizontalement", "horizontales", "horizontais", "orizzontali", "waagerecht"), "A"),
    **dict.fromkeys(("d", "down", "downs", "dn", "vertical", "verticals", "vertically"), "D"),
    **dict.fromkeys(("verticalement", "verticales", "verticais", "verticali", "senkrecht"), "D"),
}
"""Headings, in lower case, and their direction."""

_WORDS = "|".join(sorted((word for word in DIRECTION_WORDS if len(word) > 1), key=len, reverse=True))
HEADING = re.compile(rf"\W*(?:clues?\W+)?({_WORDS}|[ad])(?:\W+clues?)?\W*", re.IGNORECASE)
"""`Across`, `ACROSS:`, `## Down`, `**Across Clues**`, `Clues Down`, `- Across -`."""

HEADING_AND_CLUE = re.compile(rf"\W*({_WORDS})(?:\s+clues?)?\s*[:.\s–—-]\s*(?=\d{{1,3}}[\s.:)])(.*)", re.IGNORECASE)
"""`ACROSS 1. Interviewee's hope`: the first clue stands on the line of its heading."""

TAGGED = (
    re.compile(r"\W?(?P<number>\d{1,3})\s?[-–]?\s?(?P<way>across|down)\b\s*[.:)\]–—-]?\s*(?P<text>.*)", re.IGNORECASE),
    re.compile(r"\W?(?P<number>\d{1,3})-?(?P<way>[AaDd])(?:[.:)\]]\s*|\s+[–—-]\s+|\s+|$)(?P<text>.*)"),
    re.compile(r"\W?(?P<number>\d{1,3})\s(?P<way>[AaDd])[.:)\]]\s*(?P<text>.*)"),
    re.compile(r"(?P<way>[AaDd])-?(?P<number>\d{1,3})(?:[.:)\]]\s*|\s+[–—-]\s+|\s+|$)(?P<text>.*)"),
)
"""`1-Across: text`, `1A: text`, `A1. text`: clues that state their own direction."""

NEXT_IN_LINE = re.compile(rf"[;,]?\s+(?=(?:(?:{_WORDS})\W+)?\d{{1,3}}[.)]\s)", re.IGNORECASE)
"""The start of the next clue in `ACROSS 1. Hope 4. Steak DOWN 1. Knee`, a list that lost its line ends."""

LOOSE_WORDS = re.compile(r"\W?\d{1,3}\s(across|down)\b(?!\s*[.:)\]–—-])", re.IGNORECASE)
"""`1 Across the street`: under a heading, this is the clue "Across the street"."""

NUMBERED = re.compile(r"[(\[#]?(?P<number>\d{1,3})(?:[.:)\]]+\s*|\s+[–—-]\s+|\s+)(?P<text>\S.*)")
"""`1. text`, `1) text`, `1: text`, `(1) text`, `1 - text`, `1 text`, `1<tab>text`."""

NUMBER_ALONE = re.compile(r"[(\[#]?(\d{1,3})[.:)\]]*")

LENGTH = re.compile(r"(?P<text>.*?)\s*[(\[](?P<length>\d{1,2}(?:\s?[-,'’ ]\s?\d{1,2})*)\)?\]?$")
"""`text (5)`, `text (3,4)`, `text (2-5)`: the answer's length, word by word."""

META = re.compile(r"(title|author|by|editor|publisher|copyright|date|notes|size|rebus|id)\s*:\s*(.*)", re.IGNORECASE)
BYLINE = re.compile(r"by\s+(\S.*)", re.IGNORECASE)
SIZE = re.compile(r"(\d{1,2})\s*[x×X*]\s*(\d{1,2})")

ROW_SIGNS = frozenset("0123456789!$%&*+=@^")
"""Signs that may stand for a rebus in a row."""

REBUS_SIGNS = "!$%+=@^1234567890"
"""Signs that stand for a rebus in the rows that are written. Digits come last: a row such as `A1` reads as a clue below
a row such as `DN`, a heading."""

LENGTHS_MEANT = 0.5
"""If at least this share of the clues ends in something like `(5)`, these are lengths, not part of the clues."""


@dataclass(slots=True)
class _Draft:
    """The puzzle as far as it has been read."""

    about: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    clues: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    lines: dict[tuple[str, int], int] = field(default_factory=dict)
    way: str = ""
    last: tuple[str, int] | None = None

    def add(self, way: str, number: int, text: str, line: int) -> None:
        """Begin a clue."""
        key = (way, number)
        if key in self.clues:
            raise FormatError(
                f"expected a new number, found a second clue for {number}{way or ' '} "
                f"(the first is in line {self.lines[key]})".replace("  ", " "),
                f"line {line}",
            )
        self.clues[key] = [text] if text else []
        self.lines[key] = line
        self.last = key


def looks_like(text: str) -> bool:  # noqa: ARG001
    """Return True: any text that is no other format is taken for clues."""
    return True


def read(text: str, size: tuple[int, int] | None = None) -> Puzzle | ClueText:
    """Read clue text: a Puzzle if it begins with a grid, otherwise a ClueText.

    Raises FormatError if no clues are found, a number comes twice, or the numbers do not fit the grid.

    >>> read("Across\\n1. House members, for short\\n\\nDown\\n1\\tJewel").across[0].text
    'House members, for short'
    """
    lines = [(number, _unmarked(line)) for number, line in enumerate(re.split(r"\r\n|[\n\r\u2028\u2029]", text), 1)]
    lines = [(number, piece) for number, line in lines for piece in _unfolded(line)]
    draft = _Draft()
    body = _front_matter(lines, draft)
    _clue_lines(body, draft)
    if not draft.clues:
        raise FormatError("expected clues under Across and Down headings, or a puzzle file, found neither")
    for (way, number), parts in draft.clues.items():
        if not parts:
            name = f"{number}{way if way in {'A', 'D'} else ''}"
            raise FormatError(f"expected the text of clue {name}, found none", f"line {draft.lines[way, number]}")
    if any(not way for way, _ in draft.clues):
        _tell_directions_by_restart(draft)
    return _assemble(draft, size)


def write(puzzle: Puzzle, filled: Grid | None = None) -> str:
    """Write clue text that begins with a grid: `filled`, else the solution, else the letters that are given."""
    grid = best_solution(puzzle, filled) or puzzle.grid
    rows, rebus = format_rows(grid, REBUS_SIGNS)
    lines = [f"{key.title()}: {_escaped(value)}" for key, value in puzzle.about.items()]
    lines += [f"Rebus: {rebus}"] if rebus else []
    lines += ["", *rows]
    texts = {slot: clean(puzzle.clue(slot)) for slot in grid.slots if puzzle.clue(slot)}
    with_lengths = any(LENGTH.fullmatch(text) for text in texts.values())
    for direction in ("across", "down"):
        lines += ["", direction.title()]
        for slot, text in texts.items():
            if slot.direction == direction:
                length = f" ({len(slot)})" if with_lengths else ""
                lines.append(f"{slot.number}. {_escaped(text)}{length}")
    return "\n".join(lines) + "\n"


def _unmarked(line: str) -> str:
    """Remove HTML and Markdown emphasis and zero-width signs from a line."""
    text = plain(line.replace("\u200b", "").replace("\ufeff", ""))
    return re.sub(r"^(?:[*•‣]\s+|>\s+)|^\*\*(.*)\*\*$", r"\1", text)


def _unfolded(line: str) -> list[str]:
    """Split a line that holds a heading and several clues; others stay whole.

    >>> _unfolded("ACROSS 1. Hope 4. Steak DOWN 1. Knee")
    ['ACROSS', '1. Hope', '4. Steak', 'DOWN', '1. Knee']
    """
    return NEXT_IN_LINE.split(line) if HEADING_AND_CLUE.fullmatch(line) else [line]


def _escaped(text: str) -> str:
    """Protect signs that reading would take for HTML or Markdown."""
    return text if _unmarked("1. " + text) == "1. " + text else html.escape(text, quote=False)


def _front_matter(lines: Sequence[tuple[int, str]], draft: _Draft) -> list[tuple[int, str]]:
    """Read title, author and grid at the beginning; return the lines from the first heading or clue on."""
    position = 0
    while position < len(lines):
        number, line = lines[position]
        rows = _rows_at(lines, position) if not draft.rows else []
        if rows:
            draft.rows = rows
            draft.about["line"] = str(number)
            position += len(rows)
            continue
        if HEADING.fullmatch(line) or HEADING_AND_CLUE.fullmatch(line) or _clue(line, "") or _is_number(line):
            break
        if meta := META.fullmatch(line):
            key = {"by": "author"}.get(meta[1].lower(), meta[1].lower())
            draft.about.setdefault(key, meta[2])
        elif byline := BYLINE.fullmatch(line):
            draft.about.setdefault("author", byline[1])
        elif line:
            draft.about.setdefault("title", line)
        position += 1
    return list(lines[position:])


def _rows_at(lines: Sequence[tuple[int, str]], start: int) -> list[str]:
    """Return the rows of a grid that begins at a line: at least two of equal length, or one with a `#` or `.`."""
    rows: list[str] = []
    for position in range(start, min(len(lines), start + MAX_SIDE + 1)):
        line = lines[position][1]
        cells = line.split()
        row = "".join(cells) if cells and all(len(cell) == 1 for cell in cells) else line
        follower = _following(lines, position) if HEADING.fullmatch(line) else ""
        is_heading = _clue(follower, "A") or _is_number(follower)
        if not re.fullmatch(r"[^\s,;:()\"']{2,30}", row) or is_heading or (rows and len(row) != len(rows[0])):
            break
        if not _is_row(row, begun=bool(rows)):
            break
        rows.append(row)
    drawn = "".join(rows)
    is_grid = len(rows) > 1 or (BLOCK in drawn or EMPTY in drawn)
    return rows if is_grid and not drawn.isdigit() else []


def _is_row(row: str, *, begun: bool) -> bool:
    """Return whether a line without blanks is a row: capitals and signs; small letters only once a grid has begun."""
    if all(sign in TEXT_SIGNS or sign.isupper() or sign in ROW_SIGNS for sign in row):
        return True
    surely = begun or any(sign in TEXT_SIGNS for sign in row)
    return surely and all(sign in TEXT_SIGNS or sign.isalnum() for sign in row)


def _following(lines: Sequence[tuple[int, str]], position: int) -> str:
    """Return the next line that is not blank."""
    return next((lines[i][1] for i in range(position + 1, len(lines)) if lines[i][1]), "")


def _is_number(line: str) -> bool:
    return NUMBER_ALONE.fullmatch(line) is not None


def _clue(line: str, way: str) -> tuple[str, int, str] | None:
    """Read a line as a clue: direction (as the line says, else `way`), number, text."""
    if not (way and LOOSE_WORDS.match(line)):
        for form in TAGGED:
            if match := form.fullmatch(line):
                return match["way"][0].upper(), int(match["number"]), match["text"]
    if match := NUMBERED.fullmatch(line):
        return way, int(match["number"]), match["text"]
    return None


def _clue_lines(lines: Sequence[tuple[int, str]], draft: _Draft) -> None:
    """Read headings and clues."""
    waiting = False  # for the text of a number that stood alone
    after_gap = False
    for position, (number, whole) in enumerate(lines):
        line = whole
        if not line:
            after_gap = True
            continue
        follows_gap, after_gap = after_gap, False
        if waiting and draft.last is not None:
            if not _ends_section(lines, position, draft):
                draft.clues[draft.last] = [line]
                waiting = False
                continue
            raise FormatError(f"expected the text of clue {draft.last[1]}, found {shown(line)}", f"line {number}")
        if heading := HEADING.fullmatch(line):
            draft.way, draft.last = DIRECTION_WORDS[heading[1].lower()], None
            continue
        if both := HEADING_AND_CLUE.fullmatch(line):
            draft.way, line = DIRECTION_WORDS[both[1].lower()], both[2]
        if alone := NUMBER_ALONE.fullmatch(line):
            draft.add(_way(draft, int(alone[1])), int(alone[1]), "", number)
            waiting = True
        elif clue := _clue(line, draft.way):
            way = clue[0] or _way(draft, clue[1])
            draft.add(way, clue[1], clue[2], number)
            waiting = not clue[2]
        elif draft.last is not None and not follows_gap:
            draft.clues[draft.last].append(line)
        elif draft.clues:
            draft.last = None  # lines after the clues and a gap are the page's footer
        else:
            raise FormatError(f"expected a numbered clue, found {shown(line)}", f"line {number}")


def _ends_section(lines: Sequence[tuple[int, str]], position: int, draft: _Draft) -> bool:
    """Return whether a line in place of a clue's text is a heading after all: the numbers begin again after it."""
    heading = HEADING.fullmatch(lines[position][1])
    if not heading or draft.last is None or DIRECTION_WORDS[heading[1].lower()] == draft.way:
        return False
    digits = re.search(r"\d{1,3}", _following(lines, position))
    return digits is not None and int(digits[0]) <= draft.last[1]


def _way(draft: _Draft, number: int) -> str:
    """Return the direction of an untagged clue; without headings it is "" at first and "restart" from the second 1."""
    if draft.way or not draft.last:
        return draft.way
    restarted = draft.last[0] == "restart" or (draft.last[0] == "" and number <= draft.last[1])
    return "restart" if restarted else ""


def _tell_directions_by_restart(draft: _Draft) -> None:
    """Without headings, the list is across up to where the numbers begin again, then down."""
    ways = {way for way, _ in draft.clues}
    if ways != {"", "restart"}:
        line = min(draft.lines[key] for key in draft.clues if not key[0])
        raise FormatError("expected a heading such as Across or Down before the clues", f"line {line}")
    names = {"": "A", "restart": "D"}
    draft.clues = {(names[way], number): parts for (way, number), parts in draft.clues.items()}


def _assemble(draft: _Draft, size: tuple[int, int] | None) -> Puzzle | ClueText:
    texts = {key: clean(" ".join(parts)) for key, parts in draft.clues.items()}
    endings = {key: LENGTH.fullmatch(text) for key, text in texts.items()}
    meant = sum(match is not None for match in endings.values()) >= LENGTHS_MEANT * len(texts)
    clues: dict[str, list[NumberedClue]] = {"A": [], "D": []}
    for (way, number), text in sorted(texts.items()):
        match = endings[way, number] if meant else None
        length = sum(map(int, re.findall(r"\d+", match["length"]))) if match else None
        if match and match["text"] and length is not None and 2 <= length <= MAX_SIDE:
            clues[way].append(NumberedClue(number, match["text"], length))
        else:
            clues[way].append(NumberedClue(number, text))
    known = {key: clean(draft.about[key]) for key in TOLD if key in draft.about}
    if size is None and (declared := SIZE.fullmatch(draft.about.get("size", "").strip())):
        size = int(declared[1]), int(declared[2])
    rebus, split = parse_rebus(draft.about.get("rebus", ""), "Rebus")
    left_out = tuple(f"the second reading of {both}" for both in split)
    listed = ClueText(tuple(clues["A"]), tuple(clues["D"]), size=size, left_out=left_out, **known)
    if not draft.rows:
        return listed
    where = f"grid from line {draft.about['line']}"
    grid, solution = split_solution(parse_rows(draft.rows, rebus, TEXT_SIGNS, where))
    if size is not None and size != (grid.width, grid.height):
        raise FormatError(f"expected {size[0]}x{size[1]} cells, found {grid.width}x{grid.height}", where)
    try:
        return listed.on(grid, solution)
    except ValueError as error:
        raise FormatError(str(error), where) from error
