"""Candidates from a language model: one request for the whole puzzle, and one more to choose among fillings.

>>> from agent.testing import FakeOpenAI
>>> from tempfile import TemporaryDirectory
>>> says = {"notes": "", "slots": [["1A", "in bed", 0.7]]}
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

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from agent.cache import Cache
from agent.candidates.parts import split
from agent.candidates.provider import Exchange, Question, Usage
from agent.candidates.wording import first_look, heading, options, second_look
from agent.config import Settings
from agent.errors import LimitReachedError, LlmError, ProviderError, ReplyError
from agent.grid import Candidate
from agent.llm.client import Client, open_client
from agent.llm.prompt import Prompt, load_prompt
from agent.llm.reply import read_reply
from agent.llm.schema import REPLY_SCHEMA, Listed, read_slots
from agent.text import answer_letters
from agent.warn import Warn, warn_on_stderr

NAMESPACE = "llm"
"""The namespace of the answers in the cache."""
MOST_QUESTIONS = 60
"""Clues in one request: any mini, and large puzzles in parts, as models lose track of hundreds. Not fitted."""
ASKED_AT_ONCE = 4
"""Parts of one puzzle that are asked at the same time: a 15x15 has two, a 21x21 has three. Not fitted."""
MOST_CANDIDATES = 20
"""Candidates kept per slot: the prompt asks for eight, a model in a loop lists thousands. Not fitted."""
UNSAID = 0.5
"""Probability of a first candidate without a stated one; each further one has half of it. Not fitted."""

YES = "YES"
NO = frozenset({"NO", "NONE", "NONEOFTHESE", "NONEOFTHEM"})
"""Answers by which models decline all words of an offer without naming another, folded as answers are."""

Found = dict[str, tuple[Candidate, ...]]


class LlmProvider:
    """Ask a language model each question once: responses are kept in the cache, whole and before they are read.

    Questions without choices are the first look: the prompt has the grid, if one is known, and the crossings. With
    choices it is the second: the model picks among the words offered, or names another. A word that it picks has the
    source `llm choice:MODEL`, as agreement is weaker evidence than an idea of its own; any other has `llm:MODEL`.

    One call of `propose` makes one request with all its questions, or a few at the same time if there are many. An
    answer from the cache costs nothing; offline there are no others, and other questions are left out.
    """

    name = "llm"

    def __init__(
        self,
        client: Client,
        cache: Cache,
        *,
        offline: bool = False,
        seed: int = 0,
    ) -> None:
        self.client = client
        self._seed = seed
        self._calls: list[int | None] = []
        self._cache = cache
        self.offline = offline
        self._cache_hits = 0
        self._limited = False
        self._lock = threading.Lock()  # of the two that follow: a request is in one of them
        self._waiting: list[_Part] = []
        self._exchanges: list[Exchange] = []

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Answer the questions that have a clue.

        Raises ProviderError if a limit forbids a request, the model cannot be asked or gives nothing usable; if that
        befalls a part of a large puzzle, with the answers to the others.
        """
        asked = [question for question in questions if question.clue.strip()]
        if any(question.choices for question in asked):
            prompt, show = load_prompt("choose"), second_look
        else:
            prompt, show = load_prompt("whole"), partial(_under, heading(questions))
        parts = [_Part(prompt, show(part), part) for part in split(asked, MOST_QUESTIONS)]
        with self._lock:
            self._waiting += parts
        answers = _at_once(self._converse, parts)
        found = {slot: candidates for answer in answers for slot, candidates in answer.found.items()}
        failures = [answer.failure for answer in answers if answer.failure is not None]
        self._cache_hits += sum(answer.from_cache for answer in answers)
        self._limited |= any(isinstance(failure, LimitReachedError) for failure in failures)
        if failures and not found:
            raise ProviderError(str(failures[0])) from failures[0]
        recalled = [
            q.key for part, answer in zip(parts, answers, strict=True) if answer.from_cache for q in part.questions
        ]
        found = dict.fromkeys(recalled, ()) | found
        if failures:
            problem = "; ".join(dict.fromkeys(map(str, failures)))
            raise ProviderError(f"part of the clues is left without candidates: {problem}", found) from failures[0]
        return found

    def for_puzzle(self, seed: int = 0) -> LlmProvider:
        """Return a copy with its counts at zero, on the same client, cache and ledger; another seed is asked again."""
        return LlmProvider(self.client, self._cache, offline=self.offline, seed=seed)

    def exchanges(self, *, late: bool = False) -> Sequence[Exchange]:
        """Return what the model was asked since this was called last, and what it replied.

        With `late`, what it has not replied to yet as well; all are marked as late.
        """
        with self._lock:
            told, self._exchanges = self._exchanges, []
            if late:
                told += [_exchange(part, _Answer()) for part in self._waiting]
        return [replace(one, is_late=True) for one in told] if late else told

    def usage(self) -> Usage:
        """Return the usage of this provider's calls by the ledger, and the number of answers from the cache.

        Without a ledger, or if its file cannot be read (which was reported when it happened), cost is None.
        """
        try:
            totals = self.client.ledger.totals(self._calls) if self.client.ledger is not None else None
        except LlmError:
            totals = None
        if totals is None:
            return Usage(cache_hits=self._cache_hits, cost=None, limited=self._limited)
        tokens = totals.prompt_tokens + totals.completion_tokens
        return Usage(totals.calls, self._cache_hits, tokens, totals.cost, self._limited)

    def _converse(self, part: _Part) -> _Answer:
        """Answer one request, and keep what was said. Called from several threads."""
        answer = self._answer(part)
        with self._lock:
            self._waiting.remove(part)
            self._exchanges.append(_exchange(part, answer))
        return answer

    def _answer(self, part: _Part) -> _Answer:
        """Answer one request from the cache or the model."""
        key = part.key(self.client, self._seed)
        stored = self._cache.get(NAMESPACE, key)
        if stored is not None:
            try:
                return _Answer(_read(key, stored), reply=_text(stored), from_cache=True)
            except LlmError as error:
                self.client.warn(f"the answer in the cache is of no use: {error}")
        if self.offline:
            return _Answer()
        try:
            reply = self.client.complete(
                [{"role": "system", "content": part.prompt.text}, {"role": "user", "content": part.shown}],
                schema=REPLY_SCHEMA,
                purpose=f"clues:{part.prompt.name}",
                keep=lambda body: self._cache.put(NAMESPACE, key, body),
                seed=self._seed or None,
                calls=self._calls,
            )
            return _Answer(_candidates(reply.parsed, key), reply=reply.text)
        except LlmError as error:
            return _Answer(failure=error)


