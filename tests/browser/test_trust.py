"""What the page claims: nothing surer than it is, in words that a newcomer knows."""

import re
from dataclasses import replace

from acting import ROOT, ask_only, choose, drop, expect, letters, opened, paste, said, serving, solve

from agent.api import open_puzzle
from agent.formats import write_puzzle
from agent.testing import FakeOpenAI

MINI = open_puzzle(ROOT / "data" / "minis" / "mini-01.xd")
DOUBTED = open_puzzle(ROOT / "data" / "minis" / "mini-02.xd")
BARE = write_puzzle(replace(DOUBTED, solution=None), "xd").decode()
"""A mini without its official solution."""

COPIED = """The Morning Mini
Monday, November 23, 2026

ACROSS
1
Furniture to sleep on
4
Pole to row a boat with
5
Humorously sarcastic
DOWN
1
Weapon that shoots arrows
2
Organ of hearing
3
Free from moisture"""
"""Clues as they are copied from a newspaper's page: number and clue on lines of their own."""

JARGON = re.compile(
    r"\b(nats?|expansions?|slots?|priors?|embedded|wordnet|providers?|further rounds)\b|--model|jsonl", re.IGNORECASE
)


def test_a_newcomer_meets_no_word_of_the_trade(visit):
    page = visit()
    page.wait_for_selector(".example-link")
    assert not JARGON.findall(page.inner_text("body"))
    page.click("text=Nothing but Net")
    opened(page)
    assert not JARGON.findall(page.inner_text("body"))
    solve(page)
    page.click("text=Worker with lofty goals?")
    assert not JARGON.findall(page.inner_text("body"))


def test_the_first_view_says_what_this_is_and_where_to_begin(visit):
    page = visit()
    page.wait_for_selector(".example-link")
    assert page.inner_text("h1 >> visible=true") == "Play a crossword, or have it solved."
    for button in ("#today .primary", "#play", "#solve-for-me"):
        place = page.locator(button).bounding_box()
        assert place["y"] + place["height"] <= 900
    assert page.locator("nav a:visible").all_inner_texts() == ["Puzzles", "Statistics"]
    titles = page.locator(".kind.nonogram .example-link span:first-child").all_inner_texts()
    assert titles
    assert not [title for title in titles if re.search(r"\d", title)]
    for kind in ("nonogram", "fillin", "gogen", "sudoku"):
        assert page.locator(f".kind.{kind} .note").inner_text()


def test_nothing_revealed_by_the_agent_is_called_right(visit):
    page = visit()
    paste(page, BARE)
    opened(page)
    ask_only(page, "lexicon")
    choose(page, "Reveal", "Everything")
    said(page, "as the agent has it")
    assert letters(page).count(".") == DOUBTED.grid.cells.count("#")
    choose(page, "Check", "The whole grid")
    said(page, "The agent has the same in")
    assert "Right" not in page.inner_text("#said")
    assert page.is_hidden("#won")


def test_without_any_candidate_nothing_is_filled_in_and_it_is_said(visit):
    page = visit()
    paste(page, BARE)
    opened(page)
    ask_only(page, "datamuse")  # offline, with an empty cache
    page.click("#watch")
    page.locator("#ask-trouble", has_text="no provider could answer").wait_for()
    expect(page, "#watch").to_be_visible()
    assert set(letters(page)) == {"."}
    assert page.locator(".outcome").count() == 0


def test_a_source_that_found_nothing_is_named_once(visit):
    page = visit()
    paste(page, "NO\nOH\n\nACROSS\n1. Opposite of yes here\n3. Cry of surprise here\nDOWN\n1. Denial\n2. Ah")
    opened(page)
    ask_only(page, "clueset", "lexicon")
    solve(page)
    told = page.locator("#log li").all_text_contents()
    assert len([line for line in told if "none of these clues" in line]) == 1
    assert any("exicon" in line for line in told)


