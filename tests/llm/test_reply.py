"""Replies of models and servers, good and bad, and how they are read."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agent.errors import ReplyError
from agent.llm import reply
from agent.llm.reply import find_json, read_reply, read_usage
from agent.llm.schema import read_slots
from agent.testing import completion

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def read(text, **more):
    return read_reply(json.dumps(completion(text, **more)), how="text", wants_json=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2]}',
        '```json\n{"a": [1, 2]}\n```',
        'Here you are [as asked]: {"a": [1, 2]} - have fun {really}!',
        '<think>{"a": 0} or {"b": {}}? no</think>\n{"a": [1, 2]}',
        '{"a": [1, 2,],}',
        '{"a": [1, 2]',
        '{"a": [1, 2], "b',
    ],
)
def test_json_is_found_however_it_is_wrapped(text):
    assert read(text).parsed == [{"a": [1, 2]}]


@pytest.mark.parametrize("text", ["", "   ", "I'm sorry, I can't.", "{}", "[", "{" * 100_000, '{"a": ' * 100_000, "42"])
def test_a_reply_without_json_is_unusable(text):
    with pytest.raises(ReplyError):
        read(text)


@given(st.dictionaries(st.text(), JSON, min_size=1), st.sampled_from(["", "Sure! ", "```json\n"]))
def test_any_json_object_is_read_back_from_prose(value, before):
    assume("</think>" not in json.dumps(value))
    assert find_json(f"{before}{json.dumps(value)}\n``` Bye.") == ([value], False)


def test_the_end_of_thinking_may_occur_in_the_json_itself():
    assert find_json('{"clue": "</think>"}') == ([{"clue": "</think>"}], False)


def test_all_json_is_found_in_order_and_lookalikes_skipped():
    notes = 'A {draft}: {"1A": ANT}, [as said] {"1A": {"ANT": 0.5}}. 5" is [no] start, ["nor {this'
    assert find_json(notes + ' {"1A": {"BEE": 0.9}}')[0] == [{"1A": {"ANT": 0.5}}, {"1A": {"BEE": 0.9}}]


def test_many_brackets_in_notes_do_not_hide_the_answer():
    notes = "".join(f'{{"{i}A": maybe}} [{i}] {{"{i}A": {{"ANT": 0.{i}}}}} ' for i in range(1, 200))
    assert find_json(notes + '{"1A": ["BEE"]}')[0][-1] == {"1A": ["BEE"]}


def test_an_object_that_is_broken_inside_is_read_piece_by_piece():
    found, _ = find_json('{"notes": "the "best" one", "slots": [["1A", "ANT", 0.9], ["2D", oops], ["3D", "BEE", 0.1]]}')
    assert found == [["1A", "ANT", 0.9], ["3D", "BEE", 0.1]]


def test_the_last_of_a_flood_of_objects_are_taken():
    found, _ = find_json('{"a": 1} ' * 5000 + '{"1A": ["ANT"]}')
    assert (len(found), found[-1]) == (reply.MOST_VALUES, {"1A": ["ANT"]})


def test_lines_may_break_inside_a_text():
    assert find_json('{"notes": "first\nthen", "slots": []}')[0] == [{"notes": "first\nthen", "slots": []}]


@pytest.mark.parametrize("piece", ['{"', '{"a": ', '[["', '{"a": 1, ]', '[{"a": [1', '{"a": oops} ', '["', '{ "a"}'])
def test_a_hostile_answer_is_read_a_bounded_number_of_times(piece, monkeypatch):
    ends = []
    extent = reply._extent
    monkeypatch.setattr(
        reply, "_extent", lambda text, start: ends.append((start, *extent(text, start))) or ends[-1][1:]
    )
    assert find_json(piece * 20_000) == ([], False)
    to_the_end = [start for start, end, missing in ends if end == start or missing]
    assert len(to_the_end) <= reply.MOST_READINGS + 1


@given(JSON, st.integers(0, 200))
def test_json_that_is_cut_anywhere_never_fails(value, end):
    found, _ = find_json(json.dumps({"slots": value})[:end])
    assert all(isinstance(value, (dict, list)) for value in found)


def test_a_cut_off_answer_is_used_as_far_as_it_goes():
    whole = json.dumps({"notes": "[hm] {", "slots": [[slot, "ANT", 0.5] for slot in ("1A", "2D", "3D")]})
    answer = read(whole[:-10], finish="length")
    assert answer.cut
    assert [list(read_slots(value, ["1A", "2D", "3D"])) for value in answer.parsed] == [["1A", "2D"]]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<html>Bad gateway</html>", "not a chat completion"),
        ("[]", "not a chat completion"),
        ('{"choices": []}', "no choices"),
        ('{"choices": [null]}', "no choices"),
        ('{"error": {"message": "model is loading"}}', "model is loading"),
        ('{"choices": [{"message": null}]}', "empty"),
        ('{"choices": [{"message": {"content": {"odd": 1}}}]}', "empty"),
        (json.dumps(completion(None, refusal="I won't help with that")), "refused: I won't"),
        (json.dumps(completion("", finish="content_filter")), "refused"),
        (json.dumps(completion("", finish="length")), "cut off"),
    ],
)
def test_an_unusable_body_says_why(body, reason):
    with pytest.raises(ReplyError, match=reason):
        read_reply(body, how="text", wants_json=True)


def test_content_in_parts_and_unknown_fields_are_understood():
    body = completion("", service_tier="gold", x=[{}])
    body["choices"][0]["message"]["content"] = [{"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}, 7]
    assert read_reply(json.dumps(body), how="text", wants_json=True).parsed == [{"a": 1}]


@pytest.mark.parametrize(
    "usage", [None, 5, [], {"prompt_tokens": "many"}, {"prompt_tokens": -1, "completion_tokens": 2}]
)
def test_a_bad_usage_is_not_believed(usage):
    assert read_usage(json.dumps({"usage": usage})) is None


@pytest.mark.parametrize(
    "said",
    [
        {"notes": "1A is easy", "slots": [["1A", "ANT", 0.5]]},
        {"notes": "", "slots": [["1A", ["ANT", 0.5]], ["99D", "X", 1]]},
        {"1A": {"ANT": 0.5}, "notes": {"2D": 1}},
        {"1A": [{"ANT": 0.5}]},
        {"1A": ["ANT", "50%"]},
        ["1-Across", "ANT", "50 %"],
        {"slots": [{"slot": "1A", "candidates": [{"answer": "ANT", "probability": 0.5}]}]},
        {"slots": {"1A": {"candidates": [{"answer": "ANT", "probability": "50%"}]}}},
        [{"slot": "1 Across", "candidates": [["ANT", 0.5, "extra"]]}],
        {"1-across": {"ANT": 0.5}},
        {"across 1": [{"answer": "ANT", "probability": 50, "why": "six legs"}], "99D": ["x"]},
        {"slot": "1a", "candidates": {"answer": "ANT", "probability": 0.5}},
        {"slot": "1A", "answer": "ANT", "probability": 0.5, "length": 3},
        {"answers": {"across": {"1": ["ANT", 0.5], "99": ["X", 1]}, "down": {"2": []}}},
        {"Across": [{"number": 1, "word": "ANT", "confidence": "50%"}]},
        [{"number": "1", "direction": "across", "clue": "Six-legged worker", "guess": "ANT", "p": 0.5}],
        [{"clue": "1A", "candidates": [{"word": "ANT", "prob": 0.5}]}],
        {"1A (3)": {"answers": ["ANT", 0.5]}, "notes": {"1A": ["BEE"]}},
        ["1A", 0.5, "ANT"],
        ["1A", [["ANT", 0.5]]],
        {"1A": [[0.5, "ANT"]]},
        {"1A": {"text": "ANT", "score": 0.5}},
        {"1_across": {"ANT": 0.5, "crossings": {"2D": "BEE"}, "why": "six legs"}},
    ],
)
def test_slots_are_read_from_every_form_that_models_make_of_it(said):
    assert {slot: found for slot, found in read_slots(said, ["1A", "2D"]).items() if found} == {"1A": [("ANT", 0.5)]}


@pytest.mark.parametrize(
    "said",
    [
        "Here you are:\n\n| Slot | Answer | P |\n|---|---|---|\n| **1A** | ANT | 0.5 |\n",
        "1A: ANT (50%)\n3D: unknown to you",
        "- 1-Across (3) = ANT, 0.5",
        "**Across**\n1. ANT (0.5)\n\n**Down**\n3. X",
        "1 across \u2014 ANT: 0.5",
    ],
)
def test_a_list_without_any_json_is_read_as_well(said):
    slots = [read_slots(row, ["1A", "2D"]) for row in read(said).parsed]
    assert [found for found in slots if found] == [{"1A": [("ANT", 0.5)]}]


@pytest.mark.parametrize("said", ["1A is beyond me", "1A", "I know 2 of the 3: none", "1" + "-" * 100_000])
def test_prose_about_slots_is_not_an_answer(said):
    with pytest.raises(ReplyError, match="no JSON"):
        read(said)


@pytest.mark.parametrize("probability", [None, True, "high", -0.1, 101, 10**400, float("nan"), float("inf"), [0.5]])
def test_a_bad_probability_is_left_open(probability):
    assert read_slots({"1A": [["ANT", probability]]}, ["1A"]) == {"1A": [("ANT", None)]}


def test_words_that_are_also_names_of_fields_are_words():
    said = {"1A": {"answer": 0.6, "slots": 0.2}, "2D": {"candidates": 0.9}, "3D": {"candidates": None}}
    assert read_slots(said, ["1A", "2D", "3D"]) == {
        "1A": [("answer", 0.6), ("slots", 0.2)],
        "2D": [("candidates", 0.9)],
        "3D": [],
    }


def test_names_of_parts_are_no_words_and_further_words_are_not_lost():
    wanted = {"1A": [("ANT", None), ("BEE", None)]}
    for said in (
        {"best": "ANT", "others": ["BEE"]},
        {"answer": "ANT", "alternatives": ["BEE"]},
        {"primary": "ANT", "candidates": ["BEE"]},
        "ANT, BEE",
    ):
        assert read_slots({"1A": said}, ["1A"]) == wanted


def test_numbers_before_words_belong_to_the_words_after_them():
    assert read_slots([["1A", 0.5, "ANT", 0.2, "BEE"]], ["1A"]) == {"1A": [("ANT", 0.5), ("BEE", 0.2)]}


def test_a_row_without_numbers_keeps_its_words():
    assert read_slots([["1A", "NAN", "INF", 0.5, 0.1]], ["1A"]) == {"1A": [("NAN", None), ("INF", 0.5)]}


def test_a_slot_that_comes_twice_has_the_candidates_of_both():
    said = [{"slot": "1A", "candidates": ["ant"]}, {"slot": "1A", "candidates": ["bee"]}]
    assert read_slots(said, ["1A"]) == {"1A": [("ant", None), ("bee", None)]}


@given(JSON)
def test_no_json_at_all_can_upset_the_reader(value):
    read_slots(value, ["1A"])
    read_slots({"slots": value, "1A": value}, ["1A"])
    read_slots([{"slot": "1A", "candidates": value}, ["1A", value]], ["1A"])
