"""Values go over the pipe without loss, and text that spells no value is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.autotos.sandbox.wire import Unfit, decode, encode, from_text, same, to_text

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec="utf-8"), max_size=3)
hashable = st.recursive(leaves, lambda inner: st.tuples(inner) | st.frozensets(inner, max_size=3), max_leaves=4)
values = st.recursive(
    hashable | st.sets(hashable, max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(hashable, inner, max_size=3),
    max_leaves=12,
)


@given(values)
def test_a_value_comes_back_as_it_went(value):
    assert same(decode(json.loads(json.dumps(encode(value), allow_nan=False))), value)
    assert same(from_text(to_text(value)), value)


@given(values, values)
def test_the_same_means_equal_in_value_and_type(first, second):
    assert same(first, first)
    assert not same(first, [first])
    assert not same(first, second) or to_text([first]) == to_text([second]) or "dict" in to_text([first])


class Liar(list):
    pass


@pytest.mark.parametrize("value", [Liar(), object(), 1j, b"x", {1: Liar()}, print])
def test_only_plain_data_is_sent(value):
    with pytest.raises(Unfit):
        encode(value)


@pytest.mark.parametrize(
    "text",
    [
        '{"x":[]}',
        "{}",
        '{"set":[[1]]}',
        '{"set":[1,1]}',
        '{"dict":[1]}',
        '{"dict":[[1,2],[1,3]]}',
        '{"dict":[[[],1]]}',
        '{"float":"1"}',
        '{"tuple":3}',
        "nonsense",
        "[" * 60 + "]" * 60,
        "[" * 100_000,
    ],
)
def test_text_that_spells_no_value_is_refused(text):
    with pytest.raises(Unfit):
        from_text(text)


def test_a_value_that_holds_itself_is_refused():
    loop = []
    loop.append(loop)
    with pytest.raises(Unfit, match="nested deeper"):
        encode(loop)