def test_while_a_model_thinks_no_word_is_given_up(visit, slow_model):
    url, _ = slow_model
    page = visit("#example=mini-01", at=url)
    opened(page)
    ask_only(page, "llm")
    page.click("#watch")
    page.locator("#candidates", has_text="Nothing has come for this word yet").wait_for()
    page.click("#cancel")
    page.locator("#status", has_text="Cancelled").wait_for()


def test_what_the_official_solution_contradicts_is_never_called_solved(visit):
    page = visit()
    other = replace(MINI, solution=replace(MINI.solution, cells=("#", "#", "B", "A", *MINI.solution.cells[4:])))
    paste(page, write_puzzle(other, "xd").decode())
    opened(page)
    ask_only(page, "clueset")
    solve(page)
    assert page.inner_text(".outcome h2") == "1 cell differs from the official solution"
    assert "They differ in 1 cell" in page.inner_text(".beside:not(.frame *)")
    expect(page, "#live").to_have_text("1 cell differs from the official solution")
    expect(page, "#status").to_have_text("Done.")
    assert not re.search("✓|solved", page.inner_text(".agent"), re.IGNORECASE)
    assert page.locator(".outcome.good").count() == 0


def asked_by_solving(page):
    """Solve; return what the page then shows of what the model was asked."""
    solve(page)
    page.click("#asked > summary")
    return page.inner_text("#asked-list")


def test_a_question_without_a_reply_in_time_is_shown(visit, thinking):
    model, _ = thinking
    with serving("--model", "late-model", "--base-url", model.base_url, "--patience", "0") as url:
        page = visit("#example=mini-01", at=url)
        opened(page)
        ask_only(page, "llm", "clueset")
        shown = asked_by_solving(page)
        assert "request 1 of 1, too late" in shown
        assert "Worker with lofty goals?" in shown
        assert "No reply came while it was waited for" in shown


def test_a_damaged_file_is_told_in_one_plain_line(visit):
    page = visit(ignore="422")
    drop(page, "junk.puz", "\x00\x00ACROSS&DOWN\x00 and nothing that follows")
    page.locator("#text-trouble", has_text="junk.puz").wait_for()
    told = page.inner_text("#text-trouble")
    assert "\n" not in told
    assert not re.search(r"literal|invalid|codec|Traceback|b'", told)


def test_a_grid_beyond_the_limit_is_refused_with_the_limit(visit):
    page = visit(ignore="422")
    rows = "\n".join("." * 60 for _ in range(60))
    paste(page, f"{rows}\n\nAcross\n1. A\nDown\n1. B")
    page.locator("#text-trouble", has_text="1 to 30 cells a side, found 60x60").wait_for()
    assert page.is_visible("#paste")


def test_a_pasted_title_and_date_become_the_puzzles(visit):
    page = visit()
    paste(page, COPIED)
    page.wait_for_selector(".gridless")
    assert page.inner_text("#title") == "The Morning Mini"
    assert "November 23, 2026" in page.inner_text("#byline") or "2026-11-23" in page.inner_text("#byline")
    assert page.title().startswith("The Morning Mini")
    ask_only(page, "lexicon")
    page.click("#find-grid")
    opened_board = page.locator(".board .cell")
    opened_board.first.wait_for()
    assert page.inner_text("#title") == "The Morning Mini"


def test_what_the_model_was_asked_can_be_read(visit):
    says = {"notes": "", "slots": [[slot.name, MINI.solution.answer(slot), 0.9] for slot in MINI.grid.slots]}
    with (
        FakeOpenAI([says]) as model,
        serving("--model", "some-model", "--base-url", model.base_url) as url,
    ):
        page = visit("#example=mini-01", at=url)
        page.wait_for_selector(".board")
        ask_only(page, "llm")
        expect(page, "#asked").to_be_hidden()
        told = asked_by_solving(page)
        assert "request 1 of 1" in told
        assert "Worker with lofty goals?" in told
        assert '"PILOT"' in told
        assert "tokens, at a price that is not known" in told
        page.click("#asked summary:has-text('Instructions')")
        assert model.requests[0].json["messages"][0]["content"][:40] in page.inner_text("#asked-list")
