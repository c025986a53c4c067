"""The client against a real server that does everything wrong a server can do."""

import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from agent.config import OPENAI_URL, load_settings
from agent.errors import ConfigError, LimitReachedError, LlmError
from agent.llm.api import StatusError
from agent.llm.client import Client
from agent.llm.ledger import Ledger, Limits
from agent.network import Retry
from agent.testing import Canned, FakeOpenAI, completion, no_network

MESSAGES = [{"role": "user", "content": "Reply with JSON."}]
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
GOOD = {"fine": True}
SECRET = "sk-very-secret-1234567890"  # noqa: S105  # it opens nothing


@pytest.fixture
def slept():
    return []


@pytest.fixture
def said():
    return []


@pytest.fixture
def connect(slept, said):
    """Make clients that do not really sleep, and close them."""
    clients = []

    def make(server, **options):
        clients.append(
            Client(
                "fake-model",
                server if isinstance(server, str) else server.base_url,
                **{
                    "sleep": slept.append,
                    "clock": lambda: sum(slept),
                    "spread": lambda: 1.0,
                    "warn": said.append,
                    "timeout": 60.0,
                }
                | options,
            )
        )
        return clients[-1]

    yield make
    for client in clients:
        client.close()


PASSING_FAULTS = {
    "too many requests": Canned({"error": {"message": "slow down"}}, status=429),
    "server error": Canned("oops", status=500),
    "bad gateway as a page": Canned("<html>Bad gateway</html>", status=502),
    "overloaded": Canned(b"", status=529),
    "hung up before the head": Canned(completion("x"), sent=0),
    "reset before the head": Canned(completion("x"), sent=0, reset=True),
    "reset half-way": Canned(completion("x" * 1000), sent=0.5, reset=True),
    "truncated body": Canned(completion("x" * 1000), sent=0.5),
    "wrong JSON with status 200": Canned('{"choices": [{"mess'),
    "error with status 200": Canned({"error": {"message": "model is loading"}}),
    "no choices": Canned({"choices": []}),
    "empty": "",
    "prose": "I would love to help you with your crossword!",
    "wrong JSON in the answer": '{"a": nope',
    "refusal": Canned(completion(None, refusal="I cannot do that")),
    "content filter": Canned(completion("", finish="content_filter")),
    "cut off at once": Canned(completion("{", finish="length")),
}


@pytest.mark.parametrize("fault", PASSING_FAULTS.values(), ids=PASSING_FAULTS.keys())
def test_a_passing_fault_is_reported_and_tried_again(connect, said, slept, fault):
    with FakeOpenAI([fault, GOOD]) as server:
        assert connect(server).complete(MESSAGES, schema=SCHEMA).parsed == [GOOD]
    assert slept == [1.0]
    assert len(said) == 1
    assert "trying again in 1.0 s" in said[0]


@pytest.mark.parametrize("fault", PASSING_FAULTS.values(), ids=PASSING_FAULTS.keys())
def test_a_fault_that_does_not_pass_ends_in_one_line(connect, fault):
    with FakeOpenAI([fault]) as server, pytest.raises(LlmError, match=r"^fake-model at 127\.0\.0\.1:\d+: .+") as caught:
        connect(server).complete(MESSAGES, schema=SCHEMA)
    assert "\n" not in str(caught.value)
    assert len(server.requests) in {2, 4}  # an unusable answer is paid for twice at most


def test_waits_grow_and_what_the_server_asks_for_comes_first(connect, slept):
    faults = [Canned(status=503), Canned(status=429, headers={"Retry-After": "7"}), Canned(status=500), GOOD]
    with FakeOpenAI(faults) as server:
        connect(server).complete(MESSAGES, schema=SCHEMA)
    assert slept == [1.0, 7.0, 4.0]


