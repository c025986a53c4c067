"""Every route over real HTTP: what it gives, and what it says to wrong input."""

import http.client
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from agent import kinds
from agent.autotos.evaluation import Row
from agent.autotos.faults import CounterExample, Fault, Verdict
from agent.autotos.search import SearchRun
from agent.candidates.clueset import ClueSet
from agent.formats import open_puzzle, read_puzzle
from agent.solve import solve
from agent.tools import Tools

DATA = Path(__file__).parents[2] / "data"
CLUES = DATA / "minis" / "minis_llm.clues.jsonl"
TEXT = """\
Across
1. Red octagon's word
5. Own
6. Brainchild
7. Place with swings
Down
1. Tibetan tea, for one
"""


@pytest.fixture(scope="module")
def tiny(server):
    return server.open(example="tiny-01")


@pytest.fixture(scope="module")
def solved():
    return open_puzzle(DATA / "minis" / "tiny-01.xd").solution.cells


# The page and its lists


def test_the_page_is_served_with_its_parts(server):
    page = server.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    parts = re.findall(r'"(/static/[^"]+)"', page.text)
    assert parts
    for part in parts:
        assert server.get(part).status_code == 200, part


def test_a_file_the_browser_has_is_not_sent_again(server):
    tag = server.get("/").headers["etag"]
    again = server.get("/", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/static/nothing.js", "/static/..%2Fapp.py", "/static/%2e%2e/app.py", "/static/..", "/static/.hidden.css",
        "/static/../../pyproject.toml", "/../app.py", "/static//etc/passwd", "/static/index.html%00.css",
        "/pages", "/api/puzzles/x",        "/static/" + "a" * 3000 + ".css",
    ],
)  # fmt: skip
def test_nothing_else_is_served(server, path):
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"))  # sends the path as it is
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 404
    assert json.loads(answer.read())["error"]
    connection.close()


@pytest.mark.parametrize("path", ["/", "/api/settings", "/api/puzzles/x/solve", "/api/puzzles", "/api/verdicts"])
def test_other_methods_are_refused(server, path):
    for method in ("PUT", "DELETE", "PATCH"):
        answer = server.session.request(method, server.url + path)
        assert answer.status_code == 405
        assert answer.json()["error"]


def test_the_settings_name_providers_and_which_are_there(server):
    found = server.get("/api/settings").json()
    available = {row["name"]: row["available"] for row in found["providers"]}
    assert available == {"clueset": True, "lexicon": True, "datamuse": True, "llm": False}
    assert found["default"] == ["clueset", "lexicon"]


def test_every_example_opens(server):
    listed = server.get("/api/examples").json()
    assert {row["kind"] for row in listed} == {"crossword", "fillin", "gogen", "nonogram"}
    for row in listed:
        puzzle = server.open(example=row["id"])
        assert (puzzle["kind"], f"{puzzle['width']}x{puzzle['height']}") == (row["kind"], row["size"])
        assert len(puzzle["cells"]) == puzzle["width"] * puzzle["height"]


def test_an_unknown_example_is_not_found(server):
    assert server.post("/api/puzzles?example=../mini-01").status_code == 404


# Opening


def test_a_crossword_comes_with_numbers_slots_and_clues_but_without_letters(tiny, solved):
    assert tiny["kind"] == "crossword"
    assert tiny["official"] is True
    assert set(tiny["cells"]) == {"."}
    assert tiny["numbers"]["0"] == 1
    slot = next(slot for slot in tiny["slots"] if slot["name"] == "1A")
    assert slot["cells"] == [0, 1, 2, 3]
    assert slot["clue"] == "Red octagon's word"
    assert "".join(solved[:4]) not in json.dumps(tiny)


@pytest.mark.parametrize("ending", ["puz", "ipuz", "xd", "json"])
def test_a_file_of_any_format_opens(server, ending):
    from agent.formats import write_puzzle

    puzzle = open_puzzle(DATA / "minis" / "mini-01.xd")
    opened = server.open(write_puzzle(puzzle, ending), name=f"mini.{ending}")
    assert (opened["width"], opened["official"], opened["title"]) == (5, True, "Nothing but Net")


def test_clues_alone_open_without_a_grid(server):
    opened = server.open(TEXT.encode())
    assert opened["kind"] == "clues"
    assert opened["cells"] == []
    assert [slot["name"] for slot in opened["slots"]] == ["1A", "5A", "6A", "7A", "1D"]


def test_the_size_of_clues_alone_can_be_said(server):
    assert server.open(TEXT.encode(), size="4x4")["width"] == 4


def test_words_with_nine_letters_open_as_a_gogen(server):
    opened = server.open(b"ace bd", letters="ABCDEFGHI")
    assert (opened["kind"], opened["width"], opened["words"]) == ("gogen", 5, ["ACE", "BD"])


