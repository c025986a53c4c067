"""Datamuse: the queries for a clue, the merging of answers, and every way in which a server can fail."""

import gc
import threading
import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cache import Cache
from agent.candidates.clues import read_clue, resolve_references
from agent.candidates.datamuse import (
    CONCURRENCY,
    GIVE_UP_AFTER,
    LISTED_MASS,
    LONGEST_QUERY,
    MOST_BYTES,
    RETRY,
    WEIGHTS,
    Datamuse,
    fit,
    merge,
    queries,
)
from agent.candidates.provider import Provider, Question, Reference
from agent.errors import ProviderError
from agent.grid import Clue
from agent.testing import Canned, FakeDatamuse, no_network

CAT = Question("1A", "House pet", 3)
PETS = {"ml=House pet": ["goldfish", "cat", "dog", "guinea pig", "c a t"]}


class Sleeper:
    """Remembers how long it was to sleep, and does not."""

    def __init__(self) -> None:
        self.slept = []
        self.lock = threading.Lock()

    def __call__(self, seconds: float) -> None:
        with self.lock:
            self.slept.append(seconds)


@pytest.fixture
def cache(tmp_path):
    with Cache(tmp_path / "cache") as cache:
        yield cache


@pytest.fixture
def sleep():
    return Sleeper()


@pytest.fixture
def connect(cache, sleep):
    def make(server, **options) -> Datamuse:
        return Datamuse(cache, base_url=server.url, sleep=sleep, **options)

    return make


def answers(provider: Datamuse, question: Question = CAT) -> list[str]:
    return [candidate.answer for candidate in provider.propose([question])[question.slot]]


def forms(clue: str, length: int = 5, pattern: str = "", references=()) -> dict[str, dict[str, str]]:
    question = Question("1A", clue, length, pattern, references=references)
    return {query.form: dict(query.params) for query in queries(question)}


def test_it_is_a_provider_and_makes_nothing_before_it_is_asked(cache):
    assert isinstance(Datamuse(cache), Provider)
    assert not cache.folder.exists()


# What is asked


@pytest.mark.parametrize(
    ("clue", "expected"),
    [
        ("House pet", {"means": {"ml": "House pet"}}),
        (
            "Lick, as an envelope",
            {
                "means": {"ml": "Lick, as an envelope"},
                "means a part": {"ml": "Lick"},
                "goes with": {"rel_trg": "Lick"},
            },
        ),
        (
            "Love (tennis)",
            {
                "means": {"ml": "Love"},
                "means in topic": {"ml": "Love", "topics": "tennis"},
                "goes with": {"rel_trg": "tennis"},
            },
        ),
        ("___ eclipse", {"near": {"rc": "eclipse"}, "precedes": {"rel_bgb": "eclipse"}}),
        ("Raggedy ___", {"near": {"lc": "Raggedy"}, "follows": {"rel_bga": "Raggedy"}}),
        (
            "As ___ usual",
            {
                "near": {"lc": "As", "rc": "usual"},
                "precedes": {"rel_bgb": "usual"},
            },
        ),
        ("Opposite of inhale", {"means": {"ml": "Opposite of inhale"}, "opposes": {"rel_ant": "inhale"}}),
        ("Star of Frozen", {"means": {"ml": "Star of Frozen"}, "named": {"ml": "Star of Frozen", "v": "enwiki"}}),
        (
            "Partner of void",
            {
                "near": {"lc": "and"},
                "means": {"ml": "Partner of void"},
                "means near": {"lc": "and", "ml": "Partner of void"},
                "goes with": {"rel_trg": "void"},
            },
        ),
        ("Swing and a ___", {"near": {"lc": "a"}, "goes with": {"rel_trg": "Swing"}}),
        ("___", {}),
        ("", {}),
    ],
)
def test_a_clue_becomes_its_queries(clue, expected):
    assert forms(clue) == expected


def test_a_blank_with_a_topic_is_asked_all_ways():
    assert forms("___ code (what a programmer writes)") == {
        "near": {"rc": "code", "topics": "what,programmer,writes"},
        "precedes": {"rel_bgb": "code"},
        "means near": {"ml": "what a programmer writes", "rc": "code"},
        "means": {"ml": "what a programmer writes"},
    }