def test_a_server_that_asks_for_an_hour_is_not_waited_for(connect, slept):
    with (
        FakeOpenAI([Canned(status=429, headers={"Retry-After": "3600"})]) as server,
        pytest.raises(LlmError, match="wait 3600 s"),
    ):
        connect(server).complete(MESSAGES)
    assert slept == []


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, {"error": {"message": "Incorrect API key"}}),
        (403, "no"),
        (429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}),
        (302, ""),
    ],
)
def test_a_lasting_fault_is_not_tried_again(connect, status, body):
    with FakeOpenAI([Canned(body, status=status, headers={"Location": "/elsewhere"})]) as server:
        with pytest.raises(LlmError, match=f"HTTP {status}"):
            connect(server).complete(MESSAGES)
        assert len(server.requests) == 1


def test_a_slow_server_is_given_up(connect):
    with (
        FakeOpenAI([Canned(completion("late"), delay=600)]) as server,
        pytest.raises(LlmError, match=r"after 0\.1 s \(tried 2 times\); the setting timeout gives it longer"),
    ):
        connect(server, timeout=0.1, retry=Retry(attempts=4, first=0)).complete(MESSAGES)
    assert len(server.requests) <= 2  # a late answer may be paid for as well


@pytest.mark.parametrize("status", [200, 500])
def test_a_server_that_drips_is_given_up(connect, status):
    with (
        FakeOpenAI([Canned(completion("x" * 100_000), status=status, pause=0.05)]) as server,
        pytest.raises(LlmError, match=r"response incomplete after 0\.2 s"),
    ):
        connect(server, timeout=0.2, retry=Retry(attempts=1)).complete(MESSAGES)


def test_a_missing_server_is_reported_at_once(connect, slept):
    with FakeOpenAI() as server:
        address = server.base_url
    with pytest.raises(LlmError, match="cannot connect"):
        connect(address).complete(MESSAGES)
    assert slept == []


def test_an_answer_of_five_megabytes_is_read(connect):
    answer = {"slots": [{"slot": "1A", "candidates": [{"answer": "ANT", "note": "x" * 5_000_000}]}]}
    with FakeOpenAI([answer]) as server:
        assert connect(server).complete(MESSAGES, schema=SCHEMA).parsed == [answer]


def test_five_megabytes_of_brackets_are_not_an_answer(connect):
    with FakeOpenAI(["{[" * 2_500_000]) as server, pytest.raises(LlmError, match="no JSON"):
        connect(server).complete(MESSAGES, schema=SCHEMA)


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_without_end_is_dropped(connect, status):
    with (
        FakeOpenAI([Canned("x" * 200_000, status=status)]) as server,
        pytest.raises(LlmError, match="longer than 100,000 bytes"),
    ):
        connect(server, most_bytes=100_000).complete(MESSAGES)


def test_unknown_fields_and_missing_usage_do_no_harm(connect):
    body = completion(json.dumps(GOOD), tokens=None, system_fingerprint=None, x_new={"a": [1]})
    body["choices"][0]["logprobs"] = {"content": []}
    with FakeOpenAI([Canned(body)]) as server:
        assert connect(server).complete(MESSAGES, schema=SCHEMA).parsed == [GOOD]


@pytest.mark.parametrize(
    ("rejects", "tried"),
    [
        ((), ["json_schema"]),
        (("json_schema",), ["json_schema", "json_object"]),
        (("json_schema", "json_object"), ["json_schema", "json_object", None]),
    ],
)
def test_the_strictest_form_a_server_takes_is_remembered(connect, said, rejects, tried):
    with FakeOpenAI([GOOD], rejects=rejects) as server:
        client = connect(server)
        for _ in range(2):
            reply = client.complete(MESSAGES, schema=SCHEMA)
        asked = [request.json.get("response_format", {}).get("type") for request in server.chats]
    assert asked == [*tried, tried[-1]]
    assert reply.how == (tried[-1] or "text")
    assert len(said) == bool(rejects)
    assert not rejects or f"asked for as {reply.how} from now on" in said[0]


