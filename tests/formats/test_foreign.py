"""Files in the shapes of other tools are read whole, or a field that is not is named."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from foreign import SHAPES, jpz_zipped

from agent.api import open_puzzle, read_puzzle
from agent.errors import FormatError
from agent.formats import write_puzzle
from agent.formats.common import with_bars
from agent.grid import Grid

MINI = open_puzzle(Path(__file__).parents[2] / "data" / "minis" / "mini-09.xd")
CELLS = list(MINI.solution.cells)
CELLS[12] = "HEART"
RICH = dataclasses.replace(
    MINI,
    solution=Grid(MINI.grid.width, MINI.grid.height, tuple(CELLS)),
    id="42",
    title="Café & bar",
    author="A. Setter",
    editor="E",
    publisher="P",
    copyright="© me",
    date="2026-11-22",
    notes="Mind the gap",
    circles=frozenset({2, 7}),
)

ABOUT = {
    "newspaper JSON": "id title author editor publisher copyright date notes circles",
    "newspaper JSON, page data": "id title author editor publisher copyright date notes circles",
    "newspaper JSON, oldest": "title author editor copyright date notes circles",
    "XWord Info JSON": "title author editor publisher copyright date notes circles",
    "Crosshare, page": "id title author copyright notes circles",
    "Crosshare, record": "title author notes circles",
    "PuzzleMe JSON": "title author copyright date notes circles",
    "PuzzleMe, rawc": "title author copyright date notes circles",
    "Wall Street Journal JSON": "title author publisher date notes circles",
    "Washington Post JSON": "title author copyright date notes circles",
    "Puzzmo JSON": "id title author editor publisher copyright date notes circles",
    "CrossFire": "title author copyright notes circles",
    "pzzl text": "id title author date notes circles",
    "Across Lite text": "title author copyright notes circles",
    ".jpz, zipped": "id title author editor publisher copyright date notes circles",
    ".jpz, gzipped": "id title author editor publisher copyright date notes circles",
}
"""What each shape has a place for."""


@pytest.mark.parametrize("shape", ABOUT)
def test_a_shape_is_read_with_everything_it_holds(shape):
    found = read_puzzle(SHAPES[shape](RICH))
    assert (found.grid, found.clues, found.solution) == (RICH.grid, RICH.clues, RICH.solution)
    assert {name: getattr(found, name) for name in ABOUT[shape].split()} == {
        name: getattr(RICH, name) for name in ABOUT[shape].split()
    }
    assert found.left_out == ()


def test_guardian_entries_make_the_grid():
    found = read_puzzle(SHAPES["Guardian JSON"](dataclasses.replace(RICH, solution=MINI.solution)))
    assert (found.grid, found.clues, found.solution) == (MINI.grid, MINI.clues, MINI.solution)
    assert (found.title, found.author, found.id, found.date) == (RICH.title, RICH.author, "42", RICH.date)


@pytest.mark.parametrize("shape", ["Uclick JSON", "Uclick XML"])
def test_letters_of_uclick_make_the_grid(shape):
    found = read_puzzle(SHAPES[shape](dataclasses.replace(RICH, solution=MINI.solution)))
    assert (found.grid, found.clues, found.solution) == (MINI.grid, MINI.clues, MINI.solution)
    assert [getattr(found, name) for name in ("title", "author", "editor", "copyright", "date")] == [
        "Café & bar",
        "A. Setter",
        "E",
        "© me",
        "2026-11-22",
    ]
    assert found.left_out == ()


BARS = dataclasses.replace(
    MINI, clues=(), **{name: with_bars(getattr(MINI, name), {2: "R", 3: "B"}) for name in ("grid", "solution")}
)


@pytest.mark.parametrize("shape", ["XWord Info JSON", "Crosshare, page", "Washington Post JSON", "PuzzleMe JSON"])
def test_bars_are_read(shape):
    found = read_puzzle(SHAPES[shape](BARS))
    assert (found.grid, found.solution) == (BARS.grid, BARS.solution)
    assert found.grid.bars


@pytest.mark.parametrize("shape", [shape for shape in ABOUT if shape != ".jpz, zipped" and "rawc" not in shape])
def test_shading_is_kept_where_circles_would_be(shape):
    marked = dataclasses.replace(RICH, circles=frozenset(), shaded=frozenset({3}))
    if any(name in shape for name in ("XWord", "Lite", "CrossFire")):
        pytest.skip("this shape has one kind of mark")
    assert read_puzzle(SHAPES[shape](marked)).shaded == {3}


def reread(text, *changes):
    """Change a text, and return the puzzle that it is, or the message if it is refused."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    try:
        return read_puzzle(text, name="x")
    except FormatError as error:
        return str(error)


