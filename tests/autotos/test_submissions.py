"""One rule decides which function of a source has a role: for the judge, the loop and the search alike."""

import autotos_bank as bank
import pytest

from agent.autotos.cases import held_out
from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.evaluation import pair_from
from agent.autotos.judge import judge
from agent.autotos.roles import function_for
from agent.autotos.search import run_pair
from agent.autotos.submissions import Submission
from agent.errors import UnreadableError

FEWEST = dict(bank.PRUNING)["fewest candidates first"]
LISTED = "\n\ndef listed(state):\n    return str(state)\n"


@pytest.mark.parametrize(
    ("names", "successor", "goal"),
    [
        (["successor_state", "succ", "is_goal_state"], "successor_state", "is_goal_state"),
        (["succ", "pretty"], "succ", None),
        (["helper", "expand"], None, None),
        (["_next", "is_solved"], None, "is_solved"),
        (["_only"], "_only", "_only"),
        (["valid_successor", "get_successors"], "get_successors", None),
        ([], None, None),
    ],
)
def test_a_function_is_chosen_by_its_name(names, successor, goal):
    assert function_for("successor", "successor_state", names) == successor
    assert function_for("goal", "is_goal_state", names) == goal


def judged(source, backend, role="successor"):
    return judge(source, role, CROSSWORD, backend=backend)


def test_judge_and_search_choose_the_same_function(safe_backend):
    source = FEWEST.replace("successor_state", "get_succ") + LISTED
    assert (judged(source, safe_backend).function, judged(source, safe_backend).is_accepted) == ("get_succ", True)
    run = run_pair(CROSSWORD, held_out(CROSSWORD, 1)[0], {"successor": source, "goal": bank.GOAL}, safe_backend)
    assert run.ended == "solved"


@pytest.mark.parametrize(
    "how",
    [
        "successor_state = lambda s, h, v: other(s, h, v)[:1]",
        "import functools\nsuccessor_state = functools.partial(lambda keep, s, h, v: other(s, h, v)[:keep], 1)",
        "import functools\nsuccessor_state = functools.wraps(other)(lambda *call: other(*call)[:1])",
    ],
)
def test_the_value_of_the_wanted_name_is_judged_however_made(how, safe_backend):
    found = judged(bank.SUCCESSOR.replace("successor_state", "other") + "\n" + how, safe_backend)
    assert (found.function, found.verdict) == ("successor_state", "incomplete")


def test_a_role_without_a_function_is_refused_by_both(safe_backend):
    verdict = judged(bank.GOAL, safe_backend)
    assert verdict.verdict == "no-function"
    assert "defines no successor function: successor_state was asked for, is_goal_state is" in verdict.faults[0].note
    with pytest.raises(UnreadableError, match="no successor function was given"):
        pair_from([Submission("goal", bank.GOAL)])
    run = run_pair(CROSSWORD, held_out(CROSSWORD, 1)[0], {"successor": bank.GOAL, "goal": bank.GOAL}, safe_backend)
    assert "defines no successor function" in run.ended
