"""axe finds no fault in any state of the page: in the light, in the dark, and in the colours that a reader forces."""

from dataclasses import replace
from importlib.resources import files

import pytest
from acting import ROOT, ask_only, choose, expect, opened, paste, said, show_verdicts, solve

from agent.api import open_puzzle
from agent.formats import write_puzzle

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
LOOKS = (
    {"color_scheme": "light", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "light", "forced_colors": "active"},
)
PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}
MINI = open_puzzle(ROOT / "data" / "minis" / "mini-01.xd")
OTHER = replace(MINI, solution=replace(MINI.solution, cells=("#", "#", "B", "A", *MINI.solution.cells[4:])))
"""A mini whose official solution has another letter than its clues."""
WIDE = f"{chr(10).join('.' * 21 for _ in range(21))}\n\nAcross\n1. A\nDown\n1. B"
COLOURED = "colours: r red FF0000, b blue 0000FF\nrows: 1r 1b\ncolumns: 1r / 1b"
CLUES = "ACROSS\n1. Furniture to sleep on\n3. Own\nDOWN\n1. Cold\n2. Hot"

STATES = {}


def state(function):
    """Note a function that brings the page into a state, under its name."""
    STATES[function.__name__.replace("_", " ")] = function
    return function


@state
def start(page):
    page.wait_for_selector(".example-link")
    page.evaluate("document.querySelectorAll('#examples details').forEach(one => { one.open = true; })")


@state
def a_text_that_cannot_be_read(page):
    paste(page, "ACROSS\n1. A\nnonsense here\nDOWN\n1. B\n1. C")
    page.wait_for_selector("#text-trouble:not([hidden])")


@state
def clues_without_a_grid(page):
    paste(page, CLUES)
    page.wait_for_selector(".gridless")


def mini(page):
    page.wait_for_selector(".example-link")
    page.evaluate("location.hash = '#example=mini-01'")
    opened(page)


@state
def playing(page):
    mini(page)
    page.keyboard.type("b.ig")
    page.wait_for_selector(".cell.pencil")


@state
def paused(page):
    playing(page)
    page.click("#pause")
    expect(page, "#resume").to_be_visible()


@state
def several_letters(page):
    mini(page)
    page.keyboard.press("Escape")
    page.wait_for_selector(".writer.rebus")


@state
def menus(page):
    mini(page)
    for menu in ("Hint", "Check", "Reveal"):
        page.eval_on_selector(f"summary:has-text('{menu}')", "one => { one.parentNode.open = true; }")
    for menu in ("#export", "#print"):
        page.eval_on_selector(menu, "one => { one.open = true; }")


@state
def hint(page):
    mini(page)
    choose(page, "Hint", "What kind of clue")
    said(page, "1A: a description")
    page.click("#said button")
    said(page, "the official solution has it")
    page.click("#said button")
    page.wait_for_selector(".cell.helped")


@state
def checked(page):
    mini(page)
    page.keyboard.type("bix")
    choose(page, "Check", "The whole grid")
    page.wait_for_selector(".cell.wrong")


@state
def help_that_takes_long(page):
    mini(page)
    page.route("**/check", lambda _: None)
    choose(page, "Check", "The whole grid")
    page.wait_for_selector("#said button:has-text('Cancel')")


@state
def no_server(page):
    mini(page)
    page.route("**/solve", lambda route: route.abort())
    page.click("#watch")
    page.wait_for_selector("#ask-trouble:not([hidden])")


@state
def settings(page):
    mini(page)
    page.click("#to-settings")
    page.wait_for_selector("#settings[open]")


@state
def won(page):
    mini(page)
    page.keyboard.type("bigzeropilotinonnew")
    page.wait_for_selector("#won:not([hidden])")


@state
def shared(page):
    won(page)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: null })")
    page.click("#share")
    page.wait_for_selector("#won textarea")


@state
def statistics(page):
    won(page)
    page.click("#to-statistics")
    page.wait_for_selector("#statistics table")


