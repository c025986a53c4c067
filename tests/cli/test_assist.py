"""The commands for somebody who solves alone: candidates, hint, check, verify."""

import json

import pytest

from agent.testing import FakeOpenAI

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


def test_candidates_are_exit_4_where_nobody_can_answer(run):
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
    assert hint.keys() == {"slot", "position", "text", "probability"}
    assert hint["slot"] == "4D"
    assert len(hint["text"]) == 1


def test_a_hint_is_a_letter_that_is_still_missing(run, tiny, clues):
    hint = json.loads(run("hint", tiny, "--grid", "STOP/HAVE/IDE./PARK", "--clue-set", clues, "--json").stdout)
    assert hint["text"] == "A"
    assert hint["slot"] in {"6A", "4D"}


def test_a_whole_answer_is_given_when_asked_for(run, tiny, clues):
    assert run("hint", tiny, "1D", "--whole", "--clue-set", clues).stdout.startswith("1D: is SHIP ")


def test_a_full_grid_needs_no_hint(run, tiny, clues):
    result = run("hint", tiny, "--grid", RIGHT, "--clue-set", clues, code=1)
    assert result.stdout == ""
    assert "nothing is left" in result.stderr


@pytest.mark.parametrize("wrong", [["9D"], ["--whole"], ["--grid", "AB/CD"], ["--grid", "STOP/H#VE/IDEA/PARK"]])
def test_a_hint_that_cannot_be_is_exit_2(run, tiny, clues, wrong):
    assert run("hint", tiny, *wrong, "--clue-set", clues, code=2).stdout == ""


def test_wrong_letters_are_found_and_only_they(run, tiny, clues):
    result = run("check", tiny, "--grid", "STOP/HA.X/..../....", "--clue-set", clues, code=1)
    assert result.stdout == "row 2 column 4: X is wrong\n7 cells checked, 1 not confirmed\n"
    cells = json.loads(run("check", tiny, "--grid", RIGHT, "--clue-set", clues, "--json").stdout)["cells"]
    assert {cell["judgement"] for cell in cells} == {"fine"}
    assert len(cells) == 16


def test_a_grid_can_come_from_a_file(run, tiny, clues, tmp_path):
    (tmp_path / "mine.txt").write_text(RIGHT.replace("/", "\n"))
    assert run("verify", tiny, "--grid", tmp_path / "mine.txt", "--clue-set", clues).stdout == "verified\n"
    missing = run("verify", tiny, "--grid", tmp_path / "none.txt", "--clue-set", clues, code=2)
    assert "is no readable file, and as rows" in missing.stderr
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
