"""Clue text as people paste it: Across and Down headings, numbered clues, perhaps a grid before them.

:mod:`agent.formats.paste` takes away what stands around the lines. Every line is one of a few things, told apart by the
tables below in this order: a heading, a clue, a number whose text stands on the next line (as web pages give it), or
the continuation of the clue before. A list writes its numbers in one way, so that a line that begins with a number
written otherwise is not a clue. The tables make this module longer than most.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from agent.errors import FormatError
from agent.formats.common import best_solution, clean, shown, split_solution
from agent.formats.paste import bare, joined, read_lines
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

TAGS = (
    re.compile(r"\W?(?P<number>\d{1,3})\s?[-–]?\s?(?P<way>across|down)\b\s*[.:)\]–—-]?\s*(?P<text>.*)", re.IGNORECASE),
    re.compile(r"\W?(?P<number>\d{1,3})-?(?P<way>[AaDd])(?:[.:)\]]\s*|\s+[–—-]\s+|\s+|$)(?P<text>.*)"),
    re.compile(r"\W?(?P<number>\d{1,3})\s(?P<way>[AaDd])[.:)\]]\s*(?P<text>.*)"),
    re.compile(r"(?P<way>[AaDd])-?(?P<number>\d{1,3})(?:[.:)\]]\s*|\s+[–—-]\s+|\s+|$)(?P<text>.*)"),
)
"""`1-Across: text`, `1A: text`, `A1. text`: clues that state their own direction."""

NEXT_IN_LINE = re.compile(rf"(?:[;,]|\s+\|)?\s+(?=(?:(?:{_WORDS})\W+)?\d{{1,3}}[.)]\s)", re.IGNORECASE)
"""The start of the next clue in `ACROSS 1. Hope 4. Steak DOWN 1. Knee`, a list that lost its line ends."""

LOOSE_WORDS = re.compile(r"\W?\d{1,3}\s(across|down)\b(?!\s*[.:)\]–—-])", re.IGNORECASE)
"""`1 Across the street`: under a heading, this is the clue "Across the street"."""

NUMBERED = re.compile(r"[(\[#]?(?P<number>\d{1,3})(?P<sign>\s?[.:)\]]+\s*|\s+[–—=-]\s+|\s+)(?P<text>\S.*)")
"""`1. text`, `1) text`, `1: text`, `(1) text`, `1 - text`, `1 = text`, `1 . text`, `1 text`, `1<tab>text`."""

NUMBER_ALONE = re.compile(r"[(\[#]?(\d{1,3})[.:)\]]*")

LENGTH = re.compile(
    r"(?P<text>.*?)\s*(?:[(\[]|[–—,-]\s?(?=\d{1,2} letters$))"
    r"(?P<length>\d{1,2}(?:\s?[-,'’ ]\s?\d{1,2})*)(?: letters)?\)?\]?$"
)
"""`text (5)`, `text (3,4)`, `text (2-5)`, `text (5 letters)`, `text - 5 letters`: the answer's length, word by word."""

LEADING_LENGTH = re.compile(r"[(\[](?P<length>\d{1,2}(?:\s?[-,'’ ]\s?\d{1,2})*)[)\]]\s+(?P<text>\S.*)")
"""`(5) text`: the length before the clue."""

LENGTH_ALONE = re.compile(r"[(\[]\d{1,2}(?:\s?[-,'’ ]\s?\d{1,2})*[)\]]")
"""`(5)` on a line of its own, below its clue."""

META = re.compile(r"(title|author|by|editor|publisher|copyright|date|notes|size|rebus|id)\s*:\s*(.*)", re.IGNORECASE)
BYLINE = re.compile(r"by\s+(\S.*)", re.IGNORECASE)
SIZE = re.compile(r"(\d{1,2})\s*[x×X*]\s*(\d{1,2})")

LONGEST_WORD = 30
"""Letters of a line that may be a row of nothing but letters; a longer one needs a block or an empty cell."""

