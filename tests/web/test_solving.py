"""Solving over HTTP: the events, the answer, and bad choices."""

import re
from pathlib import Path

import pytest

from agent.api import open_puzzle, read_puzzle
from agent.candidates.clueset import ClueSet
from agent.config import Settings
from agent.draw.doubt import rounded
from agent.solve import solve
from agent.testing import FakeOpenAI
from agent.tools import Tools

DATA = Path(__file__).parents[2] / "data"
CLUES = DATA / "minis" / "minis_llm.clues.jsonl"


def test_a_crossword_is_solved_with_the_events_in_order(server, tiny, solved):
    told = server.solve(tiny["id"])
    names = [name for name, _ in told]
    assert names[0] == "started"
    assert names[-1] == "solution"
    assert names.index("proposed") < names.index("ranked") < names.index("round")
    end = told[-1][1]
    assert end["cells"] == list(solved) == end["official"]
    assert (end["solved"], end["proof"], end["differences"]) == (True, "optimal", [])
    assert end["elapsed"] > 0
    assert end["handle"] == tiny["id"]


def test_the_answer_is_the_librarys(server):
    puzzle = open_puzzle(DATA / "minis" / "mini-05.xd")
    alone = solve(puzzle, Tools([ClueSet.open(CLUES)]))
    end = server.solve(server.open(example="mini-05")["id"], providers=["clueset"])[-1][1]
    assert end["grid"] == list(alone.grid.rows)
    assert [slot["probability"] for slot in end["slots"]] == [rounded(a.probability) for a in alone.answers]


def test_candidates_come_with_their_probabilities_at_most_eight(server, tiny):
    told = dict(server.solve(tiny["id"], providers=["lexicon"]))
    listed = told["ranked"]["slots"]["1A"]
    assert len(listed) == 8
    assert [p for _, p in listed] == sorted((p for _, p in listed), reverse=True)
    assert "proposed" not in told


def test_the_official_solution_changes_nothing_in_the_search(server):
    """The same puzzle with a wrong official solution is solved the same way."""
    path = DATA / "minis" / "tiny-01.xd"
    text = path.read_text("utf-8")
    puzzle = open_puzzle(path)
    wrong = re.sub(r"^STOP$", "XXXX", text, flags=re.MULTILINE).replace("~ STOP", "~ XXXX")
    wrong = "\n".join(line.split(" ~ ")[0] + " ~" if " ~ " in line else line for line in wrong.split("\n"))
    assert read_puzzle(wrong.encode(), name="wrong.xd").solution != puzzle.solution
    ends = [
        server.solve(server.open(data)["id"], providers=["lexicon"])[-1][1] for data in (text.encode(), wrong.encode())
    ]
    assert ends[0]["cells"] == ends[1]["cells"]
    assert [slot["probability"] for slot in ends[0]["slots"]] == [slot["probability"] for slot in ends[1]["slots"]]
    assert len(ends[1]["differences"]) > len(ends[0]["differences"])


def test_clues_alone_get_their_grid_with_the_solution(server):
    clues = [(clue.slot, f"{clue.slot[:-1]}. {clue.text}") for clue in open_puzzle(DATA / "minis" / "tiny-01.xd").clues]
    across, down = ([text for slot, text in clues if slot.endswith(letter)] for letter in "AD")
    clues = "\n".join(["Across", *across, "Down", *down])
    handle = server.open(clues.encode())["id"]
    told = server.solve(handle, providers=["clueset"])
    pattern = next(data for name, data in told if name == "pattern")
    assert (pattern["width"], pattern["height"], len(pattern["slots"])) == (4, 4, 8)
    end = told[-1][1]
    assert end["grid"] == ["STOP", "HAVE", "IDEA", "PARK"]
    assert end["board"]["slots"][0]["clue"] == "Red octagon's word"
    assert server.ask(handle, "check", cells=end["cells"]).json()["same"] == list(range(16))
    assert read_puzzle(server.ask(handle, "export?format=xd", cells=end["cells"]).content, name="x").title == ""


