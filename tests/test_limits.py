"""Limits on search, waiting, calls and tokens: each is reported, and none leaves the grid empty."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest

from agent import api
from agent.api import open_puzzle
from agent.cache import Cache
from agent.candidates.clueset import ClueSet
from agent.candidates.lexicon import LexiconProvider
from agent.candidates.llm import recorded
from agent.candidates.provider import Question, Usage
from agent.config import Settings
from agent.core import Budget, Clock
from agent.errors import FormatError
from agent.grid import Candidate, Clue, ClueText, Grid, NumberedClue, Puzzle
from agent.gridless.solve import solve_clues
from agent.proposing import tell_late
from agent.questions import ask
from agent.solution import Solution
from agent.solve import solve, solve_lists
from agent.testing import FakeOpenAI, Request
from agent.tools import Tools, open_tools

MINIS = Path(__file__).parents[1] / "data" / "minis"
CLUE_SET = MINIS / "minis_llm.clues.jsonl"
PATIENCE_SECONDS = 0.3
LONGEST_SECONDS = 300.0
"""How long a test waits for what must come, before it fails."""

PUZZLE = replace(open_puzzle(MINIS / "mini-01.xd"), solution=None)
OFFICIAL = open_puzzle(MINIS / "mini-01.xd").solution


@pytest.fixture(scope="module")
def lexicon() -> LexiconProvider:
    return LexiconProvider()


class FakeTime:
    """A clock's time that moves when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def knows(grid: Grid) -> Mapping[str, Any]:
    """Answer as a model that knows every word."""
    return {
        "slots": [
            {"slot": slot.name, "candidates": [{"answer": grid.answer(slot), "probability": 0.9}]}
            for slot in grid.slots
        ]
    }


def settings(server: FakeOpenAI, folder: Path, **more: Any) -> Settings:
    return Settings(
        model="m",
        base_url=server.base_url,
        providers=("llm", "lexicon"),
        cache_dir=folder / "cache",
        data_dir=folder / "data",
        **more,
    )


def solved(
    script: Callable[[Request], Any], folder: Path, budget: Budget, puzzle: Puzzle = PUZZLE, **more: Any
) -> Solution:
    with FakeOpenAI(script) as server, open_tools(settings(server, folder, **more)) as tools:
        return solve(puzzle, tools, budget=budget)


def beside_a_silent_model(work: Callable[[Tools], Solution], folder: Path) -> Solution:
    """Work with recorded answers and a model that stays silent meanwhile."""
    never = threading.Event()
    with FakeOpenAI(lambda _: never.wait(LONGEST_SECONDS)) as server:
        with open_tools(settings(server, folder), [CLUE_SET]) as tools:
            solution = work(tools)
        never.set()
    return solution


def test_an_answer_after_the_search_limit_gives_the_same_grid(tmp_path):
    now = FakeTime()

    def slow(_: Request) -> Any:
        now.seconds += 1000
        return knows(OFFICIAL)

    fast = solved(lambda _: knows(OFFICIAL), tmp_path / "fast", Budget(seconds=10))
    late = solved(slow, tmp_path / "late", Budget(seconds=10, clock=Clock(now)))
    assert (late.grid, late.probability, late.ended) == (fast.grid, fast.probability, "")
    assert late.grid == OFFICIAL
    assert late.stats.waited >= 1000


def test_a_late_answer_is_kept_and_the_others_go_on(tmp_path):
    may_answer = threading.Event()

    def slow(_: Request) -> Any:
        assert may_answer.wait(LONGEST_SECONDS)
        return knows(OFFICIAL)

    with FakeOpenAI(slow) as server:
        with open_tools(settings(server, tmp_path)) as tools:
            solution = solve(PUZZLE, tools, budget=Budget(patience=PATIENCE_SECONDS))
        may_answer.set()
        until = time.monotonic() + LONGEST_SECONDS
        with Cache(tmp_path / "cache") as cache:
            while not (kept := list(recorded(cache))) and time.monotonic() < until:
                time.sleep(0.02)
    assert solution.grid.is_complete
    assert solution.ended == "patience (0.3 s) ran out before llm answered; the grid is the best known by then"
    assert len(kept) == len(PUZZLE.grid.slots)


def test_a_question_without_a_reply_in_time_is_announced_at_the_end(tmp_path):
    events = []
    beside_a_silent_model(
        lambda tools: api.solve(PUZZLE, tools, patience=PATIENCE_SECONDS, on_event=events.append), tmp_path
    )
    (asked,) = (event.data for event in events if event.kind == "asked")
    (exchange,) = asked["exchanges"]
    assert asked["provider"] == "llm"
    assert PUZZLE.clues[0].text in exchange.text
    assert (exchange.reply, exchange.failure, exchange.is_late) == ("", "", True)


