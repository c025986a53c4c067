"""Crosswords in the shapes of other tools, made from a puzzle with a solution: for tests of readers, and to fuzz them.

Written from descriptions of the formats; no file of another tool was taken as a model.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Collection, Iterator
from urllib.parse import quote
from xml.etree import ElementTree as ET

from agent.formats import write_puzzle
from agent.formats.common import sides_of
from agent.grid import BLOCK, EMPTY, Puzzle
from agent.slots import Slot


def slots(puzzle: Puzzle, direction: str) -> Iterator[Slot]:
    return (slot for slot in puzzle.grid.slots if slot.direction == direction)


def answers(puzzle: Puzzle) -> list[str]:
    return list((puzzle.solution or puzzle.grid).cells)


def right(puzzle: Puzzle) -> list[int]:
    """Return the cells with a bar at their right."""
    return sorted(one for one, other in puzzle.grid.bars if other - one == 1 and puzzle.grid.width > 1)


def below(puzzle: Puzzle) -> list[int]:
    """Return the cells with a bar below."""
    return sorted(one for one, _ in puzzle.grid.bars if one not in right(puzzle))


def dumped(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def newspaper(puzzle: Puzzle) -> bytes:
    """Make today's JSON of newspapers' pages."""
    return dumped(
        {**_board_about(puzzle), "body": [{**_board(puzzle), "dimensions": _size(puzzle, "width", "height")}]}
    )


def newspaper_page(puzzle: Puzzle) -> bytes:
    """Make the JSON of pages before: directions are told by lists of clues."""
    board = _board(puzzle)
    lists = [
        {"name": way, "clues": [at for at, clue in enumerate(board["clues"]) if clue["direction"] == way]}
        for way in ("Across", "Down")
    ]
    clues = [{"cells": c["cells"], "label": c["label"], "text": c["text"][0]["plain"]} for c in board["clues"]]
    page = {
        "meta": _board_about(puzzle),
        "dimensions": _size(puzzle, "columnCount", "rowCount"),
        "cells": board["cells"],
        "clues": clues,
        "clueLists": lists,
    }
    return dumped({"gamePageData": page})


def newspaper_old(puzzle: Puzzle) -> bytes:
    """Make the JSON of the service before that: flat lists."""
    ways = {
        letter: [
            {"clueNum": s.number, "clueStart": s.cells[0], "clueEnd": s.cells[-1], "value": puzzle.clue(s)}
            for s in slots(puzzle, way)
        ]
        for letter, way in (("A", "across"), ("D", "down"))
    }
    meta = {
        "title": puzzle.title,
        "author": puzzle.author,
        "editor": puzzle.editor,
        "copyright": puzzle.copyright,
        "printDate": puzzle.date,
        "notes": [{"txt": puzzle.notes}] if puzzle.notes else None,
        **_size(puzzle, "width", "height"),
    }
    layout = [
        0 if c == BLOCK else 2 if i in puzzle.circles else 3 if i in puzzle.shaded else 1 for i, c in _cells(puzzle)
    ]
    data = {"clues": ways, "layout": layout, "answers": [None if c == BLOCK else c for c in answers(puzzle)]}
    return dumped({"results": [{"puzzle_meta": meta, "puzzle_data": data}]})


def xwordinfo(puzzle: Puzzle) -> bytes:
    return dumped(
        {
            "title": puzzle.title,
            "author": puzzle.author,
            "editor": puzzle.editor,
            "publisher": puzzle.publisher,
            "copyright": puzzle.copyright,
            "date": puzzle.date,
            "notepad": puzzle.notes or None,
            "size": _size(puzzle, "cols", "rows"),
            "grid": ["." if cell == BLOCK else cell for cell in answers(puzzle)],
            "gridnums": [puzzle.grid.slot_numbers.get(at, 0) for at, _ in _cells(puzzle)],
            "circles": [int(at in puzzle.circles) for at, _ in _cells(puzzle)] if puzzle.circles else None,
            "clues": {
                way: [f"{slot.number}. {puzzle.clue(slot)}" for slot in slots(puzzle, way)]
                for way in ("across", "down")
            },
            "bbars": [int(at in below(puzzle)) for at, _ in _cells(puzzle)] if below(puzzle) else None,
            "rbars": [int(at in right(puzzle)) for at, _ in _cells(puzzle)] if right(puzzle) else None,
        }
    )


def crosshare(puzzle: Puzzle) -> bytes:
    """Make the JSON of a Crosshare page."""
    clues = [
        {"dir": int(slot.direction == "down"), "num": slot.number, "clue": puzzle.clue(slot)}
        for slot in puzzle.grid.slots
    ]
    page = {
        "id": puzzle.id,
        "title": puzzle.title,
        "authorName": puzzle.author,
        "constructorNotes": puzzle.notes or None,
        "copyright": puzzle.copyright,
        "size": _size(puzzle, "cols", "rows"),
        "grid": ["." if cell == BLOCK else cell for cell in answers(puzzle)],
        "clues": clues,
        "highlighted": sorted(puzzle.circles or puzzle.shaded),
        "highlight": "circle" if puzzle.circles else "shade",
        "vBars": right(puzzle),
        "hBars": below(puzzle),
    }
    return dumped({"props": {"pageProps": {"puzzle": page}}})


def crosshare_record(puzzle: Puzzle) -> bytes:
    """Make the record of Crosshare's database."""
    found = {"t": puzzle.title, "n": puzzle.author, "cn": puzzle.notes, **_size(puzzle, "w", "h")}
    found["g"] = ["." if cell == BLOCK else cell for cell in answers(puzzle)]
    for letter, way in (("a", "across"), ("d", "down")):
        found[f"{letter}n"] = [slot.number for slot in slots(puzzle, way)]
        found[f"{letter}c"] = [puzzle.clue(slot) for slot in slots(puzzle, way)]
    found |= {"hs": sorted(puzzle.circles or puzzle.shaded), "s": not puzzle.circles}
    return dumped(found)