ROW_SIGNS = frozenset("0123456789!$%&*+=@^")
"""Signs that may stand for a rebus in a row."""

REBUS_SIGNS = "!$%+=@^1234567890"
"""Signs that stand for a rebus in the rows that are written. Digits come last: a row such as `A1` reads as a clue below
a row such as `DN`, a heading."""

MEANT = 0.5
"""If at least this share of the clues ends in something like `(5)`, these are lengths, not part of the clues; the same
goes for :data:`TRIMMINGS`."""

TRIMMINGS = (
    *map(re.compile, (r"\*(?P<text>[^*]+)\*", r"_(?P<text>[^_]+)_", r"(?P<text>.*?\S)(?:\s+_){2,}")),
    re.compile(r"(?P<text>.*\S)\s*(?:,|\\|[✓✔☑✅🔊🔈]\ufe0f?)"),
)
"""`*text*`, `text _ _ _`, `text,`, `text ✔`: Markdown's emphasis and line ends, a sign for each letter of the answer,
what separates items, and a page's buttons."""

ANSWERED = re.compile(r"(?P<text>(?=.*[a-z]).*?\S)\s+(?:~|[=-]>|[–—:=|-]|→)\s+[A-Z][A-Z .'’-]+")
"""`text ~ ANSWER`, `text - ANSWER`, `text | ANSWER`, `text => ANSWER`."""

DRAWN_GRID = re.compile(r"\+(?:[-=]{2,}\+)+|[┌├└╔╠╚][─━═┬┼┴╦╬╩]+[┐┤┘╗╣╝]")
"""A line of a grid that is drawn with frames round its cells."""

PAGE = re.compile(
    r"\W*(?:page\s+\d{1,3}(?:\s*(?:of|/)\s*\d{1,3})?|advertisement)\W*|sent from my .*"
    r"|(?:©|\(c\)|copyright) ?\d{4}\b.*",
    re.IGNORECASE,
)
"""A line between the clues that belongs to the page."""

RUN_ON = re.compile(rf"\b(?:{_WORDS})\W+\d{{1,3}}\s", re.IGNORECASE)
"""The heading of the other direction in the middle of a clue: the list has lost its line ends."""

FURTHER = re.compile(r"\s(\d{1,3})[.:)]?\s+(?=[A-Z\"“])")
"""A number in the middle of a clue that may begin another."""


_Key = tuple[str, int]
"""Direction, as far as it is known, and number of a clue."""

BARE, TAGGED, SIGNED = "bare", "tagged", "signed"
"""How a list writes its numbers: `1 text`, `1A text`, or with a sign such as `1. text`."""


@dataclass(slots=True)
class _Draft:
    """The puzzle as far as it has been read."""

    about: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    clues: dict[_Key, list[str]] = field(default_factory=dict)
    lines: dict[_Key, int] = field(default_factory=dict)
    repeated: list[tuple[_Key, list[str], int]] = field(default_factory=list)
    way: str = ""
    ways: list[str] = field(default_factory=list)
    last: _Key | None = None
    parts: list[str] = field(default_factory=list)
    form: str = ""
    follows_gap: bool = False
    has_gaps: bool = False

    def add(self, key: _Key, text: str, line: int, form: str) -> None:
        """Begin a clue, in the section of the last one or in a new one; `form` is how its number is written."""
        is_next = self.last is not None and self.last[0] == key[0]
        if is_next and form == BARE and self.last is not None and key[1] <= self.last[1]:
            self._demote(key)
        self.has_gaps |= is_next and self.follows_gap
        self.form = self.form or form
        self.parts = [text] if text else []
        if key in self.clues:
            self.repeated.append((key, self.parts, line))
        else:
            self.clues[key] = self.parts
            self.lines[key] = line
        self.last = key

    def _demote(self, key: _Key) -> None:
        """Turn the last clue into a part of the one before if its number lies beyond the one that comes now."""
        before = [number for way, number in self.clues if way == key[0]][-2:-1]
        if self.last in self.clues and before and before[0] < key[1]:
            text = self.clues.pop(self.last)
            del self.lines[self.last]
            self.clues[key[0], before[0]] += [str(self.last[1]), *text]

    def is_no_clue(self, form: str) -> bool:
        """Return whether a line with a number is a part of the clue before: its number is not written as the others."""
        return self.last is not None and self.form != form and form in {BARE, TAGGED}

    def check_gap(self, key: _Key, line: int, whole: str) -> None:
        """Raise FormatError for a line below a list without gaps that may be its next clue, or belong to the page."""
        in_section = [number for way, number in self.clues if way == key[0]]
        if self.follows_gap and not self.has_gaps and len(in_section) > 1 and key[1] > in_section[-1]:
            raise FormatError(
                f"expected the end of the list, found {shown(whole)}: delete it or, if it is a clue, the gap above it",
                f"line {line}",
            )