def test_a_reference_asks_for_the_other_clues_definition():
    clues = [Clue("2A", "With 1-Down, a tenor's first big night"), Clue("1D", "See 2-Across")]
    resolved = resolve_references(clues, {"2A": 5, "1D": 5})
    for clue in clues:
        assert forms(clue.text, references=resolved[clue.slot]) == {"means": {"ml": "a tenor's first big night"}}


def test_a_pattern_is_asked_with_the_clue_if_letters_are_known():
    assert "fits" not in forms("House pet", 3)
    assert forms("House pet", 3, "C?T")["fits"] == {"sp": "c?t", "ml": "House pet"}
    assert forms("As ___ usual", 3, "P??")["fits"] == {"sp": "p??", "lc": "As", "rc": "usual"}
    assert "fits" not in forms("___", 3, "C?T")


@given(st.text() | st.text(alphabet="ab_ ()\"';,.?-—\ud800🙂"))
def test_any_clue_makes_queries_that_can_be_sent_and_none_twice(clue):
    asked = queries(Question("1A", clue, 5, "A????"))
    assert len({query.params for query in asked}) == len(asked) <= 12
    for query in asked:
        assert query.form in WEIGHTS
        for _, value in query.params:
            assert 0 < len(value.encode()) <= 4 * LONGEST_QUERY


# How answers are merged


def test_words_of_the_length_are_kept_in_order_and_folded():
    with_pets = merge(Question("1A", "House pet", 3), [(queries(CAT)[0], ["goldfish", "cat", "Dög", "c.a.t", "ca7"])])
    assert [candidate.answer for candidate in with_pets] == ["CAT", "DOG"]
    assert with_pets[0].why == "means: House pet"
    assert with_pets[0].source == "datamuse"
    assert sum(candidate.probability for candidate in with_pets) == pytest.approx(LISTED_MASS)


def test_words_that_several_queries_agree_on_come_first():
    question = Question("1A", "Lick, as an envelope", 4)
    whole, part, trigger = queries(question)
    merged = merge(question, [(whole, ["wash", "seal"]), (part, ["seal"]), (trigger, ["seal", "stamp"])])
    assert [candidate.answer for candidate in merged] == ["SEAL", "WASH"]


@pytest.mark.parametrize(
    ("clue", "word", "length", "letters"),
    [
        ("___ eclipse", "solar eclipse", 5, "SOLAR"),
        ("San ___, Calif.", "san diego", 5, "DIEGO"),
        ("San ___, Calif.", "del diego", 5, ""),
        ('Barely beat, with "out"', "edge out", 4, "EDGE"),
        ("Apollo's planet", "mercury (planet)", 7, "MERCURY"),
        ("Singer", "billie_eilish", 12, "BILLIEEILISH"),
        ("Plane", "747 jet", 3, ""),
        ("Nothing", "", 3, ""),
    ],
)
def test_a_phrase_fits_whole_or_without_the_clues_words(clue, word, length, letters):
    assert fit(word, length, read_clue(clue)) == letters


@pytest.mark.parametrize(
    ("clue", "reference", "letters"),
    [
        ("With 1-Down, big night", Reference("1D", "with", 5, "See 2-Across"), "OPERA"),
        ("See 2-Across", Reference("2A", "see", 5, "With 1-Down, big night"), "DEBUT"),
        ("See 2-Across", Reference("2A", "see", 4, "With 1-Down, big night"), ""),
    ],
)
def test_each_slot_gets_its_part_of_a_phrase_over_two(clue, reference, letters):
    assert fit("opera debut", 5, read_clue(clue, [reference])) == letters


@given(st.text(), st.integers(1, 8), st.sampled_from(["___ a", "a ___", "See 1-Across [1-Across (1): x]", "a"]))
def test_whatever_fits_has_the_length_and_only_letters(word, length, clue):
    letters = fit(word, length, read_clue(clue))
    assert letters == "" or (len(letters) == length and letters.isascii() and letters.isalpha() and letters.isupper())


# Over the wire


def test_one_cached_request_serves_every_pattern(connect):
    with FakeDatamuse(PETS) as server:
        provider = connect(server)
        assert answers(provider) == ["CAT", "DOG"]
        assert answers(provider, Question("9D", "House pet", 8)) == ["GOLDFISH"]
    assert [request.query for request in server.requests] == [{"ml": "House pet", "max": "1000"}]
    assert server.requests[0].headers["user-agent"].startswith("gridwright/")


