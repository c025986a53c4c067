"""A JSON value with its path: every access checks the type, an error names the field, unread fields are known.

>>> from agent.formats.node import Node
>>> Node({"size": {"width": "five"}}).get("size").get("width").integer()
Traceback (most recent call last):
agent.errors.FormatError: size.width: expected a whole number, found 'five'
>>> document = Node({"title": "Tiny", "theme": "sea", "cells": [{"letter": "A", "ink": "red"}, {"ink": ""}]})
>>> [cell.get("letter").text("") for cell in document.get("cells")], document.unread()
(['A', ''], ('title', 'theme', 'ink'))
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from agent.errors import FormatError
from agent.formats.common import shown
from agent.reading import json_value

MAX_NUMBER = 10**6
"""Numbers of clues and sides beyond this are refused before anything is computed from them."""

MAX_MILLISECONDS = 253_402_300_800_000
"""The year 10000: later dates are mistakes."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a JSON document and the path to it.

    `taken` are the fields that have been read so far, shared by all nodes of a document: each as its path with the
    indexes left out, so that a field counts as read in all items of a list if it was read in one.
    """

    value: Any
    where: str = ""
    path: str = ""
    taken: set[str] = field(default_factory=set, compare=False, repr=False)

    def fail(self, expected: str) -> FormatError:
        """Return the error that names what was expected here."""
        found = "nothing" if self.value is None else shown(self.value)
        return FormatError(f"expected {expected}, found {found}", self.where)

    def has(self, key: str) -> bool:
        """Return whether this is an object with that field, not null."""
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def peek(self, key: str) -> Any:
        """Return the value of an object's field, None if there is none, without counting it as read."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def get(self, key: str) -> Node:
        """Return a field of an object; a missing one is null."""
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        name = f"{self.path}.{key}"
        self.taken.add(name)
        return Node(self.value.get(key), f"{self.where}.{key}" if self.where else key, name, self.taken)

    def skip(self, *keys: str) -> None:
        """Count fields, and all that is in them, as read: they say nothing about the puzzle."""
        self.taken.update(f"{self.path}.{key}.*" for key in keys)

    def fields(self) -> list[str]:
        """Return the names of an object's fields."""
        if not isinstance(self.value, dict):
            raise self.fail("an object")
        return list(self.value)

    def items(self) -> list[Node]:
        """Return the entries of a list."""
        if not isinstance(self.value, list):
            raise self.fail("a list")
        return [Node(item, f"{self.where}[{i}]", self.path, self.taken) for i, item in enumerate(self.value)]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items())

    def text(self, default: str | None = None) -> str:
        """Return a string; `default` stands for a missing one."""
        if self.value is None and default is not None:
            return default
        if not isinstance(self.value, str):
            raise self.fail("a text")
        return self.value

    def label(self, default: str | None = None) -> str:
        """Return a string or a number as a string."""
        if isinstance(self.value, int) and not isinstance(self.value, bool) and abs(self.value) <= MAX_NUMBER:
            return str(self.value)
        return self.text(default)

    def integer(self) -> int:
        """Return a whole number from 0; one written as a string counts."""
        text = str(self.value) if isinstance(self.value, int) and abs(self.value) <= MAX_NUMBER else self.value
        if isinstance(self.value, bool) or not isinstance(text, str) or not (text.isascii() and text.isdigit()):
            raise self.fail("a whole number")
        if len(text) > 6:
            raise self.fail(f"a number up to {MAX_NUMBER}")
        return int(text)

    def day(self) -> str:
        """Return a date: a text as it is, milliseconds since 1970 as `YYYY-MM-DD` (UTC), "" if it is missing.

        >>> Node(86_400_000).day(), Node("May 1").day(), Node(None).day()
        ('1970-01-02', 'May 1', '')
        """
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            if not 0 <= self.value < MAX_MILLISECONDS:
                raise self.fail("a date")
            return f"{datetime.fromtimestamp(self.value / 1000, UTC):%Y-%m-%d}"
        return self.text("")

    def unread(self) -> tuple[str, ...]:
        """Return the names of fields that hold something and were never read."""
        found: dict[str, str] = {}
        left = [(self.path, self.value)]
        while left:
            path, value = left.pop()
            if isinstance(value, list):
                left += [(path, item) for item in reversed(value) if isinstance(item, dict | list)]
            elif isinstance(value, dict):
                names = {key: f"{path}.{key}" for key, content in value.items() if not _is_empty(content)}
                names = {key: name for key, name in names.items() if f"{name}.*" not in self.taken}
                found |= {name: key for key, name in names.items() if name not in self.taken}
                left += [(name, value[key]) for key, name in reversed(names.items()) if name in self.taken]
        return tuple(dict.fromkeys(found.values()))


def _is_empty(content: Any) -> bool:
    """Return whether a field says nothing: null, false, 0, "" or a list or object of nothing else."""
    if isinstance(content, dict | list):
        return not any(content.values() if isinstance(content, dict) else content)
    return not content or (isinstance(content, str) and content.isspace())


def parse_json(text: str) -> Node:
    """Parse a JSON document; the error names the line.

    >>> parse_json('{"a": }')
    Traceback (most recent call last):
    agent.errors.FormatError: line 1, column 7: expected JSON: Expecting value
    """
    try:
        return Node(json_value(text))
    except json.JSONDecodeError as error:
        raise FormatError(f"expected JSON: {error.msg}", f"line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise FormatError("expected a puzzle, found JSON nested too deep") from error
    except ValueError as error:  # a number with thousands of digits
        raise FormatError(f"expected JSON: {error}") from error
