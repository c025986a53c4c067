"""Two people in one grid: letters cross over and agree, wait while the connection is lost, and are won together."""

import re

import pytest
from acting import choose, drawn, expect, held, kept, opened, paste, said, serving, until

RIGHT = "BIGZEROPILOTINONNEW"
"""The letters of mini-01."""
PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}
CLUES = "A1. Bunk ~ BED\nA4. It rows ~ OAR\nA5. Dry ~ WRY\n\nD1. Shooter ~ BOW\nD2. Ear ~ EAR\nD3. Arid ~ DRY"
THREE = f"Title: Three\n\n\nBED\nOAR\nWRY\n\n\n{CLUES}"
OFFLINE = "Failed to load resource"
WROTE = """part('state.js')
    .then(({ state }) => state.mine.filter(one => one !== '#').map(one => one === '.' ? '-' : one))"""
CALM = "part('state.js').then(({ state }) => state.together.pending.size === 0)"
HIDING = """
    const wait = window.setTimeout;
    window.setTimeout = (act, ms, ...rest) => wait(act, ms === 30000 ? 50 : ms, ...rest);
    let isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    window.hideTab = is => { isHidden = is; document.dispatchEvent(new Event("visibilitychange")); };
"""
"""Lets a test's script put a tab out of sight, for which it waits half a minute otherwise."""
CUTTING = """
    const ask = window.fetch;
    let cut = null;
    window.disconnect = () => cut.abort();
    window.connect = () => { cut = new AbortController(); };
    window.fetch = (path, options = {}) =>
        ask(path, { ...options, signal: AbortSignal.any([cut.signal, ...(options.signal ? [options.signal] : [])]) })
            .catch(error => { throw cut.signal.aborted ? new TypeError("network error") : error; });
    connect();
"""
"""Lets a test's script cut the connection of a page; the browser's own way leaves open what is open."""


def invite(page):
    """Open a room for the puzzle on the page, and return the link to it."""
    page.click("#meet")
    page.wait_for_selector("#room[open]")
    page.click("#room .primary")
    return page.input_value("#room-link")


def follow(visit, link, **options):
    """Follow a link to a room with a browser of one's own."""
    at, _, where = link.rpartition("/")
    page = visit(where, at=at, **options)
    people(page, 2)
    opened(page)
    return page


def settled(page):
    """Wait until the room has all that was written."""
    drawn(page)
    until(page, CALM)


def people(page, number):
    """Wait until a number of people are in the room."""
    expect(page, "#people li").to_have_count(number)


def reads(page, text):
    """Wait until the open cells, from the first one on, have these contents, `-` for none."""
    until(page, f"{WROTE}.then(found => found.join('').startsWith('{text}'))")


def writes(page, text):
    """Write from the cell that the cursor is in."""
    page.focus(".writer")
    page.keyboard.type(text)


@pytest.fixture
def pair(visit):
    """Have two people in the room of a mini."""
    one = visit("#example=mini-01", ignore=OFFLINE)
    opened(one)
    other = follow(visit, invite(one), ignore=OFFLINE, before=lambda page: page.add_init_script(CUTTING))
    people(one, 2)
    return one, other


def test_letters_pencil_help_and_what_is_cleared_cross_over(pair):
    one, other = pair
    writes(one, "b.i")
    reads(other, "BI-")
    expect(other, ".cell.pencil").to_have_text("2I")
    choose(other, "Hint", "A letter")
    said(other, "letter 3 is G")
    reads(one, "BIG")
    expect(one, ".cell.helped").to_have_count(1)
    other.click("#cell-7")
    other.keyboard.press("Escape")
    other.keyboard.type("heart")
    other.keyboard.press("Enter")
    until(one, f"{WROTE}.then(found => found.includes('HEART'))")
    choose(other, "Reveal", "Clear the grid")
    reads(one, "-" * 19)
    choose(other, "Reveal", "Everything")
    reads(one, RIGHT)


def test_others_have_a_frame_and_an_initial_where_they_write(pair):
    one, other = pair
    other.click("#cell-11")
    expect(one, ".cursor .tag").to_have_text("A")
    cell = one.locator("#cell-11").bounding_box()
    until(one, f"Math.abs(document.querySelector('.cursor').getBoundingClientRect().x - {cell['x']}) < 3")
    frame = one.locator(".cursor").bounding_box()
    assert abs(frame["y"] - cell["y"]) < 3
    assert abs(frame["width"] - cell["width"]) < 3


