"""What once got past the judge, or was refused though it is right, one case each."""

import json
from pathlib import Path
from random import Random

import autotos_bank as bank  # the bank is data for the tests as well
import pytest
from typer import Typer
from typer.testing import CliRunner

from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.judge import judge
from agent.cli import judging

EXACT = bank.SUCCESSOR.replace("successor_state", "exact")
SECTIONS = (Path(__file__).parent / "cracks.txt").read_text().split("\n### ")[1:]
CRACKS = dict(section.replace("EXACT", EXACT).split("\n", 1) for section in SECTIONS)
KINDS = {
    "letters-it-has-never-seen": {"missing"},
    "the-first-twenty-answers": {"missing"},
    "wears-out": {"nondeterministic"},
    "returns-the-same-grids-again": {"reused"},
    "counts-with-what-is-no-number": {"protocol"},
    "counts-backwards": {"protocol"},
    "answers-in-the-workers-place": {"protocol"},
    "denies-what-it-changed": {"reused", "mutated-input"},
    "changes-its-arguments-later": {"reused"},
    "forges-a-line-of-the-report": {"exception"},
}
"""Function -> the kinds of its first fault; the others are right."""

app = Typer()
judging.add_to(app)


@pytest.mark.parametrize("name", CRACKS)
def test_a_crack_is_closed(name, safe_backend):
    found = judge(CRACKS[name], "successor", CROSSWORD, backend=safe_backend)
    if name in KINDS:
        assert not found.is_accepted
        assert found.faults[0].kind in KINDS[name]
    else:
        assert found.verdict == "exact"


def test_one_answer_in_mixed_case_is_an_answer_like_others(tmp_path, safe_backend):
    """Letters are compared as they stand, so a capital neither makes a right function wrong nor a goal false."""
    given = [
        {**one.arguments, "goal_grids": list(one.goals)}
        for one in CROSSWORD.instances(Random(1))
        if one.name == "plain"
    ]
    given[0]["horizontal_answers"][0].append("Paris")
    (tmp_path / "mixed.json").write_text(json.dumps(given))
    (tmp_path / "one.json").write_text(json.dumps(given[:1]))
    (tmp_path / "pair.py").write_text(bank.SUCCESSOR + bank.GOAL)
    fewer = str(Path(__file__).with_name("fewer.py"))
    arguments = ["judge", str(tmp_path / "pair.py"), "--domain", fewer, "--backend", safe_backend, "--instances"]
    assert CliRunner().invoke(app, [*arguments, str(tmp_path / "mixed.json")]).exit_code == 0
    alone = CliRunner().invoke(app, [*arguments, str(tmp_path / "one.json")])
    assert (alone.exit_code, "expected two or more instances" in alone.stderr) == (3, True)


def test_a_message_cannot_forge_a_line_or_move_the_cursor(tmp_path, safe_backend):
    path = tmp_path / "f.py"
    path.write_text(CRACKS["forges-a-line-of-the-report"])
    arguments = ["judge", str(path), "--role", "successor", "--backend", safe_backend]
    plain = CliRunner().invoke(app, arguments).stdout
    assert len(plain.splitlines()) == 1
    assert plain.rstrip("\n").isprintable()
    said = CliRunner().invoke(app, [*arguments, "--json"]).stdout
    assert said.rstrip("\n").isprintable()
    assert "\x1b[31m" in json.loads(said)["details"][0]["note"]
