"""The directive `drawn`: run Python from the project's root, show it, and draw the value of its last expression.

All blocks of a page share their names, as the cells of a notebook do. A picture is drawn when the site is built, so it
cannot differ from the code above it. Code that fails ends the build.
"""

from __future__ import annotations

import ast
import contextlib
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]


class Drawn(SphinxDirective):
    """Code, and below it the SVG or HTML that it ends with."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the code and its picture."""
        code = "\n".join(self.content)
        space = self.env.temp_data.setdefault("drawn", {})
        with contextlib.chdir(ROOT):
            value = _last_value(code, space)
        shown = nodes.literal_block(code, code, language="python")
        markup = value.svg() if hasattr(value, "svg") else value._repr_html_()
        return [shown, nodes.raw("", f'<div class="drawn">{markup}</div>', format="html")]


def _last_value(code: str, space: dict[str, object]) -> object:
    """Run code, and return the value of the expression that it ends with."""
    tree = ast.parse(code)
    last = tree.body.pop()
    if not isinstance(last, ast.Expr):
        raise TypeError("a `drawn` block ends with an expression that has a picture")
    exec(compile(tree, "<drawn>", "exec"), space)  # noqa: S102 - the project's own pages
    return eval(compile(ast.Expression(last.value), "<drawn>", "eval"), space)  # noqa: S307 - the same


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("drawn", Drawn)
    return {"parallel_read_safe": True}
