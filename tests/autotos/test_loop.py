"""The loop against a real server with scripted models: good, bad, stalling, hostile; replayed and resumed."""

import html
import json
import re
from pathlib import Path

import autotos_bank as bank  # the bank is data for the tests as well
import pytest
from typer import Typer
from typer.testing import CliRunner

from agent.autotos.cases import instances
from agent.autotos.journal import Journal
from agent.autotos.loop import LoopBudget, replay
from agent.cli import judging
from agent.errors import JournalError
from agent.testing import Canned, FakeOpenAI

GOOD = f"```python\n{bank.SUCCESSOR}```"
GOAL = f"Here it is.\n```python\n{bank.GOAL}```"
SHORT = next(source for name, _, source, kinds in bank.bank() if name == "short answers from the left")
OVERWRITE = next(source for name, _, source, kinds in bank.bank() if name == "overwrites in rows")
FEWER = str(Path(__file__).with_name("fewer.py"))
FEWEST = dict(bank.PRUNING)["fewest candidates first"]

pytestmark = pytest.mark.usefixtures("home", "safe_backend")
app = Typer()
judging.add_to(app)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDWRIGHT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GRIDWRIGHT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def loop(server, *more, domain=("--domain", FEWER)):
    arguments = ["autotos", "--model", "fake-model", "--base-url", server.base_url, "--json", *domain]
    limits = ["--search-seconds", "0.2", "--search-expansions", "50"]
    done = CliRunner().invoke(app, [*arguments, *limits, *more], catch_exceptions=False)
    return done, [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def recorded(log):
    return Journal(log, must_exist=True).events


def test_a_model_that_listens_is_accepted_and_made_faster(home):
    script = [f"```\n{SHORT}```", GOOD, GOAL, f"```python\n{FEWEST}```"]
    with FakeOpenAI(script) as server:
        done, rows = loop(server, "--html", str(home / "report.html"))
        said = [request.json["messages"][-1]["content"] for request in server.chats]
    assert done.exit_code == 0
    assert (rows[0]["accepted"], rows[0]["calls"], rows[0]["improved"]) == (True, 4, True)
    assert rows[0]["successor"] == {
        "verdict": "goal-preserving",
        "attempts": ["unsound", "exact", "goal-preserving"],
        "faults": ["missing"],
    }
    assert "exactly that of the slot" in said[1]
    assert "expanded" in said[3]
    assert rows[-1]["summary"]["pass@1"] == 1.0
    assert rows[-1]["summary"]["tokens"] == 4 * 150
    page = (home / "report.html").read_text()
    assert "<svg" in page
    assert "unsound → exact → goal-preserving" in page
    assert page.count("150 tokens") == 4
    assert html.escape(said[1][:80]) in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_a_model_that_repeats_itself_starts_again(home):
    log = home / "log.jsonl"
    with FakeOpenAI([f"```\n{OVERWRITE}```"]) as server:
        done, rows = loop(server, "--max-attempts", "6", "--log", str(log))
        chats = [request.json["messages"] for request in server.chats]
    assert done.exit_code == 1
    assert rows[0]["ended"] == "the successor function was given up"
    assert rows[0]["restarts"] >= 1
    assert [len(chat) for chat in chats][:4] == [2, 4, 6, 2]
    assert chats[1][-1] != chats[2][-1]
    assert "same code as in an earlier answer" in chats[2][-1]["content"]
    first, again = chats[0][-1]["content"], chats[3][-1]["content"]
    assert again.startswith(first)
    assert "Write an answer only where each cell" in again[len(first) :]
    verdicts = [event for event in recorded(log) if event["event"] == "verdict"]
    assert (len(verdicts), len({event["seconds"] for event in verdicts})) == (6, 1)  # judged once


def test_stalls_share_the_instances_of_their_other_examples(home):
    with FakeOpenAI([f"```\n{OVERWRITE}```"]) as server:
        loop(server, "--max-attempts", "2", "--seed", "4")  # one stall
        made = instances.cache_info().misses
        loop(server, "--max-attempts", "6", "--seed", "4", "--log", str(home / "log.jsonl"))
    assert [event["event"] for event in recorded(home / "log.jsonl")].count("example") > 1
    assert instances.cache_info().misses == made


def test_changed_code_with_the_same_fault_is_not_called_the_same():
    changed = OVERWRITE.replace("def successor_state", "LIMIT = 5\n\n\ndef successor_state")
    with FakeOpenAI([f"```\n{OVERWRITE}```", f"```\n{changed}```"]) as server:
        loop(server, "--max-attempts", "3")
        said = [request.json["messages"][-1]["content"] for request in server.chats]
    assert "The code has changed, but the fault has not gone" in said[2]
    assert "same code" not in "".join(said)


def test_hostile_prose_empty_and_refused_replies_are_survived(home, attacks):
    hostile = [attacks[name] for name in ("forges-frames", "exits", "memory-bomb", "loops-while-loading")]
    script = ["I would rather not.", "", *[f"```python\n{source}```" for source in hostile], GOOD, GOAL]
    with FakeOpenAI(script) as server:
        done, rows = loop(server, "--improve", "0", "--log", str(home / "log.jsonl"))
    assert done.exit_code == 0
    assert rows[0]["accepted"]
    kinds = [event["verdict"] for event in recorded(home / "log.jsonl") if event["event"] == "verdict"]
    # the empty reply was asked for again by the client, and the next one taken
    assert kinds == ["no-function", "protocol", "died", "memory", "timeout", "exact", "exact"]


def test_a_journal_replays_without_a_model_and_to_the_letter(home, safe_backend):
    log = home / "log.jsonl"
    with FakeOpenAI([f"```\n{SHORT}```", GOOD, GOAL]) as server:
        loop(server, "--improve", "0", "--log", str(log))
    results, changed = replay(log, backend=safe_backend)
    assert changed == []
    assert results[0].is_accepted
    lines = log.read_text().splitlines()
    forged = [re.sub(r'("role": "successor".*"cases": )\d+', r"\1 7", line) for line in lines]
    log.write_text("\n".join(forged) + "\n")
    done = CliRunner().invoke(app, ["autotos", "replay", str(log)])
    assert done.exit_code == 1
    assert done.stderr.splitlines() == ["run 1, call 1: cases differs", "run 1, call 2: cases differs"]
    log.write_text("\n".join(line.replace('"unsound"', '"exact"') for line in lines) + "\n")
    done = CliRunner().invoke(app, ["autotos", "replay", str(log)])
    assert done.exit_code == 3
    assert f"{log}: call 2 of run 1 was another question" in done.stderr


def test_loops_of_several_models_are_compared(home):
    logs = []
    for model, script in (("good", [GOOD, GOAL]), ("poor", [f"```\n{SHORT}```"])):
        logs.append(str(home / f"{model}.jsonl"))
        with FakeOpenAI(script) as server:
            loop(server, "--model", model, "--improve", "0", "--max-attempts", "1", "--log", logs[-1])
    page = home / "loops.html"
    done = CliRunner().invoke(app, ["autotos", "report", *logs, "--html", str(page)])
    assert [line.split(", pass")[0] for line in done.stdout.splitlines()] == [
        "model good, runs 1, accepted 1",
        "model poor, runs 1, accepted 0",
    ]
    assert page.read_text().count("<h2>") == 4
    done = CliRunner().invoke(app, ["autotos", "report", str(home / "none.jsonl")])
    assert (done.exit_code, "none.jsonl" in done.stderr) == (3, True)


def test_a_killed_loop_resumes_without_asking_again(home, monkeypatch):
    log = home / "log.jsonl"
    with FakeOpenAI([f"```\n{SHORT}```", GOOD, GOAL]) as server:
        loop(server, "--improve", "0", "--log", str(log))
    whole = log.read_text().splitlines(keepends=True)
    second = next(at for at, line in enumerate(whole) if '"call"' in line and '"number": 2' in line)
    log.write_text("".join(whole[: second + 1]) + whole[second + 1][:30])
    with FakeOpenAI([GOAL]) as server:
        _, rows = loop(server, "--improve", "0", "--log", str(log))
        assert len(server.chats) == 1
    assert rows[0]["accepted"]
    monkeypatch.setattr("agent.autotos.loop.judge", None)
    with FakeOpenAI([]) as server:  # all is recorded: nothing is asked or judged again
        _, rows = loop(server, "--improve", "0", "--log", str(log))
    assert rows[0]["accepted"]
    strip = lambda lines: [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines]  # noqa: E731
    assert strip(log.read_text().splitlines()) == strip(whole)


def test_a_journal_of_other_settings_is_not_resumed(home):
    log = home / "log.jsonl"
    with FakeOpenAI([GOOD, GOAL]) as server:
        loop(server, "--improve", "0", "--log", str(log))
        done, _ = loop(server, "--improve", "0", "--log", str(log), "--seed", "1")
    assert done.exit_code == 3
    assert "made with" in done.stderr


def test_two_loops_cannot_add_to_one_journal(home):
    log = home / "log.jsonl"
    with Journal(log), FakeOpenAI([GOOD, GOAL]) as server:
        done, _ = loop(server, "--log", str(log))
        assert (done.exit_code, server.chats) == (2, [])
    assert "another loop is adding to this journal" in done.stderr


def test_a_line_that_was_cut_short_is_removed_from_the_journal(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"event": "start"}\n{"event": "ca')
    with Journal(log) as journal:
        journal.add("end", 1)
    assert [event["event"] for event in recorded(log)] == ["start", "end"]


def test_a_broken_journal_names_file_and_line(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"event": "start"}\nnonsense\n')
    with pytest.raises(JournalError, match="line 2"):
        Journal(log)
    (tmp_path / "other.jsonl").write_text('{"event": "end"}\n')
    with pytest.raises(JournalError, match="no start"):
        replay(tmp_path / "other.jsonl", backend="native")


def test_a_server_that_fails_ends_the_loop_with_one_line():
    with FakeOpenAI([Canned({"error": {"message": "no such model"}}, status=404)]) as server:
        done, rows = loop(server, domain=())
        assert "5x5 mini crossword" in server.chats[0].json["messages"][-1]["content"]
    assert done.exit_code == 4
    assert (rows[0]["accepted"], rows[0]["calls"]) == (False, 0)
    assert not any("summary" in row for row in rows)  # no run came to an end: there is nothing to sum up
    assert "Traceback" not in done.stderr


def test_a_loop_whose_server_failed_goes_on_when_resumed(home):
    log = str(home / "log.jsonl")
    with FakeOpenAI([GOOD, Canned({"error": {"message": "no such model"}}, status=404)]) as server:
        _, rows = loop(server, "--improve", "0", "--log", log)
    assert rows[0]["accepted"] is False
    with FakeOpenAI([GOAL]) as server:
        _, rows = loop(server, "--improve", "0", "--log", log)
    assert (rows[0]["accepted"], rows[0]["calls"]) == (True, 2)
    assert [event["ended"] for event in recorded(home / "log.jsonl") if event["event"] == "end"] == ["accepted"]


def test_the_model_may_come_from_the_settings(monkeypatch):
    monkeypatch.setenv("GRIDWRIGHT_MODEL", "set-elsewhere")
    with FakeOpenAI([GOOD, GOAL]) as server:
        monkeypatch.setenv("GRIDWRIGHT_BASE_URL", server.base_url)
        limits = ["--improve", "0", "--no-reference", "--search-expansions", "1"]
        done = CliRunner().invoke(app, ["autotos", "--domain", FEWER, *limits], catch_exceptions=False)
        assert {request.json["model"] for request in server.chats} == {"set-elsewhere"}
    assert done.exit_code == 0


def test_a_limit_on_tokens_may_be_zero_as_in_every_command():
    with FakeOpenAI([GOOD]) as server:
        done, rows = loop(server, "--max-tokens", "0")
        assert not server.chats
    assert (done.exit_code, rows[0]["calls"]) == (4, 0)


def test_calls_are_bounded():
    with FakeOpenAI([f"```\n{OVERWRITE}```"]) as server:
        _, rows = loop(server, "--max-calls", "2")
        assert len(server.chats) == 2
    assert "limit" in rows[0]["ended"]


def test_a_budget_has_defaults_that_match_the_published_loop():
    assert LoopBudget().attempts == 10


def test_the_other_domain_goes_through_the_same_loop():
    successor = """
from collections import Counter
def slots(state):
    cells = [[(r, c) for c in range(len(state[0]))] for r in range(len(state))]
    for line in cells + [list(x) for x in zip(*cells)]:
        run = []
        for r, c in line + [(None, None)]:
            if r is not None and state[r][c] != "#":
                run.append((r, c))
            else:
                if len(run) > 1:
                    yield run
                run = []
def successor_state(state, words):
    left = Counter(words)
    runs = list(slots(state))
    for run in runs:
        if all(state[r][c] for r, c in run):
            left["".join(state[r][c] for r, c in run)] -= 1
    for run in runs:
        old = [state[r][c] for r, c in run]
        for word in set(words) if None in old else ():
            if left[word] > 0 and len(word) == len(run) and all(o in (None, w) for o, w in zip(old, word)):
                new = [row[:] for row in state]
                for (r, c), w in zip(run, word):
                    new[r][c] = w
                yield new
"""
    goal = (
        successor.split("def successor_state", 1)[0]
        + """
def is_goal_state(state, words):
    if any(cell is None for row in state for cell in row):
        return False
    return Counter("".join(state[r][c] for r, c in run) for run in slots(state)) == Counter(words)
"""
    )
    careless = successor.replace("left[word] > 0 and ", "")
    with FakeOpenAI([f"```\n{text}```" for text in (careless, successor, goal)]) as server:
        done, rows = loop(server, "--domain", "fillin", "--improve", "0")
        said = server.chats[1].json["messages"][-1]["content"]
    assert done.exit_code == 0, done.stderr
    assert rows[0]["successor"]["attempts"] == ["unsound", "exact"]
    assert "already in the grid" in said
