"""Change one thing at a time in a room of the code, and check whether its tests notice: `make mutants ROOM=core`.

mutmut works on a copy of the project in build/mutants/<room>, which keeps its results: `cd` there, and `mutmut results`
lists the changes that no test noticed, `mutmut show <name>` shows one. An interrupted run is resumed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = {
    "core": (["agent/core"], ["tests/core", "agent/core", "tests/puzzles"]),
    "propagate": (["agent/core/propagate.py"], ["tests/core", "agent/core/propagate.py"]),
    "verify": (["agent/verify"], ["tests/test_verify.py", "tests/test_reference.py", "agent/verify", "tests/puzzles"]),
    "ranking": (["agent/candidates/ranking.py"], ["tests/candidates/test_ranking.py", "agent/candidates/ranking.py"]),
    "compare": (["agent/autotos/compare.py"], ["tests/autotos/test_compare.py", "agent/autotos/compare.py"]),
    "judge": (["agent/autotos/judge.py"], ["tests/autotos/test_judge.py"]),
    "crossword": (["agent/puzzles/crossword"], ["tests/crossword", "agent/puzzles/crossword"]),
}
"""Room -> what is changed, and the tests that should notice."""

LEFT_OUT = ["--deselect=tests/test_verify.py::test_the_checker_imports_nothing_of_the_project"]
"""Tests of the source itself, which mutmut changes."""


def main(room: str) -> int:
    """Copy the project, write the room's configuration into the copy, and run mutmut there."""
    sources, tests = ROOMS[room]
    place = ROOT / "build" / "mutants" / room
    parts = ("agent", "lexicon", "data", "tests", "conftest.py", "pyproject.toml")
    for part in parts:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, place / part, dirs_exist_ok=True)
        else:
            shutil.copyfile(ROOT / part, place / part)
    settings = {
        "source_paths": sources,
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": LEFT_OUT,
        "also_copy": list(parts),
    }
    with (place / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n[tool.mutmut]\n")
        file.writelines(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    mutmut = Path(sys.executable).with_name("mutmut")
    return subprocess.run([mutmut, "run"], cwd=place, env=os.environ | {"PYTHONPATH": ""}, check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ROOMS:
        sys.exit(f"which room? one of {', '.join(ROOMS)}: make mutants ROOM=core")
    sys.exit(main(sys.argv[1]))
