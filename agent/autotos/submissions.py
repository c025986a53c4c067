"""Read the functions to be judged: from Python files, JSON lines, and the replies of language models.

Nothing here executes, compiles or parses Python: sources and names are found by patterns in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.autotos.domain import ROLES, Role
from agent.errors import UnreadableError, reason

_DEFINITION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
_FENCE = re.compile(r"```[ \t]*(\w*)[^\n]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
EXPECTED = "expected a .py file, or JSON lines with role and source"
_KEPT = ("run", "attempt", "id", "name", "model")
"""Fields of an input row that are repeated in its output row, so that the two can be matched."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A function to be judged: its role, its source (empty if there is none), and the fields that identify it.

    >>> Submission("goal", "def is_goal_state(): ...", {"file": "a.py"}).label
    'a.py'
    """

    role: Role
    source: str
    identity: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The identifying fields as one text."""
        return " ".join(str(value) for value in self.identity.values())


def extract(reply: str) -> str:
    """Return the Python source in a model's reply: the longest fenced block with a function, else the bare text.

    >>> extract("Here it is:\\n```python\\ndef f():\\n    return 1\\n```\\nDone.")
    'def f():\\n    return 1\\n'
    >>> extract("I cannot do that.")
    ''
    """
    blocks: list[str] = [body for _, body in _FENCE.findall(reply) if _DEFINITION.search(body)]
    if blocks:
        return max(blocks, key=len).rstrip() + "\n"
    if "```" in reply:
        return ""
    start = re.search(r"^(?:from |import |(?:async )?def |@|class )", reply, re.MULTILINE)
    return reply[start.start() :].rstrip() + "\n" if start and _DEFINITION.search(reply) else ""


def read_submissions(path: str, text: str, roles: Sequence[Role] = ROLES) -> Iterator[Submission]:
    """Yield the functions in a file: JSON lines if it begins with `{`, else Python, which is asked for each role.

    Each JSON line is an object with `role` ("successor" or "goal") and `source` (text, or null if the author gave no
    code). Raises UnreadableError.

    >>> [one.label for one in read_submissions("x.jsonl", '{"run": 1, "role": "goal", "source": "?"}')]
    ['1']
    """
    if not text.lstrip().startswith("{"):
        for role in roles:
            yield Submission(role, text, {"file": path})
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UnreadableError(f"{where}: not JSON ({error}); expected an object with role and source") from None
        except RecursionError:
            raise UnreadableError(f"{where}: nested too deeply; expected an object with role and source") from None
        if not isinstance(row, dict) or row.get("role") not in ROLES:
            raise UnreadableError(f'{where}: expected an object with "role": "successor" or "goal"')
        if "source" not in row or not isinstance(row["source"], (str, type(None))):
            raise UnreadableError(f'{where}: expected "source", the text of a Python function')
        identity = {key: row[key] for key in _KEPT if isinstance(row.get(key), (str, int, float))}
        if row["role"] in roles:
            yield Submission(row["role"], row["source"] or "", identity or {"file": path, "line": number})


def read_file(path: str, roles: Sequence[Role] = ROLES) -> list[Submission]:
    """Return the submissions in a file, `-` for standard input. Raises UnreadableError."""
    import sys

    name = "stdin" if path == "-" else path
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{name}: {reason(error)}; {EXPECTED}") from None
    if not text.strip():
        raise UnreadableError(f"{name}: empty; {EXPECTED}")
    return list(read_submissions(name, text, roles))
