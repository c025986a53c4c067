"""Many puzzles: scored against the official solutions, in any number of processes, and nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent.config import Settings
from agent.evaluate.metrics import calibration, score, summarise
from agent.evaluate.results import Results
from agent.evaluate.run import Configuration, evaluate, keyed
from agent.formats import CandidateInstance, open_puzzle, open_puzzles
from agent.grid import Grid, Puzzle

ROOT = Path(__file__).parents[2]
MINIS = ROOT / "data" / "minis"
CLUE_SET = str(MINIS / "minis_llm.clues.jsonl")
AUTOTOS = ROOT.parent / "shared" / "data" / "autotos_20.json"


@pytest.fixture
def configuration(tmp_path) -> Configuration:
    """Answer from the recorded clue set alone: no network, no word model."""
    settings = Settings(providers=(), offline=True, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    return Configuration(settings, (CLUE_SET,))


@pytest.fixture(scope="module")
def minis() -> list[Puzzle]:
    return [replace(open_puzzle(path), id=path.stem) for path in sorted(MINIS.glob("*.xd"))]


def timeless(line: dict) -> dict:
    return {key: value for key, value in line.items() if key != "seconds"}


def test_all_our_minis_are_solved_from_their_clue_set_and_no_grid_is_verified_wrongly(minis, configuration):
    lines, seconds = evaluate(minis, configuration, jobs=1)
    summary = summarise(lines, seconds)
    assert (summary["puzzles"], summary["solved"], summary["proved"]) == (26, 26, 26)
    # one answer of mini-18 is in no list: its crossings spell it, and that is not called verified
    assert [line["id"] for line in lines if not line["verified"]] == ["mini-18"]
    assert (summary["false_verified"], summary["wrong"], summary["failed"]) == (0, 0, 0)
    assert summary["letters"][0] == summary["letters"][1]
    assert summary["words"][0] == summary["words"][1] == sum(len(puzzle.grid.slots) for puzzle in minis)


@pytest.mark.skipif(not AUTOTOS.exists(), reason="needs ../shared/data/autotos_20.json")
def test_the_autotos_instances_are_all_solved_with_at_most_forty_expansions(configuration):
    summary = summarise(*evaluate(list(open_puzzles(AUTOTOS)), configuration, jobs=1))
    assert (summary["puzzles"], summary["solved"], summary["verified"], summary["false_verified"]) == (20, 20, 20, 0)
    assert summary["expansions"] <= 40
    assert summary["generated"] <= 40


def test_two_processes_give_the_lines_of_one(minis, configuration):
    alone, _ = evaluate(minis[:8], configuration, jobs=1)
    together, _ = evaluate(minis[:8], configuration, jobs=2)
    assert [timeless(line) for line in together] == [timeless(line) for line in alone]


def test_a_wrong_official_solution_changes_the_score_and_nothing_else(minis, configuration):
    wrong = [
        replace(p, solution=p.grid.fill({i: "Q" for i, block in enumerate(p.grid.blocks) if not block}))
        for p in minis[:4]
    ]
    scored = ("solved", "letters", "words", "slots", "seconds")
    for line, other in zip(
        evaluate(minis[:4], configuration, jobs=1)[0], evaluate(wrong, configuration, jobs=1)[0], strict=True
    ):
        assert line["solved"]
        assert not other["solved"]
        assert {k: v for k, v in line.items() if k not in scored} == {k: v for k, v in other.items() if k not in scored}


def test_a_puzzle_without_a_solution_is_not_scored(configuration):
    (line,), seconds = evaluate([Puzzle(Grid.blank(2, 2), (), "plain")], configuration, jobs=1)
    summary = summarise([line], seconds)
    assert (line["solved"], line["letters"], summary["scored"], summary["solved"]) == (None, None, 0, 0)
    assert summary["failed"] == 0


def test_one_puzzle_that_fails_does_not_stop_the_others(minis, configuration):
    broken = CandidateInstance("broken", Grid.blank(2, 2), {})
    lines, seconds = evaluate([broken, minis[0]], configuration, jobs=1)
    assert lines[0]["id"] == "broken"
    assert "KeyError" in lines[0]["error"]
    assert lines[1]["solved"]
    summary = summarise(lines, seconds)
    assert (summary["puzzles"], summary["failed"], summary["solved"]) == (2, 1, 1)
    json.dumps(summary, allow_nan=False)


def test_what_was_done_is_not_done_again(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    first, _ = evaluate(minis[:3], configuration, jobs=1, results=Results(path))
    before = path.read_bytes()
    heard: list[dict] = []
    second, _ = evaluate(minis[:3], configuration, jobs=1, results=Results(path), on_line=heard.append)
    assert second == heard == first
    assert path.read_bytes() == before


def test_a_line_that_was_cut_off_is_dropped_and_its_puzzle_run_again(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    first, _ = evaluate(minis[:3], configuration, jobs=1, results=Results(path))
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    results = Results(path)
    assert len(results.lines) == 2
    again, _ = evaluate(minis[:3], configuration, jobs=1, results=results)
    assert [timeless(line) for line in again] == [timeless(line) for line in first]
    assert len(path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("content", ["not json\n", '{"key": 1}\n', "[]\n", '{"clue": "x", "length": 2}\n', "7\n"])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(ValueError, match="line 1: expected a result line"):
        Results(path)
    assert path.read_text() == content


def test_a_note_without_a_line_end_is_not_taken_for_a_torn_result(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my shopping list")
    with pytest.raises(ValueError, match="expected result lines"):
        Results(path)
    assert path.read_text() == "my shopping list"


def test_other_settings_other_clue_sets_and_other_puzzles_have_other_keys(minis, configuration, tmp_path):
    more = tmp_path / "more.jsonl"
    more.write_text('{"clue": "Not out", "length": 2, "candidates": [["IN", 0.9]]}\n')
    mini = minis[0]
    keys = [
        next(iter(keyed([mini], configuration)))[0],
        next(iter(keyed([mini], replace(configuration, clue_sets=(CLUE_SET, str(more))))))[0],
        next(iter(keyed([mini], replace(configuration, settings=replace(configuration.settings, rounds=0)))))[0],
        next(iter(keyed([replace(mini, clues=mini.clues[1:])], configuration)))[0],
    ]
    assert len(set(keys)) == len(keys)


def test_neither_key_nor_folders_change_what_a_result_is_found_by(configuration, tmp_path):
    other = replace(configuration.settings, api_key="secret", cache_dir=tmp_path / "elsewhere")
    assert replace(configuration, settings=other).digest == configuration.digest


RUN = """
import sys
from pathlib import Path
from agent.config import Settings
from agent.evaluate.results import Results
from agent.evaluate.run import Configuration, evaluate
from agent.formats import open_puzzle

