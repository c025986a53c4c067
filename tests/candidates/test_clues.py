"""Clues: each rule by its own example, then cases beyond a rule, then arbitrary text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.candidates.clues import (
    CONTEXTS,
    LONGEST_CLUE,
    RULES,
    definition,
    read_clue,
    resolve_references,
)
from agent.candidates.provider import Question, Reference
from agent.grid import Clue


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.example)
def test_a_rule_fits_its_example_and_not_the_clue_against_it(rule):
    assert rule.signal in read_clue(rule.example).signals
    assert rule.signal not in read_clue(rule.against).signals


@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.example)
def test_a_context_finds_the_neighbours_of_its_example(context):
    reading = read_clue(context.example)
    assert context.signal in reading.signals
    assert reading.left + reading.right == context.expected


LANGUAGES_OF_CLUES = {
    "Subway, in Paris": "fr",
    "Queen, in Spanish": "es",
    "Mr., in México": "es",
    "Cat, auf Deutsch": "de",
    "Latin for 'year'": "la",
    "French article": "fr",
    "Hello, in Lisbon": "pt",
    "Soda, in Ohio": "",
    "French fries": "",
}


@pytest.mark.parametrize(("clue", "language"), LANGUAGES_OF_CLUES.items())
def test_the_language_is_recognised(clue, language):
    reading = read_clue(clue)
    assert reading.language == language
    assert ("foreign" in reading.signals) == bool(language)


@pytest.mark.parametrize(
    ("clue", "left", "right"),
    [
        ("___ eclipse", (), ("eclipse",)),
        ("_ eclipse", (), ("eclipse",)),
        ("________ eclipse", (), ("eclipse",)),
        ("Swing and a ___", ("Swing", "and", "a"), ()),
        ("Neither here ___ there", ("Neither", "here"), ("there",)),
        ("— of Arc", (), ("of", "Arc")),
        ("Raggedy —", ("Raggedy",), ()),
        ("Neither here —— there", ("Neither", "here"), ("there",)),
        ("-- of Arc", (), ("of", "Arc")),
        ("Peanut butter --- jelly", ("Peanut", "butter"), ("jelly",)),
        ("____'s Law", (), ("Law",)),
        ("“Easier ___ than done”", ("Easier",), ("than", "done")),
        ('"X-___" (mutant movie)', ("X",), ()),
        ('"Yes, ___!"', ("Yes",), ()),
        ("San ___, Calif.", ("San",), ()),
        ("___ and ___ (bit by bit)", (), ("and",)),
        ("I’ve ___ run!", ("I've",), ("run",)),
        ("___", (), ()),
    ],
)
def test_a_blank_of_any_length_in_any_place_has_its_neighbours(clue, left, right):
    reading = read_clue(clue)
    assert "blank" in reading.signals
    assert (reading.left, reading.right) == (left, right)


@pytest.mark.parametrize("clue", ["Vacation — or a fall", "Lit-up sign", "60-40 split", "Red -- or blue", ""])
def test_a_dash_between_words_is_not_a_blank(clue):
    assert "blank" not in read_clue(clue).signals


@pytest.mark.parametrize(
    ("clue", "parts"),
    [
        ("Pretentious; flowery", ("Pretentious", "flowery")),
        ("Nero or Caesar, e.g.", ("Nero or Caesar", "Nero", "Caesar")),
        ("Lick, as an envelope", ("Lick, as an envelope", "Lick")),
        ("Do, re and mi, e.g.", ("Do, re and mi",)),
        ("Weight units: Abbr.", ("Weight units",)),
        ("Mozzarella sticks, e.g., on a menu", ("Mozzarella sticks, on a menu", "Mozzarella sticks")),
        ("Love (tennis)", ("Love",)),
        ("Shark ___ (summer TV event)", ("summer TV event",)),
        ("Subway, in Paris", ("Subway",)),
        ("Latin for 'year'", ("year",)),
        ('"Behold!"', ("Behold",)),
        ("[Achoo!]", ("Achoo",)),
        ("With 4-Across, how fast a race car can go", ("how fast a race car can go",)),
        ("Tenor's first big night, with 1-Down", ("Tenor's first big night",)),
        ("One of 1,000", ("One of 1,000",)),
        ("It's me (3,2)", ("It's me",)),
        ("?!", ()),
        ("___ wave", ()),
    ],
)
def test_a_clue_comes_apart_into_its_definitions(clue, parts):
    assert read_clue(clue).parts == parts


def test_parentheses_hold_topics_but_not_lengths():
    assert read_clue("Pose (yoga)").topic == "yoga"
    assert read_clue("Pose (5)").topic == ""
    assert read_clue("Out (to) lunch (slang)").topic == "to, slang"


def test_an_opposite_names_its_word():
    assert read_clue("Opposite of exhale").opposite == "exhale"
    assert read_clue("Not new").opposite == "new"


@pytest.mark.parametrize(
    ("clue", "expected"),
    [
        ("See 1-Across", [("1A", "see")]),
        ("See 1 Across.", [("1A", "see")]),
        ("With 4-Down, a perfect 1600", [("4D", "with")]),
        ("With 4- and 5-Down, a perfect 1600", [("4D", "with"), ("5D", "with")]),
        ("With 4-Down and 6-Across, a perfect 1600", [("4D", "with"), ("6A", "with")]),
        ("Fires off, as an 8-Across", [("8A", "mention")]),
        ("Prefix that means 6-A", [("6A", "mention")]),
        ("20 down", []),
        ("60 miles across", []),
    ],
)
def test_references_are_found_with_their_role(clue, expected):
    assert [(reference.slot, reference.role) for reference in read_clue(clue).references] == expected


LENGTHS = {"1A": 3, "4A": 5, "5D": 4}


def asked(*clues):
    """Turn clues (slot, text) into questions: slot -> question."""
    resolved = resolve_references([Clue(*clue) for clue in clues], LENGTHS)
    return {slot: Question(slot, text, LENGTHS[slot], references=resolved[slot]) for slot, text in clues}


def test_a_reference_is_resolved_to_the_others_length_and_text():
    questions = asked(("1A", "With 4-Across, how fast a car can go"), ("4A", "See 1-Across"), ("5D", "Alone"))
    assert [question.references for question in questions.values()] == [
        (Reference("4A", "with", 5),),
        (Reference("1A", "see", 3, "With 4-Across, how fast a car can go"),),
        (),
    ]
    assert [definition(question) for question in questions.values()] == ["how fast a car can go"] * 2 + ["Alone"]


@pytest.mark.parametrize(
    ("clues", "noted"),
    [
        ([("1A", "With 4-Across, a b"), ("4A", "See 1-Across")], "With 4-Across, a b [4-Across (5)]"),
        ([("4A", "See 1-Across"), ("1A", "With 4-Across, a b")], "See 1-Across [1-Across (3): With 4-Across, a b]"),
        (
            [("5D", "See 4-Across"), ("4A", "See 1-Across"), ("1A", "Fast")],
            "See 4-Across [4-Across (5): See 1-Across | 1-Across (3): Fast]",
        ),
        (
            [("5D", "With 4-Across, x"), ("4A", "See 1-Across"), ("1A", "Fast")],
            "With 4-Across, x [4-Across (5): See 1-Across | 1-Across (3): Fast]",
        ),
        ([("1A", "5- and 4-Across or 5-Down"), ("5D", "Alone")], "5- and 4-Across or 5-Down [5-Down (4): Alone]"),
        ([("1A", "See 1-Across")], "See 1-Across"),
        ([("1A", "See 9-Down")], "See 9-Down"),
    ],
)
def test_the_notes_on_references_keep_their_form(clues, noted):
    assert next(iter(asked(*clues).values())).noted == noted


def test_chains_are_followed_to_their_end():
    questions = asked(("1A", "With 4-Across, [so] fast"), ("4A", "See 1-Across"), ("5D", "See 4-Across"))
    assert definition(questions["5D"]) == "[so] fast"


def test_circles_end():
    questions = asked(("1A", "See 4-Across"), ("4A", "See 5-Down"), ("5D", "See 1-Across"))
    assert read_clue(questions["1A"].clue, questions["1A"].references).parts == ()


def test_a_very_long_clue_takes_no_longer_to_read():
    reading = read_clue("," * 10_000 + "x" * 1_000_000)
    assert sum(map(len, reading.parts)) <= LONGEST_CLUE


FRAGMENTS = st.sampled_from(
    [
     "___", "—", "--", '"', "“", "'s", "(", ")", "[", "]", ";", " or ", ", ", "See 1-Across", "With 2-Down, ", "1-A",
     "e.g.", "Abbr.", "in Paris", " [1-Across (3): ", "]", " | ", "partner of ", "follower",
     "?", "word", "\u0301", "\n", "🙂"]
)  # fmt: skip


@given(st.text() | st.lists(FRAGMENTS | st.text(max_size=3)).map("".join))
def test_any_text_can_be_read(text):
    reading = read_clue(text)
    assert all(part.strip() for part in reading.parts)
    assert len(set(reading.parts)) == len(reading.parts)
    assert (
        "blank" in reading.signals or "_" not in text or reading.references or len(text) > LONGEST_CLUE or "(" in text
    )


@given(st.lists(st.lists(FRAGMENTS).map("".join), min_size=3, max_size=3))
def test_any_clues_can_be_resolved_and_keep_their_text(texts):
    for question in asked(*zip(LENGTHS, texts, strict=True)).values():
        assert question.noted.startswith(question.clue)
        read_clue(question.clue, question.references)
