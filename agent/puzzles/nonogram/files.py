"""The forms in which people keep nonograms: JSON, .non, webpbn XML, and lines of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from agent.puzzles.nonogram.colours import BLACK, BLANK, FILLED, WHITE, Colour
from agent.puzzles.nonogram.line import Block
from agent.puzzles.nonogram.puzzle import Nonogram
from agent.puzzles.nonogram.recognise import COLOURS, HEADING
from agent.reading import expected, json_object, names

MAX_SIDE = 200
"""Longer sides are refused: the largest published ones have 150 cells or so, a hostile file may have any number."""
MAX_COLOURS = 30
NUMBERS = re.compile(r"\d+")
SIZE = re.compile(r"\s*(\d+)\s*(?:[x×*,]\s*|\s)(\d+)\s*")
RGB = re.compile(r"[0-9A-Fa-f]{6}")
PLAIN: tuple[Colour, ...] = (WHITE, BLACK)
Clues = Sequence[Sequence[Block]]


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
    rows: Clues,
    columns: Clues,
    *,
    name: str = "",
    title: str = "",
    colours: tuple[Colour, ...] = PLAIN,
    source: str = "",
) -> Nonogram:
    """Return a puzzle with these clues; blocks without cells are dropped. Raises FormatError.

    >>> build([[(0, 1)]], [[]]).rows
    ((),)
    """
    if not rows or not columns:
        raise expected("clues for rows and for columns", source=source)
    if max(len(rows), len(columns)) > MAX_SIDE:
        raise expected(f"at most {MAX_SIDE} rows and columns", source=source)
    kept = [tuple(tuple(block for block in clue if block[0]) for clue in side) for side in (rows, columns)]
    if any(len(clue) > MAX_SIDE for side in kept for clue in side):
        raise expected(f"at most {MAX_SIDE} blocks in a clue", source=source)
    if any(not 0 < length <= MAX_SIDE for side in kept for clue in side for length, _ in clue):
        raise expected(f"blocks of 1 to {MAX_SIDE} cells", source=source)
    return Nonogram(kept[0], kept[1], name, title, colours)


def signed(named: Iterable[tuple[str, str]], background: tuple[str, str]) -> tuple[Colour, ...]:
    """Give a sign to each of some colours (name, red, green and blue): `#` to a single one, else a letter.

    >>> [colour.sign for colour in signed([("red", "FF0000"), ("rose", "FF00FF")], ("white", "FFFFFF"))]
    ['.', 'r', 'o']
    """
    colours = list(named)
    signs = [FILLED] if len(colours) == 1 else []
    for name, _ in colours[len(signs) :]:
        letters = [*(letter for letter in name.lower() if "a" <= letter <= "z"), *map(chr, range(97, 123))]
        signs.append(next(letter for letter in letters + list("ABCDEFGHIJ") if letter not in signs))
    made = [Colour(name, rgb.upper(), sign) for (name, rgb), sign in zip(colours, signs, strict=True)]
    return (Colour(background[0], background[1].upper(), BLANK), *made)


def stated(colours: Sequence[tuple[str, str, str]], *, source: str = "", line: int = 0) -> tuple[Colour, ...]:
    """Check the colours that a file states as sign, name and RGB; white stands for blank if none has its sign.

    >>> [colour.name for colour in stated([("r", "red", "FF0000"), ("b", "blue", "0000FF")])]
    ['white', 'red', 'blue']
    """
    found = [Colour(name, rgb.upper(), sign) for sign, name, rgb in colours]
    blank = next((colour for colour in found if colour.sign == BLANK), WHITE)
    others = [colour for colour in found if colour.sign != BLANK]
    signs = {colour.sign for colour in found}
    shapes = all(sign in (BLANK, FILLED) or (sign.isalpha() and sign.isascii() and len(sign) == 1) for sign in signs)
    if not shapes or len(signs) < len(found) or not 0 < len(others) <= MAX_COLOURS:
        raise expected(f"1 to {MAX_COLOURS} colours, each with a letter of its own", source=source, line=line)
    if not all(RGB.fullmatch(colour.rgb) and colour.name for colour in found):
        raise expected("colours with a name and six digits such as FF0000", source=source, line=line)
    if len(others) == 1:
        others = [Colour(others[0].name, others[0].rgb, FILLED)]
    return (blank, *others)


def parse_json(text: str, *, source: str = "") -> Nonogram:
    """Read JSON with "rows" and "cols" (or "columns"): lists of lists of numbers, with "colours" of texts such as 2r.

    >>> parse_json('{"rows": [[1]], "columns": [[1]]}').width
    1
    """
    found = json_object(text, source=source)
    colours = json_colours(found.get("colours", found.get("colors")), source=source)
    sides = []
    for keys in (("rows",), ("cols", "columns")):
        side = next((found[key] for key in keys if key in found), None)
        if not isinstance(side, list) or not all(isinstance(clue, list) for clue in side):
            raise expected(f'"{keys[0]}" to be a list of lists of blocks', source=source)
        sides.append([[json_block(block, colours, keys[0], source=source) for block in clue] for clue in side])
    name, title = names(found)
    puzzle = build(sides[0], sides[1], name=name, title=title, colours=colours, source=source)
    check_size(puzzle, found.get("width"), found.get("height"), source=source)
    return puzzle


def json_colours(found: Any, *, source: str) -> tuple[Colour, ...]:
    """Read the colours of a JSON puzzle, objects with sign, name and rgb; black and white if there are none."""
    if found is None:
        return PLAIN
    fields = ("sign", "name", "rgb")
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and all(isinstance(one.get(field), str) for field in fields) for one in found
    ):
        raise expected('"colours" to be a list of objects with "sign", "name" and "rgb"', source=source)
    return stated([(one["sign"], one["name"], one["rgb"].lstrip("#")) for one in found], source=source)


def json_block(block: object, colours: Sequence[Colour], key: str, *, source: str) -> Block:
    """Read a block of a JSON clue: a whole number, or a text with the sign of its colour."""
    if type(block) is int and len(colours) == 2:
        return block, 1
    if isinstance(block, str):
        return read_block(block, colours, source=source)
    wanted = "whole numbers" if len(colours) == 2 else f"texts such as 2{colours[1].sign}"
    raise expected(f'"{key}" to be a list of lists of {wanted}', source=source)


def check_size(puzzle: Nonogram, width: object, height: object, *, source: str) -> None:
    """Refuse a puzzle whose number of clues is not the one its file states."""
    for said, clues, what in ((width, puzzle.width, "column"), (height, puzzle.height, "row")):
        if isinstance(said, int) and said != clues:
            raise expected(f"{said} {what} clues, found {clues}", source=source)


def parse_xml(text: str, *, source: str = "") -> Nonogram:
    """Read the XML of webpbn.com: the first puzzle. Declarations of entities are refused.

    >>> line = "<line><count>1</count></line>"
    >>> parse_xml(f'<puzzle><clues type="columns">{line}</clues><clues type="rows">{line}</clues></puzzle>').rows
    (((1, 1),),)
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
    sides: dict[str, list[list[tuple[int, str]]]] = {}
    default = puzzle.get("defaultcolor") or "black"
    for clues in puzzle.findall("clues"):
        side = sides.setdefault(clues.get("type", ""), [])
        for line in clues.findall("line"):
            blocks = []
            for count in line.findall("count"):
                number = (count.text or "").strip()
                if not NUMBERS.fullmatch(number) or len(number) > 3:
                    raise expected(f"a number in <count>, found {number[:20]!r}", source=source)
                blocks.append((int(number), count.get("color") or default))
            side.append(blocks)
    rgbs = {"white": WHITE.rgb, "black": BLACK.rgb}
    rgbs |= {one.get("name", ""): (one.text or "").strip() for one in puzzle.findall("color")}
    used = dict.fromkeys(name for side in sides.values() for clue in side for _, name in clue) or {default: None}
    background = puzzle.get("backgroundcolor") or "white"
    if background in used:
        raise expected(f"blocks in other colours than the background, {background[:20]}", source=source)
    if len(used) > MAX_COLOURS:
        raise expected(f"at most {MAX_COLOURS} colours", source=source)
    for colour in (background, *used):
        if not RGB.fullmatch(rgbs.get(colour, "")):
            raise expected(f'<color name="{colour[:20]}"> with six digits such as FF0000', source=source)
    colours = signed([(colour, rgbs[colour]) for colour in rgbs if colour in used], (background, rgbs[background]))
    at = {colour.name: number for number, colour in enumerate(colours)}
    rows, columns = (
        [[(length, at[colour]) for length, colour in clue] for clue in sides.get(side, [])]
        for side in ("rows", "columns")
    )
    name, title = (puzzle.findtext(tag, "").strip() for tag in ("id", "title"))
    return build(rows, columns, name=name, title=title, colours=colours, source=source)


