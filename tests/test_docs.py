"""The documentation names existing things: objects of the reference, modules of the gallery, pages of the site."""

import ast
import builtins
import re
from collections.abc import Callable
from doctest import DocTestParser
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

from agent import api

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def resolved(name):
    """Return the object of a dotted name."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def test_the_reference_has_exactly_the_public_names():
    names = re.findall(r"^\.\. auto\w+:: (\S+)", (DOCS / "reference.md").read_text("utf-8"), re.MULTILINE)
    assert {f"agent.api.{name}" for name in api.__all__} == {name for name in names if name.startswith("agent.api.")}
    assert all(resolved(name).__doc__ for name in names)


@pytest.mark.parametrize("name", [name for name in api.__all__ if isinstance(getattr(api, name), Callable)])
def test_every_public_name_is_in_an_example(name):
    found = getattr(api, name)
    is_public = {m: v for m, v in vars(found).items() if not m.startswith("_")} if isinstance(found, type) else {}
    members = {m: v for m, v in is_public.items() if isinstance(v, (property, classmethod, FunctionType))}
    texts = [found.__doc__ or "", *((getattr(member, "__func__", member).__doc__ or "") for member in members.values())]
    code = "\n".join(example.source for text in texts for example in DocTestParser().get_examples(text))
    assert code
    assert [member for member in members if f".{member}" not in code] == []


@pytest.mark.parametrize("page", [DOCS / "index.md", DOCS / "gallery.md"], ids=lambda page: page.stem)
def test_drawn_examples_use_what_exists(page):
    blocks = re.findall(r"^:{3,4}\{drawn\}\n(.*?)^:{3,4}$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    nodes = list(ast.walk(ast.parse("\n".join(blocks))))
    imported = {alias.name: node.module for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert all(resolved(f"{module}.{name}") for name, module in imported.items())
    names = [node for node in nodes if isinstance(node, ast.Name)]
    known = {*imported, *dir(builtins), *(name.id for name in names if isinstance(name.ctx, ast.Store))}
    assert {name.id for name in names} <= known
    paths = [node.value for node in nodes if isinstance(node, ast.Constant) and str(node.value).startswith("data/")]
    assert all((DOCS.parent / path).exists() for path in paths)


def test_every_page_has_a_place_in_the_navigation():
    listed = re.findall(r"```\{toctree\}.*?\n\n(.*?)```", (DOCS / "index.md").read_text("utf-8"), re.DOTALL)
    names = {name for block in listed for name in block.split()}
    assert names == {page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES} - {"index"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#:\s]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_code_is_as_short_as_contributing_says():
    text = (DOCS.parent / "CONTRIBUTING.md").read_text("utf-8")
    lines, of_function = map(int, re.findall(r"at most (\d+) lines; a function at most (\d+)", text)[0])
    for folder in ("agent", "lexicon", "tests"):
        for path in set((DOCS.parent / folder).rglob("*.py")) - {DOCS.parent / "tests" / "bench" / "autotos_bank.py"}:
            source = path.read_text("utf-8")
            assert len(source.splitlines()) <= lines, path
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    assert node.end_lineno - node.lineno < of_function, f"{path}: {node.name}"
