"""What is reported: the same fields everywhere, values that any JSON reader takes, and no markup from strangers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.candidates.clueset import ClueSet
from agent.formats import open_puzzle
from agent.grid import Candidate, Clue, Grid, Puzzle
from agent.report import SCHEMA_VERSION, SHADES, picture, remarks, to_html, to_json, to_text
from agent.solution import Answer, Solution
from agent.solve import solve, solve_lists
from agent.tools import Tools

MINIS = Path(__file__).parents[1] / "data" / "minis"

TOP = """schema_version kind id title grid verified faults slots confidence termination proof gap margin runner_up
    pattern_probability other_pattern warnings stats"""
SLOT = "slot clue answer probability source why alternatives"
STATS = "expansions generated duplicates rounds provider_calls cache_hits tokens cost seconds"
"""The published fields. To rename or drop one is to raise SCHEMA_VERSION, here and there."""


@pytest.fixture(scope="module")
def solved() -> Solution:
    tools = Tools([ClueSet.open(MINIS / "minis_llm.clues.jsonl")])
    return solve(open_puzzle(MINIS / "mini-01.xd"), tools)


@pytest.fixture(scope="module")
def unsolved() -> Solution:
    return solve_lists(Grid.blank(2, 2), {"1A": ["AB"], "3A": ["CD"], "1D": ["XY"], "2D": []}, "none")


def hostile(text: str) -> Solution:
    """Return a solution with the same text wherever a stranger's text can stand."""
    grid = Grid.parse("AB\nCD")
    clues = tuple(Clue(slot.name, text) for slot in grid.slots)
    return Solution(
        puzzle=Puzzle(grid.emptied(), clues, text, text, text),
        grid=grid,
        answers=tuple(
            Answer(slot.name, text, grid.answer(slot), 0.5, text, text, (Candidate("XY", 0.1, text),))
            for slot in grid.slots
        ),
        confidence=(0.25, 0.5, 0.75, 1.0),
        verified=False,
        faults=(text,),
        termination="solved",
        proof="gap",
        warnings=(text,),
    )


def leaves(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def test_the_fields_of_the_json_form_stay_what_they_are(solved):
    document = to_json(solved)
    assert (SCHEMA_VERSION, document["schema_version"], document["kind"]) == (1, 1, "crossword")
    assert list(document) == TOP.split()
    assert {tuple(slot) for slot in document["slots"]} == {tuple(SLOT.split())}
    assert set(STATS.split()) <= set(document["stats"])
    for slot in document["slots"]:
        assert all(set(other) == {"answer", "probability", "source"} for other in slot["alternatives"])


@pytest.mark.parametrize("which", ["solved", "unsolved"])
def test_the_json_form_holds_plain_finite_values_alone(which, request):
    document = to_json(request.getfixturevalue(which))
    assert {type(leaf) for leaf in leaves(document)} <= {str, int, float, bool, type(None)}
    text = json.dumps(document, allow_nan=False)
    assert json.loads(text) == document


def test_the_json_form_says_what_the_solution_says(solved):
    document = to_json(solved)
    assert document["grid"] == list(solved.grid.rows)
    assert [slot["answer"] for slot in document["slots"]] == [answer.answer for answer in solved.answers]
    assert [len(row) for row in document["confidence"]] == [solved.grid.width] * solved.grid.height
    assert document["verified"] is True
    assert all(0 <= share <= 1 for row in document["confidence"] for share in row)


def test_an_unsolved_puzzle_says_so_in_every_form(unsolved):
    document = to_json(unsolved)
    assert document["verified"] is False
    assert document["faults"]
    assert document["margin"] is None
    assert "NOT solved" in to_text(unsolved)
    assert "NOT solved" in to_html(unsolved)
    assert not any(line.startswith("Verified") for line in remarks(unsolved))


def test_the_text_form_has_every_answer_and_clue(solved):
    text = to_text(solved)
    for answer in solved.answers:
        assert re.search(rf"^ +{answer.slot}  {answer.answer} .*{re.escape(answer.clue)}$", text, re.MULTILINE)
    assert text.index("Across") < text.index("Down")
    assert "Verified" in text
    assert picture(solved.grid, solved.confidence) in text


def test_letters_that_are_more_likely_wrong_than_right_are_in_lower_case():
    drawn = picture(Grid.parse("AB\nCD"), hostile("x").confidence)
    assert "| a | B |" in drawn
    assert "| C | D |" in drawn


class Tags(HTMLParser):
    """Collects the tags, their attributes and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text.append(data)


PLAIN = Tags(to_html(hostile("plain")))


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "</title><script>x</script>",
        "'><img src=x onerror=alert(1)>",
        '" onmouseover="x',
        "<!--",
        "]]><svg/onload=x>",
    ],
)
def test_hostile_text_brings_no_markup_into_the_page(text):
    page = Tags(to_html(hostile(text)))
    assert page.tags == PLAIN.tags
    assert page.attributes == PLAIN.attributes
    assert text in " ".join(page.text)


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))
def test_no_text_at_all_brings_markup_into_the_page(text):
    page = Tags(to_html(hostile(text)))
    assert page.tags == PLAIN.tags
    assert page.attributes == PLAIN.attributes


def test_hostile_text_brings_no_markup_into_a_notebook():
    text = "<script>alert(1)</script>"
    solution = hostile(text)
    assert text not in solution._repr_html_()
    assert text not in solution.puzzle._repr_html_()


def test_the_page_needs_nothing_from_elsewhere(solved):
    page = to_html(solved)
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not {"script", "link", "img", "iframe"} & Tags(page).tags


def test_the_page_shows_the_official_solution_beside_and_marks_what_differs(solved):
    puzzle = replace(solved.puzzle, solution=solved.grid.fill({7: "Q"}))
    page = to_html(replace(solved, puzzle=puzzle))
    assert "Official solution: 1 cells differ" in page
    assert page.count("<svg") == 2
    none = to_html(replace(solved, puzzle=replace(solved.puzzle, solution=None)))
    assert "Official" not in none


def test_a_terminal_shows_doubt_in_three_shades_with_a_key():
    drawn = picture(Grid.parse("ABCD"), (0.95, 0.8, 0.6, 0.1), colour=True)
    shades = [begin for _, begin in SHADES]
    assert [drawn.count(begin) - 1 for begin in shades] == [2, 2, 2]  # number line and letter line, and once in the key
    assert " d " in drawn
    assert "sure of a letter" in drawn
    assert picture(Grid.parse("ABCD"), (1.0,) * 4, colour=True) == picture(Grid.parse("ABCD"))


def test_a_rebus_shows_as_much_as_a_cell_holds():
    assert "|HEA| S |" in picture(Grid(2, 1, ("HEART", "S")))