def parse_non(text: str, *, source: str = "") -> Nonogram:
    """Read the .non format: `width`, `height`, `rows`, `columns`, each clue a line; other keywords are skipped.

    A line with 0 is an empty clue; so is a blank one, if there are too few clues without it.

    >>> parse_non("title \\"Bar\\"\\nwidth 1\\nheight 2\\nrows\\n\\n1\\ncolumns\\n1").rows
    ((), ((1, 1),))
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


def clue_lines(found: list[str], wanted: int, *, first_line: int, what: str, source: str) -> list[list[Block]]:
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
    return [clue_blocks(line, number, source=source) for number, line in filled]


def clue_blocks(line: str, number: int = 0, *, colours: Sequence[Colour] = PLAIN, source: str = "") -> list[Block]:
    """Read one clue: blocks separated by spaces, commas, dots or hyphens; brackets around them are ignored.

    >>> clue_blocks("[2, 1]")
    [(2, 1), (1, 1)]
    """
    words = re.split(r"[\s,.;-]+", line.strip().strip("[](),"))
    return [read_block(word, colours, source=source, line=number) for word in words if word]


def read_block(word: str, colours: Sequence[Colour], *, source: str = "", line: int = 0) -> Block:
    """Read a block: its length, and the sign of its colour if there are several.

    >>> read_block("2b", stated([("r", "red", "FF0000"), ("b", "blue", "0000FF")]))
    (2, 2)
    """
    digits = word.rstrip("".join(colour.sign for colour in colours))
    sign = word[len(digits) :]
    colour = next((at for at, one in enumerate(colours) if one.sign == (sign or FILLED)), 0)
    if not colour or not digits.isdecimal() or len(digits) > 3:
        wanted = "numbers of a clue" if len(colours) == 2 else f"blocks of a clue such as 2{colours[1].sign}"
        raise expected(f"{wanted}, found {word[:40]!r}", source=source, line=line)
    return int(digits), colour


def parse_lines(text: str, *, source: str = "") -> Nonogram:
    """Read lines of numbers: row clues, a blank line, column clues; or under headings `rows` and `columns`.

    A first line with the two sizes (width, height) may replace the blank line. On the line of a heading the clues may
    follow it, separated by `/` or `;`, or by commas if all clues stand on these two lines. A line
    `colours: r red FF0000, b blue 0000FF` names signs, colours and their RGB; blocks are then such as 2r.

    >>> parse_lines("rows: 1 1 / 1\\ncolumns: 1 / 1 / 1 / 0").width
    4
    """
    headed: dict[str, list[tuple[int, str]]] = {}
    blocks: list[list[tuple[int, str]]] = [[]]
    colours, side = PLAIN, ""
    for number, whole in enumerate(text.split("\n"), start=1):
        if said := COLOURS.match(whole.strip()):
            items = [item.split() for item in whole.strip()[said.end() :].split(",")]
            named = [(item[0], " ".join(item[1:-1]), item[-1]) for item in items if item]
            colours = stated(named, source=source, line=number)
            continue
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
            headed[side].append((number, line))
        else:
            blocks[-1].append((number, line))
    if headed:
        whole = "".join(line for side in headed.values() for _, line in side)
        is_listed = all(len(side) == 1 for side in headed.values()) and not re.search("[/;]", whole)
        between = re.compile(r",(?![^(\[]*[)\]])" if is_listed else "[/;]")  # a comma in brackets is a clue's own
        rows, columns = (
            [
                clue_blocks(part, number, colours=colours, source=source)
                for number, line in headed.get(side, [])
                for part in between.split(line)
            ]
            for side in ("rows", "columns")
        )
        return build(rows, columns, colours=colours, source=source)
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
    rows, columns = (
        [clue_blocks(line, number, colours=colours, source=source) for number, line in group] for group in groups
    )
    return build(rows, columns, colours=colours, source=source)


def write_lines(puzzle: Nonogram) -> str:
    """Return the clues as lines of numbers under headings.

    >>> write_lines(Nonogram((((1, 1),),), (((1, 1),),)))
    'rows\\n1\\n\\ncolumns\\n1\\n'
    """
    colours = ", ".join(f"{one.sign} {one.name} {one.rgb}" for one in puzzle.colours)
    parts = [f"colours: {colours}"] if puzzle.colours != PLAIN else []
    for name, side in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        parts.append("\n".join([name, *(" ".join(puzzle.words(clue)) or "0" for clue in side)]))
    return "\n\n".join(parts) + "\n"
