"""The language model as a provider of candidates, over real HTTP and a real cache."""

import json
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace

import pytest

from agent.cache import Cache
from agent.candidates.clueset import ClueSet
from agent.candidates.llm import MOST_QUESTIONS, LlmProvider, open_llm, recorded
from agent.candidates.provider import Crossing, Provider, Question
from agent.config import OPENAI_URL, load_settings
from agent.errors import ConfigError, ProviderError
from agent.grid import Candidate, Clue, Grid, Puzzle
from agent.llm.client import Client
from agent.llm.ledger import Ledger, Limits
from agent.llm.prompt import load_prompt
from agent.llm.schema import REPLY_SCHEMA, read_slots
from agent.network import Retry
from agent.solve import ask
from agent.testing import Canned, FakeOpenAI, clues_asked, completion, no_network
from agent.tools import Recorder

QUESTIONS = [Question("1A", "Not up yet", 5), Question("2D", "Six-legged\n worker", 3), Question("3D", "", 4)]


def says(**slots):
    return {
        "slots": [
            {"slot": slot, "candidates": [{"answer": answer, "probability": p} for answer, p in listed]}
            for slot, listed in (("1A", slots.get("a", ())), ("2D", slots.get("d", ())))
        ]
    }


BOTH = says(a=[("in bed", 0.7), ("ÉLITE", 0.1), ("toolong", 0.9)], d=[("Ant", 0.8), ("ANT", 0.1), ("bee", 0.1)])


@pytest.fixture
def cache(tmp_path):
    with Cache(tmp_path / "cache") as cache:
        yield cache


@pytest.fixture
def said():
    return []


@pytest.fixture
def provide(cache, said):
    clients = []

    def make(server, *, offline=False, **options):
        url = server if isinstance(server, str) else server.base_url
        retry = Retry(attempts=2, first=0.0)
        clients.append(Client("m", url, retry=retry, warn=said.append, **options))
        return LlmProvider(clients[-1], cache, offline=offline)

    yield make
    for client in clients:
        client.close()


def texts(found):
    return {slot: [candidate.answer for candidate in candidates] for slot, candidates in found.items()}


def test_it_is_a_provider(provide):
    assert isinstance(provide("http://x/v1"), Provider)


def test_a_whole_puzzle_is_one_request(provide):
    with FakeOpenAI([BOTH]) as server:
        found = provide(server).propose(QUESTIONS)
        (request,) = server.requests
    assert texts(found) == {"1A": ["INBED", "ELITE"], "2D": ["ANT", "BEE"]}
    assert str(found["1A"][0]) == "INBED 70 % (llm:m)"
    assert request.json["messages"][1]["content"] == "1A (5): Not up yet\n2D (3): Six-legged worker"
    assert request.json["response_format"]["json_schema"]["schema"]["required"] == ["notes", "slots"]
    assert request.json["messages"][0]["content"] == load_prompt("whole").text


def test_the_first_look_shows_the_grid_and_what_crosses(provide):
    puzzle = Puzzle(
        Grid.parse(".A\n.."), (Clue("1A", "Not out"), Clue("3A", "Yes"), Clue("1D", "In"), Clue("2D", "At"))
    )
    with FakeOpenAI([{"notes": "", "slots": [["1A", "in", 0.9]]}]) as server:
        provide(server).propose(ask(puzzle))
        (request,) = server.requests
    assert request.json["messages"][1]["content"].splitlines() == [
        "1 2",
        "3 .",
        "",
        "1A (2 ?A 1D1 2D1): Not out",
        "3A (2 1D2 2D2): Yes",
        "1D (2): In",
        "2D (2 A?): At",
    ]


CHOICE = Question("1A", "Not up yet", 5, "?N?ED", choices=(Candidate("UNFED", 0.6, ""), Candidate("INBED", 0.4, "")))
YES_OR_NO = Question("2D", "Six-legged worker", 3, "ANT", choices=(Candidate("ANT", 0.9, ""),))


