"""A search in a thread and its listener, without a server: order, turns and cancellation."""

import asyncio
import os
import platform
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from agent.core import Event
from agent.errors import BusyError, LeftError
from agent.web.boards import read
from agent.web.memory import Errand, trim
from agent.web.puzzle_store import Entry
from agent.web.running import FRAME_SECONDS, NICENESS, Turns
from agent.web.solving import stream


def play(scene):
    """Run a scene in an event loop and a thread of its own: after a test in a browser this thread has a loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(scene, 300)).result()


def shaped(event):
    return f"{event.kind} {event.data.get('n', '')}|".encode()


def test_events_come_in_order_and_only_the_latest_progress():
    def work(_, on_event):
        for n in range(500):
            on_event(Event("step", {"n": n}))
            for _ in range(10):
                on_event(Event("searching", {"n": n}))
        return "done"

    async def scene():
        run = Turns(1, 0).run(work, shaped)
        heard = b"".join([part async for part in run.events()]).decode().split("|")[:-1]
        return heard, await run.result()

    heard, result = play(scene())
    assert result == "done"
    assert [event for event in heard if event.startswith("step")] == [f"step {n}" for n in range(500)]
    assert len([event for event in heard if event.startswith("searching")]) <= 1000
    assert heard[-1] == "searching 499"


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority of its own on Linux alone")
def test_a_search_steps_back_for_the_browser_and_the_server_does_not():
    async def scene():
        search = await Turns(1, 0).run(lambda *_: os.getpriority(os.PRIO_PROCESS, 0), shaped).result()
        return search, os.getpriority(os.PRIO_PROCESS, 0)

    search, server = play(scene())
    assert search == min(server + NICENESS, 19)


def test_deliveries_are_at_most_as_often_as_a_screen_is_drawn():
    def work(_, on_event):
        for _ in range(200):
            on_event(Event("searching"))
            time.sleep(0.001)

    async def scene():
        now = asyncio.get_running_loop().time
        return [now() async for _ in Turns(1, 0).run(work, shaped).events()]

    *times, _ = play(scene())  # the last one comes at once
    assert all(later - earlier >= 0.99 * FRAME_SECONDS for earlier, later in pairwise(times))


def test_an_error_of_a_search_is_raised_with_its_result():
    def work(*_):
        raise ValueError("no such thing")

    async def scene():
        turns = Turns(1, 0)
        with pytest.raises(ValueError, match="no such thing"):
            await turns.run(work, shaped).result()
        assert len(turns) == 0
        return await turns.run(lambda *_: 7, shaped).result()

    assert play(scene()) == 7


@pytest.mark.parametrize("allowed", [1, 3])
def test_turns_come_in_order_and_no_more_run_than_allowed(allowed):
    running, most, order = [], [], []
    lock = threading.Lock()

    def work_of(number):
        def work(*_):
            with lock:
                running.append(number)
                order.append(number)
                most.append(len(running))
            time.sleep(0.005)
            with lock:
                running.remove(number)

        return work

    async def scene():
        turns = Turns(allowed, 100)
        runs = [turns.run(work_of(number), shaped) for number in range(20)]
        await asyncio.gather(*(run.result() for run in runs))
        return len(turns)

    assert play(scene()) == 0
    assert max(most) <= allowed
    assert (order if allowed == 1 else sorted(order)) == list(range(20))


def test_a_run_that_never_began_leaves_the_books_when_closed():
    async def scene():
        turns = Turns(1, 0)
        run = turns.run(lambda *_: 1, shaped)
        with pytest.raises(BusyError):
            turns.run(lambda *_: 1, shaped)
        run.close()
        run.close()
        assert len(turns) == 0
        with pytest.raises(LeftError):
            await run.result()

    play(scene())


def test_the_turn_of_a_search_that_just_left_goes_to_the_next():
    gate, begun = threading.Event(), threading.Event()

    def work(*_):
        begun.set()
        gate.wait(300)

    async def scene():
        turns = Turns(1, 10)
        first = turns.run(work, shaped)
        second, third = (turns.run(lambda *_: 3, shaped) for _ in range(2))
        tasks = [asyncio.create_task(run.result()) for run in (first, second, third)]
        await asyncio.to_thread(begun.wait, 60)
        turns.give_back()  # the turn comes to the second ...
        second.close()  # ... in the moment in which it leaves
        gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results[1], LeftError)
        assert results[2] == 3
        assert len(turns) == 0

    play(scene())


def test_a_search_outlives_its_loop_without_harm():
    gate, begun, done = threading.Event(), threading.Event(), threading.Event()

    def work(_, on_event):
        begun.set()
        gate.wait(300)
        on_event(Event("step"))
        done.set()

    async def scene():
        events = Turns(1, 0).run(work, shaped).events()
        listening = asyncio.create_task(anext(events))
        await asyncio.to_thread(begun.wait, 60)
        listening.cancel()

    play(scene())
    gate.set()
    assert done.wait(300)


def test_an_errand_takes_a_twentieth_of_the_time():
    times = iter([1.0, 1.5, 11.0, 11.5, 12.0])  # due at once and half a second long; too early; due at 11.5
    errand = Errand(lambda: None, lambda: next(times))
    assert [errand.run() for _ in range(3)] == [True, False, True]


def resident():
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc returns free memory when it is asked")
def test_free_memory_goes_back_to_the_system():
    kept = []

    def work():
        blocks = [bytes(1000) for _ in range(100_000)]
        kept.append(blocks[-1])  # at the end of the heap: the C library cannot shorten it

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    before = resident()
    trim()
    assert before - resident() > 50_000_000


def test_an_internal_error_ends_the_stream_and_is_logged(caplog):
    def work(*_):
        raise RuntimeError("so it goes")

    async def scene():
        entry = Entry("h", read(b"1\n\n1", "x"))
        return [part async for part in stream(entry, Turns(1, 0).run(work, shaped))]

    *_, last = play(scene())
    assert last.startswith(b"event: failed\n")
    assert b"internal error: RuntimeError: so it goes" in last
    assert "so it goes" in caplog.text
    assert "Traceback" in caplog.text
