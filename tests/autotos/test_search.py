"""The evaluation run: counts are ours, success is judged outside, and a lie gains nothing."""

import autotos_bank as bank  # the bank is data for the tests as well
import pytest

from agent.autotos.cases import held_out
from agent.autotos.domain import Instance
from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.domains.fillin import FILLIN
from agent.autotos.domains.game24 import GAME24
from agent.autotos.packing import packing_of
from agent.autotos.search import STRATEGIES, SearchLimits, checked, checked_list, run_pair, run_trusted
from agent.errors import SandboxError

FEWEST = dict(bank.PRUNING)["fewest candidates first"]
HEAD = "def is_goal_state(state, h, v):\n"
LIMITS = SearchLimits(seconds=600, expansions=2_000)


@pytest.fixture(scope="module")
def instances():
    return held_out(CROSSWORD, 2)


def pair(successor, goal=bank.GOAL):
    return {"successor": successor, "goal": goal}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_order_of_search_solves(strategy, instances, safe_backend):
    runs = [run_pair(CROSSWORD, one, pair(FEWEST), safe_backend, strategy, LIMITS) for one in instances]
    assert [run.ended for run in runs] == ["solved"] * 2
    assert all(run.generated >= run.expansions for run in runs)


def in_process(instance, limit):
    """Search depth-first in this process, with functions of our own bank."""
    space = {}
    exec(bank.SUCCESSOR + bank.GOAL, space)  # noqa: S102 - ours, and read
    words = CROSSWORD.arguments("goal", instance)
    stack, closed, expansions, generated = [[list(row) for row in instance.start]], set(), 0, 0
    while stack and expansions < limit:
        state = stack.pop()
        if str(state) in closed:
            continue
        closed.add(str(state))
        if space["is_goal_state"](state, *words):
            break
        expansions += 1
        children = space["successor_state"](state, *words)
        generated += len(children)
        stack += children
    return expansions, generated


def test_batches_do_not_change_the_counts(instances, safe_backend):
    few = SearchLimits(seconds=600, expansions=500)
    for instance in instances:
        run = run_pair(CROSSWORD, instance, pair(bank.SUCCESSOR), safe_backend, "dfs", few)
        expansions, generated = in_process(instance, run.expansions)
        assert (run.expansions, run.generated) == (expansions, generated)


def test_a_false_goal_is_not_a_success(instances, safe_backend):
    run = run_pair(CROSSWORD, instances[0], pair(FEWEST, HEAD + "    return True\n"), safe_backend)
    assert (run.ended, run.solved) == ("false goal", False)


def test_a_goal_test_that_never_says_yes_is_not_a_success(instances, safe_backend):
    run = run_pair(CROSSWORD, instances[0], pair(FEWEST, HEAD + "    return False\n"), safe_backend, "dfs", LIMITS)
    assert (run.ended, run.solved) == ("exhausted", False)


@pytest.mark.parametrize(
    ("successor", "goal", "ended"),
    [
        ("import os\ndef successor_state(s, h, v): os._exit(0)\n", bank.GOAL, "died"),
        ("def successor_state(s, h, v): return [[['ab']]]\n", bank.GOAL, "Unfit"),
        ("def successor_state(s, h, v):\n    while True: yield s\n", bank.GOAL, "Unfit"),
        ("def successor_state(s, h, v): return 1 / 0\n", bank.GOAL, "ZeroDivisionError"),
        ("def successor_state(s, h, v)\n", bank.GOAL, "SyntaxError"),
        (FEWEST, HEAD + "    return 1\n", "Unfit"),
    ],
)
def test_a_pair_that_fails_is_reported(successor, goal, ended, instances, safe_backend):
    run = run_pair(CROSSWORD, instances[0], pair(successor, goal), safe_backend)
    assert ended in run.ended
    assert not run.solved


def test_limits_end_a_search(instances, safe_backend):
    for limits in (SearchLimits(expansions=10), SearchLimits(states=5), SearchLimits(seconds=0)):
        run = run_pair(CROSSWORD, instances[0], pair(bank.SUCCESSOR), safe_backend, "bfs", limits)
        assert run.ended == "budget"


def test_the_trusted_functions_search_the_same_way():
    assert all(run_trusted(FILLIN, one, "dfs").solved for one in held_out(FILLIN, 3))


def test_claims_are_checked():
    with pytest.raises(SandboxError, match="protocol"):
        checked_list([], 1)
    grids = packing_of(CROSSWORD, Instance("", [[None, None]]))
    assert checked([False, "abcd"], grids) == (False, ["ab", "cd"])
    for claim in (None, [1, ""], [True], [True, "abc"], [True, ["ab"]]):
        with pytest.raises(SandboxError, match="protocol"):
            checked(claim, grids)
    for claim in ([False, "abcd"], [False, [1]]):
        with pytest.raises(SandboxError, match="protocol"):
            checked(claim, packing_of(GAME24, Instance("", [1, 2])))
