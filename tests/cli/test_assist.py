"""The commands for a person who solves: candidates, hint, check, verify."""

import json
import re
import threading
import time
from dataclasses import replace

import pytest

from agent.api import open_puzzle
from agent.formats import write_puzzle
from agent.testing import Canned, FakeOpenAI, completion
from tests.conftest import says_all

RIGHT = "STOP/HAVE/IDEA/PARK"


def test_candidates_of_a_clue_have_its_length(run):
    result = run("candidates", "Not out", "--length", "2", "--count", "3")
    heading, *rows = result.stdout.splitlines()
    assert heading == "clue  Not out (2)"
    assert [len(row.split()[0]) for row in rows] == [2, 2, 2]


def test_a_pattern_is_kept_to_and_gives_the_length(run):
    for pattern in ("N?L?AI", "n.l.ai", "n_l_ai"):
        listed = json.loads(run("candidates", "An Indian antelope", "--pattern", pattern, "--json").stdout)
        assert [found["answer"] for found in listed["clue"]] == ["NILGAI"]


def test_candidates_of_a_puzzle_come_slot_by_slot(run, tiny, clues):
    listed = json.loads(run("candidates", tiny, "--clue-set", clues, "--count", "2", "--json").stdout)
    assert list(listed) == ["1A", "5A", "6A", "7A", "1D", "2D", "3D", "4D"]
    assert listed["1A"][0]["answer"] == "STOP"
    assert listed["1A"][0]["source"] == "llm:recorded-2026-11"


@pytest.mark.parametrize(
    "wrong", [[], ["--length", "0"], ["--pattern", "A1?"], ["--pattern", "A??", "--length", "4"], ["--count", "0"]]
)
def test_candidates_without_a_usable_length_are_exit_2(run, wrong):
    assert run("candidates", "Not out", *wrong, code=2).stdout == ""


def test_candidates_wait_no_longer_than_the_users_patience(spawn):
    never = threading.Event()
    with FakeOpenAI(lambda _request: never.wait() and "") as server:
        ask = ("--providers", "llm,lexicon", "-m", "x", "--base-url", server.base_url)
        process = spawn("candidates", "Not out", "-n", "2", *ask, env={"GRIDWRIGHT_PATIENCE": "0.1"})
        stdout, stderr = process.communicate()
        never.set()
    assert process.returncode == 0
    assert "(2)" in stdout
    assert "cut short: patience (0.1 s) ran out before llm answered" in stderr


def test_candidates_are_exit_4_if_no_provider_can_answer(run):
    with FakeOpenAI([], key="right") as server:
        ask = ("--providers", "llm", "-m", "x", "--base-url", server.base_url)
        assert "no provider" in run("candidates", "Not out", "-n", 2, *ask, code=4).stderr


def letters(text):
    return [sign for sign in text.split("(")[0].partition(" is ")[2] if sign.isupper()]


def test_a_hint_is_exactly_one_letter(run, tiny, clues, puzzle):
    result = run("hint", tiny, "--clue-set", clues)
    slot, _, rest = result.stdout.partition(": letter ")
    position = int(rest.split()[0])
    assert letters(rest) == [puzzle.solution.answer(puzzle.grid.slot(slot))[position - 1]]
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_a_hint_in_json_gives_no_more_away(run, tiny, clues):
    hint = json.loads(run("hint", tiny, "4d", "--clue-set", clues, "--json").stdout)
    assert hint.keys() == {"slot", "position", "text", "probability", "source"}
    assert hint["slot"] == "4D"
    assert "PEAK"[hint["position"] - 1] == hint["text"]


def test_a_hint_is_a_letter_that_is_still_missing(run, tiny, clues):
    hint = json.loads(run("hint", tiny, "--grid", "STOP/HAVE/IDE./PARK", "--clue-set", clues, "--json").stdout)
    assert hint["text"] == "A"
    assert hint["slot"] in {"6A", "4D"}


def test_a_whole_answer_is_given_when_asked_for(run, tiny, clues):
    assert run("hint", tiny, "1D", "--whole", "--clue-set", clues).stdout.startswith("1D is SHIP ")


