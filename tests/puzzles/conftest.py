"""The place of the project's own puzzles."""

from __future__ import annotations

from pathlib import Path

import pytest

OWN = Path(__file__).parents[2] / "data"


@pytest.fixture
def own() -> Path:
    """Find the project's own puzzles."""
    return OWN
