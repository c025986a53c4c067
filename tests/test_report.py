"""Reports: the same fields everywhere, values that any JSON parser accepts, and no markup from untrusted text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.api import open_puzzle
from agent.candidates.clueset import ClueSet
from agent.draw.terminal import SHADES, legend
from agent.grid import Candidate, Clue, Grid, Puzzle
from agent.result import SCHEMA_VERSION
from agent.solution import Answer, Solution
from agent.solve import solve, solve_lists
from agent.tools import Tools

MINIS = Path(__file__).parents[1] / "data" / "minis"

TOP = """schema_version kind id title probability solved sure consistent faults grid bars numbers slots confidence
    termination ended summary proof gap margin runner_up pattern_probability other_pattern warnings stats"""
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
    """Return a solution with the same text wherever untrusted text can stand."""
    grid = Grid.parse("AB\nCD")
    clues = tuple(Clue(slot.name, text) for slot in grid.slots)
    return Solution(
        puzzle=Puzzle(grid.emptied(), clues, id=text, title=text, author=text),
        grid=grid,
        answers=tuple(
            Answer(slot.name, text, grid.answer(slot), 0.5, text, text, (Candidate("XY", 0.1, text),))
            for slot in grid.slots
        ),
        confidence=(0.25, 0.5, 0.75, 1.0),
        probability=0.04,
        faults=(text,),
        termination="found",
        proof="gap",
        failures=(text,),
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
    document = solved.to_json()
    assert (SCHEMA_VERSION, document["schema_version"], document["kind"]) == (2, 2, "crossword")
    assert list(document) == TOP.split()
    assert {tuple(slot) for slot in document["slots"]} == {tuple(SLOT.split())}
    assert set(STATS.split()) <= set(document["stats"])
    for slot in document["slots"]:
        assert all(set(other) == {"answer", "probability", "source"} for other in slot["alternatives"])


def test_the_json_form_holds_bars_and_numbers_as_files_do():
    barred = Grid(4, 1, tuple("PARK"), frozenset({(1, 2)}))
    assert solve(Puzzle(barred, ()), Tools()).to_json()["bars"] == [[1, 2]]
    odd = Grid(2, 2, tuple("NOOH"), numbers=((0, 7), (2, 4)))
    assert solve(Puzzle(odd, ()), Tools()).to_json()["numbers"] == [[0, 7], [2, 4]]


@pytest.mark.parametrize("which", ["solved", "unsolved"])
def test_the_json_form_holds_plain_finite_values_alone(which, request):
    document = request.getfixturevalue(which).to_json()
    assert {type(leaf) for leaf in leaves(document)} <= {str, int, float, bool, type(None)}
    text = json.dumps(document, allow_nan=False)
    assert json.loads(text) == document


def test_the_json_form_says_what_the_solution_says(solved):
    document = solved.to_json()
    assert document["grid"] == list(solved.grid.rows)
    assert [slot["answer"] for slot in document["slots"]] == [answer.answer for answer in solved.answers]
    assert [len(row) for row in document["confidence"]] == [solved.grid.width] * solved.grid.height
    assert (document["solved"], document["consistent"], document["sure"]) == (True, True, 0.5)
    assert 0.5 < document["probability"] <= solved.probability
    assert all(0 <= share <= 1 for row in document["confidence"] for share in row)


def test_an_unsolved_puzzle_says_so_in_every_form(unsolved):
    document = unsolved.to_json()
    assert (document["solved"], document["consistent"], document["probability"]) == (False, False, 0)
    assert document["faults"]
    assert document["margin"] is None
    assert unsolved.summary in unsolved.to_text()
    assert unsolved.summary in unsolved.to_html()
    assert any(line.startswith("The check found: ") for line in unsolved.remarks)


def test_the_page_has_the_warnings(solved):
    assert "Warning" not in solved.to_html()
    warned = replace(solved, failures=("datamuse: 1 of 9 queries failed: <no answer>",))
    assert "<p>Warning: datamuse: 1 of 9 queries failed: &lt;no answer&gt;.</p>" in warned.to_html()


def test_the_text_form_has_every_answer_and_clue(solved):
    text = solved.to_text()
    for answer in solved.answers:
        assert re.search(rf"^ +{answer.slot}  {answer.answer} .*{re.escape(answer.clue)}$", text, re.MULTILINE)
    assert text.index("Across") < text.index("Down")
    assert text.splitlines()[1] == solved.summary
    assert solved.grid.text(solved.confidence) in text


def test_letters_that_are_guesses_are_in_lower_case():
    drawn = Grid.parse("AB\nCD").text(hostile("x").confidence)
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


PLAIN = Tags(hostile("plain").to_html())


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
    page = Tags(hostile(text).to_html())
    assert page.tags == PLAIN.tags
    assert page.attributes == PLAIN.attributes
    assert text in " ".join(page.text)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip))
def test_no_text_at_all_brings_markup_into_the_page(text):
    page = Tags(hostile(text).to_html())
    assert page.tags == PLAIN.tags
    assert page.attributes == PLAIN.attributes


def test_hostile_text_brings_no_markup_into_a_notebook():
    text = "<script>alert(1)</script>"
    solution = hostile(text)
    assert text not in solution._repr_html_()
    assert text not in solution.puzzle._repr_html_()


def test_the_page_needs_nothing_from_elsewhere(solved):
    page = solved.to_html()
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not {"script", "link", "img", "iframe"} & Tags(page).tags


def test_the_page_marks_what_differs_from_the_solution(solved):
    puzzle = replace(solved.puzzle, solution=solved.grid.fill({7: "Q"}))
    page = replace(solved, puzzle=puzzle).to_html()
    assert "Official solution: 1 cell differs" in page
    assert page.count("<svg") == 2
    none = replace(solved, puzzle=replace(solved.puzzle, solution=None)).to_html()
    assert "Official" not in none


def test_a_terminal_shows_doubt_in_three_shades_with_a_key():
    grid, confidence = Grid.parse("ABCD"), (0.95, 0.8, 0.6, 0.1)
    drawn, explained = grid.text(confidence, colour=True), legend(grid.cells, confidence, colour=True)
    for _, begin in SHADES:
        assert (drawn.count(begin), explained.count(begin)) == (2, 1)  # in the number line and the letter line
    assert " d " in drawn
    assert legend(grid.cells, (0.95,) * 4, colour=True) == ""
    assert Grid.parse("ABCD").text((1.0,) * 4, colour=True) == Grid.parse("ABCD").text()


def test_a_rebus_shows_as_much_as_a_cell_holds():
    assert "|HEA| S |" in Grid(2, 1, ("HEART", "S")).text()


@pytest.fixture
def vague() -> Solution:
    """Return a filling with one letter that is a guess."""
    return replace(hostile("plain"), faults=())


def test_ink_for_sure_letters_leaves_guesses_empty(vague):
    inked = vague.inked()
    assert inked.grid.rows == (".B", "CD")
    assert "1A  .B" in inked.to_text()
    assert "empty if none reaches 50 %" in inked.to_text()
    assert "<b>.B</b>" in inked.to_html()
    assert "a, 25 % sure" not in inked.to_html()
    document = inked.to_json()
    assert document["grid"] == [".B", "CD"]
    assert document["slots"] == vague.to_json()["slots"]  # nothing is lost
    assert document["confidence"] == [[0.25, 0.5], [0.75, 1.0]]
    assert inked.summary == vague.summary


def test_empty_cells_do_not_differ_from_the_official_solution(vague):
    puzzle = replace(vague.puzzle, solution=Grid.parse("XB\nCX"))
    assert "Official solution: 2 cells differ<" in replace(vague, puzzle=puzzle).to_html()
    assert "Official solution: 1 cell differs, 1 left empty" in replace(vague, puzzle=puzzle).inked().to_html()


@pytest.mark.parametrize(
    ("probability", "sure", "said"),
    [
        (0.9999999, 0.5, "Solved: over 99 % sure of the whole grid"),
        (1.0, 0.5, "Solved: over 99 % sure of the whole grid"),  # the true answers may be in no list
        (0.978, 0.5, "Solved: 97 % sure of the whole grid"),
        (0.5, 0.5, "Solved: 50 % sure of the whole grid"),
        (0.978, 0.985, "Not sure enough: 97 % sure of the whole grid, 98.5 % asked for"),
        (0.4999, 0.5, "Mostly guesses: 1 of 4 letters is sure (the whole grid: 49 %)"),
        (0.0001, 0.5, "Mostly guesses: 1 of 4 letters is sure (the whole grid: under 1 %)"),
    ],
)
def test_the_headline_rounds_down_and_never_claims_certainty(vague, probability, sure, said):
    assert replace(vague, probability=probability, sure=sure).summary == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((0.95, 0.95, 0.95, 0.2), "3 of 4 words sure; doubtful: 2D (the whole grid: 40 %)"),
        ((0.91, 0.91, 0.91, 0.91), "4 of 4 words sure, each by itself (the whole grid: 40 %)"),
        ((0.899, 0.2, 0.95, 0.2), "Mostly guesses: 1 of 4 letters is sure (the whole grid: 40 %)"),
    ],
)
def test_the_headline_of_a_doubtful_grid_names_what_is_in_doubt(vague, words, said):
    answers = tuple(replace(answer, probability=p) for answer, p in zip(vague.answers, words, strict=True))
    assert replace(vague, answers=answers, probability=0.4).summary == said


def test_a_headline_calls_no_word_sure_if_no_filling_fits():
    nothing = solve_lists(Grid.parse("..\n.."), {"1A": [], "3A": ["AB"], "1D": ["AA"], "2D": ["BB"]})
    assert nothing.summary == "No filling holds together (the whole grid: under 1 %)"


def test_a_headline_names_only_a_few_words():
    grid = Grid.blank(10, 10).fill(dict.fromkeys(range(100), "A"))
    answers = tuple(Answer(s.name, "", "A" * 10, 0.1 + 0.9 * (s.direction == "down"), "lexicon") for s in grid.slots)
    found = Solution(Puzzle(grid.emptied(), ()), grid, answers, (0.9,) * 100, 0.1, (), "found", "gap")
    assert found.summary.startswith("10 of 20 words sure; doubtful: 1A, 11A, ")
    assert "and 2 more" in found.summary


@pytest.mark.parametrize("sure", [0.49, 1.01, float("nan")])
def test_nothing_is_solved_that_is_likelier_wrong(vague, sure):
    with pytest.raises(ValueError, match=r"sure must be from 0\.5 to 1"):
        replace(vague, sure=sure)


def test_only_a_solved_grid_is_green(vague):
    assert "\x1b[32m" not in vague.to_text(colour=True)
    assert 'class="good"' not in vague.to_html()
    assert "\x1b[32mSolved: " in replace(vague, probability=0.5).to_text(colour=True)
    assert 'class="good"' in replace(vague, probability=0.5).to_html()


def test_a_given_letter_is_never_left_empty():
    lone = Grid.parse("A#B")  # cells of no slot, of which no belief is held
    found = Solution(Puzzle(lone, ()), lone, (), (0.0, 1.0, 0.0), 0.0, (), "found", "none")
    assert found.inked().grid == lone


@pytest.mark.parametrize(
    ("margin", "said"), [(0.2, "nearly as good: 1A XB"), (-0.2, "more probable as a whole: 1A XB")]
)
def test_the_other_filling_is_labelled_as_such(vague, margin, said):
    other = replace(vague, proof="optimal", margin=margin, runner_up=Grid.parse("XB\nCD"))
    told = "\n".join(other.remarks)
    assert said in told
    assert ("no filling is more probable" in told) == (margin > 0)
