"""The server: a socket, uvicorn on it, and a clean shutdown."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from functools import partial
from typing import cast

import uvicorn
from starlette.applications import Starlette

from agent.network import LOOPBACK
from agent.web.app import make_app
from agent.web.choice import Offer
from agent.web.connection import Connection
from agent.web.guard import ANY_ADDRESS, Guard, Hosts, is_number, own_names
from agent.web.limits import Limits
from agent.web.rooms import Invitation
from agent.web.token import Token

BACKLOG = 128
"""Connections that may wait to be accepted."""
SILENT_MS = 30_000
"""Milliseconds that what was sent may stay unconfirmed until a connection counts as lost; streams show signs of life.
By itself, Linux waits a quarter of an hour for a phone that has gone out of reach."""
CONNECTIONS_EACH = 4
"""Open connections for each request that may be served at once: browsers keep some in reserve."""
GOODBYE_SECONDS = 2
"""Seconds that streams have to end by themselves when the server ends; their searches have been cancelled by then."""


def bind(host: str, port: int) -> socket.socket:
    """Open the socket to listen on; port 0 takes a free one. Raises OSError if it cannot be opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio turns Nagle's algorithm off only if it is: otherwise 40 ms for each answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


def addresses(host: str, port: int) -> list[str]:
    """Return the addresses that a browser opens, that of this machine first.

    A server that listens on every address also has some for the other machines of the network, numbers first.

    >>> addresses("127.0.0.1", 8420), addresses("::1", 80)
    (['http://127.0.0.1:8420/'], ['http://[::1]:80/'])
    """
    shown = [host]
    if host in ANY_ADDRESS:
        shown = [
            "::1" if host == "::" else "127.0.0.1",
            *sorted(own_names(host), key=lambda name: (not is_number(name), name)),
        ]
    return [f"http://[{one}]:{port}/" if ":" in one else f"http://{one}:{port}/" for one in shown]


def invitation(host: str, port: int, token: Token | None) -> Invitation:
    """Return what a link needs that other machines open.

    >>> invitation("127.0.0.1", 8420, None)
    Invitation(address='', token='')
    >>> invitation("192.0.2.7", 8420, Token("sesame", 8420))
    Invitation(address='http://192.0.2.7:8420/', token='sesame')
    """
    others = [] if host in LOOPBACK else addresses(host, port)[1 if host in ANY_ADDRESS else 0 :]
    return Invitation(others[0] if others else "", token.text if token else "")


class Server(uvicorn.Server):
    """A server that ends its searches before it waits for their streams."""

    def __init__(
        self, app: Starlette, hosts: Hosts, limits: Limits, on_ready: Callable[[], None], token: Token | None = None
    ) -> None:
        self.app, self._on_ready = app, on_ready
        super().__init__(
            uvicorn.Config(
                Guard(app, hosts, limits, token),
                http=cast("type[asyncio.Protocol]", partial(Connection, head_seconds=limits.head_seconds)),
                ws="none",
                loop="asyncio",
                lifespan="off",
                access_log=False,
                log_level="warning",
                server_header=False,
                proxy_headers=False,
                backlog=BACKLOG,
                limit_concurrency=CONNECTIONS_EACH * limits.requests,
                timeout_graceful_shutdown=GOODBYE_SECONDS,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then announce it."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the searches and the rooms, then the connections."""
        self.app.state.turns.cancel_all()
        self.app.state.rooms.end_all()
        await super().shutdown(sockets)


def make_server(
    offer: Offer,
    listening: socket.socket,
    host: str,
    on_ready: Callable[[], None] = lambda: None,
    *,
    token: Token | None = None,
) -> Server:
    """Make the server for a bound socket; `run(sockets=[listening])` serves until it is told to end.

    With a token, only requests that carry it are served.
    """
    port = listening.getsockname()[1]
    app = make_app(offer, invitation(host, port, token))
    return Server(app, Hosts.of(host, port), offer.limits, on_ready, token)


def warm_up() -> threading.Thread:
    """Open the lexicon in the background, so that the first search does not wait for it."""

    def load() -> None:
        from agent.web import examples
        from lexicon import load as load_lexicon

        examples.listed()
        load_lexicon()

    thread = threading.Thread(target=load, name="warm-up", daemon=True)
    thread.start()
    return thread
