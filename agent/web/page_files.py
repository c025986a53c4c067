"""The page's files as they are sent: read, packed and named once, when a server starts.

Parts of the page have addresses with a version in them, which differs as soon as one of them does. So a browser that
has a part never asks for it again, and no page is put together from parts of two versions.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

PAGE = Path(__file__).parent / "page"

MEDIA = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types of the page's files, by ending; all are UTF-8."""

PARTS = "/static/"
"""Where the parts of a page are, as its files name them; the version comes behind it."""

FOR_EVER = "max-age=31536000, immutable"
LEAST = 1000
"""Bytes from which packing is worth its while."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent: its content, the same packed (or not, if it is short), its tag and media type."""

    content: bytes
    packed: bytes | None
    tag: str
    media: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """Prepare a file.

        >>> File.of("a.js", b"1;").media
        'text/javascript; charset=utf-8'
        """
        packed = gzip.compress(content, mtime=0) if len(content) >= LEAST else None
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        return cls(content, packed, tag, f"{MEDIA[Path(name).suffix]}; charset=utf-8")

    def answer(self, request: Request, cache: str = "no-cache") -> Response:
        """Answer with the file, or with "not modified" if the browser has it."""
        headers = {"etag": self.tag, "cache-control": cache, "vary": "accept-encoding", "content-type": self.media}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, headers={**headers, "content-encoding": "gzip"})
        return Response(self.content, headers=headers)


@dataclass(frozen=True, slots=True)
class PageFiles:
    """All files of the page, by name, and the version of the parts."""

    by_name: Mapping[str, File]
    version: str

    @classmethod
    def read(cls, folder: Path = PAGE) -> PageFiles:
        """Read a folder.

        >>> files = PageFiles.read()
        >>> f'src="/static/{files.version}/main.js"'.encode() in files.by_name["index.html"].content
        True
        """
        texts = {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir()) if path.suffix in MEDIA}
        version = hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in texts.items()).encode()).hexdigest()[:12]

        def sent(name: str) -> str:
            # modules name each other by their place, whatever the version
            return texts[name] if name.endswith(".js") else texts[name].replace(f'"{PARTS}', f'"{PARTS}{version}/')

        return cls({name: File.of(name, sent(name).encode()) for name in texts}, version)
