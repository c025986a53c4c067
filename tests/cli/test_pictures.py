"""Pictures of solutions: SVG and HTML files, and the terminal during a solve and at the end."""

import json
import os
import pty
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from agent.draw.terminal import SHADES
from agent.testing import Canned, FakeDatamuse

ROOT = Path(__file__).parents[2]
KINDS = ["minis/tiny-01.xd", "fillin/rand-5x5-k3-m4-s116.json", "gogen/made-1.json", "nonograms/rand25-s0.json"]
SHADED = re.compile("|".join(re.escape(begin) for _, begin in SHADES))


@pytest.mark.parametrize("file", KINDS)
def test_every_kind_is_drawn_as_svg_and_as_a_page(run, tmp_path, file):
    picture, page = tmp_path / "p.svg", tmp_path / "p.html"
    answer = run("solve", ROOT / "data" / file, "--svg", picture, "--html", page).stdout
    assert re.search("^(Verified|Solved)", answer, re.MULTILINE)
    root = ET.fromstring(picture.read_text())  # noqa: S314 - our own file
    assert root.tag.endswith("svg")
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert text.count("<svg") >= 1


@pytest.mark.parametrize("file", KINDS)
def test_stdout_can_have_the_picture_in_place_of_the_answer(run, file):
    shown = run("solve", ROOT / "data" / file, "--svg", "-").stdout
    assert shown.startswith("<svg")
    assert shown.endswith("</svg>\n")
    assert run("solve", ROOT / "data" / file, "--html", "-").stdout.startswith("<!doctype html>")


def test_several_solutions_are_printed_below_each_other(run, tmp_path):
    puzzle = tmp_path / "n.txt"
    puzzle.write_text("1\n1\n\n1\n1\n")
    assert run("solve", puzzle, "--count", 5, "--svg", "-").stdout.count("<svg") == 3


@pytest.mark.parametrize("options", [["--svg", "-", "--json"], ["--svg", "-", "--html", "-"]])
def test_stdout_is_promised_once(run, tiny, options):
    result = run("solve", tiny, *options, code=2)
    assert "stdout carries one answer" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("option", ["--svg", "--html", "--save"])
def test_a_missing_folder_is_reported_before_the_work(run, tmp_path, option):
    result = run("solve", tmp_path / "none.xd", option, tmp_path / "no" / "p.xd", code=2)
    assert "there is no folder" in result.stderr


def test_the_official_solution_is_next_to_ours_in_the_page(run, tiny):
    assert "Official solution: " in run("solve", tiny, "--html", "-").stdout


def at_terminal(home, *arguments, stdout_too=True, **environment):
    """Run gridwright with a terminal for stderr (and stdout); returns the output on each of the two."""
    main, side = pty.openpty()
    command = [sys.executable, "-m", "agent", *map(str, arguments)]
    known = {**os.environ, **home, "TERM": "xterm-256color", "NO_COLOR": "", **environment}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=side if stdout_too else subprocess.PIPE, stderr=side, env=known
    ) as process:
        os.close(side)
        shown = b""
        while chunk := read(main):
            shown += chunk
        answer = process.stdout.read() if process.stdout else b""
    os.close(main)
    return shown.decode(), answer.decode()


def read(terminal: int) -> bytes:
    """Read from a terminal; on Linux its end is an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


@pytest.fixture
def vague(tiny, tmp_path):
    """Write the tiny puzzle with clues that leave all in doubt."""
    path = tmp_path / "vague.xd"
    path.write_text(re.sub(r"(?m)^([AD]\d+\.) .* ~", r"\1 Thing ~", Path(tiny).read_text("utf-8")), "utf-8")
    return str(path)


def test_a_terminal_shows_the_answer_shaded_by_doubt(home, vague):
    shown, _ = at_terminal(home, "solve", vague, "--offline")
    assert SHADED.search(shown)
    assert re.search(r"[a-z] \x1b\[0m\|", shown)  # and in lower case


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_turned_off(home, vague, environment):
    shown, _ = at_terminal(home, "solve", vague, "--offline", **environment)
    assert "Across" in shown
    assert not SHADED.search(shown)
    assert re.search(r"\| [a-z] \|", shown)


def test_a_pipe_gets_plain_text(run, tiny):
    assert "\x1b" not in run("solve", tiny).stdout


def test_a_slow_solve_shows_its_grid_on_stderr(home, tiny):
    slow = Canned([], delay=1.2)
    with FakeDatamuse({}, faults=[slow] * 4) as server:
        shown, answer = at_terminal(
            home, "solve", tiny, "--providers", "datamuse,lexicon", stdout_too=False, GRIDWRIGHT_DATAMUSE_URL=server.url
        )
    assert "|1  |2  |3  |4  |" in shown
    assert "looking for candidates" in shown
    assert "\x1b" not in answer
    assert answer.startswith("Tiny: Magic Words")


def test_a_quiet_solve_shows_the_answer_alone(home, tiny):
    slow = Canned([], delay=1.2)
    with FakeDatamuse({}, faults=[slow]) as server:
        shown, answer = at_terminal(
            home, "solve", tiny, "--providers", "datamuse,lexicon", "--json", "--quiet", stdout_too=False,
            GRIDWRIGHT_DATAMUSE_URL=server.url,
        )  # fmt: skip
    assert shown == ""
    assert json.loads(answer)["kind"] == "crossword"


def test_a_hint_never_shows_the_grid(home, tiny):
    slow = Canned([], delay=1.2)
    with FakeDatamuse({}, faults=[slow] * 4) as server:
        shown, _ = at_terminal(
            home, "hint", tiny, "--providers", "datamuse,lexicon", stdout_too=False, GRIDWRIGHT_DATAMUSE_URL=server.url
        )
    assert "+---+" not in shown