@dataclass(frozen=True, slots=True)
class _Part:
    """One request: the prompt, the text below it, and the questions in that text."""

    prompt: Prompt
    shown: str
    questions: Sequence[Question]

    def key(self, client: Client, seed: int) -> dict[str, Any]:
        """Return the key of the answer in the cache: all that the model is shown, and all that is needed to read it."""
        key: dict[str, Any] = {
            "model": client.model,
            "server": client.base_url,
            "prompt": self.prompt.digest,
            "shown": self.shown,
            "questions": [[q.key, q.noted, q.length, q.pattern, options(q)] for q in self.questions],
        }
        return key | {"seed": seed} if seed else key


@dataclass(frozen=True, slots=True)
class _Answer:
    """The outcome of a part."""

    found: Found = field(default_factory=dict)
    reply: str = ""
    from_cache: bool = False
    failure: LlmError | None = None


def _exchange(part: _Part, answer: _Answer) -> Exchange:
    failure = str(answer.failure or "") if not answer.found else ""
    return Exchange(part.prompt.text, part.shown, answer.reply, failure, answer.from_cache)


def _under(heading: str, questions: Sequence[Question]) -> str:
    return f"{heading}\n\n{first_look(questions)}" if heading else first_look(questions)


def _at_once(answer: Callable[[_Part], _Answer], parts: Sequence[_Part]) -> list[_Answer]:
    """Answer parts at the same time; a single one in this thread, where Ctrl-C reaches it."""
    if len(parts) < 2:
        return [answer(part) for part in parts]
    pool = ThreadPoolExecutor(min(ASKED_AT_ONCE, len(parts)), thread_name_prefix="llm")
    try:
        answers = list(pool.map(answer, parts))
    except BaseException:
        # After Ctrl-C the threads are left to end by themselves: responses that still arrive go to the cache.
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
    return answers


@contextmanager
def open_llm(settings: Settings, cache: Cache, warn: Warn = warn_on_stderr) -> Iterator[LlmProvider]:
    """Open the provider that the settings describe, and close its connections afterwards.

    Its usage is in `provider.client.ledger`. Raises ConfigError for a bad base URL or key.
    """
    with open_client(settings, warn) as client:
        yield LlmProvider(client, cache, offline=settings.offline)


