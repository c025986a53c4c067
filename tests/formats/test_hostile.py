"""Any file reads as a puzzle or raises FormatError: never another exception, never a long wait."""

from __future__ import annotations

import copy
import io
import json
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.api import open_puzzle, read_puzzle
from agent.errors import FormatError
from agent.formats import read_puzzles, write_puzzle
from agent.formats.instance import CandidateInstance
from agent.grid import Clue, Grid, Puzzle

FORMATS = ("xd", "ipuz", "puz", "json", "text")
MINI = Path(__file__).parents[2] / "data" / "minis" / "mini-09.xd"
PUZZLE = open_puzzle(MINI)
REBUS = Puzzle(
    Grid.parse(".N\n.."), (Clue("1A", "Not yes"), Clue("2D", "Éclair")), solution=Grid(2, 2, ("HEART", "N", "O", "H"))
)


def nyt(puzzle: Puzzle) -> bytes:
    """Write a puzzle in the shape of newspapers' pages."""
    grid, cells, clues = puzzle.solution, [], []
    for index, cell in enumerate(grid.cells):
        label = {"label": str(grid.slot_numbers[index])} if index in grid.slot_numbers else {}
        cells.append({} if cell == "#" else {"answer": cell, "type": 1, "clues": [0, 1], **label})
    for slot in grid.slots:
        text = {"formatted": f"<i>{puzzle.clue(slot)}</i>", "plain": puzzle.clue(slot)}
        direction, label = slot.direction.title(), str(slot.number)
        clues.append({"cells": list(slot.cells), "direction": direction, "label": label, "text": [text]})
    board = {"cells": cells, "clues": clues, "dimensions": {"width": grid.width, "height": grid.height}}
    return json.dumps({"body": [board], "publicationDate": "2026-11-09", "constructors": ["a", "b"]}).encode()


INSTANCE = json.dumps(
    {"horizontal_answers": [["no"], ["oh"]], "vertical_answers": [["no"], ["oh"]], "goal_grids": [["no", "oh"]]}
).encode()

VALID = {
    f"{form} {name}": write_puzzle(p, form) for form in FORMATS for name, p in (("mini", PUZZLE), ("rebus", REBUS))
}
VALID |= {"newspaper": nyt(PUZZLE), "instance": INSTANCE}
DOCUMENTS = {name: json.loads(data) for name, data in VALID.items() if data.startswith(b"{")}

JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(["#", ".", "1", "0", 0, 1, 2, -1, 10**30, "A", "Across", [], {}]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=8,
)


def read_or_refuse(data: bytes) -> None:
    """Read all puzzles of some bytes; only FormatError may come."""
    try:
        list(read_puzzles(data, "hostile"))
    except FormatError as error:
        message = str(error)
    else:
        return
    assert message.startswith("hostile: ")
    assert len(message) < 500


@given(st.binary(max_size=400))
def test_random_bytes(data):
    read_or_refuse(data)


@given(st.text(max_size=400))
def test_random_text(text):
    read_or_refuse(text.encode("utf-8", "surrogatepass"))


@given(
    st.lists(
        st.sampled_from(
            [
                "Across",
                "Down",
                "1",
                "2.",
                "1A",
                "A1. x ~ Y",
                "##.",
                "AB",
                "Title: x",
                "## Grid",
                "",
                "1. (5)",
                "()",
                "ab (99,99)",
                "Rebus: 1=A",
                "Size: 0x0",
                "A1 ^x",
                "~",
                "--",
            ]
        ),
        max_size=12,
    )
)
def test_lines_in_any_order(lines):
    read_or_refuse("\n".join(lines).encode())


@given(st.sampled_from(sorted(VALID)), st.data())
@settings(max_examples=settings.default.max_examples * 2)
def test_valid_files_with_bytes_changed(name, data):
    damaged = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = min(len(damaged), start + data.draw(st.integers(0, 6)))
        damaged[start:end] = data.draw(st.binary(max_size=6))
    read_or_refuse(bytes(damaged))


@given(st.sampled_from(sorted(VALID)), st.data())
def test_files_cut_off(name, data):
    read_or_refuse(VALID[name][: data.draw(st.integers(0, len(VALID[name])))])


@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
@settings(max_examples=settings.default.max_examples * 2)
def test_wrong_types_in_json(name, data):
    document = copy.deepcopy(DOCUMENTS[name])
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or data.draw(st.integers(0, 2)) == 0:
            break
        place = place[key]
    place[key] = data.draw(JSON)
    read_or_refuse(json.dumps(document).encode())


@given(JSON)
def test_any_json(document):
    read_or_refuse(json.dumps(document).encode())
    read_or_refuse(json.dumps([document]).encode())


@given(st.binary(max_size=60), st.integers(0, 0xFFFF), st.integers(0, 255), st.integers(0, 255), st.integers(0, 999))
def test_puz_headers_that_lie_about_sizes(rest, checksum, width, height, clues):
    header = struct.pack(
        "<H12sHQ4s2sH12sBBHHH", checksum, b"ACROSS&DOWN\0", 0, 0, b"1.3\0", b"", 0, b"", width, height, clues, 1, 0
    )
    read_or_refuse(header + rest)