def test_the_answer_is_cached_as_it_came(connect, cache):
    body = b' [ {"word": "cat", "tags": ["n"], "new": 1}, {"word": "dog", "score": 3} ] '
    with FakeDatamuse({}, faults=[Canned(body)]) as server:
        assert answers(connect(server)) == ["CAT", "DOG"]
        key = {"url": f"{server.url}/words", "params": {"ml": "House pet"}}
        assert list(cache.items("datamuse")) == [(key, body.decode())]


def test_a_spoilt_cache_entry_is_asked_again(connect, cache):
    with FakeDatamuse(PETS) as server:
        cache.put("datamuse", {"url": f"{server.url}/words", "params": {"ml": "House pet"}}, "prose")
        assert answers(connect(server)) == ["CAT", "DOG"]


def test_equal_queries_of_several_questions_are_asked_once(connect):
    with FakeDatamuse(PETS) as server:
        found = connect(server).propose([CAT, Question("2D", "House pet", 8), Question("3D", "___", 3)])
    assert [candidate.answer for candidate in found["2D"]] == ["GOLDFISH"]
    assert found["3D"] == []
    assert len(server.requests) == 1


def test_offline_it_answers_from_the_cache_and_opens_no_socket(connect):
    with FakeDatamuse(PETS) as server:
        connect(server).propose([CAT])
        provider = connect(server, offline=True)
    with no_network(allow_loopback=False):
        found = provider.propose([CAT, Question("2D", "Never asked", 3)])
    assert [candidate.answer for candidate in found["1A"]] == ["CAT", "DOG"]
    assert "2D" not in found


def test_a_puzzle_is_asked_by_few_threads_and_leaves_none(connect):
    busy, most, lock, together = 0, 0, threading.Lock(), threading.Event()

    def words(_query):
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
            if busy > 1:
                together.set()
        together.wait(300)
        with lock:
            busy -= 1
        return ["cat"]

    before = set(threading.enumerate())
    questions = [Question(f"{number}A", f"clue {chr(97 + number)}", 3) for number in range(20)]
    with FakeDatamuse(words) as server:
        found = connect(server).propose(questions)
    assert all([candidate.answer for candidate in found[question.slot]] == ["CAT"] for question in questions)
    assert 1 < most <= CONCURRENCY
    assert set(threading.enumerate()) <= before
    gc.collect()  # an unclosed socket would warn, and warnings are errors


# Faults

