"""Nothing that a person wrote is lost: autosave, undo, a server that was restarted, help that comes late."""

from acting import (
    active,
    ask_only,
    choose,
    drop,
    expect,
    held,
    kept,
    letters,
    opened,
    paste,
    said,
    serving,
    solve,
    until,
)

RIGHT = ["."] * 2 + list("BIG.ZEROPILOTINON.NEW..")
"""The answer of mini-01, `.` for a block."""

PASTED = "ACROSS\n1. Furniture to sleep on\n4. Pole to row a boat with\n5. Humorously sarcastic\n"
PASTED += "DOWN\n1. Weapon that shoots arrows\n2. Organ of hearing\n3. Free from moisture"
CLUES = "A1. Bunk ~ BED\nA4. It rows ~ OAR\nA5. Dry ~ WRY\n\nD1. Shooter ~ BOW\nD2. Ear ~ EAR\nD3. Arid ~ DRY"
SECONDS = "part('state.js').then(({ state }) => state.seconds)"
KEPT_PARTS = "caches.open('page').then(kept => kept.keys()).then(keys => keys.map(key => new URL(key.url).pathname))"
LOADED = """['/', '/api/settings', '/api/examples', ...performance.getEntriesByType('resource')
    .map(entry => new URL(entry.name).pathname).filter(path => path.startsWith('/static/'))]"""
THREE = f"Title: Three\n\n\nBED\nOAR\nWRY\n\n\n{CLUES}"


def test_letters_pencil_and_time_survive_a_reload(visit):
    page = visit()
    paste(page, THREE)
    opened(page)
    page.keyboard.type("be.d.")
    kept(page)
    page.evaluate("part('state.js').then(({ state }) => { state.seconds = 65; })")
    page.reload()
    opened(page)
    assert page.inner_text("#title") == "Three"
    assert "".join(letters(page)[:3]) == "BED"
    assert page.locator(".cell.pencil").count() == 1
    assert page.inner_text("#timer").startswith("1:")
    page.click("#to-open")
    page.click("#recent a")
    opened(page)
    assert "".join(letters(page)[:3]) == "BED"


def test_a_grid_that_was_revealed_is_not_solved_and_can_be_played_after_undo(visit):
    page = visit("#example=mini-01")
    opened(page)
    choose(page, "Reveal", "Everything")
    said(page, "Everything is filled in")
    page.click("#to-open")
    expect(page, "#recent-list").to_contain_text("revealed")
    page.click("#recent a")
    opened(page)
    choose(page, "Reveal", "Clear the grid")
    choose(page, "Reveal", "Everything")
    said(page, "Everything is filled in")
    page.click("#undo")
    expect(page, "#said").to_be_hidden()
    expect(page, "#pause").to_be_visible()
    page.click("#redo")
    expect(page, "#pause").to_be_hidden()
    page.click("#undo")
    page.keyboard.type("".join(RIGHT).replace(".", "").lower())
    page.wait_for_selector("#won:not([hidden])")


def test_without_an_official_solution_it_is_solved_once_the_agent_agrees(visit):
    page = visit()
    paste(page, PASTED)
    ask_only(page, "lexicon")
    page.click("#find-grid")
    said(page, "Here is the grid")
    page.click("#cell-0")
    page.keyboard.type("bedoarwrx")
    said(page, "No official solution came with it")
    page.click("#said button")
    said(page, "another in 1")
    expect(page, "#won").to_be_hidden()
    page.click("#cell-8")
    page.keyboard.type("y")
    said(page, "No official solution came with it")
    page.click("#said button")
    expect(page, "#won").to_contain_text("as the agent has it")
    expect(page, "#pause").to_be_hidden()


