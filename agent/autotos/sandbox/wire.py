"""Python values as JSON and back, without loss: what goes over the pipes between the parent and a worker.

None, truth values, numbers and strings are themselves, and a list is a list. Everything else is an object with one key
that names its type: `{"tuple": [...]}`, `{"set": [...]}`, `{"frozenset": [...]}`, `{"dict": [[key, value], ...]}` and
`{"float": "nan"}`. The items of a set are in the order of their texts, so equal sets have equal texts. Standard library
only: the worker runs this file before it locks itself down, the parent imports it.
"""

from __future__ import annotations

import json
import math
from typing import Any

MAX_DEPTH = 50
"""Values nested deeper than this are refused: the states of a search need 2 or 3."""
_PLAIN = frozenset((str, int, bool, type(None)))
_TEXT = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Unfit(Exception):  # noqa: N818 - it names what is wrong with a value, not a failure of this program
    """A value that is not plain data, or no text of one."""


def encode(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON data. Only the exact built-in types pass: a subclass could carry methods that lie.

    Raises Unfit.

    >>> encode([("a", 1), {"b"}, {(1, 2): None}])
    [{'tuple': ['a', 1]}, {'set': ['b']}, {'dict': [[{'tuple': [1, 2]}, None]]}]
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if depth > MAX_DEPTH:
        raise Unfit(f"is nested deeper than {MAX_DEPTH}")
    depth += 1
    if kind is list or kind is tuple:
        items = list(value) if _PLAIN.issuperset(map(type, value)) else [encode(item, depth) for item in value]
        return items if kind is list else {"tuple": items}
    if kind is set or kind is frozenset:
        return {kind.__name__: sorted((encode(item, depth) for item in value), key=_TEXT)}
    if kind is dict:
        return {"dict": [[encode(key, depth), encode(item, depth)] for key, item in value.items()]}
    raise Unfit(f"holds a value of type {kind.__name__}")


def decode(data: Any, depth: int = 0) -> Any:
    """Return the value of JSON data that :func:`encode` made. Raises Unfit if it did not.

    >>> decode({"tuple": ["a", {"frozenset": [1]}]})
    ('a', frozenset({1}))
    """
    if type(data) in _PLAIN or type(data) is float:
        return data
    if depth > MAX_DEPTH:
        raise Unfit(f"is nested deeper than {MAX_DEPTH}")
    depth += 1
    if type(data) is list:
        return data if _PLAIN.issuperset(map(type, data)) else [decode(item, depth) for item in data]
    if type(data) is not dict or len(data) != 1:
        raise Unfit("is not the text of a value")
    ((name, items),) = data.items()
    if name == "float" and items in ("nan", "inf", "-inf"):
        return float(items)
    if type(items) is not list:
        raise Unfit("is not the text of a value")
    try:
        if name == "tuple":
            return tuple([decode(item, depth) for item in items])
        if name in ("set", "frozenset"):
            made: Any = (set if name == "set" else frozenset)([decode(item, depth) for item in items])
        elif name == "dict":
            made = {decode(key, depth): decode(item, depth) for key, item in items}
        else:
            raise Unfit("is not the text of a value")
    except (TypeError, ValueError):  # what cannot be hashed, or is not a pair
        raise Unfit("is not the text of a value") from None
    if len(made) != len(items):
        raise Unfit("holds an item twice")
    return made


def to_text(value: Any) -> str:
    """Return a value as compact text, the same for equal sets. Raises Unfit.

    >>> to_text({"at": (1, 2)})
    '{"dict":[["at",{"tuple":[1,2]}]]}'
    """
    return _TEXT(encode(value))


def from_text(text: str) -> Any:
    """Return the value of a text. Raises Unfit.

    >>> from_text('{"set":[1,2]}')
    {1, 2}
    """
    try:
        return decode(json.loads(text))
    except (ValueError, RecursionError):
        raise Unfit("is not the text of a value") from None


def same(first: Any, second: Any) -> bool:
    """Return whether two values are equal in value and type, all the way down.

    >>> same([1, {"a": (2,)}], [1, {"a": (2,)}]), same([1], [True]), same([1], (1,))
    (True, False, False)
    """
    if type(first) is not type(second):
        return False
    if isinstance(first, (list, tuple)):
        if _PLAIN.issuperset(kinds := list(map(type, first))):  # the usual case, fast: rows of a grid
            return bool(first == second) and kinds == list(map(type, second))
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(value, second[key]) for key, value in first.items())
    if isinstance(first, (set, frozenset)):
        return bool(first == second)
    return bool(first == second) or repr(first) == repr(second)  # a float that is not a number does not equal itself
