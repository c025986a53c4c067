"""What all tests share: the shipped lexicon, whatever the machine has, the evaluation data, and calm random tests.

Random tests draw the same examples in every run ("steady"). Only the nightly run ("nightly") draws new ones, by a seed
that it prints: `pytest --hypothesis-profile nightly --hypothesis-seed 20261122` repeats it.
"""

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

# Modules are compiled once, for the tests and the commands that they run, and without leaving files beside the sources:
# compiling again is half the time of finding the tests, and of each short command.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
compiled = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(__file__).parent / "build" / "compiled"))
sys.dont_write_bytecode, sys.pycache_prefix = False, compiled

# As the command line does: threads that wait for each other burn the processor time of other tests.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# ruff: noqa: E402
import evaluation
import pytest
from hypothesis import HealthCheck, settings

from lexicon.sources import ONLY

os.environ[ONLY] = "permissive"  # for commands that tests run, too

collect_ignore = [] if find_spec("torch") else ["lexicon/build/contrast.py"]  # its extra is not installed

# A busy machine is no failure: no deadline, no check of how long examples take to draw. No database: the failure of
# yesterday, or of another clone, is not replayed.
CALM = settings(deadline=None, database=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", CALM, derandomize=True, max_examples=48)
settings.register_profile("nightly", CALM, max_examples=500)
settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers for `-n auto`: some tests only wait, for a server or a time-out."""
    return (os.cpu_count() or 1) + 2


@pytest.fixture(scope="session")
def evaluation_data() -> Callable[[str], Path]:
    """Return a function that finds a file of the evaluation data, and skips the test if it is absent."""

    def find(name: str) -> Path:
        path = evaluation.path(name)
        if absence := evaluation.absence(path):
            pytest.skip(absence)
        return path

    return find