minis, clue_set, folder, jobs = sys.argv[1:]
if __name__ == "__main__":
    settings = Settings(providers=(), offline=True, cache_dir=Path(folder, "cache"), data_dir=Path(folder, "data"))
    puzzles = [open_puzzle(path) for path in sorted(Path(minis).glob("*.xd"))]
    results = Results(Path(folder, "results.jsonl"))
    lines, _ = evaluate(puzzles, Configuration(settings, (clue_set,)), jobs=int(jobs), results=results,
                        on_line=lambda line: print(line["grid"][0], flush=True))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system with kill -9")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_is_killed_half_way_goes_on_and_counts_nothing_twice(tmp_path, jobs):
    script = tmp_path / "run.py"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(MINIS), CLUE_SET, str(tmp_path), str(jobs)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for _ in range(9):
            process.stdout.readline()
        process.kill()
    path = tmp_path / "results.jsonl"
    done = path.read_bytes().count(b"\n")
    assert 9 <= done <= 26
    finished = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert len(finished.stdout.split()) == 26
    keys = [json.loads(line)["key"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(keys) == len(set(keys)) == 26
    summary = summarise(list(Results(path).lines.values()), 1.0)
    assert (summary["puzzles"], summary["solved"]) == (26, 26)


def test_a_grid_is_scored_cell_by_cell_and_word_by_word():
    official = Grid.parse("AB\n#C")
    assert score(official, official) == {"solved": True, "letters": [3, 3], "words": [2, 2]}
    assert score(Grid.parse("AX\n#C"), official) == {"solved": False, "letters": [2, 3], "words": [0, 2]}
    assert score(Grid.parse("..\n#."), official) == {"solved": False, "letters": [0, 3], "words": [0, 2]}


def test_calibration_counts_every_slot_once():
    lines = [{"slots": [[1.0, True], [0.95, True], [0.05, False]]}, {"error": "x"}]
    table = calibration(lines)
    assert [(row["from"], row["slots"], row["right"]) for row in table] == [(0.0, 1, 0.0), (0.9, 2, 1.0)]


def test_summing_up_nothing_is_no_error():
    assert summarise([], 0.0)["puzzles"] == 0
