"""Datamuse (https://www.datamuse.com/api/) as a provider: a clue becomes a few queries, their answers one list.

Each query asks for as many words as the server gives and is filtered here by length, so that one request serves
every pattern of its clue and can be cached for good. Patterns (`sp`) are asked only once letters are known, and
always together with the clue: a word that merely fits is no candidate.

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
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agent import __version__
from agent.candidates.clues import Reading, read_clue
from agent.candidates.provider import ProviderError, Question, Usage
from agent.config import DATAMUSE_URL
from agent.grid import Candidate, answer_letters

if TYPE_CHECKING:
    import requests

    from agent.cache import Cache

MOST_WORDS = 1000
"""Words per query, the most that Datamuse gives: filtering by length needs all of them."""
MOST_PARTS = 3
"""Definitions that get a query of their own beside the whole clue: bounds what a clue of many can cost."""
MOST_TOPICS = 5
"""Topic words that Datamuse looks at."""
LONGEST_QUERY = 120
"""Characters of a definition that are sent: enough for any printed clue, and no URL that a server would refuse."""

SMALL_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "do", "for", "from", "he", "her",
    "his", "i", "in", "is", "it", "my", "of", "on", "or", "our", "she", "that", "the", "their",
    "they", "this", "to", "was", "we", "what", "with", "you", "your",
})  # fmt: skip
"""Words with which anything can stand: what follows or precedes them most often says nothing about an answer."""

REQUESTS_PER_SECOND = 10.0
"""Pace over all threads. Datamuse names a limit for the day only (100,000); this keeps a puzzle's 50 polite."""
CONCURRENCY = 4
"""Requests under way at once: hides the latency of a far server without crowding it."""
ATTEMPTS = 3
"""How often a query is tried before it counts as failed: a passing fault rarely hits three times."""
BACKOFF_SECONDS = 0.5
"""Wait before the second attempt, doubled for each further one, where the server does not say how long."""
LONGEST_WAIT_SECONDS = 30.0
"""A server that asks for a longer wait than this is given up: a person is waiting too."""
GIVE_UP_AFTER = 3
"""Failed queries, none having worked, after which the rest is not asked: the server is down."""
TIMEOUT_SECONDS = 10.0
"""Time for a connection, for each silence, and for a whole answer: then the others' answers have to do."""
MOST_BYTES = 2_000_000
"""Answers larger than this are refused; a thousand words take far less, as a test computes."""
CHUNK_BYTES = 64
"""How much is read between two looks at the clock: little, so that an answer that trickles is noticed."""

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
"""What a query form counts in the merged list. Set by hand, halves for forms that know only part of the clue; not
fitted, for want of recorded Datamuse answers that may be tuned on."""
RANK_OFFSET = 2.0
"""Smooths reciprocal ranks, weight / (offset + rank): the larger, the less the first place counts. Not fitted."""
LISTED_MASS = 0.6
"""Sum of the probabilities of all that is listed; the rest is the chance that the answer is missing. Not fitted."""

Params = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Query:
    """One request to Datamuse: its parameters, sorted, and the form that it has in WEIGHTS."""

    form: str
    params: Params

    @property
    def why(self) -> str:
        """Say what makes an answer of this query a candidate."""
        return f"{self.form}: {', '.join(value for name, value in self.params if name not in ('v', 'topics'))}"


def queries(question: Question) -> tuple[Query, ...]:
    """Turn a clue into queries; none repeats another, and a clue that says nothing has none."""
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
    # A single word triggers associations of its own; of several nobody knows which one does. Across a small word,
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
    """Cut a text to what is sent, at a word's end, without what no URL can carry."""
    text = text.encode("utf-8", "ignore").decode()
    return text if len(text) <= LONGEST_QUERY else text[:LONGEST_QUERY].rpartition(" ")[0] or text[:LONGEST_QUERY]