@pytest.mark.parametrize("failing", [("json_schema",), ("json_schema", "json_object")])
def test_a_server_that_fails_at_a_form_is_asked_for_a_weaker_one(connect, said, failing):
    def answer(request):
        form = request.json.get("response_format", {}).get("type")
        return Canned("oops", status=500) if form in failing else GOOD

    with FakeOpenAI(answer) as server:
        client = connect(server)
        client.complete(MESSAGES)  # an answer in text says nothing of the forms
        replies = [client.complete(MESSAGES, schema=SCHEMA) for _ in range(3)]
        assert len(server.chats) == 1 + (2 + len(failing)) + (len(failing) + 1) + 1
    assert {reply.how for reply in replies} == {("json_object", "text")[len(failing) - 1]}
    assert "HTTP 500 for every stricter form; answers are asked for as" in said[-1]


def test_a_server_that_failed_twice_by_chance_is_asked_in_the_strict_form_again(connect, said):
    faults = [*[Canned("oops", status=500)] * 2, GOOD, GOOD, Canned("oops", status=500), GOOD]
    with FakeOpenAI(faults) as server:
        client = connect(server)
        hows = [client.complete(MESSAGES, schema=SCHEMA).how for _ in range(3)]
    assert hows == ["json_object", "json_schema", "json_schema"]
    assert not [line for line in said if "from now on" in line]
    assert "this answer was asked for as json_object" in said[2]


def test_a_server_that_has_answered_in_a_form_keeps_it(connect):
    faults = [GOOD, *[Canned("oops", status=500)] * 3, GOOD]
    with FakeOpenAI(faults) as server:
        client = connect(server)
        assert {client.complete(MESSAGES, schema=SCHEMA).how for _ in range(2)} == {"json_schema"}


def test_a_400_for_another_reason_teaches_nothing(connect, said):
    bad = Canned({"error": {"message": "context too long"}}, status=400)
    with FakeOpenAI([bad, bad, bad, GOOD]) as server:
        client = connect(server)
        with pytest.raises(LlmError, match="HTTP 400: context too long"):
            client.complete(MESSAGES, schema=SCHEMA)
        assert client.complete(MESSAGES, schema=SCHEMA).how == "json_schema"
    assert said == []


def test_a_cut_off_answer_is_used_and_reported(connect, said):
    with FakeOpenAI([Canned(completion('{"a": [1, 2], "b', finish="length"))]) as server:
        reply = connect(server).complete(MESSAGES, schema=SCHEMA)
    assert (reply.parsed, reply.cut) == ([{"a": [1, 2]}], True)
    assert "cut off" in said[0]


def test_every_answer_is_kept_before_it_is_read(connect):
    kept = []
    with FakeOpenAI(["prose", Canned("not even JSON")]) as server, pytest.raises(LlmError):
        connect(server).complete(MESSAGES, schema=SCHEMA, keep=kept.append)
    assert json.loads(kept[0])["choices"][0]["message"]["content"] == "prose"
    assert kept[1] == "not even JSON"


def test_threads_share_a_client(connect):
    with FakeOpenAI(lambda request: request.json["messages"][0]["content"]) as server, ThreadPoolExecutor(8) as pool:
        client = connect(server)
        texts = [str(i) for i in range(24)]
        assert list(pool.map(lambda text: client.complete([{"role": "user", "content": text}]).text, texts)) == texts


def test_models_are_listed(connect):
    with FakeOpenAI(models=["b", "a"]) as server:
        assert connect(server).models() == ["a", "b"]


@pytest.mark.parametrize("body", ["[]", "{}", "nothing", '{"data": [{"name": "a"}]}'])
def test_an_unreadable_list_of_models_is_an_error(connect, body):
    class Odd(FakeOpenAI):
        def answer(self, _):
            return Canned(body)

    with Odd() as server, pytest.raises(LlmError, match="models is unreadable"):
        connect(server).models()


