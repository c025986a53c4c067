"""Settings of the documentation site: `make docs` builds it from these pages and the docstrings, without a network."""

import os
import sys
from pathlib import Path

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
