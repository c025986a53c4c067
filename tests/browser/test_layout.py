"""What stands where: edges that align, nothing that jumps, sentences and menus that are in sight."""

import pytest
from acting import ask_only, choose, drawn, expect, letters, opened, said, solve

PHONE = {"width": 390, "height": 844, "is_mobile": True, "has_touch": True}


def box(page, selector):
    return page.locator(selector).first.bounding_box()


def in_sight(page, selector):
    """Return whether an element is within the window, from top to bottom."""
    place = box(page, selector)
    return place["y"] >= 0 and place["y"] + place["height"] <= page.evaluate("innerHeight")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_the_board_has_the_edges_of_what_is_above_it(visit, width, height):
    page = visit("#example=mini-01", width=width, height=height)
    opened(page)
    bar, board = box(page, "#clue-bar"), box(page, ".board")
    assert abs(bar["x"] - board["x"]) < 1
    assert abs(bar["width"] - board["width"]) < 1
    assert abs(box(page, ".brand")["x"] - box(page, "#title")["x"]) < 1


@pytest.mark.parametrize("menu", ["Hint", "Check", "Reveal"])
def test_menus_and_what_they_say_are_in_sight(visit, menu):
    page = visit("#example=mini-01", width=1024, height=768)
    opened(page)
    page.click(f"#actions summary:has-text('{menu}')")
    for item in page.locator("#actions details[open] .items button:visible").all():
        place = item.bounding_box()
        assert place["y"] + place["height"] <= 768
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


def test_on_a_phone_the_grid_is_in_sight_while_one_watches(visit):
    page = visit("#example=mini-01", **PHONE)
    opened(page)
    page.tap("#watch")
    page.wait_for_selector(".outcome", state="attached")
    drawn(page)
    assert in_sight(page, ".board")


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


def test_no_number_is_painted_over_a_cell_of_several_letters(visit):
    page = visit("#example=mini-01")
    opened(page)
    page.keyboard.press("Escape")
    page.wait_for_selector(".cell.rebus")
    assert page.is_hidden(".cell.rebus .number")
    assert box(page, ".cell.rebus input")["width"] > 2 * box(page, ".cell.rebus")["width"]


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