class TestLedger:
    def rows(self, path):
        with closing(sqlite3.connect(path)) as database:
            return database.execute("select outcome, prompt_tokens, completion_tokens, estimated from calls").fetchall()

    def test_every_request_is_entered_with_how_it_ended(self, connect, tmp_path):
        path = tmp_path / "ledger.db"
        script = [Canned(status=500), Canned(sent=0), "prose", Canned(completion(json.dumps(GOOD), tokens=(7, 3)))]
        with FakeOpenAI(script) as server:
            connect(server, ledger=Ledger(path)).complete(MESSAGES, schema=SCHEMA)
        assert self.rows(path) == [
            ("rejected", None, None, None),
            ("lost", None, None, None),
            ("answered", 100, 50, 0),
            ("answered", 7, 3, 0),
        ]

    def test_uncounted_tokens_are_estimated_and_marked(self, connect, tmp_path):
        with FakeOpenAI([Canned(completion("Hi", tokens=None))]) as server:
            connect(server, ledger=Ledger(tmp_path / "ledger.db")).complete(MESSAGES)
        ((outcome, prompt, answer, estimated),) = self.rows(tmp_path / "ledger.db")
        assert (outcome, estimated) == ("answered", 1)
        assert min(prompt, answer) > 0

    def test_no_request_is_made_beyond_the_limit(self, connect, tmp_path):
        with FakeOpenAI(["prose"]) as server:
            client = connect(server, ledger=Ledger(tmp_path / "ledger.db", limits=Limits(max_calls=1)))
            with pytest.raises(LimitReachedError):
                client.complete(MESSAGES, schema=SCHEMA)
            assert len(server.requests) == 1


class TestKeys:
    @pytest.fixture(autouse=True)
    def ambient(self, monkeypatch):
        """Set up the environment of a user of OpenAI for other things."""
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        monkeypatch.setenv("OPENAI_ADMIN_KEY", SECRET)
        monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
        monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
        monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {SECRET}\nX-Mine: secret")

    def test_nothing_of_openais_goes_to_another_server(self, connect):
        with FakeOpenAI(["hi"]) as server:
            client = connect(server, api_key=load_settings(flags={"base_url": server.base_url}).api_key)
            client.complete(MESSAGES)
            client.models()
            heads = [json.dumps(dict(request.headers)) for request in server.requests]
        assert len(heads) == 2
        assert not any("secret" in head or "authorization" in head for head in heads)

    def test_a_key_that_was_given_for_the_server_is_sent(self, connect):
        with FakeOpenAI(["hi"], key="local-key") as server:
            env = {"GRIDWRIGHT_API_KEY": "local-key", "OPENAI_API_KEY": SECRET, "GRIDWRIGHT_BASE_URL": server.base_url}
            assert connect(server, api_key=load_settings(env=env).api_key).complete(MESSAGES).text == "hi"

    def test_openai_without_a_key_is_refused_before_anything_is_sent(self, connect):
        with no_network(allow_loopback=False), pytest.raises(LlmError, match=r"no key for api\.openai\.com"):
            connect(OPENAI_URL).complete(MESSAGES)

    def test_a_key_that_the_server_repeats_is_in_no_message(self, connect, said, tmp_path):
        ledger = Ledger(tmp_path / "ledger.db")
        told = {"error": {"message": f"wrong key {SECRET}\x1b[31m"}}
        with FakeOpenAI([Canned(told, status=503), Canned(told, status=401)]) as server:
            client = connect(server, api_key=SECRET, ledger=ledger)
            with pytest.raises(LlmError, match=r"wrong key \*\*\*") as caught:
                client.complete(MESSAGES)
        assert caught.value.__cause__ is None
        assert "wrong key ***" in said[0]
        assert "\x1b" not in said[0]
        assert SECRET.encode() not in ledger.path.read_bytes()
        assert SECRET not in repr(client)

    @pytest.mark.parametrize(
        "url",
        [
            "ftp://host/v1",
            "host:8000",
            "",
            "http://[x/v1",
            "http://h:99999/v1",
            f"https://user:{SECRET}@host/v1",
            f"https://host/v1?key={SECRET}",
        ],
    )
    def test_a_bad_base_url_is_refused_without_repeating_it(self, url):
        with pytest.raises(ConfigError) as caught:
            Client("m", url)
        assert SECRET not in str(caught.value)

    def test_a_base_url_with_a_control_character_is_refused_in_one_line(self):
        with pytest.raises(ConfigError, match=r"'http://localhost/\\x01v1' is not a valid base URL"):
            Client("m", "http://localhost/\x01v1")

    def test_a_key_with_a_line_break_is_refused_without_repeating_it(self):
        with pytest.raises(ConfigError, match="characters that cannot be in a key") as caught:
            Client("m", "http://localhost/v1", f"{SECRET}\nX-Evil: 1")
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize("proxy", ["socks5://user:hush@localhost:9", "gopher://user:hush@localhost:9"])
def test_an_unusable_proxy_is_named_without_its_password(connect, monkeypatch, proxy):
    monkeypatch.setenv("ALL_PROXY", proxy)
    with no_network(), pytest.raises(LlmError, match="proxy that the environment names") as caught:
        connect("http://192.0.2.1/v1").complete(MESSAGES)
    assert "hush" not in str(caught.value)


