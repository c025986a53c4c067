import ast
import json
import random
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import cpsat, minis
from agent.core.outcome import Budget, Event, Outcome
from agent.core.propagate import Effort, Rules, settle
from agent.errors import FormatError, NotMadeError
from agent.kinds import (
    NAMES,
    check,
    detect,
    every_kind,
    find_backend,
    kind_named,
    kind_of,
    make_puzzle,
    read_kind,
    solve_kind,
)
from agent.puzzles.fillin.check import check_fillin
from agent.puzzles.gogen.check import check_gogen
from agent.puzzles.nonogram.check import check_nonogram
from agent.puzzles.nonogram.make import make as make_nonogram
from agent.puzzles.nonogram.make import of_picture

DENSE = Path(__file__).parents[1] / "bench" / "dense"

needs_cpsat = pytest.mark.skipif(not cpsat.available(), reason="needs the extra: pip install gridwright[ortools]")


def test_every_puzzle_of_ours_is_known_by_its_content(own: Path):
    for kind in every_kind():
        files = list((own / kind.examples).glob("*.json"))
        assert files
        assert {detect(file.read_bytes()) for file in files} == {kind.name}


def test_every_written_form_is_known_by_its_content():
    assert detect(kind_named("nonogram").write(make_nonogram(5, 5, seed=1))) == "nonogram"
    assert detect("width 1\nheight 1\n\nrows\n1\n\ncolumns\n1\n") == "nonogram"
    assert detect('<puzzleset><puzzle type="grid"><clues type="rows"/></puzzle></puzzleset>') == "nonogram"
    assert detect(str(make_puzzle("gogen", seed=1))) == "gogen"
    assert detect(str(make_puzzle("fillin", size=(6, 6), seed=1))) == "fillin"
    assert detect("?- solve([['#',_],[_,_]], [[a,b],[c,b]]).") == "fillin"
    assert detect("__\n__\n\nab cd ac bd".encode("utf-16")) == "fillin"


@pytest.mark.parametrize(
    "data",
    [
        "",
        "Title: Mini\nAuthor: A\n\n\nBIG\n#AB\n\n\nA1. Large ~ BIG",
        "Across\n1 House members, for short\n\nDown\n1 Word",
        '{"body": [{"cells": []}]}',
        '{"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/crossword#1"], "puzzle": [[1]], "clues": {}}',
        '[{"id": 1, "grid": ["AB"], "clues": {}}]',
        "<crossword-compiler><rectangular-puzzle/></crossword-compiler>",
        b"\x00ACROSS&DOWN\x00",
        "Just some words of prose.\n\nAnd more of them",
        "BIG\nTEN\n\nwords",
        ",",
        "| |",
        "[[1, 1, 4, 6], [1, 1, 11, 11]]",
        "[\n [5, 3, 0],\n [6, 0, 0]\n]\n",
        "[[[1], [1]], [[1], [1]]]",
        "[1, 2, 3]",
        '{"grid": ["HATX", "BAGY"], "words": ["HAT", "BAG"]}',
        b"PK\x03\x04\x00\x00",
    ],
)
def test_other_kinds_are_left_to_others(data: str | bytes):
    assert detect(data) is None


def test_to_pass_a_crossword_on_loads_no_solver(own: Path):
    file = own / "minis" / "mini-01.xd"
    code = f"import sys, agent.kinds as k; k.detect(open({str(file)!r}, 'rb').read()); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    known = {name for name in loaded if name.startswith("agent.puzzles.")}
    assert known == {f"agent.puzzles.{name}{part}" for name in NAMES for part in ("", ".recognise")}
    assert "numpy" not in loaded


@given(st.binary(max_size=80) | st.text(max_size=80))
def test_nothing_breaks_detection_or_reading(data: bytes | str):
    kind = detect(data)
    with suppress(FormatError):
        read_kind(data)
        assert kind is not None