def test_a_full_grid_needs_no_hint(run, tiny, clues):
    result = run("hint", tiny, "--grid", RIGHT, "--clue-set", clues, code=1)
    assert result.stdout == ""
    assert "nothing is left" in result.stderr


@pytest.mark.parametrize("wrong", [["9D"], ["--whole"], ["--grid", "AB/CD"], ["--grid", "STOP/H#VE/IDEA/PARK"]])
def test_an_impossible_hint_is_exit_2(run, tiny, clues, wrong):
    assert run("hint", tiny, *wrong, "--clue-set", clues, code=2).stdout == ""


@pytest.fixture
def bare(puzzle, tmp_path):
    """Write the tiny puzzle without its official solution."""
    path = tmp_path / "bare.ipuz"
    path.write_bytes(write_puzzle(replace(puzzle, solution=None), "ipuz"))
    return str(path)


@pytest.fixture
def vague(puzzle, tmp_path):
    """Write it with clues that leave everything in doubt, too."""
    path = tmp_path / "vague.ipuz"
    clues = tuple(replace(clue, text="Thing") for clue in puzzle.clues)
    path.write_bytes(write_puzzle(replace(puzzle, solution=None, clues=clues), "ipuz"))
    return str(path)


def test_the_official_solution_finds_wrong_letters_by_itself(run, tiny):
    offline = ("--providers", "none", "--offline")
    result = run("check", tiny, "--grid", "STOP/HA.X/..../....", *offline, code=1)
    assert result.stdout == (
        "row 2, column 4: X: wrong, by the official solution\n7 cells compared with the official solution: 1 differs\n"
    )
    found = json.loads(run("check", tiny, "--grid", RIGHT, *offline, "--json").stdout)
    assert found["source"] == "official"
    assert {cell["judgement"] for cell in found["cells"]} == {"right"}
    assert len(found["cells"]) == 16
    assert not any("agent" in cell for cell in found["cells"])
    assert "(from the official solution)" in run("hint", tiny, *offline).stdout


@pytest.mark.parametrize("against", [[], ["--against", "agent"]])
def test_a_check_without_solution_shows_the_agents_grid(run, tiny, bare, clues, against):
    file = tiny if against else bare
    result = run("check", file, "--grid", "STOP/HA.X/..../....", "--clue-set", clues, *against)
    first, last = result.stdout.splitlines()
    assert first.startswith("row 2, column 4: X: the agent would write E here (")
    assert last == "7 cells compared with what the agent would write: 1 differs"
    found = json.loads(run("check", file, "--grid", RIGHT, "--clue-set", clues, *against, "--json").stdout)
    assert found["source"] == "agent"
    assert {cell["judgement"] for cell in found["cells"]} == {"same"}
    assert [cell["agent"] for cell in found["cells"]] == list(RIGHT.replace("/", ""))


def test_a_right_grid_that_the_agent_doubts_is_not_wrong(run, vague):
    shown = run("check", vague, "--grid", RIGHT, "--offline").stdout
    assert "the agent would write" in shown
    assert not re.search("wrong|right", shown)


def test_a_hint_that_is_a_guess_is_given_only_if_insisted_on(run, vague):
    slots = json.loads(run("solve", vague, "--offline", "--json", code=None).stdout)["slots"]
    least = min(slots, key=lambda slot: slot["probability"])
    ask = ("hint", vague, least["slot"], "--whole", "--offline")
    refused = run(*ask, code=1)
    assert refused.stdout == ""
    assert re.fullmatch(
        rf"gridwright: {least['slot']}: not sure enough to say \(<?\d+ %\); --guess gives it anyway\n", refused.stderr
    )
    given = run(*ask, "--guess").stdout
    assert re.fullmatch(rf"{least['slot']} is {least['answer']} \(<?\d+ %, a guess\)\n", given)


def test_a_missing_official_solution_cannot_help(run, bare, tiny):
    assert "no official solution" in run("hint", bare, "--against", "official", code=2).stderr
    assert "must be official or agent, not me" in run("hint", tiny, "--against", "me", code=2).stderr


