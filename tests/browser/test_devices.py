"""Every size and device: phones, touch, letter keys on the screen, screen readers, forced colours, and a newcomer."""

import itertools
from pathlib import Path

import pytest
from acting import ROOT, active, ask_only, choose, drawn, letters, opened, paste, said, solve, until

from agent.api import open_puzzle

PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}
SIZES = [(1440, 900), (1024, 768), (844, 390), (390, 844), (360, 740), (320, 640), (360, 225)]
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
    assert page.locator(".writer").get_attribute("inputmode") == "none"
    page.tap("#keys [data-key=native]")
    drawn(page)
    assert page.locator(".writer").get_attribute("inputmode") == "text"


def test_no_letter_key_is_without_a_purpose(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    page.wait_for_selector("#keys [data-key=Insert]")
    for example, turns in (("words-01", 1), ("sudoku-6x6-1", 0), ("gogen-01", 0)):
        page.evaluate("name => { location.hash = `#example=${name}`; }", example)
        page.locator("#title", has_text=example[:5].title()).wait_for()
        opened(page)
        page.wait_for_selector("#keys:not([hidden])")
        assert page.locator("#keys [data-key=Insert]").count() == 0
        assert page.locator("#keys [data-key=' ']").count() == turns


def test_a_keyboard_that_composes_writes_letter_by_letter(visit):
    page = visit("#example=mini-01")
    opened(page)
    session = page.context.new_cdp_session(page)

    def compose(text):
        session.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    compose("b")  # as a phone's keyboard: what was composed is taken at once, and the composition begins again
    assert "".join(letters(page)).replace(".", "") == "B"
    compose("i")
    compose("g")
    assert "".join(letters(page)).replace(".", "") == "BIG"
    compose("\N{ACUTE ACCENT}")  # as a dead key: an accent waits for its letter
    assert "".join(letters(page)).replace(".", "") == "BIG"
    compose("\N{LATIN SMALL LETTER E WITH ACUTE}")
    assert "".join(letters(page)).replace(".", "") == "BIG\N{LATIN CAPITAL LETTER E WITH ACUTE}"


def test_a_phones_keyboard_deletes_the_letter_and_goes_back(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("bi")
    page.keyboard.press("ArrowLeft")
    drawn(page)
    page.locator(".writer").evaluate(
        "field => { field.value = ''; field.dispatchEvent(new InputEvent('input', {bubbles: true})); }"
    )
    assert "".join(letters(page)).replace(".", "") == "B"


def test_a_screen_reader_is_told_the_active_cell_and_can_choose_one(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("b")
    assert active(page).startswith("empty; 1 across, letter 2 of 3; 2 down, letter 1 of 4")
    page.keyboard.press("ArrowLeft")
    assert active(page).startswith("B; 1 across, letter 1 of 3")
    page.locator("#cell-8").evaluate("cell => cell.click()")  # a click of its own has no pointer
    assert "4 across, letter 3 of 4" in active(page)
    page.keyboard.press("Escape")
    drawn(page)
    assert active(page) == "Several letters"


def test_the_keyboard_stays_in_the_grid_while_cells_are_chosen(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    page.evaluate("addEventListener('focusout', () => { window.left = true; })")
    for cell in (8, 12, 12, 3):
        page.tap(f"#cell-{cell}")
    page.keyboard.type("x")
    assert letters(page)[3] == "X"
    assert page.evaluate("!window.left")


def test_letter_keys_make_room_for_the_card_of_a_win_and_come_back(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    page.wait_for_selector("#keys:not([hidden])")
    page.keyboard.type("bigzeropilotinonnew")
    page.wait_for_selector("#won:not([hidden])")
    page.wait_for_selector("#keys", state="hidden")
    choose(page, "Reveal", "Clear the grid")
    page.tap(".board .cell >> nth=2")
    page.wait_for_selector("#keys:not([hidden])")


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


STYLE = """selector => {
    const { backgroundColor, boxShadow, outlineStyle } = getComputedStyle(document.querySelector(selector));
    return [backgroundColor, boxShadow, outlineStyle];
}"""


def test_forced_colours_show_what_a_nonogram_has_filled(visit):
    page = visit("#example=picture-01", forced_colors="active")
    page.wait_for_selector(".board.nonogram")
    page.click(".board .cell >> nth=0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".cell.blank")
    (filled, *_), (blank, *_) = (page.evaluate(STYLE, f".cell.{kind}:not(.active)") for kind in ("filled", "blank"))
    assert filled != blank == page.evaluate(STYLE, ".cell.unknown:not(.active)")[0]
    dot = "getComputedStyle(document.querySelector('.cell.blank'), '::before').backgroundColor"
    assert page.evaluate(dot) == filled
    assert page.evaluate(STYLE, ".board")[0] not in {filled, blank}  # the lines between the cells
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".cell.filled.active")
    _, ring, outline = page.evaluate(STYLE, ".cell.filled.active")
    assert outline == "solid"
    assert ring.startswith(blank)  # between outline and filling: one of the two shows
    run = "getComputedStyle(document.querySelector('.beside div')).color"
    assert page.evaluate(run) == filled


def test_forced_colours_keep_the_colours_of_a_coloured_nonogram(visit):
    page = visit(forced_colors="active")
    paste(page, "colours: r red FF0000, b blue 0000FF\nrows: 1r 1b\ncolumns: 1r / 1b")
    page.wait_for_selector(".board.nonogram")
    page.click(".board .cell >> nth=0")
    page.wait_for_selector(".cell.filled")
    assert page.evaluate(STYLE, ".cell.filled")[0] == "rgb(255, 0, 0)"


def test_forced_colours_show_a_gogens_rings_letters_and_path(visit):
    page = visit("#example=gogen-01", forced_colors="active")
    page.wait_for_selector(".board.gogen")
    solve(page)
    page.click("button.word >> nth=0")
    page.wait_for_selector(".path polyline", state="attached")
    shown = page.evaluate("""() => {
        const style = (selector, part) => getComputedStyle(document.querySelector(selector), part);
        return {
            paper: style("body").backgroundColor,
            ring: style(".cell:not(.given, .active)", "::before").borderTopColor,
            given: style(".cell.given:not(.active)", "::before").borderTopColor,
            active: style(".cell.active", "::before").backgroundColor,
            letter: style(".cell:not(.active) .letter").color,
            inActive: style(".cell.active .letter").color,
            path: style(".path polyline").stroke,
        };
    }""")
    for name in ("ring", "given", "letter", "path", "active"):
        assert shown[name] != shown["paper"], name
    assert shown["active"] != shown["inActive"]


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
            page.evaluate("cell => part('moving.js').then(({ goTo }) => goTo(cell))", cell)
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


def test_the_clues_of_a_nonograms_rows_are_apart(visit):
    page = visit("#example=rand25-s0")
    page.wait_for_selector(".board.nonogram")
    boxes = page.eval_on_selector_all(
        ".frame .beside > div:first-child span", "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    assert all(after["left"] - before["right"] > 2 for before, after in itertools.pairwise(boxes))


def test_on_a_phone_on_its_side_the_keys_leave_the_grid_its_height(visit):
    page = visit("#example=mini-01", **{**PHONE, "width": 844, "height": 390})
    opened(page)
    page.tap(".board .cell >> nth=2")
    page.wait_for_selector("#keys:not([hidden])")
    keys, board = page.locator("#keys").bounding_box(), page.locator(".board").bounding_box()
    assert board["x"] + board["width"] <= keys["x"]
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= 390
    page.tap("#keys [data-key=B]")
    assert letters(page)[2] == "B"


def test_a_fill_in_names_the_words_that_still_fit(visit):
    page = visit("#example=rand-8x8-k3-m5-s101", **PHONE)
    page.wait_for_selector(".board.fillin")
    page.evaluate("part('moving.js').then(({ goTo }) => goTo(0, { direction: 'across' }))")
    page.locator("#clue", has_text="5 letters: ").wait_for()
    before = page.inner_text("#clue")
    assert "CABBA" in before
    for letter in "CA":
        page.tap(f"#keys [data-key={letter}]")
    page.locator("#clue", has_text="CABBA").wait_for()
    assert len(page.inner_text("#clue")) < len(before)
    page.tap("#keys [data-key=Q]")
    page.locator("#clue", has_text="no word that is left fits").wait_for()


def test_percentages_stand_clear_of_the_letters_in_a_15x15(visit):
    page = visit(width=1024, height=768)
    rows = "\n".join("." * 15 for _ in range(15))
    paste(page, f"{rows}\n\nAcross\n1. A\nDown\n1. B")
    opened(page)
    page.evaluate("""part('state.js').then(({ state, touch }) => {
        const result = { summary: '', stats: {}, differences: [], confidence: Array(15).fill(Array(15).fill(0.4)) };
        Object.assign(state.agent, { started: 1, cells: Array(225).fill('W'), result });
        state.view = 'agent';
        touch('board');
    })""")
    page.wait_for_selector(".cell.weak")
    gaps = page.evaluate("""[...document.querySelectorAll('.cell.weak')].map(cell => {
        const style = getComputedStyle(cell.querySelector('.letter')), box = cell.getBoundingClientRect();
        const middle = box.top + (box.height - parseFloat(style.paddingBottom)) / 2;
        const half = parseFloat(style.fontSize) * 0.37;  // of a capital
        const number = cell.querySelector('.number')?.getBoundingClientRect().bottom ?? 0;
        return [middle - half - number, cell.querySelector('.note').getBoundingClientRect().top - middle - half];
    })""")
    assert min(gap for pair in gaps for gap in pair) > 0


def test_cells_of_a_large_grid_can_be_read_and_hit_on_a_phone_on_its_side(visit):
    page = visit(width=740, height=360, is_mobile=True, has_touch=True)
    paste(page, "\n".join("." * 21 for _ in range(21)) + "\n\nAcross\n1. A\nDown\n1. B")
    opened(page)
    assert page.locator(".cell >> nth=0").bounding_box()["width"] > 20
    page.keyboard.press("Space")
    for _ in range(20):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    drawn(page)
    cell, bar = page.locator(".cell.active").bounding_box(), page.locator("#clue-bar").bounding_box()
    assert bar["y"] + bar["height"] <= cell["y"] + 1  # the clue stays in sight, and covers nothing
    assert cell["y"] + cell["height"] <= 360