def test_the_json_has_the_fields_that_crosswords_have():
    result = solve_kind(
        read_kind('{"id": "g", "board": ["AB.", "D.F", "GHI"], "words": ["BCE", "EFI", "DEH"]}'), explain=True
    )
    found = json.loads(json.dumps(result.to_json()))
    assert (found["id"], found["kind"], found["grid"]) == ("g", "gogen", ["ABC", "DEF", "GHI"])
    assert (found["termination"], found["proof"], found["verified"]) == ("exhausted", "unique", True)
    assert (found["schema_version"], found["solved"], found["consistent"]) == (2, True, True)
    assert found["paths"]["BCE"] == [[0, 1], [0, 2], [1, 1]]
    assert found["stats"]["finished_by"] == "propagation"
    assert found["explanation"]
    assert result._repr_html_().count("<polyline") == 3


def test_as_many_solutions_are_shown_as_are_asked_for():
    puzzle = read_kind("1\n1\n1\n\n1\n1\n1")
    assert len(solve_kind(puzzle).solutions) == 2
    assert len(solve_kind(puzzle, count=4).solutions) == 4
    every = solve_kind(puzzle, count=100)
    assert len(every.solutions) == 6
    assert "these are all" in every.summary
    assert len(solve_kind(puzzle, count=1, prove_unique=False).solutions) == 1


def test_a_search_that_is_cut_short_shows_how_far_it_got(own: Path):
    puzzle = read_kind((own / "fillin" / "rand-15x15-k4-m5-s102.json").read_bytes())
    spent = solve_kind(puzzle, budget=Budget(expansions=3), backend=False)
    assert (spent.termination, spent.ended, spent.proof) == ("budget", "the search limit was reached", "open")
    assert spent.partial is not None
    assert any(letter.isalpha() for row in spent.partial.rows for letter in row)
    stopped = solve_kind(puzzle, budget=Budget(cancelled=lambda: True), backend=False)
    assert (stopped.termination, stopped.ended) == ("cancelled", "interrupted")


def test_a_budget_also_ends_a_long_deduction():
    chance = random.Random(1)
    puzzle = of_picture([[chance.random() < 0.5 for _ in range(40)] for _ in range(40)])
    spent = solve_kind(puzzle, budget=Budget(seconds=0.0), backend=False)
    assert (spent.termination, spent.stats.propagations) == ("budget", 0)
    assert spent.partial is not None


def test_letters_without_one_capital_stay_as_they_are():
    assert solve_kind(read_kind("__#\n###\n\naß")).solutions[0].rows == ("aß#", "###")
    assert solve_kind(read_kind('{"board": ["ß."], "words": ["ßa"]}')).solutions[0].rows == ("ßA",)


def test_events_tell_what_happens(own: Path):
    told: list[Event] = []
    puzzle = read_kind((own / "fillin" / "rand-8x8-k3-m5-s101.json").read_bytes())
    solve_kind(puzzle, explain=True, on_event=told.append, backend=False)
    kinds = [event.kind for event in told]
    assert kinds[0] == "propagated"
    assert "goal" in kinds
    assert kinds[-1] == "step"


def test_bad_input_names_its_source():
    with pytest.raises(FormatError, match=r"^mini\.txt: expected a Sudoku, a nonogram, a fill-in or a Gogen$"):
        read_kind("nothing of the kind", source="mini.txt")
    with pytest.raises(FormatError, match="nine starting letters, found 2"):
        read_kind("ab cd", letters="AB")


@needs_cpsat
@pytest.mark.parametrize("kind", [kind.name for kind in every_kind() if kind.encode])
def test_the_back_end_finishes_what_is_left_and_agrees(own: Path, kind: str):
    one = kind_named(kind)
    file = max((own / one.examples).glob("*.json"), key=lambda path: path.stat().st_size)
    puzzle = read_kind(file.read_bytes())
    backend = find_backend(one)
    assert backend is not None
    ours = solve_kind(puzzle, backend=False)
    theirs = backend(one.start(puzzle), 2, Budget(), 1e9)
    assert len(theirs.goals) == len(ours.solutions)
    for goal in theirs.goals:
        assert check(puzzle, one.rows(goal)) == ()
    if ours.unique:
        assert theirs.termination == "exhausted"
        assert one.rows(theirs.goals[0]) == ours.solutions[0].rows


