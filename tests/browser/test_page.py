"""The page as a person uses and sees it."""

import re
from dataclasses import replace
from pathlib import Path

from acting import (
    ROOT,
    active,
    ask_only,
    choose,
    clue,
    drawn,
    drop,
    expect,
    letters,
    opened,
    paste,
    said,
    solve,
)

from agent.api import open_puzzle
from agent.formats import write_puzzle

MINI = open_puzzle(ROOT / "data" / "minis" / "mini-01.xd")
RIGHT = ["."] * 2 + list("BIG.ZEROPILOTINON.NEW..")
"""The answer of the mini that most tests open, `.` for a block."""


def test_an_example_is_solved_while_the_person_watches(visit):
    page = visit()
    page.click("text=Nothing but Net")
    page.wait_for_selector(".board")
    solve(page)
    assert "✓ Solved: " in page.inner_text(".outcome h2")
    assert page.locator(".outcome.good").count() == 1
    assert letters(page) == RIGHT
    assert "PILOT" in page.inner_text("#lists")
    assert "10 of 10 words" in page.text_content("#providers")
    assert "They are the same" in page.inner_text(".beside")
    page.click("text=Worker with lofty goals?")
    expect(page, "#candidates h2").to_have_text("Why PILOT?")
    assert "TILER" in page.inner_text("#candidates")
    assert "Proposed by Recorded candidates" in page.inner_text("#candidates .why")


def test_letters_go_where_newspaper_apps_put_them(visit):
    page = visit("#example=mini-01")
    page.wait_for_selector(".board")
    assert active(page).startswith("empty; 1 across, letter 1 of 3; 1 down, letter 1 of 5")
    page.keyboard.type("big")
    assert "".join(letters(page)[2:5]) == "BIG"
    assert "4 Across" in clue(page)  # the full slot hands on to the next
    page.keyboard.type("zxr")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("e")
    assert "".join(letters(page)[6:10]) == "ZER."
    page.keyboard.press("Backspace")  # on the R: empties it
    page.keyboard.press("Backspace")  # on an empty cell: goes back and empties
    assert "".join(letters(page)[6:10]) == "Z..."
    page.keyboard.press("Space")
    assert "1 Down" in clue(page)
    page.keyboard.press("End")
    assert active(page).startswith("empty; 7 across, letter 3 of 3")
    page.keyboard.press("Tab")
    assert "2 Down" in clue(page)
    page.keyboard.press("Shift+Tab")
    assert "1 Down" in clue(page)