def test_choices_are_a_second_look_with_its_own_source(provide):
    with FakeOpenAI([{"notes": "", "slots": [["1A", "IN BED", 0.6, "ENTED", 0.1], ["2D", "yes", 0.8]]}]) as server:
        found = provide(server).propose([CHOICE, YES_OR_NO])
        (request,) = server.requests
    system, user = (message["content"] for message in request.json["messages"])
    assert system == load_prompt("choose").text
    assert user.splitlines() == [
        "1A (5 ?N?ED): Not up yet",
        " INBED / UNFED, or none of these?",
        "2D (3): Six-legged worker",
        " ANT: yes or no?",
    ]
    assert [str(candidate) for candidates in found.values() for candidate in candidates] == [
        "INBED 60 % (llm choice:m)",
        "ENTED 10 % (llm:m)",
        "ANT 80 % (llm choice:m)",
    ]


@pytest.mark.parametrize("said", [["1A", "NONE", 1], ["1A", "none of these", 0.9], ["1A", "no"], ["1A", "yes"]])
def test_none_of_these_is_not_a_word(provide, said):
    length = len(said[1].replace(" ", ""))
    choices = tuple(Candidate(letter * length, 0.4, "") for letter in "AB")
    questions = [Question("1A", "Not up yet", length, choices=choices), YES_OR_NO]
    with FakeOpenAI([{"notes": "", "slots": [said, ["2D", "ANT", 0.1]]}]) as server:
        assert texts(provide(server).propose(questions)) == {"2D": ["ANT"]}


def test_the_solvers_probabilities_stay_out_of_the_question(provide):
    with FakeOpenAI([{"slots": [["1A", "INBED", 0.6]]}]) as server:
        first = provide(server).propose([CHOICE])
        assert provide(server).propose([replace(CHOICE, choices=CHOICE.choices[::-1])]) == first
        (request,) = server.requests
    assert "%" not in request.json["messages"][1]["content"]


def test_whatever_the_prompt_shows_makes_another_question(provide):
    crossing = Crossing(0, "1D", 0, "Not out", "IN", 0.6)
    asked = [
        [CHOICE],
        [replace(CHOICE, choices=CHOICE.choices[:1])],
        [replace(CHOICE, pattern="?N??D")],
        [replace(CHOICE, crossings=(crossing,))],
        [replace(CHOICE, crossings=(replace(crossing, probability=0.7),))],
        [replace(CHOICE, crossings=(replace(crossing, answer="UN"),))],
        [replace(CHOICE, choices=())],
    ]
    with FakeOpenAI([{"slots": [["1A", "INBED", 0.6]]}]) as server:
        for questions in asked:
            provide(server).propose(questions)
        assert len({request.json["messages"][1]["content"] for request in server.requests}) == len(asked)


def test_the_last_word_on_each_slot_counts(provide):
    draft = {"slots": [["1A", "ELITE", 0.9], ["2D", "BEE", 0.5]]}
    final = {"slots": [["1A", "INBED", 0.8], ["2D", "FLY", 0.5]]}
    reply = f'Perhaps {json.dumps(draft)}? Or [this]: {json.dumps(final)} Wait, 2D is {{"2D": {{"ANT": 0.9}}}}.'
    with FakeOpenAI([reply]) as server:
        assert texts(provide(server).propose(QUESTIONS)) == {"1A": ["INBED"], "2D": ["ANT"]}


def test_nothing_is_asked_twice(provide):
    with FakeOpenAI([BOTH]) as server:
        first = provide(server).propose(QUESTIONS)
        assert provide(server).propose(QUESTIONS) == first
        assert len(server.requests) == 1


def test_offline_reads_the_cache_and_opens_no_socket(provide):
    with FakeOpenAI([BOTH]) as server:
        first = provide(server).propose(QUESTIONS)
    with no_network(allow_loopback=False):
        offline = provide(server_url := server.base_url, offline=True)
        assert offline.propose(QUESTIONS) == first
        assert offline.propose(QUESTIONS[:1]) == {}
    assert server_url.startswith("http://127.0.0.1")


def test_an_unusable_cached_answer_is_reported_and_asked_again(provide, said):
    with FakeOpenAI(["prose", "prose", BOTH]) as server:
        with pytest.raises(ProviderError, match="no JSON"):
            provide(server).propose(QUESTIONS)
        said.clear()
        assert provide(server, offline=True).propose(QUESTIONS) == {}
        assert "of no use" in said[0]
        assert texts(provide(server).propose(QUESTIONS))["2D"] == ["ANT", "BEE"]


