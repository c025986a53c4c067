"""Datamuse (https://www.datamuse.com/api/) as a provider: a clue becomes a few queries, their answers one list.

Each query asks for as many words as the server gives and is filtered here by length, so that one request serves
every pattern of its clue and can be cached for good. Patterns (`sp`) are asked only once letters are known, and
always together with the clue: a word that merely fits is not a candidate.

>>> for query in queries(Question("1A", "___ Madrid (soccer club)", 4)):
...     print(query.form, dict(query.params))
near {'rc': 'Madrid', 'topics': 'soccer,club'}
precedes {'rel_bgb': 'Madrid'}
means near {'ml': 'soccer club', 'rc': 'Madrid'}
means {'ml': 'soccer club'}
named {'ml': 'soccer club', 'v': 'enwiki'}
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agent import __version__
from agent.calls import Calls
from agent.candidates.clues import Reading, read_clue
from agent.candidates.provider import Question, Usage
from agent.config import DATAMUSE_URL
from agent.errors import ProviderError
from agent.grid import Candidate
from agent.network import PASSING, Gate, GivenUpError, PassingError, Retry, retry_after, through_proxy
from agent.text import answer_letters

if TYPE_CHECKING:
    import requests

    from agent.cache import Cache

MOST_WORDS = 1000
"""Words per query, Datamuse's maximum: filtering by length needs all of them."""
MOST_PARTS = 3
"""Definitions that get a query of their own besides the whole clue: bounds the cost of a clue that has many."""
MOST_TOPICS = 5
"""Maximum number of topic words that Datamuse uses."""
LONGEST_QUERY = 120
"""Characters of a definition that are sent: enough for any printed clue, and short enough for any server's URLs."""

SMALL_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "do", "for", "from", "he", "her",
    "his", "i", "in", "is", "it", "my", "of", "on", "or", "our", "she", "that", "the", "their",
    "they", "this", "to", "was", "we", "what", "with", "you", "your",
})  # fmt: skip
"""Words that go with anything: their most frequent neighbours say nothing about an answer."""

REQUESTS_PER_SECOND = 10.0
"""Pace over all threads. Datamuse only names a daily limit (100,000); this keeps a puzzle's 50 requests polite."""
CONCURRENCY = 4
"""Requests under way at once: hides the latency of a far server without crowding it."""
RETRY = Retry(attempts=3, first=0.5, most=30.0)
"""A passing fault rarely hits three times, and a user who is waiting has half a minute at most."""
GIVE_UP_AFTER = 3
"""Failed queries, with none successful, after which the rest is not sent: the server is down."""
TIMEOUT_SECONDS = 30.0
"""Default time for a connection, for each silence, and for a whole response. Not fitted."""
MOST_BYTES = 2_000_000
"""Responses larger than this are refused; a thousand words take far less, as a test computes."""
CHUNK_BYTES = 64
"""Bytes read between two looks at the clock: few, so that a response that trickles is noticed."""

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "means": 1.0,
        "means in topic": 1.0,
        "means near": 1.0,
        "means a part": 0.6,
        "follows": 1.0,
        "precedes": 1.0,
        "near": 0.5,
        "opposes": 1.0,
        "goes with": 0.4,
        "named": 0.5,
        "fits": 1.0,
    }
)
"""Weight of a query form in the merged list. Set by hand, about half for forms that know only part of the clue; not
fitted, for want of recorded Datamuse answers that may be tuned on."""
RANK_OFFSET = 2.0
"""Smooths reciprocal ranks, weight / (offset + rank): the larger, the less the first place counts. Not fitted."""
LISTED_MASS = 0.6
"""Sum of the probabilities of all listed words; the rest is the chance that the answer is missing. Not fitted."""

Params = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Query:
    """One request to Datamuse: its parameters, sorted, and the form that it has in WEIGHTS."""

    form: str
    params: Params

    @property
    def why(self) -> str:
        """Why an answer to this query is a candidate."""
        return f"{self.form}: {', '.join(value for name, value in self.params if name not in ('v', 'topics'))}"


