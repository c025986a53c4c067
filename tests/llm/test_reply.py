"""What models and servers send, good and bad, and what is made of it."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agent.llm.errors import ReplyError
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
    assert read(text).parsed == {"a": [1, 2]}


@pytest.mark.parametrize("text", ["", "   ", "I'm sorry, I can't.", "{}", "[", "{" * 100_000, '{"a": ' * 100_000, "42"])
def test_what_holds_no_json_is_an_unusable_reply(text):
    with pytest.raises(ReplyError):
        read(text)


@given(st.dictionaries(st.text(), JSON, min_size=1), st.sampled_from(["", "Sure! ", "```json\n"]))
def test_any_json_object_is_read_back_from_prose(value, before):
    assume("</think>" not in json.dumps(value))
    assert find_json(f"{before}{json.dumps(value)}\n``` Bye.") == (value, False)


def test_the_end_of_thinking_may_stand_in_the_json_itself():
    assert find_json('{"clue": "</think>"}') == ({"clue": "</think>"}, False)


@given(JSON, st.integers(0, 200))
def test_json_that_is_cut_anywhere_never_fails(value, end):
    found, _ = find_json(json.dumps({"slots": value})[:end])
    assert found is None or isinstance(found, (dict, list))


def test_a_cut_off_answer_is_used_as_far_as_it_goes():
    whole = json.dumps({"slots": [{"slot": s, "candidates": [{"answer": "ANT"}]} for s in ("1A", "2D", "3D")]})
    reply = read(whole[:-30], finish="length")
    assert reply.cut
    assert list(read_slots(reply.parsed, ["1A", "2D", "3D"])) == ["1A", "2D"]


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
    assert read_reply(json.dumps(body), how="text", wants_json=True).parsed == {"a": 1}


@pytest.mark.parametrize(
    "usage", [None, 5, [], {"prompt_tokens": "many"}, {"prompt_tokens": -1, "completion_tokens": 2}]
)
def test_a_usage_that_is_none_is_not_believed(usage):
    assert read_usage(json.dumps({"usage": usage})) is None


@pytest.mark.parametrize(
    "said",
    [
        {"slots": [{"slot": "1A", "candidates": [{"answer": "ANT", "probability": 0.5}]}]},
        {"slots": {"1A": {"candidates": [{"answer": "ANT", "probability": "50%"}]}}},
        [{"slot": "1 Across", "candidates": [["ANT", 0.5, "extra"]]}],
        {"1-across": {"ANT": 0.5}},
        {"across 1": [{"answer": "ANT", "probability": 50, "why": "six legs"}], "99D": ["x"]},
        {"slot": "1a", "candidates": {"answer": "ANT", "probability": 0.5}},
    ],
)
def test_slots_are_read_from_every_form_that_models_make_of_it(said):
    assert read_slots(said, ["1A", "2D"]) == {"1A": [("ANT", 0.5)]}


@pytest.mark.parametrize("probability", [None, True, "high", -0.1, 101, 10**400, float("nan"), float("inf"), [0.5]])
def test_a_probability_that_is_none_is_left_open(probability):
    assert read_slots({"1A": [["ANT", probability]]}, ["1A"]) == {"1A": [("ANT", None)]}


def test_a_slot_that_comes_twice_has_the_candidates_of_both():
    said = [{"slot": "1A", "candidates": ["ant"]}, {"slot": "1A", "candidates": ["bee"]}]
    assert read_slots(said, ["1A"]) == {"1A": [("ant", None), ("bee", None)]}


@given(JSON)
def test_no_json_at_all_can_upset_the_reader(value):
    read_slots(value, ["1A"])
    read_slots({"slots": value, "1A": value}, ["1A"])
    read_slots([{"slot": "1A", "candidates": value}], ["1A"])
