"""The judge finds every kind of fault, accepts correct functions, and repeats its verdicts."""

import inspect
import json
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random

import autotos_bank as bank  # the bank is data for the tests as well
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.autotos.cases import cases
from agent.autotos.domain import ROLES, Instance, freeze, leaves
from agent.autotos.domains import load, names
from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.domains.fillin import FILLIN
from agent.autotos.evaluation import load_instances
from agent.autotos.faults import KINDS
from agent.autotos.feedback import ADVICE, advice_for
from agent.autotos.forms import Misfit, conform
from agent.autotos.grids import Grid, cells_breach
from agent.autotos.judge import MAX_FAILURES, judge, judge_all
from agent.autotos.packing import packing_of
from agent.autotos.report import page
from agent.autotos.sandbox import Limits, Worker
from agent.autotos.session import PATIENCE, Session
from agent.autotos.shrink import shrink, word_lists
from agent.autotos.submissions import Submission, extract, read_file, read_submissions
from agent.errors import SandboxRefusedError, UnreadableError
from agent.puzzles.fillin.check import check_fillin
from agent.verify import reference

FEWER = load(str(Path(__file__).with_name("fewer.py")))
BANK = {(role, name): (source, kinds) for name, role, source, kinds in bank.bank()}

SAMPLE = [
    # role, name in the bank, verdict, kind of the first fault
    ("successor", "short answers from the left", "unsound", "short-word"),
    ("successor", "overwrites in rows", "unsound", "overwrite"),
    ("successor", "row and then column", "unsound", "several-words"),
    ("successor", "cuts long answers", "unsound", "junk"),
    ("successor", "nothing at the root", "incomplete", "missing"),
    ("successor", "copies nothing", "mutated-input", "mutated-input"),
    ("successor", "returns one grid", "wrong-type", "wrong-type"),
    ("successor", "depends on the hash seed", "nondeterministic", "nondeterministic"),
    ("successor", "remembers by state only", "nondeterministic", "nondeterministic"),
    ("successor", "endless on full grids", "timeout", "timeout"),
    ("successor", "endless generator", "too-many", "too-many"),
    ("successor", "memory", "memory", "memory"),
    ("successor", "needs a package that is not there", "exception", "exception"),
    ("successor", "syntax", "syntax", "syntax"),
    ("goal", "last column forgotten", "unsound", "false-positive"),
    ("goal", "a part of an answer will do", "unsound", "false-positive"),
    ("goal", "letters a to z only", "incomplete", "false-negative"),
    ("goal", "equal to everything", "wrong-type", "wrong-type"),
    ("goal", "exits", "died", "died"),
    ("goal", "nothing", "no-function", "no-function"),
]
RARE = ("cuts long answers", "endless on full grids")
"""Faults that few instances show, or show late."""


@pytest.mark.parametrize(("role", "name", "verdict", "kind"), SAMPLE)
def test_a_fault_is_named_with_a_counter_example_and_advice(role, name, verdict, kind, safe_backend):
    source, kinds = BANK[role, name]
    found = judge(source, role, CROSSWORD if name in RARE else FEWER, backend=safe_backend)
    assert kind in kinds
    assert (found.verdict, found.faults[0].kind) == (verdict, kind)
    assert not found.is_accepted
    assert advice_for(FEWER, kind) in found.feedback
    json.dumps(found.to_json())


@pytest.mark.parametrize("name", ["generator", "class", "bit tricks", "grids of tuples, in and out", "random order"])
def test_correct_functions_of_any_style_are_exact(name, safe_backend):
    found = judge(BANK["successor", name][0], "successor", FEWER, backend=safe_backend)
    assert (found.verdict, found.faults) == ("exact", ())


@pytest.mark.parametrize("name", ["fewest candidates first", "forward checking"])
def test_a_function_that_prunes_is_graded_not_blamed(name, safe_backend):
    found = judge(BANK["successor", name][0], "successor", CROSSWORD, backend=safe_backend)
    assert (found.verdict, [fault.kind for fault in found.faults]) == ("goal-preserving", ["missing"])
    assert found.is_accepted
    assert found.feedback == ""


def changed(line: str, *lines: str) -> str:
    """Return the correct successor function with a line replaced by others."""
    return bank.SUCCESSOR.replace(line, "\n".join(lines))


