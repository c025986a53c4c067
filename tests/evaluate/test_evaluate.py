"""Many puzzles: scored against the official solutions, in any number of processes, and nothing twice."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from agent.candidates.clueset import ClueSet
from agent.config import Settings
from agent.evaluate.metrics import calibration, score, summarise
from agent.evaluate.results import Results, read_records
from agent.evaluate.run import Configuration, evaluate, keyed
from agent.evaluate.task import evaluate_one
from agent.formats import CandidateInstance, open_puzzle, open_puzzles
from agent.grid import Grid, Puzzle
from agent.tools import Tools
from lexicon import sources

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
    return {key: value for key, value in line.items() if key not in {"seconds", "waited"}}


def run(items, configuration, **options) -> list[dict]:
    return list(evaluate(items, configuration, jobs=options.pop("jobs", 1), **options))


def sorted_lines(lines) -> list[dict]:
    return sorted(map(timeless, lines), key=lambda line: line["id"])


def test_all_our_minis_are_solved_from_their_clue_set_and_no_grid_is_verified_wrongly(minis, configuration):
    lines = run(minis, configuration)
    summary = summarise(lines, 1.0)
    assert (summary["puzzles"], summary["solved"], summary["proved"]) == (26, 26, 26)
    # one answer of mini-18 is in no list: its crossings spell it, and that is not called verified
    assert [line["id"] for line in lines if not line["verified"]] == ["mini-18"]
    assert (summary["false_verified"], summary["wrong"], summary["failed"]) == (0, 0, 0)
    assert summary["letters"][0] == summary["letters"][1]
    assert summary["words"][0] == summary["words"][1] == sum(len(puzzle.grid.slots) for puzzle in minis)


@pytest.mark.skipif(not AUTOTOS.exists(), reason="needs ../shared/data/autotos_20.json")
def test_the_autotos_instances_are_all_solved_with_at_most_forty_expansions(configuration):
    summary = summarise(run(open_puzzles(AUTOTOS), configuration), 1.0)
    assert (summary["puzzles"], summary["solved"], summary["verified"], summary["false_verified"]) == (20, 20, 20, 0)
    assert summary["expansions"] <= 40
    assert summary["generated"] <= 40


def test_what_is_farmed_out_comes_back_as_a_solve_with_the_providers_at_hand_has_it(minis, configuration):
    tools = Tools([ClueSet.open(CLUE_SET)])
    direct = sorted_lines(evaluate_one(mini, tools) for mini in minis)
    for line, wanted in zip(sorted_lines(run(minis, configuration)), direct, strict=True):
        assert {key: line[key] for key in wanted} == wanted


@pytest.mark.parametrize("executor", ["processes", "threads"])
def test_two_workers_give_the_lines_of_one(minis, configuration, executor):
    alone = run(minis[:8], configuration)
    assert sorted_lines(run(minis[:8], configuration, executor=executor, jobs=2)) == sorted_lines(alone)


def test_an_executor_that_does_not_exist_is_named_with_those_that_do(minis, configuration):
    with pytest.raises(ValueError, match="no executor magic: expected processes, threads or dask://"):
        run(minis, configuration, executor="magic")


def test_a_wrong_official_solution_changes_the_score_and_nothing_else(minis, configuration):
    wrong = [
        replace(p, solution=p.grid.fill({i: "Q" for i, block in enumerate(p.grid.blocks) if not block}))
        for p in minis[:4]
    ]
    scored = ("solved", "letters", "words", "slots", "seconds", "waited")
    for line, other in zip(run(minis[:4], configuration), run(wrong, configuration), strict=True):
        assert line["solved"]
        assert not other["solved"]
        assert {k: v for k, v in line.items() if k not in scored} == {k: v for k, v in other.items() if k not in scored}


def test_a_puzzle_without_a_solution_is_not_scored(configuration):
    (line,) = run([Puzzle(Grid.blank(2, 2), (), "plain")], configuration)
    summary = summarise([line], 1.0)
    assert (line["solved"], line["letters"], summary["scored"], summary["solved"]) == (None, None, 0, 0)
    assert summary["failed"] == 0


def test_one_puzzle_that_fails_does_not_stop_the_others_and_is_tried_again_the_next_time(
    minis, configuration, tmp_path
):
    broken = CandidateInstance("broken", Grid.blank(2, 2), {})
    with Results(tmp_path / "results.jsonl") as results:
        lines = run([broken, minis[0]], configuration, results=results)
        assert len(results) == 1
    assert lines[0]["id"] == "broken"
    assert "KeyError" in lines[0]["error"]
    assert lines[1]["solved"]
    summary = summarise(lines, 1.0)
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


def test_what_was_done_is_not_done_again(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        first = run(minis[:3], configuration, results=results)
    before = path.read_bytes()
    with Results(path) as results:
        assert run(minis[:3], configuration, results=results) == first
    assert path.read_bytes() == before


def test_a_line_that_was_torn_off_is_cut_away_and_said_and_its_puzzle_run_again(minis, configuration, tmp_path):
    path = tmp_path / "results.jsonl"
    with Results(path) as results:
        first = run(minis[:3], configuration, results=results)
    whole = path.read_bytes()
    for torn in (1, 2, 40, len(whole.splitlines()[2])):
        path.write_bytes(whole[:-torn])
        said = []
        assert len(list(read_records(path, said.append))) == 2
        assert path.read_bytes() == whole[:-torn]  # who only reads heals nothing: a run may be at work on it
        with Results(path, said.append) as results:
            assert len(results) == 2
            assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:2])
            again = run(minis[:3], configuration, results=results)
        assert said == [f"{path} line 3: torn off when the run was killed: it is left out"] * 2
        assert sorted_lines(again) == sorted_lines(first)
        assert len(path.read_bytes().splitlines()) == 3


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


def test_a_note_without_a_line_end_is_not_taken_for_a_torn_result(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my shopping list")
    with pytest.raises(ValueError, match="expected result lines"):
        Results(path)
    assert path.read_text() == "my shopping list"


def test_other_settings_other_clue_sets_other_puzzles_and_other_seeds_have_other_keys(minis, configuration, tmp_path):
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


def test_neither_key_nor_folders_nor_limits_nor_the_label_change_what_a_result_is_found_by(configuration, tmp_path):
    other = replace(configuration.settings, api_key="secret", cache_dir=tmp_path / "elsewhere", max_calls=7)
    assert replace(configuration, settings=other, label="mine").digest == configuration.digest


def test_what_the_user_adds_to_the_lexicon_changes_what_a_result_is_found_by(configuration, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(sources.GCIDE_FOLDER, str(tmp_path / "dictd"))
    monkeypatch.delenv(sources.ONLY)
    asking = replace(configuration, settings=replace(configuration.settings, providers=("lexicon",)))
    before = configuration.digest, asking.digest
    mine = tmp_path / "mine.txt"
    mine.write_text("ZQQJX;60\n", encoding="utf-8")
    sources.add(str(mine))
    assert configuration.digest == before[0]
    assert asking.digest != before[1]


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