@state
def why(page):
    mini(page)
    page.evaluate("document.getElementById('how').open = true")
    solve(page)
    page.click("text=Worker with lofty goals?")
    page.wait_for_selector("#candidates .why")
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = !one.matches('.menu'); })")


@state
def the_official_solution_differs(page):
    paste(page, write_puzzle(OTHER, "xd").decode())
    opened(page)
    solve(page)
    page.wait_for_selector(".cell.differs")


@state
def doubt_and_an_earlier_round(page):
    page.wait_for_selector(".example-link")
    page.evaluate("location.hash = '#example=mini-05'")
    opened(page)
    ask_only(page, "lexicon")
    solve(page)
    page.focus("#rounds-range")
    page.keyboard.press("Home")
    page.locator("#rounds-text", has_text="First round").wait_for()


def example(name, *, keys="", is_solved=False):
    def act(page):
        page.wait_for_selector(".example-link")
        page.evaluate("name => { location.hash = `#example=${name}`; }", name)
        page.wait_for_selector(".board")
        page.click(".board .cell:not(.block) >> nth=0")
        page.keyboard.type(keys)
        if is_solved:
            solve(page)

    return act


for name, keys in (("picture-01", " x"), ("gogen-01", "q"), ("words-01", "ab"), ("sudoku-6x6-1", "12")):
    STATES[f"{name} played"] = example(name, keys=keys)
    STATES[f"{name} solved"] = example(name, is_solved=True)
STATES["a full-size grid"] = lambda page: (paste(page, WIDE), opened(page))
STATES["a coloured nonogram"] = lambda page: (paste(page, COLOURED), page.click(".board.nonogram .cell >> nth=0"))


def faults(page, looks=LOOKS):
    """List what axe finds in each look; the dark and forced colours can only change what colours do."""
    found = []
    page.evaluate(AXE)
    for at, look in enumerate(looks):
        page.emulate_media(reduced_motion="reduce", **look)
        rules = {"resultTypes": ["violations"]} | ({"runOnly": ["color-contrast"]} if at else {})
        for one in page.evaluate("rules => axe.run(rules).then(found => found.violations)", rules):
            found += [(look, one["id"], node["target"], node["failureSummary"]) for node in one["nodes"]]
    return found


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_no_fault(visit, name):
    page = visit(reduced_motion="reduce", ignore="Failed to load resource")
    STATES[name](page)
    assert not faults(page)


@pytest.mark.parametrize("name", ["start", "playing", "hint", "why", "clues without a grid", "sudoku-6x6-1 solved"])
def test_axe_finds_no_fault_on_a_phone(visit, name):
    page = visit(reduced_motion="reduce", **PHONE)
    STATES[name](page)
    assert not faults(page, LOOKS[:1])  # a phone has the colours of the wide page


def test_axe_finds_no_fault_while_a_model_thinks(visit, slow_model):
    url, _ = slow_model
    page = visit("#example=mini-01", at=url, reduced_motion="reduce")
    opened(page)
    ask_only(page, "llm", "clueset")
    page.click("#watch")
    page.wait_for_selector(".cell.ghost")
    assert not faults(page)
    page.click("#cancel")
    expect(page, "#watch").to_be_visible()


@pytest.mark.parametrize("screen", [{}, PHONE])
def test_axe_finds_no_fault_among_people_in_a_room(visit, screen):
    page = visit(reduced_motion="reduce", **screen)
    mini(page)
    page.click("#meet")
    page.wait_for_selector("#room[open]")
    assert not faults(page)
    page.click("#room .primary")
    for number, cell in enumerate((3, 3, 11), 2):
        other = visit(page.url.rpartition("/")[2])
        expect(other, "#people li").to_have_count(number)
        other.click(f"#cell-{cell}")
    expect(page, ".cursor").to_have_count(3)
    assert not faults(page)


@pytest.mark.parametrize("is_filled", [False, True])
def test_axe_finds_no_fault_on_the_page_of_verdicts(visit, is_filled):
    page = visit("verdicts", ready="#verdict-text", reduced_motion="reduce")
    if is_filled:
        show_verdicts(page)
    assert not faults(page)