@pytest.mark.parametrize(
    ("data", "query", "said"),
    [
        (b"", {}, "found nothing"),
        (b"hello", {"name": "a.txt"}, "a.txt"),
        (b"\x00\x01\x02" * 50, {"name": "x.bin"}, "x.bin"),
        (b"ACROSS&DOWN\0 cut off", {"name": "x.puz"}, "damaged"),
        (b'{"grid": ["..", "."], "clues": {}}', {"name": "x.json"}, "x.json"),
        (b"[" * 100_000, {"name": "deep.json"}, "deep.json"),
        (TEXT.encode(), {"size": "5by5"}, "size"),
        (TEXT.encode(), {"size": "99x99"}, "size"),
        (b"ace bd", {"letters": "AAAA"}, "letters"),
    ],
)
def test_a_broken_file_is_refused_with_one_sentence(server, data, query, said):
    answer = server.post("/api/puzzles", data=data, params=query)
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_names_and_clues_with_markup_come_as_they_are_in_json(server):
    evil = "<script>alert(1)</script>\u2028\"'&"
    opened = server.open(f"Title: {evil}\n\n\nNO\nOH\n\n\nA1. {evil} ~ NO\nA3. x ~ OH\n".encode())
    assert opened["title"] == " ".join(evil.split())
    answer = server.post("/api/puzzles", data=b"?", params={"name": evil})
    assert answer.headers["content-type"] == "application/json"


# Solving


def test_a_crossword_is_solved_with_the_events_in_order(server, tiny, solved):
    told = server.solve(tiny["id"])
    names = [name for name, _ in told]
    assert names[0] == "started"
    assert names[-1] == "solution"
    assert names.index("proposed") < names.index("ranked") < names.index("round")
    end = told[-1][1]
    assert end["cells"] == list(solved) == end["official"]
    assert (end["verified"], end["proof"], end["differences"], end["exit_code"]) == (True, "optimal", [], 0)
    assert end["elapsed"] > 0
    assert end["handle"] == tiny["id"]


def test_the_answer_is_the_librarys(server):
    puzzle = open_puzzle(DATA / "minis" / "mini-05.xd")
    alone = solve(puzzle, Tools([ClueSet.open(CLUES)]))
    end = server.solve(server.open(example="mini-05")["id"], providers=["clueset"])[-1][1]
    assert end["grid"] == list(alone.grid.rows)
    assert [slot["probability"] for slot in end["slots"]] == [round(a.probability, 4) for a in alone.answers]


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
    assert read_puzzle(wrong.encode(), "wrong.xd").solution != puzzle.solution
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
    assert server.ask(handle, "check", cells=end["cells"]).json()["verified"] is True
    assert read_puzzle(server.ask(handle, "export?format=xd", cells=end["cells"]).content, "x").title == ""


def test_clues_that_fit_no_grid_end_in_a_failure(server):
    handle = server.open(b"Across\n1. Not out\n9. Own\nDown\n5. Yes", size="3x3")["id"]
    name, data = server.solve(handle)[-1]
    assert name == "failed"
    assert data["exit_code"] == 3
    assert "pattern" in data["error"]


