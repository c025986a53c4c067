"""From clues to a grid, with real providers and real files."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from agent import api
from agent.api import open_puzzle, open_tools
from agent.candidates.clueset import ClueSet
from agent.candidates.lexicon import LexiconProvider
from agent.candidates.provider import Provider, Question, Usage
from agent.core import Budget, Event
from agent.errors import FormatError, ProviderError, UsageError
from agent.formats import CandidateInstance, open_puzzles
from agent.grid import Candidate, Clue, ClueText, Grid, NumberedClue, Puzzle
from agent.gridless.solve import probabilities, solve_clues, try_patterns
from agent.proposing import LEAST_WAIT
from agent.puzzles.crossword import Domain
from agent.solution import Solution, Stats
from agent.solve import solve, solve_lists
from agent.tools import Tools

ROOT = Path(__file__).parents[1]
MINIS = ROOT / "data" / "minis"
CLUE_SET = MINIS / "minis_llm.clues.jsonl"


@pytest.fixture(scope="module")
def tools() -> Tools:
    return Tools([ClueSet.open(CLUE_SET)])


class Scripted:
    """A provider that knows its answers by clue, and records its questions."""

    def __init__(self, answers: Mapping[str, Mapping[str, float]], name: str = "llm") -> None:
        self.name = name
        self.answers = answers
        self.asked: list[list[Question]] = []

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        self.asked.append(list(questions))
        return {
            q.slot: [Candidate(a, p, self.name) for a, p in self.listed(q).items() if len(a) == q.length]
            for q in questions
        }

    def listed(self, question: Question) -> Mapping[str, float]:
        return self.answers.get(question.clue, {})


class Metered(Scripted):
    """A provider that is asked as one that speaks to a server."""

    def usage(self) -> Usage:
        return Usage(calls=len(self.asked))

    def for_puzzle(self, seed: int = 0) -> Self:  # noqa: ARG002 - the protocol's
        return self


class Sharper(Scripted):
    """A provider that remembers a word only when it is shown letters of it."""

    def __init__(self, answers: Mapping[str, Mapping[str, float]], with_letters: Mapping[str, str]) -> None:
        super().__init__(answers)
        self.with_letters = with_letters

    def listed(self, question: Question) -> Mapping[str, float]:
        word = self.with_letters.get(question.clue, "")
        if question.has_letters and word and question.admits(word):
            return {word: 0.99}
        return super().listed(question)


class Broken:
    """A provider that is always down."""

    name = "datamuse"

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        raise ProviderError(f"no answer to {len(questions)} questions")


SQUARE = Grid.parse("...\n...\n...")
RIGHT = Grid.parse("TEA\nONE\nSAT")
PUZZLE = Puzzle(SQUARE, tuple(Clue(slot.name, f"clue {slot.name}") for slot in SQUARE.slots), id="tea")


def sure_of(*slots: str) -> dict[str, dict[str, float]]:
    return {f"clue {name}": {RIGHT.answer(name): 0.99} for name in slots}


ALL = [slot.name for slot in SQUARE.slots]


def same(solution: Solution) -> Solution:
    """Return all that must not change from run to run: everything but the clock."""
    return replace(solution, stats=replace(solution.stats, seconds=0.0, waited=0.0))


def test_the_providers_of_these_tests_are_providers():
    assert isinstance(Broken(), Provider)
    assert isinstance(Scripted({}), Provider)


@pytest.mark.parametrize("name", ["mini-01", "midi-01", "extra-01", "tiny-01"])
def test_the_official_solution_is_not_looked_at(name, tools):
    puzzle = open_puzzle(MINIS / f"{name}.xd")
    wrong = puzzle.grid.fill({i: "Q" for i, blocked in enumerate(puzzle.grid.blocks) if not blocked})
    solved = [solve(replace(puzzle, solution=official), tools) for official in (puzzle.solution, wrong, None)]
    assert solved[0].grid == puzzle.solution
    for solution in solved:
        assert replace(same(solution), puzzle=puzzle) == replace(same(solved[0]), puzzle=puzzle)


@pytest.mark.parametrize("name", ["mini-04", "week-02"])
def test_the_same_input_gives_the_same_solution_every_time(name, tools):
    puzzle = open_puzzle(MINIS / f"{name}.xd")
    once = solve(puzzle, tools)
    again = solve(puzzle, Tools([ClueSet.open(CLUE_SET)]))
    assert same(again) == same(once)


def test_a_solution_explains_itself(tools):
    solution = solve(open_puzzle(MINIS / "mini-01.xd"), tools)
    assert (solution.consistent, solution.faults, solution.proof) == (True, (), "optimal")
    assert [answer.slot for answer in solution.answers] == [slot.name for slot in solution.grid.slots]
    for answer in solution.answers:
        assert answer.answer == solution.grid.answer(answer.slot)
        assert answer.source.startswith("llm:")
        assert 0.5 < answer.probability <= 1
        assert answer.answer not in {other.answer for other in answer.alternatives}
    assert len(solution.confidence) == len(solution.grid.cells)
    assert all(0 <= share <= 1 for share in solution.confidence)


def test_given_letters_stay_and_are_passed_to_providers():
    provider = Scripted(sure_of(*ALL))
    given = replace(PUZZLE, grid=Grid.parse("T..\n.N.\n..."))
    assert solve(given, Tools([provider])).grid == RIGHT
    assert {q.slot: q.pattern for q in provider.asked[0]} == {
        "1A": "T??",
        "4A": "?N?",
        "5A": "???",
        "1D": "T??",
        "2D": "?N?",
        "3D": "???",
    }


def test_a_wrong_given_letter_is_kept_and_inconsistent():
    solution = solve(replace(PUZZLE, grid=Grid.parse("X..\n...\n...")), Tools([Scripted(sure_of(*ALL))], rounds=0))
    assert solution.grid.cells[0] == "X"
    assert not solution.consistent
    assert solution.faults


def test_a_failing_provider_is_one_warning():
    solution = solve(PUZZLE, Tools([Broken(), Scripted(sure_of(*ALL))]))
    assert solution.grid == RIGHT
    assert solution.consistent
    assert solution.warnings == ("datamuse: no answer to 6 questions",)


def test_a_provider_that_fails_in_part_is_a_warning_and_is_used():
    class Patchy(Scripted):
        def propose(self, questions):
            raise ProviderError("1 of 6 queries failed", super().propose(questions))

    patchy = Patchy(sure_of(*ALL))
    solution = solve(PUZZLE, Tools([patchy]))
    assert solution.grid == RIGHT
    assert solution.warnings == (f"{patchy.name}: 1 of 6 queries failed",)


def test_if_every_provider_fails_nothing_is_called_solved():
    solution = solve(PUZZLE, Tools([Broken()], rounds=0))
    assert not solution.solved
    assert solution.warnings == ("datamuse: no answer to 6 questions",)


def test_the_lexicon_answers_although_a_provider_fails():
    solution = solve(open_puzzle(MINIS / "tiny-01.xd"), Tools([Broken()], LexiconProvider(), rounds=0))
    assert solution.warnings
    assert solution.consistent
    assert any("lexicon" in answer.source for answer in solution.answers)


def test_an_error_of_our_own_is_not_hidden():
    class Buggy(Broken):
        def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
            raise ZeroDivisionError(len(questions))

    with pytest.raises(ZeroDivisionError):
        solve(PUZZLE, Tools([Buggy()]))


def test_providers_are_asked_at_the_same_time():
    """Each waits for the other: one after the other would never end (the barrier breaks after its timeout)."""
    both = threading.Barrier(2, timeout=300)

    class Remote(Metered):
        def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
            both.wait()
            return super().propose(questions)

    assert solve(PUZZLE, Tools([Remote(sure_of(*ALL)), Remote({}, "other")], rounds=0)).grid == RIGHT


def test_an_answer_of_this_machine_is_waited_for_longer_than_patience():
    class Late(Scripted):
        def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
            time.sleep(3 * LEAST_WAIT)  # as on a busy machine
            return super().propose(questions)

    solution = solve(PUZZLE, Tools([Late(sure_of(*ALL)), Metered({}, "other")], rounds=0), budget=Budget(patience=0))
    assert (solution.grid, solution.ended) == (RIGHT, "")


def test_sure_slots_are_not_asked_again():
    provider = Scripted(sure_of(*ALL))
    assert solve(PUZZLE, Tools([provider], rounds=5, threshold=0.5)).stats.rounds == 0
    assert len(provider.asked) == 1


def test_only_unsure_slots_are_asked_again_with_known_letters():
    provider = Sharper(sure_of("1A", "4A", "1D", "2D", "3D"), {"clue 5A": "SAT"})
    solution = solve(PUZZLE, Tools([provider], rounds=3, threshold=0.5))
    assert [[q.slot for q in questions] for questions in provider.asked] == [ALL, ["5A"]]
    assert provider.asked[1][0].pattern == "SAT"
    assert (solution.stats.rounds, solution.grid, solution.consistent) == (1, RIGHT, True)
    assert solution.answer("5A").source == "llm"


class Chain(Scripted):
    """A provider that knows each word of the right grid once it is shown some letters of it."""

    needs = {"1A": 0, "1D": 1, "4A": 1, "5A": 1, "2D": 2, "3D": 2}  # noqa: RUF012 - never changed

    def listed(self, question: Question) -> Mapping[str, float]:
        known = question.length - question.pattern.count("?")
        return {RIGHT.answer(question.slot): 0.99} if known >= self.needs[question.slot] else {}


@pytest.mark.parametrize("rounds", [0, 1, 2, 3, 9])
def test_letters_lead_to_letters_up_to_the_limit_of_rounds(rounds):
    provider = Chain({})
    solution = solve(PUZZLE, Tools([provider], rounds=rounds, threshold=0.5))
    assert solution.stats.rounds == min(rounds, 3)
    assert len(provider.asked) == min(rounds, 3) + 1
    assert solution.consistent == (rounds >= 3)
    assert all(q.admits(RIGHT.answer(q.slot)) for questions in provider.asked for q in questions)


def test_rounds_end_when_nothing_new_comes():
    provider = Scripted(sure_of("1A", "1D"))
    solve(PUZZLE, Tools([provider], rounds=50))
    assert len(provider.asked) <= 3


def test_a_cancelled_solve_gives_what_it_has():
    rng = random.Random(1)
    flat = {clue.text: {"".join(rng.choices("AEIOST", k=3)): 0.01 for _ in range(60)} for clue in PUZZLE.clues}
    solution = solve(PUZZLE, Tools([Scripted(flat)]), budget=Budget(cancelled=lambda: True))
    assert solution.termination == "cancelled"
    assert solution.grid.blocks == SQUARE.blocks
    assert not solution.solved


def test_without_providers_and_lexicon_there_is_still_an_answer():
    solution = solve(PUZZLE, Tools())
    assert not solution.solved
    assert {answer.probability for answer in solution.answers} == {0.0}  # nothing stands there


def test_a_given_letter_that_no_slot_goes_through_is_certain():
    solution = solve(Puzzle(Grid.parse("A#..\n##.."), ()), Tools())
    assert solution.confidence[0] == 1.0


def test_a_given_rebus_is_refused_in_plain_words():
    with pytest.raises(ValueError, match="row 1, column 2 has several letters"):
        solve(Puzzle(Grid(3, 1, (".", "HEART", ".")), ()), Tools())


@pytest.mark.parametrize("sign", ["4", "Й", "@"])
def test_a_given_sign_that_is_not_a_letter_is_refused(sign):
    with pytest.raises(ValueError, match=f"row 1, column 2 has {sign} in it: only the letters A to Z are solved"):
        solve(Puzzle(Grid(3, 1, (".", sign, ".")), ()), Tools())


def test_solving_from_a_clue_set_opens_no_socket(tools, monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)  # the operating system's door, none of ours
    assert solve(open_puzzle(MINIS / "mini-02.xd"), tools).consistent


def stripped(puzzle: Puzzle, *, sized: bool) -> ClueText:
    """Return the clues of a puzzle without its grid, as a person pastes them."""
    clues: dict[str, list[NumberedClue]] = {"A": [], "D": []}
    for clue in puzzle.clues:
        clues[clue.slot[-1]].append(NumberedClue(int(clue.slot[:-1]), clue.text))
    size = (puzzle.grid.width, puzzle.grid.height) if sized else None
    return ClueText(tuple(clues["A"]), tuple(clues["D"]), size=size)


@pytest.mark.parametrize(
    ("name", "sized"), [("mini-01", True), ("mini-01", False), ("mini-11", False), ("mini-17", True), ("tiny-01", True)]
)
def test_clues_without_a_grid_get_the_right_pattern_and_answers(name, sized, tools):
    puzzle = open_puzzle(MINIS / f"{name}.xd")
    solution = solve_clues(stripped(puzzle, sized=sized), tools)
    assert solution.grid == puzzle.solution
    assert solution.consistent
    assert solution.pattern_probability > 0.5
    assert solution.other_pattern is None


def test_a_pattern_is_no_surer_if_others_were_not_tried():
    across = {1: "Feline", 4: "Era", 5: "Ten less one"}
    down = {1: "Cat", 2: "Exist", 3: "Number"}
    clues = ClueText(*(tuple(NumberedClue(*one) for one in each.items()) for each in (across, down)))
    whole, cut = (solve_clues(clues, Tools((), LexiconProvider()), budget=Budget(seconds=s)) for s in (float("inf"), 0))
    assert cut.ended
    assert cut.pattern_probability < 0.5
    assert all(answer.probability <= cut.pattern_probability for answer in cut.answers)
    assert all(
        sure <= cut.pattern_probability
        for sure, blocked in zip(cut.confidence, cut.grid.blocks, strict=True)
        if not blocked
    )
    assert cut.pattern_probability <= whole.pattern_probability


def test_clues_whose_numbers_fit_no_grid_are_refused():
    numbered = tuple(NumberedClue(number, "x") for number in range(1, 41))
    with pytest.raises(FormatError, match="no block pattern of a 5x5 grid is numbered like these clues"):
        solve_clues(ClueText(numbered, (), size=(5, 5)), Tools())


def test_numbers_that_the_clues_lack_are_named():
    across = tuple(NumberedClue(number, "x") for number in (1, 4, 12))
    with pytest.raises(FormatError, match="found none for 2, 3, 5, 6, 7"):
        solve_clues(ClueText(across, ()), Tools())


def test_crossings_that_hold_count_for_a_pattern():
    square, row = Grid.parse("BED\nOAR\nWRY"), Grid.parse("BED\n###\n###")
    words = {slot.name: square.answer(slot) for slot in square.slots}
    domains = {(name, 3): Domain.of({word: 0.5}, open_cost=9.0) for name, word in words.items()}
    rivals = [(square.emptied(), 0.5), (row.emptied(), 0.5)]
    first, second = try_patterns(rivals, domains, Budget(), lambda _: None)
    assert (first.grid, second.grid) == (square.emptied(), row.emptied())
    assert probabilities([first, second])[0] > 0.99


def test_word_lists_fill_a_grid_or_say_that_they_cannot():
    lists = {"1A": ["at", "toolong"], "3A": ["no", "n-"], "1D": ["an"], "2D": ["to"]}
    solution = solve_lists(Grid.blank(2, 2), lists, "lists")
    assert (solution.grid.rows, solution.consistent, solution.proof) == (("AT", "NO"), True, "optimal")
    nothing = solve_lists(Grid.blank(2, 2), lists | {"2D": []})
    assert (nothing.solved, nothing.proof, nothing.termination) == (False, "none", "exhausted")


def test_the_autotos_instances_take_at_most_forty_expansions(evaluation_data):
    instances = list(open_puzzles(evaluation_data("autotos_20.json")))
    solutions = [solve_lists(item.grid, item.answers, item.id) for item in instances]
    assert len(instances) == 20
    assert all(solution.consistent for solution in solutions)
    assert [solution.grid for solution in solutions] == [item.solution for item in instances]
    assert sum(solution.stats.expansions for solution in solutions) <= 40
    assert sum(solution.stats.generated for solution in solutions) <= 40


def test_the_goal_grids_of_an_instance_file_are_not_looked_at(tmp_path, evaluation_data):
    path = evaluation_data("autotos_20.json")
    documents = json.loads(path.read_text(encoding="utf-8"))[:5]
    for document in documents:
        document["goal_grids"] = [["qqqqq"] * 5]
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(documents), encoding="utf-8")
    for item, wrong in zip(open_puzzles(path), open_puzzles(file), strict=False):
        assert solve_lists(item.grid, item.answers).grid == solve_lists(wrong.grid, wrong.answers).grid


def test_stats_begin_with_nothing():
    assert (Stats().cache_hits, Stats().tokens) == (0, 0)


class Patient(Metered):
    """A provider that answers when it is told to."""

    def __init__(self, answers: Mapping[str, Mapping[str, float]], name: str, may: threading.Event) -> None:
        super().__init__(answers, name)
        self.may = may

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        assert self.may.wait(300)
        return super().propose(questions)


@pytest.mark.parametrize("faster", ["first", "second"])
def test_the_first_answer_is_heard_first_and_changes_nothing(faster):
    puzzle = Puzzle(Grid.parse(".."), (Clue("1A", "Not out"),))
    may = {"first": threading.Event(), "second": threading.Event()}
    providers = [Patient({"Not out": {"IN": 0.5}}, "first", may["first"])]
    providers.append(Patient({"Not out": {"IN": 0.4, "AT": 0.1}}, "second", may["second"]))
    heard = []

    def on_event(event: Event) -> None:
        if event.kind == "proposed":
            heard.append(event.data["provider"])
            for told in may.values():
                told.set()

    may[faster].set()
    solution = solve(puzzle, Tools(providers), on_event=on_event)
    assert heard[0] == faster
    assert sorted(heard) == ["first", "second"]
    assert str(solution.answer("1A")) == str(solve(puzzle, Tools(providers)).answer("1A"))


def test_the_joint_ranking_is_reported_before_the_search():
    puzzle = Puzzle(Grid.parse(".."), (Clue("1A", "Not out"),))
    events = []
    solve(puzzle, Tools([Scripted({"Not out": {"IN": 0.9}})], LexiconProvider()), on_event=events.append)
    ranked = next(event for event in events if event.kind == "ranked")
    assert ranked.data["asked"][0] == "llm"
    assert ranked.data["domains"]["1A"].word(ranked.data["domains"]["1A"].costs.argmin()) == "IN"


@pytest.mark.parametrize("tools", [Tools(), open_tools(providers="none")], ids=["bare", "no provider"])
@pytest.mark.parametrize("puzzle", [PUZZLE, ClueText((NumberedClue(1, "Not yes", 2),), ())], ids=["grid", "clues"])
def test_a_puzzle_that_nothing_can_answer_is_refused(tools, puzzle):
    with pytest.raises(UsageError, match="nothing to answer clues: name a provider, a language model or a clue set"):
        api.solve(puzzle, tools)


def test_lists_and_pictures_need_nothing_to_ask():
    lists = CandidateInstance("", Grid.blank(2, 1), {"1A": ("NO",)})
    assert api.solve(lists, Tools()).grid.rows == ("NO",)
    assert api.solve(api.read_puzzle("2\n\n1\n1"), Tools()).solved


def test_nothing_is_filled_in_if_nothing_was_proposed():
    assert solve(Puzzle(Grid.blank(4, 4), ()), Tools()).grid == Grid.blank(4, 4)
