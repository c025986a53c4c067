"""Clue text is understood in the many ways people paste it."""

from __future__ import annotations

import pytest

from agent.api import open_puzzle, read_puzzle
from agent.errors import FormatError
from agent.formats import write_puzzle
from agent.grid import ClueText, Puzzle

WANTED = {
    "1A": "Interviewee's hope",
    "4A": "Like an Olympic athlete",
    "1D": "Knee or elbow, e.g.",
    "2D": "Not fooled by",
}

SPELLINGS = {
    "newspaper": "Across\n1. {a}\n4. {b}\n\nDown\n1. {c}\n2. {d}\n",
    "capitals and colons": "ACROSS:\n1: {a}\n4: {b}\nDOWN:\n1: {c}\n2: {d}",
    "no dots": "Across\n1 {a}\n4 {b}\nDown\n1 {c}\n2 {d}",
    "tabs": "Across\n1\t{a}\n4\t{b}\nDown\n1\t{c}\n2\t{d}",
    "parentheses": "Across\n1) {a}\n4) {b}\nDown\n(1) {c}\n(2) {d}",
    "dashes": "Across\n1 - {a}\n4 – {b}\nDown\n1 — {c}\n2 - {d}",
    "tagged with colons": "1A: {a}\n4A: {b}\n1D: {c}\n2D: {d}",
    "tagged bare": "1A {a}\n4A {b}\n1D {c}\n2D {d}",
    "tagged with dots": "1a. {a}\n4a. {b}\n1d. {c}\n2d. {d}",
    "letter first": "A1. {a}\nA4. {b}\n\nD1. {c}\nD2. {d}",
    "words": "1-Across: {a}\n4-Across: {b}\n1-Down: {c}\n2-Down: {d}",
    "words apart": "1 across. {a}\n4 across. {b}\n1 down. {c}\n2 down. {d}",
    "windows": "Across\r\n1. {a}\r\n4. {b}\r\n\r\nDown\r\n1. {c}\r\n2. {d}\r\n",
    "old mac": "Across\r1. {a}\r4. {b}\rDown\r1. {c}\r2. {d}\r",
    "web page": "Across\n1\n{a}\n4\n{b}\nDown\n1\n{c}\n2\n{d}\n",
    "web page with gaps": "Across\n\n1\n\n{a}\n\n4\n\n{b}\n\nDown\n\n1.\n\n{c}\n\n2.\n\n{d}\n",
    "tagged, text below": "1A\n{a}\n4A\n{b}\n1D\n{c}\n2D\n{d}",
    "markdown": "## Across\n\n* 1. {a}\n* 4. {b}\n\n**Down**\n\n* 1. {c}\n* 2. {d}",
    "html": "<h3>Across</h3>\n<li>1. {a}</li>\n<li>4. {b}</li>\n<h3>Down</h3>\n<li>1. {c}</li>\n<li>2. {d}</li>",
    "headings with clues": "Across Clues\n1. {a}\n4. {b}\nClues Down\n1. {c}\n2. {d}",
    "decorated headings": "--- ACROSS ---\n1. {a}\n4. {b}\n[Down]\n1. {c}\n2. {d}",
    "first clue beside its heading": "ACROSS 1. {a}\n4. {b}\nDOWN 1. {c}\n2. {d}",
    "horizontal and vertical": "Horizontal\n1. {a}\n4. {b}\nVertical\n1. {c}\n2. {d}",
    "no headings, numbers begin again": "1. {a}\n4. {b}\n1. {c}\n2. {d}",
    "with a title": "The Mini Crossword\nBy the project\n\nAcross\n1. {a}\n4. {b}\nDown\n1. {c}\n2. {d}",
    "no line ends": "ACROSS 1. {a} 4. {b} DOWN 1. {c} 2. {d}",
    "letters as headings": "A\n1. {a}\n4. {b}\nD\n1. {c}\n2. {d}",
    "tagged apart": "1 A: {a}\n4 A: {b}\n1 D: {c}\n2 D: {d}",
    "with a footer": "Across\n1. {a}\n4. {b}\nDown\n1. {c}\n2. {d}\n\nThe solution is on the next page",
    "down first": "Down\n1. {c}\n2. {d}\nAcross\n1. {a}\n4. {b}",
    "with lengths": "Across\n1. {a} (3)\n4. {b} (5)\nDown\n1. {c} (2,3)\n2. {d} (4)",
    "wide spaces": "  Across  \n   1.   {a}  \n 4.\u00a0{b}\nDown\n1.\u2003{c}\n2. {d}",
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_every_spelling_gives_the_same_clues(spelling):
    pasted = spelling.format(a=WANTED["1A"], b=WANTED["4A"], c=WANTED["1D"], d=WANTED["2D"])
    assert texts(read_puzzle(pasted.encode(), name="pasted")) == WANTED


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_every_usual_encoding_is_read(encoding):
    pasted = "Across\n1. “Olé!” – señor’s café\nDown\n1. Jewel\n"
    assert texts(read_puzzle(pasted.encode(encoding), name="pasted"))["1A"] == "“Olé!” – señor’s café"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("1. Salt &amp; pepper, &quot;maybe&quot;", 'Salt & pepper, "maybe"'),
        ("1. <i>Hamlet</i> has five", "Hamlet has five"),
        ("1. 60 miles ___ hour", "60 miles ___ hour"),
        ("1. 1,000 in a kilo", "1,000 in a kilo"),
        ("1 Across the street", "Across the street"),
        ("1 A salon; a hall", "A salon; a hall"),
        ("1. Down ___ (Australia)", "Down ___ (Australia)"),
        ("1. Down", "Down"),
        ("1. 3D movie need", "3D movie need"),
        ("1. With 4-Across, a race car's pace", "With 4-Across, a race car's pace"),
        ("1\n10-4, good buddy", "10-4, good buddy"),
        ("1\n7", "7"),
        ("1. A clue that is\nbroken into two lines", "A clue that is broken into two lines"),
        ("1.No blank after the dot", "No blank after the dot"),
        ("1. Perfect score (10)", "Perfect score (10)"),
    ],
)
def test_a_clue_keeps_its_own_words(line, wanted):
    read = read_puzzle(f"Across\n{line}\n5. Not out\n8. Not in\nDown\n1. Jewel\n".encode(), name="pasted")
    assert texts(read)["1A"] == wanted