@needs_cpsat
def test_on_a_hard_puzzle_the_back_end_has_its_turn_and_the_result_says_so(own: Path):
    puzzle = read_kind((own / "fillin" / "rand-15x15-k5-m5-s101.json").read_bytes())
    kind = kind_of(puzzle)
    start = kind.start(puzzle)
    told: list[str] = []
    settled = settle(
        start,
        kind.rules(start),
        count=2,
        backend=find_backend(kind),
        own_effort=500,
        pace=1.0,
        on_event=lambda event: told.append(event.kind),
    )
    assert settled.finished_by == "cp-sat"
    assert "racing" in told
    assert settled.outcome.termination == "exhausted"
    assert len(settled.outcome.goals) == 1


@needs_cpsat
def test_a_dense_fill_in_is_settled_by_whichever_proves_it_first():
    """Our own search alone takes 1,281,666 revised slots for this one, CP-SAT less than its first turn."""
    puzzle = read_kind((DENSE / "rand-18x18-k5-m5-s103.json").read_bytes())
    result = solve_kind(puzzle, backend=True)
    assert (result.proof, result.stats.finished_by) == ("several", "cp-sat")
    assert result.stats.propagations < 600_000
    assert all(not solution.faults for solution in result.solutions)


@needs_cpsat
def test_a_turn_of_the_back_end_ends_after_its_work_and_our_own_search_goes_on(own: Path):
    puzzle = read_kind((own / "fillin" / "rand-15x15-k5-m5-s101.json").read_bytes())
    kind = kind_of(puzzle)
    start = kind.start(puzzle)
    backend = find_backend(kind)
    assert backend is not None
    assert backend(start, 2, Budget(), 1e-6).termination == "budget"
    settled = settle(start, kind.rules(start), count=2, backend=backend, own_effort=500, pace=1e12)
    assert settled.finished_by == "search"
    assert (settled.outcome.termination, len(settled.outcome.goals)) == ("exhausted", 1)


def test_people_are_told_that_there_is_no_other_solution_and_how_that_is_known():
    result = solve_kind(read_kind("1\n\n1"))
    assert result.summary == "Solved, and it is the only solution. No guessing was needed."
    assert "Solved, and it is the only solution" in result.to_html()
    ways = {"search": "The search ruled out every other.", "cp-sat": "CP-SAT ruled out every other."}
    for way, words in ways.items():
        found = replace(result, stats=replace(result.stats, finished_by=way))
        assert found.summary == f"Solved, and it is the only solution. {words}"
    unsettled = replace(result, unique=None)
    assert unsettled.summary == "Solved: every rule is met. Whether it is the only solution was not settled."


def test_several_solutions_are_reported_with_their_differences():
    result = solve_kind(read_kind('{"grid": ["_b", "#_"], "words": ["ab", "bc", "bd"], "spare": true}'), count=5)
    assert result.differing == (3,)
    assert "They differ in row 2, column 2 (c or d)." in result.summary
    assert result.to_json()["differing"] == [3]


