"""Every fault of a real network, over real HTTP: the others carry on, it costs one line, and the exit code is right."""

import json
import socketserver
import threading
from contextlib import suppress

import pytest

from agent.cache import Cache
from agent.candidates.clueset import ClueSet
from agent.candidates.datamuse import Datamuse
from agent.candidates.llm import LlmProvider
from agent.candidates.provider import Question
from agent.errors import LlmError, ProviderError
from agent.llm.client import Client
from agent.llm.ledger import Ledger
from agent.network import Retry
from agent.solve import solve
from agent.testing import Canned, FakeDatamuse, FakeOpenAI, completion
from agent.tools import Tools

LATE_SECONDS = 30.0
TIMEOUT_SECONDS = 60.0
"""Time-out of a server that answers: a loaded machine is slow."""
SOON_SECONDS = 0.2
"""Time-out of a server that never answers in time."""
LATER_SECONDS = 2.0
"""Time-out of a server that answers the second time."""
MEGABYTES = "x" * 5_000_000
ERROR = {"error": {"message": "no"}}

PASSING = {
    "timeout": Canned(completion("{}"), delay=LATE_SECONDS),
    "drip": Canned(completion("{}"), pause=LATE_SECONDS),
    "429 with Retry-After": Canned(ERROR, status=429, headers={"Retry-After": "0"}),
    "500": Canned("<html>oops</html>", status=500),
    "503 without a body": Canned(b"", status=503),
    "reset half-way": Canned(completion("{}"), sent=0.5, reset=True),
    "closed half-way": Canned(completion("{}"), sent=0.5),
    "closed before the head": Canned(b"", sent=0.0),
}
"""Faults of the way to a server, for both providers; another attempt may help."""
SILENT = {"timeout", "drip"}
"""Those of a server that never answers in time."""

LAME = {
    "truncated JSON": '{"slots": [{"slot": "1A", "cand',
    "wrong JSON": {"answers": 3},
    "a list of numbers": "[1, 2, 3]",
    "deep JSON": "[" * 100_000,
    "prose": "Sure! Here are some thoughts about your crossword.",
    "nothing": "",
    "refusal": Canned(completion(None, refusal="I cannot help with that.")),
    "cut off at once": Canned(completion("", finish="length")),
    "wrong lengths": {"slots": [{"slot": "1A", "candidates": [{"answer": "STOPSIGN", "probability": 0.9}]}]},
    "slots of another puzzle": {"slots": [{"slot": "77D", "candidates": [{"answer": "STOP", "probability": 1}]}]},
    "5 MB of prose": MEGABYTES,
    "no JSON at all": Canned(b"\x00\xff\xfe garbage"),
    "an error told with status 200": Canned(ERROR),
    "another kind of object": Canned({"object": "list", "data": []}),
    "401": Canned(ERROR, status=401),
    "404": Canned("not here", status=404),
    "a redirect": Canned(b"", status=307, headers={"Location": "http://example.invalid/"}),
    "a Retry-After of a week": Canned(ERROR, status=429, headers={"Retry-After": "604800"}),
}
"""What a model or its server says that is of no use."""


def model(server, cache, said, timeout):
    client = Client("m", server.base_url, timeout=timeout, retry=Retry(attempts=2, first=0.0), warn=said.append)
    return client, LlmProvider(client, cache)


def datamuse(server, cache, timeout=TIMEOUT_SECONDS):
    return Datamuse(cache, server.url, timeout=timeout, sleep=lambda _: None)


def timeout_of(fault):
    return SOON_SECONDS if fault in SILENT else TIMEOUT_SECONDS


def ask(puzzle, script, tmp_path, *others, timeout=TIMEOUT_SECONDS):
    """Solve with a model behind a faulty server and other providers; return the solution and all messages."""
    said = []
    with FakeOpenAI(script) as server, Cache(tmp_path / "cache", warn=said.append) as cache:
        client, provider = model(server, cache, said, timeout)
        with client:
            solution = solve(puzzle, Tools([provider, *others]))
    return solution, said


def is_one_line(text):
    return text.isprintable() and len(text) < 400 and "Traceback" not in text


@pytest.mark.parametrize("fault", [*PASSING, *LAME])
def test_a_failing_model_is_one_warning(puzzle, clues, tmp_path, fault):
    faulty = {**PASSING, **LAME}[fault]
    solution, said = ask(puzzle, [faulty], tmp_path, ClueSet.open(clues), timeout=timeout_of(fault))
    assert solution.solved
    assert solution.grid == puzzle.solution
    assert len(solution.warnings) == 1
    assert all(map(is_one_line, [*said, *solution.warnings]))
    assert solution.warnings[0].startswith("llm: m")


@pytest.mark.parametrize("fault", ["timeout", "500", "prose", "refusal", "truncated JSON", "401"])
def test_a_model_that_fails_alone_is_exit_4(puzzle, tmp_path, fault):
    solution, _ = ask(puzzle, [{**PASSING, **LAME}[fault]], tmp_path, timeout=timeout_of(fault))
    assert solution.is_unanswered
    assert not solution.consistent