def test_the_keyboard_alone_opens_solves_and_leaves_the_grid(visit):
    page = visit()
    page.focus("a:has-text('Nothing but Net')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".board")
    opened(page)
    for _ in MINI.grid.slots:
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.frame') === null")  # no trap behind the last slot
    page.focus("#watch")
    page.keyboard.press("Enter")
    page.wait_for_selector(".outcome")
    assert letters(page) == RIGHT
    assert page.evaluate("document.activeElement.id") == "watch"  # not lost with the button that was hidden


def test_a_cell_takes_several_letters(visit):
    page = visit("#example=mini-01")
    page.wait_for_selector(".board")
    page.keyboard.press("Escape")
    page.keyboard.type("heart")
    page.keyboard.press("Enter")
    assert letters(page)[2] == "HEART"
    page.keyboard.press("Insert")
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    assert letters(page)[2] == "HEART"  # Escape keeps what was there
    page.keyboard.press("Delete")
    assert letters(page)[2] == "."


def test_a_hint_gives_one_letter_and_reveal_a_word(visit):
    page = visit("#example=mini-01")
    page.wait_for_selector(".board")
    choose(page, "Hint", "A letter")
    said(page, "1A")
    shown = letters(page)
    assert [letter for letter in shown if letter != "."] == [
        letter for letter, right in zip(shown, RIGHT, strict=True) if letter == right != "."
    ]
    assert sum(letter != "." for letter in shown) == 1
    choose(page, "Reveal", "This word")
    said(page, "1A is filled in")
    assert "".join(letters(page)[2:5]) == "BIG"


def test_check_strikes_out_what_is_wrong(visit):
    page = visit("#example=mini-01")
    page.wait_for_selector(".board")
    page.keyboard.type("bix")
    choose(page, "Check", "The whole grid")
    said(page, "1 wrong (struck through), by the official solution")
    assert page.inner_text(".cell.wrong .letter") == "X"
    assert page.locator(".cell.right").count() == 2
    assert ", wrong" in page.locator(".cell.wrong").get_attribute("aria-label")
    page.keyboard.type("z")  # with the focus still on the button: letters find the grid
    assert letters(page)[6] == "Z"
    choose(page, "Reveal", "Everything")
    said(page, "Everything")
    choose(page, "Check", "The whole grid")
    said(page, "Right, every cell of it")
    assert letters(page) == RIGHT


_FIVE = open_puzzle(ROOT / "data" / "minis" / "mini-05.xd")
RIDDLE = replace(_FIVE, clues=tuple(replace(clue, text="Hm") for clue in _FIVE.clues))
BARE = write_puzzle(replace(RIDDLE, solution=None), "xd").decode()
"""A mini whose clues say nothing, without its official solution."""


def open_text(page, text):
    """Paste a puzzle, open it, and leave the lexicon alone to answer."""
    page.fill("#text", text)
    page.click("#paste button")
    page.wait_for_selector(".board")
    ask_only(page, "lexicon")


def test_a_grid_that_is_mostly_guessed_gets_no_tick_and_no_green(visit):
    page = visit()
    open_text(page, BARE)
    solve(page)
    assert "(the whole grid: " in page.inner_text(".outcome h2")
    assert page.locator(".outcome.good").count() == 0
    assert page.locator(".cell.weak").count() > 0
    told = page.inner_text(".agent")
    assert not re.search("✓|solved|verified|sure of the whole grid", told, re.IGNORECASE)


def test_a_check_by_the_agent_strikes_nothing_through(visit):
    page = visit()
    open_text(page, BARE)
    page.click(".board .cell >> nth=1")
    page.click(".board .cell >> nth=0")
    page.keyboard.type("boat")
    choose(page, "Check", "The whole grid")
    said(page, "The agent has the same in")
    first = page.locator(".cell.doubted").first
    assert "the agent would write" in first.get_attribute("aria-label")
    assert page.locator(".cell.wrong").count() == page.locator(".cell.right").count() == 0
    page.keyboard.type("i")
    drawn(page)
    assert page.locator(".cell.doubted").count() > 0  # the marks of the others stay


def test_a_guess_is_given_after_it_is_asked_for_once_more(visit):
    page = visit()
    open_text(page, BARE)
    page.click(".board .cell >> nth=5")  # of 5A the lexicon knows nothing
    choose(page, "Hint", "This word")
    said(page, "not sure enough to say")
    assert page.locator(".cell.helped").count() == 0
    page.locator("#said button:focus").wait_for()  # in place, and ready for Enter
    page.keyboard.press("Enter")
    said(page, "a guess")
    expect(page, ".cell.helped").to_have_count(5)


def test_candidates_show_while_a_model_thinks_until_cancelled(visit, slow_model):
    url, told = slow_model
    page = visit("#example=mini-01", at=url)
    page.wait_for_selector(".board")
    ask_only(page, "llm", "clueset")
    page.click("#watch")
    page.locator("#log", has_text="candidates for 10 slots").wait_for(state="attached")
    expect(page, ".cell.ghost").to_have_count(19)  # the candidates' letters, not yet fitted together
    page.click("#cancel")
    page.locator("#status", has_text="Cancelled").wait_for()
    assert page.is_visible("#watch")
    assert letters(page) == ["."] * 25
    page.keyboard.press("Tab")
    page.click(".board .cell >> nth=2")
    page.keyboard.type("b")
    assert letters(page)[2] == "B"
    told.set()
    ask_only(page, "clueset", "lexicon")
    solve(page)
    assert letters(page) == RIGHT


def test_typing_goes_on_while_the_agent_works(visit, slow_model):
    url, _ = slow_model
    page = visit("#example=mini-01", at=url)
    page.wait_for_selector(".board")
    page.click("#watch")
    page.wait_for_selector("#cancel")
    page.click(".board .cell >> nth=2")
    page.keyboard.type("bigz")
    assert "".join(letters(page)[2:5]) == "BIG"
    assert page.get_attribute("[data-view=mine]", "aria-pressed") == "true"
    page.click("#cancel")


def test_a_broken_file_is_refused_in_words(visit):
    page = visit(ignore="422")  # Chromium itself reports the status of the answer
    drop(page, "today.xd", "this is no puzzle")
    page.locator("#text-trouble", has_text="today.xd").wait_for()
    drop(page, "today.ipuz", '{"version": "http://ipuz.org/v2"')
    page.locator("#text-trouble", has_text="today.ipuz: line 1").wait_for()
    drop(page, "mini.xd", (ROOT / "data/minis/mini-01.xd").read_text())
    page.wait_for_selector(".board")
    assert page.inner_text("#title") == "Nothing but Net"
    drop(page, "today.xd", "this is no puzzle")  # with a puzzle open, it stays
    page.locator("#trouble", has_text="today.xd").wait_for()
    assert page.is_visible(".board")


def test_clues_without_a_grid_get_one(visit):
    page = visit()
    across = [f"{slot.number}. {MINI.clue(slot)}" for slot in MINI.grid.slots if slot.direction == "across"]
    down = [f"{slot.number}. {MINI.clue(slot)}" for slot in MINI.grid.slots if slot.direction == "down"]
    page.fill("#text", "\n".join(["ACROSS", *across, "DOWN", *down]))
    page.click("#paste button")
    page.wait_for_selector(".gridless")
    solve(page)
    assert letters(page) == RIGHT
    page.click("[data-view=mine]")
    page.click(".board .cell >> nth=2")
    page.keyboard.type("b")
    assert letters(page)[2] == "B"


def test_markup_in_a_clue_is_text(visit):
    page = visit()
    page.fill("#text", "ACROSS\n1. <img src=x onerror=alert(1)> 1 < 2 & <b>bold</b>\n3. No\nDOWN\n1. A\n2. B")
    page.click("#paste button")
    page.wait_for_selector("#lists .text")
    assert "1 < 2 & " in page.inner_text("#lists .text")
    assert page.locator("#lists .text *").count() == 0


def test_doubt_and_the_runner_up_show_without_colour(visit):
    page = visit()
    open_text(page, write_puzzle(RIDDLE, "xd").decode())
    solve(page)
    doubtful = page.locator(".board .cell:is(.unsure, .weak)")
    assert doubtful.count() > 0
    for note in doubtful.locator(".note").all_inner_texts():
        assert note.endswith("%")
    assert "% sure" in doubtful.first.get_attribute("aria-label")
    assert "differs from the official" in page.locator(".cell.differs").first.get_attribute("aria-label")
    first = letters(page)
    page.click("text=Show the other filling")
    page.wait_for_selector(".cell.other")
    assert letters(page) != first
    page.click("text=Back to the first filling")
    page.wait_for_selector(".cell.other", state="detached")
    assert letters(page) == first


def test_a_nonogram_is_drawn_and_stepped_through(visit):
    page = visit("#example=rand25-s0")
    page.wait_for_selector(".board.nonogram")
    page.click(".board .cell >> nth=0")
    assert active(page) == "row 1, column 1, filled"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    assert active(page) == "row 1, column 2, blank"
    solve(page)
    assert page.locator(".board .filled").count() > 100
    page.fill("#step-range", "0")
    page.locator("#step-text", has_text="0 of").wait_for()
    assert page.locator(".board .filled").count() == 0
    page.click("text=Next ›")
    page.locator("#step-text", has_text="1 of").wait_for()
    assert page.locator(".board .fresh").count() > 0
    page.click("[data-view=mine]")
    drawn(page)
    assert page.locator(".board .filled").count() == 1  # the person's own is still there


def test_a_coloured_nonogram_is_played_in_its_colours(visit):
    page = visit()
    paste(page, "colours: r red FF0000, b blue 0000FF\nrows: 1r 1b\ncolumns: 1r / 1b")
    page.wait_for_selector(".board.nonogram")
    assert page.locator(".beside span").all_inner_texts() == ["1r", "1b"]
    first, second = page.locator(".board .cell").nth(0), page.locator(".board .cell").nth(1)
    first.click()
    assert active(page) == "row 1, column 1, red"
    first.click()
    assert active(page) == "row 1, column 1, blue"
    page.keyboard.press("r")
    assert active(page) == "row 1, column 1, red"
    assert first.evaluate("cell => getComputedStyle(cell).backgroundColor") == "rgb(255, 0, 0)"
    second.click()
    page.keyboard.press("b")
    assert active(page) == "row 1, column 2, blue"
    page.locator("#won", has_text="Solved in").wait_for()


def test_on_a_phone_a_word_brings_its_path_in_sight(visit):
    page = visit("#example=gogen-01", width=390, height=700, is_mobile=True, has_touch=True)
    page.wait_for_selector(".board")
    solve(page)
    page.tap("button.word:has-text('SHOUTING')")
    page.wait_for_selector(".path polyline", state="attached")
    drawn(page)
    assert page.locator(".board").bounding_box()["y"] >= 0


def test_a_sudoku_is_filled_checked_and_stepped_through(visit):
    page = visit("#example=sudoku-6x6-1")
    page.wait_for_selector(".board.sudoku")
    assert page.locator("[data-heavy]").count() == 16  # the boxes' inner edges: of two columns and two rows
    assert "each digit once" in page.inner_text("#rules")
    free = page.locator(".cell:not(.given)").first
    free.click()
    page.keyboard.press("x")
    page.keyboard.press("7")
    drawn(page)
    assert free.inner_text() == ""
    page.keyboard.press("6")
    drawn(page)
    assert free.inner_text() == "6"
    choose(page, "Check", "The whole grid")
    page.wait_for_selector(".cell.right, .cell.wrong")
    page.click("#watch")
    page.wait_for_selector(".outcome.good")
    assert "the only solution" in page.inner_text("#result")
    page.click("text=‹ Previous")
    assert "naked single" in page.inner_text("#step-text") or "hidden single" in page.inner_text("#step-text")


def test_a_gogen_word_traces_its_path(visit):
    page = visit("#example=made-1")
    page.wait_for_selector(".board.gogen")
    solve(page)
    page.click("button.word:has-text('YEGRU')")
    page.wait_for_selector(".path polyline", state="attached")
    assert page.locator(".path text").all_text_contents() == ["1", "2", "3", "4", "5"]


def test_the_words_of_a_fill_in_are_ticked_off(visit):
    page = visit("#example=rand-8x8-k3-m5-s101")
    page.wait_for_selector(".board.fillin")
    assert page.locator(".word.used").count() == 0
    page.keyboard.type("cabba")
    page.wait_for_selector(".word.used")
    assert [word.upper() for word in page.locator(".word.used").all_inner_texts()] == ["CABBA✓"]
    solve(page)
    page.locator(".words .word:not(.used)").first.wait_for(state="detached")
    choose(page, "Check", "The whole grid")
    said(page, "5 right (✓), by the only solution")


def test_the_words_of_a_fill_in_are_listed_by_length(visit):
    page = visit("#example=words-02")
    expect(page, "#lists h2").to_have_text(["3 letters", "4 letters", "5 letters"])


def test_a_gogen_begins_at_an_empty_cell_and_tells_the_letters_left(visit):
    page = visit("#example=gogen-01")
    opened(page)
    expect(page, "#letters-left").to_have_text("Letters to place: A C D E F G I J L M N O R S U W")
    page.keyboard.type("a")
    expect(page, "#cell-1").to_contain_text("A")
    expect(page, "#letters-left").to_have_text("Letters to place: C D E F G I J L M N O R S U W")


def test_what_was_said_of_ones_own_grid_goes_when_the_agent_is_watched(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("x")
    choose(page, "Check", "The whole grid")
    said(page, "1 wrong")
    solve(page)
    expect(page, "#said").to_be_hidden()


def test_an_address_is_refused_with_what_to_do(visit):
    page = visit()
    paste(page, " https://www.example.com/mini ")
    expect(page, "#text-trouble").to_contain_text("Copy the clues themselves")


def test_the_grid_on_show_can_be_exported(visit):
    page = visit("#example=mini-01")
    page.wait_for_selector(".board")
    page.keyboard.type("big")
    begins = {"puz": b"ACROSS&DOWN", "ipuz": b"{", "xd": b"Title: Nothing but Net", "svg": b"<svg", "png": b"\x89PNG"}
    for ending, beginning in begins.items():
        page.click("#export summary")
        with page.expect_download() as expected:
            page.get_by_role("button", name=f".{ending}", exact=True).click()
        assert expected.value.suggested_filename.endswith(f".{ending}")
        assert beginning in Path(expected.value.path()).read_bytes()[:64]


def test_the_report_is_in_the_menu_once_it_is_solved(visit):
    page = visit("#example=mini-01")
    page.wait_for_selector(".board")
    page.click("#export summary")
    assert page.get_by_role("button", name=".html", exact=True).count() == 0
    page.keyboard.press("Escape")
    solve(page)
    page.click("#export summary")
    with page.expect_download() as expected:
        page.get_by_role("button", name=".html", exact=True).click()
    assert b"<!doctype html>" in Path(expected.value.path()).read_bytes()[:64]


def test_a_small_screen_needs_no_scrolling_sideways(visit):
    page = visit("#example=mini-01", width=360, height=740, is_mobile=True, has_touch=True)
    page.wait_for_selector(".board")
    solve(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.tap("[data-view=mine]")
    page.tap(".board .cell >> nth=2")
    page.locator(".writer").evaluate(
        "field => { field.value = 'b'; field.dispatchEvent(new InputEvent('input', {bubbles: true})); }"
    )  # as a phone's keyboard does it: no key, only the content of the field
    assert letters(page)[2] == "B"


def test_a_long_list_follows_the_active_slot(visit):
    page = visit("#example=midi-01", height=700)
    page.wait_for_selector(".board")
    for _ in range(12):
        page.keyboard.press("Tab")
    drawn(page)
    inside = """button => {
        const list = button.closest('ol').getBoundingClientRect(), row = button.getBoundingClientRect();
        return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    }"""
    assert page.locator(".clue.now").evaluate(inside)


def test_a_refused_solve_leaves_no_empty_status(visit):
    page = visit("#example=mini-01", ignore="503")
    page.wait_for_selector(".board")
    page.route("**/solve", lambda route: route.fulfill(status=503, json={"error": "too many searches"}))
    page.click("#watch")
    page.locator("#ask-trouble", has_text="too many searches").wait_for()
    expect(page, "#progress").to_be_hidden()
    expect(page, "#watch").to_be_visible()
