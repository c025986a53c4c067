"""How many letters, words and puzzles come out right, by configuration.

    python tests/bench/bench_accuracy.py [--puzzles minis,daily-report,test20,first100,daily-tune] [--with lists,...]

Puzzles: the project's own 26 minis (they were used for tuning), the half of its 134 newspaper-style minis that is kept
for reports (`daily-report`), the 20 GooBix puzzles that Tree of Thoughts was tested on, and GooBix 000-099. Nothing was
tuned on the last three; the constants were fixed before they were opened: lexicon/data holds the model's weights,
agent/candidates/ranking.py the ranking's. `daily-tune`, the other half of the newspaper-style minis, is there to find
out what fails.
Configurations:

    lists            recorded lists of one language model, blind, clue by clue; nothing else
    lists+lexicon    the same, with the embedded lexicon called in if slots stay unsure
    lexicon          the embedded lexicon alone: no network, no model, no recorded list
    gpt4             what GPT-4 proposed in the published Tree of Thoughts logs (test20 only); nothing else
    gpt4+lexicon     the same, with the lexicon
    ...+gcide        with the GCIDE index added to the lexicon (only if it is installed)

GPT-4's proposals are weighted by the confidence that GPT-4 itself gave them (certain 1, high 0.5, medium 0.2, low 0.1,
summed over its proposals), as the published search does; the slot's sum becomes 1. No other puzzles with proposals of
GPT-4 exist to fix a weighting on. This one is taken because it is the published one; but four others had been looked
at on the same puzzles by then: with samples added 11 of 20, counts in one cache 10, all signals 7, all counts 6.

Each configuration leaves its summary, the calibration of what it states of whole grids, slots and letters, its accuracy
against coverage (of the share of grids that it is surest of, how many are right) and one line per puzzle in
tests/bench/results; all of one run together leave plots: `calibration-grids-...`, `calibration-...` (slots),
`calibration-letters-...` and `coverage-...`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from common import RESULTS, ROOT, evaluation, keep, missing

import lexicon
from agent.candidates.clueset import ClueSet, Entry
from agent.candidates.lexicon import LexiconProvider
from agent.cli.evaluation import named_items
from agent.draw.chart import Points, line_chart
from agent.draw.svg import standalone
from agent.evaluate.coverage import COVERAGES, coverage
from agent.evaluate.metrics import Tally, calibration
from agent.evaluate.task import evaluate_one
from agent.tools import Tools

PUZZLES = {
    "minis": ROOT / "data" / "minis",
    "daily-tune": ROOT / "data" / "minis" / "tune",
    "daily-report": ROOT / "data" / "minis" / "report",
    "test20": evaluation.path("goobix_test20.json"),
    "first100": evaluation.path("goobix_000_099.json"),
}
GOOBIX_LISTS = evaluation.path("goobix_llm.clues.jsonl")
LISTS = {
    "minis": ROOT / "data" / "minis" / "minis_llm.clues.jsonl",
    "daily-tune": ROOT / "data" / "minis" / "newspaper.clues.jsonl",
    "daily-report": ROOT / "data" / "minis" / "newspaper.clues.jsonl",
    "test20": GOOBIX_LISTS,
    "first100": GOOBIX_LISTS,
}
QUARTERS = (0.25, 0.5, 0.75, 1.0)
PLOTS = {
    "grids": ("calibration-grids", "a whole grid"),
    "slots": ("calibration", "an answer"),
    "letters": ("calibration-letters", "a letter"),
}
"""Name of the plot for each kind of statement, and what the statements are about."""
GPT4 = evaluation.path("tot_gpt4_candidates.json")


def gpt4_entries() -> Iterator[Entry]:
    """Turn GPT-4's proposals into clue set lines, probabilities from its own confidences."""
    for puzzle in json.loads(GPT4.read_text("utf-8"))["puzzles"]:
        for place, clue in puzzle["clues"].items():
            scores = {
                word.upper(): signals["env_cache_score"]
                for word, signals in puzzle["candidates"][place].items()
                if len(word) == 5 and word.isascii() and word.isalpha() and signals.get("env_cache_score")
            }
            total = sum(scores.values())
            yield Entry(clue, 5, tuple((word, score / total) for word, score in scores.items()), "llm:gpt-4")