@given(st.integers(0, 255), st.integers(0, 255))
def test_puz_extensions_that_point_nowhere(key, mark):
    import puz

    file = puz.load(write_puzzle(REBUS, "puz"))
    file.extensions[b"GRBS"] = bytes([key, 0, mark])
    file.extensions[b"RTBL"] = b" 0:HEART;x:;"
    file.helpers.clear()
    read_or_refuse(file.tobytes())


def test_every_valid_file_is_read():
    for name, data in VALID.items():
        (found,) = read_puzzles(data, name)
        if not isinstance(found, CandidateInstance):
            assert found.clues == (REBUS if "rebus" in name else PUZZLE).clues


HUGE = {
    "deep list": b"[" * 200_000,
    "deep objects": b'{"grid":' * 100_000,
    "a huge width": b'{"body": [{"dimensions": {"width": 99999999999999999999, "height": 5}, "cells": []}]}',
    "many cells": b'{"body": [{"dimensions": {"width": 5, "height": 5}, "cells": [' + b"{}," * 100_000 + b"{}]}]}",
    "a long row": b'{"grid": ["' + b"." * 1_000_000 + b'"], "clues": {}}',
    "many rows": b'{"grid": [' + b'".",' * 100_000 + b'"."], "clues": {}}',
    "a number of 5000 digits": b'{"grid": ["..", ".."], "clues": {"across": [[1' + b"0" * 5000 + b', "x"]]}}',
    "one long line of blocks": b"#" * 250_000,
    "many rows of blocks": b"##\n" * 90_000,
    "digits": b"1" * 250_000,
    "parentheses": b"(1 " * 90_000,
    "lengths": b"Across\n1. " + b"(1,1" * 60_000,
    "digits and blanks": b"Across\n1. (" + b"1 " * 100_000,
    "open tags": b"Across\n1. " + b"<a " * 100_000,
    "blanks": b"Across\n1. " + b" " * 200_000 + b"x",
    "many clues": b"Across\n" + b"".join(b"%d. x\n" % n for n in range(1, 900)) * 2,
    "many lines": b"Across\n1. x\n" + b"x\n" * 100_000,
    "many numbers": b"1\n" * 100_000,
    "tildes": b"A1. " + b"~ " * 100_000,
    "markup": b"A1. " + b"{/" * 100_000 + b" ~ A",
    "punctuation": b"Across\n" + b"-" * 100_000,
    "many xd rows": b"AB\n" * 90_000 + b"A1. x ~ AB\n",
    "many xd clues": b"AB\n\n\n" + b"A1. x ~ AB\n" * 25_000,
    "headings for clues": b"Across\n" + b"1\nDown\n" * 40_000,
    "titles": b"a title\n" * 35_000,
    "more text than any puzzle has": b"Across\n1. x\n" * 100_000,
    "headers": b"ACROSS&DOWN\0" * 1000,
}


@pytest.mark.parametrize("data", HUGE.values(), ids=HUGE)
def test_huge_and_deep_files_are_refused_or_read_soon(data):
    read_or_refuse(data)


def test_a_file_that_never_ends_is_refused():
    with pytest.raises(FormatError, match="/dev/zero: expected at most 16,000,000 bytes"):
        open_puzzle("/dev/zero")


@pytest.mark.parametrize("place", ["missing.puz", ".", "a\0b"])
def test_a_folder_or_a_missing_file_is_refused(tmp_path, place):
    with pytest.raises(FormatError, match="found no readable file"):
        open_puzzle(str(tmp_path / place))


def test_stdin_is_read_for_a_dash(monkeypatch):
    with MINI.open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read())))
    assert open_puzzle("-") == PUZZLE


def test_the_name_of_a_file_says_nothing(tmp_path):
    for name, data in VALID.items():
        disguised = tmp_path / "today.puz"
        disguised.write_bytes(data)
        if name != "instance":
            assert open_puzzle(disguised).clues


@pytest.mark.parametrize("name", ["ipuz mini", "json mini"])
@pytest.mark.parametrize("before", ["x", "", "var puzzle = "])
def test_json_with_a_broken_beginning_is_named_as_such(name, before):
    content = VALID[name].decode().lstrip().removeprefix("{" if not before else "")
    with pytest.raises(
        FormatError, match=r"^a.ipuz: line 1, column 1: expected JSON, which begins with { or \[, found"
    ):
        read_puzzle(before + content, name="a.ipuz")


def test_a_repeated_clue_is_named_as_the_list_names_it():
    with pytest.raises(FormatError, match=r"a second clue for 2 \(the first is in line 5\)"):
        read_puzzle("1. One\n2. Two\n3. Three\n1. Four\n2. Five\n2. Six", name="list.txt")


def test_a_list_is_not_a_single_puzzle():
    with pytest.raises(FormatError, match=r"list.json: \[1\]: expected one puzzle, found 2"):
        read_puzzle(b"[" + VALID["json mini"] + b"," + VALID["json mini"] + b"]", name="list.json")