def test_goals_of_an_unfinished_turn_are_kept():
    """Our own search finds nothing within the budget; a back-end found one goal, and ran out of work."""

    class Half:
        name = "half"

        def __call__(self, state: str, count: int, budget: Budget, work: float) -> Outcome[str]:  # noqa: ARG002
            turns.append(work)
            return Outcome("budget", goals=("b" * 60,))

    def successors(state: str) -> list[str]:
        effort.units += 1
        return [state + sign for sign in "ab"]

    turns: list[float] = []
    effort = Effort()
    rules = Rules(
        propagate=lambda state, on_step=None: state,  # noqa: ARG005
        branches=lambda state: [(child, child) for child in successors(state)],
        successors=successors,
        is_goal=lambda state: len(state) == 60 and state.endswith("b" * 60),
        admits=lambda state, goal: goal.startswith(state),
        effort=effort,
    )
    settled = settle("", rules, count=2, budget=Budget(expansions=100), backend=Half(), own_effort=10, pace=5)
    assert settled.outcome.goals == ("b" * 60,)
    assert settled.outcome.termination == "budget"
    assert turns == [2, 4, 8]  # after 10, 30 and 70 of our own steps


@needs_cpsat
def test_the_back_end_stops_when_it_is_cancelled(own: Path):
    puzzle = read_kind((own / "fillin" / "rand-15x15-k4-m5-s102.json").read_bytes())
    backend = find_backend(kind_of(puzzle))
    assert backend is not None
    outcome = backend(kind_of(puzzle).start(puzzle), 2, Budget(cancelled=lambda: True), 1e9)
    assert outcome.termination == "cancelled"


def test_the_checkers_refuse_every_grid_with_one_cell_changed():
    for kind in every_kind():
        small = None if kind.look.traced else (6, 6)
        puzzle = make_puzzle(kind.name, size=small, seed=3)
        rows = solve_kind(puzzle).solutions[0].rows
        assert check(puzzle, rows) == ()
        for r, row in enumerate(rows):
            for c, sign in enumerate(row):
                for other in "#.QZ":
                    if other != sign:
                        wrong = [*rows[:r], row[:c] + other + row[c + 1 :], *rows[r + 1 :]]
                        assert check(puzzle, wrong), (puzzle, r, c, other)


def test_the_checkers_refuse_grids_of_another_size():
    assert check_fillin(["__"], ["ab"], ["ab", "ab"]) == ("the grid does not have the size of its pattern",)
    assert check_gogen(["AB"], ["AB"], ["A"]) == ("the grid does not have the size of its pattern",)
    assert check_nonogram([[1]], [[1]], ["##"]) == ("the picture does not have the size of its clues",)


def test_a_mini_is_filled_with_different_words_of_the_list():
    words = [a + b + c for a in "abc" for b in "abc" for c in "abc"]
    grid = minis.mini(words, seed=2, pattern=["...", "...", "..."])
    answers = [grid.answer(slot) for slot in grid.slots]
    assert len(set(answers)) == 6
    assert {answer.lower() for answer in answers} <= set(words)
    assert minis.mini(words, seed=2, pattern=["...", "...", "..."]) == grid


def test_an_impossible_puzzle_is_not_made():
    with pytest.raises(NotMadeError, match="fill no pattern"):
        minis.mini(["ab"], pattern=["...", "..."])
    with pytest.raises(NotMadeError, match="1 to 60 cells"):
        make_puzzle("nonogram", size=(0, 5))