def test_a_reply_that_came_too_late_is_announced_as_such(tmp_path):
    with FakeOpenAI([knows(OFFICIAL)]) as server, open_tools(settings(server, tmp_path)) as tools:
        (model,) = tools.providers
        model.propose(ask(PUZZLE))
        events = []
        tell_late(tools.providers, events.append)
        tell_late(tools.providers, events.append)
    (event,) = events
    (exchange,) = event.data["exchanges"]
    assert exchange.is_late
    assert OFFICIAL.answer(OFFICIAL.slots[0]) in exchange.reply


def test_recorded_answers_are_heard_though_a_model_is_not(tmp_path):
    solution = beside_a_silent_model(
        lambda tools: solve(PUZZLE, tools, budget=Budget(patience=PATIENCE_SECONDS)), tmp_path
    )
    assert solution.grid == OFFICIAL
    assert "patience" in solution.ended
    assert solution.solved


def test_ctrl_c_fills_the_grid_from_what_is_known(tmp_path):
    asked, never = threading.Event(), threading.Event()

    def thinks(_: Request) -> Any:
        asked.set()
        return never.wait(LONGEST_SECONDS)

    with FakeOpenAI(thinks) as server:
        with open_tools(settings(server, tmp_path)) as tools:
            solution = solve(PUZZLE, tools, budget=Budget(cancelled=asked.is_set))
        never.set()
    assert solution.grid.is_complete
    assert solution.ended == "interrupted before llm answered; the grid is the best known by then"
    assert solution.termination == "cancelled"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"max_calls": 0}, "limit on calls or tokens"),
        ({"max_tokens": 1}, "limit on calls or tokens"),
    ],
)
def test_the_lexicon_fills_the_grid_if_the_model_hits_a_limit(limits, said, tmp_path):
    solution = solved(lambda _: knows(OFFICIAL), tmp_path, Budget(), **limits)
    assert solution.grid.is_complete
    assert said in solution.ended


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (lambda: Budget(seconds=0), "the search limit of 0 s was reached"),
        (lambda: Budget(expansions=0), "the search limit of 0 expansions was reached"),
        (lambda: Budget(cancelled=lambda: True), "interrupted"),
    ],
)
@pytest.mark.parametrize("name", ["mini-05", "midi-01", "week-01"])
def test_a_search_that_is_cut_short_says_so_and_fills_the_grid(budget, said, name, lexicon):
    puzzle = open_puzzle(MINIS / f"{name}.xd")
    solution = solve(puzzle, Tools([], lexicon), budget=budget())
    assert solution.grid.is_complete
    assert not solution.ended or solution.ended.startswith(said)
    assert solution.ended or solution.proof == "optimal"


def test_the_clock_runs_while_the_lexicon_looks_clues_up(lexicon):
    """Every look at the clock takes a second: by the third clue the time is up, and the others are not looked up."""
    ticks = iter(range(10**6))
    looked_up = []

    class Slow(LexiconProvider):
        def distribution(self, clue: str, length: int) -> Any:
            looked_up.append(clue)
            return super().distribution(clue, length)

    solution = solve(
        PUZZLE, Tools([], Slow(lexicon._lexicon)), budget=Budget(seconds=8, clock=Clock(lambda: next(ticks)))
    )
    assert solution.grid.is_complete
    assert 0 < len([clue for clue in looked_up if clue]) < len(PUZZLE.clues)
    assert solution.ended.startswith("the search limit of 8 s was reached")


def test_lists_that_fit_no_filling_are_proved_to_fit_none():
    solution = solve_lists(Grid.blank(2, 2), {"1A": ["AB"], "3A": ["CD"], "1D": ["AC"], "2D": []})
    assert (solution.solved, solution.termination, solution.ended) == (False, "exhausted", "")


def test_clues_without_a_grid_have_the_same_limits(tmp_path):
    clues = ClueText(
        tuple(NumberedClue(int(c.slot[:-1]), c.text) for c in PUZZLE.clues if c.slot.endswith("A")),
        tuple(NumberedClue(int(c.slot[:-1]), c.text) for c in PUZZLE.clues if c.slot.endswith("D")),
        size=(5, 5),
    )
    solution = beside_a_silent_model(
        lambda tools: solve_clues(clues, tools, budget=Budget(patience=PATIENCE_SECONDS)), tmp_path
    )
    assert solution.grid == OFFICIAL
    assert solution.ended.startswith("patience (0.3 s) ran out before llm answered")


def test_clues_that_there_is_no_time_to_lay_out_are_refused():
    slots = Grid.blank(15, 15).slots
    numbers = [tuple(NumberedClue(s.number, "?") for s in slots if s.direction == way) for way in ("across", "down")]
    with pytest.raises(FormatError, match="no time to find a block pattern"):
        solve_clues(ClueText(*numbers), Tools(), budget=Budget(seconds=0))