@pytest.mark.parametrize(
    ("ending", "length"), [("(5)", 5), ("(3,4)", 7), ("(2-5)", 7), ("(3, 4)", 7), ("[4]", 4), ("(1,2,3)", 6)]
)
def test_answer_lengths_are_read_from_the_clue(ending, length):
    read = read_puzzle(f"Across\n1. Steak {ending}\nDown\n1. Jewel (3)\n".encode(), name="pasted")
    assert (read.across[0].text, read.across[0].length) == ("Steak", length)


@pytest.mark.parametrize(("last", "length"), [("Jewel (3)", 4), ("Jewel", None)])
def test_lengths_are_read_if_half_of_the_clues_have_one(last, length):
    read = read_puzzle(f"Across\n1. Steak (4)\n5. Not out\nDown\n1. Own\n2. {last}\n".encode(), name="pasted")
    assert read.across[0].length == length


def test_a_clue_that_is_named_down_is_not_taken_for_the_heading():
    read = read_puzzle(b"Across\n1\nDown\n4\nElite\nDown\n1\nJoint\n", name="pasted")
    assert texts(read) == {"1A": "Down", "4A": "Elite", "1D": "Joint"}


@pytest.mark.parametrize(
    "grid", ["##...\n.....\n.....\n.....\n...##", "# # . . .\n. . . . .\n. . . . .\n. . . . .\n. . . # #"]
)
def test_a_pattern_before_the_clues_gives_a_puzzle(grid):
    puzzle = read_puzzle(
        f"Nine to Five\n\n{grid}\n\nAcross\n1. Hope\n8. Player\nDown\n5. Moon\n".encode(), name="pasted"
    )
    assert isinstance(puzzle, Puzzle)
    assert (puzzle.title, puzzle.clue("8A"), puzzle.solution) == ("Nine to Five", "Player", None)
    assert puzzle.grid.rows == ("##...", ".....", ".....", ".....", "...##")


def test_letters_in_an_unfinished_pattern_are_given():
    puzzle = read_puzzle(b"N.\nOH\n\nAcross\n1. Not yes\n", name="pasted")
    assert puzzle.grid.rows == ("N.", "OH")


@pytest.mark.parametrize(
    ("pasted", "complaint"),
    [
        ("", "found nothing"),
        ("hello world", "expected clues under Across and Down"),
        (
            "Across\n1. One\n1. Two\n",
            "line 3: expected a new number, found a second clue for 1A (the first is in line 2)",
        ),
        ("Across\n1. One\n2\n", "line 3: expected the text of clue 2A, found none"),
        ("Across\n1\nDown\n1\nOne\n", "line 3: expected the text of clue 1, found 'Down'"),
        ("1. One\n2. Two\n", "line 1: expected a heading such as Across or Down"),
        ("...\n...\n\nAcross\n5. One\n", "there is a clue for 5A, but the grid has no such slot"),
        ("...\n...\n\nAcross\n1. One (4)\n", "the clue for 1A says 4 letters, the grid has 3 cells there"),
    ],
)
def test_unreadable_text_is_named(pasted, complaint):
    with pytest.raises(FormatError) as error:
        read_puzzle(pasted.encode(), name="today.txt")
    assert str(error.value).startswith("today.txt: ")
    assert complaint in str(error.value)


def test_our_minis_come_back_from_text_without_their_grid(mini_path):
    puzzle = open_puzzle(mini_path)
    lines = write_puzzle(puzzle, "text").decode().split("\nAcross\n")
    listed = read_puzzle(("Across\n" + lines[1]).encode(), name="pasted")
    assert isinstance(listed, ClueText)
    assert listed.on(puzzle.grid).clues == puzzle.clues


def texts(read):
    """Clues by slot name."""
    assert isinstance(read, ClueText)
    return {f"{c.number}{way}": c.text for way, clues in (("A", read.across), ("D", read.down)) for c in clues}