def test_the_same_file_again_goes_on_where_it_was_left(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("bi")
    page.goto(page.url.replace("mini-01", "mini-02"))
    page.locator("#title", has_text="Nothing but Net").wait_for(state="detached")
    page.go_back()
    page.locator("#title", has_text="Nothing but Net").wait_for()
    assert "".join(letters(page)[2:4]) == "BI"


def test_a_server_that_was_restarted_gets_the_puzzle_again(visit):
    with serving("--offline") as url:
        page = visit(at=url, ignore="404")
        paste(page, THREE)
        opened(page)
        page.keyboard.type("bed")
    with serving("--offline", "--port", url.rpartition(":")[2]):
        choose(page, "Check", "The whole grid")
        said(page, "3 right")
        assert "".join(letters(page)[:3]) == "BED"


def test_a_puzzle_that_was_opened_is_played_without_a_server(visit):
    with serving("--offline") as url:
        page = visit(at=url, ignore="Failed to load resource", keeps=True)
        paste(page, THREE)
        opened(page)
        page.keyboard.type("be")
        until(page, f"{KEPT_PARTS}.then(paths => {LOADED}.every(path => paths.includes(path)))")
    page.reload()
    opened(page)
    page.keyboard.type("d")
    assert "".join(letters(page)[:3]) == "BED"
    page.click("#to-open")
    expect(page, "#today h2").to_be_visible()
    expect(page, "#examples").to_contain_text("Nonograms")
    page.click("#examples a:has-text('Nine lives')")
    page.locator("#text-trouble", has_text="does not answer").wait_for()


def test_of_lists_by_day_the_latest_is_kept(visit):
    page = visit(keeps=True)
    until(page, f"{KEPT_PARTS}.then(paths => paths.length > 20)")
    page.reload()  # now the worker serves it
    page.wait_for_selector("#providers input", state="attached")
    today = page.evaluate("fetch('/api/examples?day=20800').then(got => got.json()).then(found => found.today.id)")
    latest = "caches.open('page').then(kept => kept.match('/api/examples')).then(kept => kept.json())"
    until(page, f"{latest}.then(found => found.today.id === '{today}')")
    assert page.evaluate(KEPT_PARTS).count("/api/examples") == 1


def test_parts_of_an_earlier_version_are_not_kept(visit):
    page = visit(keeps=True)
    until(page, f"{KEPT_PARTS}.then(paths => paths.length > 20)")
    manifest = page.get_attribute("[rel=manifest]", "href")
    page.evaluate(
        """paths => caches.open('page').then(kept => Promise.all(paths.map(path => kept.put(path, new Response('')))))
        """,
        ["/static/0123/main.js", manifest],
    )
    page.reload()
    until(page, f"{KEPT_PARTS}.then(paths => !paths.includes('/static/0123/main.js'))")
    kept_now = page.evaluate(KEPT_PARTS)
    assert len(kept_now) > 20
    assert {"/", "/api/settings", manifest} <= {*kept_now}


def test_undo_brings_back_letters_and_what_was_cleared(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("big")
    page.keyboard.press("Control+z")
    assert "".join(letters(page)[2:5]) == "BI."
    page.keyboard.press("Control+y")
    assert "".join(letters(page)[2:5]) == "BIG"
    choose(page, "Reveal", "Clear the grid")
    said(page, "Undo brings it back")
    page.click("#undo")
    assert "".join(letters(page)[2:5]) == "BIG"
    choose(page, "Reveal", "Everything")
    said(page, "Everything")
    page.click("#undo")
    assert "".join(letters(page)[2:]).replace(".", "") == "BIG"


def test_a_word_is_cleared_but_for_full_words_that_cross_it(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("big")
    page.click("#cell-4")
    page.click("#cell-4")
    page.keyboard.type("got")  # 3 down
    page.click(".clue:has-text('Like a shirt')")
    choose(page, "Reveal", "Clear this word")
    said(page, "Undo brings it back")
    assert "".join(letters(page)[2:5]) == "..G"
    choose(page, "Reveal", "Clear this word")  # nothing else is left of it
    said(page, "Undo brings it back")
    assert "".join(letters(page)[2:5]) == "..."
    page.click("#undo")
    page.click("#undo")
    assert "".join(letters(page)[2:5]) == "BIG"


def test_backspace_goes_on_into_the_word_before(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("big")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert "".join(letters(page)[2:5]) == "B.."


def test_a_late_hint_leaves_what_was_written_meanwhile(visit):
    page = visit("#example=mini-01")
    opened(page)
    with held(page, "hint") as has_come:
        choose(page, "Hint", "This word")
        has_come()
        page.click(".board .cell >> nth=2")
        page.keyboard.type("x")
    said(page, "your letters stay")
    assert "".join(letters(page)[2:5]) == "XIG"


def test_help_that_takes_long_can_be_cancelled(visit):
    page = visit("#example=mini-01")
    opened(page)
    with held(page, "check"):
        choose(page, "Check", "The whole grid")
        page.click("#said button:has-text('Cancel')")
        said(page, "Cancelled.")


def test_an_address_that_cannot_be_decoded_opens_the_first_view(visit):
    assert visit("#%E0%A4%A").is_visible("#paste")


def test_an_open_cell_of_several_letters_is_left_by_another_puzzle(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.press("Escape")
    page.keyboard.type("heart")
    drop(page, "three.xd", THREE)
    page.locator("#title", has_text="Three").wait_for()
    page.go_back()
    page.locator("#title", has_text="Nothing but Net").wait_for()
    assert letters(page)[2] == "HEART"


def test_no_letter_is_lost_after_watching(visit):
    page = visit("#example=mini-01")
    opened(page)
    solve(page)
    page.keyboard.type("big")
    assert "".join(letters(page)[2:5]) == "BIG"


def test_the_last_right_letter_stops_the_clock_and_says_so(visit):
    page = visit("#example=mini-01")
    opened(page)
    for letter in "BIGZEROPILOTINONNE":
        page.keyboard.type(letter.lower())
    assert page.is_hidden("#won")
    page.keyboard.type("x")
    said(page, "not every one is right")
    page.keyboard.press("Backspace")
    page.keyboard.type("w")
    page.locator("#won", has_text="Solved in").wait_for()
    assert letters(page) == RIGHT
    assert page.is_hidden("#pause")
    page.click("#won >> text=Statistics")
    assert page.inner_text("#statistics .figure >> nth=0") == "1\npuzzle solved"


def test_a_result_to_share_has_no_letter_of_the_solution(visit):
    page = visit("#example=mini-01")
    told = page.evaluate(
        """part('winning.js').then(({ resultText }) => resultText({
            puzzle: { heading: 'Two', width: 2, height: 2, cells: ['.', '#', '.', '.'] },
            seconds: 75, helped: new Set([2]) }))"""
    )
    assert told == "Two, 2×2\nSolved in 1:15, 1 cell with help\n🟩⬛\n🟨🟩"


def test_a_run_of_days_ends_with_a_day_that_was_left_out(visit):
    page = visit()
    found = page.evaluate(
        """part('winning.js').then(({ summary }) => summary(
            [3, 4, 5, 8, 9].map(day => ({ day, size: '5×5', seconds: day, helped: day === 3 ? 1 : 0 })), 10))"""
    )
    assert (found["streak"], found["longest"], found["best"]) == (2, 3, {"5×5": 4})
    assert found["sizes"] == [{"size": "5×5", "solved": 5, "best": 4, "average": 5.8, "together": 0, "unhelped": 4}]


def test_a_time_that_others_helped_to_is_no_record(visit):
    page = visit()
    found = page.evaluate(
        """part('winning.js').then(({ summary }) => summary(
            [[], ['Ann']].map((others, day) => ({ day, size: '5×5', seconds: 9 - day, helped: 0, others })), 1))"""
    )
    assert (found["solved"], found["streak"], found["best"]) == (2, 2, {"5×5": 9})
    assert found["sizes"] == [{"size": "5×5", "solved": 2, "best": 9, "average": 9, "together": 1, "unhelped": 2}]


def test_the_clock_runs_only_while_the_person_solves(visit):
    page = visit("#example=mini-01", before=lambda page: page.clock.install())
    opened(page)

    def passed():
        """Let a minute pass; return the seconds that the clock has counted of it."""
        before = page.evaluate(SECONDS)
        page.clock.run_for(60_000)
        return page.evaluate(SECONDS) - before

    assert passed() == 0
    page.keyboard.type("b")
    assert passed() >= 59
    page.click("#pause")
    expect(page, "#resume").to_be_visible()
    assert passed() == 0
    page.click("#resume")
    page.click("#to-open")
    assert passed() == 0
    page.click("#to-puzzle")
    solve(page)
    assert passed() == 0
    page.click("[data-view=mine]")
    choose(page, "Reveal", "Everything")
    expect(page, "#pause").to_be_hidden()
    assert passed() == 0


def test_what_was_forgotten_stays_forgotten(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("b")
    page.click("#to-open")
    page.click("#recent-list button")
    expect(page, "#recent").to_be_hidden()
    page.reload()
    page.wait_for_selector(".example-link")
    expect(page, "#recent").to_be_hidden()
    page.goto(page.url.partition("#")[0] + "#example=mini-01")
    opened(page)
    assert set(letters(page)) == {"."}


def test_a_pause_covers_the_grid_until_one_goes_on(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.type("b")
    page.click("#pause")
    expect(page, ".puzzle.paused").to_have_count(1)
    assert page.is_hidden(".letter >> nth=0")  # a blur alone leaves large letters readable
    page.click("#resume")
    expect(page, ".puzzle.paused").to_have_count(0)


def test_a_wrong_letter_is_marked_at_once_if_that_is_wished(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.click("#to-settings")
    page.check("#set-autocheck")
    page.keyboard.press("Escape")
    page.click(".board .cell >> nth=3")
    page.keyboard.type("x")
    page.wait_for_selector(".cell.wrong")
    assert page.locator(".cell.right").count() == 0


def test_a_hint_goes_step_by_step(visit):
    page = visit("#example=mini-01")
    opened(page)
    choose(page, "Hint", "What kind of clue")
    said(page, "1A: a description")
    page.click("#said button")
    said(page, "the official solution has it")
    page.click("#said button")
    said(page, "letter 1 is B")
    assert "".join(letters(page)[2:5]) == "B.."


def test_clues_alone_can_be_given_their_grid_and_no_answer(visit):
    page = visit()
    paste(page, PASTED)
    page.wait_for_selector(".gridless")
    ask_only(page, "lexicon")
    page.click("#find-grid")
    page.wait_for_selector(".board")
    said(page, "Here is the grid")
    assert letters(page) == ["."] * 9
    assert page.is_hidden("#views")
    page.click(".board .cell >> nth=0")
    page.keyboard.type("bed")
    kept(page)
    page.reload()
    opened(page)
    assert "".join(letters(page)) == "BED......"


def test_the_faulty_line_of_a_text_is_marked(visit):
    page = visit(ignore="422")
    paste(page, "ACROSS\n1. A\nnonsense here\nDOWN\n1. B\n1. C")
    page.locator("#text-trouble", has_text="line").wait_for()
    marked = page.evaluate("(t => t.value.slice(t.selectionStart, t.selectionEnd))(document.getElementById('text'))")
    assert marked.startswith(("1. ", "nonsense"))


def test_a_file_too_long_is_refused_before_it_is_sent(visit):
    page = visit()
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    drop(page, "long.txt", "x" * 2_000_000)
    page.locator("#text-trouble", has_text="at most 1,000 kB").wait_for()
    assert not [url for url in sent if "puzzles" in url]


def set_habit(page, name, checked):
    """Turn a habit on or off in the settings."""
    page.click("#to-settings")
    page.set_checked(f"#set-{name}", checked)
    page.click("#settings button")


def test_habits_of_typing_are_settings_that_stay(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.type("i")
    page.keyboard.press("Home")
    page.keyboard.type("b")
    assert "letter 3 of 3" in active(page)  # the filled cell is skipped
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    assert active(page).startswith("B; 1 across, letter 1 of 3")  # the first arrow key only turns
    assert page.is_visible("#timer")
    for name in ("skipFilled", "turnFirst", "showTimer"):
        set_habit(page, name, False)
    page.reload()
    opened(page)
    assert page.is_hidden("#timer")
    page.click("#cell-2")
    page.keyboard.press("Delete")
    page.keyboard.type("b")
    assert "letter 2 of 3" in active(page)
    page.keyboard.press("ArrowDown")
    assert "4 across" in active(page)