@pytest.mark.parametrize("folder", [kind.examples for kind in every_kind()])
def test_the_cells_of_every_step_are_those_of_the_solution(own: Path, folder: str):
    for file in sorted((own / folder).glob("*.json"))[:6]:
        told: dict[int, str] = {}
        events: list[Event] = []
        result = solve_kind(read_kind(file.read_bytes()), explain=True, on_event=events.append)
        solution = "".join(result.solutions[0].rows)
        for step in result.steps:
            told.update(step.cells)
        assert told
        assert all(solution[index] == sign for index, sign in told.items()), file.name
        steps = [event.data for event in events if event.kind == "step"]
        assert [dict(step.cells) for step in result.steps] == [step["cells"] for step in steps]
        assert [[list(cell) for cell in step.cells] for step in result.steps] == [
            step["cells"] for step in result.to_json()["explanation"]
        ]


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_keeps_what_its_value_promises(name: str):
    kind = kind_named(name)
    puzzle = make_puzzle(name, seed=1, size=None if kind.look.traced else (6, 6))
    assert (kind.name, puzzle.kind, kind_of(puzzle)) == (name, name, kind)
    assert kind.parse(json.dumps(puzzle.to_json())) == puzzle
    assert detect(kind.write(puzzle)) == name
    assert kind.parse(kind.write(puzzle)).givens == puzzle.givens
    assert (len(puzzle.givens), len(puzzle.givens[0])) == (puzzle.height, puzzle.width)
    before = "".join(puzzle.givens)
    assert kind.empty in before
    known = "".join(kind.rows(kind.start(puzzle)))
    assert all(given in (kind.empty, sign) for given, sign in zip(before, known, strict=True))
    signs = kind.signs(puzzle)
    solved = "".join(solve_kind(puzzle).solutions[0].rows)
    assert all(kind.fold(puzzle, sign) == sign for sign in solved)
    assert not signs or set(solved) <= set(signs)
    assert all(kind.look.rules)
    assert kind.phrase.endswith(kind.title) or kind.phrase.endswith(kind.title.lower())


AGENT = Path(__file__).parents[2] / "agent"
NAMED_ELSEWHERE = {"kinds/registry.py": set(NAMES), "minis.py": {"fillin"}}
"""The list of kinds, and the maker of crossword minis, which fills patterns as a fill-in is filled."""


def words_of(file: Path) -> set[str]:
    """Return the words of a program's code, without those of its comments and docstrings."""
    text = file.read_text("utf-8")
    if file.suffix != ".py":
        return set(re.findall(r"[a-z]+", re.sub(r"//.*|/\*.*?\*/", "", text.lower())))
    nodes = list(ast.walk(ast.parse(text)))
    docs = {node.value for node in nodes if isinstance(node, ast.Expr)}
    fields = (value for node in nodes if node not in docs for _, value in ast.iter_fields(node))
    return set(re.findall(r"[a-z]+", " ".join(value for value in fields if isinstance(value, str)).lower()))


def test_no_code_but_its_own_and_the_list_names_a_kind():
    files = [file.relative_to(AGENT) for file in AGENT.rglob("*") if file.suffix in {".py", ".js", ".css", ".html"}]
    elsewhere = [file for file in files if file.parts[0] not in {"puzzles", "autotos"}]
    assert len(elsewhere) > 100
    named = {str(file): words_of(AGENT / file) & set(NAMES) for file in elsewhere}
    assert {file: kinds for file, kinds in named.items() if kinds} == NAMED_ELSEWHERE


@pytest.mark.parametrize(
    "puzzle",
    [
        {"rows": [[1]], "cols": [[1]]},
        {"board": ["AB.", "D.F", "GHI"], "words": ["BCE", "EFI", "DEH"]},
        {"grid": ["_a"], "words": ["ba"]},
        {"sudoku": "1.....3..4.....2", "box": [2, 2]},
    ],
)
def test_a_puzzle_is_shown_by_the_title_of_its_file_never_by_its_identity(puzzle):
    plain = solve_kind(read_kind(json.dumps({"id": "no-7", **puzzle})))
    titled = solve_kind(read_kind(json.dumps({"id": "no-7", "title": "Wild birds", **puzzle})))
    assert [(one.to_json()["id"], one.to_json()["title"]) for one in (plain, titled)] == [
        ("no-7", ""),
        ("no-7", "Wild birds"),
    ]
    assert read_kind(json.dumps(titled.puzzle.to_json())) == titled.puzzle
    assert titled.to_text() == f"Wild birds\n\n{plain.to_text()}"
    assert "<h1>Wild birds</h1>" in titled.to_html()
    assert f"<h1>{kind_of(plain.puzzle).title}</h1>" in plain.to_html()
    assert "Wild birds" in titled.puzzle.svg()
    assert "no-7" not in plain.to_html() + plain.to_text() + plain.puzzle.svg()
