"""The clues of a nonogram, and the forms in which people keep them: JSON, .non, webpbn XML, and lines of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from agent.puzzles.nonogram.picture import UNKNOWN
from agent.puzzles.nonogram.recognise import HEADING
from agent.reading import expected, json_object

if TYPE_CHECKING:
    from agent.draw.svg import Svg

Clue = tuple[int, ...]
MAX_SIDE = 200
"""Longer sides are refused: the largest published ones have 150 cells or so, a hostile file may have any number."""
NUMBERS = re.compile(r"\d+")
SIZE = re.compile(r"\s*(\d+)\s*(?:[x×*,]\s*|\s)(\d+)\s*")


@dataclass(frozen=True, slots=True)
class Nonogram:
    """Row clues from the top, column clues from the left; an empty clue is an empty line.

    >>> print(Nonogram(((2,), ()), ((1,), (1,))))
    rows: 2 / 0
    columns: 1 / 1
    """

    kind: ClassVar[str] = "nonogram"

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    id: str = ""
    title: str = ""

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

    def svg(self, rows: Sequence[str] = ()) -> Svg:
        """Draw the clues with an empty picture, or with `rows` of `#` filled, `.` blank, `?` not known."""
        from agent.puzzles.nonogram.draw import nonogram_svg

        return nonogram_svg(rows or self.givens, self.rows, self.columns, title=self.title or self.id)

    def to_json(self) -> dict[str, Any]:
        """Return what :func:`parse` reads back to the same puzzle, once dumped."""
        rows, columns = [list(clue) for clue in self.rows], [list(clue) for clue in self.columns]
        return {"id": self.id, "title": self.title, "width": self.width, "height": self.height,
                "rows": rows, "cols": columns}  # fmt: skip

    def _repr_html_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        rows, columns = (
            " / ".join(" ".join(map(str, clue)) or "0" for clue in side) for side in (self.rows, self.columns)
        )
        return f"rows: {rows}\ncolumns: {columns}"


def parse(text: str, *, source: str = "") -> Nonogram:
    """Read a puzzle in any of the forms, known by its content. Raises FormatError.

    >>> parse("width 2\\nheight 1\\nrows\\n2\\ncolumns\\n1\\n1") == parse("2\\n\\n1\\n1")
    True
    """
    stripped = text.lstrip()
    if stripped.startswith("{"):
        return parse_json(text, source=source)
    if stripped.startswith("<"):
        return parse_xml(text, source=source)
    if re.search(r"^\s*(width|height)\b", text, re.MULTILINE | re.IGNORECASE):
        return parse_non(text, source=source)
    return parse_lines(text, source=source)


def build(
    rows: Sequence[Sequence[int]],
    columns: Sequence[Sequence[int]],
    *,
    name: str = "",
    title: str = "",
    source: str = "",
) -> Nonogram:
    """Return a puzzle with these clues; zeros are dropped. Raises FormatError.

    >>> build([[0]], [[]]).rows
    ((),)
    """
    if not rows or not columns:
        raise expected("clues for rows and for columns", source=source)
    if max(len(rows), len(columns)) > MAX_SIDE:
        raise expected(f"at most {MAX_SIDE} rows and columns", source=source)
    kept = [tuple(tuple(block for block in clue if block) for clue in side) for side in (rows, columns)]
    if any(len(clue) > MAX_SIDE for side in kept for clue in side):
        raise expected(f"at most {MAX_SIDE} blocks in a clue", source=source)
    if any(not 0 < block <= MAX_SIDE for side in kept for clue in side for block in clue):
        raise expected(f"blocks of 1 to {MAX_SIDE} cells", source=source)
    return Nonogram(kept[0], kept[1], name, title)


def parse_json(text: str, *, source: str = "") -> Nonogram:
    """Read JSON with "rows" and "cols" (or "columns"): lists of lists of numbers.

    >>> parse_json('{"rows": [[1]], "columns": [[1]]}').width
    1
    """
    found = json_object(text, source=source)
    sides = []
    for keys in (("rows",), ("cols", "columns")):
        side = next((found[key] for key in keys if key in found), None)
        if not isinstance(side, list) or not all(
            isinstance(clue, list) and all(type(block) is int for block in clue) for clue in side
        ):
            raise expected(f'"{keys[0]}" to be a list of lists of whole numbers', source=source)
        sides.append(side)
    puzzle = build(
        sides[0],
        sides[1],
        name=str(found.get("id") or found.get("name") or ""),
        title=str(found.get("title") or ""),
        source=source,
    )
    check_size(puzzle, found.get("width"), found.get("height"), source=source)
    return puzzle


def check_size(puzzle: Nonogram, width: object, height: object, *, source: str) -> None:
    """Refuse a puzzle whose number of clues is not the one its file states."""
    for said, clues, what in ((width, puzzle.width, "column"), (height, puzzle.height, "row")):
        if isinstance(said, int) and said != clues:
            raise expected(f"{said} {what} clues, found {clues}", source=source)


def parse_xml(text: str, *, source: str = "") -> Nonogram:
    """Read the XML of webpbn.com: the first puzzle, in one colour. Declarations of entities are refused.

    >>> line = "<line><count>1</count></line>"
    >>> parse_xml(f'<puzzle><clues type="columns">{line}</clues><clues type="rows">{line}</clues></puzzle>').rows
    ((1,),)
    """
    import xml.etree.ElementTree as ET  # only if there is XML: it takes longer to load than most puzzles to solve

    if re.search(r"<!ENTITY", text, re.IGNORECASE):
        raise expected("XML without entity declarations", source=source)
    try:
        root = ET.fromstring(text)  # noqa: S314 - entities are refused above, and nothing external is ever fetched
    except ET.ParseError as fault:
        raise expected(f"valid XML ({fault.msg})", source=source, line=fault.position[0]) from None
    except ValueError as fault:
        raise expected(f"valid XML ({fault})", source=source) from None
    puzzle = root if root.tag == "puzzle" else root.find(".//puzzle")
    if puzzle is None:
        raise expected("an element <puzzle>", source=source)
    if puzzle.get("type", "grid") != "grid":
        raise expected(f'a puzzle of type "grid", found "{puzzle.get("type")}"', source=source)
    background = puzzle.get("backgroundcolor", "white")
    sides: dict[str, list[list[int]]] = {}
    colours: set[str] = set()
    for clues in puzzle.findall("clues"):
        side = sides.setdefault(clues.get("type", ""), [])
        for line in clues.findall("line"):
            blocks = []
            for count in line.findall("count"):
                number = (count.text or "").strip()
                if not NUMBERS.fullmatch(number) or len(number) > 3:
                    raise expected(f"a number in <count>, found {number[:20]!r}", source=source)
                colours.add(count.get("color") or puzzle.get("defaultcolor") or "black")
                blocks.append(int(number))
            side.append(blocks)
    if len(colours - {background}) > 1 or background in colours:
        raise expected(f"blocks in one colour, found {', '.join(sorted(colours))}", source=source)
    name, title = (puzzle.findtext(tag, "").strip() for tag in ("id", "title"))
    return build(sides.get("rows", []), sides.get("columns", []), name=name, title=title, source=source)


def parse_non(text: str, *, source: str = "") -> Nonogram:
    """Read the .non format: `width`, `height`, `rows`, `columns`, each clue a line; other keywords are skipped.

    A line with 0 is an empty clue; so is a blank one, if there are too few clues without it.

    >>> parse_non("title \\"Bar\\"\\nwidth 1\\nheight 2\\nrows\\n\\n1\\ncolumns\\n1").rows
    ((), (1,))
    """
    lines = text.split("\n")
    values: dict[str, str] = {}
    sections: dict[str, tuple[int, list[str]]] = {}
    current: list[str] | None = None
    for number, line in enumerate(lines, start=1):
        words = line.split(None, 1)
        keyword = words[0].lower() if words else ""
        if keyword in ("rows", "columns"):
            current = []
            sections[keyword] = (number, current)
        elif keyword and not keyword[0].isdigit() and keyword[0] not in "-#":
            values[keyword] = words[1].strip().strip('"') if len(words) > 1 else ""
            current = None
        elif current is not None and not keyword.startswith("#"):
            current.append(line)
    sides = []
    for section, size in (("rows", "height"), ("columns", "width")):
        if section not in sections:
            raise expected(f'a line "{section}" with clues below it', source=source)
        number, found = sections[section]
        if not values.get(size, "").isdecimal() or len(values[size]) > 3:
            raise expected(f'a line "{size}" with a number', source=source)
        sides.append(clue_lines(found, int(values[size]), first_line=number + 1, what=section, source=source))
    name, title = values.get("catalogue", ""), values.get("title", "")
    return build(sides[0], sides[1], name=name, title=title, source=source)


def clue_lines(found: list[str], wanted: int, *, first_line: int, what: str, source: str) -> list[list[int]]:
    """Read `wanted` clues, one a line; blank lines count as empty clues only if they are needed."""
    filled = [(number, line) for number, line in enumerate(found, start=first_line) if line.strip()]
    if len(filled) != wanted:
        filled = list(enumerate(found, start=first_line))
        while len(filled) > wanted and not filled[-1][1].strip():
            filled.pop()
        while len(filled) > wanted and not filled[0][1].strip():
            filled.pop(0)
    if len(filled) != wanted:
        clues = sum(1 for line in found if line.strip())
        raise expected(f"{wanted} clues for the {what}, found {clues}", source=source, line=first_line)
    return [clue_numbers(line, number, source=source) for number, line in filled]


def clue_numbers(line: str, number: int = 0, *, source: str = "") -> list[int]:
    """Read one clue: numbers separated by spaces, commas, dots or hyphens; brackets around them are ignored.

    >>> clue_numbers("[2, 1]")
    [2, 1]
    """
    line = line.strip().strip("[](),")
    parts = re.split(r"[\s,.;-]+", line)
    blocks = [part for part in parts if part]
    if not all(part.isdecimal() and len(part) <= 3 for part in blocks):
        raise expected(f"numbers of a clue, found {line[:40]!r}", source=source, line=number)
    return [int(part) for part in blocks]


def parse_lines(text: str, *, source: str = "") -> Nonogram:
    """Read lines of numbers: row clues, a blank line, column clues; or under headings `rows` and `columns`.

    A first line with the two sizes (width, height) may replace the blank line. On the line of
    a heading the clues may follow it, separated by `/` or `;`.

    >>> parse_lines("rows: 1 1 / 1\\ncolumns: 1 / 1 / 1 / 0").width
    4
    """
    headed: dict[str, list[list[int]]] = {}
    blocks: list[list[tuple[int, str]]] = [[]]
    side = ""
    for number, whole in enumerate(text.split("\n"), start=1):
        line = whole.split("#", 1)[0].strip()
        heading = HEADING.match(line)
        if heading:
            side = "rows" if heading.group(1).lower().startswith("row") else "columns"
            headed.setdefault(side, [])
            line = line[heading.end() :]
        if not line:
            if blocks[-1]:
                blocks.append([])
            continue
        if side:
            headed[side] += [clue_numbers(part, number, source=source) for part in re.split(r"\s*[/;]\s*", line)]
        else:
            blocks[-1].append((number, line))
    if headed:
        return build(headed.get("rows", []), headed.get("columns", []), source=source)
    groups = [group for group in blocks if group]
    size = SIZE.fullmatch(groups[0][0][1]) if groups else None
    if size and len(size.group(1)) <= 3 and len(size.group(2)) <= 3:
        width, height = int(size.group(1)), int(size.group(2))
        rest = [item for group in groups for item in group][1:]
        # a row clue of these two numbers would not fit into the width, so the line can only be the sizes
        if len(rest) == width + height and (len(groups) != 2 or len(groups[0]) in (1, height + 1)):
            groups = [rest[:height], rest[height:]]
        elif len(groups) == 3 and len(groups[0]) == 1:
            raise expected(f"{height} row and {width} column clues", source=source, line=groups[1][0][0])
    if len(groups) != 2:
        raise expected("row clues, a blank line, column clues", source=source, line=1)
    rows, columns = ([clue_numbers(line, number, source=source) for number, line in group] for group in groups)
    return build(rows, columns, source=source)


def write_lines(puzzle: Nonogram) -> str:
    """Return the clues as lines of numbers under headings.

    >>> write_lines(Nonogram(((1,),), ((1,),)))
    'rows\\n1\\n\\ncolumns\\n1\\n'
    """
    sides = (("rows", puzzle.rows), ("columns", puzzle.columns))
    return (
        "\n\n".join("\n".join([name, *(" ".join(map(str, clue)) or "0" for clue in side)]) for name, side in sides)
        + "\n"
    )