def queries(question: Question) -> tuple[Query, ...]:
    """Turn a clue into queries, each once; a clue without usable words has none."""
    found = {query.params: query for query in reversed(list(_forms(question))) if query.params}
    return tuple(reversed(found.values()))


def _forms(question: Question) -> Iterator[Query]:
    reading = read_clue(question.clue, question.references)
    parts = [part for part in map(_sendable, reading.parts) if part][: MOST_PARTS + 1]
    meaning = {"ml": parts[0]} if parts else {}
    words = re.findall(r"[^\W\d_]{2,}", reading.topic)[:MOST_TOPICS]
    topics = {"topics": _sendable(",".join(words))} if words else {}
    left = {"lc": _sendable(reading.left[-1])} if reading.left else {}
    right = {"rc": _sendable(reading.right[0])} if reading.right else {}
    near = left | right
    if near:
        yield _query("near", near | topics)
    if left and left["lc"].lower() not in SMALL_WORDS:
        yield _query("follows", {"rel_bga": left["lc"]})
    if right and right["rc"].lower() not in SMALL_WORDS:
        yield _query("precedes", {"rel_bgb": right["rc"]})
    if near and meaning:
        yield _query("means near", meaning | near)
    if reading.opposite:
        yield _query("opposes", {"rel_ant": _sendable(reading.opposite).strip("-")})
    if meaning and topics and "blank" not in reading.signals:
        yield _query("means in topic", meaning | topics)
    for form, part in zip(("means", *["means a part"] * MOST_PARTS), parts, strict=False):
        yield _query(form, {"ml": part})
    # A single word triggers associations of its own; among several it is unknown which one does. Across a small word,
    # as in "Swing and a ___", association is all that a neighbour has to offer.
    beyond = [word for word in reading.left[:-1] if left["lc"].lower() in SMALL_WORDS]
    beyond = [word for word in beyond if word.lower() not in SMALL_WORDS]
    for text in (*beyond[-1:], reading.topic, *reading.parts):
        if re.fullmatch(r"[^\W\d_]+", text):
            yield _query("goes with", {"rel_trg": _sendable(text)})
            break
    if meaning and "name" in reading.signals:
        yield _query("named", meaning | {"v": "enwiki"})
    if question.has_letters and (meaning or near):
        yield _query("fits", {"sp": question.pattern.lower()} | (meaning or near))


def _query(form: str, params: Mapping[str, str]) -> Query:
    return Query(form, tuple(sorted(params.items())) if all(params.values()) else ())


def _sendable(text: str) -> str:
    """Cut a text at a word's end to the length that is sent, without characters that no URL can carry."""
    text = text.encode("utf-8", "ignore").decode()
    return text if len(text) <= LONGEST_QUERY else text[:LONGEST_QUERY].rpartition(" ")[0] or text[:LONGEST_QUERY]


def fit(word: str, length: int, reading: Reading) -> str:
    """Return the letters of a word or phrase that may stand in a slot, or "" if it does not fit.

    If the answer is only a piece of the phrase, next to a word of the clue or to another slot's answer, that piece is
    cut out.

    >>> fit("it's me", 5, Reading("")), fit("lion", 5, Reading(""))
    ('ITSME', '')
    >>> fit("san diego", 5, read_clue("San ___, Calif."))
    'DIEGO'
    >>> from agent.candidates.provider import Reference
    >>> see = Reference("2A", "see", 5, "With 1-Down, a tenor's big night")
    >>> fit("opera debut", 5, read_clue("See 2-Across", [see]))
    'DEBUT'
    """
    if word.isascii() and word.isalpha():  # the usual case, fast: a query has a thousand words
        return word.upper() if len(word) == length else ""
    word = re.sub(r"[\s_]*\(.*\)$", "", word)
    if any(ch.isdigit() for ch in word):
        return ""
    letters = answer_letters(word)
    if len(letters) == length:
        return letters
    pieces = [piece for piece in map(answer_letters, re.split(r"[\s_-]+", word)) if piece]
    for cut in range(1, len(pieces)):
        first, last = "".join(pieces[:cut]), "".join(pieces[cut:])
        if len(last) == length and reading.left and first == answer_letters(reading.left[-1]):
            return last
        if len(first) == length and reading.right and last == answer_letters(reading.right[0]):
            return first
        for reference in reading.references if len(reading.references) == 1 else ():
            if reference.role == "with" and (len(first), len(last)) == (length, reference.length):
                return first
            if reference.role == "see" and (len(first), len(last)) == (reference.length, length):
                return last
    return ""