def test_a_grid_can_come_from_a_file(run, tiny, clues, tmp_path):
    (tmp_path / "mine.txt").write_text(RIGHT.replace("/", "\n"))
    assert run("verify", tiny, "--grid", tmp_path / "mine.txt", "--clue-set", clues).stdout == "verified\n"
    missing = run("verify", tiny, "--grid", tmp_path / "none.txt", "--clue-set", clues, code=2)
    assert "expected rows such as CAT/A.E, or a file of rows, found" in missing.stderr
    assert "mine.tx: " in run("verify", tiny, "--grid", "mine.tx", "--clue-set", clues, code=3).stderr


def test_a_grid_that_does_not_hold_is_shown_a_counter_example(run, tiny, clues):
    result = run("verify", tiny, "--grid", "STOP/HAVE/IDEA/PARX", "--clue-set", clues, code=1)
    assert "7A: PARX is not one of its answers" in result.stdout
    faults = json.loads(
        run("verify", tiny, "--grid", "STOP/HAVE/IDEA/PAR.", "--clue-set", clues, "--json", code=1).stdout
    )
    assert faults["verified"] is False
    assert "row 4 column 4: the cell is empty" in faults["faults"]


def test_the_grid_of_another_size_with_as_many_cells_is_refused(run, tiny, clues):
    wrong = "STOPHAVE/IDEAPARK"
    for command in ("hint", "check", "verify"):
        assert (
            "expected the puzzle's 4x4 cells" in run(command, tiny, "--grid", wrong, "--clue-set", clues, code=2).stderr
        )


def test_clues_alone_have_no_grid_to_verify(run):
    text = "Across\n1. Not out\n3. Not off\nDown\n1. At home\n2. Refusal\n"
    assert "found clues alone" in run("verify", "-", "--grid", "AB/CD", stdin=text, code=3).stderr


def test_a_hint_that_is_ended_hard_gives_no_grid_away(spawn, riddle):
    one = {"slots": [{"slot": "1A", "candidates": [{"answer": "MELT", "probability": 0.99}]}]}
    with FakeOpenAI([one, Canned(completion("late"), delay=600)]) as server:
        ask = ("--against", "agent", "-m", "x", "--base-url", server.base_url)
        process = spawn("hint", riddle, *ask)
        while len(server.chats) < 2 and process.poll() is None:
            time.sleep(0.02)
        while process.poll() is None:
            process.send_signal(2)  # again and again: the second ends it hard
            time.sleep(0.02)
        stdout, stderr = process.communicate()
    assert "interrupted" in stderr
    assert not re.search(r"^[A-Z#]+$", stdout, re.MULTILINE)


PUZZLES = {
    "sudoku": "..31\n....\n....\n34..\n",
    "nonogram": "1 1\n3\n\n2\n1\n2\n",
    "gogen": "A.C\n...\nG.I\n\nABC\nDEF\nGHI\nAD\nBE\nDG\nEH\nBF\nCF\nFI\n",
    "fillin": "#h#\n___\n#_#\n\nhat\nbag\n",
}


@pytest.fixture(params=PUZZLES)
def gridded(request, run, tmp_path):
    """Write a puzzle without clues: its file, its start and its solution as rows with slashes."""
    path = tmp_path / request.param
    path.write_text(PUZZLES[request.param])
    opened = open_puzzle(path)
    solved = json.loads(run("solve", path, "--json").stdout)
    assert solved["verified"]
    return path, list(opened.givens), solved["grid"]


def test_hints_of_cells_lead_to_the_only_solution(run, gridded):
    path, rows, solved = gridded
    while rows != solved:
        hint = json.loads(run("hint", path, "--grid", "/".join(rows), "--json").stdout)
        assert (hint["probability"], hint["source"]) == (1.0, "agent")
        row, column = hint["row"] - 1, hint["column"] - 1
        assert rows[row][column] in "._?"
        rows[row] = rows[row][:column] + hint["text"] + rows[row][column + 1 :]
    assert "nothing is left" in run("hint", path, "--grid", "/".join(rows), code=1).stderr


def test_a_hint_of_a_cell_is_named_as_on_the_page(run, gridded):
    path, *_ = gridded
    said = run("hint", path).stdout
    assert re.fullmatch(r"Row \d, column \d is (\w|filled|blank)\.\n", said)


