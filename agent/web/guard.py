"""Checks before a request reaches a route, and the headers that every answer carries.

Reaching the port earns no trust: other pages in the same browser reach it, too. So a request must name a host
that the server was started for (against DNS rebinding), a POST must come from the page itself (against cross-site
requests), and a body has a limit, as has the number of requests at once.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.network import LOOPBACK
from agent.web.limits import Limits
from agent.web.token import Token
from agent.web.wire import dumps

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'none'; base-uri 'none'; manifest-src 'self'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
HOST = re.compile(r"(?:\[(?P<number>[0-9a-f:.]+)\]|(?P<name>[^\s:\[\]]+))(?::(?P<port>[0-9]+))?")
"""A Host header: a name, an address, or in brackets one of IPv6, and a port."""
HTTP_PORT = "80"
"""The default port of each scheme."""
ANY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - the names by which one asks to be reachable from everywhere
DRAIN_SECONDS = 1.0
"""Seconds for which a body that is too long is still read, and thrown away: a browser that cannot send to the end
does not show the refusal."""
DRAIN_TIMES = 64
"""Such a body is read up to this many times the limit."""
RETRY_SECONDS = b"5"
"""Seconds to wait, as told to a client that is turned away."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """Which hosts a request may name: those the server was started for, with its port.

    A server that was told to listen on every address takes any of them as a number: a page that attacks through DNS
    has only names to offer.

    >>> hosts = Hosts.of("127.0.0.1", 8420)
    >>> hosts.admit("localhost:8420"), hosts.admit("localhost:80"), hosts.admit("evil.example:8420")
    (True, False, False)
    >>> Hosts.of("0.0.0.0", 8420).admit("192.0.2.7:8420")
    True
    """

    names: frozenset[str]
    port: int
    any_number: bool = False

    @classmethod
    def of(cls, host: str, port: int) -> Hosts:
        """Return the hosts admitted by a server that was told to listen on a host."""
        own = own_names(host) if host in ANY_ADDRESS else {host.lower()}
        return cls(frozenset({*LOOPBACK, *own}), port, host in ANY_ADDRESS)

    def admit(self, value: str) -> bool:
        """Return whether a Host header names this server."""
        parts = HOST.fullmatch(value.lower())
        if parts is None or (parts["port"] or HTTP_PORT) != str(self.port):
            return False
        name = parts["number"] or parts["name"]
        return name in self.names or (self.any_number and is_number(name))


def own_names(host: str) -> set[str]:
    """Return the names and the number by which other machines of the network know this one.

    The number is that of the way out of here; finding it sends nothing.
    """
    name = socket.gethostname().lower()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = {name, f"{name.removesuffix('.local')}.local"}
    with socket.socket(family, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("2001:db8::1" if ":" in host else "192.0.2.1", 9))
        found.add(probe.getsockname()[0])
    return found


def is_number(name: str) -> bool:
    """Return whether a host is an address, not a name.

    >>> is_number("192.0.2.7"), is_number("192.0.2.7.evil.example")
    (True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Refusal(Exception):  # noqa: N818 - it is an answer
    """A request is not served: the status and the reason."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        self.status, self.text = status, text
        super().__init__(text)


class Guard:
    """Stands in front of the routes."""

    def __init__(self, app: ASGIApp, hosts: Hosts, limits: Limits, token: Token | None = None) -> None:
        self.app, self.hosts, self.limits, self.token = app, hosts, limits, token
        self.inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_api = str(scope["path"]).startswith("/api/")

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *HEADERS]
                if all(name != b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store" if is_api else b"no-cache"))
                message = {**message, "headers": headers}
            await send(message)

        self.inside += 1
        try:
            self.check(scope)
            if self.token and (self.token.is_shown(scope) or not self.token.is_known(scope)):
                await welcome(send_guarded, self.token, scope)
                return
            receive = await self.whole_body(scope, receive)
            await self.app(scope, receive, send_guarded)
        except Refusal as refusal:
            await refuse(send_guarded, refusal)
        finally:
            self.inside -= 1

    def check(self, scope: Scope) -> None:
        """Check the host, the origin, and the number of requests at once. Raises Refusal."""
        if self.inside > self.limits.requests:
            raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "too many requests at once")
        headers = scope["headers"]
        hosts = [value for name, value in headers if name == b"host"]
        if len(hosts) != 1 or not self.hosts.admit(hosts[0].decode("latin-1")):
            raise Refusal(HTTPStatus.MISDIRECTED_REQUEST, "this server answers only to the address it was started for")
        if scope["method"] in {"GET", "HEAD"}:
            return
        origins = [value for name, value in headers if name == b"origin"]
        site = next((value for name, value in headers if name == b"sec-fetch-site"), b"none")
        expected = f"{scope['scheme']}://".encode() + hosts[0]
        if any(origin.lower() != expected.lower() for origin in origins) or site not in {b"none", b"same-origin"}:
            raise Refusal(HTTPStatus.FORBIDDEN, "only the page of this server may ask for this")

    async def whole_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the body, up to the limit and in time, and return a `receive` that replays it. Raises Refusal."""
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        too_long = Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {self.limits.body:,} bytes")
        if not announced.isdigit() or int(announced[:20]) > self.limits.body:
            await self.drain(receive)
            raise too_long
        unfinished = Refusal(HTTPStatus.REQUEST_TIMEOUT, "the request did not arrive completely in time")
        parts: list[bytes] = []
        total, more = 0, True
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise unfinished
                    parts.append(message.get("body", b""))
                    total += len(parts[-1])
                    more = message.get("more_body", False)
                    if total > self.limits.body:
                        await self.drain(receive)
                        raise too_long
        except TimeoutError:
            raise unfinished from None
        body: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

        async def hand_on() -> Message:
            return body.pop() if body else await receive()

        return hand_on

    async def drain(self, receive: Receive) -> None:
        """Throw away the rest of a body, for a while."""
        left, more = DRAIN_TIMES * self.limits.body, True
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while more and left > 0:
                    message = await receive()
                    left -= len(message.get("body", b""))
                    more = message.get("more_body", False)


async def welcome(send: Send, token: Token, scope: Scope) -> None:
    """Send the cookie to a browser that shows the token. Raises Refusal for any other request."""
    if not token.is_shown(scope):
        raise Refusal(HTTPStatus.FORBIDDEN, "this server asks for its token: open the address that it printed")
    await send({"type": "http.response.start", "status": int(HTTPStatus.SEE_OTHER), "headers": token.welcome()})
    await send({"type": "http.response.body", "body": b""})


async def refuse(send: Send, refusal: Refusal) -> None:
    """Answer with the reason, as JSON; if the server is busy, with when to try again."""
    body = dumps({"error": refusal.text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", RETRY_SECONDS))
    else:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": int(refusal.status), "headers": headers})
    await send({"type": "http.response.body", "body": body})
