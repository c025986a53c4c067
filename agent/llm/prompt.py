"""The prompts: plain text files in the folder `prompts`, each identified by its hash.

>>> load_prompt("whole").text.splitlines()[0]
'You solve a crossword. The user sends its title and grid, if they are known, and its clues.'
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's name, text, and hash, which ties cached answers to this wording."""

    name: str
    text: str
    digest: str


@lru_cache(maxsize=8)
def load_prompt(name: str) -> Prompt:
    """Read a prompt by name. Raises FileNotFoundError for an unknown name."""
    text = (files("agent.llm") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest())
