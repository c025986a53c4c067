"""The file formats of crosswords, in the order in which they are recognised: the one list of them.

Each has a module of the same name in `agent.formats` (unless `module` says otherwise) with `looks_like`, `read` and, if
it has an ending, `write`. This list is light, so that help texts and the page can name the formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.errors import UsageError


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format: its name, what its reader takes, and the ending and media type of its files.

    Without an ending it is only read. Only formats of `any_grid` can hold one with bars or with numbers of its own.
    `gridless` formats may hold clues without a grid, so their readers also take the grid's size. A file of `several`
    may hold more than one puzzle: its module has `parts`, which tells them apart.
    """

    name: str
    takes: Literal["bytes", "json", "text"]
    ending: str = ""
    media: str = ""
    module: str = ""
    any_grid: bool = False
    gridless: bool = False
    several: bool = False


FORMATS = (
    FileFormat("puz", "bytes", ".puz", "application/octet-stream"),
    FileFormat("jpz", "bytes", ".jpz", "application/xml", any_grid=True),
    FileFormat("xwordinfo", "json"),
    FileFormat("crosshare", "json"),
    FileFormat("json", "json", ".json", "application/json", module="own_json", any_grid=True),
    FileFormat("instance", "json"),
    FileFormat("nyt", "json"),
    FileFormat("guardian", "json"),
    FileFormat("amuselabs", "json"),
    FileFormat("puzzmo", "json"),
    FileFormat("ipuz", "json", ".ipuz", "application/json", any_grid=True),
    FileFormat("wsj", "json"),
    FileFormat("washington_post", "json"),
    FileFormat("uclick", "json"),
    FileFormat("across_lite", "text"),
    FileFormat("xd", "text", ".xd", "text/plain; charset=utf-8", several=True),
    FileFormat("cfp", "text"),
    FileFormat("uclick_xml", "text"),
    FileFormat("pzzl", "text"),
    FileFormat("others", "text"),
    FileFormat("text", "text", ".txt", "text/plain; charset=utf-8", gridless=True),
)

WRITTEN = tuple(one for one in FORMATS if one.ending)
"""Formats that can be written."""

ENDINGS = ", ".join(one.ending for one in WRITTEN)
"""Their endings, for help texts, messages and the page."""


def format_of(path: Path) -> FileFormat:
    """Return the format that a file's ending names. Raises UsageError if there is no such format.

    >>> format_of(Path("today.XD")).name
    'xd'
    """
    found = next((one for one in WRITTEN if one.ending == path.suffix.lower()), None)
    if found is None:
        raise UsageError(f"{path}: expected an ending of {ENDINGS}")
    return found