def guardian(puzzle: Puzzle) -> bytes:
    entries = [
        {
            "id": f"{slot.number}-{slot.direction}",
            "number": slot.number,
            "humanNumber": str(slot.number),
            "clue": puzzle.clue(slot),
            "direction": slot.direction,
            "length": len(slot),
            "position": dict(zip("yx", divmod(slot.cells[0], puzzle.grid.width), strict=True)),
            "solution": "".join(answers(puzzle)[cell] for cell in slot.cells),
        }
        for slot in puzzle.grid.slots
    ]
    about = {"name": puzzle.title, "creator": {"name": puzzle.author}, "id": puzzle.id, "date": puzzle.date}
    return dumped({**about, "dimensions": _size(puzzle, "cols", "rows"), "entries": entries})


def amuselabs(puzzle: Puzzle) -> bytes:
    width, height = puzzle.grid.width, puzzle.grid.height
    words = [
        {
            "clue": {"clue": puzzle.clue(slot)},
            "clueNum": slot.number,
            "acrossNotDown": slot.direction == "across",
            "nBoxes": len(slot),
            **dict(zip("yx", divmod(slot.cells[0], width), strict=True)),
        }
        for slot in puzzle.grid.slots
    ]
    sides = sides_of(puzzle.grid)
    infos = [
        {
            "x": at % width,
            "y": at // width,
            "isCircled": at in puzzle.circles,
            "bgColor": "#cccccc" if at in puzzle.shaded else "#ffffff",
            **{{"L": "leftWall", "T": "topWall"}[side]: True for side in sides.get(at, "")},
        }
        for at, _ in _cells(puzzle)
    ]
    letters = ["\0" if cell == BLOCK else cell for cell in answers(puzzle)]
    return dumped(
        {
            "title": puzzle.title,
            "author": puzzle.author,
            "copyright": puzzle.copyright,
            "description": puzzle.notes,
            "publishTime": puzzle.date,
            "w": width,
            "h": height,
            "box": [letters[x::width] for x in range(width)],
            "cellInfos": infos,
            "placedWords": words,
            "preRevealIdxs": [
                [puzzle.grid.cells[y * width + x] not in {EMPTY, BLOCK} for y in range(height)] for x in range(width)
            ],
        }
    )


