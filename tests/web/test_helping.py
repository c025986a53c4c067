"""Hint, check and reveal over HTTP."""

from dataclasses import replace
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.formats import write_puzzle

TINY = open_puzzle(Path(__file__).parents[2] / "data" / "minis" / "tiny-01.xd")


def test_a_hint_gives_one_letter_of_the_official_solution_away(server, tiny, solved):
    given = server.ask(tiny["id"], "hint", cells=tiny["cells"]).json()
    assert given["source"] == "official"
    assert len(given["cells"]) == 1
    [(cell, letter)] = given["cells"].items()
    assert solved[int(cell)] == letter == given["text"]
    assert given["slot"] in given["sentence"]


def test_a_hint_can_be_for_one_slot_or_all_of_it(server, tiny, solved):
    given = server.ask(tiny["id"], "hint", cells=tiny["cells"], slot="4D").json()
    assert given["slot"] == "4D"
    whole = server.ask(tiny["id"], "hint", cells=tiny["cells"], slot="4D", step="word").json()
    assert whole["cells"] == {str(cell): solved[cell] for cell in (3, 7, 11, 15)}


def test_a_hint_from_the_agent_solves_the_puzzle_first(server):
    handle = server.open(example="mini-02")["id"]
    given = server.ask(handle, "hint", cells=server.open(example="mini-02")["cells"], against="agent").json()
    assert given["source"] == "agent"
    assert 0 < given["probability"] <= 1


def test_a_filled_grid_has_nothing_to_reveal(server, tiny, solved):
    answer = server.ask(tiny["id"], "hint", cells=list(solved))
    assert answer.status_code == 409
    assert "nothing is left" in answer.json()["error"]


def test_a_check_tells_wrong_from_right(server, tiny, solved):
    cells = [*solved[:15], "X"]
    cells[3] = "."
    said = server.ask(tiny["id"], "check", cells=cells).json()
    assert said["wrong"] == [15]
    assert said["right"] == [0, 1, 2, *range(4, 15)]
    assert said["sentence"] == "14 right (✓), 1 wrong (struck through), by the official solution."
    assert (said["complete"], said["verified"]) == (False, False)
    assert server.ask(tiny["id"], "check", cells=list(solved)).json()["verified"] is True


def test_small_letters_and_accents_count_as_their_capitals(server, tiny, solved):
    said = server.ask(tiny["id"], "check", cells=[cell.lower() for cell in solved]).json()
    assert said["verified"] is True


def test_of_a_rebus_the_first_letter_is_enough(server):
    data = b'{"grid": ["..", ".."], "solution": [["HEART", "O"], ["A", "T"]], "clues": {"across": [[1, "x"]]}}'
    handle = server.open(data)["id"]
    for first in ("HEART", "H"):
        assert server.ask(handle, "check", cells=[first, "O", "A", "T"]).json()["verified"] is True
    assert server.ask(handle, "reveal").json()["cells"]["0"] == "HEART"


def test_reveal_gives_a_slot_or_all(server, tiny, solved):
    whole = server.ask(tiny["id"], "reveal").json()["cells"]
    assert whole == {str(index): letter for index, letter in enumerate(solved)}
    assert list(server.ask(tiny["id"], "reveal", slot="1A").json()["cells"]) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("example", ["rand-5x5-k3-m4-s116", "made-1", "rand30-s1", "sudoku-6x6-1"])
def test_other_kinds_are_helped_with_too(server, example):
    opened = server.open(example=example)
    handle, cells = opened["id"], opened["cells"]
    given = server.ask(handle, "hint", cells=cells).json()
    cells = [given["cells"].get(str(index), cell) for index, cell in enumerate(cells)]
    said = server.ask(handle, "check", cells=cells).json()
    assert not said["wrong"]
    assert said["complete"] is False
    revealed = server.ask(handle, "reveal").json()["cells"]
    full = [revealed.get(str(index), cell) for index, cell in enumerate(opened["cells"])]
    said = server.ask(handle, "check", cells=full).json()
    assert (said["wrong"], said["other"], said["complete"], said["holds"]) == ([], {}, True, True)


