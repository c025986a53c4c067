"""Programs that run an evaluation, and Dask clusters on loopback: processes that can be killed."""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MINIS = ROOT / "data" / "minis"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def wait_for(what, seconds=300):
    """Wait until something holds, and return it."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found


class Cluster:
    """A Dask scheduler and its workers, each a process of its own."""

    def __init__(self, folder, stack, environment):
        self.folder = folder
        self.environment = environment | {"DASK_TEMPORARY_DIRECTORY": str(folder)}  # those killed leave files behind
        self.stack = stack
        self.file = folder / "scheduler.json"
        self.log = stack.enter_context((folder / "dask.log").open("w"))
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", self.file)
        self.scheduler = self.start("scheduler", *options)
        wait_for(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address = "dask://" + json.loads(self.file.read_text())["address"].removeprefix("tcp://")
        self.workers = []

    def start(self, role, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", *map(str, options)]
        process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        self.stack.callback(process.communicate)
        self.stack.callback(process.kill)
        return process

    def add_worker(self):
        options = ("--scheduler-file", self.file, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        worker = self.start("worker", *options, "--host", "127.0.0.1")
        self.workers.append(worker)
        return worker


@pytest.fixture
def start_cluster(tmp_path):
    """Start a scheduler and some workers of one thread each; `environment` is the scheduler's and theirs."""
    with ExitStack() as stack:

        def start(workers, **environment):
            found = Cluster(tmp_path, stack, ENVIRONMENT | environment)
            for _ in range(workers):
                found.add_worker()
            return found

        yield start
