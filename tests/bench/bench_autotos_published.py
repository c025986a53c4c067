"""Run a published function pair again through the sandbox, and compare counts and speed with the same code in-process.

    python tests/bench/bench_autotos_published.py [--run llama3.1-405b-noval_run4] [--in-process N]

Needs autotos_functions.jsonl and autotos_20.json (`make data`). `--in-process N` also runs the first N
instances in this very process, without protection, as the published code does: only for functions you have read.
"""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path

from common import evaluation, missing

from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.evaluation import load_instances
from agent.autotos.sandbox import choose_backend
from agent.autotos.search import SearchLimits, run_pair, totals

FUNCTIONS, INSTANCES = (evaluation.path(name) for name in ("autotos_functions.jsonl", "autotos_20.json"))
RESULTS = Path(__file__).parent / "results"
LIMITS = SearchLimits(seconds=3600, expansions=10**8, states=10**8)


def in_process(sources, names, instance):
    """Search depth-first as the published code does."""
    space = {}
    for source in sources.values():
        exec(source, space)  # noqa: S102 - the base line is code without protection, and these two were read
    successors, is_goal = space[names["successor"]], space[names["goal"]]
    words = CROSSWORD.arguments("goal", instance)
    stack, closed, expansions, generated = [[list(row) for row in instance.start]], set(), 0, 0
    started = time.perf_counter()
    while stack:
        state = stack.pop()
        key = "".join(cell or " " for row in state for cell in row)
        if key in closed:
            continue
        closed.add(key)
        if is_goal(state, *words):
            break
        expansions += 1
        for child in successors(state, *words):
            stack.append(child)
            generated += 1
    return expansions, generated, time.perf_counter() - started


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", default="llama3.1-405b-noval_run4")
    parser.add_argument("--in-process", type=int, default=0)
    parser.add_argument("--instances", type=int, default=20)
    options = parser.parse_args()
    if missing(FUNCTIONS) or missing(INSTANCES):
        return
    rows = [json.loads(line) for line in FUNCTIONS.open()]
    last = {row["role"]: row for row in rows if row["run"] == options.run and row["source"]}
    sources = {role: row["source"] for role, row in last.items()}
    names = {role: source.split("def ", 1)[1].split("(")[0] for role, source in sources.items()}
    instances = load_instances(CROSSWORD, str(INSTANCES))
    backend = choose_backend("auto")
    runs, base = [], []
    for place, instance in enumerate(instances[: options.instances]):
        runs.append(run_pair(CROSSWORD, instance, sources, backend, "dfs", LIMITS))
        print(runs[-1], flush=True)
        if place < options.in_process:
            expansions, generated, seconds = in_process(sources, names, instance)
            same = (expansions, generated) == (runs[-1].expansions, runs[-1].generated)
            base.append({"instance": instance.name, "seconds": seconds, "equal counts": same})
            base[-1]["throughput of the sandbox"] = round(seconds / runs[-1].seconds, 3)
            print(base[-1], flush=True)
    total = totals(runs)
    published = last["successor"]["run_result"]
    report = {
        "run": options.run,
        "backend": backend,
        "published": published,
        "here": asdict(total),
        "equal counts": (total.expansions, total.generated) == (published["expansions"], published["generated"]),
        "instances": [asdict(run) for run in runs],
        "in process": base,
    }
    print(json.dumps({key: report[key] for key in ("published", "here", "equal counts")}))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"autotos_published_{options.run}.json").write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
