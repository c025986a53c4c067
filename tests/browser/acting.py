"""What a person does on the page, for tests and pictures: a served page, letters, menus, files."""

import json
import re
import shutil
from contextlib import contextmanager

from playwright import sync_api as playwright
from served import ROOT, served

__all__ = ["ROOT", "playwright"]
WHOLE = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = shutil.which("chromium-headless-shell") or WHOLE
"""The same engine without a user interface takes two thirds of the processor time of the whole browser."""

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 60_000
"""Milliseconds until a test gives up waiting: a loaded machine is slow."""
playwright.expect.set_options(timeout=PATIENCE)


@contextmanager
def serving(*options):
    """Run `gridwright serve` on a free port, with a cache of its own; yields the address."""
    with served(*options) as (address, _):
        yield address


def drawn(page):
    """Wait until what was typed is drawn: the page draws once a frame."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def letters(page):
    """Read the grid on show, `.` where a cell is a block or empty."""
    drawn(page)
    return page.eval_on_selector_all(
        ".board .cell", "cells => cells.map(c => c.querySelector('.letter')?.textContent || '.')"
    )


def clue(page):
    """Read the clue above the grid."""
    drawn(page)
    return page.inner_text("#clue").replace("\N{NO-BREAK SPACE}", " ")


def active(page):
    """Return the label of the cell that has the keyboard, as a screen reader is told it."""
    drawn(page)
    return page.evaluate("""() => {
        const cell = document.activeElement.getAttribute("aria-activedescendant");
        return (cell ? document.getElementById(cell) : document.activeElement).getAttribute("aria-label");
    }""")


def said(page, text):
    """Wait until the page shows a message below the grid."""
    page.locator("#said", has_text=text).wait_for()


def choose(page, menu, item):
    """Choose an item of one of the menus below the grid."""
    page.click(f"#actions summary:has-text('{menu}')")
    page.click(f"#actions details[open] button:has-text('{item}')")


def ask_only(page, *providers):
    """Choose the providers that are asked."""
    page.evaluate("document.getElementById('how').open = true")
    for box in page.locator("#providers input:enabled").all():
        box.set_checked(box.get_attribute("value") in providers)


def solve(page):
    """Have the agent solve, and wait until it has."""
    page.click("#watch")
    page.wait_for_selector(".outcome")


def drop(page, name, content):
    """Drop a file onto the page."""
    transfer = page.evaluate_handle(
        "([name, content]) => { const t = new DataTransfer(); t.items.add(new File([content], name)); return t; }",
        [name, content],
    )
    page.dispatch_event("body", "dragover", {"dataTransfer": transfer})
    assert page.is_visible("#drop")
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})


def opened(page):
    """Wait until the grid has the keyboard."""
    page.locator(".frame :focus").wait_for()


def paste(page, text, button="#play"):
    """Paste a puzzle and open it."""
    page.fill("#text", text)
    page.click(button)


def until(page, holds):
    """Wait until a script says so; Playwright's own way would need a weaker Content-Security-Policy."""
    for _ in range(PATIENCE // 50):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    raise AssertionError(holds)


def kept(page):
    """Wait until what was written is in the browser's storage."""
    drawn(page)
    page.evaluate("dispatchEvent(new Event('pagehide'))")


def expect(page, selector):
    """Expect something of what a selector finds, for which Playwright waits."""
    return playwright.expect(page.locator(selector))


@contextmanager
def held(page, what):
    """Hold the answers of a route back until the context ends; yields a function that waits until one was asked for."""
    waiting = []

    def has_come():
        while not waiting:
            page.wait_for_timeout(10)

    page.route(re.compile(rf"/{what}$"), lambda route: waiting.append(route))  # noqa: PLW0108 - it must be a function
    yield has_come
    for route in waiting:
        route.continue_()
    page.unroute(re.compile(rf"/{what}$"))


def show_verdicts(page):
    """Show two verdicts, one of them with a fault, on their page."""
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
    goal = {"role": "goal", "function": "goal", "verdict": "exact", "accepted": True, "faults": []}
    successor = {"role": "successor", "function": "successor_state", "verdict": "unsound", "accepted": False}
    rows = [{"file": "a.py", **goal}, {"file": "a.py", **successor, "faults": ["junk"], "details": [fault]}]
    page.fill("#verdict-text", "\n".join(json.dumps(row) for row in rows))
    page.click("#verdict-form button")
    page.wait_for_selector(".verdict")