def amuselabs_packed(puzzle: Puzzle) -> bytes:
    """Make the same in Base64, as a page carries it."""
    return dumped({"rawc": base64.b64encode(amuselabs(puzzle)).decode()})


def across_lite(puzzle: Puzzle) -> bytes:
    """Make the text from which .puz files are made."""
    rows, keys = _signs(puzzle, "0123456789", puzzle.circles)
    lines = ["<ACROSS PUZZLE V2>"]
    for name, text in (("TITLE", puzzle.title), ("AUTHOR", puzzle.author), ("COPYRIGHT", puzzle.copyright)):
        lines += [f"<{name}>", text]
    lines += ["<SIZE>", f"{puzzle.grid.width}x{puzzle.grid.height}", "<GRID>", *rows]
    lines += ["<REBUS>", "MARK;", *(f"{sign}:{cell}:{cell[0]}" for cell, sign in keys.items())]
    for way in ("across", "down"):
        lines += [f"<{way.upper()}>", *(puzzle.clue(slot) for slot in slots(puzzle, way))]
    return "\n".join([*lines, "<NOTEPAD>", puzzle.notes, ""]).encode()


def wsj(puzzle: Puzzle) -> bytes:
    """Make the JSON of the Wall Street Journal's pages."""
    cells = []
    for at, cell in enumerate(answers(puzzle)):
        marks = {"shapebg": "circle" if at in puzzle.circles else "", "highlight": at in puzzle.shaded}
        style = {"style": marks} if any(marks.values()) else {}
        is_block = cell == BLOCK
        cells.append({"Letter": "" if is_block else cell, "Blank": "blank" if is_block else "", **style})
    lists = [
        {"title": way.title(), "clues": [{"number": str(s.number), "clue": puzzle.clue(s)} for s in slots(puzzle, way)]}
        for way in ("across", "down")
    ]
    copy = {
        "title": puzzle.title,
        "byline": puzzle.author,
        "publisher": puzzle.publisher,
        "date-publish": puzzle.date,
        "description": puzzle.notes,
        "gridsize": _size(puzzle, "cols", "rows"),
        "clues": lists,
    }
    width = puzzle.grid.width
    return dumped({"data": {"copy": copy, "grid": [cells[at : at + width] for at in range(0, len(cells), width)]}})


def washington_post(puzzle: Puzzle) -> bytes:
    """Make the JSON of the Washington Post; a cell's bars are bits."""
    numbers, sides = puzzle.grid.slot_numbers, sides_of(puzzle.grid)
    cells: list[dict[str, object]] = []
    for at, cell in enumerate(answers(puzzle)):
        if cell == BLOCK:
            cells.append({"type": "locked"})
            continue
        number = {"number": str(numbers[at])} if at in numbers else {}
        bars = sum({"T": 1, "L": 2}[side] for side in sides.get(at, ""))
        marks = {"circle": True} if at in puzzle.circles else {"background": "#cccccc"} if at in puzzle.shaded else {}
        cells.append({"answer": cell, **number, **marks, **({"bars": bars} if bars else {})})
    words = [
        {"direction": slot.direction, "clue": puzzle.clue(slot), "indexes": list(slot.cells)}
        for slot in puzzle.grid.slots
    ]
    about = {"title": puzzle.title, "creator": puzzle.author, "copyright": puzzle.copyright}
    about |= {"description": puzzle.notes, "date": puzzle.date}
    return dumped({**about, "width": puzzle.grid.width, "cells": cells, "words": words})


