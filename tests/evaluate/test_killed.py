"""Workers, parents and schedulers that are really killed: nothing is lost, and nothing is counted twice."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent.api import open_puzzle
from agent.config import Settings
from agent.evaluate.results import Results
from agent.evaluate.run import Configuration, evaluate
from agent.formats import CandidateInstance
from agent.formats.instance import write
from agent.grid import Grid
from agent.minis import with_lists
from lexicon import load

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with kill -9")

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
PUZZLES = 80
RUN = """
import sys
from pathlib import Path
from agent.config import Settings
from agent.evaluate.results import Results
from agent.evaluate.run import Configuration, evaluate
from agent.formats import open_puzzles

folder, executor, jobs = sys.argv[1:]
if __name__ == "__main__":
    settings = Settings(providers=(), offline=True, cache_dir=Path(folder, "cache"), data_dir=Path(folder, "data"))
    done = 0
    with Results(Path(folder, "results.jsonl"), lambda text: print(text, file=sys.stderr)) as results:
        for line in evaluate(open_puzzles(Path(folder, "puzzles.jsonl")), Configuration(settings), executor=executor,
                             jobs=int(jobs), results=results):
            print(line["id"], flush=True)
            if (done := done + 1) == 30:
                sys.stdin.read()  # the first run gets no further: it is killed while it waits here
"""


class Deadly(dict):
    """Word lists that end every process that unpickles them, as running out of memory does."""

    def __reduce__(self):
        return eval, ("__import__('os').environ.get('SPARED') or __import__('os')._exit(9)",)

    def __repr__(self):
        return "Deadly()"


@pytest.fixture(scope="module")
def puzzles() -> list[CandidateInstance]:
    """Puzzles of some milliseconds each."""
    grid = open_puzzle(ROOT / "data" / "minis" / "mini-02.xd").solution
    words = {len(slot): [*map(load(permissive=True).words(len(slot)).word, range(2000))] for slot in grid.slots}
    return [with_lists(grid, words, length=30, seed=seed) for seed in range(PUZZLES)]


@pytest.fixture
def configuration(tmp_path) -> Configuration:
    settings = Settings(providers=(), offline=True, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    return Configuration(settings)


def poison(name: str) -> CandidateInstance:
    return CandidateInstance(name, Grid.blank(2, 2), Deadly())


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except OSError:
        return True


def children(pid: int) -> list[int]:
    """List the processes below a process."""
    found = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in found.splitlines()]
    below = [child for child, parent in pairs if parent == pid]
    return below + [other for child in below for other in children(child)]


def is_complete(path: Path, puzzles) -> bool:
    """Every puzzle stands in the file once, solved."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    keys = [record["key"] for record in records]
    ids = sorted(record["line"]["id"] for record in records)
    return len(keys) == len(set(keys)) and ids == sorted(puzzle.id for puzzle in puzzles)


def test_a_worker_of_a_pool_that_is_killed_loses_nothing(puzzles, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    before = set(multiprocessing.active_children())
    due = [20, 50]
    with Results(path) as results:
        for number, _ in enumerate(evaluate(puzzles, configuration, jobs=2, results=results)):
            workers = set(multiprocessing.active_children()) - before
            if due and number >= due[0] and workers:
                os.kill(workers.pop().pid, signal.SIGKILL)
                due.pop(0)
    assert due == []
    assert is_complete(path, puzzles)


def test_only_a_puzzle_that_kills_its_workers_is_given_up(puzzles, configuration):
    mixed = [*puzzles[:3], poison("one"), *puzzles[3:20], poison("two"), *puzzles[20:30]]
    lines = list(evaluate(mixed, configuration, jobs=2))
    assert sorted(line["id"] for line in lines) == sorted(puzzle.id for puzzle in mixed)
    failed = {line["id"]: line["error"] for line in lines if "error" in line}
    assert failed == dict.fromkeys(("one", "two"), "RuntimeError: 2 workers died of it")


def test_if_every_worker_dies_the_run_ends_and_says_so(configuration):
    with pytest.raises(OSError, match="workers died one after the other"):
        list(evaluate([poison(str(number)) for number in range(20)], configuration, jobs=2))


@pytest.mark.parametrize(("executor", "jobs"), [("threads", 1), ("processes", 2), ("dask", 0)])
def test_a_killed_parent_goes_on_and_counts_nothing_twice(puzzles, tmp_path, executor, jobs, start_cluster):
    if executor == "dask":
        executor = start_cluster(1).address
    (tmp_path / "puzzles.jsonl").write_text("".join(f"{write(puzzle)}\n" for puzzle in puzzles))
    script, path = tmp_path / "run.py", tmp_path / "results.jsonl"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(tmp_path), executor, str(jobs)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=ENVIRONMENT) as process:
        for _ in range(30):
            process.stdout.readline()
        below = children(process.pid)
        process.kill()
    done = path.read_bytes().count(b"\n")
    assert 30 <= done < PUZZLES
    deadline = time.monotonic() + 300
    while not all(map(is_gone, below)):
        assert time.monotonic() < deadline, "a worker outlived its parent"
        time.sleep(0.05)
    with path.open("ab") as file:
        file.write(b'{"key": "mini-')  # the remains of a kill in the middle of a line
    finished = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert len(finished.stdout.split()) == PUZZLES
    assert finished.stderr == f"{path}: line {done + 1}: torn off when the run was killed; ignored\n"
    assert is_complete(path, puzzles)


def test_a_worker_of_a_cluster_that_is_killed_loses_nothing(puzzles, configuration, tmp_path, start_cluster):
    cluster, path = start_cluster(2), tmp_path / "results.jsonl"
    with Results(path) as results:
        for number, _ in enumerate(evaluate(puzzles, configuration, executor=cluster.address, results=results)):
            if number == 30:
                cluster.workers[0].kill()
            if number == 50:
                cluster.add_worker()
                cluster.workers[1].kill()  # now there is none, until the new one comes
    assert is_complete(path, puzzles)
    assert [worker.poll() for worker in cluster.workers] == [-signal.SIGKILL, -signal.SIGKILL, None]


def test_a_puzzle_that_kills_cluster_workers_is_given_up(puzzles, configuration, start_cluster):
    cluster = start_cluster(1, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    lines = []
    for line in evaluate([poison("bad"), *puzzles[:30]], configuration, executor=cluster.address):
        lines.append(line)
        if len(lines) == 1:
            cluster.add_worker()
    assert len(lines) == 31
    assert {line["id"]: line["error"].split(":")[0] for line in lines if "error" in line}["bad"] == "KilledWorker"


def test_a_killed_scheduler_ends_the_run_with_what_it_has(puzzles, configuration, tmp_path, start_cluster):
    cluster, path = start_cluster(1), tmp_path / "results.jsonl"

    def run(number_to_kill_at: int) -> None:
        with Results(path) as results:
            for number, _ in enumerate(evaluate(puzzles, configuration, executor=cluster.address, results=results)):
                if number == number_to_kill_at:
                    cluster.scheduler.kill()

    with pytest.raises(ConnectionError, match="is its scheduler gone"):
        run(30)
    assert 30 <= path.read_bytes().count(b"\n") < PUZZLES
    with Results(path) as results:
        list(evaluate(puzzles, configuration, jobs=1, results=results))
    assert is_complete(path, puzzles)
