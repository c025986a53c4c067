"""Search spaces as values: those that are shipped, and one in a file of the user's own."""

import json
from concurrent.futures.process import BrokenProcessPool
from random import Random

import autotos_domains_bank as bank  # the bank is data for the tests as well
import pytest

from agent.autotos.cases import cases, instances, space
from agent.autotos.domain import Domain, Instance
from agent.autotos.domains import load, names
from agent.autotos.domains.game24 import GAME24
from agent.autotos.evaluation import load_instances
from agent.autotos.farm import Search, farmed
from agent.autotos.forms import Misfit, conform
from agent.autotos.judge import judge
from agent.autotos.report import line as line_of
from agent.autotos.report import page
from agent.autotos.search import run_pair, run_trusted
from agent.errors import DomainError, UnreadableError, UsageError
from agent.evaluate.executors import open_pool
from agent.evaluate.results import Results

PUBLISHED = ("blocksworld", "game24", "prontoqa", "sokoban")
SAMPLE = {
    "blocksworld": {"stacks without clear", "goal: on only"},
    "game24": {"values, not places", "infinite"},
    "prontoqa": {"chains", "goal: part of a fact"},
    "sokoban": {"stone onto stone", "goal: any stone"},
    "fillin": {"words are used again", "goal: as sets"},
    "gogen": {"pairs one way", "goal: strange letters"},
    "nonogram": {"blanks for empty cells", "goal: filled cells are counted"},
}
"""Faulty functions of the bank that the tests judge; all of them: tests/bench/bench_autotos_domains.py."""


@pytest.mark.parametrize("name", names())
def test_the_states_of_a_domain_are_of_its_own_form(name):
    domain = load(name)
    for case in cases(domain, "successor")[::40]:
        assert conform(case.state, domain.form) == case.state
        assert all(conform(child, domain.form) == child for child in case.expected.values())
    assert {case.expected for case in cases(domain, "goal")} == {True, False}


@pytest.mark.parametrize("name", names())
def test_the_same_seed_makes_the_same_instances(name):
    made = [str(list(load(name).instances(Random(5)))) for _ in range(2)]
    assert made[0] == made[1] or name == "prontoqa"  # a set is written in any order


@pytest.mark.parametrize("name", SAMPLE)
def test_right_functions_of_another_style_are_exact(name, safe_backend):
    for role, source in bank.right(name)[:2]:
        assert judge(source, role, load(name), backend=safe_backend).verdict == "exact"


@pytest.mark.parametrize("name", SAMPLE)
def test_a_fault_of_a_domain_has_its_own_name(name, safe_backend):
    wanted = [one for one in bank.faulty(name) if one[0] in SAMPLE[name]]
    assert len(wanted) == len(SAMPLE[name])
    for label, role, source, kinds in wanted:
        verdict = judge(source, role, load(name), backend=safe_backend)
        assert verdict.faults, label
        assert verdict.faults[0].kind in kinds, label
        json.dumps(verdict.to_json())


def test_rows_with_the_right_number_of_cells_in_wrong_runs_are_always_among_the_questions(safe_backend):
    (source,) = (source for label, _, source, _ in bank.faulty("nonogram") if label == "goal: filled cells are counted")
    assert all(not judge(source, "goal", load("nonogram"), backend=safe_backend, seed=n).is_accepted for n in range(6))


def test_pruning_must_keep_the_shortest_way_if_lengths_count(safe_backend):
    below = "state['on'] and min(above for above, _ in state['on'])"  # of blocks on others only the first is taken
    source = bank.BLOCKS.replace(
        "    return found", f"    return [s for s in found if s['holding'] in (None, {below}, *table)]"
    )
    by_length = load("blocksworld")
    verdict = judge(source, "successor", by_length, backend=safe_backend)
    assert verdict.verdict == "incomplete"
    assert "can no longer be reached" in verdict.faults[0].note


LINE = """
from agent.autotos.domain import Domain, Instance
def successors(state: int) -> list[int]:
    \"\"\"Go on by one or by two, up to 40.\"\"\"
    return [n for n in (state + 1, state + 2) if n <= 40]
def is_goal(state: int) -> bool:
    \"\"\"Stop at forty.\"\"\"
    return state == 40
"""
BY_ONE = "def successors(state): return [state + 1] if state < 40 else []"
AHEAD = "LINE = Domain('line', successors, is_goal, lambda r: [Instance('', 0, {}, (40,))], {more})\n"


@pytest.fixture
def line(tmp_path):
    """Return a domain of numbers up to forty: judged states are small ones, only a walk comes to the great ones."""

    def make(more=""):
        path = tmp_path / f"line{len(list(tmp_path.iterdir()))}.py"
        path.write_text(LINE + AHEAD.replace("{more}", more))
        return load(str(path))

    return make


