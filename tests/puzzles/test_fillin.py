import json
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.api import read_puzzle
from agent.core.propagate import settle
from agent.errors import FormatError
from agent.kinds import check, read_kind, solve_kind
from agent.puzzles.fillin import search
from agent.puzzles.fillin.deduce import start
from agent.puzzles.fillin.files import FillIn, build, parse, write_text
from agent.puzzles.fillin.make import make
from agent.puzzles.fillin.search import rules, successors

EASY = ["rand-5x5", "rand-7x7", "rand-8x8", "rand-10x10", "rand-12x12-k4", "rand-15x15-k5", "rand-20x32"]


def brute_force(puzzle: FillIn) -> set[str]:
    """Try every order of the words in the slots."""
    found = set()
    for order in permutations(puzzle.words):
        cells = list("".join(puzzle.grid))
        for slot, word in zip(puzzle.slots, order, strict=False):
            if len(word) == len(slot):
                for cell, letter in zip(slot.cells, word, strict=True):
                    cells[cell] = letter
        text = "".join(cells)
        width = puzzle.width
        if not check(puzzle, [text[k : k + width] for k in range(0, len(text), width)]):
            found.add(text)
    return found


def test_the_generated_instances_are_solved_and_proved_unique(own: Path):
    for name in EASY:
        for file in (own / "fillin").glob(f"{name}*.json"):
            result = solve_kind(read_kind(file.read_bytes(), source=file.name), backend=False)
            assert result.solved, file.name
            assert result.unique, file.name


def test_json_plain_text_and_prolog_lists_are_the_same_puzzle():
    text = parse("#h#\n___\n#_#\n\nhat\nbag")
    spaced = parse("# h #\n_ _ _\n# _ #\n\nhat, bag\n")
    prolog = parse(
        "?- Puzzle = [['#',h,'#'],[_,A,_],['#',_G12,'#']], % the grid\n   puzzle_solution(Puzzle, [[h,a,t],[b,a,g]])."
    )
    listed = parse('{"grid": [["#", "h", "#"], ["_", "", null], "#_#"], "words": ["hat", "bag"]}')
    assert text.grid == spaced.grid == prolog.grid == listed.grid
    assert text.words == spaced.words == prolog.words == listed.words


def test_digits_are_as_good_as_letters():
    assert solve_kind(parse("_#_\n___\n_#_\n\n123 456 285")).solutions[0].rows == ("1#4", "285", "3#6")


def test_a_symmetric_puzzle_has_two_solutions_and_both_are_shown():
    result = solve_kind(parse("__\n__\n\nab cd ac bd"))
    assert [solution.rows for solution in result.solutions] == [("ab", "cd"), ("ac", "bd")]
    assert result.proof == "several"


def test_a_word_listed_twice_is_not_a_second_solution():
    result = solve_kind(parse("__#__\n\nab ab"))
    assert result.unique
    assert result.solutions[0].rows == ("ab#ab",)
    assert solve_kind(parse("__#__#__\n\nab ab cd"), count=9).proof == "several"
    assert len(solve_kind(parse("__#__#__\n\nab ab cd"), count=9).solutions) == 3


@pytest.mark.parametrize(
    "text",
    [
        "hat\no#_\n___\n\nhob\ntie\nbee",
        "hat\n_#_\n___\n\nhob\ntie\nbee",
        '{"grid": ["hat", "_#_", "___"], "words": ["hob", "tie", "bee", "zoo"], "spare": true}',
    ],
)
def test_a_word_that_stands_whole_in_the_grid_need_not_be_listed(text: str):
    result = solve_kind(read_kind(text))
    assert (result.proof, result.solutions[0].rows) == ("unique", ("hat", "o#i", "bee"))


def test_a_word_in_the_grid_that_the_full_list_lacks_is_named():
    result = solve_kind(read_kind("hat\n_#_\n___\n\nhob\ntie\nbee\nzoo"))
    assert "No word fits 1A (row 1, column 1): hat." in result.summary