def changed(shape, change):
    """Change the JSON of a shape, and return it, or the message if it is refused."""
    document = json.loads(SHAPES[shape](MINI if shape in {"Guardian JSON", "Uclick JSON"} else RICH))
    change(document)
    return reread(json.dumps(document))


def puzzle_of(document):
    return document["props"]["pageProps"]["puzzle"]


def inside(document):
    return document["data"]["startOrFindGameplay"]["gamePlayed"]["puzzle"]


@pytest.mark.parametrize(
    ("shape", "change", "wanted"),
    [
        ("XWord Info JSON", lambda d: d["gridnums"].__setitem__(3, 9), "a clue for 2D, but the grid has"),
        ("XWord Info JSON", lambda d: d["size"].update(cols=7), "grid: expected "),
        ("XWord Info JSON", lambda d: d.update(rbars=[1] * 99), "rbars: expected 25 marks"),
        ("XWord Info JSON", lambda d: d["clues"]["down"].append("x"), "expected a clue such as 1. text, found 'x'"),
        (
            "Crosshare, page",
            lambda d: puzzle_of(d)["clues"].append({"num": 99, "dir": 1, "clue": "x"}),
            "a clue for 99D",
        ),
        ("Crosshare, page", lambda d: puzzle_of(d).update(vBars=[99]), "vBars: expected cells from 0 to 24"),
        ("Crosshare, record", lambda d: d["an"].pop(), "an: expected a number for each of"),
        ("Guardian JSON", lambda d: d["entries"][0].update(length=40), "expected an entry inside the grid"),
        ("Guardian JSON", lambda d: d["entries"][0].update(number=3), "column 3 is numbered 3 and 1"),
        (
            "Guardian JSON",
            lambda d: d["entries"][0].update(solution="ZZZZZ"[: d["entries"][0]["length"]]),
            "where it crosses",
        ),
        ("PuzzleMe JSON", lambda d: d["placedWords"][0].update(x=3, y=1), "expected a word inside the grid"),
        ("PuzzleMe JSON", lambda d: d["cellInfos"][2].update(rightWall=True), "are not a slot of the grid"),
        ("PuzzleMe JSON", lambda d: d["box"].append([]), "box: expected 1 to 30 columns"),
        ("PuzzleMe, rawc", lambda d: d.update(rawc="x" + d["rawc"]), "rawc: expected a puzzle in Base64"),
        ("PuzzleMe, rawc", lambda d: d.update(rawc="é"), "a scrambled one: only its page can open it"),
        ("newspaper JSON, page data", lambda d: d["gamePageData"].update(clueLists=[]), "expected Across or Down"),
        (
            "Wall Street Journal JSON",
            lambda d: d["data"].pop("grid"),
            "expected a crossword with grid, found another kind",
        ),
        (
            "Wall Street Journal JSON",
            lambda d: d["data"]["copy"]["clues"][0].update(title="X"),
            "expected Across or Down",
        ),
        ("Washington Post JSON", lambda d: d.update(width=0), "cells: expected 1 to 30 cells a side"),
        ("Washington Post JSON", lambda d: d["words"][0].update(indexes=[2, 4]), "or leave cells out are not read"),
        (
            "Washington Post JSON",
            lambda d: (d["words"].pop(0), d["words"][0].pop("indexes")),
            "words across: expected 5 clues",
        ),
        ("Uclick JSON", lambda d: d.update(AcrossClue="one|x"), "AcrossClue: expected a whole number, found 'one'"),
        ("Uclick JSON", lambda d: d.update(AcrossClue="01 x"), "AcrossClue: expected a whole number, found '01 x'"),
        ("Uclick JSON", lambda d: d.update(AcrossClue="01"), "AcrossClue: expected lines such as 01|text"),
        ("Puzzmo JSON", lambda d: inside(d).update(puzzle="A1. x ~ NO"), "expected a grid, found none"),
        ("newspaper JSON, oldest", lambda d: d["results"][0]["puzzle_data"]["answers"].pop(), "as in the layout"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(shape, change, wanted):
    assert wanted in changed(shape, change)


@pytest.mark.parametrize(
    ("shape", "change", "left_out"),
    [
        ("XWord Info JSON", lambda d: d.update(mood="good"), ("mood",)),
        ("Crosshare, page", lambda d: puzzle_of(d)["clues"][0].update(explanation="why"), ("explanation",)),
        ("Guardian JSON", lambda d: d["entries"][0].update(separatorLocations={",": [2]}), ("separatorLocations",)),
        ("PuzzleMe JSON", lambda d: d.update(imagesInGrid=[{"image": "x"}]), ("imagesInGrid",)),
        (
            "PuzzleMe JSON",
            lambda d: [d["cellInfos"][at].update(bgColor=colour) for at, colour in ((2, "red"), (3, "blue"))],
            ("the colours of shaded cells",),
        ),
    ],
)
def test_what_is_not_read_is_named(shape, change, left_out):
    assert changed(shape, change).left_out == left_out


def test_letters_that_a_file_gives_are_given():
    given = dataclasses.replace(MINI, grid=MINI.grid.fill({2: MINI.solution.cells[2]}))
    assert read_puzzle(SHAPES["PuzzleMe JSON"](given)).grid == given.grid
    assert read_puzzle(SHAPES[".jpz, gzipped"](given)).grid == given.grid


def jpz(*changes):
    """Change the text of a .jpz file, and return what is read."""
    return reread(write_puzzle(RICH, "jpz").decode(), *changes)


def test_words_of_a_jpz_may_be_ranges_with_markup_and_entities_in_clues():
    text = MINI.clue("1A")
    first = MINI.grid.slot("1A").cells
    cells = "".join(f'<cells x="{cell + 1}" y="1" />' for cell in first)
    word = f'<word id="1">{cells}</word>'
    ranged = f'<word id="1" x="{first[0] + 1}-{first[-1] + 1}" y="1"/>'
    found = jpz((word, ranged), (f">{text}<", "><i>Caf&eacute;</i> &amp; <b>bar</b> &unknown;<"))
    assert found.clue("1A") == "Café & bar &unknown;"
    assert found.clues[1:] == MINI.clues[1:]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("<crossword>", "<acrostic>", "expected XML: mismatched tag"),
        ('<cell x="1" y="1"', '<cell x="99" y="1"', "expected a cell inside"),
        ("<?xml", "<!DOCTYPE x><?xml", "expected XML without a document type"),
        (' number="1"', ' number="1" right-bar="true"', "are not a slot of the grid"),
        (' number="1"', ' number="7"', "grid: two slots are called 7A"),
        (' number="1"', ' number="77"', "this clue is numbered 1, its slot is 77A"),
        ('word="1"', 'word="one"', "expected the id of a word, found 'one'"),
    ],
)
def test_a_jpz_that_does_not_fit_is_refused_with_its_place(old, new, wanted):
    assert wanted in jpz((old, new))


def test_a_letter_of_a_jpz_that_belongs_to_the_clue_is_given():
    found = jpz((' solution="', ' type="clue" solve-state="J" solution="'))
    assert found.grid.cells[2] == MINI.solution.cells[2]
    assert (found.solution, found.left_out) == (RICH.solution, ())


def test_other_puzzles_of_crossword_compiler_are_named():
    text = write_puzzle(RICH, "jpz").decode().replace("crossword>", "acrostic>")
    with pytest.raises(FormatError, match="expected a crossword, found acrostic"):
        read_puzzle(text)


def test_letters_entered_into_a_jpz_are_progress():
    found = jpz((' solution="', ' solve-state="X" solution="'))
    assert (found.progress, found.grid, found.left_out) == (RICH.grid.fill({2: "X"}), RICH.grid, ())


def test_a_damaged_or_bloated_archive_is_refused():
    whole = jpz_zipped(RICH)
    central = whole.replace(b"PK\x01\x02", b"PK\x01\x02" + b"\xff" * 9)  # an offset beyond the file
    for data, wanted in (
        (whole[:100], "found a damaged one"),
        (central, "found a damaged one"),
        (b"\x1f\x8bnothing", "found a damaged one"),
    ):
        with pytest.raises(FormatError, match=wanted):
            read_puzzle(data)
    with pytest.raises(FormatError) as error:  # the name in the header takes up half of the file
        read_puzzle(whole[:26] + b"\x90\x01" + whole[28:])
    assert len(str(error.value)) < 200
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.xml", b"<crossword-compiler>" + b" " * 5_000_000)
    with pytest.raises(FormatError, match="expected at most 4,000,000 bytes of XML"):
        read_puzzle(bomb.getvalue())


def test_of_an_archive_the_one_puzzle_is_read_and_anything_else_named():
    def packed(**files):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return data.getvalue()

    xml = write_puzzle(RICH, "jpz")
    assert read_puzzle(packed(readme="Enjoy", puzzle=xml)).grid == RICH.grid
    for files, wanted in (
        ({"one": xml, "two": xml}, "found 2 puzzles: unpack it and name one file"),
        ({"one.xd": "NO\nOH"}, "found an archive of other files ('one.xd'): unpack it"),
    ):
        with pytest.raises(FormatError) as error:
            read_puzzle(packed(**files))
        assert wanted in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("<SIZE>\n5x5", "<SIZE>\n9x9", "<SIZE>: expected the size 5x5 of the grid, found '9x9'"),
        ("<DOWN>\n", "<DOWN>\nOne more\n", "<DOWN>: expected 5 clues, found 6"),
        ("MARK;", "MARK;\nnonsense", "expected a rebus such as 1:HEART:H, found 'nonsense'"),
        ("<TITLE>", "Hello\n<TITLE>", "line 2: expected a section such as <TITLE>, found 'Hello'"),
    ],
)
def test_an_across_lite_text_that_does_not_fit_is_refused(old, new, wanted):
    text = SHAPES["Across Lite text"](RICH).decode()
    assert old in text
    with pytest.raises(FormatError) as error:
        read_puzzle(text.replace(old, new))
    assert wanted in str(error.value)


