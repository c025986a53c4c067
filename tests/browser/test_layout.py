"""What stands where: edges that align, nothing that jumps, sentences and menus that are in sight."""

import base64

import pytest
from acting import ask_only, choose, drawn, expect, letters, opened, paste, said, solve, until

PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}


def box(page, selector):
    return page.locator(selector).first.bounding_box()


def resized(page, *sizes):
    """Give the window some sizes, one after the other: each page that is loaded takes half a second."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        drawn(page)
        yield width, height


def in_sight(page, selector):
    """Return whether an element is within the window, from top to bottom."""
    place = box(page, selector)
    return place["y"] >= 0 and place["y"] + place["height"] <= page.evaluate("innerHeight")


def test_the_board_has_the_edges_of_what_is_above_it(visit):
    page = visit("#example=mini-01")
    opened(page)
    for size in resized(page, (1440, 900), (1024, 768)):
        bar, board = box(page, "#clue-bar"), box(page, ".board")
        assert abs(bar["x"] - board["x"]) < 1, size
        assert abs(bar["width"] - board["width"]) < 1, size
        assert abs(box(page, ".brand")["x"] - box(page, "#title")["x"]) < 1, size


def test_menus_and_what_they_say_are_in_sight(visit):
    page = visit("#example=mini-01", width=1024, height=768)
    opened(page)
    for menu in ("Hint", "Check", "Reveal"):
        page.click(f"#actions summary:has-text('{menu}')")
        for item in page.locator("#actions details[open] .items button:visible").all():
            place = item.bounding_box()
            assert place["y"] + place["height"] <= 768, menu
        page.keyboard.press("Escape")
    choose(page, "Check", "The whole grid")
    said(page, "")
    assert in_sight(page, "#said")


def test_the_board_stays_where_it_is_when_the_agent_begins(visit):
    page = visit("#example=mini-01")
    opened(page)
    before = box(page, ".board")
    solve(page)
    assert box(page, ".board") == before
    expect(page, "#views").to_be_visible()


@pytest.mark.parametrize("screen", [PHONE, {"width": 1024, "height": 768}, {"width": 1440, "height": 900}])
def test_the_grid_is_in_sight_while_one_watches(visit, screen):
    page = visit("#example=mini-01", **screen)
    opened(page)
    page.locator("#watch").dispatch_event("click")
    page.wait_for_selector(".outcome", state="attached")
    drawn(page)
    assert in_sight(page, ".board")


@pytest.mark.parametrize("example", ["mini-01", "midi-01", "gogen-01", "picture-01", "sudoku-9x9-1"])
def test_the_way_to_the_agent_is_in_sight(visit, example):
    page = visit(f"#example={example}")
    page.wait_for_selector(".board")
    for size in resized(page, (1440, 900), (1024, 768)):
        assert in_sight(page, "#watch"), size
        assert in_sight(page, "#actions"), size


@pytest.mark.parametrize("example", ["picture-01", "gogen-01", "sudoku-9x9-1"])
def test_the_steps_of_a_deduction_are_in_sight(visit, example):
    page = visit(f"#example={example}", width=1440, height=900)
    page.wait_for_selector(".board")
    solve(page)
    expect(page, "#stepper").to_be_visible()
    assert in_sight(page, "#stepper .row")
    assert in_sight(page, "#step-text")


@pytest.mark.parametrize("width", [390, 320])
def test_everything_on_a_phone_has_the_edges_of_the_grid(visit, width):
    page = visit("#example=mini-01", **{**PHONE, "width": width})
    opened(page)
    solve(page)
    board = box(page, "#board-place")
    for part in ("#clue-bar", "#lists", "#candidates", "#ask", ".outcome"):
        assert abs(box(page, part)["x"] - board["x"]) < 1, part
        assert abs(box(page, part)["width"] - board["width"]) < 1, part
    assert page.is_hidden("#keys-help")  # there is no keyboard to explain


def test_the_keys_of_a_phone_do_not_cover_what_a_hint_says(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    choose(page, "Hint", "A letter")
    said(page, "letter 1 is B")
    expect(page, "#keys").to_be_visible()
    drawn(page)
    told, keys = box(page, "#said"), box(page, "#keys")
    assert told["y"] + told["height"] <= keys["y"]
    assert in_sight(page, ".cell.active")


def test_the_head_of_a_phone_leaves_the_grid_its_room(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    assert box(page, ".board")["y"] < 240


def test_the_cells_of_a_nonogram_are_square_and_in_line(visit):
    page = visit("#example=rand30-s0")
    page.wait_for_selector(".board.nonogram")
    places = "all => all.map(cell => cell.getBoundingClientRect().toJSON())"
    for size in resized(page, (1366, 768), (1024, 768), (390, 844)):
        cells = page.eval_on_selector_all(".board .cell", places)
        assert len(cells) == 900
        assert all(abs(cell["width"] - cell["height"]) < 1 for cell in cells), size
        assert len({round(cell["y"], 1) for cell in cells}) == len({round(cell["x"], 1) for cell in cells}) == 30, size


LINES = """async picture => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const isLine = (x, y) => context.getImageData(x, y, 1, 1).data[0] < 180;
    const begins = (isDark, k, all) => isDark && !all[k - 1];
    const runs = (length, at) => Array.from({ length }, (_, k) => at(k)).filter(begins).length;
    const [x, y] = [image.width, image.height].map(size => Math.round(size - SIDE));
    return [runs(image.width, k => isLine(k, y)), runs(image.height, k => isLine(x, k))];
}"""


@pytest.mark.parametrize("side", [10, 13])
def test_every_line_of_a_grid_is_drawn(visit, browser, side):
    page = visit(color_scheme="light")
    rows = "\n".join("." * side for _ in range(side))
    page.fill("#text", f"{rows}\n\nAcross\n1. A\nDown\n1. B")
    page.click("#play")
    opened(page)
    blank = browser.new_page()
    for size in resized(page, (1440, 900), (1366, 768), (1024, 768), (390, 844)):
        page.locator(".board").scroll_into_view_if_needed()
        drawn(page)
        picture = base64.b64encode(page.locator(".board").screenshot()).decode()
        lines = blank.evaluate(LINES.replace("SIDE", str(box(page, ".cell")["width"] / 3)), picture)
        assert lines == [side + 1, side + 1], size
    blank.close()


def test_an_answer_stays_in_its_list_next_to_a_long_clue(visit):
    page = visit(width=1024)
    page.fill("#text", f"NO\nOH\n\nACROSS\n1. {'endless' * 30}\n3. Cry of surprise\nDOWN\n1. Denial\n2. Ah")
    page.click("#play")
    opened(page)
    ask_only(page, "lexicon")
    solve(page)
    for entry in page.locator(".clue .entry").all():
        place, whole = entry.bounding_box(), box(page, "#lists")
        assert place["width"] > 0
        assert place["x"] + place["width"] <= whole["x"] + whole["width"]


CONTRAST = """selector => {
    const luminance = colour => {
        const [r, g, b] = colour.match(/[0-9.]+/g).map(part => {
            const c = part / 255;
            return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = getComputedStyle(document.querySelector(selector));
    const behind = getComputedStyle(document.body).backgroundColor;
    const [a, b] = [luminance(style.borderTopColor), luminance(behind)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
}"""


def test_the_edges_of_buttons_and_fields_can_be_seen(visit):
    page = visit()
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        drawn(page)
        assert page.evaluate(CONTRAST, "#text") >= 3, colours
        assert page.evaluate(CONTRAST, "#solve-for-me") >= 3, colours


def test_the_keyboard_skips_to_the_grid(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.focus(".skip")
    assert in_sight(page, ".skip")
    page.keyboard.press("Enter")
    opened(page)


def test_without_scripts_the_page_says_what_it_needs(visit):
    page = visit(ready=".brand", java_script_enabled=False)
    assert "needs JavaScript" in page.inner_text("main")


def test_buttons_of_the_head_can_be_hit_on_a_phone(visit):
    for width in (390, 320):
        page = visit("#example=mini-01", **{**PHONE, "width": width})
        for button in ("#theme", "#to-settings"):
            assert box(page, button)["width"] >= 30
            assert box(page, button)["height"] >= 30


def test_letters_reach_the_grid_after_a_provider_was_ticked(visit):
    page = visit("#example=mini-01")
    opened(page)
    ask_only(page, "lexicon")
    page.focus("#provider-lexicon")
    page.keyboard.type("big")
    assert "".join(letters(page)[2:5]) == "BIG"


COVERED = """number => {
    const { x, y, width, height } = number.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2).matches(".writer");
}"""


def test_no_number_is_painted_over_a_cell_of_several_letters(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.press("Escape")
    page.wait_for_selector(".writer.rebus")
    assert page.locator(".cell.active .number").evaluate(COVERED)
    assert box(page, ".writer.rebus")["width"] > 2 * box(page, ".cell.active")["width"]


def test_a_provider_that_found_nothing_gets_no_praise(visit):
    page = visit()
    page.fill("#text", "NO\nOH\n\nACROSS\n1. Opposite of yes here\n3. Cry of surprise here\nDOWN\n1. Denial\n2. Ah")
    page.click("#play")
    opened(page)
    ask_only(page, "clueset", "lexicon")
    solve(page)
    expect(page, "#came-clueset").to_have_text("nothing")
    expect(page, "#came-lexicon").to_have_text("weighed every word")
    style = "id => (s => [s.color, s.fontWeight])(getComputedStyle(document.getElementById(id)))"
    assert page.evaluate(style, "came-clueset") != page.evaluate(style, "came-lexicon")


def test_a_refusal_is_a_sentence(visit):
    page = visit("#example=mini-01", ignore="503")
    opened(page)
    page.route("**/check", lambda route: route.fulfill(status=503, json={"error": "too many searches at once"}))
    choose(page, "Check", "The whole grid")
    said(page, "")
    assert page.inner_text("#said").startswith("Too many searches")


@pytest.mark.parametrize("example", ["mini-01", "midi-01", "gogen-01"])
def test_a_letter_fills_most_of_its_cell(visit, example):
    page = visit(f"#example={example}")
    opened(page)
    page.keyboard.type("a")
    drawn(page)
    size = page.evaluate("""[...document.querySelectorAll('.board .letter')].map(field =>
        parseFloat(getComputedStyle(field).fontSize) / field.closest('.cell').clientWidth)""")
    assert min(size) > 0.38
    assert max(size) < 0.62


def test_clues_without_a_grid_stand_next_to_its_place(visit):
    page = visit(width=1440)
    paste(page, "ACROSS\n1. Furniture to sleep on\n3. Own\nDOWN\n1. Cold\n2. Hot")
    page.wait_for_selector(".gridless")
    place, lists = box(page, ".gridless"), box(page, "#lists")
    assert lists["x"] >= place["x"] + place["width"]
    assert box(page, "#ask")["x"] >= lists["x"] + lists["width"]


def test_below_the_smallest_grid_the_buttons_are_in_one_row(visit):
    page = visit(width=1440)
    paste(page, "\n".join("...." for _ in range(4)) + "\n\nAcross\n1. A\nDown\n1. B")
    opened(page)
    assert box(page, "#redo")["y"] == pytest.approx(box(page, "#actions summary")["y"], abs=2)


def test_items_of_menus_are_lines(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    for menu in ("Hint", "Check", "Reveal"):
        page.click(f"#actions summary:has-text('{menu}')")
        items = page.locator("#actions details[open] .items button:visible")
        heights = {round(item.bounding_box()["height"]) for item in items.all()}
        assert len(heights) == 1
        assert all(item.bounding_box()["x"] + item.bounding_box()["width"] <= 390 for item in items.all())


def test_a_heavy_line_of_a_nonogram_is_one_line(visit):
    page = visit("#example=picture-01", width=360, height=740)
    page.wait_for_selector(".board")
    lines = page.eval_on_selector_all(
        "[data-under]", "rows => rows.map(row => [row.clientWidth, getComputedStyle(row, '::after').height])"
    )
    assert lines == [[page.evaluate("document.querySelector('.board').clientWidth"), "2px"]]


def test_a_puzzle_without_a_title_is_named_once(visit):
    page = visit()
    paste(page, "rows: 1\ncolumns: 1")
    page.wait_for_selector(".board")
    assert page.inner_text(".titles").split() == ["Nonogram"]


def test_on_a_phone_the_outcome_is_told_next_to_the_grid(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    solve(page)
    expect(page, "#summary").to_have_text(page.inner_text(".outcome h2"))
    assert box(page, "#summary")["y"] < box(page, "#lists")["y"]
    page.click("[data-view=mine]")
    expect(page, "#summary").to_be_hidden()


def test_the_clue_that_crosses_is_in_sight_in_its_list(visit):
    page = visit("#example=midi-01", height=700)
    opened(page)
    inside = """button => {
        const { top, bottom } = button.getBoundingClientRect(), list = button.closest("ol").getBoundingClientRect();
        return list.top - 1 <= top && bottom <= list.bottom + 1;
    }"""
    for _ in range(12):
        for _ in range(3):
            page.keyboard.press("a")
            drawn(page)
            assert page.locator(".clue.now").evaluate_all(f"all => all.every({inside})")
        until(page, f"[...document.querySelectorAll('.clue.crossing')].every({inside})")


def test_the_words_of_a_why_come_from_people_that_the_page_names(visit):
    page = visit("#example=mini-01")
    opened(page)
    solve(page)
    page.wait_for_selector("#candidates .source")
    sources = "all => all.map(one => one.textContent).filter(text => text)"
    assert set(page.locator("#candidates .source").evaluate_all(sources)) == {"Recorded candidates"}


def test_the_tools_of_a_tablet_stand_in_one_row(visit):
    page = visit("#example=mini-03", width=768, height=1024)
    opened(page)
    page.keyboard.type("a")
    expect(page, "#pause").to_be_visible()
    middles = page.locator(".tools > *").evaluate_all(
        "tools => tools.map(one => one.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2)"
    )
    assert max(middles) - min(middles) < 4
