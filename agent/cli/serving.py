"""The command that serves the page: serve."""

from __future__ import annotations

import errno
import re
import threading
from typing import Annotated

import typer

from agent.cli.asking import Asked, asks
from agent.cli.common import GRACE_SECONDS, clean, emit, end_now, examples, stop
from agent.cli.exits import USAGE

PORT = 8420
"""Default port: not in any list of well-known services, and easy to type."""

OPEN = "none"
"""The token that stands for no token."""

TOKEN_BYTES = 12
"""Random bytes of a token that is made up: it cannot be guessed."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        short_help="Serve a page to solve on, in the browser.",
        epilog=examples(
            "gridwright serve --open",
            "gridwright serve --model qwen3 --base-url http://localhost:11434/v1",
            "gridwright serve --port 0 --offline",
        ),
    )(serve)


@clean
@asks("rounds", "seconds", "patience", "max_calls", "max_tokens")
def serve(
    asked: Asked,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0: any that is free.")] = PORT,
    token: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            envvar="GRIDWRIGHT_TOKEN",
            show_envvar=True,
            help="Serve only requests with this token; none: all. One is made up if other machines can reach it.",
        ),
    ] = "",
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve a page in the browser: watch puzzles being solved, or solve them and ask for help.

    Everything it needs is on this machine. The address is printed; Ctrl-C ends it. --seconds and --patience hold for
    each search, --max-calls and --max-tokens for the server as a whole.
    """
    try:
        from agent.web.server import addresses, bind, make_server, warm_up
    except ModuleNotFoundError as error:
        if error.name not in {"starlette", "uvicorn"}:
            raise
        stop(USAGE, f"the page needs {error.name}: pip install 'gridwright[web]'")
    from agent.network import LOOPBACK
    from agent.web.choice import Offer
    from agent.web.token import Token

    if not re.fullmatch(r"[\w.~-]*", token, re.ASCII):
        stop(USAGE, "--token takes letters, digits, '.', '_', '~' and '-'")
    voice = asked.voice
    with asked.open_tools():
        pass  # a wrong provider or clue set is better reported now than on the page
    try:
        listening = bind(host, port)
    except OSError as error:
        advice = "; --port 0 takes any that is free" if error.errno == errno.EADDRINUSE else ""
        stop(USAGE, f"cannot listen on {host} port {port}: {error.strerror}{advice}")
    port = listening.getsockname()[1]
    if not token and host not in LOOPBACK:
        import secrets  # loads OpenSSL

        token = secrets.token_urlsafe(TOKEN_BYTES)
    known = Token(token, port) if token not in {"", OPEN} else None
    where = [known.address(one) if known else one for one in addresses(host, port)]

    def on_ready() -> None:
        emit("\n".join(where))
        voice.warn("Ctrl-C ends it")
        if host not in LOOPBACK and not known:
            voice.warn("warning: anyone who can reach this machine can use it, and the providers you named")
        if open_page:
            import webbrowser

            # In a thread of its own: a browser of the terminal would keep the server from answering it.
            threading.Thread(target=webbrowser.open, args=(where[0],), daemon=True).start()

    server = make_server(Offer(asked.settings, tuple(asked.clue_sets)), listening, host, on_ready, token=known)
    warm_up()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass  # the server has ended already, by the same Ctrl-C
    finally:
        listening.close()
    for thread in threading.enumerate():
        if thread.name == "search":
            thread.join(GRACE_SECONDS)
            if thread.is_alive():
                end_now(0)  # it waits for a provider's server, which cannot be interrupted