def looks_like(text: str) -> bool:  # noqa: ARG001
    """Return True: any text that is not in another format is taken for clues."""
    return True


def read(text: str, size: tuple[int, int] | None = None) -> Puzzle | ClueText:
    """Read clue text: a Puzzle if it begins with a grid, otherwise a ClueText.

    Raises FormatError if no clues are found, a number comes twice, or the numbers do not fit the grid.

    >>> read("Across\\n1. House members, for short\\n\\nDown\\n1\\tJewel").across[0].text
    'House members, for short'
    """
    lines = [(number, piece) for number, line in read_lines(text) for piece in _unfolded(line)]
    draft = _Draft()
    body = _front_matter(lines, draft)
    _clue_lines(body, draft)
    if not draft.clues:
        raise FormatError("expected clues under Across and Down headings, or a puzzle file, found neither")
    for (way, number), parts in draft.clues.items():
        if not parts:
            name = f"{number}{way if way in {'A', 'D'} else ''}"
            raise FormatError(f"expected the text of clue {name}, found none", f"line {draft.lines[way, number]}")
        if _has_run_on(draft, way, number, " ".join(parts)):
            raise FormatError("expected each clue on a line of its own", f"line {draft.lines[way, number]}")
    for key, parts, line in draft.repeated:
        if clean(" ".join(parts)) != clean(" ".join(draft.clues[key])):
            name = f"{key[1]}{key[0] if key[0] in {'A', 'D'} else ''}"
            first = f"the first is in line {draft.lines[key]}"
            raise FormatError(f"expected a new number, found a second clue for {name} ({first})", f"line {line}")
    if any(not way for way, _ in draft.clues):
        _tell_directions_by_restart(draft)
    return _assemble(draft, size)


def _has_run_on(draft: _Draft, way: str, number: int, text: str) -> bool:
    """Return whether a clue goes on with the next ones, or with those of the other direction: it lost its line ends."""
    ways = [one for one, _ in draft.clues]
    if len(set(ways)) == 1 and RUN_ON.search(text):
        return True
    further = [int(found) for found in FURTHER.findall(text)]
    return ways.count(way) == 1 and len(further) > 1 and [number, *further] == sorted({number, *further})


def write(puzzle: Puzzle, filled: Grid | None = None) -> str:
    """Write clue text that begins with a grid: `filled`, else the solution, else the letters that are given."""
    grid = best_solution(puzzle, filled) or puzzle.grid
    rows, rebus = format_rows(grid, REBUS_SIGNS)
    lines = [f"{key.title()}: {_escaped(value)}" for key, value in puzzle.about.items()]
    lines += [f"Rebus: {rebus}"] if rebus else []
    lines += ["", *rows]
    texts = {slot: text for slot in grid.slots if (text := clean(puzzle.clue(slot)))}
    with_lengths = any(LENGTH.fullmatch(text) for text in texts.values())
    for direction in ("across", "down"):
        clues = {slot: text for slot, text in texts.items() if slot.direction == direction}
        if clues:  # two headings with nothing between them are a page's tabs to a reader
            lines += ["", direction.title()]
        for slot, text in clues.items():
            length = f" ({len(slot)})" if with_lengths else ""
            lines.append(f"{slot.number}. {_escaped(text)}{length}")
    return "\n".join(lines) + "\n"


