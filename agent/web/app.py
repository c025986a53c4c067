"""The routes: read the request, call the library, answer. docs/page.md describes the requests and answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from agent import __version__
from agent.assist import Key
from agent.errors import BusyError, GridwrightError, LeftError, ProviderError, UsageError
from agent.filetypes import ENDINGS
from agent.grid import MAX_SIDE
from agent.web import assisting, boards, examples, rooms, verdicts
from agent.web.answering import EventStream, Problem, answer_fault, answer_json, answer_problem, body_of, entry_of
from agent.web.choice import Offer
from agent.web.exports import export, offered
from agent.web.page_files import FOR_EVER, PARTS, PageFiles
from agent.web.puzzle_store import Entry, PuzzleStore, Source, key_of
from agent.web.rooms import Invitation, Rooms
from agent.web.running import Run, Turns
from agent.web.solving import Answer, begin, stream

PACKED = [Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)]
"""Compresses lists if the browser allows it."""


def make_app(offer: Offer, invitation: Invitation) -> Starlette:
    """Return the application, which keeps its puzzles, searches and rooms for as long as it lives."""
    limits = offer.limits
    app = Starlette(
        routes=[
            Route("/", page_of("index.html")),
            Route("/verdicts", page_of("verdicts.html")),
            Route("/worker.js", page_of("worker.js")),  # here, as it serves the page, not only its parts
            Route(PARTS + "{version}/{name}", part),
            Route("/api/settings", settings),
            Route("/api/examples", list_examples, middleware=PACKED),
            Route("/api/puzzles", open_puzzle, methods=["POST"]),
            Route("/api/puzzles/{handle}/solve", solve, methods=["POST"]),
            Route("/api/puzzles/{handle}/hint", hint, methods=["POST"]),
            Route("/api/puzzles/{handle}/check", check, methods=["POST"]),
            Route("/api/puzzles/{handle}/reveal", reveal, methods=["POST"]),
            Route("/api/puzzles/{handle}/done", done, methods=["POST"]),
            Route("/api/puzzles/{handle}/export", export_file, methods=["POST"]),
            Route("/api/puzzles/{handle}/together", rooms.open_room, methods=["POST"]),
            Route("/api/rooms/{room}", rooms.describe),
            Route("/api/rooms/{room}/join", rooms.join, methods=["POST"]),
            Route("/api/rooms/{room}/write", rooms.write, methods=["POST"]),
            Route("/api/verdicts", read_verdicts, methods=["POST"]),
        ],
        exception_handlers={HTTPException: answer_problem, Exception: answer_fault},
    )
    app.state.files = PageFiles.read()
    app.state.offer = offer
    app.state.store = PuzzleStore(limits.puzzles, limits.puzzle_bytes)
    app.state.turns = Turns(limits.solves, limits.waiting)
    app.state.rooms = Rooms(limits.rooms, limits.room_seconds)
    app.state.invitation = invitation
    return app


def page_of(name: str) -> Callable[[Request], Awaitable[Response]]:
    """Return a route that serves one file of the page, which is asked for each time."""

    async def route(request: Request) -> Response:
        files: PageFiles = request.app.state.files
        return files.by_name[name].answer(request)

    return route


async def part(request: Request) -> Response:
    """Serve a part of the page, which a browser keeps: its address names the version."""
    files: PageFiles = request.app.state.files
    found = files.by_name.get(request.path_params["name"])
    if found is None or request.path_params["version"] != files.version:
        raise Problem(HTTPStatus.NOT_FOUND, "there is no such part of the page: load the page again")
    return found.answer(request, FOR_EVER)


async def settings(request: Request) -> Response:
    """List the providers that can be asked."""
    offer: Offer = request.app.state.offer
    found = {
        "providers": list(offer.providers()),
        "default": list(offer.default()),
        "seconds": offer.choose({}).seconds,
        "version": __version__,
        "endings": ENDINGS,
    }
    limits = {
        "body": offer.limits.body,
        "seconds": offer.limits.seconds,
        "patience": offer.limits.patience,
        "rounds": offer.limits.rounds,
    }
    return answer_json({**found, "limits": limits})


async def list_examples(request: Request) -> Response:
    """List the shipped puzzles, with the mini of the day that the query names."""
    day = request.query_params.get("day", "")
    if not re.fullmatch(r"\d{1,6}", day):
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "day: expected the days since 1 January 1970")
    return answer_json(examples.to_json(int(day)))


async def open_puzzle(request: Request) -> Response:
    """Open a puzzle: the body is the file or the pasted text, or the query names an example."""
    query, named = request.query_params, {}
    if "example" in query:
        if query["example"] not in examples.listed():
            raise Problem(HTTPStatus.NOT_FOUND, f"there is no example {query['example'][:40]}")
        example = examples.listed()[query["example"]]
        puzzle, key, source = example.puzzle, example.key, Source(example=example.name)
        named = {"title": example.title}
    else:
        data = await request.body()
        try:
            source = Source(name=query.get("name", "")[:100] or "the text", data=data)
            puzzle = await asyncio.to_thread(boards.read, data, source.name, **reading_options(query))
        except GridwrightError as error:
            line = re.search(r"\bline (\d+)", getattr(error, "where", ""))
            faulty = int(line[1]) if line else None
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), line=faulty) from error
        key = key_of(data)
    entry = request.app.state.store.add(puzzle, source)
    described = boards.to_json(puzzle, entry.handle)
    return answer_json({**described, **named, "key": key, "exports": offered(entry)}, HTTPStatus.CREATED)


def reading_options(query: Any) -> dict[str, Any]:
    """Read the options for a text: `size=5x5` for clues without a grid, `letters=` for the words of a Gogen."""
    options: dict[str, Any] = {"letters": query.get("letters", "")}
    if query.get("size"):
        sides = re.fullmatch(r"(\d{1,2})x(\d{1,2})", query["size"].lower())
        if not sides or not all(1 <= int(side) <= MAX_SIDE for side in sides.groups()):
            raise UsageError(f"size: expected width x height such as 5x5, at most {MAX_SIDE} a side")
        options["size"] = (int(sides[1]), int(sides[2]))
    return options


def begun(request: Request, entry: Entry, body: dict[str, Any]) -> Run[Answer]:
    """Register a search with the choices in the body."""
    offer: Offer = request.app.state.offer
    try:
        return begin(entry, offer.choose(body), offer, request.app.state.turns)
    except UsageError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
    except BusyError:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "too many searches are waiting already") from None


async def solve(request: Request) -> Response:
    """Search, and stream the events as server-sent events."""
    entry = entry_of(request)
    run = begun(request, entry, await body_of(request))
    return EventStream(stream(entry, run), run.close)


async def answer_for(request: Request, entry: Entry, body: dict[str, Any]) -> Answer | Key:
    """Return the solution that help is taken from; if the agent has none yet, it solves the puzzle first."""
    found = assisting.known(entry, body)
    if found is not None and (not body.get("providers") or found is not entry.answer):
        return found
    if found is not None and set(body["providers"]) == set(entry.providers):
        return found
    run = begun(request, entry, body)
    solving, leaving = asyncio.create_task(run.result()), asyncio.create_task(left(request))
    try:
        await asyncio.wait({solving, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not solving.done():
            raise Problem(HTTPStatus.REQUEST_TIMEOUT, "the client disconnected")
        return solving.result()
    finally:
        run.close()
        solving.cancel()
        leaving.cancel()


async def left(request: Request) -> None:
    """Wait until the client disconnects."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def helping(
    help_with: Callable[[assisting.Help, dict[str, Any]], dict[str, Any]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return a route that helps in one way."""

    async def route(request: Request) -> Response:
        entry, body = entry_of(request), await body_of(request)
        try:
            answer = await answer_for(request, entry, body)
            return answer_json(help_with(assisting.help_of(answer), body))
        except assisting.NothingLeftError as nothing:
            raise Problem(HTTPStatus.CONFLICT, str(nothing)) from nothing
        except LeftError as ended:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "the server is stopping") from ended
        except ProviderError as error:
            raise Problem(HTTPStatus.BAD_GATEWAY, str(error)) from error
        except GridwrightError as error:
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error

    return route


solved_hint, check, reveal = helping(assisting.hint), helping(assisting.check), helping(assisting.reveal)


async def hint(request: Request) -> Response:
    """Help with one step of a hint; what kind of clue a slot has needs no solution."""
    entry, body = entry_of(request), await body_of(request)
    if body.get("step") != "kind":
        return await solved_hint(request)
    try:
        return answer_json(assisting.kind_of_clue(entry, body))
    except UsageError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error


async def done(request: Request) -> Response:
    """Answer whether the filled cells are right, as far as that is known without solving."""
    entry, body = entry_of(request), await body_of(request)
    try:
        return answer_json({"right": assisting.done(entry, body)})
    except UsageError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error


async def export_file(request: Request) -> Response:
    """Return the puzzle as a file, with the cells filled in so far."""
    entry, body = entry_of(request), await body_of(request)
    try:
        file = export(entry, request.query_params.get("format", ""), body)
    except GridwrightError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
    headers = {"content-disposition": f'attachment; filename="{file.name}"', "gridwright-lost": ", ".join(file.lost)}
    return Response(file.content, headers=headers, media_type=file.media)


async def read_verdicts(request: Request) -> Response:
    """Read the judge's output."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return answer_json(verdicts.read(text))
    except GridwrightError as error:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
