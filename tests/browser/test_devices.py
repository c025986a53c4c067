"""Every size and device: phones, touch, letter keys on the screen, screen readers, forced colours, and a newcomer."""

from pathlib import Path

import pytest
from acting import ROOT, ask_only, choose, drawn, letters, opened, paste, said, solve, until

from agent.api import open_puzzle

PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}
SIZES = [(1440, 900), (1024, 768), (844, 390), (390, 844), (360, 740), (320, 640)]
LONG = f"Title: {'long' * 50}\n\n\nNO\nOH\n\n\nA1. {'unbroken' * 250} ~ NO\nA3. Ah ~ OH\n\nD1. No ~ NO\nD2. Oh ~ OH"


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        ("", ".example-link"),
        ("#example=midi-01", ".board"),
        ("#example=rand25-s0", ".board"),
        ("#example=gogen-01", ".board"),
        ("#statistics", "#statistics .figure"),
    ],
)
def test_no_screen_scrolls_sideways(visit, where, shown):
    page = visit(where)
    page.wait_for_selector(shown)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_endless_words_break(visit):
    page = visit(width=390)
    paste(page, LONG)
    opened(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#clue-bar").bounding_box()["height"] < 130


def test_letter_keys_write_and_never_cover_the_cell(visit):
    page = visit("#example=midi-01", **PHONE)
    opened(page)
    for letter in "abcdefghij":
        page.tap(f"#keys [data-key={letter.upper()}]")
    assert "".join(letters(page)).replace(".", "").startswith("ABC")
    cell = page.locator(".cell.active").bounding_box()
    assert cell["y"] + cell["height"] <= page.locator("#keys").bounding_box()["y"]
    page.tap("#keys [data-key=Backspace]")
    assert "J" not in letters(page)
    assert page.locator(".board input >> nth=0").get_attribute("inputmode") == "none"
    page.tap("#keys [data-key=native]")
    drawn(page)
    assert page.locator(".board input >> nth=0").get_attribute("inputmode") == "text"


def test_a_swiped_word_fills_its_cells(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    page.keyboard.insert_text("big")
    assert "".join(letters(page)[2:5]) == "BIG"


def test_a_finger_fills_a_nonograms_cell_and_may_scroll(visit):
    page = visit("#example=rand25-s0", **PHONE)
    page.wait_for_selector(".board.nonogram")
    page.tap(".board .cell >> nth=0")
    drawn(page)
    assert page.locator(".board .filled").count() == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.board')).touchAction") == "manipulation"
    boxes = page.eval_on_selector_all(".cell", "all => all.slice(0, 26).map(c => c.getBoundingClientRect().toJSON())")
    assert {round(box["y"]) for box in boxes[:25]} == {round(boxes[0]["y"])}
    assert boxes[25]["y"] > boxes[0]["y"]
    assert all(abs(box["width"] - box["height"]) < 1 for box in boxes)


def test_the_clue_is_announced_when_the_word_changes(visit):
    page = visit("#example=mini-01")
    opened(page)
    until(page, "document.getElementById('live').textContent.startsWith('1 across: Like a shirt')")
    page.keyboard.press("Space")
    until(page, "document.getElementById('live').textContent.startsWith('1 down: ')")


def test_clues_come_before_the_agent_on_a_phone(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    assert page.locator("#lists").bounding_box()["y"] < page.locator("#ask").bounding_box()["y"]


def test_clues_follow_the_direction_of_their_writing(visit):
    page = visit()
    paste(page, "ACROSS\n1. מים\n3. No\nDOWN\n1. A\n2. B")
    page.wait_for_selector("#lists .text")
    assert page.evaluate("getComputedStyle(document.querySelector('#lists .text')).direction") == "rtl"


def test_forced_colours_show_lines_word_and_cell(visit):
    page = visit("#example=mini-01", forced_colors="active")
    opened(page)
    style = "selector => (s => [s.outlineStyle, s.backgroundColor])(getComputedStyle(document.querySelector(selector)))"
    assert page.evaluate(style, ".cell.active")[0] == "solid"
    assert page.evaluate(style, ".cell.in-slot:not(.active)")[0] == "dotted"
    assert page.evaluate(style, ".board")[1] != page.evaluate(style, ".cell:not(.block)")[1]


def test_numbers_can_be_read_in_a_full_size_grid(visit):
    page = visit(width=1440)
    rows = "\n".join("." * 21 for _ in range(21))
    paste(page, f"{rows}\n\nAcross\n1. A\nDown\n1. B")
    opened(page)
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.number')).fontSize)")
    assert size >= 7


def test_a_newcomer_plays_gets_help_and_takes_the_answer_along(visit):
    page = visit()
    text = (ROOT / "data" / "minis" / "tune" / "daily-001.xd").read_text("utf-8")
    paste(page, text)
    opened(page)
    page.keyboard.type("abc")
    choose(page, "Hint", "A letter")
    said(page, "from the official solution")
    before = letters(page)
    page.reload()
    opened(page)
    assert letters(page) == before
    solution = open_puzzle(ROOT / "data" / "minis" / "tune" / "daily-001.xd").solution.cells
    for cell, letter in enumerate(solution):
        if letter != "#":
            page.evaluate("cell => import('/static/moving.js').then(({ goTo }) => goTo(cell))", cell)
            page.keyboard.type(letter)
    page.locator("#won", has_text="Solved in").wait_for()
    page.click("#won >> text=Another puzzle")
    paste(page, text.replace("daily", "other"), "#solve-for-me")
    page.wait_for_selector(".outcome")
    assert "%" in page.inner_text(".outcome h2")
    page.click("#export summary")
    with page.expect_download() as expected:
        page.get_by_role("button", name=".ipuz", exact=True).click()
    taken = open_puzzle(Path(expected.value.path()))
    assert "".join(taken.solution.cells).replace("#", ".") == "".join(letters(page))


def test_rounds_can_be_gone_back_to(visit):
    page = visit("#example=extra-02")
    page.wait_for_selector(".board")
    ask_only(page, "lexicon")
    solve(page)
    page.locator("#rounds-text", has_text="The outcome").wait_for()
    page.focus("#rounds-range")
    page.keyboard.press("Home")
    page.locator("#rounds-text", has_text="First round").wait_for()
    assert page.locator(".cell.weak").count() == 0
