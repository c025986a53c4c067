"""Hold a value against a type annotation, the form that a domain states for its states and arguments.

Understood are None, bool, int, float, str, Any, unions, Literal, `list`, `tuple`, `set`, `frozenset`, `dict`,
`Sequence` (a list or a tuple), `Set` of `collections.abc` (a set or a frozenset) and TypedDict. An int will do for a
float, but a truth value is not a number.
"""

from __future__ import annotations

import collections.abc
import types
import typing
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal, Union

Check = Callable[[Any], Any]
"""Returns a value in the plain form, or raises Misfit."""


class Misfit(Exception):  # noqa: N818 - it names what is wrong with a value, not a failure of this program
    """A value of another form; the message is a clause that says where and what was expected."""

    def __init__(self, clause: str, place: str = "") -> None:
        super().__init__(f"at {place.strip()} {clause}" if place else clause)
        self.clause, self.place = clause, place

    def within(self, place: str) -> Misfit:
        """Return the misfit of the value that holds this one at a place."""
        return Misfit(self.clause, place + self.place)


def conform(value: Any, form: Any) -> Any:
    """Return a value in the plain form of its annotation: lists for sequences, sets for sets. Raises Misfit.

    >>> conform(((1, 2), [3]), collections.abc.Sequence[collections.abc.Sequence[int]])
    [[1, 2], [3]]
    >>> conform([1, "a"], list[float])
    Traceback (most recent call last):
    agent.autotos.forms.Misfit: at [1] is the string 'a', not float
    """
    return _check(form)(value)


def read(data: Any, form: Any) -> Any:
    """Return the value of JSON data that has no tuples and no sets: lists become what the annotation asks for.

    Raises Misfit.

    >>> read([[1, 2]], list[tuple[int, int]])
    [(1, 2)]
    """
    return conform(_read(data, form), form)


def _read(data: Any, form: Any) -> Any:
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if typing.is_typeddict(form) and isinstance(data, dict):
        hints = typing.get_type_hints(form)
        return {key: _read(item, hints[key]) if key in hints else item for key, item in data.items()}
    if origin is dict and isinstance(data, dict):
        return {key: _read(item, arguments[1]) for key, item in data.items()}
    if not isinstance(data, list):
        return data
    if origin is tuple:
        forms = arguments[:1] * len(data) if arguments[1:] == (...,) else arguments
        return tuple(_read(item, one) for item, one in zip(data, forms, strict=False)) + tuple(data[len(forms) :])
    if origin in (Union, types.UnionType):
        return _read(data, next((one for one in arguments if typing.get_origin(one)), Any))
    made = [_read(item, arguments[0] if arguments else Any) for item in data]
    if origin in (set, frozenset, collections.abc.Set):
        try:
            return frozenset(made) if origin is frozenset else set(made)
        except TypeError:
            return made
    return made


def text(form: Any) -> str:
    """Return an annotation as a Python programmer writes it.

    >>> text(list[list[str | None]]), text(collections.abc.Sequence[int])
    ('list[list[str | None]]', 'Sequence[int]')
    """
    if typing.is_typeddict(form):
        fields = ", ".join(f"{key!r}: {text(one)}" for key, one in typing.get_type_hints(form).items())
        return f"{{{fields}}}"
    if isinstance(form, type) and not typing.get_args(form):
        return "None" if form is type(None) else form.__name__
    return str(form).replace("collections.abc.", "").replace("typing.", "")


def describe(value: Any) -> str:
    """Return the type of a value in a Python programmer's words.

    >>> describe(None), describe([1]), describe("ab")
    ('None', 'a list', "the string 'ab'")
    """
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"the string {value[:20]!r}"
    if isinstance(value, (bool, int, float)):
        return f"{type(value).__name__} {value!r}"
    return f"a {type(value).__name__}"


def _misfit(value: Any, wanted: str) -> Misfit:
    return Misfit(f"is {describe(value)}, not {wanted}")


def _scalars(forms: tuple[Any, ...]) -> tuple[type, ...]:
    """Return the types that will do for a union of annotations, if all are of single values; else nothing."""
    if not all(one in _SINGLE for one in forms):
        return ()
    return tuple(kind for one in forms for kind in _SINGLE[one])