def test_names_are_text_whatever_they_are(pair):
    one, other = pair
    one.click("#meet")
    one.fill("#room-name", "<img src=x>\u202e Ann")
    one.keyboard.press("Enter")
    expect(other, "#people .name >> nth=0").to_have_text("<img src=x> Ann")
    expect(other, "#people img").to_have_count(0)
    other.click("#meet")
    other.fill("#room-name", "Bo")
    other.click("#room .primary")
    expect(one, "#people .name >> nth=1").to_have_text("Bo")
    expect(one, ".cursor .tag").to_have_text("B")


def test_of_two_letters_in_one_cell_both_see_the_one_that_came_last(pair):
    one, other = pair
    with held(one, "write") as has_come:
        writes(one, "x")
        has_come()
        writes(other, "y")
        settled(other)
        reads(other, "Y")
        reads(one, "X")  # it has not been ordered yet
    for page in pair:
        reads(page, "X")
        settled(page)
        reads(page, "X")


def test_two_who_write_everywhere_at_once_end_with_the_same_grid(pair):
    for page in pair:
        page.focus(".writer")
    for letter in "qwertzuiopasdfghjklyxcvbnmqwertzuiop":
        pair[0].keyboard.type(letter)
        pair[1].keyboard.type(letter.translate(str.maketrans("qwert", "asdfg")))
    for page in pair:
        settled(page)
    until(pair[1], f"{WROTE}.then(found => found.join('') === '{''.join(pair[0].evaluate(WROTE))}')")


def test_undo_takes_back_only_ones_own(pair):
    one, other = pair
    writes(one, "bi")
    reads(other, "BI")
    other.click("#cell-3")
    other.keyboard.type("x")
    other.click("#cell-6")
    other.keyboard.type("z")
    reads(one, "BX-Z")
    one.click("#undo")  # its I was written over: the B goes
    reads(one, "-X-Z")
    reads(other, "-X-Z")
    expect(one, "#undo").to_be_disabled()
    one.click("#redo")
    reads(other, "BX-Z")


def test_what_is_written_without_a_connection_is_kept_and_sent(pair):
    one, other = pair
    other.evaluate("disconnect()")
    expect(other, "#room-status").to_have_text("No connection. Write on: it is sent when it is back.")
    people(one, 1)
    expect(one, "#room-status").to_have_text("Amber has left.")
    writes(other, "big")
    one.click("#cell-6")
    one.keyboard.type("z")
    reads(other, "BIG-")
    reads(one, "---Z")
    other.click("#meet")
    other.fill("#room-name", "Bo")
    other.click("#room .primary")
    other.evaluate("connect()")
    for page in pair:
        reads(page, "BIGZ")
        people(page, 2)
    expect(other, "#room-status").to_have_text("Connected again.")
    expect(other, "#people .name").to_have_text(["Blue", "Bo (you)"])
    expect(one, "#people .name").to_have_text(["Blue (you)", "Bo"])


def test_a_reload_comes_back_with_what_was_not_sent_yet(pair):
    one, other = pair
    with held(other, "write") as has_come:
        writes(other, "b")
        has_come()
        other.keyboard.type("i")
        kept(other)
        other.reload()
        opened(other)
    reads(other, "BI")
    reads(one, "BI")
    expect(one, "#people .name").to_have_text(["Blue (you)", "Amber"])
    other.keyboard.type("g")
    reads(one, "BIG")


def test_another_tab_is_another_person(pair):
    one, other = pair
    kept(other)
    tab = other.context.new_page()
    tab.goto(other.url)
    people(one, 3)
    for page in (other, tab):
        page.bring_to_front()
        people(page, 3)
    writes(tab, "b")
    reads(other, "B")
    settled(tab)
    expect(one, "#people .name").to_have_text(["Blue (you)", "Amber", "Green"])


def test_what_a_room_refuses_takes_no_other_letter_with_it(pair):
    one, other = pair
    one.evaluate("""Promise.all([part('state.js'), part('saving.js')]).then(([{ state }, { changed }]) => {
        state.mine.splice(1, 2, "\\u202e", "B");
        changed();
    })""")
    reads(other, "B-")
    reads(one, "B-")
    settled(one)


