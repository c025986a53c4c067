"""An installed wheel has the page and the examples, in any working directory."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOOK = """
import json
from agent.web import app, examples
print(json.dumps({
    "place": str(app.PAGE), "page": sorted(path.name for path in app.PAGE.iterdir()),
    "examples": sorted(examples.listed()), "recorded": [str(path) for path in examples.recorded()],
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build the wheel and unpack it, as an installer does."""
    place = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "site")
    return place / "site"


def look(path, folder):
    """Ask a Python that finds the package under a path, started in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(path)}
    found = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(found.stdout)


def test_page_and_examples_are_found_from_a_wheel(installed, tmp_path):
    found = look(installed, tmp_path)
    assert found["place"] == str(installed / "agent" / "web" / "page")
    assert len(found["recorded"]) == 2
    assert all(path.startswith(str(installed)) for path in found["recorded"])
    in_checkout = look(ROOT, tmp_path)
    assert in_checkout["place"] == str(ROOT / "agent" / "web" / "page")
    assert found["page"] == in_checkout["page"]
    assert found["examples"] == in_checkout["examples"]
    assert len(found["examples"]) > 200


def test_the_wheel_is_small_enough_to_be_passed_on(installed):
    [wheel] = installed.parent.glob("*.whl")
    assert wheel.stat().st_size < 30_000_000


def test_no_source_of_the_wheel_is_forgotten(installed):
    """Every module of the checkout is in the wheel."""
    modules = {path.relative_to(ROOT) for path in (ROOT / "agent").rglob("*.py")}
    assert modules == {path.relative_to(installed) for path in (installed / "agent").rglob("*.py")}
