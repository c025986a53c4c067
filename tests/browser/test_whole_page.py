"""The page as a whole: small, in the colours of the reader's choice; and the page of verdicts."""

from acting import kept, opened, paste, show_verdicts

WEIGHT = 120_000
"""Bytes that a first load may send, headers and lists included."""


def test_verdicts_are_drawn_and_stay(visit):
    page = visit("verdicts", ready="#verdict-text")
    show_verdicts(page)
    for _ in range(2):
        page.wait_for_selector(".verdict")
        assert "1 of 2 functions accepted" in page.inner_text("#verdict-list")
        assert "✗ refused" in page.inner_text(".verdict.poor")
        assert page.locator(".verdict.poor .picture").count() == 2
        assert page.locator(".verdict.poor .picture .differs").count() == 2
        page.reload()


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


def test_a_missing_example_is_reported(visit):
    page = visit("#example=nothing", ignore="404")
    page.locator("#text-trouble", has_text="nothing").wait_for()
    assert page.is_visible("#paste")


def test_a_first_load_is_compressed(visit):
    page = visit()
    page.wait_for_selector(".example-link")
    sent = "performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize || 0), 0)"
    assert 20_000 < page.evaluate(sent) < WEIGHT


WATCHING = """() => {
    window.changes = [];
    window.stored = [];
    const nameOf = node => {
        const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        return element.closest('[data-cell]')?.dataset.cell || element.id || element.className;
    };
    const observer = new MutationObserver(all => changes.push(...all.map(({ target }) => nameOf(target))));
    const all = { subtree: true, attributes: true, childList: true, characterData: true };
    observer.observe(document.querySelector('main'), all);
    const set = Storage.prototype.setItem;
    Storage.prototype.setItem = function (name, value) { stored.push(name); return set.call(this, name, value); };
}"""


def test_a_key_on_a_full_size_grid_changes_two_cells_and_stores_letters_only(visit):
    page = visit()
    rows = "\n".join("." * 21 for _ in range(21))
    paste(page, f"{rows}\n\nAcross\n1. A\nDown\n1. B")
    opened(page)
    page.keyboard.type("a")
    kept(page)
    page.evaluate(WATCHING)
    page.keyboard.type("b")
    kept(page)
    assert {name for name in page.evaluate("changes") if name.isdecimal()} == {"1", "2"}
    assert {name.partition(":")[0] for name in page.evaluate("stored")} == {"written", "recent"}
