"""Measure the judge on the fault bank: python tests/bench/bench_autotos_faults.py [--seed N] writes the raw results."""

import argparse
import json
import statistics
from collections import Counter
from pathlib import Path

from autotos_bank import bank

from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.judge import judge
from agent.autotos.sandbox import choose_backend

RESULTS = Path(__file__).parent / "results"
VERDICTS = {"exact", "goal-preserving"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    backend = choose_backend("auto")
    rows = []
    for name, role, source, wanted in bank():
        if options.only not in name:
            continue
        verdict = judge(source, role, CROSSWORD, backend=backend, seed=options.seed)
        correct = bool(wanted & VERDICTS)
        first = verdict.verdict if correct or not verdict.faults else verdict.faults[0].kind
        rows.append(
            {
                "name": name,
                "role": role,
                "correct": correct,
                "wanted": sorted(wanted),
                "verdict": verdict.verdict,
                "faults": [fault.kind for fault in verdict.faults],
                "remarks": [fault.kind for fault in verdict.remarks],
                "as wanted": first in wanted and verdict.is_accepted == correct,
                "seconds": round(verdict.seconds, 2),
            }
        )
        if not rows[-1]["as wanted"]:
            print("NOT AS WANTED", rows[-1], flush=True)
    table = Counter(
        (row["role"], "correct" if row["correct"] else "faulty", "accepted" if row["verdict"] in VERDICTS else "caught")
        for row in rows
    )
    seconds = [row["seconds"] for row in rows]
    summary = {
        "confusion": {" / ".join(key): count for key, count in sorted(table.items())},
        "first fault as wanted": [sum(row["as wanted"] for row in rows), len(rows)],
        "seconds": {"median": statistics.median(seconds), "worst": max(seconds)},
        "backend": backend,
        "seed": options.seed,
    }
    print(json.dumps(summary, indent=1))
    if not options.only:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"autotos_faults_seed{options.seed}.json").write_text(
            json.dumps({"summary": summary, "functions": rows}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
