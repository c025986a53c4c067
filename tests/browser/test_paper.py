"""The puzzle on paper: blank, with the person's letters, or solved; nothing of the page's buttons is printed."""

import pytest
from acting import ask_only, letters, opened, solve

PRINTING = """() => {
    window.printed = [];
    window.print = () => {
        const seen = cell => {
            const field = cell.querySelector('.letter');
            return field && !/^rgba.*, 0\\)$/.test(getComputedStyle(field).color) ? field.textContent : '';
        };
        printed.push([...document.querySelectorAll('.board .cell')].map(seen).join(''));
    };
}"""


def printed(page, what):
    """Choose an item of the menu; return the letters that paper gets."""
    page.emulate_media(media="print")
    page.evaluate("printed.length = 0")
    page.eval_on_selector(f"#print [data-print={what}]", "button => button.click()")
    return page.evaluate("printed[0]")


def test_a_print_can_be_blank_or_have_either_sides_letters(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("bag")
    letters(page)
    page.evaluate(f"({PRINTING})()")
    assert printed(page, "blank") == ""
    assert printed(page, "letters") == "BAG"
    page.emulate_media(media="screen")
    ask_only(page, "clueset")
    solve(page)
    assert printed(page, "solution") == "BIGZEROPILOTINONNEW"
    assert printed(page, "blank") == ""
    assert printed(page, "letters") == "BAG"


@pytest.mark.parametrize("example", ["mini-01", "rand25-s0", "sudoku-6x6-1", "gogen-01", "midi-01"])
def test_paper_has_the_puzzle_and_nothing_of_the_page(visit, example):
    page = visit(f"#example={example}", color_scheme="dark")
    page.wait_for_selector(".board")
    page.emulate_media(media="print")
    for gone in (".masthead", ".tools", "#actions", "#ask", "#clue-bar", ".foot"):
        assert page.is_hidden(gone)
    for stays in ("#title", ".board"):
        assert page.is_visible(stays)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    active = "getComputedStyle(document.querySelector('.board .cell.active'))"
    assert page.evaluate(f"{active}.backgroundColor") in {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    assert page.evaluate(f"{active}.outlineStyle") == "none"
    if example == "gogen-01":
        rings = "cells => cells.map(cell => getComputedStyle(cell, '::before').backgroundColor)"
        assert len(set(page.eval_on_selector_all(".board .cell.given", rings))) == 1  # the active one is as the others
    if example in {"mini-01", "midi-01"}:
        assert page.is_visible(".clue-list .clue >> nth=0")
        assert page.locator(".board").bounding_box()["width"] < page.viewport_size["width"] * 0.75


def test_a_mini_is_one_sheet_of_paper(visit):
    page = visit("#example=mini-01")
    opened(page)
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1
