"""Candidates from a language model: one request for the whole puzzle, and one more when letters are known.

>>> from agent.testing import FakeOpenAI
>>> from tempfile import TemporaryDirectory
>>> says = {"slots": [{"slot": "1A", "candidates": [{"answer": "in bed", "probability": 0.7}]}]}
>>> with (
...     FakeOpenAI([says]) as server,
...     TemporaryDirectory() as folder,
...     Cache(folder) as cache,
...     Client("fake-model", server.base_url) as client,
... ):
...     found = LlmProvider(client, cache).propose([Question("1A", "Not up yet", 5)])
>>> print(*found["1A"])
INBED 70 % (llm:fake-model)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from agent.cache import Cache
from agent.candidates.provider import ProviderError, Question, Usage
from agent.config import Settings
from agent.grid import Candidate, answer_letters
from agent.llm.client import TIMEOUT_SECONDS, Client, Message
from agent.llm.errors import LimitReachedError, LlmError, ReplyError
from agent.llm.ledger import Ledger, Limits
from agent.llm.prompt import Prompt, load_prompt
from agent.llm.reply import read_reply
from agent.llm.schema import REPLY_SCHEMA, Listed, read_slots

LEDGER = "ledger.db"
"""The ledger's file in the folder for the user's data."""
NAMESPACE = "llm"
"""Where the cache keeps the answers."""
MOST_QUESTIONS = 60
"""Clues in one request: any mini, and large puzzles in parts, as models lose track in lists of hundreds. Not fitted."""
MOST_CANDIDATES = 20
"""Candidates kept per slot: the prompt asks for eight, a model gone wild gives thousands. Not fitted."""
UNSAID = 0.5
"""Probability of a first candidate that came without one; each further one has half of it. Not fitted."""


class BudgetSpentError(ProviderError):
    """The user's limit on calls or tokens does not allow for the request."""


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


class LlmProvider:
    """Ask a language model, each thing once: answers are kept in the cache, whole and before they are read.

    One call of `propose` makes one request, with all its questions; if a pattern among them has letters, it is the
    prompt for the second look, with patterns and crossings. An answer read from the cache costs nothing, and
    offline nothing else is read: what it does not have then gets no candidates.
    """

    name = "llm"

    def __init__(
        self,
        client: Client,
        cache: Cache,
        *,
        offline: bool = False,
        report: Callable[[str], None] = _to_stderr,
        seed: int = 0,
    ) -> None:
        self.client = client
        self._seed = seed
        self._calls: list[int | None] = []
        self._cache = cache
        self._offline = offline
        self._report = report
        self._cache_hits = 0
        self._limited = False

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Answer the questions that have a clue.

        Raises BudgetSpentError where a limit forbids the request, ProviderError where the model cannot be asked or
        gives nothing usable. A large puzzle is asked in parts; a part that fails is reported, unless all do.
        """
        asked = [question for question in questions if question.clue.strip()]
        prompt = load_prompt("again" if any(question.has_letters for question in asked) else "whole")
        found: dict[str, tuple[Candidate, ...]] = {}
        failures: list[LlmError] = []
        for part in _parts(asked):
            try:
                found |= self._answer(prompt, part)
            except LlmError as error:
                failures.append(error)
        self._limited |= any(isinstance(failure, LimitReachedError) for failure in failures)
        if failures and not found:
            kind = BudgetSpentError if isinstance(failures[0], LimitReachedError) else ProviderError
            raise kind(str(failures[0])) from failures[0]
        for failure in failures:
            self._report(f"part of the clues is left without candidates: {failure}")
        return found

    def afresh(self, seed: int = 0) -> LlmProvider:
        """Return it with its counts at zero, on the same client, cache and ledger; another seed is asked anew."""
        return LlmProvider(self.client, self._cache, offline=self._offline, report=self._report, seed=seed)

    def usage(self) -> Usage:
        """Return what this provider's calls took by the ledger, and the answers that the cache had instead.

        Without a ledger, or where its file cannot be read (which was reported when it happened), cost is None.
        """
        try:
            totals = self.client.ledger.totals(self._calls) if self.client.ledger is not None else None
        except LlmError:
            totals = None
        if totals is None:
            return Usage(cache_hits=self._cache_hits, cost=None, limited=self._limited)
        tokens = totals.prompt_tokens + totals.completion_tokens
        return Usage(totals.calls, self._cache_hits, tokens, totals.cost, self._limited)

    def _answer(self, prompt: Prompt, questions: Sequence[Question]) -> dict[str, tuple[Candidate, ...]]:
        key: dict[str, Any] = {
            "model": self.client.model,
            "server": self.client.base_url,
            "prompt": prompt.digest,
            "questions": [[q.slot, q.clue, q.length, q.pattern, [c.clue for c in q.crossings]] for q in questions],
        }
        if self._seed:
            key["seed"] = self._seed
        stored = self._cache.get(NAMESPACE, key)
        if stored is not None:
            try:
                found = _read(key, stored)
                self._cache_hits += 1
                return found  # noqa: TRY300  # the hit counts only where it can be read
            except LlmError as error:
                self.client.report(f"the answer in the cache is of no use: {error}")
        if self._offline:
            return {}
        reply = self.client.complete(
            _messages(prompt, questions),
            schema=REPLY_SCHEMA,
            purpose=f"clues:{prompt.name}",
            keep=lambda body: self._cache.put(NAMESPACE, key, body),
            seed=self._seed or None,
            calls=self._calls,
        )
        return _candidates(reply.parsed, questions, self.client.model)


@contextmanager
def open_llm(settings: Settings, cache: Cache, warn: Callable[[str], None] = _to_stderr) -> Iterator[LlmProvider]:
    """Open the provider that the settings describe, and close its connections afterwards.

    A timeout that the user has not set is the client's own: a model takes longer than a dictionary. What was used
    is in `provider.client.ledger`. Raises ProviderError for a base URL or key that cannot be one.
    """
    limits = Limits(settings.max_calls, settings.max_tokens)
    ledger = Ledger(settings.data_dir / LEDGER, limits=limits, prices=settings.prices, report=warn)
    timeout = TIMEOUT_SECONDS if settings.origin("timeout") == "default" else settings.timeout
    try:
        client = Client(
            settings.model, settings.base_url, settings.api_key, timeout=timeout, ledger=ledger, report=warn
        )
    except LlmError as error:
        raise ProviderError(str(error)) from error
    with client:
        yield LlmProvider(client, cache, offline=settings.offline, report=warn)


def recorded(cache: Cache) -> Iterator[tuple[Question, Sequence[Candidate]]]:
    """Yield all that models ever answered, question by question, from the cache: for making a clue set of it."""
    for key, stored in cache.items(NAMESPACE):
        try:
            found = _read(key, stored)
        except (LlmError, KeyError, TypeError, ValueError):
            continue  # nothing usable was answered: the provider reported it when it happened
        for question in _questions(key):
            if question.slot in found:
                yield question, found[question.slot]


def _read(key: Mapping[str, Any], stored: str) -> dict[str, tuple[Candidate, ...]]:
    """Read a stored answer to the questions of a key. Raises LlmError where there is nothing usable in it."""
    reply = read_reply(stored, how="text", wants_json=True)
    return _candidates(reply.parsed, _questions(key), key["model"])


def _questions(key: Mapping[str, Any]) -> list[Question]:
    return [Question(slot, clue, length, pattern) for slot, clue, length, pattern, _ in key["questions"]]


def _candidates(parsed: Any, questions: Sequence[Question], model: str) -> dict[str, tuple[Candidate, ...]]:
    """Turn a reply's JSON into candidates. Raises ReplyError where not one of them fits its slot."""
    listed = read_slots(parsed, [question.slot for question in questions])
    found = {}
    for question in questions:
        ranked = weigh(listed.get(question.slot, ()), question.length)
        if ranked:
            found[question.slot] = tuple(Candidate(answer, share, f"llm:{model}") for answer, share in ranked)
    if not found:
        raise ReplyError(f"{model}: no answer to any of {len(questions)} clues has the length asked for")
    return found