class Model:
    """A metered language model that knows some slots, and records its questions."""

    name = "llm"

    def __init__(self, answers: Mapping[str, str], chosen: Mapping[str, str] | None = None) -> None:
        self.answers, self.chosen = answers, chosen or {}
        self.asked: list[Sequence[Question]] = []

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        self.asked.append(tuple(questions))
        known = self.answers if len(self.asked) == 1 else {**self.answers, **self.chosen}
        return {q.slot: [Candidate(known[q.slot], 0.9, "llm:m")] for q in questions if q.slot in known}

    def usage(self) -> Usage:
        return Usage(calls=len(self.asked))

    def for_puzzle(self, seed: int = 0) -> Self:  # noqa: ARG002 - the protocol's
        return self


def answers(*but: str) -> dict[str, str]:
    return {slot.name: OFFICIAL.answer(slot) for slot in OFFICIAL.slots if slot.name not in but}


def test_a_first_look_that_is_answered_well_costs_one_request(lexicon):
    model = Model(answers())
    assert solve(PUZZLE, Tools([model], lexicon)).grid == OFFICIAL
    assert len(model.asked) == 1


def test_a_sure_mini_is_not_asked_about_lexicon_answers(lexicon):
    model = Model(answers("2D"))
    solution = solve(PUZZLE, Tools([model], lexicon, threshold=0.0))
    assert "llm" not in solution.answer("2D").source
    assert len(model.asked) == 1


def test_doubtful_slots_are_a_choice_among_own_fillings(lexicon):
    model = Model(answers("4D"))
    solve(PUZZLE, Tools([model], lexicon, rounds=1, threshold=1.0))
    again = {question.slot: question for question in model.asked[1]}
    question = again["4D"]
    assert 1 <= len(question.choices) <= 5
    assert question.choices[0].answer == "ZINE"
    assert [choice.probability for choice in question.choices] == sorted(
        (choice.probability for choice in question.choices), reverse=True
    )
    slots = {slot.name: slot for slot in OFFICIAL.slots}
    assert all(crossing.answer == OFFICIAL.answer(slots[crossing.slot]) for crossing in question.crossings)
    assert all(0 < crossing.probability <= 1 for crossing in question.crossings)


def test_letters_that_make_no_word_are_not_offered_as_one():
    across = [slot.name for slot in OFFICIAL.slots if slot.direction == "across"]
    model = Model(answers(*across[1:3], "1D", "2D", "3D"))
    solve(PUZZLE, Tools([model], rounds=1, threshold=1.0))
    said = set(model.answers.values())
    open_ones = [question for question in model.asked[1] if "?" in question.pattern]
    assert any(question.slot in across[1:3] for question in open_ones)
    for question in open_ones:
        assert {choice.answer for choice in question.choices} <= said
        assert {crossing.answer for crossing in question.crossings} <= said | {""}


def test_an_answer_no_model_proposed_is_put_to_it_once(lexicon):
    model = Model(answers("2D", "7A"))
    solve(PUZZLE, Tools([model], lexicon, rounds=3, threshold=1.0))
    put = [question.slot for questions in model.asked[1:] for question in questions]
    assert {"2D", "7A"} <= set(put)
    assert len(model.asked) <= 4


def test_the_models_choice_becomes_the_source(lexicon):
    model = Model(answers("2D"), {"2D": "IRON"})
    solution = solve(PUZZLE, Tools([model], lexicon, threshold=1.0))
    assert "llm" in solution.answer("2D").source


def test_a_search_over_lists_that_leave_slots_empty_is_not_begun(lexicon):
    """The lexicon would be called in for them anyway: it joins before the first search."""
    events = []
    model = Model({"1A": "BIG"})
    solve(PUZZLE, Tools([model], lexicon, rounds=0), on_event=events.append)
    ranked = [event.data["asked"] for event in events if event.kind == "ranked"]
    assert ranked == [["llm", "lexicon"]]


def test_a_puzzle_without_clues_is_still_filled_by_the_lexicon(lexicon):
    puzzle = Puzzle(Grid.blank(3, 3), (Clue("1A", ""),), id="bare")
    assert solve(puzzle, Tools([ClueSet([])], lexicon)).grid.is_complete


def test_a_large_puzzle_gets_one_closing_request(lexicon):
    puzzle = open_puzzle(MINIS / "midi-01.xd")
    known = {slot.name: puzzle.solution.answer(slot) for slot in puzzle.grid.slots if slot.name != "1A"}
    model = Model(known)
    solve(puzzle, Tools([model], lexicon, threshold=0.0))
    assert [question.slot for question in model.asked[1]] == ["1A"]
    assert len(model.asked) == 2
