"""Shared by the tests of the judge: the hostile functions, and the back-ends that work here."""

from pathlib import Path

import pytest

from agent.autotos.sandbox.supervisor import works

HERE = Path(__file__).parent
NEEDED = {
    "native": "it needs Linux with seccomp on x86_64 or aarch64",
    "bwrap+native": "apt-get install bubblewrap, and let users make user namespaces",
}
"""Back-end -> what to do if it does not work."""


def read_sections(path):
    """Read `### name` sections of a text file."""
    parts = path.read_text().split("\n### ")[1:]
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in parts}


@pytest.fixture(scope="session")
def attacks():
    return read_sections(HERE / "attacks.txt")


@pytest.fixture(scope="session", params=["native", "bwrap+native"])
def backend(request):
    if not works(request.param):
        pytest.skip(f"{request.param} does not work here: {NEEDED[request.param]}")
    return request.param


@pytest.fixture(scope="session")
def safe_backend():
    for name in ("native", "bwrap+native"):
        if works(name):
            return name
    pytest.skip(f"no safe sandbox works here: {NEEDED['native']}")
    return ""