def _unfolded(line: str) -> list[str]:
    """Split a line that holds a heading and several clues; others stay whole.

    >>> _unfolded("ACROSS 1. Hope 4. Steak DOWN 1. Knee")
    ['ACROSS', '1. Hope', '4. Steak', 'DOWN', '1. Knee']
    """
    return NEXT_IN_LINE.split(line) if HEADING_AND_CLUE.fullmatch(line) else [line]


def _escaped(text: str) -> str:
    """Protect signs that reading would take for HTML or Markdown."""
    return text if bare("1. " + text) == "1. " + text else html.escape(text, quote=False)


def _front_matter(lines: Sequence[tuple[int, str]], draft: _Draft) -> list[tuple[int, str]]:
    """Read title, author and grid at the beginning; return the lines from the first heading or clue on."""
    position = 0
    while position < len(lines):
        number, line = lines[position]
        if DRAWN_GRID.fullmatch(line):
            raise FormatError(
                "expected rows with # for a block and . for an empty cell, found frames", f"line {number}"
            )
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
        elif date := date_in_words(line):
            draft.about.setdefault("date", date)
        elif line:
            draft.about.setdefault("title", line)
        position += 1
    return list(lines[position:])


def date_in_words(line: str) -> str:
    """Return a line that is a date as `2026-11-23`, empty if it is none.

    >>> date_in_words("Monday, November 23, 2026"), date_in_words("23 Nov. 2026"), date_in_words("May 2026")
    ('2026-11-23', '2026-11-23', '')
    """
    day = re.sub(r"^[a-z]+day,?\s+", "", line, flags=re.IGNORECASE).replace(".", "")
    for form in ("%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%Y-%m-%d"):
        with suppress(ValueError):
            return datetime.strptime(day, form).date().isoformat()  # noqa: DTZ007 - a day has no time zone
    return ""


def _rows_at(lines: Sequence[tuple[int, str]], start: int) -> list[str]:
    """Return the rows of a grid that begins at a line: at least two of equal length, or one with a `#` or `.`."""
    rows: list[str] = []
    for position in range(start, len(lines)):
        line = lines[position][1]
        cells = re.split(r"[,;\s]\s*", line)
        row = "".join(cells) if cells and all(len(cell) == 1 for cell in cells) else line
        follower = _following(lines, position) if HEADING.fullmatch(line) else ""
        is_heading = _clue(follower, "A") or _is_number(follower)
        if not re.fullmatch(r"[^\s,;:()\"']{2,}", row) or is_heading or (rows and len(row) != len(rows[0])):
            break
        if len(row) > LONGEST_WORD and (row != row.upper() or not any(sign in TEXT_SIGNS for sign in row)):
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


def _clue(line: str, way: str) -> tuple[str, int, str, str] | None:
    """Read a line as a clue: direction (as the line says, else `way`), number, text, and how the number is written."""
    if not (way and LOOSE_WORDS.match(line)):
        for tag in TAGS:
            if match := tag.fullmatch(line):
                return match["way"][0].upper(), int(match["number"]), match["text"], TAGGED
    if match := NUMBERED.fullmatch(line):
        return way, int(match["number"]), match["text"], SIGNED if match["sign"].strip() else BARE
    return None


