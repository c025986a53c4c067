"""No output claims a grid that is likelier wrong than right, whatever the puzzle and the providers."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from agent import minis
from agent.api import open_puzzle
from agent.assist import agent_key, hint_letter, hint_slot, judge_cells
from agent.candidates.clueset import ClueSet
from agent.candidates.lexicon import LexiconProvider
from agent.cli.evaluation import outcome
from agent.cli.solving import LastGrid
from agent.core import Budget, Event
from agent.grid import BLOCK, Clue, Grid, Puzzle
from agent.kinds import GridResult, read_kind, solve_kind
from agent.solution import Solution
from agent.solve import solve, solve_lists
from agent.tools import Tools
from agent.web import assisting
from agent.web.wire import answer_frame, event_frame
from lexicon import load

DATA = Path(__file__).parents[1] / "data"
CLUES = DATA / "minis" / "minis_llm.clues.jsonl"

CLAIM = re.compile(
    r"\bsolved\b|\bverified\b|\bright\b|\bproved\b|✓|\bsure of the whole grid\b|100 % sure", re.IGNORECASE
)
"""What is said only of a grid that is likelier right than wrong."""

EMPTY_CLAIMS = re.compile(r'"(solved|verified)": ?false')
"""Names of fields, which claim nothing if their value is none."""

GREEN = "\x1b[32m"


@pytest.fixture(scope="module")
def solutions() -> list[Solution]:
    """Solve shipped examples, minis in newspaper style and generated ones, from the lexicon alone and from lists."""
    listed = sorted((DATA / "minis").glob("*.xd"))[::5]
    others = [*sorted((DATA / "demo").glob("*.xd")), *sorted((DATA / "minis" / "tune").glob("*.xd"))[::33]]
    puzzles = [puzzle for file in [*listed, *others] if isinstance(puzzle := open_puzzle(file), Puzzle)]
    lengths = (load(permissive=True).words(length) for length in (3, 4, 5))
    words = [listed.word(index) for listed in lengths for index in range(2500)]
    made = list(islice(minis.minis(words, seed=1), 2))
    generated = [
        Puzzle(grid.emptied(), tuple(Clue(slot.name, "Thing") for slot in grid.slots), id="made", solution=grid)
        for grid in made
    ]
    lexicon, lists = Tools((), LexiconProvider(), rounds=0), Tools([ClueSet.open(CLUES)], rounds=0)
    found = [solve(puzzle, lexicon) for puzzle in [*puzzles, *generated]]
    found += [solve(puzzle, lists) for puzzle in puzzles[: len(listed)]]
    found.append(solve_lists(Grid.blank(2, 2), {"1A": ["AB"], "3A": ["CD"], "1D": ["XY"], "2D": ["Q"]}))
    mini = puzzles[0]
    assert mini.solution is not None
    abroad = replace(mini, clues=tuple(replace(clue, text="Столица Франции, sehr groß") for clue in mini.clues))
    odd = [replace(mini, clues=()), abroad, replace(mini, grid=shifted(mini.solution), solution=None)]
    found += [solve(puzzle, lexicon) for puzzle in odd]
    found += [solve(mini, lexicon, budget=Budget(seconds=seconds)) for seconds in (0, 0.01)]
    found.append(solve(mini, lexicon, budget=Budget(cancelled=lambda: True)))
    found.append(solve(mini, Tools((), rounds=0)))
    return found


def shifted(grid: Grid) -> Grid:
    """Return the grid with every letter replaced by the next one: words that are none."""
    return replace(
        grid, cells=tuple(BLOCK if cell == BLOCK else chr(65 + (ord(cell) - 64) % 26) for cell in grid.cells)
    )


def outputs(solution: Solution) -> Iterator[tuple[str, str]]:
    """Yield every output about a solution: its name and text."""
    bare = replace(solution, puzzle=replace(solution.puzzle, solution=None))
    for name, shown in (("as it is", solution), ("bare", bare), ("ink for sure letters", bare.inked())):
        yield f"headline, {name}", shown.summary
        yield f"remarks, {name}", "\n".join(shown.remarks)
        yield f"text, {name}", shown.to_text()
        yield f"terminal, {name}", shown.to_text(colour=True)
        yield f"HTML, {name}", shown.to_html()
        yield f"JSON, {name}", json.dumps(shown.to_json(), ensure_ascii=False)
        yield f"SVG, {name}", shown.svg()
        yield f"notebook, {name}", shown._repr_html_()
        yield f"page, {name}", answer_frame(shown, shown.puzzle, "x", 0.1).decode().encode().decode("unicode_escape")
    key = agent_key(bare)
    for filled in (bare.grid, bare.puzzle.grid, solution.puzzle.solution or bare.grid):
        cells = {"cells": list(filled.cells)}
        yield "check", "\n".join(map(str, judge_cells(key, filled).values()))
        yield "check on the page", assisting.check(key, cells)["sentence"]
    for hint in (hint_letter(key, bare.puzzle.grid), *(hint_slot(key, slot.name) for slot in bare.grid.slots)):
        yield "hint", f"{hint} {hint.refusal}" if hint else ""
    with suppress(assisting.NothingLeftError):  # if no letter is known at all
        yield "reveal", assisting.reveal(key, {})["sentence"]
    yield "evaluate", outcome({"probability": bare.probability, "letters": [1, 2]})
    last = LastGrid(as_json=True, kind="crossword", rows=bare.grid.rows, probability=bare.probability)
    yield "last grid", json.dumps(last.to_json())


def own_words(solution: Solution, text: str) -> str:
    """Leave out the text of the puzzle and the providers: a clue may well have such a word."""
    said = {solution.puzzle.title, solution.puzzle.id, *(answer.clue for answer in solution.answers)}
    said |= {answer.why for answer in solution.answers} | {
        a.answer for answer in solution.answers for a in answer.alternatives
    }
    said |= {answer.answer for answer in solution.answers}
    for stranger in sorted(filter(None, said), key=len, reverse=True):
        for form in (stranger, json.dumps(stranger)[1:-1], html.escape(stranger)):
            text = text.replace(form, "")
    return EMPTY_CLAIMS.sub("", text)


def claims(solution: Solution) -> list[tuple[str, str]]:
    """List the claims, each with its place."""
    return [
        (where, claim[0]) for where, text in outputs(solution) for claim in CLAIM.finditer(own_words(solution, text))
    ]


def test_no_puzzle_is_claimed_under_one_half(solutions):
    doubtful = [solution for solution in solutions if solution.probability < 0.5]
    assert len(doubtful) > 1
    for solution in doubtful:
        assert claims(solution) == [], solution.puzzle.id
        assert not any(GREEN in text or 'class="good"' in text for _, text in outputs(solution))
        assert not solution.solved


@pytest.mark.parametrize("probability", [0.0, 0.2, 0.4999999])
def test_no_filling_is_claimed_at_any_probability_under_one_half(solutions, probability):
    for solution in solutions[::3]:
        assert claims(replace(solution, probability=probability)) == [], solution.puzzle.id


def test_claims_are_of_the_whole_grid_and_never_certain(solutions):
    for solution in solutions[::6]:
        for probability in (0.5, 0.97, 1.0):
            sure = replace(solution, probability=probability)
            assert sure.summary.startswith("Solved: ")
            assert {claim.lower() for _, claim in claims(sure)} == {"solved", "sure of the whole grid"}
            assert "100 %" not in sure.summary


def test_what_an_official_solution_contradicts_is_not_marked_as_good(solutions):
    solution = next(one for one in solutions if one.solved and one.puzzle.solution is not None and not one.differing)
    official = shifted(solution.puzzle.solution)
    contradicted = replace(solution, puzzle=replace(solution.puzzle, solution=official))
    for shown, line in ((solution, "Official solution: 0 cells differ"), (contradicted, "cells differ")):
        assert line in shown.to_text().splitlines()[2]
        assert (GREEN in shown.to_text(colour=True)) == ('class="good"' in shown.to_html()) == (shown is solution)
    assert f"{sum(cell != BLOCK for cell in official.cells)} cells differ" in contradicted.compared
    assert replace(contradicted, puzzle=replace(solution.puzzle, solution=None)).compared == ""


def test_given_letters_that_spell_nothing_are_not_believed():
    tools = Tools((), LexiconProvider(), rounds=0)

    def found(rows: str) -> Solution:
        grid = Grid.parse(rows)
        return solve(Puzzle(grid, tuple(Clue(slot.name, "Thing") for slot in grid.slots)), tools)

    assert found("ATE\nPEA\nETA").probability > 0.9
    nonsense = found("XQZ\nZJX\nQXJ")
    assert nonsense.consistent is nonsense.solved is False
    assert max(*nonsense.confidence, *(answer.probability for answer in nonsense.answers)) < 0.5


@pytest.mark.parametrize(("probability", "said"), [(1.0, ">99 %"), (0.9996, ">99 %"), (0.4999, "49 %"), (0.0, "<1 %")])
def test_a_line_of_an_evaluation_is_not_surer_than_the_solver(probability, said):
    assert outcome({"probability": probability, "letters": None}) == f"{said} sure"


def test_every_output_is_headed_by_the_one_number(solutions):
    for solution in solutions:
        said = solution.summary
        text = solution.to_text()
        assert text.splitlines()[1] == said
        assert list(solution.to_json())[4] == "probability"
        for shown in (solution.to_html(), solution._repr_html_()):
            assert shown.index(said) < shown.index("<svg")
        assert said in solution.svg()
        assert json.loads(answer_frame(solution, solution.puzzle, "x", 0).partition(b"data: ")[2])["summary"] == said


def test_while_it_works_nothing_is_claimed():
    told: list[str] = []

    def hear(event: Event) -> None:
        told.append(event_frame(event).decode())

    solve(open_puzzle(DATA / "minis" / "tiny-01.xd"), Tools((), LexiconProvider(), rounds=0), on_event=hear)
    assert told
    assert not any(CLAIM.search(text) for text in told)


KINDS = [*sorted((DATA / "gogen").glob("*.json"))[:2], *sorted((DATA / "nonograms").glob("*.json"))[:4]]
KINDS += [DATA / "fillin" / "rand-5x5-k3-m4-s116.json"]


def said_of(result: GridResult) -> str:
    """Join every output about a puzzle of another kind."""
    return "\n".join([str(result), result.to_html(), result._repr_html_(), json.dumps(result.to_json()), result.svg()])


def test_other_kinds_are_verified_only_if_proved_unique():
    proofs = set()
    for puzzle in [*map(Path.read_bytes, KINDS), "1\n1\n\n1\n1", "2 2\n\n1\n1\n1"]:
        result = solve_kind(read_kind(puzzle))
        proofs.add(result.proof)
        text = said_of(result).replace('"verified": false', "")
        assert ("erified" in text) == (result.proof == "unique")
        assert result.to_json()["verified"] == (result.proof == "unique")
        if not result.solutions:
            assert not re.search(r"\bsolved\b(?!\": false)", text, re.IGNORECASE)
    assert proofs == {"unique", "several", "none"}