def altered(shape, *changes):
    """Change the text of a shape, and return what is read."""
    return reread(SHAPES[shape](RICH if shape != "Uclick XML" else MINI).decode(), *changes)


@pytest.mark.parametrize(
    ("shape", "old", "new", "wanted"),
    [
        ("CrossFire", 'width="5"', 'width="4"', "GRID.width: expected 5 as in the rows, found 4"),
        ("CrossFire", 'dir="ACROSS"', 'dir="UP"', "expected ACROSS or DOWN, found 'UP'"),
        ("CrossFire", "<GRID", "<GRILLE", "expected XML: mismatched tag"),
        ("Uclick XML", 'cn="1"', 'cn="9"', "is numbered 9 and 1"),
        ("Uclick XML", 'n="3"', 'n="99"', "clues: numbers are of cells of the grid"),
        ("Uclick XML", 'v="5"', 'v="4"', "expected 20 cells for 4x5, found 25"),
        ("pzzl text", "\n\n5\n\n5\n\n", "\n\n6\n\n5\n\n", "expected 6 cells in a row, found 5"),
        ("pzzl text", "\n\n5\n\n5\n\n", "\n\n5\n\n4\n\n", "expected"),
    ],
)
def test_a_text_that_does_not_fit_is_refused_with_its_place(shape, old, new, wanted):
    assert wanted in altered(shape, (old, new))