def uclick(puzzle: Puzzle) -> bytes:
    """Make the JSON of Universal Uclick."""
    ways = {
        way: "\n".join([*(f"{slot.number:02}|{puzzle.clue(slot)}" for slot in slots(puzzle, way)), "end", ""])
        for way in ("across", "down")
    }
    about = {name.title(): quote(getattr(puzzle, name)) for name in ("title", "author", "editor", "copyright", "date")}
    size = {name: str(number) for name, number in _size(puzzle, "Width", "Height").items()}
    answer = "".join(answers(puzzle)).replace(BLOCK, "-")
    return dumped({**about, **size, "AllAnswer": answer, "AcrossClue": ways["across"], "DownClue": ways["down"]})


def uclick_xml(puzzle: Puzzle) -> bytes:
    """Make the XML of Universal Uclick."""
    root = ET.Element("crossword")
    about = {name.title(): quote(getattr(puzzle, name)) for name in ("title", "author", "editor", "copyright", "date")}
    size = {name: str(number) for name, number in _size(puzzle, "Width", "Height").items()}
    answer = "".join(answers(puzzle)).replace(BLOCK, "-")
    for name, text in {**about, **size, "AllAnswer": answer}.items():
        ET.SubElement(root, name, v=text)
    for way in ("across", "down"):
        listed = ET.SubElement(root, way)
        for number, slot in enumerate(slots(puzzle, way), 1):
            word = "".join(answers(puzzle)[cell] for cell in slot.cells)
            clue = {"a": word, "c": quote(puzzle.clue(slot)), "n": str(slot.cells[0] + 1), "cn": str(slot.number)}
            ET.SubElement(listed, f"{way[0]}{number}", clue)
    return ET.tostring(root)


def puzzmo(puzzle: Puzzle) -> bytes:
    """Make the answer of Puzzmo's service: .xd in JSON."""
    named = {"name": puzzle.title, "authors": [{"publishingName": puzzle.author}]}
    page = {**named, "dailyTitle": puzzle.date, "puzzle": write_puzzle(puzzle, "xd").decode()}
    return dumped({"data": {"startOrFindGameplay": {"__typename": "HasGamePlayed", "gamePlayed": {"puzzle": page}}}})


def cfp(puzzle: Puzzle) -> bytes:
    """Make a file of CrossFire."""
    rows, keys = _signs(puzzle, "@&$!*")
    root = ET.Element("CROSSFIRE")
    for name, text in (("TITLE", puzzle.title), ("AUTHOR", puzzle.author), ("COPYRIGHT", puzzle.copyright)):
        ET.SubElement(root, name).text = text
    ET.SubElement(root, "GRID", width=str(puzzle.grid.width)).text = "\n".join(["", *rows, ""])
    ET.SubElement(root, "CIRCLES").text = ",".join(map(str, sorted(puzzle.circles)))
    rebuses = ET.SubElement(root, "REBUSES")
    for letters, sign in keys.items():
        ET.SubElement(rebuses, "REBUS", display="1", input=sign, letters=letters.lower())
    words = ET.SubElement(root, "WORDS")
    for at, slot in enumerate(puzzle.grid.slots):
        clue = {"dir": slot.direction.upper(), "id": str(at), "isTheme": "false", "num": str(slot.number)}
        ET.SubElement(words, "WORD", clue).text = puzzle.clue(slot)
    ET.SubElement(root, "NOTES").text = puzzle.notes
    return ET.tostring(root, "utf-8", xml_declaration=True)


def pzzl(puzzle: Puzzle) -> bytes:
    """Make the text of pzzl.com."""
    width, signs = puzzle.grid.width, []
    for at, cell in enumerate(answers(puzzle)):
        marks = "%" * (at in puzzle.circles) + "^" * (at in puzzle.shaded)
        signs.append(marks + ",".join(cell))
    rows = ["".join(signs[at : at + width]) for at in range(0, len(signs), width)]
    ways = [[puzzle.clue(slot) for slot in slots(puzzle, way)] for way in ("across", "down")]
    note = f"<NOTEPAD>{puzzle.notes}</NOTEPAD>" if puzzle.notes else ""
    date = puzzle.date.replace("-", "")[2:] or "260101"
    sizes = [str(number) for number in (width, puzzle.grid.height, *map(len, ways))]
    head = [puzzle.id or "tiny", date, puzzle.title, note + puzzle.author, *sizes]
    return "\n".join([*(line for part in head for line in (part, "")), *rows, "", *ways[0], "", *ways[1], ""]).encode()


