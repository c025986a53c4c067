"""A token that a browser must show before it is served: for a server that more people can reach than should use it.

The printed address has the token. A browser that opens it gets a cookie and is redirected to the page without the
token, so that neither the address bar nor a bookmark shows it. Programs may send `Authorization: Bearer TOKEN` instead.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.types import Scope

QUERY = "token"
"""Name of the token in the address."""
BEARER = "Bearer "


@dataclass(frozen=True, slots=True)
class Token:
    """The token of the server on one port: cookies know hosts, not ports, so the port is in the cookie's name.

    >>> token = Token("sesame", 8420)
    >>> token.address("http://127.0.0.1:8420/")
    'http://127.0.0.1:8420/?token=sesame'
    >>> token.is_known({"headers": [(b"cookie", b"gridwright-8420=sesame")]})
    True
    >>> token.is_known({"headers": [(b"authorization", b"Bearer rosebud")]})
    False
    """

    text: str
    port: int

    @property
    def _name(self) -> str:
        return f"gridwright-{self.port}"

    def address(self, page: str) -> str:
        """Return the page's address with the token."""
        return f"{page}?{urlencode({QUERY: self.text})}"

    def is_known(self, scope: Scope) -> bool:
        """Return whether a request carries the token in its cookie or its Authorization header."""
        return any(map(self._is_mine, _carried(scope, self._name)))

    def is_shown(self, scope: Scope) -> bool:
        """Return whether a request opens the page by the address with the token."""
        shown = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(QUERY, [])
        return scope["method"] == "GET" and scope["path"] == "/" and any(map(self._is_mine, shown))

    def welcome(self) -> list[tuple[bytes, bytes]]:
        """Return the headers that set the cookie and redirect the browser to the page."""
        cookie = f"{self._name}={self.text}; Path=/; HttpOnly; SameSite=Lax"
        return [(b"location", b"/"), (b"set-cookie", cookie.encode("latin-1")), (b"content-length", b"0")]

    def _is_mine(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.text.encode())


def _carried(scope: Scope, cookie: str) -> list[str]:
    """Return the tokens that the headers of a request carry."""
    found = []
    for name, value in scope["headers"]:
        text = value.decode("latin-1")
        if name == b"authorization" and text.startswith(BEARER):
            found.append(text.removeprefix(BEARER))
        elif name == b"cookie":
            try:
                cookies = SimpleCookie(text)
            except CookieError:
                continue
            if cookie in cookies:
                found.append(cookies[cookie].value)
    return found
