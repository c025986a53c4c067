"""A search on the page: solve with the tools that were chosen, stream the events, keep the answer with the puzzle."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from agent.api import solve
from agent.core import Event, OnEvent
from agent.errors import GridwrightError, LeftError
from agent.grid import Puzzle
from agent.kinds import GridResult
from agent.solution import Solution
from agent.tools import open_tools
from agent.web.choice import Choice, Offer
from agent.web.exports import offered
from agent.web.memory import give_back
from agent.web.puzzle_store import Entry
from agent.web.running import Run, Turns
from agent.web.wire import answer_frame, event_frame, frame

LOG = logging.getLogger("uvicorn.error")
"""The server's log, on stderr."""

Answer = Solution | GridResult


def begin(entry: Entry, choice: Choice, offer: Offer, turns: Turns) -> Run[Answer]:
    """Register a search; it starts when it is first listened to. Raises BusyError if too many are waiting."""

    def work(cancelled: Callable[[], bool], on_event: OnEvent) -> Answer:
        try:
            answer = answer_of(entry, choice, offer, cancelled, on_event)
        finally:
            give_back()
        if not cancelled():
            entry.answer, entry.providers = answer, choice.providers
        return answer

    return turns.run(work, event_frame)


def answer_of(entry: Entry, choice: Choice, offer: Offer, cancelled: Callable[[], bool], on_event: OnEvent) -> Answer:
    """Solve a puzzle of any kind. The official solution is taken off before anything looks at the puzzle."""
    puzzle = replace(entry.puzzle, solution=None) if isinstance(entry.puzzle, Puzzle) else entry.puzzle
    settings, clue_sets = offer.apply(choice)

    def warn(text: str) -> None:
        on_event(Event("warning", {"text": text}))

    return solve(
        puzzle,
        open_tools(settings, clue_sets, warn),
        seconds=choice.seconds,
        patience=choice.patience,
        explain=choice.explain,
        on_event=on_event,
        cancelled=cancelled,
    )


async def stream(entry: Entry, run: Run[Answer]) -> AsyncIterator[bytes]:
    """Yield a search as server-sent events; the last is `solution` or `failed`."""
    started = time.perf_counter()
    yield frame("started", {"id": entry.handle})
    async for happened in run.events():
        yield happened or SIGN_OF_LIFE
    try:
        answer = await run.result()
    except LeftError:
        yield failed("the server is stopping")
    except GridwrightError as error:
        yield failed(str(error))
    except Exception as error:
        LOG.exception("a search failed")
        yield failed(f"internal error: {type(error).__name__}: {error}")
    else:
        elapsed = time.perf_counter() - started
        yield answer_frame(answer, entry.puzzle, entry.handle, elapsed, exports=offered(entry))


SIGN_OF_LIFE = b": still at work\n\n"
"""A comment, which every reader of server-sent events skips."""


def failed(text: str) -> bytes:
    """Return the event that ends a failed search."""
    return frame("failed", {"error": " ".join(text.split())[:500]})