@pytest.mark.parametrize("more", ["", "toward=lambda state, goal: state <= goal"], ids=["whole space", "towards goals"])
def test_a_fault_on_the_way_to_a_goal_decides(line, more, safe_backend):
    source = BY_ONE.replace("return", "return [77] if state == 30 else")
    verdict = judge(source, "successor", line(more), backend=safe_backend)
    assert (verdict.verdict, [fault.kind for fault in verdict.faults]) == ("unsound", ["wrong-successor", "missing"])
    assert verdict.faults[0].example.arguments == {"state": 30}
    assert verdict.proof == ""


@pytest.mark.parametrize("more", ["", "toward=lambda state, goal: state <= goal"], ids=["whole space", "towards goals"])
def test_the_verdict_says_what_pruning_was_shown_on(line, more, safe_backend, monkeypatch):
    verdict = judge(BY_ONE, "successor", line(more), backend=safe_backend)
    assert verdict.verdict == "goal-preserving"
    assert verdict.to_json()["proof"] == verdict.proof != ""
    assert verdict.proof in line_of("f.py", verdict)
    assert verdict.proof in page([("f.py", verdict)])
    monkeypatch.setattr("agent.autotos.judge.WALKED", 39)
    unshown = judge(BY_ONE, "successor", line(more), backend=safe_backend)
    assert (unshown.verdict, unshown.proof) == ("incomplete", "")
    assert "39 states" in unshown.faults[0].note


def test_pruning_that_costs_moves_is_a_fault_if_they_count(line, safe_backend):
    assert judge(BY_ONE, "successor", line("shortest=True"), backend=safe_backend).verdict == "incomplete"


def test_without_a_goal_nothing_is_shown(tmp_path, safe_backend):
    aimless = LINE + AHEAD.replace("(40,)", "()").replace("{more}", "toward=lambda state, goal: True")
    (tmp_path / "aimless.py").write_text(aimless.replace("state == 40", "False"))
    verdict = judge(BY_ONE, "successor", load(str(tmp_path / "aimless.py")), backend=safe_backend)
    assert (verdict.verdict, "no goal is known" in verdict.faults[0].note) == ("incomplete", True)


def test_every_trusted_pair_solves_what_it_made():
    for name in PUBLISHED:
        domain = load(name)
        for instance in [one for one in instances(domain, 0) if one.goals and space(domain, one)][:2]:
            assert run_trusted(domain, instance, "bfs").solved


def test_a_search_carries_sets_and_dictionaries(safe_backend):
    for name in ("prontoqa", "sokoban"):
        domain = load(name)
        (successor, goal) = (source for _, source in bank.right(name)[:2])
        instance = next(one for one in instances(domain, 0) if one.goals and one.start not in one.goals)
        run = run_pair(domain, instance, {"successor": successor, "goal": goal}, safe_backend, "bfs")
        assert (run.solved, run.moves) == (True, run_trusted(domain, instance, "bfs").moves)


def test_a_goal_that_no_allowed_move_reaches_is_not_a_success(safe_backend):
    domain = load("sokoban")
    instance = next(one for one in instances(domain, 0) if one.goals and run_trusted(domain, one, "bfs").moves > 1)
    jump = f"def successor_states(state, grid): return [{instance.goals[0]!r}]"
    goal = bank.right("sokoban")[1][1]
    run = run_pair(domain, instance, {"successor": jump, "goal": goal}, safe_backend, "bfs")
    assert (run.ended, run.solved) == ("false path", False)


OWN = """
from agent.autotos.domain import Domain, Instance
def successors(state: int) -> list[int]:
    \"\"\"Count.\"\"\"
    return [state + 1]
def is_goal(state: int) -> bool:
    \"\"\"Stop at three.\"\"\"
    return state == 3
"""


def write(path, text):
    path.write_text(OWN + text)
    return str(path)


def test_a_domain_is_read_from_a_file(tmp_path):
    path = write(tmp_path / "count.py", "D = Domain('count', successors, is_goal, lambda r: [Instance('', 0)])\n")
    domain = load(path)
    assert domain.name == path
    assert domain.task("goal") == "    def is_goal(state):\n\nStop at three."
    assert len(cases(domain, "successor")) > 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one Domain at the top level, found 0"),
        ("A = Domain('a', successors, is_goal, list); B = Domain('b', successors, is_goal, list)", "found 2"),
        ("1 / 0", "ZeroDivisionError"),
        ("def f(state): 'x'\nA = Domain('a', f, is_goal, list)", "the parameter state of f needs a type"),
        ("def f(state: int): pass\nA = Domain('a', f, is_goal, list)", "f needs a docstring"),
    ],
)
def test_a_file_without_a_usable_domain_is_refused(tmp_path, text, message):
    with pytest.raises(DomainError, match=message):
        load(write(tmp_path / "bad.py", text))


def test_an_unknown_domain_is_an_error_and_judged_by_no_rules():
    with pytest.raises(UsageError, match="unknown domain chess; choose from blocksworld, crossword"):
        load("chess")
    with pytest.raises(DomainError, match="no such file"):
        load("absent.py")


def test_a_domain_of_the_same_name_is_judged_by_its_own_rules():
    other = Domain("crossword", successors=count, is_goal=three, instances=lambda _: [Instance("", 0)])
    assert cases(other, "successor")[0].state == 0
    assert cases(load("crossword"), "successor")[0].state != 0