def _clue_lines(lines: Sequence[tuple[int, str]], draft: _Draft) -> None:
    """Read headings and clues."""
    waiting = False  # for the text of a number that stood alone
    gap = False
    for position, (number, whole) in enumerate(lines):
        line = whole
        if not line:
            gap = True
            continue
        draft.follows_gap, gap = gap, False
        if waiting and draft.last is not None:
            if not _ends_section(lines, position, draft):
                draft.parts[:] = [line]
                waiting = False
                continue
            raise FormatError(f"expected the text of clue {draft.last[1]}, found {shown(line)}", f"line {number}")
        if heading := HEADING.fullmatch(line):
            _begin_section(draft, DIRECTION_WORDS[heading[1].lower()])
            continue
        if both := HEADING_AND_CLUE.fullmatch(line):
            _begin_section(draft, DIRECTION_WORDS[both[1].lower()])
            line = both[2]
        if LENGTH_ALONE.fullmatch(line) and draft.parts and draft.last and not draft.follows_gap:
            draft.parts.append(line)
        elif alone := NUMBER_ALONE.fullmatch(line):
            draft.add((_way(draft, int(alone[1])), int(alone[1])), "", number, SIGNED)
            waiting = True
        elif (clue := _clue(line, draft.way)) and not draft.is_no_clue(clue[3]):
            key = (clue[0] or _way(draft, clue[1]), clue[1])
            if clue[3] == BARE:
                draft.check_gap(key, number, whole)
            draft.add(key, clue[2], number, clue[3])
            waiting = not clue[2]
        elif draft.last is not None and not draft.follows_gap:
            draft.parts += [] if PAGE.fullmatch(line) else [line]
        elif draft.clues:
            draft.last = None  # lines after the clues and a gap are the page's footer
        else:
            raise FormatError(f"expected a numbered clue, found {shown(line)}", f"line {number}")


def _begin_section(draft: _Draft, way: str) -> None:
    """Begin the clues of a direction; if both headings come before any clue, the numbers begin again for the second."""
    draft.ways.append(way)
    is_second = len(draft.ways) > 1 and not draft.clues and draft.ways[-2] != way
    draft.way, draft.last = "" if is_second else way, None


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
    names = {"": "A", "restart": "D"} if draft.ways[:1] != ["D"] else {"": "D", "restart": "A"}
    draft.clues = {(names[way], number): parts for (way, number), parts in draft.clues.items()}


def _without_numbers(grid: Grid) -> Grid:
    """Return a grid without the numbers that are printed in its cells, if all its digits are such numbers.

    >>> _without_numbers(Grid.parse("12\\n3.")).rows, _without_numbers(Grid.parse("1A\\n..")).rows
    (('..', '..'), ('.A', '..'))
    """
    digits = {at: cell for at, cell in enumerate(grid.cells) if cell.isdecimal()}
    numbers = grid.slot_numbers
    return grid.fill(dict.fromkeys(digits, EMPTY)) if all(numbers.get(at) == int(digits[at]) for at in digits) else grid


def _assemble(draft: _Draft, size: tuple[int, int] | None) -> Puzzle | ClueText:
    texts = {key: clean(joined(parts)) for key, parts in draft.clues.items()}
    answered = False
    for form in (*TRIMMINGS, ANSWERED):
        trimmed = {key: found["text"] for key, text in texts.items() if (found := form.fullmatch(text))}
        if len(trimmed) >= MEANT * len(texts):
            texts |= trimmed
            answered = form is ANSWERED
    stated = {key: LENGTH.fullmatch(text) or LEADING_LENGTH.fullmatch(text) for key, text in texts.items()}
    meant = sum(match is not None for match in stated.values()) >= MEANT * len(texts)
    clues: dict[str, list[NumberedClue]] = {"A": [], "D": []}
    for (way, number), text in sorted(texts.items()):
        match = stated[way, number] if meant else None
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
    left_out += ("the answers behind the clues",) if answered else ()
    listed = ClueText(tuple(clues["A"]), tuple(clues["D"]), size=size, left_out=left_out, **known)
    if not draft.rows:
        return listed
    where = f"grid from line {draft.about['line']}"
    grid, solution = split_solution(_without_numbers(parse_rows(draft.rows, rebus, TEXT_SIGNS, where)))
    if size is not None and size != (grid.width, grid.height):
        raise FormatError(f"expected {size[0]}x{size[1]} cells, found {grid.width}x{grid.height}", where)
    try:
        return listed.on(grid, solution)
    except ValueError as error:
        raise FormatError(str(error), where) from error
