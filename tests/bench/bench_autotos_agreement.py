"""Compare our verdicts with the strict verdicts recorded for 149 published functions.

    python tests/bench/bench_autotos_agreement.py

Needs autotos_functions.jsonl (`make data`). The two agree if both find a function right, or both find it wrong; every
other case is listed with our counter-example. Our judge was not fitted to these functions: they show whether it holds.
"""

import json
import statistics
import time
from collections import Counter
from pathlib import Path

from common import evaluation, missing

from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.judge import judge
from agent.autotos.sandbox import choose_backend

FUNCTIONS = evaluation.path("autotos_functions.jsonl")
RESULTS = Path(__file__).parent / "results" / "autotos_agreement.json"


def strictly_right(row):
    """Return whether the recorded strict verdict has no fault that changes a search's result."""
    verdict = row["strict_verdict"]
    return not any(
        word in verdict for word in ("exc", "mutates", "incomplete", "unsound", "load_error", "no_code", "fn")
    )


def main():
    if missing(FUNCTIONS):
        return
    backend = choose_backend("auto")
    rows, seconds, known = [], [], {}
    for line in FUNCTIONS.read_text().splitlines():
        given = json.loads(line)
        source, role = given["source"] or "", given["role"]
        if (source, role) not in known:
            started = time.perf_counter()
            known[source, role] = judge(source, role, CROSSWORD, backend=backend)
            seconds.append(time.perf_counter() - started)
        verdict = known[source, role]
        right = strictly_right(given)
        rows.append(
            {
                "run": given["run"],
                "attempt": given["attempt"],
                "role": role,
                "published": given["paper_verdict"],
                "strict": given["strict_verdict"],
                "ours": verdict.verdict,
                "faults": [fault.kind for fault in verdict.faults],
                "seconds": round(verdict.seconds, 2),
                "agree": right == verdict.is_accepted,
            }
        )
        if right != verdict.is_accepted:
            rows[-1]["counter-example"] = verdict.faults[0].to_json()["counter_example"]
            rows[-1]["note"] = verdict.faults[0].note
            print(
                given["run"], given["attempt"], role, "| strict:", given["strict_verdict"], "| ours:", verdict.verdict
            )
    passed = [row for row in rows if row["published"] == "passed" and row["role"] == "successor"]
    table = Counter(
        (
            row["role"],
            "strict right" if strictly_right({"strict_verdict": row["strict"]}) else "strict wrong",
            "ours accepted" if row["ours"] in ("exact", "goal-preserving") else "ours faulty",
        )
        for row in rows
    )
    summary = {
        "functions": len(rows),
        "different sources": len(known),
        "agree": sum(row["agree"] for row in rows),
        "table": {" / ".join(key): count for key, count in sorted(table.items())},
        "successors the published method passed": len(passed),
        "of them exact by ours": sum(row["ours"] == "exact" for row in passed),
        "seconds": {"median": round(statistics.median(seconds), 2), "worst": round(max(seconds), 2)},
        "backend": backend,
    }
    print(json.dumps(summary, indent=1))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"summary": summary, "functions": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