def jpz_zipped(puzzle: Puzzle) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("puzzle.xml"), write_puzzle(puzzle, "jpz"))
    return packed.getvalue()


def jpz_gzipped(puzzle: Puzzle) -> bytes:
    return gzip.compress(write_puzzle(puzzle, "jpz"), mtime=0)


SHAPES: dict[str, Callable[[Puzzle], bytes]] = {
    "newspaper JSON": newspaper,
    "newspaper JSON, page data": newspaper_page,
    "newspaper JSON, oldest": newspaper_old,
    "XWord Info JSON": xwordinfo,
    "Crosshare, page": crosshare,
    "Crosshare, record": crosshare_record,
    "Guardian JSON": guardian,
    "PuzzleMe JSON": amuselabs,
    "PuzzleMe, rawc": amuselabs_packed,
    "Wall Street Journal JSON": wsj,
    "Washington Post JSON": washington_post,
    "Uclick JSON": uclick,
    "Uclick XML": uclick_xml,
    "Puzzmo JSON": puzzmo,
    "CrossFire": cfp,
    "pzzl text": pzzl,
    "Across Lite text": across_lite,
    ".jpz, zipped": jpz_zipped,
    ".jpz, gzipped": jpz_gzipped,
}
"""Name of a shape -> the function that makes it."""


def _signs(puzzle: Puzzle, keys: str, small: Collection[int] = ()) -> tuple[list[str], dict[str, str]]:
    """Return the rows with a sign for each cell, `.` for a block, and the sign of each rebus."""
    used: dict[str, str] = {}
    signs = []
    for at, cell in enumerate(answers(puzzle)):
        if len(cell) > 1:
            signs.append(used.setdefault(cell, keys[len(used)]))
        else:
            signs.append("." if cell == BLOCK else cell.lower() if at in small else cell)
    width = puzzle.grid.width
    return ["".join(signs[at : at + width]) for at in range(0, len(signs), width)], used


def _cells(puzzle: Puzzle) -> Iterator[tuple[int, str]]:
    return enumerate(puzzle.grid.cells)


def _size(puzzle: Puzzle, width: str, height: str) -> dict[str, int]:
    return {width: puzzle.grid.width, height: puzzle.grid.height}


def _board_about(puzzle: Puzzle) -> dict[str, object]:
    return {
        "title": puzzle.title,
        "constructors": [puzzle.author] if puzzle.author else [],
        "editor": puzzle.editor,
        "publisher": puzzle.publisher,
        "copyright": puzzle.copyright,
        "publicationDate": puzzle.date,
        "id": puzzle.id,
        "notes": [{"text": puzzle.notes}] if puzzle.notes else None,
    }


def _board(puzzle: Puzzle) -> dict[str, list[dict[str, object]]]:
    numbers, cells = puzzle.grid.slot_numbers, []
    for at, cell in enumerate(answers(puzzle)):
        kind = 2 if at in puzzle.circles else 3 if at in puzzle.shaded else 1
        label = {"label": str(numbers[at])} if at in numbers else {}
        cells.append({} if cell == BLOCK else {"answer": cell, "type": kind, "clues": [0], **label})
    clues = [
        {
            "cells": list(slot.cells),
            "direction": slot.direction.title(),
            "label": str(slot.number),
            "text": [{"plain": puzzle.clue(slot)}],
        }
        for slot in puzzle.grid.slots
    ]
    return {"cells": cells, "clues": clues}