@lru_cache(maxsize=256)
def _check(form: Any) -> Check:
    """Return the check of an annotation. Raises TypeError for one that is not understood."""
    origin, arguments = typing.get_origin(form), typing.get_args(form)
    if form is Any:
        return lambda value: value
    if form in _SINGLE:
        return _scalar(text(form), _SINGLE[form])
    if typing.is_typeddict(form):
        return _record(text(form), {key: _check(one) for key, one in typing.get_type_hints(form).items()})
    if origin in (Union, types.UnionType):
        kinds = _scalars(arguments)
        return _scalar(text(form), kinds) if kinds else _union(text(form), [_check(one) for one in arguments])
    if origin is Literal:
        return _literal(text(form), arguments)
    if origin is tuple and arguments[1:] != (...,):
        return _row(text(form), [_check(one) for one in arguments])
    if origin is dict:
        return _mapping(text(form), _check(arguments[0]), _check(arguments[1]))
    if origin in _ITEMS:
        item = arguments[0]
        several = typing.get_origin(item) in (Union, types.UnionType)
        single = _scalars(typing.get_args(item) if several else (item,))
        return _items(text(form), *_ITEMS[origin], _check(item), frozenset(single))
    raise TypeError(f"{text(form)} is not an annotation that states can be checked against")


_ITEMS: Mapping[Any, tuple[tuple[type, ...], type]] = {
    list: ((list,), list),
    tuple: ((tuple,), tuple),
    set: ((set,), set),
    frozenset: ((frozenset,), frozenset),
    collections.abc.Sequence: ((list, tuple), list),
    collections.abc.Set: ((set, frozenset), set),
}
"""Type of many items -> the types that will do, and the plain one."""
_SINGLE: Mapping[Any, tuple[type, ...]] = {
    None: (type(None),),
    type(None): (type(None),),
    bool: (bool,),
    int: (int,),
    float: (float, int),
    str: (str,),
}
"""Annotation of a single value -> the types that will do."""


def _scalar(wanted: str, kinds: tuple[type, ...]) -> Check:
    def check(value: Any) -> Any:
        if type(value) not in kinds:
            raise _misfit(value, wanted)
        return value

    return check


def _literal(wanted: str, allowed: tuple[Any, ...]) -> Check:
    def check(value: Any) -> Any:
        if not any(type(value) is type(one) and value == one for one in allowed):
            raise _misfit(value, wanted)
        return value

    return check


def _union(wanted: str, checks: list[Check]) -> Check:
    def check(value: Any) -> Any:
        for one in checks:
            with suppress(Misfit):
                return one(value)
        raise _misfit(value, wanted)

    return check


def _items(wanted: str, kinds: tuple[type, ...], plain: type, item: Check, single: frozenset[type]) -> Check:
    """Return the check of many items; those of the types `single` need no check of their own."""

    def check(value: Any) -> Any:
        if type(value) not in kinds:
            raise _misfit(value, wanted)
        if single.issuperset(map(type, value)):
            return plain(value)
        made: list[Any] = []
        try:
            for one in value:
                made.append(item(one))  # noqa: PERF401 - its length is the place of a misfit
        except Misfit as misfit:
            raise misfit.within(f"[{len(made)}]") from None
        return made if plain is list else plain(made)

    return check


def _row(wanted: str, checks: list[Check]) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not tuple:
            raise _misfit(value, wanted)
        if len(value) != len(checks):
            raise Misfit(f"is a tuple of {len(value)}, not {wanted}")
        made: list[Any] = []
        try:
            for one, item in zip(checks, value, strict=True):
                made.append(one(item))
        except Misfit as misfit:
            raise misfit.within(f"[{len(made)}]") from None
        return tuple(made)

    return check


def _mapping(wanted: str, key: Check, item: Check) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not dict:
            raise _misfit(value, wanted)
        return {_placed(key, name, " key"): _placed(item, one, f"[{name!r}]") for name, one in value.items()}

    return check


def _record(wanted: str, fields: dict[str, Check]) -> Check:
    def check(value: Any) -> Any:
        if type(value) is not dict:
            raise _misfit(value, wanted)
        for wrong, what in (([key for key in fields if key not in value], "no"), (list(value), "an unknown")):
            for key in wrong:
                if what == "no" or key not in fields:
                    raise Misfit(f"has {what} key {key!r}")
        return {key: _placed(one, value[key], f"[{key!r}]") for key, one in fields.items()}

    return check


def _placed(check: Check, value: Any, place: str) -> Any:
    """Check a value that another one holds at a place."""
    try:
        return check(value)
    except Misfit as misfit:
        raise misfit.within(place) from None