def merge(question: Question, answers: Sequence[tuple[Query, Sequence[str]]]) -> list[Candidate]:
    """Merge the lists of several queries by weighted reciprocal rank, ranks counted among the words that fit.

    >>> a, b = Query("means", (("ml", "pet"),)), Query("goes with", (("rel_trg", "pet"),))
    >>> [str(c) for c in merge(Question("1A", "Pet", 3), [(a, ["cat", "dog"]), (b, ["dog"])])]
    ['DOG 31 % (datamuse)', 'CAT 29 % (datamuse)']
    """
    reading = read_clue(question.clue, question.references)
    scores: dict[str, float] = {}
    best: dict[str, tuple[float, Query]] = {}
    for query, words in answers:
        fitting = dict.fromkeys(letters for word in words if (letters := fit(word, question.length, reading)))
        for rank, letters in enumerate(fitting):
            share = WEIGHTS[query.form] / (RANK_OFFSET + rank)
            scores[letters] = scores.get(letters, 0.0) + share
            if letters not in best or share > best[letters][0]:
                best[letters] = (share, query)
    total = sum(scores.values())
    return [
        Candidate(letters, LISTED_MASS * score / total, Datamuse.name, best[letters][1].why)
        for letters, score in sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    ]


def parse_words(body: str) -> list[str]:
    """Return the words of a Datamuse response, best first. Raises ValueError for any other response.

    >>> parse_words('[{"word": "cat", "score": 3}, {"word": "dog", "tags": ["n"]}]')
    ['cat', 'dog']
    """
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("the response is not JSON") from None
    if not isinstance(entries, list):
        raise ValueError("the response is not a list")  # noqa: TRY004  # a server's fault, not a caller's
    words = [entry["word"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("word"), str)]
    if len(words) < len(entries):
        raise ValueError("the response is not a list of words")
    return words