def count(state: int) -> list[int]:
    """Count."""
    return [state + 1]


def three(state: int) -> bool:
    """Stop at three."""
    return state == 3


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "crossword",
            '[{"horizontal_answers": [["a"]]}]',
            "item 0: not an instance of crossword: no 'vertical_answers'",
        ),
        ("crossword", '[{"horizontal_answers": [["a", 1]], "vertical_answers": []}]', "not an instance"),
        ("game24", '[[1, "a"]]', "item 0: not an instance of game24: a value at .1. is the string 'a', not float"),
        ("sokoban", "once upon a time", "not an instance of sokoban"),
        ("crossword", "once upon a time", "not an instance of crossword: it is the string 'once upon a time'"),
        ("blocksworld", "(define)", "expected a planning problem"),
        ("prontoqa", "[{}]", "not an instance of prontoqa: no 'question'"),
    ],
)
def test_instances_of_another_form_are_refused_in_one_line(name, text, message, tmp_path):
    path = tmp_path / "instances"
    path.write_text(text)
    with pytest.raises(UnreadableError, match=message):
        load_instances(load(name), str(path))


def test_forms_say_where_a_value_differs():
    form = load("sokoban").form
    assert conform({"at-stone": [(1, 2)], "at-player": (1, 1)}, form)
    for value, message in (
        ({"at-player": [1, 1], "at-stone": []}, r"at \['at-player'\] is a list, not tuple\[int, int\]"),
        ({"at-player": (1, 1)}, "has no key 'at-stone'"),
        ({"at-player": (1, 1), "at-stone": [], "x": 1}, "has an unknown key 'x'"),
        ({"at-player": (1, True), "at-stone": []}, "is bool True, not int"),
        ([], "is a list, not "),
    ):
        with pytest.raises(Misfit, match=message):
            conform(value, form)


def test_published_problems_are_read(evaluation_data):
    for name, file, count_ in (("blocksworld", "blocksworld", 502), ("sokoban", "sokoban", 14)):
        folder = evaluation_data("autotos_domains") / file
        assert len(load_instances(load(name), str(folder))) == count_
    sokobans = load_instances(load("sokoban"), str(evaluation_data("autotos_domains") / "sokoban"))
    assert [len(one.start["at-stone"]) for one in sokobans[:6]] == [2, 2, 2, 3, 6, 3]


def test_questions_of_prontoqa_are_read(evaluation_data):
    path = evaluation_data("autotos_domains/prontoqa_instances.json")
    assert len(load_instances(load("prontoqa"), str(path))) == 400


def test_a_goal_may_be_a_negated_fact(safe_backend):
    source = "def is_goal_state(state, goal): return goal in state and not goal.startswith('not')"
    for seed in range(3):
        verdict = judge(source, "goal", load("prontoqa"), backend=safe_backend, seed=seed)
        assert (verdict.verdict, verdict.faults[0].kind) == ("incomplete", "false-negative")


def test_searches_are_farmed_and_resumed(tmp_path):
    domain = load("game24")
    problems = [Instance(str(n), [n, 24 - n]) for n in range(6)]
    search = Search(domain, None, "native")
    with Results(tmp_path / "runs.jsonl") as kept, open_pool("processes", jobs=2) as pool:
        first = list(farmed(search, problems[:4], "bfs", pool, kept))
        again = list(farmed(search, problems, "bfs", pool, kept))
    assert sorted(run.instance for run in again) == [str(n) for n in range(6)]
    assert all(run.solved and run.moves == 1 for run in again)
    assert {run.instance: run.seconds for run in again} | {run.instance: run.seconds for run in first} == {
        run.instance: run.seconds for run in again
    }


def test_a_worker_that_dies_costs_its_own_search_only():
    class Deadly(Search):
        def __call__(self, instance, strategy):
            if instance.name == "1":
                raise BrokenProcessPool
            return super().__call__(instance, strategy)

    problems = [Instance(str(n), [n, 24 - n]) for n in range(3)]
    with open_pool("threads", jobs=2) as pool:
        runs = list(farmed(Deadly(load("game24"), None, "native"), problems, "bfs", pool))
    assert {run.instance: run.ended.split(":")[0] for run in runs} == {"0": "solved", "1": "died", "2": "solved"}


@pytest.mark.parametrize(
    ("test", "remarks"), [("state[0] == 24", ["rounding"]), ("abs(state[0] - 24) < 1e-6", []), ("state[0] > 23", None)]
)
def test_a_goal_test_that_takes_no_rounded_number_gets_a_remark(test, remarks, safe_backend):
    source = f"def is_goal_state(state): return len(state) == 1 and {test}"
    found = judge(source, "goal", GAME24, backend=safe_backend)
    assert found.is_accepted == (remarks is not None)
    assert [remark.kind for remark in found.remarks] == (remarks or [])
    if remarks:
        assert found.verdict == "exact"
        assert "[23.99999999999999" in found.remarks[0].note
        assert "tolerance" in found.remarks[0].feedback