def test_who_opens_a_room_stays_in_the_same_cell(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.click("#cell-12")
    invite(page)
    people(page, 1)
    until(page, "part('state.js').then(({ state }) => state.active === 12)")


def test_all_see_the_win_and_the_shared_time_and_count_it_once(pair):
    one, other = pair
    writes(one, RIGHT[:9].lower())
    reads(other, RIGHT[:9])
    other.click("#cell-12")
    other.keyboard.type(RIGHT[9:].lower())
    for page in pair:
        page.wait_for_selector("#won:not([hidden])")
    assert "Together with Amber" in one.inner_text("#won")
    assert "Together with Blue" in other.inner_text("#won")
    headings = [page.inner_text("#won h2") for page in pair]
    assert headings[0] == headings[1]
    one.click("#to-statistics")
    expect(one, "#statistics tbody td").to_have_text(["5×5", "1", "1", "1", "–", "–"])


def test_who_comes_after_the_win_only_sees_it(visit):
    one = visit("#example=mini-01")
    opened(one)
    link = invite(one)
    writes(one, RIGHT.lower())
    one.wait_for_selector("#won:not([hidden])")
    at, _, where = link.rpartition("/")
    other = visit(where, at=at)
    reads(other, RIGHT)
    until(other, "part('state.js').then(({ state }) => state.won)")
    other.click("#to-statistics")
    expect(other, "#statistics").to_contain_text("Nothing yet")


def test_leaving_is_one_action_and_what_one_has_stays(pair):
    one, other = pair
    writes(one, "big")
    reads(other, "BIG")
    other.click("#meet")
    other.click("#room-leave")
    said(other, "What is here stays in this browser")
    expect(one, "#room-status").to_have_text("Amber has left.")
    expect(other, "#room-bar").to_be_hidden()
    assert other.url.endswith("#example=mini-01")
    one.click("#cell-6")
    one.keyboard.type("z")
    other.focus(".writer")
    kept(other)
    other.reload()
    opened(other)
    reads(other, "BIG-")


def test_a_room_ends_with_the_server_and_the_letters_stay(visit):
    with serving("--offline") as url:
        page = visit(at=url, ignore=OFFLINE)
        paste(page, THREE)
        opened(page)
        link = invite(page)
        writes(page, "bed")
        settled(page)
    said(page, "this room has ended")
    expect(page, "#meet").to_have_text("Solve together")
    reads(page, "BED")
    with serving("--offline", "--port", url.rpartition(":")[2]):
        kept(page)
        page.goto(link)
        page.reload()
        page.locator("#text-trouble", has_text="This room has ended").wait_for()
        page.click("#recent a")
        opened(page)
        reads(page, "BED")
        invite(page)
        people(page, 1)


def test_what_one_had_written_alone_is_set_aside(visit):
    other = visit("#example=mini-01")
    opened(other)
    other.keyboard.type("xyz")
    kept(other)
    one = visit("#example=mini-01")
    opened(one)
    one.keyboard.type("b")
    other.goto(invite(one))
    people(other, 2)
    reads(other, "B--")
    assert one.evaluate(WROTE)[0] == "B"
    other.click("#to-open")
    other.click("#recent a:has-text('Nothing but Net, alone')")
    opened(other)
    reads(other, "XYZ")
    other.reload()
    opened(other)
    reads(other, "XYZ")
    other.goto(one.url)
    people(other, 2)
    other.click("#meet")
    other.click("#room-leave")
    other.keyboard.type("q")
    kept(other)
    other.goto(one.url)
    people(other, 2)
    other.click("#to-open")
    expect(other, "#recent a:has-text('Nothing but Net, alone')").to_have_count(2)


@pytest.mark.parametrize("status", [403, 409])
def test_a_room_that_lets_nobody_in_costs_no_letter(visit, status):
    one = visit("#example=mini-01")
    opened(one)
    link = invite(one)
    other = visit("#example=mini-01", ignore=OFFLINE)
    opened(other)
    other.keyboard.type("xyz")
    with held(other, "join") as has_come:
        other.goto(link)
        has_come()
        other.click("#cell-6")
        other.keyboard.type("q")
        kept(other)
        other.route(re.compile("/join$"), lambda route: route.fulfill(status=status, json={"error": "nobody gets in"}))
        other.reload()
        said(other, "Nobody gets in")
    reads(other, "XYZQ")
    kept(other)
    other.reload()
    opened(other)
    reads(other, "XYZQ")


def test_a_tab_out_of_sight_holds_no_connection_and_no_time_runs(visit):
    one = visit("#example=mini-01", ignore=OFFLINE, before=lambda page: page.add_init_script(HIDING))
    opened(one)
    link = invite(one)
    other = follow(visit, link)
    writes(one, "b")
    reads(other, "B")
    one.evaluate("hideTab(true)")
    people(other, 1)
    expect(other, "#room-status").to_have_text("Blue has left.")
    other.click("#cell-3")
    other.keyboard.type("i")
    settled(other)
    reads(one, "B-")
    expect(one, "#room-status").not_to_contain_text("No connection")
    one.evaluate("hideTab(false)")
    people(other, 2)
    reads(one, "BI-")
    expect(one, "#people .name").to_have_text(["Blue (you)", "Amber"])


def test_a_room_entered_without_a_connection_has_its_link_once_there_is_one(visit):
    page = visit("#example=mini-01", ignore=OFFLINE)
    opened(page)
    link = invite(page)
    writes(page, "b")
    settled(page)
    kept(page)
    page.route(re.compile("/api/rooms/"), lambda route: route.abort())
    page.reload()
    opened(page)
    page.click("#meet")
    expect(page, "#room-link").to_have_value("")
    expect(page, "#room-copy").to_be_disabled()
    page.unroute(re.compile("/api/rooms/"))
    expect(page, "#room-link").to_have_value(link)
    expect(page, "#room-copy").to_be_enabled()
    expect(page, "#room-local").to_be_visible()


def test_another_puzzle_leaves_the_room(pair):
    one, other = pair
    other.evaluate("location.hash = '#example=mini-02'")
    people(one, 1)
    other.locator("#title", has_text="Nothing but Net").wait_for(state="detached")
    expect(other, "#room-bar").to_be_hidden()
    other.go_back()
    people(one, 2)


def test_a_room_that_has_ended_is_told_and_the_page_goes_on(visit):
    page = visit("#together=none", ignore="404")
    page.locator("#text-trouble", has_text="This room has ended").wait_for()
    assert page.is_visible("#paste")


@pytest.mark.parametrize("example", ["picture-01", "gogen-01", "sudoku-6x6-1", "words-01"])
def test_puzzles_of_other_kinds_are_solved_together_too(visit, example):
    one = visit(f"#example={example}")
    one.wait_for_selector(".board")
    other = visit(invite(one).rpartition("/")[2])
    people(other, 2)
    one.click(".board .cell:not(.block, .given) >> nth=0")
    key = {"picture-01": "x", "sudoku-6x6-1": "1"}.get(example, "q")
    one.keyboard.type(key)
    settled(one)
    expect(other, ".cursor").to_have_count(1)
    found = one.evaluate(WROTE)
    until(other, f"{WROTE}.then(found => found.join('') === '{''.join(found)}')")
    assert "Q" in found or "1" in found or key == "x"


def test_a_phone_has_room_for_the_others(visit):
    one = visit("#example=mini-01")
    opened(one)
    other = follow(visit, invite(one), **PHONE)
    drawn(other)
    assert other.locator(".board").bounding_box()["y"] < 290
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    other.tap("#meet")
    place = other.locator("#room").bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 390
    for button in other.locator("#room button:visible").all():
        assert button.bounding_box()["height"] >= 36


def test_a_link_for_other_devices_has_the_servers_address_and_token(visit):
    with serving("--offline", "--host", "0.0.0.0", "--token", "open-sesame") as url:  # noqa: S104
        at, _, where = url.rpartition("/")
        page = visit(f"{where}#example=mini-01", at=at, ignore="Opener-Policy")
        opened(page)
        link = invite(page)
        address, _, rest = link.partition("/?token=open-sesame#together=")
        assert len(rest) > 20
        assert not address.startswith("http://127.0.0.1")
        other = follow(visit, link, ignore="Opener-Policy")
        assert "token" not in other.url
        people(page, 2)
