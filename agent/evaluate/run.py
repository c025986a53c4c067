"""Run many puzzles in parallel, keep every result, sum up."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from agent.config import Settings
from agent.core import Budget
from agent.evaluate.metrics import score
from agent.evaluate.results import Results
from agent.formats import CandidateInstance, ClueText
from agent.grid import Puzzle
from agent.gridless import solve_clues
from agent.solution import Solution
from agent.solve import solve, solve_lists
from agent.tools import Tools, Warn, ignore_warning, open_tools
from agent.verify import verify_crossword

PUZZLES_PER_PROCESS = 40
"""Puzzles below which another process costs more to start than it saves."""

Item = Puzzle | ClueText | CandidateInstance
OnLine = Callable[[dict[str, Any]], None]


def ignore_line(line: dict[str, Any]) -> None:
    """Be the listener of those who wait for the end."""
    del line


@dataclass(frozen=True, slots=True)
class Configuration:
    """How puzzles are solved: settings and clue sets. It is part of every result's key."""

    settings: Settings
    clue_sets: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Short hash of all that can change a result; keys and folders cannot."""
        fields = {
            name: value
            for name, value in asdict(replace(self.settings, api_key="")).items()
            if name not in {"api_key", "cache_dir", "data_dir", "origins", "prices"}
        }
        sets = [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in self.clue_sets]
        return hashlib.sha256(json.dumps([fields, sets], default=str, sort_keys=True).encode()).hexdigest()[:12]


def evaluate_one(item: Item, tools: Tools, seconds: float | None = None) -> dict[str, Any]:
    """Solve one puzzle and score it against its official solution, as one JSON line.

    `slots` holds [stated probability, right or wrong] per slot, for calibration.
    """
    budget = Budget(seconds=seconds or float("inf"))
    if isinstance(item, CandidateInstance):
        solution = solve_lists(item.grid, item.answers, item.id, budget=budget)
        official = item.solution
    elif isinstance(item, ClueText):
        solution, official = solve_clues(item, tools, budget=budget), None
    else:
        solution, official = solve(item, tools, budget=budget), item.solution
    counted = score(solution.grid, official)
    slots = [
        [round(answer.probability, 4), answer.answer == official.answer(answer.slot)]
        for answer in solution.answers
        if official is not None
    ]
    return {
        "id": item.id,
        **counted,
        "verified": solution.verified,
        "false_verified": solution.verified and not recheck(solution),
        "proof": solution.proof,
        "termination": solution.termination,
        "grid": list(solution.grid.rows),
        "slots": slots,
        "expansions": solution.stats.expansions,
        "generated": solution.stats.generated,
        "rounds": solution.stats.rounds,
        "warnings": list(solution.warnings),
        "seconds": round(solution.stats.seconds, 4),
    }


def recheck(solution: Solution) -> bool:
    """Check a solution from what it says alone: its rows, its answers, the pattern it was asked to fill."""
    answers = {answer.slot: {answer.answer} for answer in solution.answers}
    return verify_crossword(solution.puzzle.grid.rows, solution.grid.rows, answers).holds


def keyed(items: Sequence[Item], configuration: Configuration) -> Iterator[tuple[str, Item]]:
    """Give every puzzle the key of its result: id, content and configuration."""
    digest = configuration.digest
    for number, item in enumerate(items, 1):
        content = hashlib.sha256(repr(item).encode()).hexdigest()[:8]
        yield f"{item.id or number}|{content}|{digest}", item


_TOOLS: Tools | None = None
"""The tools of this worker process, opened once."""

_STACK = ExitStack()


def _end_with_parent() -> None:
    """End this worker when the process that started it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _open(configuration: Configuration, warn: Warn) -> None:
    global _TOOLS  # noqa: PLW0603 - a process pool has no other place for what a worker opens once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all: the parent hears it, and ends the workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _TOOLS = _STACK.enter_context(open_tools(configuration.settings, configuration.clue_sets, warn))


def _work(item: Item, seconds: float | None) -> dict[str, Any]:
    if _TOOLS is None:
        raise RuntimeError("the worker was not opened")
    return evaluate_one(item, _TOOLS, seconds)


def evaluate(
    items: Sequence[Item],
    configuration: Configuration,
    *,
    jobs: int = 0,
    results: Results | None = None,
    on_line: OnLine = ignore_line,
    warn: Warn = ignore_warning,
) -> tuple[list[dict[str, Any]], float]:
    """Solve puzzles, in `jobs` processes (0: as many as pay), and return their lines in order and the seconds taken.

    Puzzles whose result stands in `results` already are not run again; those that ended in an error are. `on_line`
    hears of every line as it comes, `warn` of what providers and cache report. Where the user limits calls or tokens,
    one process keeps count.
    """
    started = time.perf_counter()
    results = results or Results()
    keys = list(keyed(items, configuration))
    todo = [(key, item) for key, item in keys if key not in results]
    jobs = jobs or max(1, min(os.cpu_count() or 1, len(todo) // PUZZLES_PER_PROCESS))
    seconds = configuration.settings.seconds
    if configuration.settings.max_calls is not None or configuration.settings.max_tokens is not None:
        jobs = 1
    done = {key: results.lines[key] for key, _ in keys if key in results}
    for line in done.values():
        on_line(line)

    def note(key: str, line: dict[str, Any]) -> None:
        if "error" not in line:
            results.add(key, line)
        done[key] = line
        on_line(line)

    if jobs == 1:
        with open_tools(configuration.settings, configuration.clue_sets, warn) as tools:
            for key, item in todo:
                note(key, _guarded(item, partial(evaluate_one, item, tools, seconds)))
    else:
        with ProcessPoolExecutor(jobs, initializer=_open, initargs=(configuration, warn)) as pool:
            futures = {pool.submit(_work, item, seconds): (key, item) for key, item in todo}
            try:
                for future in as_completed(futures):
                    key, item = futures[future]
                    note(key, _guarded(item, future.result))
            except BaseException:  # such as Ctrl-C: what has not begun is not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return [done[key] for key, _ in keys], time.perf_counter() - started


def _guarded(item: Item, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Turn the failure of one puzzle into a line, so that the others go on."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to this puzzle's line
        return {"id": item.id, "error": f"{type(error).__name__}: {error}"}
