"""Files in and out: every format that is read, by choosing a file or by pasting it, and what an export keeps."""

from pathlib import Path

import pytest
from acting import ROOT, choose, drop, expect, letters, opened, paste, said
from foreign import SHAPES

from agent.api import open_puzzle
from agent.filetypes import WRITTEN
from agent.formats import write_puzzle

MINI = open_puzzle(ROOT / "data" / "minis" / "mini-09.xd")
FILES = {one.ending: write_puzzle(MINI, one.name) for one in WRITTEN} | {
    name: make(MINI) for name, make in SHAPES.items()
}


def is_text(content):
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


def shows_the_mini(page, name):
    """Wait for the mini, with its clues, and its grid unless the format has none; then go back to the first view."""
    expect(page, "#view-puzzle").to_be_visible()
    expect(page, "#lists").to_contain_text(MINI.clue(MINI.grid.slots[0]))
    if name != ".txt":
        assert page.locator(".board .cell").count() == len(MINI.solution.cells)
        assert page.locator(".board .cell.block").count() == MINI.solution.cells.count("#")
    page.click("#to-open")
    expect(page, "#view-puzzle").to_be_hidden()


def test_a_file_of_every_format_is_opened(visit):
    page = visit()
    for name, content in FILES.items():
        ending = name if name.startswith(".") and " " not in name else ""
        page.set_input_files("#file", {"name": f"mini{ending}", "mimeType": "", "buffer": content})
        shows_the_mini(page, name)


def test_a_text_of_every_format_is_read_from_the_box(visit):
    page = visit()
    for name, content in FILES.items():
        if is_text(content):
            paste(page, content.decode())
            shows_the_mini(page, name)


def test_bars_are_heavier_lines_and_end_slots(visit):
    page = visit()
    paste(page, '{"grid": ["....", "...."], "bars": [[1, 2], [2, 6]], "clues": {"across": [[1, "a"], [3, "b"]]}}')
    expect(page, "#view-puzzle").to_be_visible()
    edges = page.locator(".board .cell").evaluate_all("cells => cells.map((cell) => cell.dataset.heavy || '')")
    assert [edge.strip() for edge in edges] == ["", "column", "row", "", "", "", "", ""]
    page.locator(".board .cell").first.click()
    assert page.locator(".board .cell.in-slot").count() == 2


@pytest.mark.parametrize("ending", [".puz", ".ipuz"])
def test_letters_come_back_from_a_file_as_the_persons(visit, ending):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("bag")
    page.click("#export summary")
    with page.expect_download() as expected:
        page.get_by_role("button", name=ending, exact=True).click()
    taken = Path(expected.value.path()).read_bytes()
    other = visit()
    other.set_input_files("#file", {"name": f"taken{ending}", "mimeType": "", "buffer": taken})
    opened(other)
    assert "".join(letters(other)[2:5]) == "BAG"
    choose(other, "Check", "The whole grid")
    said(other, "2 right (✓), 1 wrong (struck through), by the official solution")


def test_what_a_file_does_not_keep_is_reported(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("bag")
    page.click("#export summary")
    with page.expect_download():
        page.get_by_role("button", name=".xd", exact=True).click()
    said(page, "does not keep: the letters written so far")


def test_what_cannot_be_read_gets_one_line(visit):
    page = visit(ignore="422")
    contents = ["", "%PDF-1.7", "<html><body>Sign in</body></html>", "[1, 2]", "hello"]
    for number, content in enumerate(contents):
        drop(page, f"today-{number}.txt", content)
        expect(page, "#text-trouble").to_contain_text(f"today-{number}.txt")
        assert "\n" not in page.inner_text("#text-trouble")


@pytest.mark.parametrize(
    ("name", "content", "heading"),
    [
        ("monday.puzzle.json", '{"id": "a8f3-2b", "grid": ["."], "clues": {}}', "monday.puzzle"),
        ("", '{"id": "a8f3-2b", "grid": ["."], "clues": {}}', "Untitled crossword"),
        ("mine.xd", "Title: Two\n\n\nNO\nOH\n\n\nA1. Not yes ~ NO", "Two"),
        ("", '{"id": "b-7", "rows": [[1]], "columns": [[1]]}', "Nonogram"),
    ],
)
def test_a_puzzle_without_a_title_is_called_by_its_file_and_never_by_its_identity(visit, name, content, heading):
    page = visit()
    if name:
        drop(page, name, content)
    else:
        paste(page, content)
    expect(page, "#title").to_have_text(heading)
    assert page.title().startswith(heading)
    page.click("#to-open")
    expect(page, "#recent-list").to_contain_text(heading)


def test_an_example_without_a_title_is_called_as_in_the_list(visit):
    page = visit()
    expect(page, "#examples").to_contain_text("Sudoku 6x6 1")
    page.click("#examples a:has-text('Sudoku 6x6 1')")
    expect(page, "#title").to_have_text("Sudoku 6x6 1")
