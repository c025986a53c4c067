"""Warnings: one line for the user about something that went wrong and was worked around."""

from __future__ import annotations

import sys
from collections.abc import Callable

Warn = Callable[[str], None]
"""Takes one line without its end."""


def warn_on_stderr(line: str) -> None:
    """Print a warning to stderr."""
    print(line, file=sys.stderr)


def ignore_warning(line: str) -> None:
    """Drop a warning."""
    del line
