"""Hint, check and reveal over HTTP."""

import pytest


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
    whole = server.ask(tiny["id"], "hint", cells=tiny["cells"], slot="4D", whole=True).json()
    assert whole["cells"] == {str(cell): solved[cell] for cell in (3, 7, 11, 15)}


def test_a_hint_from_the_agent_solves_the_puzzle_first(server):
    handle = server.open(example="mini-02")["id"]
    given = server.ask(handle, "hint", cells=server.open(example="mini-02")["cells"], against="agent").json()
    assert given["source"] == "agent"
    assert 0 < given["probability"] <= 1


def test_when_all_is_filled_there_is_nothing_to_give_away(server, tiny, solved):
    answer = server.ask(tiny["id"], "hint", cells=list(solved))
    assert answer.status_code == 409
    assert "nothing is left" in answer.json()["error"]


def test_a_check_tells_wrong_from_fine(server, tiny, solved):
    cells = [*solved[:15], "X"]
    cells[3] = "."
    said = server.ask(tiny["id"], "check", cells=cells).json()
    assert said["wrong"] == [15]
    assert said["fine"] == [0, 1, 2, *range(4, 15)]
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


@pytest.mark.parametrize("example", ["rand-5x5-k3-m4-s116", "made-1", "rand30-s1"])
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
    assert (said["wrong"], said["unsure"], said["complete"], said["verified"]) == ([], [], True, True)


def test_a_wrong_letter_of_a_unique_puzzle_is_surely_wrong(server):
    opened = server.open(example="made-1")
    revealed = server.ask(opened["id"], "reveal").json()["cells"]
    first, second = list(revealed)[:2]
    cells = list(opened["cells"])
    cells[int(first)] = revealed[second]
    assert server.ask(opened["id"], "check", cells=cells).json()["wrong"] == [int(first)]


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
def test_a_slot_that_is_not_there_is_refused(server, tiny, slot):
    answer = server.ask(tiny["id"], "hint", cells=tiny["cells"], slot=slot)
    assert answer.status_code == 422
    assert "there are 1A" in answer.json()["error"]


def test_an_official_solution_that_is_not_there_is_not_helped_with(server):
    handle = server.open(b'{"grid": ["..", ".."], "clues": {"across": [[1, "x"]]}}')["id"]
    answer = server.ask(handle, "reveal", against="official")
    assert answer.status_code == 422
    assert "no official solution" in answer.json()["error"]
