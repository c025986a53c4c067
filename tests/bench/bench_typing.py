"""What a key costs the page on a 21x21: from the key to the frame that shows it, and of the main thread.

    python tests/bench/bench_typing.py

The same keys go to a bare field first, then to the grid while nothing else happens, then while a search runs. Seconds
are those on the wall, from the key's own time stamp to the first task after the next frame, so that they hold the wait
for the screen; the main thread's milliseconds are processor time, as Chromium counts it.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from typing import Any

from common import ROOT, keep
from large import jumble

from agent.api import write_puzzle

sys.path.insert(0, str(ROOT / "tests" / "browser"))
from acting import FLAGS, WHOLE, ask_only, opened, paste, playwright, serving

KEYS = 200
BATCH = 10
PAUSE_MS = 60
SIDE = 21
LISTEN = """() => {
    window.waits = [];
    const channel = new MessageChannel();
    let pressed = [];
    channel.port1.onmessage = () => { waits.push(...pressed.map(at => performance.now() - at)); pressed = []; };
    addEventListener("keydown", event => {
        pressed.push(event.timeStamp);
        requestAnimationFrame(() => channel.port2.postMessage(0));
    }, true);
}"""


def busy(session: Any) -> float:
    """Milliseconds of processor time that the page's main thread has taken."""
    return next(
        1000 * float(one["value"])
        for one in session.send("Performance.getMetrics")["metrics"]
        if one["name"] == "TaskDuration"
    )


def typed(page: Any, search: Callable[[], None] | None = None) -> dict[str, float]:
    """Press the keys; return milliseconds to the frame and of the main thread.

    If a search is to run meanwhile, `search` begins one. Keys that the end of a search came among do not count.
    """
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    chance, waits, spent = random.Random(0), list[float](), list[float]()
    while len(waits) < KEYS:
        if search and not page.is_visible("#cancel"):
            search()
        page.evaluate("waits.length = 0")
        before = busy(session)
        for _ in range(BATCH):
            page.keyboard.press(chance.choice("abcdefghijklmnop"))
            page.wait_for_timeout(PAUSE_MS)
        after = busy(session)
        if search is None or page.is_visible("#cancel"):
            waits += page.evaluate("waits")
            spent.append(after - before)
    return {
        "keys": len(waits),
        "median ms to the frame": round(statistics.median(waits), 1),
        "p95 ms to the frame": round(statistics.quantiles(waits, n=20)[-1], 1),
        "main thread ms a key": round(sum(spent) / len(waits), 1),
    }


def main() -> None:
    """Measure and keep."""
    result: dict[str, Any] = {"side": SIDE}
    with (
        serving("--offline") as url,
        playwright.sync_playwright() as manager,
    ):
        chromium = manager.chromium.launch(executable_path=WHOLE, args=list(FLAGS))
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(f"({LISTEN})()")

        def begin() -> None:
            page.click(".board .cell:not(.block) >> nth=0")

        def search() -> None:
            page.click("#watch")
            page.wait_for_selector("#cancel")
            page.click("[data-view=mine]")
            begin()

        page.goto("data:text/html,<input autofocus>")
        bare = result["a bare field"] = typed(page)
        page.goto(url)
        page.wait_for_selector("#providers input", state="attached")
        paste(page, write_puzzle(jumble(SIDE, SIDE, 0), "xd").decode())
        opened(page)
        begin()
        result["nothing else happens"] = typed(page)
        ask_only(page, "lexicon")
        page.fill("#seconds", "60")
        result["while a search runs"] = typed(page, search)
        for one in ("nothing else happens", "while a search runs"):
            result[one]["p95 to that of a bare field"] = round(
                result[one]["p95 ms to the frame"] / bare["p95 ms to the frame"], 2
            )
        chromium.close()
    keep("typing", result)


if __name__ == "__main__":
    main()
