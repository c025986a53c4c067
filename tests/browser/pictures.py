"""Take the pictures of the page that the documentation shows: `python tests/browser/pictures.py [NAME ...]`."""

import json
import sys
import threading
from contextlib import ExitStack

from acting import CHROMIUM, FLAGS, PATIENCE, ROOT, ask_only, choose, serving

from agent.testing import FakeOpenAI

PICTURES = ROOT / "docs" / "pictures"
BEFORE = [["l", None, None], ["i", None, None], ["n", None, None]]
AFTER = [["q", "e", "s"], *BEFORE[1:]]
FAULT = {
    "kind": "overwrite",
    "weight": "unsound",
    "count": 135,
    "note": "the cell in row 0, column 0 held 'l' and now holds 'q'",
    "counter_example": {"state": BEFORE, "came": [AFTER], "expected": [], "offending": [AFTER]},
}
JUDGED = {"file": "functions.py", "seconds": 0.6}
VERDICTS = [
    {**JUDGED, "role": "goal", "function": "is_goal_state", "verdict": "exact", "accepted": True, "faults": []},
    {
        **JUDGED,
        "role": "successor",
        "function": "successor_state",
        "verdict": "unsound",
        "accepted": False,
        "faults": ["overwrite"],
        "details": [FAULT],
    },
]


def visit(page, where, what):
    """Open a part of the page, and wait until it is there."""
    page.goto(where)
    page.wait_for_selector("#providers input", state="attached")
    page.wait_for_selector(what)


def take(page, name):
    """Take a picture of the part visible without scrolling."""
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"{name}.png")


def doubtful(page):
    """Show a mini solved with the lexicon alone: shading, candidates, another filling, the official solution."""
    visit(page, "/#example=mini-10", ".board")
    ask_only(page, "lexicon")
    page.click("#watch")
    page.wait_for_selector(".outcome")
    page.click("text=___ is where the heart")


def arriving(page):
    """Show candidates of one provider on the grid, while another still thinks."""
    visit(page, "/#example=mini-05", ".board")
    ask_only(page, "clueset", "llm")
    page.click("#watch")
    page.wait_for_selector(".cell.ghost")


def checked(page):
    """Show a person's own solving on a phone, after a check and a hint."""
    visit(page, "/#example=mini-01", ".board")
    page.keyboard.type("bugzero")
    choose(page, "Check", "The whole grid")
    page.wait_for_selector(".cell.wrong")
    choose(page, "Hint", "A letter")
    page.wait_for_selector(".cell.helped")


def traced(page):
    """Show a Gogen with the path of a word."""
    visit(page, "/#example=gogen-01", ".board")
    page.click("#watch")
    page.wait_for_selector(".outcome")
    page.click("button.word:has-text('SHOUTING')")
    page.wait_for_selector(".path polyline", state="attached")


def judged(page):
    """Show the verdicts on two functions."""
    page.goto("/verdicts")
    page.fill("#verdict-text", "\n".join(json.dumps(row) for row in VERDICTS))
    page.click("#verdict-form button")
    page.wait_for_selector(".verdict")


def first(page):
    """Show the first view with a puzzle that was begun."""
    visit(page, "/#example=mini-01", ".board")
    page.keyboard.type("bigzer")
    page.click("#to-open")
    page.wait_for_selector("#recent a")


def played(page):
    """Show a puzzle in the middle of being solved: letters, one in pencil, and a hint's first step."""
    visit(page, "/#example=midi-01", ".board")
    page.keyboard.type("grab.e.")
    choose(page, "Hint", "What kind")
    page.wait_for_selector("#said:not([hidden])")


DESK = {"viewport": {"width": 1120, "height": 800}}
WIDE = {"viewport": {"width": 1440, "height": 900}, "device_scale_factor": 0.75}
TABLET = {"viewport": {"width": 1024, "height": 768}, "device_scale_factor": 0.75}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
FULL = {"viewport": {"width": 1240, "height": 1250}, "device_scale_factor": 0.65}
SCENES = (
    ("solved", doubtful, "light", FULL),
    ("solving", arriving, "dark", DESK),
    ("phone", checked, "light", PHONE),
    ("gogen", traced, "light", DESK),
    ("verdicts", judged, "dark", DESK),
    *(
        (f"{name}-{screen}-{colours}", scene, colours, size)
        for name, scene in (("first", first), ("played", played))
        for screen, size in (("wide", WIDE), ("tablet", TABLET), ("phone", PHONE))
        for colours in ("light", "dark")
    ),
)


def main():
    """Take all of them."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    told = threading.Event()
    with ExitStack() as stack:
        model = stack.enter_context(FakeOpenAI(lambda _: told.wait(PATIENCE / 1000) and {"slots": []}))
        address = stack.enter_context(serving("--model", "llama3.1", "--base-url", model.base_url))
        stack.callback(told.set)
        manager = stack.enter_context(sync_playwright())
        browser = manager.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--disable-lcd-text"])
        stack.callback(browser.close)
        for name, scene, colours, screen in SCENES:
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            with browser.new_context(
                base_url=address, color_scheme=colours, reduced_motion="reduce", **screen
            ) as context:
                context.set_default_timeout(PATIENCE)
                page = context.new_page()
                scene(page)
                take(page, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