def recorded(cache: Cache) -> Iterator[tuple[Question, Sequence[Candidate]]]:
    """Yield all answers of models in the cache, question by question, for a clue set."""
    for key, stored in cache.items(NAMESPACE):
        try:
            found = _read(key, stored)
        except (LlmError, KeyError, TypeError, ValueError):
            continue  # an unusable answer: the provider reported it when it came
        for question in _questions(key):
            if question.key in found:
                yield question, found[question.key]


def _read(key: Mapping[str, Any], stored: str) -> Found:
    """Read a stored answer to the questions of a key. Raises LlmError if there is nothing usable in it."""
    return _candidates(read_reply(stored, how="text", wants_json=True).parsed, key)


def _text(stored: str) -> str:
    return read_reply(stored, how="text", wants_json=False).text


def _useless(parsed: Sequence[Any], questions: Sequence[Question], has_answers: bool) -> str:
    """Return in words why a reply has no candidate for any question."""
    if has_answers:
        return f"no answer to any of {len(questions)} clues has the length asked for"
    names = next((list(value)[:3] for value in parsed if isinstance(value, dict) and value), ())
    found = f", found {', '.join(map(repr, names))}"[:80] if names else ""
    return f"the answer has nothing for slots such as {questions[0].key}{found}"


def _questions(key: Mapping[str, Any]) -> list[Question]:
    return [
        Question(slot, clue, length, pattern, choices=tuple(Candidate(word, 0.0, "") for word in offered))
        for slot, clue, length, pattern, offered in key["questions"]
    ]


def _candidates(parsed: Sequence[Any], key: Mapping[str, Any]) -> Found:
    """Return the candidates in a reply's JSON; slot by slot, the last mention counts.

    So notes may hold drafts, and an answer that is cut off, or followed by a correction, loses nothing. Raises
    ReplyError if not one answer fits its slot.
    """
    questions = _questions(key)
    listed: dict[str, list[Listed]] = {}
    for value in parsed:
        listed |= read_slots(value, [question.key for question in questions])
    found = {}
    for question in questions:
        offered = options(question)
        said = listed.get(question.key, [])
        ranked = fold(_chosen(said, offered) if offered else said, question.length)
        if ranked:
            found[question.key] = tuple(
                Candidate(answer, share, f"llm{' choice' if answer in offered else ''}:{key['model']}")
                for answer, share in ranked
            )
    if not found:
        raise ReplyError(f"{key['model']}: {_useless(parsed, questions, any(listed.values()))}")
    return found


def _chosen(said: Sequence[Listed], offered: Sequence[str]) -> list[Listed]:
    """Return the answers to a choice: a yes stands for the one word that was offered, a no for none.

    >>> _chosen([("yes", 0.8), ("No", 0.2)], ["TART"]), _chosen([("NONE", 0.7), ("BONGO", 0.3)], ["BANJO", "BONGO"])
    ([('TART', 0.8)], [('BONGO', 0.3)])
    >>> _chosen([("TART", None), ("no", None)], ["TART"])
    []
    """
    is_no = len(offered) == 1 and any(p is None and answer_letters(text) in NO for text, p in said)
    chosen = []
    for text, probability in said:
        word = answer_letters(text)
        if is_no and probability is None:
            continue
        if word in offered or word not in NO | {YES}:
            chosen.append((text, probability))
        elif word == YES and len(offered) == 1:
            chosen.append((offered[0], probability))
    return chosen


def fold(listed: Sequence[Listed], length: int) -> list[tuple[str, float]]:
    """Fold one slot's answers, drop wrong lengths, merge duplicates; best first, the probabilities sum to at most 1.

    >>> fold([("It's me", 0.5), ("ITSME", 0.9), ("us", 0.9), ("Élite", 0.3)], 5)
    [('ITSME', 0.75), ('ELITE', 0.25)]
    >>> fold([("ANT", None), ("BEE", None)], 3)
    [('ANT', 0.5), ('BEE', 0.25)]
    """
    best: dict[str, float] = {}
    for text, probability in listed:
        answer = answer_letters(text)
        if len(answer) == length:
            if probability is None:
                probability = UNSAID / 2 ** len(best)  # noqa: PLW2901  # the place in the list stands in for the missing probability
            best[answer] = max(probability, best.get(answer, 0.0))
    ranked = sorted(best.items(), key=lambda entry: -entry[1])[:MOST_CANDIDATES]
    total = max(1.0, sum(probability for _, probability in ranked))
    return [(answer, probability / total) for answer, probability in ranked]
