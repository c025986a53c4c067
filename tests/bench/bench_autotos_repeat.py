"""Whether verdicts, replays and resumed loops come out the same on a busy machine, and what a verdict costs.

    python tests/bench/bench_autotos_repeat.py --load 4

Judges a choice of the bank's functions, quick and slow, three times while processes keep the processors busy, and
compares all that is reported but the seconds. Then loops whose functions take seconds to judge are replayed six times
and resumed three times.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import autotos_bank as bank
from common import keep

from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.journal import Journal, Message
from agent.autotos.judge import judge
from agent.autotos.loop import LoopBudget, ModelReply, replay, run_loop
from agent.autotos.sandbox import choose_backend

ROUNDS, REPLAYS, RESUMED = 3, 6, 3
EVERY = 12
"""Every twelfth function of the bank is judged."""
SLOW = "    for _ in range(60_000): pass\n"
"""A loop that makes a judgement take two seconds or more."""


def slowed(source: str) -> str:
    """Return a function that idles in each call before it does its work."""
    head, _, body = source.partition("):\n")
    return f"{head}):\n{SLOW}{body}"


def functions() -> list[tuple[str, str, str]]:
    """Return name, role and source of the judged functions."""
    chosen = [(name, role, source) for name, role, source, _ in bank.bank()][::EVERY]
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
    replayed = resumed = 0
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        run_loop(1, CROSSWORD, scripted(replies), Journal(log), **settings)
        whole = log.read_text().splitlines(keepends=True)
        for _ in range(REPLAYS):
            _, changed = replay(log, backend=backend)
            replayed += not changed
        for cut in range(2, 2 + RESUMED):  # after the first call, after its verdict, after the second call
            part = Path(folder) / f"{cut}.jsonl"
            part.write_text("".join(whole[:cut]))
            asked = sum('"event": "call"' in line for line in whole[:cut])
            run_loop(1, CROSSWORD, scripted(replies[asked:]), Journal(part), **settings)
            resumed += [timeless(line) for line in part.read_text().splitlines()] == [timeless(line) for line in whole]
    return replayed, resumed


def timeless(line: str) -> dict:
    """Return an event without its seconds."""
    return {name: value for name, value in json.loads(line).items() if name != "seconds"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--load", type=int, default=4, help="processes that keep the processors busy")
    options = parser.parse_args()
    backend = choose_backend("auto")
    judged: dict[str, list[dict]] = {}
    with ExitStack() as stack:
        for _ in range(options.load):
            burner = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(burner.kill)
        for _ in range(ROUNDS):
            for name, role, source in functions():
                judged.setdefault(name, []).append(judge(source, role, CROSSWORD, backend=backend).to_json())
        replayed, resumed = loops(backend)
    seconds = [verdict["seconds"] for rounds in judged.values() for verdict in rounds]
    differ = [name for name, rounds in judged.items() if len({json.dumps({**one, "seconds": 0}) for one in rounds}) > 1]
    report = {
        "busy processes": options.load,
        "backend": backend,
        "functions": len(judged),
        "rounds": ROUNDS,
        "functions whose verdict or details differ": differ,
        "seconds under load, median": round(statistics.median(seconds), 3),
        "seconds under load, worst": max(seconds),
        "replays as recorded": f"{replayed} of {REPLAYS}",
        "resumed loops as recorded": f"{resumed} of {RESUMED}",
        "verdicts": {name: rounds[0]["verdict"] for name, rounds in judged.items()},
    }
    keep("autotos_repeat", report)


if __name__ == "__main__":
    main()
