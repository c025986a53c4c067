"""Lines of a paste that may be taken for something else: what belongs to a clue, to the title, or to neither."""

from __future__ import annotations

import pytest

from agent.api import read_puzzle
from agent.errors import FormatError


def test_what_is_above_a_mail_is_no_title_but_its_subject_is():
    mail = "From: Ann\nSent: Monday\nSubject: Fwd: Re: Birds\n\nAcross\n1. In\nDown\n1. Out"
    assert read_puzzle(mail).title == "Birds"
    assert read_puzzle("From: here to there\n\nFrom: X\nAcross\n1. In\nDown\n1. Out").title == ""
    assert read_puzzle("Subject: Birds\nAcross\n1. In\nDown\n1. Out").title == "Subject: Birds"


def test_words_are_joined_only_if_a_line_divides_them():
    text = "Across\n1. Not well-\nknown in-\nsect\n2. Pre-\nand post-war\n3. A- or\nB-\nDown\n1. T-\nshirt"
    found = read_puzzle(text)
    assert [clue.text for clue in (*found.across, *found.down)] == [
        "Not well-known insect",
        "Pre- and post-war",
        "A- or B-",
        "T- shirt",
    ]


def test_signs_of_equality_are_no_quoted_printable():
    for text in ("E=MC2", "x =C3 or y=1", "a=b", "10+10=20", "2+2="):
        assert read_puzzle(f"Across\n1. {text}\nDown\n1. Out").across[0].text == text


def test_lists_that_have_lost_their_line_ends_are_refused():
    text = "Across: 1 Small insect 5 Not early 6 Opposite of west\nDown: 1 Fly 2 Nothing but 3 Makes a choice"
    with pytest.raises(FormatError, match="line 1: expected each clue on a line of its own"):
        read_puzzle(text)
    assert read_puzzle("Across\n1 From 9 To 5\nDown\n1 In 2025 And 2026").across[0].text == "From 9 To 5"


def test_answers_in_the_last_column_of_a_spreadsheet_are_left_out():
    found = read_puzzle("Across\n1\tSmall insect\tANT\n4\tNot early\tLATE\nDown\n1\tIn the past\tAGO")
    assert ([clue.text for clue in found.across], found.left_out) == (
        ["Small insect", "Not early"],
        ("the answers behind the clues",),
    )


def test_a_wrapped_line_may_begin_with_a_number():
    for sign in (". ", " "):
        wrapped = f"1{sign}It takes about\n12 episodes, on average\n4{sign}See\n4-Down, say\n5{sign}Cat"
        text = f"Across\n{wrapped}\nDown\n1{sign}Dog\n"
        found = read_puzzle(text)
        assert [clue.text for clue in found.across] == [
            "It takes about 12 episodes, on average",
            "See 4-Down, say",
            "Cat",
        ]


def test_a_clue_may_be_what_a_page_also_has_between_clues():
    text = "Across\n1\nAdvertisement\n3\nPage 2\nDown\n1\n*x*\n2\nTen _ _ _\n"
    found = read_puzzle(text)
    assert [clue.text for clue in (*found.across, *found.down)] == ["Advertisement", "Page 2", "*x*", "Ten _ _ _"]