def test_clues_that_fit_no_grid_end_in_a_failure(server):
    handle = server.open(b"Across\n1. Not out\n9. Own\nDown\n5. Yes", size="3x3")["id"]
    name, data = server.solve(handle)[-1]
    assert name == "failed"
    assert "expected a clue for every number up to 9, found none for 2" in data["error"]


@pytest.mark.parametrize("example", ["rand-5x5-k3-m4-s116", "made-1", "rand25-s4", "sudoku-9x9-1"])
def test_other_kinds_are_solved_step_by_step(server, example):
    opened = server.open(example=example)
    told = server.solve(opened["id"])
    end = told[-1][1]
    assert end["solved"] is True
    steps = [data for name, data in told if name == "step"]
    assert steps
    for step in steps:
        for index, sign in step["cells"].items():
            assert end["cells"][int(index)] == sign
    assert [{"rule": step["rule"], "text": step["text"]} for step in steps] == [
        {"rule": step["rule"], "text": step["text"]} for step in end["explanation"]
    ]
    assert all(before in {".", "?", cell} for before, cell in zip(opened["cells"], end["cells"], strict=True))


def test_without_explain_there_are_no_steps(server):
    told = server.solve(server.open(example="made-1")["id"], explain=False)
    assert not [name for name, _ in told if name == "step"]


def test_paths_of_a_gogen_come_with_its_solution(server):
    opened = server.open(example="made-1")
    end = server.solve(opened["id"])[-1][1]
    for word in opened["words"]:
        assert "".join(end["cells"][r * 5 + c] for r, c in end["paths"][word]) == word


@pytest.mark.parametrize(
    "choice",
    [
        {"providers": []},
        {"providers": ["llm"]},
        {"providers": ["/etc/passwd"]},
        {"providers": "lexicon"},
        {"providers": [["lexicon"]]},
        {"rounds": -1},
        {"rounds": 1e9},
        {"rounds": "two"},
        {"seconds": 1e9},
        {"seconds": True},
        {"seconds": None},
        {"patience": 1e9},
    ],
)
def test_a_choice_that_is_not_offered_is_refused(server, tiny, choice):
    answer = server.post(f"/api/puzzles/{tiny['id']}/solve", choice)
    assert answer.status_code == 422
    assert next(iter(choice)) in answer.json()["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"seconds": NaN}'])
def test_a_body_that_is_not_an_object_is_refused(server, tiny, body):
    answer = server.post(f"/api/puzzles/{tiny['id']}/solve", data=body)
    assert answer.status_code == 422
    assert answer.json()["error"]


@pytest.mark.parametrize("what", ["solve", "hint", "check", "reveal", "export?format=xd"])
def test_a_puzzle_that_is_not_open_is_not_found(server, what):
    answer = server.post(f"/api/puzzles/nothing/{what}", {})
    assert answer.status_code == 404
    assert "open it again" in answer.json()["error"]


def test_the_page_receives_what_the_model_was_asked_and_replied(serve, tmp_path):
    says = {"notes": "", "slots": [["1A", "STOP", 0.9]]}
    with FakeOpenAI([says]) as model:
        settings = Settings(
            model="m", base_url=model.base_url, cache_dir=tmp_path / "c", data_dir=tmp_path / "d", rounds=0
        )
        with serve(settings) as client:
            handle = client.open(example="tiny-01")["id"]
            first, second = (dict(client.solve(handle, providers=["llm"]))["asked"] for _ in range(2))
        sent = [message["content"] for message in model.requests[0].json["messages"]]
    assert first["provider"] == second["provider"] == "llm"
    (one,) = first["exchanges"]
    assert [one["instructions"], one["text"]] == sent
    assert "STOP" in one["reply"]
    assert (one["failure"], one["is_cached"]) == ("", False)
    assert [again["is_cached"] for again in second["exchanges"]] == [True]