def fit(word: str, length: int, reading: Reading) -> str:
    """Return the letters of a word or phrase that may stand in a slot, or "" where none may.

    Where the answer is only a piece of the phrase, next to a word of the clue or to another slot's answer, it is
    cut out of it.

    >>> fit("it's me", 5, Reading("")), fit("lion", 5, Reading(""))
    ('ITSME', '')
    >>> fit("san diego", 5, read_clue("San ___, Calif."))
    'DIEGO'
    >>> from agent.candidates.provider import Reference
    >>> see = Reference("2A", "see", 5, "With 1-Down, a tenor's big night")
    >>> fit("opera debut", 5, read_clue("See 2-Across", [see]))
    'DEBUT'
    """
    if word.isascii() and word.isalpha():  # nearly all: a thousand words a query have to be looked at
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
    """Read an answer of Datamuse: its words, best first. Raises ValueError where it is none.

    >>> parse_words('[{"word": "cat", "score": 3}, {"word": "dog", "tags": ["n"]}]')
    ['cat', 'dog']
    """
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("the answer is not JSON") from None
    if not isinstance(entries, list):
        raise ValueError("the answer is not a list")  # noqa: TRY004  # a server's fault, not a caller's
    words = [entry["word"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("word"), str)]
    if len(words) < len(entries):
        raise ValueError("the answer is not a list of words")
    return words


