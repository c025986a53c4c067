"""Shared by the fault tests: a puzzle that every provider knows, and the command line in this process or its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.api import open_puzzle
from agent.cli import app

DATA = Path(__file__).parents[2] / "data" / "minis"


@pytest.fixture(scope="session")
def tiny():
    return DATA / "tiny-01.xd"


@pytest.fixture(scope="session")
def clues():
    return DATA / "minis_llm.clues.jsonl"


@pytest.fixture(scope="session")
def puzzle(tiny):
    return open_puzzle(tiny)


@pytest.fixture
def knows(puzzle):
    """Answer as a model that knows the puzzle."""
    return {
        "slots": [
            {"slot": slot.name, "candidates": [{"answer": puzzle.solution.answer(slot), "probability": 0.9}]}
            for slot in puzzle.grid.slots
        ]
    }


@pytest.fixture
def home(tmp_path):
    return {
        "GRIDWRIGHT_CACHE_DIR": str(tmp_path / "cache"),
        "GRIDWRIGHT_DATA_DIR": str(tmp_path / "data"),
        "GRIDWRIGHT_CONFIG": "",
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        "OMP_NUM_THREADS": "1",
    }


@pytest.fixture
def run(home):
    """Run a command in this process; the test fails unless it ends cleanly."""

    def command(*arguments, stdin=None):
        result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, env=home)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return command


@pytest.fixture
def spawn(home):
    """Start a command as a process; it is gone when the test ends."""
    started = []

    def command(*arguments):
        line = [sys.executable, "-m", "agent", *map(str, arguments)]
        process = subprocess.Popen(
            line,
            text=True,
            env={**os.environ, **home},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        return process

    yield command
    for process in started:
        process.kill()
        process.communicate()