def weigh(listed: Sequence[Listed], length: int) -> list[tuple[str, float]]:
    """Fold one slot's answers, drop wrong lengths, merge duplicates; best first, probabilities adding up to at most 1.

    >>> weigh([("It's me", 0.5), ("ITSME", 0.9), ("us", 0.9), ("Élite", 0.3)], 5)
    [('ITSME', 0.75), ('ELITE', 0.25)]
    >>> weigh([("ANT", None), ("BEE", None)], 3)
    [('ANT', 0.5), ('BEE', 0.25)]
    """
    best: dict[str, float] = {}
    for text, probability in listed:
        answer = answer_letters(text)
        if len(answer) == length:
            if probability is None:
                probability = UNSAID / 2 ** len(best)  # noqa: PLW2901  # the place in the list says what is not said
            best[answer] = max(probability, best.get(answer, 0.0))
    ranked = sorted(best.items(), key=lambda entry: -entry[1])[:MOST_CANDIDATES]
    total = max(1.0, sum(probability for _, probability in ranked))
    return [(answer, probability / total) for answer, probability in ranked]


def _messages(prompt: Prompt, questions: Sequence[Question]) -> list[Message]:
    lines = []
    for question in questions:
        pattern = f" {question.pattern}" if prompt.name == "again" else ""
        lines.append(f"{question.slot} ({question.length}){pattern}: {_line(question.clue)}")
        if prompt.name == "again":
            lines += [f"    crossed by: {_line(crossing.clue)}" for crossing in question.crossings]
    return [{"role": "system", "content": prompt.text}, {"role": "user", "content": "\n".join(lines)}]


def _line(text: str) -> str:
    return " ".join(text.split())


def _parts(questions: Sequence[Question]) -> Iterator[Sequence[Question]]:
    for start in range(0, len(questions), MOST_QUESTIONS):
        yield questions[start : start + MOST_QUESTIONS]
