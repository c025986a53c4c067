"""Read a chat completion into a Reply, tolerating every form that can still be understood.

>>> body = '{"choices": [{"message": {"content": "Sure! ```json\\\\n{\\\\"a\\\\": 1}\\\\n```"}}], "colour": "blue"}'
>>> reply = read_reply(body, how="text", wants_json=True)
>>> reply.parsed, reply.cut
([{'a': 1}], False)
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from agent.errors import ReplyError
from agent.llm.schema import read_lines

How = Literal["json_schema", "json_object", "text"]
"""The form that the server was asked to enforce: a schema, any JSON, or none."""

MOST_READINGS = 20
"""Maximum passes over an answer in search of JSON: bounds the time that a hostile one costs. Not fitted."""
MOST_VALUES = 1000
"""Maximum objects and lists taken from one answer, the last ones, for the same reason; a badly broken answer has a
hundred."""

CHARACTERS_A_TOKEN = 4
"""Characters per token in English, roughly: only for counting against limits if a server does not count."""

MOST_COUNTED = 10**9
"""A server that counts more tokens for one call is mistaken."""

MOST_TOKENS = 200_000
"""Maximum brackets and strings read from one start, for the same reason; a large puzzle's answer has thousands."""
MOST_DEPTH = 50
"""Maximum nesting of brackets, for the same reason; the form that is asked for has five."""

# A string up to its end, or the text's end, is one token: brackets in it are not structure.
_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
# Where useful JSON can begin; most brackets in prose are followed by something else.
_START = re.compile(r'\{(?=\s*")|\[(?=\s*["\[{])')
_TRAILING_COMMA = re.compile(r",\s*([}\]])")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; `estimated` if the server did not count them.

    >>> Usage(100, 50).total
    150
    """

    prompt: int
    completion: int
    estimated: bool = False

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer. `parsed` is the JSON in it, if that was wanted; `cut` is True if its end is missing."""

    text: str
    how: How
    parsed: Sequence[Any] = ()
    usage: Usage | None = None
    cut: bool = False


def read_reply(body: str, *, how: How, wants_json: bool) -> Reply:
    """Read the body of a chat completion.

    Raises ReplyError with the reason if it holds nothing usable. The complete part of a cut-off answer is used.
    """
    data = _json(body)
    if not isinstance(data, dict):
        raise ReplyError("the answer is not a chat completion")
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ReplyError(_complaint(data) or "the answer has no choices")
    choice = choices[0]
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text = _text(message.get("content"))
    finish = choice.get("finish_reason")
    if message.get("refusal") or (finish == "content_filter" and not text.strip()):
        raise ReplyError(f"the model refused: {message.get('refusal') or 'content filter'}")
    cut = finish == "length"
    if not text.strip():
        raise ReplyError("cut off before its first word" if cut else "the answer is empty")
    parsed, repaired = find_json(text) if wants_json else ([], False)
    parsed = parsed or (read_lines(text) if wants_json else [])
    if wants_json and not parsed:
        raise ReplyError(f"no JSON in the answer{' (cut off)' if cut else ''}: {text.strip()[:60]!r}")
    return Reply(text, how, parsed, read_usage(body), cut or repaired)


def read_usage(body: str) -> Usage | None:
    """Return the tokens that a chat completion reports, None if it reports none, or numbers that cannot be.

    >>> read_usage('{"usage": {"prompt_tokens": 7, "completion_tokens": 2}}')
    Usage(prompt=7, completion=2, estimated=False)
    """
    data = _json(body)
    usage = data.get("usage") if isinstance(data, dict) else None
    match usage:
        case {"prompt_tokens": int(prompt), "completion_tokens": int(completion)} if (
            min(prompt, completion) >= 0 and max(prompt, completion) <= MOST_COUNTED
        ):
            return Usage(prompt, completion)
    return None


def estimate_usage(prompt: str, answer: str) -> Usage:
    """Estimate the tokens of a call from its text.

    >>> estimate_usage("four" * 10, "")
    Usage(prompt=10, completion=0, estimated=True)
    """
    return Usage(len(prompt) // CHARACTERS_A_TOKEN, len(answer) // CHARACTERS_A_TOKEN, estimated=True)


def find_json(text: str) -> tuple[list[Any], bool]:
    """Return the JSON objects and lists in a model's answer, in order, and whether one had to be completed.

    Understands code fences, notes around them, thinking before them, trailing commas, and a missing end. Nested values
    are part of the outer one. The caller decides which is meant, as notes may quote some.

    >>> find_json('<think>{"a": 0}</think> Of course: {"a": [1, 2,]} Or rather: {"a": [3]} {Anything} else?')
    ([{'a': [1, 2]}, {'a': [3]}], False)
    >>> find_json('{"a": [{"b": 1}, {"b')
    ([{'a': [{'b': 1}]}], True)
    >>> find_json("I cannot.")
    ([], False)
    """
    thought, tag, rest = text.rpartition("</think>")
    found = _all_json(rest)
    return _all_json(thought + tag + rest) if tag and not found[0] else found


def _all_json(text: str) -> tuple[list[Any], bool]:
    found: deque[Any] = deque(maxlen=MOST_VALUES)
    completed = False
    position, patience = 0, MOST_READINGS * len(text)
    while patience > 0 and (start := _START.search(text, position)):
        end, closing = _extent(text, start.start())
        value = _json(text[start.start() : end] + closing)
        if value is None:
            value = _json(_TRAILING_COMMA.sub(r"\1", text[start.start() : end] + closing))
        if value is None:
            position = start.end()
            is_closed = end > position and not closing
            patience -= (end if is_closed else len(text)) - start.start()
        else:
            position = end
        if value:
            found.append(value)
            completed |= bool(closing)
    return list(found), completed


def _extent(text: str, start: int) -> tuple[int, str]:
    """Return the end of the bracket at `start`, or of its last complete part, with the closing signs it lacks."""
    missing: list[str] = []
    whole = (start, "")
    for token in islice(_STRUCTURE.finditer(text, start), MOST_TOKENS):
        sign = token.group()
        if sign in "{[":
            missing.append("}" if sign == "{" else "]")
            if len(missing) > MOST_DEPTH:
                break
        elif sign in "}]":
            missing.pop()
            if not missing:
                return token.end(), ""
            whole = (token.end(), "".join(reversed(missing)))
    return whole


def _json(text: str) -> Any:
    """Parse JSON, with line breaks in strings, as models write them; None if it is invalid or nested too deeply."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _text(content: Any) -> str:
    """Return a message's text; some servers send a list of parts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and type(part.get("text")) is str)
    return content if isinstance(content, str) else ""


def _complaint(data: dict[str, Any]) -> str:
    """Return the error message that some servers send with status 200."""
    error = data.get("error")
    if isinstance(error, dict):
        error = error.get("message")
    return f"the server says: {error}" if error else ""
