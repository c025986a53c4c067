"""Where the evaluation data lies, and how a test asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = ROOT / "data"


@pytest.fixture
def shared() -> Path:
    """Find the evaluation data, which is no part of the project; skip the test where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the evaluation data ../shared/data is not here")
    return folder


@pytest.fixture
def own() -> Path:
    """Find the project's own puzzles."""
    return OWN
