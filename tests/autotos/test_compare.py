"""What one answer of a function shows, without a sandbox: every kind of finding, its clause and its successors."""

from collections.abc import Iterator, Sequence

import pytest

from agent.autotos.cases import goal_case, successor_case
from agent.autotos.compare import Finding, Reply, breach_of, examine, twin
from agent.autotos.domain import Domain, Instance, Kind


def successors(state: Sequence[int], most: int) -> Iterator[list[int]]:
    """Count one of the numbers up."""
    yield from ([*state[:at], n + 1, *state[at + 1 :]] for at, n in enumerate(state) if n < most)


def is_goal(state: Sequence[int], most: int) -> bool:
    """Return True exactly when every number is `most`."""
    return all(n == most for n in state)


COUNT = Domain(
    "count",
    successors,
    is_goal,
    lambda _: [Instance("", [0, 0], {"most": 2})],
    breach=lambda child, state, most: "" if len(child) == len(state) else f"has {len(child)} numbers below {most}",
    kinds={"jump": Kind("a number was counted twice", ""), "back": Kind("a number was counted down", "")},
    fault=lambda state, child, most: ("jump" if sum(child) > sum(state) else "back", f"{child} of at most {most}"),
    why=lambda state, most: f"{state[0]} is not {most}",
)
ZEROS = successor_case(COUNT, Instance("", [0, 0], {"most": 2}), [0, 0])
RIGHT = [[0, 1], [1, 0]]
FULL = successor_case(COUNT, ZEROS.instance, [2, 2])


def came(value, kind="list", *, shared=False, mutated=False):
    return Reply({"value": value, "type": kind, "shared": shared, "wire": value}, mutated=mutated)


def found(value, kind="list", case=ZEROS, **more):
    return examine(COUNT, "successor", case, came(value, kind, **more))


@pytest.mark.parametrize("kind", ["list", "generator", "tuple", "set"])
def test_right_successors_in_any_order_and_container_are_fine(kind):
    assert found(RIGHT[::-1], kind) == []
    assert found([], kind, FULL) == []


def test_missing_successors_are_counted_and_listed():
    assert found([RIGHT[1]]) == [Finding("missing", "1 of 2 successors is missing", ([0, 1],))]
    assert found([]) == [Finding("missing", "2 of 2 successors are missing", ([0, 1], [1, 0]))]


def test_wrong_successors_have_the_domains_kind_one_finding_for_each():
    jump, back = found([*RIGHT, [2, 0], [0, 2], [-1, 0]])[::-1]
    assert jump == Finding("jump", "[0, 2] of at most 2", ([0, 2], [2, 0]))
    assert back == Finding("back", "[-1, 0] of at most 2", ([-1, 0],))
    (by_text,) = found([*RIGHT, [9, 0], [10, 0]])  # keys of states need not be comparable
    assert by_text.offending == ([10, 0], [9, 0])


def test_the_state_itself_and_repeated_successors_are_remarked():
    assert found([*RIGHT, [0, 0], [0, 0]]) == [Finding("parent", "the state itself is among the successors", ([0, 0],))]
    assert found([*RIGHT, RIGHT[0]]) == [Finding("duplicate", "3 successors, 2 different", (RIGHT[0],))]
    many = successor_case(COUNT, ZEROS.instance, [0] * 5)
    twice = [*many.expected.values()] * 2
    (duplicate,) = found(twice, case=many)
    assert (duplicate.note, len(duplicate.offending)) == ("10 successors, 5 different", 3)


def stay(state: int) -> list[int]:
    """Stay where you are."""
    return [state]


def is_one(state: int) -> bool:
    """Return True exactly for one."""
    return state == 1


def test_a_state_that_is_its_own_right_successor_is_not_remarked():
    idle = Domain("idle", stay, is_one, lambda _: [Instance("", 1)])
    case = successor_case(idle, Instance("", 1), 1)
    assert examine(idle, "successor", case, came([1])) == []
    assert examine(idle, "successor", case, came([])) == [Finding("missing", "1 of 1 successor is missing", (1,))]


def test_shared_parts_and_changed_arguments_are_reported():
    note = "a successor holds the same objects as another state"
    assert found(RIGHT, shared=True) == [Finding("shared-parts", note)]
    assert examine(COUNT, "successor", ZEROS, Reply({"value": RIGHT, "type": "list"})) == []
    changed = Finding("mutated-input", "the call changed the arguments it was given")
    assert found(RIGHT, mutated=True) == [changed]
    assert [finding.kind for finding in found([], mutated=True)] == ["mutated-input", "missing"]


