"""Our own minis, which the tests of the formats read and write."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", deadline=None, max_examples=60)  # a busy machine is no failure
settings.load_profile("steady")

MINIS = Path(__file__).parents[2] / "data" / "minis"


@pytest.fixture(params=sorted(MINIS.glob("*.xd")), ids=lambda path: path.stem)
def mini_path(request):
    return request.param
