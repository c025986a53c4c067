"""Run the tests again and again, under load if wanted, and list what failed: `make soak N=20 LOAD=2`.

`python tests/soak.py --runs 20 --load 2 tests/web` does the same for a part of the tests; arguments that it does not
know go to pytest. Output of the runs that failed is kept in build/soak. The exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "soak"


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep processor cores busy, one per process."""
    with ExitStack() as stack:
        for _ in range(processes):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


def run(number: int, arguments: list[str]) -> list[str]:
    """Run pytest once; returns the names of the tests that failed, or the exit code of a run that was cut short."""
    report, log = KEPT / f"{number}.xml", KEPT / f"{number}.log"
    with log.open("w") as output:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments]
        code = subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, check=False).returncode
    if code == 0:
        log.unlink()
        report.unlink()
        return []
    if not report.exists():
        return [f"exit code {code}, see {log}"]
    cases = ET.parse(report).iter("testcase")  # noqa: S314  # pytest has just written it
    wrong = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    return [f"{case.get('classname')}::{case.get('name')}" for case in wrong] or [f"exit code {code}, see {log}"]


def main() -> int:
    """Run, count, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="number of runs (20)")
    parser.add_argument("--load", type=int, default=0, help="processes that keep the processor busy meanwhile (0)")
    options, arguments = parser.parse_known_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    failures: Counter[str] = Counter()
    passed = 0
    with busy(options.load):
        for number in range(1, options.runs + 1):
            started = time.monotonic()
            failed = run(number, arguments)
            failures.update(failed)
            passed += not failed
            seconds = time.monotonic() - started
            print(f"run {number}: {len(failed)} failed, {seconds:.0f} s", *failed, sep="\n  ", flush=True)
    print(f"{passed} of {options.runs} runs passed")
    for name, count in failures.most_common():
        print(f"{count:4} x {name}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
