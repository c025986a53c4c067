"""Notebooks: they run, and are kept without results, in their order, and with nothing of the machine they came from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_they_are_numbered_in_the_order_of_the_flow():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, len(NOTEBOOKS) + 1)]
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    import nbformat  # these take a second to load
    from nbclient import NotebookClient

    place = {"metadata": {"path": path.parent}}
    NotebookClient(nbformat.read(path, 4), timeout=None, kernel_name="python3", resources=place).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_results(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    assert cells[0]["cell_type"] == "markdown"
    assert cells[0]["source"][0].startswith(f"# {int(path.name[:2])}. ")
    for cell in cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS[:5], ids=lambda path: path.stem)
def test_a_notebook_has_no_logic_of_its_own(path):
    """It calls the library; the functions in the fourth are judged, as text. The sixth is about writing a domain."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert not any(line.startswith(("def ", "class ", "    def ")) for line in outside_text(cell["source"]))


def outside_text(lines: list[str]) -> list[str]:
    """Leave out the lines of texts in three quotes."""
    code, inside = [], False
    for line in lines:
        quotes = max(line.count('"""'), line.count("'''"))
        if not inside and not quotes:
            code.append(line)
        inside ^= quotes % 2 == 1
    return code
