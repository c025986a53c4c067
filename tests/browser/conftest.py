"""The page in a real Chromium, served by the real command as a process of its own."""

import os
import threading
from pathlib import Path

import pytest
from acting import CHROMIUM, FLAGS, PATIENCE, playwright, serving

from agent.testing import FakeOpenAI

collect_ignore = ["pictures.py"]  # a script

FRUGAL = ("--in-process-gpu", "--renderer-process-limit=1", "--disable-threaded-animation")
"""Fewer processes and threads: a fifth of the processor time of the whole test."""

PUT_OFF = int(os.environ.get("GRIDWRIGHT_PUT_OFF", "0"))
"""Milliseconds by which drawings of the page and answers to it are put off, to find tests that look too early."""

PUTTING_OFF = f"""
    const draw = window.requestAnimationFrame;
    window.requestAnimationFrame = painter => setTimeout(() => draw(painter), {PUT_OFF});
    window.cancelAnimationFrame = clearTimeout;
    const ask = window.fetch;
    window.fetch = (...asked) => ask(...asked).finally(() => new Promise(go => setTimeout(go, {PUT_OFF})));
"""

PART = "window.part = name => import(document.querySelector('script').src.replace('main.js', name));"
"""Lets a test's script import one of the page's modules, whatever the version in their addresses."""

NO_WORKER = "delete Navigator.prototype.serviceWorker;"
"""Does without the worker that keeps the page for times without a server: it takes a seventh of a visit's time."""


def pytest_collection_modifyitems(items):
    """Skip the browser's tests, with the reason, if there is no chromium."""
    if CHROMIUM is None:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason="no chromium: apt-get install chromium-headless-shell"))


@pytest.fixture(scope="session")
def address():
    """Serve offline, for all tests."""
    with serving("--offline") as url:
        yield url


@pytest.fixture(scope="module")
def manager():
    """Run Playwright.

    It keeps an event loop running in this thread, which tests with a loop of their own must not find.
    """
    with playwright.sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(manager):
    """Run Chromium with a new profile, removed at the end."""
    chromium = manager.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *FRUGAL])
    yield chromium
    chromium.close()


@pytest.fixture
def visit(browser, address):
    """Open the page: `visit("#example=mini-01", width=390)`. A message on the console fails the test.

    `before` is called with the page before it is loaded; `keeps` lets it keep itself for times without a server.
    """
    said, contexts = [], []

    def open_page(
        where="",
        *,
        at=address,
        width=1280,
        height=900,
        ignore="",
        ready="#providers input",
        before=None,
        keeps=False,
        **options,
    ):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(PART if keeps else PART + NO_WORKER)
        if PUT_OFF:
            context.add_init_script(PUTTING_OFF)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: (ignore and ignore in message.text) or said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        if before:
            before(page)
        page.goto(f"{at}/{where}")
        page.wait_for_selector(ready, state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not said


@pytest.fixture
def thinking():
    """Run a model that thinks until `told` is set, and then answers nothing; yields (model, told)."""
    told = threading.Event()

    def think(_request):
        told.wait(PATIENCE / 1000)
        return {"slots": []}

    with FakeOpenAI(think) as model:
        try:
            yield model, told
        finally:
            told.set()


@pytest.fixture
def slow_model(thinking):
    """Serve with a model that thinks until `told` is set; yields (address, told)."""
    model, told = thinking
    with serving("--model", "slow-model", "--base-url", model.base_url) as url:
        yield url, told