def tools_for(name: str, puzzles: str) -> Tools | None:
    """Return a configuration, None if its data is missing or there is none for these puzzles."""
    providers: list[ClueSet] = []
    if name.startswith("lists"):
        path = LISTS.get(puzzles)
        if path is None or missing(path):
            return None
        providers.append(ClueSet.open(path))
    if name.startswith("gpt4"):
        if puzzles != "test20" or missing(GPT4):
            return None
        providers.append(ClueSet(list(gpt4_entries())))
    behind = None
    if "lexicon" in name:
        behind = LexiconProvider(lexicon.load(permissive="gcide" not in name))
    return Tools(providers, behind)


def read(path: Path) -> list[Any]:
    """Read a list of puzzles, or all .xd files of a folder."""
    paths: Sequence[Path] = sorted(path.glob("*.xd")) if path.is_dir() else [path]
    return [puzzle for one in paths for puzzle in named_items(one)]


def by_size(items: Sequence[Any], lines: Sequence[dict[str, Any]]) -> dict[str, list[int]]:
    """Return [puzzles right, puzzles, letters right, letters] by the size of the grid."""
    table: dict[str, list[int]] = {}
    for item, line in zip(items, lines, strict=True):
        row = table.setdefault(f"{item.grid.width}x{item.grid.height}", [0, 0, 0, 0])
        for place, count in enumerate((line["solved"], 1, *line["letters"])):
            row[place] += count
    return table


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", default="minis,daily-report,test20,first100")
    parser.add_argument("--with", dest="configurations", default="lists,lists+lexicon,lexicon,gpt4,gpt4+lexicon")
    arguments = parser.parse_args()
    for puzzles in arguments.puzzles.split(","):
        path = PUZZLES[puzzles]
        if missing(path):
            continue
        items = read(path)
        calibrated: dict[str, dict[str, Points]] = {kind: {} for kind in PLOTS}
        covered: dict[str, Points] = {}
        for name in arguments.configurations.split(","):
            tools = tools_for(name, puzzles)
            if tools is None:
                continue
            started = time.perf_counter()
            lines = [evaluate_one(item, tools) for item in items]
            summary = Tally(lines).summary(time.perf_counter() - started)
            tables = {kind: bins.table() for kind, bins in calibration(lines).items()}
            for kind, table in tables.items():
                calibrated[kind][name] = [(row["stated"], row["right"]) for row in table]
            accuracy = dict(zip(COVERAGES.tolist(), coverage(lines) or (), strict=True))
            covered[name] = [(100 * share, 100 * right) for share, right in accuracy.items()]
            keep(
                f"accuracy-{puzzles}-{name}",
                {
                    "puzzles": puzzles,
                    "configuration": name,
                    "summary": summary,
                    "by_size": by_size(items, lines),
                    "right_of_the_surest": {f"{share:.0%}": accuracy[share] for share in QUARTERS},
                    "area_under_coverage": round(fmean(accuracy.values()), 4),
                    "calibration": tables,
                    "lines": lines,
                },
            )
        for kind, (plot, about) in PLOTS.items():
            picture = line_chart(
                calibrated[kind], x=f"stated probability of {about}", y="share that is right", diagonal=True
            )
            (RESULTS / f"{plot}-{puzzles}.svg").write_text(standalone(picture), "utf-8")
        picture = line_chart(covered, x="% of the grids, surest first", y="% of them right")
        (RESULTS / f"coverage-{puzzles}.svg").write_text(standalone(picture), "utf-8")


if __name__ == "__main__":
    main()