@pytest.mark.parametrize("example", ["rand-5x5-k3-m4-s116", "made-1", "rand25-s4"])
def test_other_kinds_are_solved_step_by_step(server, example):
    opened = server.open(example=example)
    told = server.solve(opened["id"])
    end = told[-1][1]
    assert end["verified"] is True
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
    ],
)
def test_a_choice_that_is_not_offered_is_refused(server, tiny, choice):
    answer = server.post(f"/api/puzzles/{tiny['id']}/solve", choice)
    assert answer.status_code == 422
    assert next(iter(choice)) in answer.json()["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"seconds": NaN}'])
def test_a_body_that_is_no_object_is_refused(server, tiny, body):
    answer = server.post(f"/api/puzzles/{tiny['id']}/solve", data=body)
    assert answer.status_code == 422
    assert answer.json()["error"]


@pytest.mark.parametrize("what", ["solve", "hint", "check", "reveal", "export?format=xd"])
def test_a_puzzle_that_is_not_open_is_not_found(server, what):
    answer = server.post(f"/api/puzzles/nothing/{what}", {})
    assert answer.status_code == 404
    assert "open it again" in answer.json()["error"]


# Help


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


# Files to take away


@pytest.mark.parametrize("ending", ["puz", "ipuz", "xd", "json"])
def test_an_export_reads_back_to_the_same_puzzle_with_what_was_filled_in(server, ending):
    original = open_puzzle(DATA / "minis" / "mini-01.xd")
    handle = server.open(example="mini-01")["id"]
    answer = server.ask(handle, f"export?format={ending}", cells=list(original.solution.cells))
    assert answer.headers["content-disposition"] == f'attachment; filename="nothing-but-net.{ending}"'
    back = read_puzzle(answer.content, "back")
    assert (back.solution, back.clues) == (original.solution, original.clues)


def test_the_text_export_is_clue_text(server, tiny):
    text = server.ask(tiny["id"], "export?format=text", cells=tiny["cells"]).text
    assert "Red octagon's word" in text


@pytest.mark.parametrize("example", ["tiny-01", "made-1", "rand-5x5-k3-m4-s116", "rand25-s4"])
def test_every_kind_is_drawn_as_svg(server, example):
    opened = server.open(example=example)
    answer = server.ask(opened["id"], "export?format=svg", cells=opened["cells"])
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ET.fromstring(answer.text)  # noqa: S314 - it is our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not [element for element in root.iter() if element.tag.endswith("script")]


def test_a_letter_that_is_markup_is_escaped_in_the_picture(server):
    handle = server.open(b'{"grid": ["..", ".."], "clues": {"across": [[1, "x"]]}}')["id"]
    answer = server.ask(handle, "export?format=svg", cells=["<&", "B", ".", "."])
    assert answer.status_code == 422 or ET.fromstring(answer.text) is not None  # noqa: S314 - it is our own


@pytest.mark.parametrize("example", ["made-1", "rand-5x5-k3-m4-s116", "rand25-s4"])
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


# Verdicts


def judged():
    """Write what the judge prints of two functions."""
    example = CounterExample({"state": [["a", None], ["#", None]]}, [], [[["a", "b"], ["#", None]]], ([["x"]],))
    fault = Fault("junk", 3, "row 0 now spells 'ax'", example, "Look again.")
    faulty, fine = Verdict("successor", "f", "unsound", (fault,)), Verdict("goal", "g", "exact")
    return "\n".join(json.dumps({"file": "a.py", **verdict.to_json()}) for verdict in (faulty, fine))


def test_verdicts_come_with_their_counter_examples_as_grids(server):
    found = server.post("/api/verdicts", data=judged().encode()).json()
    faulty, fine = found["verdicts"]
    assert (faulty["name"], faulty["accepted"], fine["accepted"]) == ("a.py f", False, True)
    [fault] = faulty["faults"]
    assert (fault["name"], fault["text"], fault["count"]) == ("junk", "row 0 now spells 'ax'", 3)
    assert fault["counter_example"]["state"] == [["a", "."], ["#", "."]]
    assert fault["counter_example"]["expected"] == [[["a", "b"], ["#", "."]]]
    assert fault["counter_example"]["offending"] == [[["x"]]]
    assert found["chart"] == ""


def test_searches_are_listed_and_drawn(server):
    rows = [Row("functions", "dfs", SearchRun(str(i), "solved", True, 10**i, 1, 1, 0.1)) for i in range(5)]
    found = server.post("/api/verdicts", data="\n".join(json.dumps(row.to_json()) for row in rows).encode()).json()
    assert [row["expansions"] for row in found["searches"]] == [1, 10, 100, 1000, 10000]
    assert ET.fromstring(found["chart"]).tag.endswith("svg")  # noqa: S314 - it is our own


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "found nothing"),
        ("{", "line 1"),
        ("[]", "found nothing"),
        ("[1]", "item 1"),
        ("{}\n", "line 1"),
        (judged() + "\nhello", "line 3"),
        ("[" * 100_000, "the list"),
        ('{"verdict": "x", "details": {}}', "line 1"),
        ('{"expansions": "many", "strategy": "dfs"}', "line 1"),
        ('{"expansions": 1e999, "strategy": "dfs"}', "line 1"),
        ("\n".join(['{"verdict": "exact"}'] * 2001), "at most"),
    ],
)
def test_what_the_judge_did_not_print_is_refused(server, text, said):
    answer = server.post("/api/verdicts", data=text.encode())
    assert answer.status_code == 422
    assert said in answer.json()["error"]


def test_odd_fields_of_a_verdict_do_no_harm(server):
    odd = {"verdict": 5, "function": ["x"], "details": [7, {"counter_example": {"state": "x", "expected": {}}}]}
    answer = server.post("/api/verdicts", data=json.dumps(odd).encode())
    assert answer.status_code == 200
    assert answer.json()["verdicts"][0]["faults"][0]["counter_example"]["state"] is None


def test_nothing_in_a_verdict_is_ever_run(server, tmp_path):
    mark = tmp_path / "run"
    source = f"open({str(mark)!r}, 'w').close()"
    row = {"verdict": source, "function": source, "source": source, "file": source, "details": [{"note": source}]}
    assert server.post("/api/verdicts", data=json.dumps(row).encode()).status_code == 200
    assert not mark.exists()