def test_a_wrong_letter_of_a_unique_puzzle_is_surely_wrong(server):
    opened = server.open(example="made-1")
    revealed = server.ask(opened["id"], "reveal").json()["cells"]
    first, second = list(revealed)[:2]
    cells = list(opened["cells"])
    cells[int(first)] = revealed[second]
    assert server.ask(opened["id"], "check", cells=cells).json()["wrong"] == [int(first)]


def bare(puzzle, clue=None):
    """Write a puzzle without its official solution."""
    clues = puzzle.clues if clue is None else tuple(replace(one, text=clue) for one in puzzle.clues)
    return write_puzzle(replace(puzzle, solution=None, clues=clues), "ipuz")


def test_a_check_without_solution_shows_the_agents_grid(server, solved):
    handle = server.open(bare(TINY))["id"]
    body = {"cells": ["X", *solved[1:]], "providers": ["clueset"]}
    said = server.ask(handle, "check", **body).json()
    assert (said["source"], said["right"], said["wrong"]) == ("agent", [], [])
    assert said["same"] == list(range(1, 16))
    assert said["other"]["0"].startswith("the agent would write S here (")
    assert said["sentence"].startswith(
        "The agent has the same in 15 of 16 cells, and another in 1 (?). "
        "Row 1, column 1: the agent would write S here ("
    )
    whole = server.ask(handle, "check", cells=list(solved), providers=["clueset"]).json()
    assert (whole["complete"], whole["verified"], whole["agreed"]) == (True, False, True)
    assert whole["sentence"] == "Every cell is as the agent has it, and it is sure of each."
    part = server.ask(handle, "check", cells=[".", *solved[1:]], providers=["clueset"]).json()
    assert (said["agreed"], part["agreed"]) == (False, False)


def test_a_guess_is_given_only_if_it_is_asked_for(server):
    handle = server.open(bare(TINY, "Thing"))["id"]
    slots = server.solve(handle, providers=["lexicon"])[-1][1]["slots"]
    least = min(slots, key=lambda slot: slot["probability"])
    body = {"cells": ["."] * 16, "slot": least["slot"], "step": "word"}
    kept = server.ask(handle, "hint", **body).json()
    assert (kept["withheld"], kept["text"], kept["cells"]) == (True, "", {})
    assert kept["sentence"].startswith(f"{least['slot']}: not sure enough to say (")
    given = server.ask(handle, "hint", **body, guess=True).json()
    assert (given["withheld"], given["text"], len(given["cells"])) == (False, least["answer"], 4)
    assert given["sentence"].endswith("%, a guess)")


def test_a_reveal_comes_with_its_source(server, tiny):
    assert server.ask(tiny["id"], "reveal").json()["sentence"] == "Everything is filled in from the official solution."
    handle = server.open(bare(TINY, "Thing"))["id"]
    said = server.ask(handle, "reveal", providers=["lexicon"]).json()["sentence"]
    assert said.startswith("Everything is filled in as the agent has it: ")
    assert "Solved" not in said


@pytest.mark.parametrize(
    "body",
    [
        {"cells": None},
        {"cells": []},
        {"cells": ["A"] * 17},
        {"cells": [1] * 16},
        {"cells": ["#", *["A"] * 15]},
        {"cells": ["A" * 1000, *["A"] * 15]},
        {"cells": ["."] * 16, "against": "everybody"},
    ],
)
def test_cells_that_are_not_the_puzzles_are_refused(server, tiny, body):
    for what in ("check", "hint"):
        answer = server.post(f"/api/puzzles/{tiny['id']}/{what}", body)
        assert answer.status_code == 422
        assert answer.json()["error"]


@pytest.mark.parametrize("slot", ["99A", "x", ["1A"], 7, {"a": 1}])
def test_a_missing_slot_is_refused(server, tiny, slot):
    answer = server.ask(tiny["id"], "hint", cells=tiny["cells"], slot=slot)
    assert answer.status_code == 422
    assert "there are 1A" in answer.json()["error"]


def test_no_help_comes_from_a_missing_official_solution(server):
    handle = server.open(b'{"grid": ["..", ".."], "clues": {"across": [[1, "x"]]}}')["id"]
    answer = server.ask(handle, "reveal", against="official")
    assert answer.status_code == 422
    assert "no official solution" in answer.json()["error"]
