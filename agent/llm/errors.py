"""How talking to a language model can fail; each message is one line for the user and never holds a key."""

from __future__ import annotations


class LlmError(Exception):
    """The model could not be asked, or gave nothing that can be used."""


class ReplyError(LlmError):
    """The server answered, but the answer is unusable: no JSON, empty, refused, an error told with status 200."""


class LimitReachedError(LlmError):
    """`--max-calls` or `--max-tokens` forbids a further call."""