def test_a_missing_proxy_is_named_without_its_password(connect, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://user:hush@127.0.0.1:9/")
    with pytest.raises(LlmError, match=r"cannot connect through the proxy 127\.0\.0\.1:9: ") as caught:
        connect("http://192.0.2.1/v1").complete(MESSAGES)
    assert "hush" not in str(caught.value)


def test_the_package_for_socks_is_called_by_its_name(connect, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(LlmError, match=r"httpx2\[socks\]"):
        connect("http://192.0.2.1/v1").complete(MESSAGES)


def test_a_closed_client_says_so(connect):
    client = connect("http://127.0.0.1:9/v1")
    client.close()
    with pytest.raises(LlmError, match="closed"):
        client.complete(MESSAGES)


def test_openai_is_not_imported_before_the_first_request():
    code = "import sys, agent.candidates.llm as m; m.Client('m', 'http://x/v1'); assert 'openai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)  # our own code


class MemoryApi:
    """An API of another form, in this process: it answers in OpenAI's terms, as every Api does."""

    def __init__(self, base_url, key, *, label, timeout, most_bytes):  # noqa: ARG002 - as Connect has it
        self.base_url, self.host, self.label = base_url, "memory", label
        self.asked = []

    def check(self):
        pass

    def post_chat(self, arguments):
        self.asked.append(arguments)
        if len(self.asked) == 1:
            raise StatusError(529, '{"error": {"message": "overloaded"}}', 3.0)
        return json.dumps(completion('{"a": 1}'))

    def get_models(self):
        return '{"data": [{"id": "b"}, {"id": "a"}]}'

    def line(self, message):
        return f"{self.label}: {message}"

    def close(self):
        pass


def test_any_api_has_retries_ledger_and_formats(connect, slept, said, tmp_path):
    ledger = Ledger(tmp_path / "ledger.db")
    client = connect("memory:", connect=MemoryApi, ledger=ledger)
    kept = []
    reply = client.complete(MESSAGES, schema=SCHEMA, keep=kept.append)
    assert reply.parsed == [{"a": 1}]
    assert json.loads(kept[0])["choices"]
    assert slept == [3.0]
    assert said == ["fake-model: HTTP 529: overloaded; trying again in 3.0 s"]
    assert ledger.totals().calls == 1
    assert client.models() == ["a", "b"]
