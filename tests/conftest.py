"""The command line as a user has it: in this process through Typer's runner, or as a process of its own."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from typer import testing
from typer.testing import CliRunner

from agent.api import open_puzzle
from agent.cli import app

DATA = Path(__file__).parents[1] / "data" / "minis"
TINY = DATA / "tiny-01.xd"
CLUES = DATA / "minis_llm.clues.jsonl"

# Commands keep nothing between two calls: they are made once, and not for each of the hundreds of calls.
testing._get_command = cache(testing._get_command)


@pytest.fixture
def tiny():
    return str(TINY)


@pytest.fixture
def clues():
    return str(CLUES)


@pytest.fixture
def riddle(tmp_path):
    """Write a mini whose clues say nothing, so that every letter is a guess."""
    said = re.sub(r"(?m)^([AD]\d+\.).*?(~|$)", r"\1 Hm \2", (DATA / "mini-05.xd").read_text("utf-8"))
    path = tmp_path / "riddle.xd"
    path.write_text(said, "utf-8")
    return path


@pytest.fixture
def puzzle():
    return open_puzzle(TINY)


@pytest.fixture
def home(tmp_path):
    """Environment of a user who has nothing yet."""
    folder = tmp_path / "home"
    return {
        "GRIDWRIGHT_CACHE_DIR": str(folder / "cache"),
        "GRIDWRIGHT_DATA_DIR": str(folder / "data"),
        "GRIDWRIGHT_CONFIG": "",
        "XDG_CONFIG_HOME": str(folder / "config"),
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        "OMP_NUM_THREADS": "1",
    }


@pytest.fixture
def run(home):
    """Run a command in this process; the test fails unless it ends cleanly. Any exit code will do if `code` is None."""

    def command(*arguments, code=0, stdin=None):
        result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, env=home)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert "Traceback" not in result.stderr
        assert code in {None, result.exit_code}, f"{result.exit_code}: {result.stdout}{result.stderr}"
        return result

    return command


@pytest.fixture
def spawn(home):
    """Start a command as a process; it is gone when the test ends."""
    started = []

    def command(*arguments, **options):
        line = [sys.executable, "-m", "agent", *map(str, arguments)]
        environment = {**os.environ, **home, **options.pop("env", {})}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(line, text=True, env=environment, **{**pipes, **options})
        started.append(process)
        return process

    yield command
    for process in started:
        process.kill()
        process.communicate()


def says_all(puzzle, probability=0.9):
    """Answer as a model that knows a puzzle."""
    return {
        "slots": [
            {
                "slot": slot.name,
                "candidates": [{"answer": puzzle.solution.answer(slot), "probability": probability}],
            }
            for slot in puzzle.grid.slots
        ]
    }


@pytest.fixture
def knows(puzzle):
    return says_all(puzzle)
