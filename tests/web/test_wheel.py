"""An installed wheel has the page and the examples, in any working directory, and starts or says why it cannot."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOOK = """
import json
from agent.web import examples, page_files
print(json.dumps({
    "place": str(page_files.PAGE), "page": sorted(path.name for path in page_files.PAGE.iterdir()),
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
    modules = {path.relative_to(ROOT) for path in (ROOT / "agent").rglob("*.py")} - {Path("agent/gridwright.py")}
    assert modules == {path.relative_to(installed) for path in (installed / "agent").rglob("*.py")}


def start(*places):
    """Start the command as its installed script does, with packages looked for in these places first."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    line = [sys.executable, "-c", "import sys, gridwright; sys.argv = ['gridwright', '--version']; gridwright.main()"]
    return subprocess.run(line, cwd=places[0], env=environment, check=False, capture_output=True, text=True)


def test_the_installed_command_starts(installed):
    assert "gridwright = gridwright:main" in next(installed.glob("*.dist-info/entry_points.txt")).read_text()
    assert (installed / "gridwright.py").read_bytes() == (ROOT / "agent" / "gridwright.py").read_bytes()
    ended = start(installed)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("gridwright 0.")


@pytest.mark.parametrize("content", ["", "__version__ = '1'", "import no_such_module", "raise SystemError('no')"])
@pytest.mark.parametrize("name", ["agent", "lexicon"])
def test_another_package_of_the_same_name_is_named(installed, tmp_path, name, content):
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text(content)
    ended = start(tmp_path, installed)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        f"gridwright: {tmp_path / name} holds another package called {name}: "
        "install gridwright into an environment of its own, such as with pipx\n"
    )


def test_a_package_that_was_overwritten_or_removed_is_named(installed, tmp_path):
    shutil.copytree(installed / "agent", tmp_path / "agent", ignore=shutil.ignore_patterns("data"))
    shutil.copy(installed / "gridwright.py", tmp_path)
    line = [sys.executable, "-S", "-E", tmp_path / "gridwright.py"]  # without what is installed here

    def complaint():
        ended = subprocess.run(line, check=False, capture_output=True, text=True)
        assert ended.returncode == 1
        return ended.stderr

    (tmp_path / "agent" / "__init__.py").write_text("__version__ = '1'\n")
    assert f"{tmp_path / 'agent'} holds another package called agent" in complaint()
    (tmp_path / "agent" / "__init__.py").unlink()  # as it is when the other package is uninstalled
    assert f"{tmp_path / 'agent'} holds another package called agent" in complaint()
    shutil.rmtree(tmp_path / "agent")
    assert complaint() == "gridwright: the package agent is missing: install gridwright again\n"
