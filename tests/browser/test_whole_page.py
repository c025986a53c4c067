"""The page as a whole: accessible, small, in the colours of the reader's choice; and the view of verdicts."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from acting import choose, opened, paste

PAGE = Path(__file__).parents[2] / "agent" / "web" / "page"
WEIGHT = 120_000
"""Bytes that a first load may send, headers and lists included."""

NONOGRAM = '{"rows": [[1, 1], [3], [1]], "columns": [[2], [2], [2]]}'


def test_verdicts_are_drawn(visit):
    empty, wrong = [[None] * 2] * 2, [["a", "b"], [None, None]]
    example = {"state": empty, "horizontal_answers": [["ab"], []], "vertical_answers": [[], []]}
    fault = {
        "kind": "junk",
        "weight": "unsound",
        "count": 3,
        "note": "one successor is none",
        "counter_example": {**example, "came": [wrong], "expected": [], "offending": [wrong]},
        "feedback": "The fault is in <b>successor_state</b>.",
    }
    rows = [
        {"file": "a.py", "role": "goal", "function": "goal", "verdict": "exact", "accepted": True, "faults": []},
        {
            "file": "a.py",
            "role": "successor",
            "function": "successor_state",
            "verdict": "unsound",
            "accepted": False,
            "faults": ["junk"],
            "details": [fault],
        },
    ]
    page = visit("verdicts", ready="#verdict-text")
    page.fill("#verdict-text", "\n".join(json.dumps(row) for row in rows))
    page.click("#verdict-form button")
    page.wait_for_selector(".verdict")
    assert "1 of 2 functions accepted" in page.inner_text("#verdict-list")
    assert "✗ refused" in page.inner_text(".verdict.poor")
    assert page.locator(".verdict.poor .picture").count() == 2
    assert page.locator(".verdict.poor .picture .differs").count() == 2


@pytest.mark.parametrize(("colours", "rules"), [("light", None), ("dark", ["color-contrast"])])
def test_axe_finds_no_serious_fault(visit, colours, rules):
    axe = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")

    def faults(page):
        page.evaluate(axe)
        found = page.evaluate("rules => axe.run(rules ? {runOnly: rules} : {})", rules)["violations"]
        grave = [one for one in found if one["impact"] in {"serious", "critical"}]
        return [(one["id"], node["target"], node["failureSummary"]) for one in grave for node in one["nodes"]]

    page = visit(color_scheme=colours, reduced_motion="reduce")
    page.wait_for_selector(".example-link")
    assert not faults(page)
    assert not faults(visit("verdicts", ready="#verdict-text", color_scheme=colours, reduced_motion="reduce"))
    page = visit(color_scheme=colours, reduced_motion="reduce")
    for example in ("extra-01", "made-1", "rand-5x5-k3-m4-s116", NONOGRAM):
        if example == NONOGRAM:
            page.click("#to-open")
            page.fill("#text", NONOGRAM)
            page.click("#paste button")
            page.wait_for_selector(".board.nonogram")
        else:
            page = visit(f"#example={example}", color_scheme=colours, reduced_motion="reduce")
            page.wait_for_selector(".board")
            page.keyboard.type("ab")
        if example == "extra-01":
            assert not faults(page)
            page.evaluate("document.getElementById('how').open = true")
            page.uncheck("#provider-clueset")
        page.click("#watch")
        page.wait_for_selector(".outcome")
        assert not faults(page)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_no_fault_in_what_is_seen_less_often(visit, colours):
    page = visit("#example=mini-01", color_scheme=colours, reduced_motion="reduce")
    opened(page)
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))

    def faults():
        found = page.evaluate("axe.run()")["violations"]
        return [(one["id"], node["target"], node["failureSummary"]) for one in found for node in one["nodes"]]

    page.keyboard.type(".b.ix")
    choose(page, "Check", "The whole grid")
    page.wait_for_selector(".cell.wrong")
    assert not faults()
    page.click("#pause")
    page.click("#to-settings")
    assert not faults()
    page.keyboard.press("Escape")
    page.click("#resume")
    choose(page, "Reveal", "Clear")
    page.evaluate("import('/static/moving.js').then(({ goTo }) => goTo(2, { direction: 'across' }))")
    page.keyboard.type("bigzeropilotinonnew")
    page.wait_for_selector("#won:not([hidden])")
    assert not faults()
    page.click("#to-statistics")
    assert not faults()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_no_fault_on_a_phone_or_in_trouble(visit, colours):
    page = visit(
        width=390,
        height=844,
        is_mobile=True,
        has_touch=True,
        color_scheme=colours,
        reduced_motion="reduce",
        ignore="422",
    )
    page.wait_for_selector(".example-link")
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))

    def faults():
        found = page.evaluate("axe.run()")["violations"]
        return [(one["id"], node["target"], node["failureSummary"]) for one in found for node in one["nodes"]]

    def at(where, shown):
        page.evaluate("where => { location.hash = where; }", where)
        page.wait_for_selector(shown)

    paste(page, "ACROSS\n1. A\nnonsense here\nDOWN\n1. B\n1. C")
    page.wait_for_selector("#text-trouble:not([hidden])")
    assert not faults()
    paste(page, "ACROSS\n1. Furniture to sleep on\n3. Own\nDOWN\n1. Cold\n2. Hot")
    page.wait_for_selector(".gridless")
    assert not faults()
    at("example=rand-8x8-k3-m5-s101", ".board.fillin")
    page.tap(".board .cell:not(.block) >> nth=0")
    page.wait_for_selector("#keys:not([hidden])")
    page.tap("#actions summary:has-text('Hint')")
    assert not faults()
    at("example=sudoku-6x6-1", ".board.sudoku")
    page.tap("#watch")
    page.wait_for_selector(".outcome")
    assert not faults()


def test_the_chosen_colours_stay(visit):
    page = visit(color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark != light


def test_the_page_is_small_and_asks_no_other_server(visit, address):
    asked = []
    page = visit()
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector(".example-link")
    assert {url.split("/")[2] for url in asked} == {address.split("/")[2]}
    page.wait_for_selector("#today .thumbnail")


def test_an_example_that_is_not_there_is_said_so(visit):
    page = visit("#example=nothing", ignore="404")
    page.locator("#text-trouble", has_text="nothing").wait_for()
    assert page.is_visible("#paste")


def test_a_first_load_is_compressed(visit):
    page = visit()
    page.wait_for_selector(".example-link")
    sent = "performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize || 0), 0)"
    assert 20_000 < page.evaluate(sent) < WEIGHT