def test_cells_in_no_word_stay_empty():
    result = solve_kind(parse("hat#_\n###_#\n_##b_\n\nhat ba"))
    assert result.proof == "none"  # the column _b needs a word that is not listed
    assert solve_kind(parse("hat#_\n#####\n_##b_\n\nhat ba")).solutions[0].rows == ("hat#_", "#####", "_##ba")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("___\n\nab", "words of length 2 are listed for 0 slots"),
        ("a__\n\nbcd", "No word fits 1A (row 1, column 1): a__."),
        ("__\n__\n\nab cd ef gh", "No word fits"),
        ("_b_#a_c\n\nabc dec", "abc is needed twice"),
        ("___#___\n\nabc", "1 words of length 3 are listed for 2 slots"),
    ],
)
def test_the_reason_for_no_solution_is_given(text: str, reason: str):
    result = solve_kind(parse(text), explain=True)
    assert result.proof == "none"
    assert not result.solved
    assert reason in result.reason
    assert result.steps[-1].rule == "contradiction"


def test_the_explanation_leads_from_givens_to_the_solution(own: Path):
    puzzle = read_kind((own / "fillin" / "rand-8x8-k3-m5-s101.json").read_bytes())
    result = solve_kind(puzzle, explain=True)
    told = " ".join(step.text for step in result.steps)
    assert all(f"{slot.name} (" in told for slot in puzzle.slots)  # type: ignore[union-attr]


def test_successor_counts_by_depth_stay_as_they_are(own: Path):
    puzzle = parse((own / "fillin" / "rand-15x15-k3-m6-s101.json").read_text())
    level, counts = [start(puzzle)], []
    for _ in range(3):
        level = [child for state in level for child in successors(state)]
        counts.append(len(level))
    assert counts == GOLDEN


GOLDEN = [2, 4, 12]


@given(st.data())
def test_small_grids_have_the_solutions_of_brute_force(data: st.DataObject):
    rows = data.draw(st.lists(st.text("ab#", min_size=3, max_size=3), min_size=2, max_size=3))
    slots = FillIn(tuple(rows), ("xx",)).slots
    flat = "".join(rows)
    words = ["".join(flat[cell] for cell in slot.cells) for slot in slots]
    if not words:
        return
    hidden = tuple("".join(sign if sign == "#" or data.draw(st.booleans()) else "_" for sign in row) for row in rows)
    if data.draw(st.booleans()):
        words[0] = words[0][::-1]
    puzzle = build(hidden, tuple(words))
    begin = start(puzzle)
    outcome = settle(begin, rules(begin), count=1000, warm_up=(2, 3)).outcome
    found = ["".join(search.rows(goal)) for goal in outcome.goals]
    assert len(found) == len(set(found))
    assert set(found) == brute_force(puzzle)


@settings(max_examples=settings.default.max_examples // 3)
@given(st.integers(0, 10_000), st.integers(4, 9), st.integers(4, 9))
def test_made_puzzles_are_unique_and_read_back(seed: int, width: int, height: int):
    puzzle = make(width, height, seed=seed)
    assert parse(json.dumps(puzzle.to_json())) == puzzle
    assert parse(write_text(puzzle)) == replace(puzzle, id="")
    assert solve_kind(puzzle).unique


def test_a_grid_with_rows_of_different_lengths_is_refused_as_a_fill_in():
    with pytest.raises(FormatError, match="line 2: expected a row of 2 cells as in the first row, found 3"):
        read_puzzle("__\n___\n\nab\nabc")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#_\n___\n\nab", "line 2: expected a row of 2 cells"),
        ("#_\n_!\n\nab", "line 2: expected cells #, _"),
        ("#_\n__\n", "expected words after the grid"),
        ("[[a,b],[c d]] [[a]]", "line 1: expected comma-separated cells such as"),
        ("[[a,b],[c,_]]", "expected two lists of lists"),
        ('{"grid": ["__"],\n "words": [1]}', '"words" to be a list of strings'),
        ('{"grid": ["__"],\n "words": [', "line 2: expected valid JSON"),
    ],
)
def test_bad_files_are_refused_with_line_and_expectation(text: str, expected: str):
    with pytest.raises(FormatError) as error:
        parse(text, source="x.txt")
    assert str(error.value).startswith("x.txt: ")
    assert expected in str(error.value)


@given(st.text("[]',#_ab%\\\"\n ", max_size=40))
def test_no_text_breaks_the_reader(text: str):
    for shape in (text, "[[" + text, "__\n" + text, '{"grid": ' + text):
        with suppress(FormatError):
            parse(shape)
