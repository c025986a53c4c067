"""Whether verdicts, replays and resumed loops come out the same on a busy machine, and what a verdict costs.

    python tests/bench/bench_autotos_repeat.py --load 4

Judges a choice of the bank's functions, quick and slow, three times while processes keep the processors busy, and
compares all that is reported but the seconds. Then loops whose functions take seconds to judge are replayed six times
and resumed three times.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import autotos_bank as bank
from common import keep, spread

from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.faults import Verdict
from agent.autotos.journal import Journal
from agent.autotos.judge import judge
from agent.autotos.loop import LoopBudget, ModelReply, replay, run_loop
from agent.autotos.sandbox import choose_backend
from agent.llm.api import Message

ROUNDS, REPLAYS, RESUMED = 3, 6, 3
SLOW = "    for number in range(40_000): str(number)\n"
"""A loop that makes judging take three seconds of processor time."""


def slowed(source: str) -> str:
    """Return a function that idles in each call before it does its work."""
    head, _, body = source.partition("):\n")
    return f"{head}):\n{SLOW}{body}"


def functions(every: int) -> list[tuple[str, str, str]]:
    """Return name, role and source of the judged functions: every n-th of the bank, and some of them slowed."""
    chosen = [(name, role, source) for name, role, source, _ in bank.bank()][::every]
    slow = [(f"slow: {name}", role, slowed(source)) for name, role, source in chosen[::4] if "):\n" in source]
    return [*chosen, *slow, ("slow: right", "successor", slowed(bank.SUCCESSOR))]


def scripted(replies: Sequence[str]):
    """Return a model that gives these replies one after the other."""
    left = iter(replies)

    def complete(_: Sequence[Message]) -> ModelReply:
        return ModelReply(next(left))

    return complete


def loops(backend) -> tuple[int, int]:
    """Return how many replays and how many resumed loops came out as recorded."""
    short = next(source for name, _, source, _ in bank.bank() if name == "short answers from the left")
    replies = [f"```\n{slowed(source)}```" for source in (short, bank.SUCCESSOR)] + [f"```\n{bank.GOAL}```"]
    settings = {"model": "scripted", "backend": backend, "budget": LoopBudget(improve=0)}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(REPLAYS + RESUMED) as pool:
        log = Path(folder) / "log.jsonl"
        with Journal(log) as journal:
            run_loop(1, CROSSWORD, scripted(replies), journal, **settings)
        whole = log.read_text().splitlines(keepends=True)
        print(f"{len(whole)} events recorded", flush=True)

        def resumes(cut: int) -> bool:
            part = Path(folder) / f"{cut}.jsonl"
            part.write_text("".join(whole[:cut]))
            asked = sum('"event": "call"' in line for line in whole[:cut])
            with Journal(part) as journal:
                run_loop(1, CROSSWORD, scripted(replies[asked:]), journal, **settings)
            return [timeless(line) for line in part.read_text().splitlines()] == [timeless(line) for line in whole]

        replayed = [pool.submit(replay, log, backend=backend) for _ in range(REPLAYS)]
        # cut after the first call, after its verdict, and after the second call
        resumed = [pool.submit(resumes, cut) for cut in range(2, 2 + RESUMED)]
        return sum(not changed.result()[1] for changed in replayed), sum(same.result() for same in resumed)


def timeless(line: str) -> dict:
    """Return an event without its seconds."""
    return {name: value for name, value in json.loads(line).items() if name != "seconds"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--load", type=int, default=4, help="processes that keep the processors busy")
    parser.add_argument("--every", type=int, default=12, help="judge every n-th function of the bank")
    options = parser.parse_args()
    backend = choose_backend("auto")
    with ExitStack() as stack:
        for _ in range(options.load):
            burner = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(burner.kill)
        chosen = functions(options.every)

        def judged_once(_: int) -> list[Verdict]:
            return [judge(source, role, CROSSWORD, backend=backend) for _, role, source in chosen]

        with ThreadPoolExecutor(ROUNDS) as pool:  # the rounds are each other's load
            rounds = list(pool.map(judged_once, range(ROUNDS)))
        print(f"{ROUNDS} rounds judged", flush=True)
        replayed, resumed = loops(backend)
    seconds = [verdict.seconds for verdicts in rounds for verdict in verdicts]
    differ = [
        name
        for (name, _, _), *verdicts in zip(chosen, *rounds, strict=True)
        if len({json.dumps({**verdict.to_json(), "seconds": 0}) for verdict in verdicts}) > 1
    ]
    report = {
        "busy processes": options.load,
        "backend": backend,
        "functions": len(chosen),
        "rounds": ROUNDS,
        "functions whose verdict or details differ": differ,
        "seconds under load": spread(seconds),
        "replays as recorded": f"{replayed} of {REPLAYS}",
        "resumed loops as recorded": f"{resumed} of {RESUMED}",
        "verdicts": {name: verdict.verdict for (name, _, _), verdict in zip(chosen, rounds[0], strict=True)},
    }
    keep("autotos_repeat", report)


if __name__ == "__main__":
    main()