def test_empty_cells_of_crossfire_are_empty():
    text = SHAPES["CrossFire"](dataclasses.replace(MINI, title="")).decode()
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        rows = text.partition("<GRID")[2].partition("</GRID>")[0]
        text = text.replace(rows, rows.replace(letter, " "))
    found = read_puzzle(text)
    assert (found.grid, found.clues, found.solution) == (MINI.grid, MINI.clues, None)


def test_words_without_indexes_stand_in_the_order_of_their_slots():
    document = json.loads(SHAPES["Washington Post JSON"](RICH))
    for word in document["words"]:
        del word["indexes"]
    assert read_puzzle(json.dumps(document)).clues == RICH.clues


def test_a_puzzle_of_the_journal_without_its_solution_is_read():
    document = json.loads(SHAPES["Wall Street Journal JSON"](RICH))["data"]
    for row in document["grid"]:
        for cell in row:
            cell["Letter"] = ""
    found = read_puzzle(json.dumps(document))
    assert (found.grid, found.clues, found.solution, found.circles) == (RICH.grid, RICH.clues, None, RICH.circles)


def test_a_page_of_puzzmo_may_stand_alone():
    document = inside(json.loads(SHAPES["Puzzmo JSON"](RICH)))
    assert read_puzzle(json.dumps(document)).clues == RICH.clues


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<puzzle><metadata/><solution>A</solution><gridkey>1 2</gridkey></puzzle>", "found an acrostic (.apz)"),
        ("title: T\nrows:\n  - - clue: c\n      answer: A\nlight:\n  - clue: c\n    answer: B", "a Rows Garden (.rg)"),
        ("#QXW2v3 http://www.quinapalus.com\nGP 0 5 5", "a file of the editor Qxw: export its clues"),
        ("%PDF-1.7\nAcross\n1. x", "a PDF: copy the clues out of it"),
    ],
)
def test_other_files_are_refused_by_name(text, wanted):
    with pytest.raises(FormatError, match=re.escape(wanted)):
        read_puzzle(text)