class Datamuse:
    """The provider. With `offline` it answers from the cache alone and opens no socket.

    `timeout` is in seconds per response, headers included. `sleep` and `clock` can be replaced for quick tests.
    """

    name = "datamuse"

    def __init__(
        self,
        cache: Cache,
        base_url: str = DATAMUSE_URL,
        *,
        offline: bool = False,
        timeout: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache = cache
        self._url = base_url.rstrip("/") + "/words"
        self.offline = offline
        self._timeout = TIMEOUT_SECONDS if timeout is None else timeout
        self._gate = Gate(RETRY, per_second=REQUESTS_PER_SECOND, sleep=sleep, clock=clock)
        self._under_way = Calls()
        self._lock = threading.Lock()
        self._calls = 0
        self._cache_hits = 0

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Send the queries that the cache cannot answer, each once, and merge the answers to each question.

        Questions of which no query was answered are left out. Raises ProviderError if queries failed for good, with the
        answers to the others.
        """
        asked = {question.key: queries(question) for question in questions}
        wanted = list(dict.fromkeys(query.params for mine in asked.values() for query in mine))
        known = {params: words for params in wanted if (words := self._recall(params)) is not None}
        missing = [params for params in wanted if params not in known]
        with self._lock:
            self._cache_hits += len(known)
        fresh, failures = ({}, []) if self.offline else self._ask(missing)
        known |= fresh
        if failures and not known:
            raise ProviderError(failures[0])
        answers = {
            key: [(query, known[query.params]) for query in mine if query.params in known]
            for key, mine in asked.items()
        }
        found = {
            question.key: merge(question, answers[question.key])
            for question in questions
            if answers[question.key] or not asked[question.key]
        }
        if failures:
            raise ProviderError(f"{len(failures)} of {len(wanted)} queries failed: {failures[0]}", found)
        return found

    def for_puzzle(self, seed: int = 0) -> Datamuse:
        """Return it with its counts at zero, sharing cache and pace; its answers do not depend on the seed."""
        del seed
        fresh = copy(self)
        fresh._calls = fresh._cache_hits = 0  # noqa: SLF001  # its own kind
        return fresh

    def usage(self) -> Usage:
        """Return the number of requests, which are free, and of answers from the cache."""
        return Usage(self._calls, self._cache_hits)

    def _key(self, params: Params) -> dict[str, Any]:
        return {"url": self._url, "params": dict(params)}

    def _recall(self, params: Params) -> list[str] | None:
        body = self._cache.get(self.name, self._key(params))
        try:
            return parse_words(body) if isinstance(body, str) else None
        except ValueError:
            return None  # damaged: it is asked again

    def _ask(self, missing: Sequence[Params]) -> tuple[dict[Params, list[str]], list[str]]:
        """Ask the server, several queries at a time: return the answers, and a line for each query that failed."""
        import requests
        from requests.adapters import HTTPAdapter

        answers: dict[Params, list[str]] = {}
        failures: list[str] = []
        if not missing:
            return answers, failures
        stop = threading.Event()

        def one(params: Params) -> None:
            if stop.is_set() or (len(failures) >= GIVE_UP_AFTER and not answers):
                failures.append("not sent, as all before it failed")
                return
            try:
                answers[params] = self._gate.call(lambda: self._get(session, params), stop=stop.is_set)
            except GivenUpError as error:
                failures.append(str(error))

        with requests.Session() as session:
            session.headers["User-Agent"] = f"gridwright/{__version__}"
            for scheme in ("http://", "https://"):
                session.mount(scheme, HTTPAdapter(pool_maxsize=CONCURRENCY))
            with ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=self.name) as pool:
                try:
                    for done in [pool.submit(one, params) for params in missing]:
                        done.result()
                finally:
                    stop.set()  # Ctrl-C: start no further requests
        return answers, failures

    def _get(self, session: requests.Session, params: Params) -> list[str]:
        """Make one request, cache the response as it came, and return its words. Raises PassingError, GivenUpError."""
        import requests

        with self._lock:
            self._calls += 1
        try:
            body = self._under_way.start(lambda: self._read(session, params)).result(self._timeout)
            words = parse_words(body)
        except UnicodeDecodeError:
            raise PassingError("the response is not UTF-8 text") from None
        except (requests.Timeout, TimeoutError):
            raise PassingError(f"no response within {self._timeout:g} s") from None
        except requests.RequestException as error:
            if isinstance(error, ValueError):  # how requests marks faults of the address itself
                raise GivenUpError(f"{self._url} is not a valid URL") from None
            way = through_proxy(self._url)
            raise PassingError(f"no response from {self._url}{way} ({type(error).__name__})") from None
        except ValueError as error:
            raise PassingError(str(error)) from None
        self._cache.put(self.name, self._key(params), body)
        return words

    def _read(self, session: requests.Session, params: Params) -> str:
        """Return the body of one response, within the limits of size and time."""
        import requests

        query = dict(params) | {"max": str(MOST_WORDS)}
        deadline = time.monotonic() + self._timeout
        with session.get(
            self._url, params=query, timeout=self._timeout, stream=True, allow_redirects=False
        ) as response:
            status = response.status_code
            if response.is_redirect:
                raise GivenUpError(f"the server says HTTP {status}: redirects are not followed")
            if status != requests.codes.ok:
                message = f"the server says HTTP {status}"
                if status not in PASSING:
                    raise GivenUpError(message)
                raise PassingError(message, wait=retry_after(response.headers.get("Retry-After")))
            body = bytearray()
            for chunk in response.iter_content(CHUNK_BYTES):
                body += chunk
                if len(body) > MOST_BYTES:
                    raise PassingError(f"a response of more than {MOST_BYTES / 1e6:.0f} MB")
                if time.monotonic() > deadline:
                    raise PassingError(f"response incomplete after {self._timeout:g} s")
            return body.decode()