@pytest.mark.parametrize("fault", [*PASSING, "prose", "refusal", "truncated JSON", "nothing", "5 MB of prose"])
def test_a_fault_that_passes_is_asked_again(puzzle, knows, tmp_path, fault):
    timeout = LATER_SECONDS if fault in SILENT else TIMEOUT_SECONDS
    solution, said = ask(puzzle, [{**PASSING, **LAME}[fault], knows], tmp_path, timeout=timeout)
    assert solution.solved
    assert solution.grid == puzzle.solution
    assert solution.warnings == ()
    assert len(said) == 1
    assert "trying again" in said[0]


def with_duplicates(knows):
    wrong = [{**slot, "candidates": [{"answer": "ZZZZ", "probability": 0.1}]} for slot in knows["slots"]]
    return {"slots": [*wrong, *knows["slots"], *wrong]}


USABLE = {
    "duplicate slots": with_duplicates,
    "unknown fields": lambda knows: {
        "note": MEGABYTES, "slots": [{**slot, "mood": ["happy"], "length": None} for slot in knows["slots"]]
    },
    "an unknown slot": lambda knows: {"slots": [*knows["slots"], None, 3, {"slot": "99D"}, {"slot": ["1A"]}]},
    "JSON in prose": lambda knows: f"Of course!\n```json\n{json.dumps(knows)}\n```\nGood luck!",
    "unknown fields around it": lambda knows: Canned(completion(json.dumps(knows), tokens=None, surprise={"a": 1})),
    "5 MB of blanks": lambda knows: " " * 5_000_000 + json.dumps(knows),
}  # fmt: skip


@pytest.mark.parametrize("form", USABLE)
def test_an_odd_answer_that_can_be_used_is_used(puzzle, knows, tmp_path, form):
    solution, _ = ask(puzzle, [USABLE[form](knows)], tmp_path)
    assert solution.grid == puzzle.solution
    assert solution.solved
    assert solution.warnings == ()


WORDLESS = {
    "truncated JSON": Canned('[{"word": "sto'),
    "wrong JSON": Canned({"words": 3}),
    "prose": Canned("Service moved."),
    "words of other types": Canned([{"word": 3}, None, {"score": 1}]),
    "5 MB": Canned(json.dumps([{"word": MEGABYTES, "score": 1}])),
    "404": Canned("not here", status=404),
    "not UTF-8": Canned(b"[\xff\xfe]"),
    "a Retry-After of a week": Canned("slow down", status=429, headers={"Retry-After": "604800"}),
}


def ask_datamuse(puzzle, tmp_path, fault, *others):
    said, faults = [], [{**PASSING, **WORDLESS}[fault]] * 500
    with FakeDatamuse({}, faults=faults) as server, Cache(tmp_path / "cache", warn=said.append) as cache:
        return solve(puzzle, Tools([datamuse(server, cache, timeout_of(fault)), *others])), said


@pytest.mark.parametrize("fault", [*PASSING, *WORDLESS])
def test_a_failing_datamuse_is_at_most_one_warning(puzzle, clues, tmp_path, fault):
    solution, said = ask_datamuse(puzzle, tmp_path, fault, ClueSet.open(clues))
    assert solution.solved
    assert solution.grid == puzzle.solution
    lines = [*said, *solution.warnings]
    assert len(lines) <= 1
    assert all(map(is_one_line, lines))


@pytest.mark.parametrize("fault", ["timeout", "500", "truncated JSON", "404", "reset half-way"])
def test_a_datamuse_that_fails_alone_is_exit_4(puzzle, tmp_path, fault):
    solution, _ = ask_datamuse(puzzle, tmp_path, fault)
    assert solution.is_unanswered


def test_datamuse_answers_after_a_fault_that_passes(puzzle, tmp_path):
    words = [puzzle.solution.answer(slot).lower() for slot in puzzle.grid.slots]
    faults = [PASSING["500"], PASSING["reset half-way"]]
    with FakeDatamuse(lambda _: words, faults=faults) as server, Cache(tmp_path) as cache:
        solution = solve(puzzle, Tools([datamuse(server, cache)]))
    assert solution.consistent
    assert solution.warnings == ()


def test_all_fail_at_once_and_there_is_a_line_for_each(run, tiny, home):
    with FakeOpenAI([LAME["401"]]) as model_server, FakeDatamuse({}, faults=[WORDLESS["404"]] * 500) as words_server:
        home["GRIDWRIGHT_DATAMUSE_URL"] = words_server.url
        both = ("--providers", "llm,datamuse", "-m", "x", "--base-url", model_server.base_url)
        result = run("solve", tiny, *both, code=4)
    assert result.stdout == ""
    assert "llm: x at" in result.stderr
    assert "datamuse: " in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("fault", ["429 with Retry-After", "prose"])
def test_a_failing_model_is_one_line_and_the_lexicon_goes_on(run, tiny, fault):
    with FakeOpenAI([{**PASSING, **LAME}[fault]]) as server:
        result = run("solve", tiny, "-m", "x", "--base-url", server.base_url, code=None)
    assert result.exit_code in {0, 1}
    assert "Across" in result.stdout
    assert len([line for line in result.stderr.splitlines() if line.startswith("warning: llm: x at")]) == 1


