"""What a puzzle may have comes back from every kind of file, or is named, or is refused: never lost in silence."""

from __future__ import annotations

import json
from pathlib import Path

import bench_formats
import pytest

from agent.api import open_puzzle

ROOT = Path(__file__).parents[2]
MINI = open_puzzle(ROOT / "data" / "minis" / "mini-09.xd")
WRITERS = bench_formats.writers()


@pytest.mark.parametrize("shape", WRITERS)
def test_nothing_is_lost_in_silence(shape):
    fates = {part: bench_formats.fate(shape, WRITERS[shape], MINI, part) for part in bench_formats.PARTS}
    assert "lost" not in fates.values(), fates
    assert fates[bench_formats.PLAIN] == "kept"


def test_the_tables_of_the_documentation_are_those_of_the_result():
    result = json.loads((bench_formats.RESULTS / "formats.json").read_text("utf-8"))
    assert result["total"]["faults"] == result["lost"] == 0
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    assert all(table in page for table in bench_formats.tables(result).split("\n\n"))
