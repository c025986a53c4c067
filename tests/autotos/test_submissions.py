"""One rule decides which function of a source has a role: for the judge, the loop and the search alike."""

import autotos_bank as bank
import pytest

from agent.autotos.domains import CROSSWORD
from agent.autotos.evaluation import pair_from
from agent.autotos.judge import judge
from agent.autotos.submissions import Submission, functions_in
from agent.errors import UnreadableError

SUCCESSOR = dict(bank.PRUNING)["fewest candidates first"].replace(CROSSWORD.functions["successor"], "succ")
PRETTY = "\n\ndef pretty(state):\n    return str(state)\n"


@pytest.mark.parametrize(
    ("names", "successor", "goal"),
    [
        (["successor_state", "succ", "is_goal_state"], "successor_state", "is_goal_state"),
        (["succ", "pretty"], "succ", "pretty"),
        (["helper", "expand"], "expand", "expand"),
        (["_next", "is_solved"], None, "is_solved"),
        (["_only"], "_only", "_only"),
        (["get_successors"], "get_successors", None),
        ([], None, None),
    ],
)
def test_a_function_is_chosen_by_its_name(names, successor, goal):
    assert CROSSWORD.function_for("successor", names) == successor
    assert CROSSWORD.function_for("goal", names) == goal


def test_judge_and_search_choose_the_same_function(safe_backend):
    source = SUCCESSOR + PRETTY
    verdict = judge(source, "successor", CROSSWORD, backend=safe_backend)
    pair = pair_from([Submission("successor", source), Submission("goal", bank.GOAL)], CROSSWORD)
    assert verdict.function == pair["successor"][1] == "succ"
    assert verdict.is_accepted


def test_a_role_without_a_function_is_refused_by_both(safe_backend):
    verdict = judge(bank.GOAL, "successor", CROSSWORD, backend=safe_backend)
    assert verdict.verdict == "no-function"
    assert "defines no successor function; successor_state was asked for" in verdict.faults[0].note
    with pytest.raises(UnreadableError, match="no successor function was given"):
        pair_from([Submission("successor", bank.GOAL), Submission("goal", bank.GOAL)], CROSSWORD)


def test_names_are_read_from_text_alone():
    assert functions_in("async def f(): ...\nclass A:\n    def g(self): ...\ndef h(") == ["f", "h"]
