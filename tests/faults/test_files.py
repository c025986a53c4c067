"""Malformed puzzle files of every format through the command line: exit code 3 and one line, never a traceback."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from agent.api import open_puzzle
from agent.cli import app
from agent.formats import write_puzzle

DATA = Path(__file__).parents[2] / "data" / "minis"
FORMATS = {"xd": "xd", "ipuz": "ipuz", "puz": "puz", "json": "json", "text": "txt"}
PUZZLE = open_puzzle(DATA / "tiny-01.xd")
WHOLE = {name: write_puzzle(PUZZLE, name) for name in FORMATS}
NYT = {
    "body": [
        {
            "dimensions": {"width": 2, "height": 1},
            "cells": [{"answer": "A", "label": "1", "clues": [0]}, {"answer": "T", "clues": [0]}],
            "clues": [{"direction": "Across", "label": "1", "text": [{"plain": "Not away from"}], "cells": [0, 1]}],
        }
    ]
}

FEW = settings(
    max_examples=settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def convert(path, out):
    """Read a file through the command; it must end as documented, whatever its content."""
    result = CliRunner().invoke(app, ["convert", str(path), str(out)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in {0, 2, 3}, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    if result.exit_code == 3:
        assert result.stderr.startswith(f"gridwright: {path}: ")
        assert result.stderr.count("\n") == 1
    return result


@st.composite
def damaged(draw, whole):
    """Cut, double, drop or replace a part of a file."""
    start = draw(st.integers(0, len(whole)))
    end = draw(st.integers(start, min(len(whole), start + 40)))
    part = draw(st.sampled_from([b"", whole[start:end] * 2, b"\xff\x00", b'"', b"{}", b"-1", b"99999999999", b"null"]))
    return whole[:start] + part + draw(st.sampled_from([whole[end:], b""]))


@pytest.mark.parametrize("kind", FORMATS)
@FEW
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_in_one_line(kind, data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    path = folder / f"damaged.{FORMATS[kind]}"
    path.write_bytes(data.draw(damaged(WHOLE[kind])))
    convert(path, folder / "out.json")


@FEW
@given(data=st.data())
def test_a_damaged_newspaper_file_is_read_or_refused_in_one_line(data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    (folder / "damaged.json").write_bytes(data.draw(damaged(json.dumps(NYT).encode())))
    convert(folder / "damaged.json", folder / "out.json")


@FEW
@given(content=st.binary(max_size=200))
def test_bytes_that_are_not_a_puzzle_are_refused_in_one_line(content, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    (folder / "noise.bin").write_bytes(content)
    convert(folder / "noise.bin", folder / "out.json")


MALFORMED = {
    "empty": b"",
    "binary": b"\x00\x01\x02\xff",
    "prose": b"Dear all, there is no crossword today.",
    "half an ipuz": WHOLE["ipuz"][:100],
    "half a puz": WHOLE["puz"][:60],
    "a JSON list of numbers": b"[1]",
    "JSON of something else": b'{"name": "x"}',
    "ipuz with ragged rows": b'{"version": "http://ipuz.org/v2", "dimensions": {"width": 2, "height": 2},'
    b' "puzzle": [[1, 2], [3]]}',
    "xd with ragged rows": WHOLE["xd"].replace(b"HAVE", b"HAV"),
    "an NYT file without cells": json.dumps(
        {"body": [{"dimensions": {"width": 2, "height": 1}, "clues": []}]}
    ).encode(),
    "deep JSON": b"[" * 100_000,
}


@pytest.mark.parametrize("command", ["solve", "candidates", "evaluate", "convert"])
@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_file_is_exit_3_and_says_what_was_expected(run, tmp_path, kind, command):
    path = tmp_path / "today.file"
    path.write_bytes(MALFORMED[kind])
    result = run(command, path, *((tmp_path / "out.xd",) if command == "convert" else ()), code=3)
    assert result.stdout == ""
    assert result.stderr.startswith(f"gridwright: {path}: ")
    assert "expected" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_scrambled_puz_is_solved_and_says_that_it_is_locked(run, tmp_path, clues):
    import puz

    scrambled = puz.load(WHOLE["puz"])
    scrambled.lock_solution(1234)
    scrambled.save(str(tmp_path / "locked.puz"))
    result = run("solve", tmp_path / "locked.puz", "--clue-set", clues)
    assert result.stderr == (
        f"{tmp_path / 'locked.puz'}: not read: the solution, which is scrambled: "
        "`gridwright convert --key` unlocks it\n"
    )
    run("convert", tmp_path / "locked.puz", tmp_path / "open.xd", "--key", "1234")
    assert open_puzzle(tmp_path / "open.xd").solution == PUZZLE.solution


def test_convert_names_what_a_format_cannot_hold(run, tmp_path):
    (tmp_path / "rich.json").write_text(
        '{"grid": ["N."], "solution": ["NO"], "clues": {}, "circles": [0], "notes": "Hi", "id": "x", "mood": "good"}'
    )
    result = run("convert", tmp_path / "rich.json", tmp_path / "out.puz")
    assert result.stderr == (
        f"{tmp_path / 'rich.json'}: not read: mood\n"
        f"{tmp_path / 'rich.json'}: no clue for 1A\n"
        f"{tmp_path / 'out.puz'}: a .puz file does not keep: id\n"
    )
    assert (
        "a .txt file does not keep: enough to be read back (expected clues"
        in run("convert", tmp_path / "rich.json", tmp_path / "out.txt").stderr
    )