def test_items_of_another_form_are_named_by_the_first_of_them():
    strings, missing = found([RIGHT[0], ["a", 0], "b"])
    assert strings == Finding("wrong-type", "item 1 of the result at [0] is the string 'a', not int")
    assert missing.offending == (RIGHT[1],)
    (length,) = found([*RIGHT, [0]])
    assert length == Finding("wrong-type", "item 2 of the result has 1 numbers below 2")


def test_one_state_for_many_is_told_apart_from_items_of_another_form():
    single, *more = found([0, 1])
    assert (single, more) == (
        Finding("wrong-type", "a single state was returned, not a list of states", ([0, 1],)),
        [],
    )


@pytest.mark.parametrize("kind", ["str", "dict", "bytes"])
def test_what_can_be_iterated_but_not_over_states_is_of_the_wrong_type(kind):
    first, *_ = found([], kind)
    assert first == Finding("wrong-type", f"the result is a {kind}, not an iterable of states")


def test_tuples_will_do_for_sequences():
    assert found([(0, 1), (1, 0)]) == []
    assert breach_of(COUNT, ZEROS, (0, 1)) == ([0, 1], "")
    assert breach_of(COUNT, ZEROS, (0, "1")) == ((0, "1"), "at [1] is the string '1', not int")


def test_a_right_successor_in_another_form_is_asked_for_again():
    case, child = twin(COUNT, ZEROS, came([[0, 1], (0, 5), ["a"], (1, 0)]))
    assert (case.state, child, list(case.expected.values())) == ([1, 0], (1, 0), [[1, 1], [2, 0]])
    assert twin(COUNT, ZEROS, came(RIGHT)) is None
    assert twin(COUNT, ZEROS, Reply({"error": "ValueError"})) is None
    assert twin(COUNT, ZEROS, came(7)) is None


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        ({"error": "ValueError", "message": "no", "line": 3}, Finding("exception", "ValueError: no in line 3")),
        ({"error": "ValueError", "message": "", "line": 3}, Finding("exception", "ValueError in line 3")),
        ({"error": "ValueError", "message": "no", "line": None}, Finding("exception", "ValueError: no")),
        ({"error": "ValueError", "message": ""}, Finding("exception", "ValueError")),
        ({"error": "MemoryError", "message": ""}, Finding("memory", "the memory ran out")),
        ({"error": "TooMany", "message": "more than 9 successors"}, Finding("too-many", "more than 9 successors")),
        ({"error": "Unfit", "message": "is None"}, Finding("wrong-type", "the result is None")),
        ({"value": []}, Finding("protocol", "an answer without the agreed fields")),
        ({"type": "list"}, Finding("protocol", "an answer without the agreed fields")),
        ({"value": {}, "type": "list"}, Finding("protocol", "an answer without the agreed fields")),
    ],
)
def test_an_answer_that_is_not_a_result_is_one_finding(answer, finding):
    assert examine(COUNT, "successor", ZEROS, Reply(answer)) == [finding]


def test_a_worker_that_failed_is_one_finding():
    assert examine(COUNT, "goal", ZEROS, Reply({}, "died", "exit code 3")) == [Finding("died", "exit code 3")]


def test_goal_tests_are_held_against_the_truth():
    goal, other = (goal_case(COUNT, ZEROS.instance, state) for state in ([2, 2], [1, 2]))
    for case, value in ((goal, True), (other, False)):
        assert examine(COUNT, "goal", case, came(value)) == []
    assert examine(COUNT, "goal", goal, came(False)) == [Finding("false-negative", "False was returned for a goal")]
    assert examine(COUNT, "goal", other, came(True)) == [
        Finding("false-positive", "True was returned for a state that is not a goal: 1 is not 2")
    ]
    assert examine(COUNT, "goal", goal, came(1)) == [Finding("wrong-type", "the result is int 1, not True or False")]
    assert [one.kind for one in examine(COUNT, "goal", goal, came(True, mutated=True))] == ["mutated-input"]


def test_without_a_rule_a_false_goal_is_reported_plainly():
    plain = Domain("plain", successors, is_goal, COUNT.instances)
    other = goal_case(plain, ZEROS.instance, [1, 2])
    (finding,) = examine(plain, "goal", other, came(True))
    assert finding.note == "True was returned for a state that is not a goal"


def test_the_order_of_successors_is_not_part_of_an_answer():
    assert came(RIGHT).signature == came(RIGHT[::-1]).signature != came(RIGHT[:1]).signature
    assert came(True).signature is True
    assert came([[1]]).signature != came([[True]]).signature
    assert Reply({}, "died", "x").signature == "died"
    assert Reply({"error": "KeyError"}).signature == "KeyError"