def test_a_function_without_a_fault_may_be_too_slow(safe_backend):
    source = changed("    result = []", "    for _ in range(300_000): pass", "    result = []")
    first, again = (judge(source, "successor", CROSSWORD, backend=safe_backend).to_json() for _ in range(2))
    assert (first["verdict"], first["faults"], first["cases"]) == ("timeout", ["timeout"], 1)
    assert "steps on average" in first["details"][0]["note"]
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


def test_a_source_that_was_judged_before_is_not_run_again(safe_backend):
    submission = Submission("successor", "def successor_state(state, horizontal, vertical): return []")
    (_, first), (_, second) = judge_all([submission, submission], FEWER, backend=safe_backend)
    assert first is second


def test_an_example_stays_as_found_if_steps_are_used_up(safe_backend, monkeypatch):
    source, _ = BANK["successor", "short answers from the left"]
    small = judge(source, "successor", FEWER, backend=safe_backend)
    monkeypatch.setattr("agent.autotos.judge.SHRINK_STEPS", 0)
    found = judge(source, "successor", FEWER, backend=safe_backend)
    assert found.verdict == small.verdict == "unsound"
    assert len(str(found.faults[0].example)) > len(str(small.faults[0].example))


SWALLOWING = """
def successor_state(state, horizontal, vertical):
    try:
        while True:
            pass
    except BaseException:
        return []
"""


def test_steps_that_are_used_up_count_even_if_the_function_catches_what_ends_it(safe_backend):
    case = cases(FEWER, "successor")[0]
    with Session(SWALLOWING, "successor", FEWER, safe_backend, Limits()) as session:
        assert session.call(case, steps=1000).failure == "timeout"
        assert session.call(case, steps=0).failure == "timeout"


def test_a_machine_that_stalls_changes_no_verdict(safe_backend, monkeypatch):
    right = judge(bank.SUCCESSOR, "successor", FEWER, backend=safe_backend)
    waits, in_time = count(), Worker.has_answer

    def seldom_in_time(worker, timeout):
        return (timeout != PATIENCE or next(waits) % 200 > 0) and in_time(worker, timeout)

    monkeypatch.setattr(Worker, "has_answer", seldom_in_time)  # the source too is loaded late
    stalled = judge(bank.SUCCESSOR, "successor", FEWER, backend=safe_backend)
    assert next(waits) > 1000
    assert {**right.to_json(), "seconds": 0} == {**stalled.to_json(), "seconds": 0}


ENDLESS_LATER = changed(
    "    result = []", "    global calls", "    calls += 1", "    while calls == 90: pass", "    result = []"
)
ENDLESS_LATER = f"calls = 0\n{ENDLESS_LATER}"


def test_a_call_that_is_endless_only_after_others_is_too_slow(safe_backend):
    found = judge(ENDLESS_LATER, "successor", CROSSWORD, backend=safe_backend, limits=Limits(cpu=2))
    assert (found.verdict, found.faults[0].note) == ("timeout", "2 s of processor time were used up")


def test_a_machine_that_keeps_stalling_is_named(safe_backend, monkeypatch):
    monkeypatch.setattr("agent.autotos.session.WAIT_SECONDS", 0.0)
    with pytest.raises(SandboxRefusedError, match="too busy to judge"):
        judge(ENDLESS_LATER, "successor", CROSSWORD, backend=safe_backend)


def test_a_function_that_dies_with_other_hashes_is_not_asked_for_ever(safe_backend):
    dies = ("    import os, sys", "    if sys.flags.hash_randomization: os._exit(1)", "    result = []")
    found = judge(changed("    result = []", *dies), "successor", FEWER, backend=safe_backend)
    [fault] = [fault for fault in found.faults if fault.kind == "nondeterministic"]
    assert (found.verdict, fault.count) == ("nondeterministic", MAX_FAILURES)


def test_an_answer_that_was_not_asked_for_is_a_fault(safe_backend, monkeypatch):
    monkeypatch.setattr("agent.autotos.session.Session.is_clean", lambda _session: False)
    found = judge(bank.SUCCESSOR, "successor", FEWER, backend=safe_backend)
    assert [fault.kind for fault in found.faults] == ["protocol"]


