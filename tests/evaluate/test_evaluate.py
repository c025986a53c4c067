"""Many puzzles: scored against the official solutions, in any number of processes, and nothing twice."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.api import open_puzzle
from agent.candidates.clueset import ClueSet
from agent.candidates.lexicon import LexiconProvider
from agent.config import Settings
from agent.evaluate.coverage import COVERAGES, accuracy, coverage
from agent.evaluate.metrics import Bins, Tally, calibration, score, statements
from agent.evaluate.results import Results, read_records
from agent.evaluate.run import Configuration, evaluate, keyed
from agent.evaluate.task import evaluate_one, recheck
from agent.formats import CandidateInstance, open_puzzles
from agent.grid import EMPTY, Grid, Puzzle
from agent.solve import solve
from agent.tools import Tools

ROOT = Path(__file__).parents[2]
MINIS = ROOT / "data" / "minis"
CLUE_SET = str(MINIS / "minis_llm.clues.jsonl")


@pytest.fixture
def configuration(tmp_path) -> Configuration:
    """Answer from the recorded clue set alone: no network, no lexicon."""
    settings = Settings(providers=(), offline=True, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    return Configuration(settings, (CLUE_SET,))


@pytest.fixture(scope="module")
def minis() -> list[Puzzle]:
    return [replace(open_puzzle(path), id=path.stem) for path in sorted(MINIS.glob("*.xd"))]


def timeless(line: dict) -> dict:
    return {key: value for key, value in line.items() if key not in {"seconds", "waited"}}


def run(items, configuration, **options) -> list[dict]:
    return list(evaluate(items, configuration, jobs=options.pop("jobs", 1), **options))


def sorted_lines(lines) -> list[dict]:
    return sorted(map(timeless, lines), key=lambda line: line["id"])


def test_our_minis_are_solved_and_none_is_claimed_wrongly(minis, configuration):
    lines = run(minis, configuration)
    summary = Tally(lines).summary(1.0)
    assert (summary["puzzles"], summary["solved"], summary["proved"]) == (26, 26, 26)
    # one answer of mini-18 is in no list: its crossings spell it, and that is not called consistent
    assert [line["id"] for line in lines if not line["consistent"]] == ["mini-18"]
    assert (summary["false_consistent"], summary["claimed_wrong"], summary["failed"]) == (0, 0, 0)
    assert summary["letters"][0] == summary["letters"][1]
    assert summary["words"][0] == summary["words"][1] == sum(len(puzzle.grid.slots) for puzzle in minis)


def test_the_autotos_instances_are_all_solved(configuration, evaluation_data):
    summary = Tally(run(open_puzzles(evaluation_data("autotos_20.json")), configuration)).summary(1.0)
    assert (summary["puzzles"], summary["solved"]) == (20, 20)
    assert (summary["consistent"], summary["false_consistent"]) == (20, 0)
    assert summary["expansions"] <= 40
    assert summary["generated"] <= 40


def test_a_farmed_out_puzzle_comes_back_as_from_a_solve(minis, configuration):
    tools = Tools([ClueSet.open(CLUE_SET)])
    direct = sorted_lines(evaluate_one(mini, tools) for mini in minis)
    for line, wanted in zip(sorted_lines(run(minis, configuration)), direct, strict=True):
        assert {key: line[key] for key in wanted} == wanted


@pytest.mark.parametrize("executor", ["processes", "threads"])
def test_two_workers_give_the_lines_of_one(minis, configuration, executor):
    alone = run(minis[:8], configuration)
    assert sorted_lines(run(minis[:8], configuration, executor=executor, jobs=2)) == sorted_lines(alone)


def test_an_unknown_executor_is_named_with_those_that_exist(minis, configuration):
    with pytest.raises(ValueError, match="unknown executor magic; expected processes, threads or dask://"):
        run(minis, configuration, executor="magic")


def test_a_wrong_official_solution_changes_only_the_score(minis, configuration):
    wrong = [
        replace(p, solution=p.grid.fill({i: "Q" for i, block in enumerate(p.grid.blocks) if not block}))
        for p in minis[:4]
    ]
    scored = ("solved", "letters", "words", "slots", "cells", "seconds", "waited")
    for line, other in zip(run(minis[:4], configuration), run(wrong, configuration), strict=True):
        assert line["solved"]
        assert not other["solved"]
        assert {k: v for k, v in line.items() if k not in scored} == {k: v for k, v in other.items() if k not in scored}


def test_a_puzzle_without_a_solution_is_not_scored(configuration):
    (line,) = run([Puzzle(Grid.blank(2, 2), (), id="plain")], configuration)
    summary = Tally([line]).summary(1.0)
    assert (line["solved"], line["letters"], summary["scored"], summary["solved"]) == (None, None, 0, 0)
    assert (summary["failed"], summary["claimed_wrong"]) == (0, 0)
    assert not any(bins.rows() for bins in calibration([line]).values())
    assert coverage([line]) is None


def test_a_puzzle_that_fails_is_tried_again_next_time(minis, configuration, tmp_path):
    broken = CandidateInstance("broken", Grid.blank(2, 2), {})
    with Results(tmp_path / "results.jsonl") as results:
        lines = run([broken, minis[0]], configuration, results=results)
        assert len(results) == 1
    assert lines[0]["id"] == "broken"
    assert "KeyError" in lines[0]["error"]
    assert lines[1]["solved"]
    summary = Tally(lines).summary(1.0)
    assert (summary["puzzles"], summary["failed"], summary["solved"]) == (2, 1, 1)
    json.dumps(summary, allow_nan=False)


def test_a_puzzle_given_twice_is_counted_once(minis, configuration):
    assert len(run([minis[0], minis[1], minis[0]], configuration)) == 2


def test_puzzles_are_read_as_they_are_needed(minis, configuration):
    read = []

    def endless():
        for number in count():
            read.append(number)
            yield replace(minis[number % 26], id=f"{number}")

    lines = evaluate(endless(), configuration, jobs=1)
    for _ in range(200):
        next(lines)
    lines.close()
    assert len(read) < 200 + 20


def test_finished_work_is_not_repeated(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        first = run(minis[:3], configuration, results=results)
    before = path.read_bytes()
    with Results(path) as results:
        assert run(minis[:3], configuration, results=results) == first
    assert path.read_bytes() == before


def test_a_torn_line_is_reported_and_its_puzzle_run_again(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        first = run(minis[:3], configuration, results=results)
    whole = path.read_bytes()
    for torn in (1, 2, 40, len(whole.splitlines()[2])):
        path.write_bytes(whole[:-torn])
        said = []
        assert len(list(read_records(path, said.append))) == 2
        assert path.read_bytes() == whole[:-torn]  # a reader repairs nothing: a run may be writing to it
        with Results(path, said.append) as results:
            assert len(results) == 2
            assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:2])
            again = run(minis[:3], configuration, results=results)
        assert said == [f"{path}: line 3: torn off when the run was killed; ignored"] * 2
        assert sorted_lines(again) == sorted_lines(first)
        assert len(path.read_bytes().splitlines()) == 3


def test_lines_of_another_version_are_refused_in_one_line(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        run(minis[:2], configuration, results=results)
    first, second = path.read_text().splitlines()
    record = json.loads(second)
    del record["schema_version"]  # the first version did not say so
    path.write_text(f"{first}\n{json.dumps(record)}\n")
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"line 2: expected result lines of version 2, found version 1: .* a new one"):
        Results(path)
    assert path.read_bytes() == before


def test_two_runs_do_not_write_to_one_file(tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path), pytest.raises(ValueError, match="another evaluation is adding"):
        Results(path)
    Results(path).close()


@pytest.mark.parametrize("content", ["not json\n", '{"key": 1}\n', "[]\n", '{"clue": "x", "length": 2}\n', "7\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(ValueError, match="line 1: expected a result line"):
        Results(path)
    assert path.read_text() == content


def test_a_note_without_a_line_end_is_not_a_torn_result(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my shopping list")
    with pytest.raises(ValueError, match="expected result lines"):
        Results(path)
    assert path.read_text() == "my shopping list"


def test_settings_clue_sets_puzzles_and_seeds_change_the_key(minis, configuration, tmp_path):
    more = tmp_path / "more.jsonl"
    more.write_text('{"clue": "Not out", "length": 2, "candidates": [["IN", 0.9]]}\n')
    mini = minis[0]
    keys = [
        *(key for key, _, _ in keyed([mini], configuration, seeds=2)),
        next(iter(keyed([mini], replace(configuration, clue_sets=(CLUE_SET, str(more))))))[0],
        next(iter(keyed([mini], replace(configuration, settings=replace(configuration.settings, rounds=0)))))[0],
        next(iter(keyed([replace(mini, clues=mini.clues[1:])], configuration)))[0],
    ]
    assert len(set(keys)) == len(keys) == 5


def test_what_changes_no_result_keeps_the_key(configuration, tmp_path):
    other = replace(
        configuration.settings, api_key="secret", cache_dir=tmp_path / "elsewhere", max_calls=7, patience=9.0
    )
    assert replace(configuration, settings=other, label="mine").digest == configuration.digest


def test_another_edition_of_the_lexicon_changes_the_key(configuration, monkeypatch):
    asking = replace(configuration, settings=replace(configuration.settings, providers=("lexicon",)))
    before = configuration.digest, asking.digest
    monkeypatch.setattr(LexiconProvider, "edition", "another")
    assert configuration.digest == before[0]
    assert asking.digest != before[1]


def test_a_grid_is_scored_cell_by_cell_and_word_by_word():
    official = Grid.parse("AB\n#C")
    assert score(official, official) == {"solved": True, "letters": [3, 3], "words": [2, 2]}
    assert score(Grid.parse("AX\n#C"), official) == {"solved": False, "letters": [2, 3], "words": [0, 2]}
    assert score(Grid.parse("..\n#."), official) == {"solved": False, "letters": [0, 3], "words": [0, 2]}


@pytest.fixture
def solution(minis):
    return solve(minis[0], Tools([ClueSet.open(CLUE_SET)]))


def test_the_probability_of_a_line_is_that_of_the_grid_it_shows(minis, solution):
    line = evaluate_one(minis[0], Tools([ClueSet.open(CLUE_SET)]))
    assert line["grid"] == list(solution.grid.rows)
    assert line["probability"] == round(solution.probability, 6)
    assert line["claimed"] == solution.solved
    assert line["solved"] == (solution.grid == minis[0].solution)


def test_every_filled_letter_and_every_slot_is_a_statement(minis, solution):
    line = statements(solution, minis[0].solution)
    assert len(line["slots"]) == len(minis[0].grid.slots)
    assert sum(count for _, count, _, _ in line["cells"]) == sum(cell == EMPTY for cell in minis[0].grid.cells)
    assert sum(right for _, _, _, right in line["cells"]) == score(solution.grid, minis[0].solution)["letters"][0]
    assert statements(solution, None) == {"slots": [], "cells": []}


def test_given_letters_and_open_cells_state_nothing(minis, solution):
    first, last = (minis[0].grid.slots[0].cells[k] for k in (0, -1))
    letters = sum(cell == EMPTY for cell in minis[0].grid.cells)
    given = replace(solution.puzzle, grid=solution.puzzle.grid.fill({first: solution.grid.cells[first]}))
    opened = replace(solution.grid, cells=tuple(EMPTY if i == last else c for i, c in enumerate(solution.grid.cells)))
    line = statements(replace(solution, puzzle=given, grid=opened), minis[0].solution)
    assert sum(count for _, count, _, _ in line["cells"]) == letters - 2


def test_a_rebus_is_right_by_its_first_letter(minis, solution):
    cell = minis[0].grid.slots[0].cells[0]
    official = minis[0].solution
    rebus = replace(official, cells=tuple(c + "X" if i == cell else c for i, c in enumerate(official.cells)))
    assert statements(solution, rebus) == statements(solution, official)


def test_a_claim_that_is_not_the_official_filling_is_counted(minis):
    wrong = minis[0].solution.fill({minis[0].grid.slots[0].cells[0]: "Q"})
    tools = Tools([ClueSet.open(CLUE_SET)])
    lines = [evaluate_one(minis[1], tools), evaluate_one(replace(minis[0], solution=wrong), tools)]
    summary = Tally(lines).summary(1.0)
    assert (summary["claimed"], summary["claimed_wrong"], summary["solved"]) == (2, 1, 1)


def test_the_check_refuses_a_grid_without_its_answers(solution):
    changed = solution.grid.fill({solution.grid.slots[0].cells[0]: "Q"})
    assert recheck(solution)
    assert not recheck(replace(solution, grid=changed))


def test_calibration_counts_statements_once_and_no_failures():
    line = {"solved": False, "probability": 0.7, "slots": [[1.0, True], [0.95, True], [0.05, False]], "cells": []}
    found = calibration([line, {"error": "x"}])
    assert found["grids"].rows() == [[7, 1, 0.7, 0]]
    assert [(row["from"], row["count"], row["right"]) for row in found["slots"].table()] == [
        (0.0, 1, 0.0),
        (0.9, 2, 1.0),
    ]
    assert (found["letters"].table(), found["letters"].error()) == ([], None)


@given(st.lists(st.lists(st.tuples(st.floats(0, 1), st.booleans()))))
def test_pooled_bins_are_those_of_all_statements_together(parts):
    pooled, together = Bins(), Bins()
    for part in parts:
        bins = Bins()
        for probability, right in part:
            bins.add(probability, right=right)
            together.add(probability, right=right)
        pooled.pool(bins.rows())
    assert (pooled.counts, pooled.right) == (together.counts, together.right)
    assert pooled.stated == pytest.approx(together.stated, abs=1e-4 * (len(parts) + 1))


def test_luck_is_the_error_of_calibrated_numbers():
    chance = np.random.default_rng(0)
    errors, luck = [], []
    for _ in range(200):
        bins = Bins()
        for probability in chance.beta(0.6, 0.6, 50).tolist():
            bins.add(probability, right=chance.random() < probability)
        errors.append(bins.error())
        luck.append(bins.luck())
    assert np.mean(luck) == pytest.approx(np.mean(errors), abs=0.01)


def test_right_when_sure_gives_a_curve_that_falls_to_the_rate():
    found = coverage([{"solved": n < 5, "probability": 1 - n / 20} for n in range(20)])
    assert found[:5] == [1.0] * 5
    assert found[9] == 0.5
    assert found[-1] == 0.25


def test_grids_of_one_probability_have_no_order():
    same = [{"solved": n < 5, "probability": 0.5} for n in range(20)]
    assert coverage(same) == coverage(same[::-1]) == [0.25] * 20


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.9, 1.0]), st.booleans(), st.integers(0, 3)), min_size=1).filter(
        lambda grids: any(times for _, _, times in grids)
    )
)
def test_a_grid_that_is_drawn_twice_counts_as_two(grids):
    stated, right, times = np.array(grids, float).T
    repeated = [(p, r) for p, r, n in grids for _ in range(n)]
    p, r = np.array(repeated, float).T
    assert accuracy(stated, right, times[None])[0] == pytest.approx(accuracy(p, r, np.ones((1, len(p))))[0])


def test_a_curve_is_the_mean_over_the_surest():
    grids = [(0.97 - 0.01 * n, n % 3 == 0) for n in range(40)]
    found = coverage({"probability": p, "solved": right} for p, right in grids)
    wanted = [np.mean([right for _, right in grids[: round(40 * share)]]) for share in COVERAGES]
    assert found == pytest.approx(wanted, abs=1e-4)


def test_summing_up_nothing_is_not_an_error():
    assert Tally([]).summary(0.0)["puzzles"] == 0
