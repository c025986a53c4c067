"""XML as the document that JSON would make of it: attributes, lists of elements by name, and `text`."""

from __future__ import annotations

import html
import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from agent.errors import FormatError
from agent.formats.common import clean
from agent.formats.node import Node

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

NAMED_ENTITY = re.compile(r"&(?!amp;|lt;|gt;|quot;|apos;)([A-Za-z][A-Za-z0-9]{1,30};)")
"""An entity of HTML, which XML does not know."""


def parse_xml(text: str, whole: Collection[str] = ()) -> Node:
    """Parse XML; of elements called as one of `whole`, the elements inside are only the markup of their text.

    Raises FormatError. A document type is refused, so that no entity can grow.

    >>> found = parse_xml('<a n="1"><b>x</b><b>&eacute; <i>y</i></b></a>', whole={"b"})
    >>> found.get("n").text(), [one.get("text").text() for one in found.get("b")]
    ('1', ['x', 'é y'])
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FormatError("expected XML without a document type")
    from xml.etree import ElementTree as ET

    start = text.find("<")
    text = re.sub(r"^<\?xml[^>]*\?>", "", text[max(0, start) :])  # its encoding was dealt with
    try:
        root = ET.fromstring(NAMED_ENTITY.sub(_as_number, text))  # noqa: S314  # no document type, no entities
    except ET.ParseError as error:
        raise FormatError(f"expected XML: {error}") from error
    return Node(_value(root, whole))


def _as_number(entity: re.Match[str]) -> str:
    character = html.unescape(entity[0])
    return "".join(f"&#{ord(sign)};" for sign in character) if character != entity[0] else f"&amp;{entity[1]}"


def _value(root: ET.Element, whole: Collection[str]) -> dict[str, Any]:
    """Turn an element into an object."""
    found: dict[str, Any] = {}
    left = [(root, found)]
    while left:
        element, value = left.pop()
        value |= {_local(name): content for name, content in element.attrib.items()}
        if _local(element.tag) in whole:
            value["text"] = clean("".join(element.itertext()))
            continue
        value["text"] = clean(element.text or "")
        for child in element:
            inner: dict[str, Any] = {}
            children = value.setdefault(_local(child.tag), [])
            if isinstance(children, list):
                children.append(inner)
            left.append((child, inner))
    return found


def _local(name: object) -> str:
    """Return a name without its namespace; comments have none."""
    return name.rpartition("}")[2] if isinstance(name, str) else "comment"
