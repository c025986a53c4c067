"""The page, its lists, and opening puzzles over real HTTP: answers, and errors for wrong input."""

import http.client
import json
import re
import shutil
import socket
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.kinds import NAMES
from agent.web.page_files import PAGE, PageFiles
from agent.web.server import bind

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


# The page and its lists


def test_the_page_is_served_with_its_parts(server):
    page = server.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    parts = re.findall(r'"(/static/[^"]+)"', page.text)
    assert parts
    for part in parts:
        assert server.get(part).status_code == 200, part


def test_a_page_the_browser_has_is_not_sent_again(server):
    first = server.get("/")
    assert first.headers["cache-control"] == "no-cache"
    again = server.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_part_of_the_page_is_kept_for_ever_as_its_address_changes_with_any_part(server, tmp_path):
    answer = server.get(server.part("main.js"))
    assert answer.headers["cache-control"] == "max-age=31536000, immutable"
    assert server.get("/static/000000000000/main.js").status_code == 404
    shutil.copytree(PAGE, tmp_path / "page")
    before = PageFiles.read(tmp_path / "page")
    assert before == PageFiles.read()
    (tmp_path / "page" / "dom.js").write_text("// changed")
    after = PageFiles.read(tmp_path / "page")
    assert after.version != before.version
    for name in ("index.html", "verdicts.html", "manifest.webmanifest"):
        assert f'"/static/{after.version}/'.encode() in after.by_name[name].content


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_a_part_is_packed_for_those_who_can_unpack_it(server, accepted):
    answer = server.get(server.part("main.js"), headers={"Accept-Encoding": accepted}, stream=True)
    assert answer.headers.get("content-encoding") == (None if accepted == "identity" else accepted)
    assert answer.headers["vary"] == "accept-encoding"
    length = len((PAGE / "main.js").read_bytes())
    assert len(answer.content) == length
    assert (int(answer.headers["content-length"]) < length) == (accepted == "gzip")


@pytest.mark.parametrize(
    "path",
    [
        "/static/nothing.js", "/static/x/main.js", "/static/main.js", "/static/..%2Fapp.py", "/static/..",
        "/static/%2e%2e/app.py", "/static/.hidden.css",
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
    listed = server.get("/api/examples?day=20788").json()
    assert {kind["name"] for kind in listed["kinds"]} == {"crossword", *NAMES}
    for kind in listed["kinds"]:
        for row in kind["puzzles"]:
            puzzle = server.open(example=row["id"])
            assert (puzzle["kind"], puzzle["key"]) == (kind["name"], row["key"])
            assert row["size"] == f"{puzzle['width']}x{puzzle['height']}"
            assert len(puzzle["cells"]) == puzzle["width"] * puzzle["height"]


def test_pictures_are_listed_by_titles_that_keep_the_secret(server):
    blocks = (DATA / "pictures.txt").read_text("utf-8").strip().split("\n\n")
    names = {title: name for name, title in (block.split("\n")[0].split(": ") for block in blocks)}
    (kind,) = (kind for kind in server.get("/api/examples?day=20788").json()["kinds"] if kind["name"] == "nonogram")
    titles = [row["title"] for row in kind["puzzles"]]
    assert len(titles) == len(set(titles)) > 0
    assert not [title for title in titles if names[title].lower() in title.lower()]


def test_each_day_has_its_mini(server):
    listed = server.get("/api/examples?day=20790").json()
    assert listed["today"]["id"] == "daily-003"
    assert [row["id"] for row in listed["earlier"][:2]] == ["daily-002", "daily-001"]
    assert server.get("/api/examples").status_code == 422


def test_an_unknown_example_is_not_found(server):
    assert server.post("/api/puzzles?example=../mini-01").status_code == 404


def test_answers_are_not_held_back_to_be_sent_together():
    """Without this, Nagle's algorithm and delayed acknowledgements cost 40 ms for each answer."""
    listening = bind("127.0.0.1", 0)
    assert listening.proto == socket.IPPROTO_TCP
    listening.close()


# Opening


def test_a_crossword_comes_without_its_letters(tiny, solved):
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


def test_the_size_of_clues_alone_can_be_given(server):
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
