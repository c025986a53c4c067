"""A written puzzle reads back the same, in every format, for any grid and any Unicode clue."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.api import open_puzzle, read_puzzle
from agent.errors import FormatError
from agent.formats import not_kept, write_puzzle
from agent.formats.common import clean
from agent.grid import BLOCK, EMPTY, TOLD, Clue, Grid, Puzzle

FORMATS = ("xd", "ipuz", "puz", "jpz", "json", "text")

SIGNS = st.characters(exclude_categories=("Cs", "Cc", "Cn", "Zl", "Zp"), exclude_characters="\u200b\ufeff")
TEXTS = st.text(SIGNS, min_size=1, max_size=40).map(clean).filter(bool)
LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


@st.composite
def puzzles(draw):
    """Any puzzle a file can hold: blocks anywhere, clues in any script, some slots without one."""
    width, height = draw(st.integers(2, 12)), draw(st.integers(2, 12))
    blocks = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    cell = st.one_of(LETTERS, st.sampled_from(["HEART", "STAR", "TEN"]))
    filling = draw(st.lists(cell, min_size=width * height, max_size=width * height))
    solution = Grid(width, height, tuple(BLOCK if b else c for b, c in zip(blocks, filling, strict=True)))
    slots = solution.slots
    clues = tuple(Clue(slot.name, draw(TEXTS)) for slot in slots if draw(st.integers(0, 9)))
    known = draw(st.booleans()) and bool(slots)
    about = {"title": draw(TEXTS), "author": draw(TEXTS)} if draw(st.booleans()) else {}
    return Puzzle(solution.emptied(), clues, solution=solution if known else None, **about)


@st.composite
def rich_puzzles(draw):
    """Any puzzle with everything that a Puzzle has a place for."""
    puzzle = draw(puzzles())
    white = [at for at, cell in enumerate(puzzle.grid.cells) if cell != BLOCK]
    cells = st.frozensets(st.sampled_from(white)) if white else st.just(frozenset())
    about = {name: draw(TEXTS) for name in TOLD if draw(st.booleans())}
    given = {at: puzzle.solution.cells[at] for at in draw(cells)} if puzzle.solution else {}
    return dataclasses.replace(puzzle, grid=puzzle.grid.fill(given), circles=draw(cells), shaded=draw(cells), **about)


KEPT_BY = {
    "json": {*TOLD, "given letters", "circles", "shading"},
    "ipuz": {*TOLD, "given letters", "circles", "shading"},
    "jpz": {*TOLD, "given letters", "circles", "shading"},
    "puz": {"title", "author", "copyright", "notes", "given letters", "circles"},
    "xd": {*TOLD},
    "text": {*TOLD},
}
"""What each format always brings back, besides grid, clues and solution."""


@pytest.mark.parametrize("form", FORMATS)
@given(puzzle=rich_puzzles())
def test_what_a_file_does_not_keep_is_named(form, puzzle):
    if form == "xd":
        puzzle = with_clues(puzzle, lambda text: not set("{}~") & set(text) and "<!--" not in text)
    if form in {"xd", "text"} and not puzzle.clues:
        return
    written = write_puzzle(puzzle, form)
    lost = not_kept(puzzle, form, written)
    back = read_puzzle(written)
    assert not KEPT_BY[form] & set(lost)
    for name in lost:
        nothing = {"given letters": puzzle.grid.emptied(), "circles": frozenset(), "shading": frozenset()}.get(name, "")
        field = {"given letters": "grid", "shading": "shaded"}.get(name, name)
        assert getattr(back, field) == nothing
        back = dataclasses.replace(back, **{field: getattr(puzzle, field)})
    assert back == puzzle


def test_rows_that_look_like_clues_come_back_from_text():
    puzzle = Puzzle(Grid.parse("..\n.."), (Clue("1A", "Not up"),), solution=Grid(2, 2, ("D", "N", "A", "HEART")))
    assert read_puzzle(write_puzzle(puzzle, "text"), name="x") == puzzle


@pytest.mark.parametrize(("rows", "slot"), [("#.\n#.", "1D"), ("##\n..", "1A")])
def test_clues_of_one_direction_alone_come_back_from_text(rows, slot):
    puzzle = Puzzle(Grid.parse(rows), (Clue(slot, "Not up"),))
    assert read_puzzle(write_puzzle(puzzle, "text"), name="x") == puzzle


def test_signs_of_html_and_markdown_survive_in_text():
    puzzle = Puzzle(Grid.parse(".."), (Clue("1A", "a <b> &amp; **c**"),), title="<T>", author="&amp;")
    assert read_puzzle(write_puzzle(puzzle, "text"), name="x") == puzzle


def with_clues(puzzle, kept):
    return dataclasses.replace(puzzle, clues=tuple(clue for clue in puzzle.clues if kept(clue.text)))


@pytest.mark.parametrize("form", FORMATS)
def test_our_minis_come_back(mini_path, form):
    puzzle = open_puzzle(mini_path)
    wanted = dataclasses.replace(puzzle, date="") if form == "puz" else puzzle  # .puz has no field for a date
    assert read_puzzle(write_puzzle(puzzle, form), name="x") == wanted


@pytest.mark.parametrize("form", FORMATS)
def test_the_solution_is_never_in_the_grid(mini_path, form):
    puzzle = read_puzzle(write_puzzle(open_puzzle(mini_path), form), name="x")
    assert set(puzzle.grid.cells) <= {BLOCK, EMPTY}
    assert puzzle.solution.is_filled


@pytest.mark.parametrize("form", FORMATS)
def test_a_filling_is_written_as_the_solution(form):
    puzzle = Puzzle(Grid.parse("..\n.."), (Clue("1A", "Not yes"), Clue("3A", "My!")))
    filled = Grid.parse("NO\nOH")
    assert read_puzzle(write_puzzle(puzzle, form, filled=filled), name="x").solution == filled


@pytest.mark.parametrize("form", FORMATS)
def test_given_letters_stay(form):
    puzzle = Puzzle(Grid.parse("N.\n.."), (Clue("1A", "Not yes"),))
    assert read_puzzle(write_puzzle(puzzle, form), name="x").grid == puzzle.grid


@pytest.mark.parametrize("form", ["puz", "jpz", "ipuz", "json"])
def test_given_letters_stay_next_to_the_solution(form):
    puzzle = Puzzle(Grid.parse("N.\n.."), (Clue("1A", "Not yes"),), solution=Grid.parse("NO\nOH"))
    assert read_puzzle(write_puzzle(puzzle, form), name="x") == puzzle


@pytest.mark.parametrize("form", FORMATS)
def test_a_filling_with_other_blocks_is_refused(form):
    puzzle = Puzzle(Grid.parse("..\n.."), (Clue("1A", "Not yes"),))
    with pytest.raises(FormatError, match="other blocks, bars or numbers than the puzzle"):
        write_puzzle(puzzle, form, filled=Grid.parse("NO\n#H"))


def test_an_unknown_format_is_refused():
    with pytest.raises(FormatError, match="expected one of puz, jpz, json, ipuz, xd, text, found 'rg'"):
        write_puzzle(Puzzle(Grid.parse(".."), ()), "rg")
