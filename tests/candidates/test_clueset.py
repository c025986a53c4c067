"""Clue sets: files merged by hand are read, a wrong line is named, no line is lost."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.candidates.clueset import ClueSet, record
from agent.candidates.provider import Provider, Question, Reference
from agent.errors import ClueSetError
from agent.grid import Candidate

IN = Question("1A", "Not out", 2)
RECORDED = [Candidate("IN", 0.9, "llm:x"), Candidate("ON", 0.05, "datamuse"), Candidate("AT", 0.01, "llm:x")]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "set.clues.jsonl"


def answers(clues: ClueSet, question: Question = IN) -> list[tuple[str, float, str]]:
    return [(c.answer, c.probability, c.source) for c in clues.propose([question]).get(question.slot, [])]


def line(**fields: object) -> str:
    return json.dumps({"clue": "Not out", "length": 2, "candidates": [["IN", 0.9]], "source": "llm:x"} | fields) + "\n"


def test_it_is_a_provider(file):
    file.write_text(line())
    clues = ClueSet.open(file)
    assert isinstance(clues, Provider)
    assert answers(clues) == [("IN", 0.9, "llm:x")]
    assert (len(clues), IN in clues) == (1, True)


def test_a_clue_that_was_not_recorded_has_no_candidates(file):
    file.write_text(line())
    clues = ClueSet.open(file)
    assert clues.propose([Question("1A", "Not out", 3), Question("2A", "Out", 2)]) == {}
    assert clues.propose([]) == {}


def test_known_letters_change_nothing(file):
    file.write_text(line())
    assert answers(ClueSet.open(file), Question("1A", "Not out", 2, "O?")) == [("IN", 0.9, "llm:x")]


def test_space_and_composition_make_no_other_clue(file):
    file.write_text(line(clue="  Cafe\u0301\tau  lait "), encoding="utf-8")
    assert answers(ClueSet.open(file), Question("1A", "Café au lait", 2))


def test_answers_are_folded_and_those_of_another_length_left_out(file):
    file.write_text(line(length=5, candidates=[["it's me", 0.5], ["Élite", 0.3], ["LONGER", 0.2], ["", 0]]))
    found = answers(ClueSet.open(file), Question("1A", "Not out", 5))
    assert [answer for answer, _, _ in found] == ["ITSME", "ELITE"]


def test_of_duplicates_the_best_probability_counts(file, tmp_path):
    other = tmp_path / "other.jsonl"
    file.write_text(line(candidates=[["IN", 0.2], ["ON", 0.6]]) + "\n" + line(candidates=[["IN", 0.4]], source="llm:y"))
    other.write_text(line(candidates=[["in", 0.3], ["AT", 0.1]], source="llm:z"))
    assert answers(ClueSet.open(file, other)) == [("ON", 0.6, "llm:x"), ("IN", 0.4, "llm:y"), ("AT", 0.1, "llm:z")]


def test_a_file_is_read_again_only_once_it_has_changed(file):
    file.write_text(line())
    once = ClueSet.open(file)
    assert ClueSet.open(file) is once
    record(file, [Question("1A", "Not off", 2)], {"1A": [Candidate("ON", 0.5, "llm:x")]})
    assert len(ClueSet.open(file)) == 2
    assert len(once) == 1


def test_a_pipe_is_read_each_time(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for answer in ("IN", "ON"):
        writing = threading.Thread(target=path.write_text, args=(line(candidates=[[answer, 0.9]]),))
        writing.start()
        [found] = ClueSet.open(path).propose([IN])["1A"]
        writing.join()
        assert found.answer == answer


def test_a_recorded_choice_is_not_the_models_own_answer(file):
    said = [Candidate("IN", 0.9, "llm choice:x"), Candidate("IN", 0.3, "llm:x"), Candidate("ON", 0.1, "llm choice:x")]
    record(file, [IN], {"1A": said})
    assert answers(ClueSet.open(file)) == [(c.answer, c.probability, c.source) for c in said]


def test_a_hand_written_file_may_leave_things_out_and_have_more(file):
    text = '\ufeff\n{"clue": "Not out", "length": 2, "candidates": [["IN", 1]], "note": "mine"}\n\n   \n'
    file.write_text(text, encoding="utf-8")
    assert answers(ClueSet.open(file)) == [("IN", 1.0, "clueset")]


def test_a_reference_is_found_resolved_and_as_printed(file):
    reference = Reference("1A", "see", 5, "With 2-Down, start over")
    question = Question("2D", "See 1-Across", 5, references=(reference,))
    file.write_text(line(clue="See 1-Across", length=5, candidates=[["AGAIN", 0.5]]))
    assert answers(ClueSet.open(file), question) == [("AGAIN", 0.5, "llm:x")]
    record(file, [question], {"2D": [Candidate("RESET", 0.7, "me")]})
    assert "See 1-Across [1-Across (5): With 2-Down, start over]" in file.read_text()
    assert answers(ClueSet.open(file), question) == [("RESET", 0.7, "me")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "not JSON"),
        ("[]", "expected an object"),
        ("{}", "expected a clue that is text"),
        (line(clue=3), "expected a clue that is text"),
        (line(length="5"), "expected a length"),
        (line(length=True), "expected a length"),
        (line(length=0), "expected a length"),
        (line(candidates={"IN": 1}), "expected candidates"),
        (line(candidates=["IN"]), 'expected [answer, probability], not "IN"'),
        (line(candidates=[["IN"]]), "expected [answer, probability]"),
        (line(candidates=[["IN", 61]]), "expected a probability from 0 to 1 for IN, not 61"),
        (line(candidates=[["IN", None]]), "expected a probability from 0 to 1 for IN, not null"),
        (line(candidates=[["IN", float("nan")]]), "expected a probability"),
        (line(source=3), "expected source and recorded that are text"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_wrong_line_is_named_with_file_and_number(file, text, message):
    file.write_text(line() + "\n" + text)
    with pytest.raises(ClueSetError) as caught:
        ClueSet.open(file)
    assert str(caught.value).startswith(f"{file}: line 3: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_text_is_named(file):
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ClueSetError, match="not UTF-8"):
        ClueSet.open(file)


def test_a_missing_file_and_a_folder_are_named(file):
    for path in (file, file.parent):
        with pytest.raises(ClueSetError, match=f"^{path}: expected a clue set, found no readable file: "):
            ClueSet.open(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_file_is_read_or_refused(file, content):
    file.write_bytes(content)
    with suppress(ClueSetError):
        ClueSet.open(file)


def test_recorded_answers_are_read_with_their_sources(file):
    assert record(file, [IN], {"1A": RECORDED}, recorded="2026-11-20") == 2
    assert answers(ClueSet.open(file)) == [("IN", 0.9, "llm:x"), ("ON", 0.05, "datamuse"), ("AT", 0.01, "llm:x")]
    assert json.loads(file.read_text().splitlines()[0]) == {
        "clue": "Not out",
        "length": 2,
        "candidates": [["IN", 0.9], ["AT", 0.01]],
        "source": "llm:x",
        "recorded": "2026-11-20",
    }


def test_recording_again_adds_nothing_but_news(file):
    record(file, [IN, IN], {"1A": RECORDED}, recorded="2026-11-20")
    before = file.read_bytes()
    assert record(file, [IN], {"1A": RECORDED}, recorded="2026-12-31") == 0
    assert file.read_bytes() == before
    assert record(file, [IN], {"1A": [Candidate("IN", 0.99, "llm:x")]}) == 1
    assert file.read_bytes().startswith(before)
    assert answers(ClueSet.open(file))[0] == ("IN", 0.99, "llm:x")


def test_any_clue_survives_recording(file):
    strange = [Question("1A", clue, 2) for clue in ("\ud800", "a\u2028b", '"\\n"', "é 🙂", "")]
    for question in strange:
        record(file, [question], {"1A": RECORDED})
    clues = ClueSet.open(file)
    assert all(question in clues for question in strange)


def test_nothing_answered_writes_no_file(file):
    assert record(file, [IN], {}) == 0
    assert not file.exists()


def test_an_open_last_line_is_closed_first(file):
    file.write_text(line().rstrip("\n"))
    record(file, [Question("2A", "Off", 2)], {"2A": RECORDED})
    assert len(ClueSet.open(file)) == 2


def test_a_file_that_is_not_a_clue_set_is_not_touched(file):
    file.write_text("my diary\n")
    with pytest.raises(ClueSetError):
        record(file, [IN], {"1A": RECORDED})
    assert file.read_text() == "my diary\n"


WRITER = """
import sys
from agent.candidates.clueset import record
from agent.candidates.provider import Question
from agent.grid import Candidate
path, name = sys.argv[1:]
for number in range(100_000):
    question = Question("1A", f"{name} {number}", 2)
    record(path, [question], {"1A": [Candidate("IN", 0.5, "x" * 2000)]})
    print(number, flush=True)
"""


def test_two_processes_may_record_and_be_killed(file):
    command = [sys.executable, "-c", WRITER, str(file)]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in "ab"]
    said = {}
    for name, writer in zip("ab", writers, strict=True):
        with writer:
            said[name] = [int(writer.stdout.readline()) for _ in range(10)]
            os.kill(writer.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            said[name] += map(int, writer.stdout.read().split())
    clues = ClueSet.open(file)
    for name, numbers in said.items():
        assert all(answers(clues, Question("1A", f"{name} {number}", 2)) for number in numbers)


DATA = Path(__file__).parents[2] / "data"


def test_the_recorded_sets_are_readable():
    assert len(ClueSet.open(DATA / "goobix_llm.clues.jsonl")) == 964
    assert len(ClueSet.open(DATA / "minis" / "minis_llm.clues.jsonl")) > 250
