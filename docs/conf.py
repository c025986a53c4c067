"""Settings of the documentation site: `make docs` builds it from these pages and the docstrings, without a network."""

import os
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "_ext")]
os.environ["GRIDWRIGHT_LEXICON"] = "permissive"  # pictures are the same on every machine

project = "Gridwright"
html_title = "Gridwright"
html_show_copyright = False
extensions = ["myst_parser", "sphinx.ext.autodoc", "drawn"]
exclude_patterns = ["_build"]

# Markdown. A link to a page, a heading or a file that does not exist is a warning, and `make docs` ends on warnings.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

# Docstrings: `x` is code, as in Markdown; members in the order of the source.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
maximum_signature_line_length = 80
python_use_unqualified_type_names = True

# The theme brings its own fonts and scripts: the built site asks no other server for anything.
html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False


def show_code(_app: Any, _what: str, _name: str, _value: object, _options: object, lines: list[str]) -> None:
    """Show an indented block of a docstring as code, as Markdown does: for Sphinx, put the sign `::` before it."""
    for place in range(len(lines) - 1, 1, -1):
        before = next((line for line in reversed(lines[:place]) if line), "")
        opens = lines[place].startswith("    ") and not lines[place - 1] and not before.startswith((" ", "- ", ".. "))
        if opens and not before.endswith("::"):
            lines[place:place] = ["::", ""]


def setup(app: Any) -> None:
    """Change docstrings before they are read."""
    app.connect("autodoc-process-docstring", show_code)