def test_answers_of_which_none_fits_are_an_error(provide):
    with FakeOpenAI([says(a=[("toolong", 1)])]) as server, pytest.raises(ProviderError, match="length"):
        provide(server).propose(QUESTIONS)


def test_a_server_that_fails_is_one_clear_error(provide):
    with FakeOpenAI([Canned("down", status=503)]) as server, pytest.raises(ProviderError, match="HTTP 503: down"):
        provide(server).propose(QUESTIONS)


def test_cached_answers_come_despite_a_spent_budget(provide, tmp_path):
    ledger = Ledger(tmp_path / "ledger.db", limits=Limits(max_calls=1))
    with FakeOpenAI([BOTH]) as server:
        provider = provide(server, ledger=ledger)
        first = provider.propose(QUESTIONS)
        with pytest.raises(ProviderError, match="limit of 1 calls"):
            provider.propose(QUESTIONS[:1])
        assert provider.propose(QUESTIONS) == first


def test_settings_make_a_provider_with_a_ledger_and_limits(cache, tmp_path):
    with FakeOpenAI([BOTH], key="mine") as server:
        env = {"GRIDWRIGHT_BASE_URL": server.base_url, "GRIDWRIGHT_API_KEY": "mine", "GRIDWRIGHT_MAX_CALLS": "1"}
        settings = load_settings(flags={"data_dir": tmp_path / "data"}, env=env)
        with open_llm(settings, cache) as provider:
            assert texts(provider.propose(QUESTIONS))["2D"] == ["ANT", "BEE"]
            assert provider.client.ledger.totals().calls == 1
            with pytest.raises(ProviderError, match="limit of"):
                provider.propose(QUESTIONS[:1])


def test_settings_that_make_no_sense_are_refused(cache):
    settings = load_settings(env={"GRIDWRIGHT_BASE_URL": "nowhere"})
    with pytest.raises(ConfigError, match="not a valid base URL"), open_llm(settings, cache):
        pass


def test_a_missing_key_is_reported_before_anything_is_sent(cache, tmp_path):
    settings = load_settings(flags={"base_url": OPENAI_URL, "data_dir": tmp_path / "data"}, env={})
    with (
        no_network(),
        open_llm(settings, cache) as provider,
        pytest.raises(ProviderError, match=r"no key for api\.openai\.com: set OPENAI_API_KEY"),
    ):
        provider.propose(QUESTIONS)
    assert not settings.data_dir.exists()


