"""Our own minis, which the tests of the formats read and write."""

from __future__ import annotations

from pathlib import Path

import pytest

MINIS = Path(__file__).parents[2] / "data" / "minis"


@pytest.fixture(params=sorted(MINIS.glob("*.xd")), ids=lambda path: path.stem)
def mini_path(request):
    return request.param