def test_a_single_state_without_end_is_found(safe_backend):
    count = "    count = sum(map(bool, sum(state, [])))"  # 9 letters: those of two words that cross
    source = changed("    result = []", count, "    while count == 9: pass", "    result = []")
    found = judge(source, "successor", CROSSWORD, backend=safe_backend)
    assert [(fault.kind, fault.count) for fault in found.faults] == [("timeout", 1)]
    assert "did not end within" in found.faults[0].note
    assert found.cases > 8


def test_an_error_that_comes_and_goes_is_nondeterministic(safe_backend):
    source = changed("    return result", "    return [g for g in result if hash(str(g)) % 64 or 1 / 0]")
    found = judge(source, "successor", FEWER, backend=safe_backend)
    (fault,) = [fault for fault in found.faults if fault.kind == "nondeterministic"]
    assert "ZeroDivisionError" in fault.note


def test_tuples_that_cannot_be_taken_back_are_a_fault(safe_backend):
    source = bank.SUCCESSOR.replace("result.append(new)", "result.append(tuple(map(tuple, new)))")
    source = source.replace("new[row] = list(word)", "state[row] + []; new[row] = list(word)")
    assert judge(source, "successor", FEWER, backend=safe_backend).verdict == "wrong-type"


def test_the_counter_example_is_minimal(safe_backend):
    source, _ = BANK["successor", "short answers from the left"]
    example = judge(source, "successor", FEWER, backend=safe_backend).faults[0].example
    assert leaves(example.arguments["state"]) == 0
    words = [word for _, lists in word_lists([example.arguments["horizontal_answers"]]) for word in lists]
    assert len(words) == 1
    assert len(words[0]) < 5
    assert example.expected == []
    assert example.offending[0][[row[0] is not None for row in example.offending[0]].index(True)][0] == words[0][0]


def test_the_same_seed_gives_the_same_verdict_to_the_letter(safe_backend):
    source, _ = BANK["successor", "depends on the hash seed"]
    first, again = (judge(source, "successor", FEWER, backend=safe_backend, seed=3).to_json() for _ in range(2))
    assert {**first, "seconds": 0} == {**again, "seconds": 0}


def test_addresses_in_messages_do_not_differ(safe_backend):
    source = changed("    return result", "    raise ValueError(str(iter(result)))")
    notes = {judge(source, "successor", FEWER, backend=safe_backend).faults[0].note for _ in range(2)}
    assert len(notes) == 1
    assert "0x...>" in notes.pop()


def test_another_seed_makes_other_states():
    assert [case.state for case in cases(CROSSWORD, "successor", 0)] != [
        case.state for case in cases(CROSSWORD, "successor", 1)
    ]


@pytest.mark.parametrize("domain", [CROSSWORD, FILLIN], ids=["crossword", "fillin"])
def test_judged_states_are_many_and_of_every_sort(domain):
    successors, goals = cases(domain, "successor"), cases(domain, "goal")
    assert len(successors) >= 240
    assert len({case.instance.name for case in successors}) >= 8 or domain is FILLIN
    assert any(not case.expected for case in successors)
    assert sum(case.expected for case in goals) >= 20
    assert sum(not case.expected for case in goals) >= 380


def test_no_instance_of_the_evaluation_is_judged_on(evaluation_data):
    path = evaluation_data("autotos_20.json")
    evaluated = {tuple(words) for one in json.loads(path.read_text()) for words in one["horizontal_answers"]}
    judged = {
        tuple(words)
        for case in cases(CROSSWORD, "successor")
        for words in case.instance.arguments["horizontal_answers"]
    }
    assert not evaluated & judged


def test_real_lists_are_judged_on_only_recombined(evaluation_data):
    path = evaluation_data("autotos_20.json")
    given = load_instances(CROSSWORD, str(path))
    made = CROSSWORD.recombine(given, Random(0))
    assert len(made) == 20
    evaluated = [one.arguments for one in given]
    assert not any(one.arguments in evaluated for one in made)
    assert len(cases(CROSSWORD, "successor", 0, made)) > len(cases(CROSSWORD, "successor", 0)) + 200


def test_every_kind_of_fault_has_advice():
    assert set(KINDS) == set(ADVICE)
    for name in names():
        domain = load(name)
        assert set(domain.advice) <= set(KINDS)
        assert not set(domain.kinds) & set(KINDS)