def test_killing_the_process_loses_nothing_that_was_answered(cache, tmp_path):
    code = (
        "import sys; from agent.candidates.llm import *; from agent.llm.ledger import Ledger\n"
        "from agent.network import Retry\n"
        "url, folder = sys.argv[1:]\n"
        "client = Client('m', url, ledger=Ledger(folder + '/ledger.db'), retry=Retry(first=60))\n"
        "LlmProvider(client, Cache(folder + '/cache')).propose([Question('1A', 'Not up yet', 5)])"
    )
    with FakeOpenAI(["not quite JSON"]) as server:
        command = [sys.executable, "-c", code, server.base_url, str(tmp_path)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:  # our own code
            assert "trying again" in process.stderr.readline()
            process.kill()
    ((key, body),) = cache.items("llm")
    assert key["questions"][0][1] == "Not up yet"
    assert json.loads(body)["choices"][0]["message"]["content"] == "not quite JSON"
    with closing(sqlite3.connect(tmp_path / "ledger.db")) as database:
        assert database.execute("select sum(prompt_tokens) from calls").fetchone() == (100,)


def test_no_question_means_no_request(provide):
    with no_network(allow_loopback=False):
        assert provide("http://x/v1").propose([Question("3D", " ", 4)]) == {}


LONG = [Question(f"{number}A", f"Clue {number}", 3) for number in range(1, 2 * MOST_QUESTIONS + 2)]


def parrot(request):
    """Answer every slot that is asked with ANT."""
    return {"slots": [[slot, "ANT", 0.5] for slot in clues_asked(request)]}


def test_a_large_puzzle_is_asked_in_even_parts(provide):
    with FakeOpenAI(parrot) as server:
        found = provide(server).propose(LONG)
        sizes = [len(parrot(request)["slots"]) for request in server.requests]
    assert sorted(sizes) == [40, 40, 41]
    assert set(found) == {question.slot for question in LONG}


def test_parts_are_asked_at_the_same_time(provide):
    all_here = threading.Barrier(3, timeout=300)

    def together(request):
        all_here.wait()
        return parrot(request)

    before = set(threading.enumerate())
    with FakeOpenAI(together) as server:
        assert len(provide(server).propose(LONG)) == len(LONG)
    assert set(threading.enumerate()) <= before


def test_only_a_part_that_was_lost_is_asked_again(provide):
    lost = []

    def once(request):
        if "Clue 1\n" in request.json["messages"][1]["content"] and not lost:
            lost.append(request)
            return Canned(status=403)
        return parrot(request)

    with FakeOpenAI(once) as server:
        with pytest.raises(ProviderError, match="left without candidates") as partly:
            provide(server).propose(LONG)
        assert 0 < len(partly.value.found) < len(LONG)
        again = provide(server)
        assert len(again.propose(LONG)) == len(LONG)
        assert len(server.requests) == 4
        assert again.usage().cache_hits == 2


@pytest.mark.parametrize("most", [1, 2, 3])
def test_limits_hold_for_parts_asked_at_the_same_time(provide, tmp_path, most):
    ledger = Ledger(tmp_path / "ledger.db", limits=Limits(max_calls=most))
    with FakeOpenAI(parrot) as server:
        provider = provide(server, ledger=ledger)
        if most == 3:
            assert len(provider.propose(LONG)) == len(LONG)
        else:
            with pytest.raises(ProviderError, match=f"limit of {most} calls") as partly:
                provider.propose(LONG)
            assert 0 < len(partly.value.found) < len(LONG)
        assert len(server.requests) == most
    assert provider.usage().calls == most
    assert provider.usage().limited == (most < 3)


def test_a_models_answers_can_be_taken_out_of_the_cache(provide, cache):
    with FakeOpenAI([BOTH, Canned("broken"), Canned("broken")]) as server:
        found = provide(server).propose(QUESTIONS)
        with pytest.raises(ProviderError):
            provide(server).propose(QUESTIONS[:1])
    assert list(recorded(cache)) == [(question, found[question.slot]) for question in QUESTIONS[:2]]


def test_choices_are_taken_out_of_the_cache_as_choices(provide, cache):
    with FakeOpenAI([{"slots": [["1A", "INBED", 0.6, "ENTED", 0.1], ["2D", "yes", 0.8]]}]) as server:
        found = provide(server).propose([CHOICE, YES_OR_NO])
    assert [candidates for _, candidates in recorded(cache)] == [found["1A"], found["2D"]]


def test_recorded_choices_and_own_words_stay_apart(provide, tmp_path):
    file = tmp_path / "set.clues.jsonl"
    first, second = {"slots": [["1A", "INBED", 0.3]]}, {"slots": [["1A", "INBED", 0.6, "ENTED", 0.1]]}
    with FakeOpenAI([first, second]) as server:
        recorder = Recorder(provide(server), file, print)
        for question in (replace(CHOICE, pattern="", choices=()), CHOICE):
            recorder.propose([question])
    assert [str(candidate) for candidate in ClueSet.open(file).propose([CHOICE])["1A"]] == [
        "INBED 60 % (llm choice:m)",
        "INBED 30 % (llm:m)",
        "ENTED 10 % (llm:m)",
    ]


def test_offline_answers_a_second_look_from_the_cache(provide):
    with FakeOpenAI([{"slots": [["1A", "INBED", 0.6]]}]) as server:
        first = provide(server).propose([CHOICE])
    assert provide(server.base_url, offline=True).propose([CHOICE]) == first


def test_a_wild_answer_is_bounded(provide):
    wild = {"1A": [["ABCD" + letter, 1.0] for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] * 2000}
    with FakeOpenAI([Canned(completion(json.dumps(wild)))]) as server:
        (candidates,) = provide(server).propose(QUESTIONS).values()
    assert len(candidates) == 20
    assert sum(candidate.probability for candidate in candidates) == pytest.approx(1)


@pytest.mark.parametrize("name", ["whole", "choose"])
def test_the_form_that_a_prompt_shows_is_that_of_the_schema(name):
    shown = json.loads(load_prompt(name).text.splitlines()[-1])
    assert list(shown) == REPLY_SCHEMA["required"]
    assert list(read_slots(shown, ["1A", "4D"])) == ["1A", "4D"]
