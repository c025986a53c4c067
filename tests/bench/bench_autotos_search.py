"""Search all published instances of the domains of AutoToS, breadth-first, with trusted functions or with models'.

    python tests/bench/bench_autotos_search.py [--domain NAME] [--seconds S] [--accepted]

`--accepted` takes, instead of the trusted functions, those of the first published run whose last two functions the
judge accepts, and calls them through the sandbox.

Needs the folder autotos_domains in GRIDWRIGHT_DATA. Checked are whether an instance is solvable, which for the 24
game is found by exact arithmetic without any search code of ours, and the least number of moves where it is known.
Each domain runs in a process of its own, and each Sokoban, so the peak of memory is theirs.
"""

import argparse
import csv
import json
import multiprocessing
import resource
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache

from common import RESULTS, evaluation, machine, missing

from agent.autotos.domains import load
from agent.autotos.evaluation import load_instances
from agent.autotos.judge import judge
from agent.autotos.sandbox import choose_backend
from agent.autotos.search import SearchLimits, run_pair, run_trusted, totals

DATA = evaluation.path("autotos_domains")
BACKEND = choose_backend("auto")
PROBLEMS = {
    "game24": "game24_instances.json",
    "prontoqa": "prontoqa_instances.json",
    "blocksworld": "blocksworld",
    "sokoban": "sokoban",
}
UNIT_TESTS = {"p01", "p02", "p03"}
"""The Sokobans of the published unit tests; the other eleven are those of the evaluation."""


@cache
def makes_24(numbers):
    """Return whether numbers can be combined to 24, by trying every way with fractions."""
    if len(numbers) == 1:
        return numbers[0] == 24
    for i, a in enumerate(numbers):
        for j, b in enumerate(numbers):
            if i != j:
                rest = [c for k, c in enumerate(numbers) if k not in (i, j)]
                for result in {a + b, a - b, a * b, *((a / b,) if b else ())}:
                    if makes_24(tuple(sorted([*rest, result]))):
                        return True
    return False


def instances(name):
    """Return the published instances with what is known of them."""
    found = load_instances(load(name), str(DATA / PROBLEMS[name]))
    if name == "game24":
        return [replace(one, solvable=makes_24(tuple(sorted(map(Fraction, one.start))))) for one in found]
    if name == "blocksworld":
        rows = csv.reader((DATA / "blocksworld_optimal.csv").read_text().splitlines())
        least = {row[0].rpartition("/")[2].removesuffix(".pddl"): int(row[1]) for row in rows}
        return [replace(one, solvable=True, optimal=least[one.name]) for one in found]
    if name == "sokoban":
        least = json.loads((DATA / "sokoban_optimal_costs.json").read_text())
        known = [replace(one, solvable=True, optimal=least[f"{one.name}.pddl"]) for one in found]
        return [one for one in known if one.name not in UNIT_TESTS]
    return found


def accepted(name):
    """Return the run, and role -> source, of the first published run whose last functions the judge accepts."""
    runs = {}
    for line in (DATA / f"{name}_functions.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row.get("final") and row["source"]:
            runs.setdefault(row["run"], {})[row["role"]] = row["source"]
    for run, sources in runs.items():
        verdicts = [judge(source, role, load(name), backend=BACKEND) for role, source in sources.items()]
        if len(verdicts) == 2 and all(verdict.is_accepted for verdict in verdicts):
            return run, sources
    raise SystemExit(f"no published run of {name} has two functions that the judge accepts")


def searched(task):
    """Search some instances of a domain; return the runs and the peak of this process's memory in MiB."""
    name, some, limits, sources = task
    domain = load(name)
    if sources:
        runs = [run_pair(domain, one, sources, BACKEND, "bfs", limits) for one in some]
    else:
        runs = [run_trusted(domain, one, "bfs", limits) for one in some]
    return [asdict(run) for run in runs], asdict(totals(runs)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--domain", default="")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--accepted", action="store_true")
    options = parser.parse_args()
    path = RESULTS / f"autotos_search{'_accepted' if options.accepted else ''}.json"
    report = json.loads(path.read_text()) if path.exists() else {}
    limits = SearchLimits(seconds=options.seconds, expansions=10**8, states=10**8)
    for name in [options.domain] if options.domain else PROBLEMS:
        if missing(DATA / PROBLEMS[name]):
            continue
        every = instances(name)
        run, sources = accepted(name) if options.accepted else ("trusted", {})
        parted = [[one] for one in every] if name == "sokoban" else [every]
        tasks = [(name, some, limits, sources) for some in parted]
        done, parts = [], []
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            for runs, total, peak in pool.imap(searched, tasks):
                parts.append({"peak MiB": peak, **total})
                done += runs
                print(name, {**parts[-1], "instance": runs[0]["instance"] if len(runs) == 1 else "all"}, flush=True)
        right = sum(run["as_known"] is True for run in done)
        report[name] = {"functions": run, "as known": [right, len(done)], "machine": machine(), "parts": parts}
        if name == "sokoban":
            report[name]["instances"] = [
                {**run, "peak MiB": part["peak MiB"], "goal": ""} for run, part in zip(done, parts, strict=True)
            ]
        path.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