@pytest.mark.parametrize("cell", ["\\ud800", "\\U0001f600", "\\x00", "<i>"])
def test_strange_characters_are_judged_like_others(cell, safe_backend):
    source = bank.SUCCESSOR.replace("list(word)", f"['{cell}'] * 5")
    found = judge(source, "successor", FEWER, backend=safe_backend)
    assert found.verdict in ("unsound", "wrong-type")
    json.dumps(found.to_json(), ensure_ascii=False).encode()
    assert "<i>" not in page([("x", found)])


def test_an_attack_is_never_a_pass(attacks, safe_backend):
    for name in ("forges-frames", "patches-builtins", "exits", "sends-deep-json", "equal-to-everything", "fork-bomb"):
        found = judge(attacks[name], "successor", FEWER, backend=safe_backend)
        assert not found.is_accepted, name


def test_published_functions_get_the_recorded_strict_verdict(safe_backend, evaluation_data):
    rows = [json.loads(line) for line in evaluation_data("autotos_functions.jsonl").read_text().splitlines()]
    for place in (3, 37, 57, 84, 117):  # the exact ones and accepted ones of each fault; all: tests/bench
        found = judge(rows[place]["source"], rows[place]["role"], CROSSWORD, backend=safe_backend)
        strict = rows[place]["strict_verdict"]
        assert found.is_accepted == (not any(word in strict for word in ("exc", "incomplete", "unsound", "fn"))), place


grid = st.lists(st.lists(st.sampled_from(["a", "b", None]), min_size=3, max_size=3), min_size=2, max_size=2)


@given(grid)
def test_packing_and_freezing_lose_nothing(rows):
    packing = packing_of(CROSSWORD, Instance("", rows))
    assert packing.unpack(packing.pack(rows)) == conform(freeze(rows), Grid) == rows
    assert cells_breach(rows, rows) == ""


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=2), st.lists, max_leaves=12))
def test_anything_can_be_held_against_the_contract(value):
    with suppress(Misfit):
        assert isinstance(cells_breach(conform(value, Grid), [[None, "a"]]), str)


@pytest.mark.parametrize("role", ROLES)
def test_the_reference_functions_of_the_solver_are_exact(role, safe_backend):
    found = judge(inspect.getsource(reference), role, CROSSWORD, backend=safe_backend)
    assert (found.verdict, found.remarks) == ("exact", ())


def test_the_fill_in_goal_test_agrees_with_the_checker():
    for case in cases(FILLIN, "goal"):
        pattern, filled = (
            ["".join(cell or "_" for cell in row) for row in state] for state in (case.instance.start, case.state)
        )
        if any("_" in row for row in filled) or not case.instance.arguments["words"]:
            continue
        given_kept = all(p in ("_", f) for x, y in zip(pattern, filled, strict=True) for p, f in zip(x, y, strict=True))
        if given_kept:
            assert case.expected == (check_fillin(pattern, case.instance.arguments["words"], filled) == ()), case


def test_shrinking_keeps_the_fault_and_the_state():
    case = cases(CROSSWORD, "successor")[0]
    word = next(words[0] for _, words in word_lists(case.instance.arguments) if words)
    small = shrink(
        CROSSWORD, "successor", case, lambda one: any(word in words for _, words in word_lists(one.instance.arguments))
    )
    assert [words for _, words in word_lists(small.instance.arguments) if words] == [[word]]
    assert small.state == case.state


def test_code_is_found_in_replies():
    assert extract("```py\nx = 1\n```\n```python\ndef f():\n    pass\n```") == "def f():\n    pass\n"
    assert extract("Sure!\ndef f():\n    return 1") == "def f():\n    return 1\n"
    assert extract("```\ndef f():\n    return 1") == "def f():\n    return 1\n"
    assert extract("") == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{broken", "line 1: not JSON"),
        ('{"role": "goal", "source": ""}\n{"role": "x"}', "line 2: expected an object"),
        ('{"role": "goal"}', 'expected "source"'),
        ('{"role": "goal", "source": 5}', 'expected "source"'),
    ],
)
def test_bad_input_names_file_and_line(text, message):
    with pytest.raises(UnreadableError, match=message):
        list(read_submissions("f.jsonl", text))


def test_unreadable_files_are_reported(tmp_path):
    (tmp_path / "empty.py").write_text("\n")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    for name in ("empty.py", "binary.py", "absent.py"):
        with pytest.raises(UnreadableError, match=name):
            read_file(str(tmp_path / name))