def test_a_proved_solution_makes_cells_right_or_wrong(run, gridded):
    path, start, solved = gridded
    right = run("check", path, "--grid", "/".join(solved)).stdout
    assert right.endswith("cells compared with the only solution: 0 differ\n")
    row, column = next(
        (r, c) for r, line in enumerate(start) for c, cell in enumerate(line) if cell != "#" and cell != solved[r][c]
    )
    other = {"#": ".", ".": "#"}.get(solved[row][column]) or next(x for x in "12AB" if x != solved[row][column])
    rows = list(solved)
    rows[row] = rows[row][:column] + other + rows[row][column + 1 :]
    wrong = run("check", path, "--grid", "/".join(rows), code=1).stdout
    assert f"row {row + 1}, column {column + 1}: " in wrong
    assert "wrong, by the only solution" in wrong
    found = json.loads(run("check", path, "--grid", "/".join(rows), "--json", code=1).stdout)["cells"]
    assert [(one["row"], one["column"]) for one in found if one["judgement"] == "wrong"] == [(row + 1, column + 1)]
    assert not any("agent" in one for one in found), "the right content is not given away"


def test_the_checker_of_a_kind_verifies_a_filled_grid(run, gridded):
    path, start, solved = gridded
    assert run("verify", path, "--grid", "/".join(solved)).stdout == "verified\n"
    faults = json.loads(run("verify", path, "--grid", "/".join(start), "--json", code=1).stdout)
    assert faults["verified"] is False
    assert faults["faults"]


TWO = "1\n1\n\n1\n1\n"


def test_several_solutions_make_no_cell_wrong(run):
    assert "there may be others" in run("hint", "-", stdin=TWO).stdout
    assert json.loads(run("hint", "-", "--json", stdin=TWO).stdout)["probability"] is None
    shown = (
        run("check", "-", "--grid", ".#/??", stdin=TWO).stdout + run("check", "-", "--grid", "#./??", stdin=TWO).stdout
    )
    assert "the solution found has filled here" in shown
    assert not re.search("wrong|right", shown)
    for one in (".#/#.", "#./.#"):
        assert run("check", "-", "--grid", one, stdin=TWO).stdout == "4 cells compared with the rules: 0 differ\n"


def test_without_a_solution_there_is_no_help(run):
    for command in (["hint", "-"], ["check", "-", "--grid", "?/?"]):
        result = run(*command, stdin="1\n1\n\n0\n", code=1)
        assert result.stdout == ""
        assert "There is no solution." in result.stderr


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["hint", "-", "1A"], "a hint for a nonogram is a single cell"),
        (["hint", "-", "--against", "official"], "no official solution"),
        (["check", "-", "--grid", "#x/??"], "row 1, column 2: expected one of . # ?, found 'x'"),
        (["verify", "-", "--grid", "###/??"], "expected 2 rows of 2 cells, found rows of 3, 2"),
    ],
)
def test_a_request_that_does_not_fit_the_kind_is_exit_2(run, wrong, said):
    assert said in run(*wrong, stdin=TWO, code=2).stderr


@pytest.mark.parametrize(
    ("command", "helps"),
    [(["hint"], True), (["hint", "6A"], False), (["check", "--grid", "S.../..../..../...."], True)],
    ids=["hint", "a guess", "check"],
)
def test_help_after_ctrl_c_is_exit_130_and_how_sure_it_is(spawn, tiny, puzzle, command, helps):
    known = [slot for slot in says_all(puzzle)["slots"] if slot["slot"] == "1A"]
    with FakeOpenAI([{"slots": known}, Canned(completion("late"), delay=600)]) as server:
        ask = ("--against", "agent", "--providers", "llm", "-m", "x", "--base-url", server.base_url, "--quiet")
        process = spawn(command[0], tiny, *command[1:], *ask)
        while len(server.chats) < 2 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(2)
        stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    assert re.match(r"gridwright: interrupted: the best grid known by then is .* % sure as a whole\n", stderr)
    assert bool(stdout) == helps
