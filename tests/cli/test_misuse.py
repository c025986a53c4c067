"""Any misuse ends with one line and a documented exit code, never an internal error."""

import re
import shlex
from pathlib import Path

import pytest

from agent import errors
from agent.cli import exits

FILES = {
    "binary": bytes(range(256)),
    "latin.txt": b"caf\xe9 \xa0\n",
    "ragged.json": b'{"grid": ["..", "."], "clues": {}}',
    "rebus.json": b'{"grid": [["HEART", "."], [".", "."]], "clues": {"across": [[1, "x"]]}}',
    "lists.json": b'{"id": "x", "grid": [".."], "answers": {"1A": ["NO"]}}',
    "clues.txt": b"Across\n1. Not out\n9. Own\nDown\n5. Yes",
    "small.non": b"2\n\n1\n1",
    "settings.toml": b"rounds = 'many'",
    "results.jsonl": b"{}\n",
    "empty.jsonl": b"",
    "goal.py": b"def is_goal_state(state, horizontal_answers, vertical_answers): return False\n",
}

MISUSE = """
2 solve rebus.json
3 solve binary
3 solve latin.txt
3 solve ragged.json
3 solve clues.txt --size 3x3
2 solve clues.txt --size 99x99
3 solve .
2 solve small.non --save x.foo
3 solve small.non --letters ABC
2 solve TINY --save x.foo
2 solve TINY --html missing/x.html
2 solve TINY --clue-set binary
2 solve TINY --clue-set .
2 solve TINY --clue-set latin.txt
2 solve TINY --providers foo
2 solve TINY --providers llm
2 solve TINY --rounds -1
2 solve TINY --sure 0.2
2 solve TINY --seconds nan
2 solve TINY --config settings.toml
2 solve TINY --config binary
2 solve TINY --providers llm --model x --base-url http://[::1
2 solve TINY --providers llm --model x --base-url http://127.0.0.1:1/\x01v1
2 hint small.non 1A
3 hint lists.json
2 hint TINY 99X
2 hint TINY --whole
2 hint TINY --grid AB/CD
3 hint TINY --grid binary
2 check TINY --grid TINY
2 check rebus.json --grid ../..
2 check TINY --grid ''
2 hint TINY --against nobody
3 verify clues.txt --grid x
2 candidates abc
2 candidates abc --pattern é?
2 candidates TINY --length 3
2 candidates TINY --pattern A??
3 candidates small.non
3 evaluate binary
3 evaluate small.non
2 evaluate TINY --executor foo
2 evaluate TINY --out binary
2 evaluate TINY --out -
2 evaluate TINY --seeds 2
2 report results.jsonl
2 report .
2 report results.jsonl --html -
2 convert TINY x.foo
3 convert clues.txt x.xd
3 convert small.non x.xd
2 convert TINY missing/x.xd
3 convert TINY x.xd --key 1234
2 cache export -
2 cache export missing/x.jsonl
2 solve TINY --record -
2 make gogen --words binary
2 make mini --words latin.txt
2 make fillin --size 1x1
2 lexicon add latin.txt
2 lexicon remove missing
3 judge missing
3 judge ragged.json
2 judge TINY --domain foo
2 judge TINY --backend foo
3 judge TINY --instances binary
2 models --base-url foo
2 autotos --model x --base-url foo
2 autotos --model x --log -
3 autotos replay binary
3 autotos replay empty.jsonl
3 autotos report empty.jsonl
2 judge goal.py --html -
"""


@pytest.mark.parametrize("line", MISUSE.strip().splitlines())
def test_misuse_is_one_line_with_its_exit_code(line, run, tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    code, *words = shlex.split(line)
    done = run(*(tiny if word == "TINY" else word for word in words), code=int(code))
    assert done.stderr.startswith("gridwright: ")
    assert done.stderr.count("\n") == 1
    assert "internal error" not in done.stderr


def test_a_file_that_a_key_does_not_unlock_is_named(run, tiny, tmp_path):
    assert f"gridwright: {tiny}: " in run("convert", tiny, tmp_path / "x.xd", "--key", "1234", code=3).stderr


def test_an_option_that_has_no_effect_is_warned_about(run, tiny, clues, tmp_path):
    ask = ("solve", tiny, "--clue-set", clues, "--base-url", "http://localhost:1/v1", "--explain", "--count", "2")
    assert run(*ask, "--any", "--offline").stderr.splitlines() == [
        "warning: --base-url is not used: no --model is named",
        "warning: --count is ignored: it is for puzzles without clues",
        "warning: --any is ignored: it is for puzzles without clues",
        "warning: --explain is ignored: it is for puzzles without clues",
    ]
    said = run("solve", "-", "--record", tmp_path / "x.jsonl", stdin="2\n\n1\n1").stderr
    assert said == "warning: --record is ignored: no provider is asked about a puzzle without clues\n"


def test_errors_of_users_have_exit_codes():
    for base, code in (
        (errors.UsageError, 2),
        (errors.UnreadableError, 3),
        (errors.UnansweredError, 4),
        (errors.SandboxRefusedError, 4),
    ):
        assert exits.of_error(base("x")) == code
    assert exits.of_error(errors.ConfigError("x")) == 2
    assert exits.of_error(ValueError("x")) is None


def test_the_table_of_exit_codes_is_complete():
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text("utf-8")
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    named = (
        exits.DONE,
        exits.NOT_SOLVED,
        exits.USAGE,
        exits.UNREADABLE,
        exits.UNANSWERED,
        exits.LIMIT,
        exits.INTERRUPTED,
    )
    assert documented == {*named}
    assert all(f"{code}:" in text for code in (exits.INTERNAL, exits.CLOSED_PIPE))


def test_a_size_to_be_made_is_limited_by_the_maker_alone(run):
    assert run("make", "nonogram", "--size", "3x35").stdout.count("\n") > 35
    assert "a nonogram to be made has 1 to 60 cells a side" in run("make", "nonogram", "--size", "61x2", code=2).stderr