def test_a_missing_server_is_one_line(run, tiny, clues):
    with FakeOpenAI() as server:
        url = server.base_url
    result = run("solve", tiny, "-m", "x", "--base-url", url, "--clue-set", clues)
    assert "cannot connect" in result.stderr


def test_a_model_whose_headers_trickle_in_is_given_up_in_time(puzzle, clues, tmp_path):
    said = []
    slow = Canned(completion("{}"), pause=0.2, slow_head=True)
    with FakeOpenAI([slow]) as server, Cache(tmp_path / "cache", warn=said.append) as cache:
        client = Client("m", server.base_url, timeout=0.5, retry=Retry(attempts=1), warn=said.append)
        with client:
            solution = solve(puzzle, Tools([LlmProvider(client, cache), ClueSet.open(clues)]))
    assert solution.solved
    assert "response incomplete after 0.5 s" in solution.warnings[0]


def test_a_model_that_only_says_continue_is_given_up_in_time():
    over = threading.Event()

    class Continuing(socketserver.BaseRequestHandler):
        def handle(self):
            with suppress(OSError):  # the client hangs up
                while not over.wait(0.01):
                    self.request.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Continuing) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        client = Client("m", f"http://127.0.0.1:{server.server_address[1]}/v1", timeout=0.5, retry=Retry(attempts=1))
        with client, pytest.raises(LlmError, match=r"response incomplete after 0.5 s"):
            client.complete([{"role": "user", "content": "Not out"}])
        over.set()
        server.shutdown()


def test_a_datamuse_whose_headers_trickle_in_is_given_up_in_time(tmp_path):
    slow = Canned([], pause=0.2, slow_head=True)
    with FakeDatamuse({}, faults=[slow] * 500) as server, Cache(tmp_path / "cache") as cache:
        provider = Datamuse(cache, server.url, timeout=0.5, sleep=lambda _: None)
        with pytest.raises(ProviderError, match="no response within"):
            provider.propose([Question("1A", "Not out", 2)])


def test_datamuse_follows_no_redirect_to_another_server(tmp_path):
    with FakeDatamuse({}) as other:
        away = Canned(b"", status=302, headers={"Location": f"{other.url}/words?ml=x"})
        with FakeDatamuse({}, faults=[away] * 500) as server, Cache(tmp_path / "cache") as cache:
            provider = Datamuse(cache, server.url, sleep=lambda _: None)
            with pytest.raises(ProviderError, match="HTTP 302: redirects"):
                provider.propose([Question("1A", "Not out", 2)])
        assert other.requests == []


KEY = "sk-secret-0123456789"


def test_a_key_that_the_server_sends_back_is_masked_in_what_is_kept(puzzle, knows, tmp_path):
    echo = Canned(completion(json.dumps(knows), authorization=f"Bearer {KEY}"))
    server, cache = FakeOpenAI([echo]), Cache(tmp_path / "cache")
    with server, cache, Client("m", server.base_url, KEY) as client:
        assert solve(puzzle, Tools([LlmProvider(client, cache)])).grid == puzzle.solution
    kept = b"".join(path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert KEY.encode() not in kept
    assert b"Bearer ***" in kept


@pytest.mark.parametrize("tokens", [(2**63, 1), (1, 2**70)])
def test_token_counts_that_cannot_be_are_estimated(puzzle, knows, tmp_path, tokens):
    with FakeOpenAI([Canned(completion(json.dumps(knows), tokens=tokens))]) as server:
        ledger = Ledger(tmp_path / "calls.db")
        with Cache(tmp_path / "cache") as cache, Client("m", server.base_url, ledger=ledger) as client:
            assert solve(puzzle, Tools([LlmProvider(client, cache)])).grid == puzzle.solution
    assert 0 < ledger.totals().prompt_tokens < 10_000


def test_an_answer_that_begins_with_a_byte_order_mark_is_read(puzzle, knows, tmp_path):
    marked = b"\xef\xbb\xbf" + json.dumps(completion(json.dumps(knows))).encode()
    solution, _ = ask(puzzle, [Canned(marked)], tmp_path)
    assert solution.grid == puzzle.solution


def test_a_ledger_whose_entry_is_gone_says_so(tmp_path):
    said = []
    ledger = Ledger(tmp_path / "calls.db", warn=said.append)
    call = ledger.begin(model="m", host="h", purpose="p", expected=1)
    (tmp_path / "calls.db").unlink()
    ledger.finish(call, "answered")
    assert len(said) == 1
    assert "the entry of a call is gone" in said[0]


@pytest.mark.parametrize("said", [{"result": {"slots": []}}, {"slots": [{"slot": "77D", "candidates": [["STOP", 1]]}]}])
def test_an_answer_of_another_form_is_named_as_such(puzzle, tmp_path, said):
    solution, _ = ask(puzzle, [said], tmp_path)
    assert "nothing for slots such as 1A, found '" in solution.failures[0]