class Fault(Exception):  # noqa: N818  # an attempt's end, not an error yet: the next attempt may work
    """One attempt failed; `wait` is what the server asked for, in seconds, `final` that another try is useless."""

    def __init__(self, reason: str, *, wait: float | None = None, final: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        self.final = final


class Pace:
    """Lets callers of all threads through one after the other, at most so many per second."""

    def __init__(self, per_second: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._interval = 1 / per_second
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        """Return when it is the caller's turn."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._next)
            self._next = turn + self._interval
        if turn > now:
            self._sleep(turn - now)

    def hold(self, seconds: float) -> None:
        """Let nobody through for a while."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)


class Datamuse:
    """The provider. `offline` answers from the cache alone and opens no socket.

    Where some queries fail for good, `warn` is handed one line and the others' answers are used; where all fail,
    ProviderError is raised. `sleep` and `clock` are the only ways in which it waits.
    """

    name = "datamuse"

    def __init__(
        self,
        cache: Cache,
        base_url: str = DATAMUSE_URL,
        *,
        offline: bool = False,
        timeout: float = TIMEOUT_SECONDS,
        warn: Callable[[str], None] = _to_stderr,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cache = cache
        self._url = base_url.rstrip("/") + "/words"
        self._offline = offline
        self._timeout = timeout
        self._warn = warn
        self._sleep = sleep
        self._clock = clock
        self._pace = Pace(REQUESTS_PER_SECOND, clock, sleep)
        self._lock = threading.Lock()
        self._calls = 0
        self._cache_hits = 0

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Ask what the cache does not know, each query once, and merge the answers of each question."""
        asked = {question.key: queries(question) for question in questions}
        wanted = list(dict.fromkeys(query.params for mine in asked.values() for query in mine))
        known = {params: words for params in wanted if (words := self._recall(params)) is not None}
        missing = [params for params in wanted if params not in known]
        with self._lock:
            self._cache_hits += len(known)
        if missing and not self._offline:
            fresh, failures = self._ask(missing)
            known |= fresh
            if failures and not known:
                raise ProviderError(f"datamuse: {failures[0]}")
            if failures:
                self._warn(f"datamuse: {len(failures)} of {len(wanted)} queries failed: {failures[0]}")
        return {
            question.key: merge(question, [(q, known[q.params]) for q in asked[question.key] if q.params in known])
            for question in questions
        }

    def afresh(self, seed: int = 0) -> Datamuse:
        """Return it with its counts at zero, sharing cache and pace; its answers are the same for every seed."""
        del seed
        fresh = copy(self)
        fresh._calls = fresh._cache_hits = 0  # noqa: SLF001  # its own kind
        return fresh

    def usage(self) -> Usage:
        """Return the requests made and the answers that the cache had instead; they are free."""
        return Usage(self._calls, self._cache_hits)

    def _key(self, params: Params) -> dict[str, Any]:
        return {"url": self._url, "params": dict(params)}

    def _recall(self, params: Params) -> list[str] | None:
        body = self._cache.get(self.name, self._key(params))
        try:
            return parse_words(body) if isinstance(body, str) else None
        except ValueError:
            return None  # not what was put there: it is asked again

    def _ask(self, missing: Sequence[Params]) -> tuple[dict[Params, list[str]], list[str]]:
        """Ask the server, several queries at a time: what it said, and a line for each query that failed."""
        import requests
        from requests.adapters import HTTPAdapter

        answers: dict[Params, list[str]] = {}
        failures: list[str] = []
        stop = threading.Event()

        def one(params: Params) -> None:
            if stop.is_set() or (len(failures) >= GIVE_UP_AFTER and not answers):
                failures.append("not asked, as all before failed")
                return
            try:
                answers[params] = self._try(session, params, stop)
            except Fault as fault:
                failures.append(str(fault))

        with requests.Session() as session:
            session.headers["User-Agent"] = f"gridwright/{__version__}"
            for scheme in ("http://", "https://"):
                session.mount(scheme, HTTPAdapter(pool_maxsize=CONCURRENCY))
            with ThreadPoolExecutor(CONCURRENCY, thread_name_prefix=self.name) as pool:
                try:
                    for done in [pool.submit(one, params) for params in missing]:
                        done.result()
                finally:
                    stop.set()  # Ctrl-C: what has not begun is not begun
        return answers, failures

    def _try(self, session: requests.Session, params: Params, stop: threading.Event) -> list[str]:
        """Ask one query, again where that may help; cache the answer as it came. Raises Fault."""
        for attempt in range(ATTEMPTS):
            self._pace.wait()
            try:
                body = self._get(session, params)
                try:
                    words = parse_words(body)
                except ValueError as error:
                    raise Fault(str(error)) from None
            except Fault as fault:
                if fault.final or attempt == ATTEMPTS - 1 or stop.is_set():
                    raise
                if fault.wait is None:
                    self._sleep(BACKOFF_SECONDS * 2**attempt)
                elif fault.wait > LONGEST_WAIT_SECONDS:
                    raise Fault(f"{fault}, and asks to wait {fault.wait:.0f} s") from None
                else:
                    self._pace.hold(fault.wait)
            else:
                self._cache.put(self.name, self._key(params), body)
                return words
        raise AssertionError("the last attempt returns or raises")

    def _get(self, session: requests.Session, params: Params) -> str:
        """Make one request; return the body. Raises Fault."""
        import requests

        with self._lock:
            self._calls += 1
        query = dict(params) | {"max": str(MOST_WORDS)}
        deadline = time.monotonic() + self._timeout
        try:
            with session.get(self._url, params=query, timeout=self._timeout, stream=True) as response:
                if response.status_code != requests.codes.ok:
                    busy = response.status_code == requests.codes.too_many_requests
                    wait = _retry_after(response.headers.get("Retry-After", ""))
                    final = response.status_code < 500 and not busy
                    raise Fault(f"the server says HTTP {response.status_code}", wait=wait, final=final)
                body = bytearray()
                for chunk in response.iter_content(CHUNK_BYTES):
                    body += chunk
                    if len(body) > MOST_BYTES:
                        raise Fault(f"an answer of more than {MOST_BYTES / 1e6:.0f} MB")
                    if time.monotonic() > deadline:
                        raise Fault(f"no whole answer within {self._timeout:g} s")
                return body.decode()
        except UnicodeDecodeError:
            raise Fault("the answer is not UTF-8 text") from None
        except requests.Timeout:
            raise Fault(f"no answer within {self._timeout:g} s") from None
        except requests.RequestException as error:
            if isinstance(error, ValueError):  # so requests marks what is wrong with the address itself
                raise Fault(f"{self._url} is no web address", final=True) from None
            raise Fault(f"no answer from {self._url} ({type(error).__name__})") from None


def _retry_after(value: str) -> float | None:
    """Read a Retry-After header, seconds or a date; None where it says nothing."""
    if re.fullmatch(r"\s*\d{1,9}\s*", value):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
