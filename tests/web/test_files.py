"""Exported files read back."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import puz
import pytest

from agent import kinds
from agent.api import open_puzzle, read_puzzle

DATA = Path(__file__).parents[2] / "data"
TEXT = """\
Across
1. Red octagon's word
5. Own
6. Brainchild
7. Place with swings
Down
1. Tibetan tea, for one
"""


@pytest.mark.parametrize("ending", ["puz", "ipuz", "xd", "json"])
def test_an_export_reads_back_with_its_filling(server, ending):
    original = open_puzzle(DATA / "minis" / "mini-01.xd")
    handle = server.open(example="mini-01")["id"]
    body = {"cells": list(original.solution.cells), "whose": "agent"}
    answer = server.ask(handle, f"export?format={ending}", **body)
    assert answer.headers["content-disposition"] == f'attachment; filename="nothing-but-net.{ending}"'
    back = read_puzzle(answer.content, name="back")
    assert (back.solution, back.clues) == (original.solution, original.clues)


def test_a_puz_file_carries_what_is_filled_in_so_far(server, tiny):
    cells = ["S", *tiny["cells"][1:]]
    content = server.ask(tiny["id"], "export?format=puz", cells=cells).content
    assert puz.load(content).fill == "S---" + "----" * 3


@pytest.mark.parametrize("ending", ["puz", "ipuz"])
def test_a_persons_letters_are_progress_and_not_the_solution(server, ending):
    original = open_puzzle(DATA / "minis" / "mini-01.xd")
    opened = server.open(example="mini-01")
    cells = ["A" if cell == "." else cell for cell in opened["cells"]]
    answer = server.ask(opened["id"], f"export?format={ending}", cells=cells)
    assert answer.headers["gridwright-lost"] in {"", "date"}
    back = read_puzzle(answer.content, name="back")
    assert back.solution == original.solution
    assert list(back.progress.cells) == cells
    again = server.open(answer.content)
    assert (again["progress"], again["official"]) == (cells, True)


def test_a_barred_grid_is_offered_in_the_formats_that_hold_it(server):
    clues = b'"clues": {"across": [[1, "a"], [2, "b"]]}}'
    opened = server.open(b'{"grid": ["...."], "solution": ["ASIT"], "bars": [[1, 2]], ' + clues)
    assert opened["bars"] == [[1, 2]]
    assert opened["exports"] == ["jpz", "json", "ipuz", "svg"]
    exported = server.ask(opened["id"], "export?format=ipuz", cells=["A", ".", ".", "."])
    assert read_puzzle(exported.content).progress.bars == {(1, 2)}
    assert server.ask(opened["id"], "check", cells=["A", ".", ".", "."]).ok


def test_a_grids_own_numbers_are_shown_and_kept(server):
    opened = server.open(
        b'{"grid": ["...."], "solution": ["ASIT"], "numbers": [[0, 7]], "clues": {"across": [[7, "a"]]}}'
    )
    assert (opened["numbers"], [slot["name"] for slot in opened["slots"]]) == ({"0": 7}, ["7A"])
    assert opened["exports"] == ["jpz", "json", "ipuz", "svg"]
    exported = server.ask(opened["id"], "export?format=jpz", cells=["A", ".", ".", "."])
    assert read_puzzle(exported.content).grid.numbers == ((0, 7),)
    assert server.ask(opened["id"], "check", cells=["A", ".", ".", "."]).ok


@pytest.mark.parametrize("ending", ["xd", "txt"])
def test_what_a_format_cannot_hold_is_reported(server, ending):
    opened = server.open(example="mini-01")
    cells = ["A" if cell == "." else cell for cell in opened["cells"]]
    answer = server.ask(opened["id"], f"export?format={ending}", cells=cells)
    assert "the letters written so far" in answer.headers["gridwright-lost"]


def test_the_text_export_is_clue_text(server, tiny):
    text = server.ask(tiny["id"], "export?format=txt", cells=tiny["cells"]).text
    assert "Red octagon's word" in text


@pytest.mark.parametrize("example", ["tiny-01", "made-1", "rand-5x5-k3-m4-s116", "rand25-s4", "sudoku-12x12-1"])
def test_every_kind_is_drawn_as_svg(server, example):
    opened = server.open(example=example)
    answer = server.ask(opened["id"], "export?format=svg", cells=opened["cells"])
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ET.fromstring(answer.text)  # noqa: S314 - it is our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not [element for element in root.iter() if element.tag.endswith("script")]


def test_the_picture_of_an_answer_can_show_how_sure_it_is(server):
    opened = server.open(example="mini-01")
    before = server.ask(opened["id"], "export?format=svg", cells=opened["cells"], confidence=True).text
    assert "% sure" not in before
    cells = server.solve(opened["id"], providers=["lexicon"])[-1][1]["cells"]
    assert "% sure" in server.ask(opened["id"], "export?format=svg", cells=cells, confidence=True).text
    other = ["#" if cell == "#" else "Q" for cell in cells]
    assert "% sure" not in server.ask(opened["id"], "export?format=svg", cells=other, confidence=True).text
    assert "% sure" not in server.ask(opened["id"], "export?format=svg", cells=cells).text


@pytest.mark.parametrize("example", ["tiny-01", "rand25-s4"])
def test_an_answer_can_be_exported_as_a_report(server, example):
    opened = server.open(example=example)
    assert "html" not in opened["exports"]
    assert server.ask(opened["id"], "export?format=html", cells=opened["cells"]).status_code == 422
    end = server.solve(opened["id"], providers=["lexicon"])[-1][1]
    assert "html" in end["exports"]
    answer = server.ask(opened["id"], "export?format=html", cells=opened["cells"])
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.text.startswith("<!doctype html>")
    assert end["summary"] in answer.text


def test_a_letter_that_is_markup_is_escaped_in_the_picture(server):
    handle = server.open(b'{"grid": ["..", ".."], "clues": {"across": [[1, "x"]]}}')["id"]
    answer = server.ask(handle, "export?format=svg", cells=["<&", "B", ".", "."])
    assert answer.status_code == 422 or ET.fromstring(answer.text) is not None  # noqa: S314 - it is our own


@pytest.mark.parametrize("example", ["made-1", "rand-5x5-k3-m4-s116", "rand25-s4", "sudoku-9x9-1"])
def test_other_kinds_are_exported_as_their_json(server, example):
    opened = server.open(example=example)
    answer = server.ask(opened["id"], "export?format=json", cells=opened["cells"])
    assert server.open(answer.content)["cells"] == opened["cells"]
    assert kinds.detect(answer.content) == opened["kind"]
    assert server.ask(opened["id"], "export?format=puz", cells=opened["cells"]).status_code == 422


@pytest.mark.parametrize("name", ["", "exe", "../puz", "p" * 500])
def test_an_unknown_format_is_refused(server, tiny, name):
    answer = server.ask(tiny["id"], f"export?format={name}", cells=tiny["cells"])
    assert answer.status_code == 422
    assert "puz" in answer.json()["error"]


def test_clues_without_a_grid_cannot_be_exported_yet(server):
    answer = server.ask(server.open(TEXT.encode())["id"], "export?format=xd", cells=[])
    assert answer.status_code == 422
    assert "solve them first" in answer.json()["error"]


def test_a_title_never_gets_into_the_head_of_an_answer(server):
    evil = 'a"; filename="x.exe\r\nX-Evil: 1'
    handle = server.open(json.dumps({"title": evil, "grid": [".."], "clues": {"across": [[1, "x"]]}}).encode())["id"]
    answer = server.ask(handle, "export?format=xd", cells=[".", "."])
    assert "x-evil" not in answer.headers
    assert re.fullmatch(r'attachment; filename="[a-z0-9-]+\.xd"', answer.headers["content-disposition"])
