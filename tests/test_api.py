"""The public interface: every kind is read and solved by the same two calls, and all promised names exist."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent import api, errors
from agent.api import (
    CandidateInstance,
    ClueText,
    FormatError,
    Puzzle,
    Solution,
    UnansweredError,
    UsageError,
    open_puzzle,
    open_tools,
    read_puzzle,
    solve,
)
from agent.testing import no_network

ROOT = Path(__file__).parents[1]
MINI = ROOT / "data" / "minis" / "tiny-01.xd"
CLUES = ROOT / "data" / "minis" / "minis_llm.clues.jsonl"
LISTS = '{"id": "x", "grid": [".."], "answers": {"1A": ["NO"]}}'
OF_EACH_KIND = {
    "crossword": MINI.read_text(),
    "clues": "Across\n1. Not yes\n3. Cry of pain\nDown\n1. Not off\n2. That man",
    "lists": LISTS,
    "nonogram": "2\n\n1\n1",
    "fillin": "#h#\n___\n#_#\n\nhat\nbag",
    "sudoku": "1.....3..4.....2",
    "gogen": (ROOT / "data" / "gogen" / "made-1.json").read_text(),
}


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """Nothing is set, and nothing may be asked."""
    for name in ("GRIDWRIGHT_CONFIG", "OPENAI_API_KEY", "GRIDWRIGHT_PROVIDERS", "GRIDWRIGHT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with no_network():
        yield


@pytest.mark.parametrize("kind", OF_EACH_KIND)
def test_every_kind_is_solved_and_reports_itself_the_same_way(kind):
    puzzle = read_puzzle(OF_EACH_KIND[kind].encode(), size=(2, 2) if kind == "clues" else None)
    result = solve(puzzle, open_tools(clue_set=CLUES) if kind == "crossword" else None)
    document = result.to_json()
    assert document["solved"] is result.solved
    assert (result.kind, document["id"]) == (puzzle.kind, puzzle.id)
    shared = ("kind", "termination", "ended", "summary")
    assert [document[name] for name in shared] == [getattr(result, name) for name in shared]
    assert (result.termination in {"found", "exhausted"}, result.ended) == (True, "")
    assert str(result).endswith(result.summary)
    assert result.summary in result.to_text()
    assert result.to_html().startswith("<!doctype html>")
    assert result.svg().startswith("<svg")
    assert "<svg" in result._repr_html_()


def test_clue_text_and_lists_are_puzzles_too():
    assert isinstance(read_puzzle(OF_EACH_KIND["clues"]), ClueText)
    assert isinstance(read_puzzle(LISTS), CandidateInstance)
    assert solve(read_puzzle(LISTS)).grid.rows == ("NO",)


def test_text_is_decoded_alike_for_every_kind():
    curly = b"Across\n1. \x93No\x94\nDown\n1. Not off\n"
    clues = read_puzzle(curly)
    assert clues.across[0].text == "“No”"
    assert read_puzzle("Across\n1. “No”\nDown\n1. Not off\n".encode("utf-16")).across[0].text == "“No”"
    words = "B.R\n...\nC.D\n\nCAF\xc9S".encode("cp1252")
    assert read_puzzle(words).words == ("CAFÉS",)


def test_text_that_is_not_a_puzzle_is_an_error_with_its_name():
    for content in (b"", b"\0\1\2", "hello", "{", "[]", b"\xff\xfe"):
        with pytest.raises(FormatError, match=r"^here: "):
            read_puzzle(content, name="here")
    with pytest.raises(FormatError, match=r"missing\.xd"):
        open_puzzle("missing.xd")


def test_the_lexicon_answers_unless_something_else_is_named():
    assert {answer.source for answer in solve(open_puzzle(MINI)).answers} <= {"lexicon", "crossings"}
    with open_tools(clue_set=[CLUES], providers="none") as tools:
        found = solve(open_puzzle(MINI), tools)
        again = solve(open_puzzle(MINI), tools)
    assert found.solved
    assert found.grid == again.grid
    assert {answer.source for answer in found.answers} == {"llm:recorded-2026-11"}


def test_it_is_an_error_if_no_provider_answers():
    with pytest.raises(UnansweredError, match="no provider could answer"):
        solve(open_puzzle(MINI), open_tools(providers="llm", model="m", base_url="http://127.0.0.1:9/v1"))


def test_opened_tools_serve_several_solves_in_several_threads():
    closed = open_tools(clue_set=CLUES, providers="none")
    with closed as outer, ThreadPoolExecutor(2) as threads, closed as inner:
        assert outer is not inner
        found = list(threads.map(lambda _: solve(open_puzzle(MINI), closed).solved, range(4)))
    assert found == [True] * 4
    assert solve(open_puzzle(MINI), closed).solved


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seconds": -1}, "seconds must be 0 or more, not -1"),
        ({"patience": float("nan")}, "patience must be 0 or more, not nan"),
        ({"count": 0}, "count must be 1 or more, not 0"),
    ],
)
def test_a_limit_or_count_that_is_too_low_is_refused(wrong, message):
    with pytest.raises(UsageError, match=f"^{message}$"):
        solve(read_puzzle("1\n\n1"), **wrong)


def test_a_path_or_text_is_not_a_puzzle_yet():
    for unread in ("today.puz", b"..", MINI):
        with pytest.raises(UsageError, match="expected a puzzle: open_puzzle reads a file"):
            solve(unread)


def test_an_impossible_size_is_refused():
    for size in ((0, 0), (-1, 3), (1000, 2)):
        with pytest.raises(UsageError, match="a grid has 1 to 30 cells a side"):
            solve(read_puzzle(OF_EACH_KIND["clues"], size=size))


def test_a_limit_or_a_cancellation_is_not_an_error():
    puzzle = open_puzzle(MINI)
    assert isinstance(puzzle, Puzzle)
    assert isinstance(solve(puzzle, seconds=0), Solution)
    assert "search limit" in solve(puzzle, seconds=0).ended
    nonogram = read_puzzle("rows: 1 / 1\ncolumns: 1 / 1")
    assert solve(nonogram, cancelled=lambda: True).termination == "cancelled"


def test_the_official_solution_is_not_looked_at():
    seen = []
    puzzle = open_puzzle(MINI)
    solution = solve(puzzle, open_tools(clue_set=CLUES), on_event=seen.append)
    assert {event.kind for event in seen} >= {"proposed", "ranked", "round"}
    assert solution.grid == puzzle.solution
    assert puzzle.grid.rows == ("....",) * 4


def test_every_promised_name_is_there_sorted_and_documented():
    names = api.__all__
    assert names == sorted(names)
    for name in names:
        assert getattr(api, name).__doc__, name


def test_the_reference_lists_the_promised_names():
    listed = re.findall(r":: agent\.api\.(\w+)$", (ROOT / "docs" / "reference.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == api.__all__


def test_the_docstring_has_the_whole_tree_of_errors():
    for name, error in vars(errors).items():
        if isinstance(error, type) and issubclass(error, Exception):
            assert issubclass(error, errors.GridwrightError)
            assert re.search(rf"\b{name}\b", errors.__doc__), name


def test_the_readme_is_what_the_type_checker_sees():
    shown = re.findall(r"^>>> (.*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    checked = (ROOT / "tests" / "typing" / "api.py").read_text("utf-8")
    start = checked.index("from agent.api")
    lines = [line for line in checked[start : checked.index("# ruff")].splitlines() if line]
    assert shown == lines
    assert len(lines) <= 10