FAULTS = {
    "busy": (Canned("slow down", status=429), "HTTP 429"),
    "broken": (Canned("oops", status=500), "HTTP 500"),
    "cut": (Canned('[{"word": "cat"}]', sent=0.5), "no response from"),
    "reset half-way": (Canned('[{"word": "cat"}]', sent=0.5, reset=True), "no response from"),
    "reset at once": (Canned("", sent=0, reset=True), "no response from"),
    "prose": (Canned("I am afraid I cannot answer that."), "not JSON"),
    "half JSON": (Canned('[{"word": "ca'), "not JSON"),
    "empty": (Canned(""), "not JSON"),
    "deep": (Canned("[" * 100_000), "not JSON"),
    "object": (Canned({"words": []}), "not a list"),
    "strings": (Canned(["cat", "dog"]), "not a list of words"),
    "numbers": (Canned([{"word": 3}]), "not a list of words"),
    "no word": (Canned([{"score": 3}]), "not a list of words"),
    "not text": (Canned(b"\xff\xfe"), "not UTF-8"),
    "huge": (Canned(b"[" + b" " * 5_000_000 + b"]"), "more than 2 MB"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_one_clear_line_if_it_stays(connect, cache, sleep, name):
    fault, message = FAULTS[name]
    with FakeDatamuse(PETS, faults=[fault] * (RETRY.attempts + 1)) as server:
        provider = connect(server)
        with pytest.raises(ProviderError) as caught:
            provider.propose([CAT])
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
        assert list(cache.items("datamuse")) == []
        assert len(sleep.slept) >= RETRY.attempts - 1
        assert answers(provider) == ["CAT", "DOG"]
    assert len(server.requests) == RETRY.attempts + 2


@pytest.mark.parametrize("fault", [Canned("[]", delay=5), Canned(b"[" + b" " * 400 + b"]", pause=0.05)])
def test_silence_and_trickle_end_at_the_timeout(connect, fault):
    with FakeDatamuse(PETS, faults=[fault] * RETRY.attempts) as server:
        provider = connect(server, timeout=0.2)
        with pytest.raises(ProviderError, match=r"(within|after) 0\.2 s"):
            provider.propose([CAT])


def test_no_server_is_one_clear_line(cache, sleep):
    with FakeDatamuse({}) as server:
        url = server.url
    with pytest.raises(ProviderError, match=r"^no response from .* \(ConnectionError\) \(tried 3 times\)$"):
        Datamuse(cache, base_url=url, sleep=sleep).propose([CAT])


@pytest.mark.parametrize("url", ["nonsense", "ftp://localhost", "http://"])
def test_a_wrong_address_is_not_tried_twice(cache, sleep, url):
    with pytest.raises(ProviderError, match="is not a valid URL"):
        Datamuse(cache, base_url=url, sleep=sleep).propose([CAT])
    assert sleep.slept == []


def test_a_bad_request_is_not_tried_twice(connect):
    with (
        FakeDatamuse({}, faults=[Canned("bad request", status=400)]) as server,
        pytest.raises(ProviderError, match="HTTP 400"),
    ):
        connect(server).propose([CAT])
    assert len(server.requests) == 1


def test_retry_after_is_honoured_in_seconds(connect, sleep):
    with FakeDatamuse(PETS, faults=[Canned("", status=429, headers={"Retry-After": "7"})]) as server:
        assert answers(connect(server, clock=lambda: 0.0)) == ["CAT", "DOG"]
    assert sleep.slept == [7]


def test_retry_after_is_honoured_as_a_date(connect, sleep):
    date = formatdate(time.time() + 20, usegmt=True)
    with FakeDatamuse(PETS, faults=[Canned("", status=503, headers={"Retry-After": date})]) as server:
        assert answers(connect(server, clock=lambda: 0.0)) == ["CAT", "DOG"]
    assert 5 < sleep.slept[0] <= 20


def test_a_server_that_asks_for_an_hour_is_given_up(connect, sleep):
    with (
        FakeDatamuse(PETS, faults=[Canned("", status=429, headers={"Retry-After": "3600"})]) as server,
        pytest.raises(ProviderError, match="HTTP 429; it asks to wait 3600 s"),
    ):
        connect(server).propose([CAT])
    assert sleep.slept == []


def test_a_retry_after_that_says_nothing_is_ignored(connect):
    with FakeDatamuse(PETS, faults=[Canned("", status=429, headers={"Retry-After": "soon"})]) as server:
        assert answers(connect(server)) == ["CAT", "DOG"]


def test_the_answers_of_the_queries_that_worked_are_kept(connect):
    def words(query):
        return PETS["ml=House pet"] if query["ml"] == "House pet" else [3]

    class HalfBroken(FakeDatamuse):
        def answer(self, request):
            return super().answer(request) if request.query["ml"] == "House pet" else Canned("", status=500)

    failed = r"^1 of 2 queries failed: the server says HTTP 500 \(tried 3 times\)$"
    with HalfBroken(words) as server, pytest.raises(ProviderError, match=failed) as partly:
        connect(server).propose([CAT, Question("2D", "Grass eater", 3)])
    assert [candidate.answer for candidate in partly.value.found["1A"]] == ["CAT", "DOG"]
    assert "2D" not in partly.value.found


def test_a_dead_server_is_not_asked_for_everything(connect):
    class Dead(FakeDatamuse):
        def answer(self, request):  # noqa: ARG002  # whatever it is asked
            return Canned("", status=500)

    questions = [Question(f"{number}A", f"clue {chr(97 + number)}", 3) for number in range(26)]
    with Dead({}) as server, pytest.raises(ProviderError, match="HTTP 500"):
        connect(server).propose(questions)
    assert len(server.requests) <= (GIVE_UP_AFTER + CONCURRENCY) * RETRY.attempts


def test_the_limit_is_above_what_a_thousand_words_take():
    longest = '{"word":"%s","score":4000000000,"tags":["syn","n","adj","results_type:primary_rel"]},' % ("x" * 100)
    assert len(longest) * 1000 < MOST_BYTES / 5
