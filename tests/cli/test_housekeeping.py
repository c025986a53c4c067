"""The commands around solving, and properties of all: help, version, documentation, cold start."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from agent import __version__
from agent.api import open_puzzle
from agent.cli import app
from agent.testing import FakeOpenAI

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "cli.md").read_text("utf-8")


def commands(group=None, path=()):
    """Yield (words of the command, command) of everything there is."""
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


NAMES = [" ".join(path) for path, _ in commands()]


@pytest.mark.parametrize("ending", ["xd", "ipuz", "puz", "json", "txt"])
def test_a_converted_puzzle_is_the_same_puzzle(run, tiny, tmp_path, ending, puzzle):
    run("convert", tiny, tmp_path / f"out.{ending}")
    again = open_puzzle(tmp_path / f"out.{ending}")
    assert again.clues == puzzle.clues
    assert again.solution == puzzle.solution


def test_convert_says_what_it_cannot_write(run, tiny, tmp_path):
    assert "expected an ending" in run("convert", tiny, tmp_path / "out", code=2).stderr
    assert "there is no folder" in run("convert", tiny, tmp_path / "no" / "out.xd", code=2).stderr


def test_the_cache_is_shown_exported_and_cleared(run, tiny, knows, tmp_path):
    assert "empty" in run("cache", "info").stdout
    with FakeOpenAI([knows]) as server:
        run("solve", tiny, "-m", "fake", "--base-url", server.base_url)
    info = json.loads(run("cache", "info", "--json").stdout)
    assert info["entries"] == {"llm": 1}
    assert info["usable"] is True
    assert json.loads(run("cache", "export", tmp_path / "all.jsonl", "--json").stdout)["lines"] == 8
    assert run("cache", "export", tmp_path / "all.jsonl").stdout == "nothing new to export\n"
    assert json.loads(run("solve", tiny, "--clue-set", tmp_path / "all.jsonl", "--json").stdout)["solved"]
    run("cache", "clear", stdin="n\n", code=1)
    assert json.loads(run("cache", "info", "--json").stdout)["entries"] == {"llm": 1}
    assert run("cache", "clear", stdin="y\n").stdout.endswith("1 response deleted\n")
    assert json.loads(run("cache", "clear", "--yes", "--json").stdout) == {"deleted": 0}


def test_config_says_where_each_setting_comes_from(run, home, tmp_path):
    (tmp_path / "own.toml").write_text('rounds = 4\n[prices]\n"m" = [1, 2.5]\n')
    home["GRIDWRIGHT_TIMEOUT"] = "7"
    home["GRIDWRIGHT_API_KEY"] = "sk-secret"
    result = run("config", "--config", tmp_path / "own.toml", "--json")
    rows = json.loads(result.stdout)
    assert rows["rounds"] == {"value": "4", "origin": f"file {tmp_path / 'own.toml'}"}
    assert rows["timeout"] == {"value": "7.0", "origin": "environment GRIDWRIGHT_TIMEOUT"}
    assert rows["prices"]["value"] == "m 1 + 2.5"
    assert rows["threshold"]["origin"] == "default"
    assert rows["api_key"]["value"] == "(set)"
    assert "sk-secret" not in result.stdout + run("config").stdout


@pytest.mark.parametrize("prices", ["prices = 3", '[prices]\nm = "much"', "[prices]\nm = [1]", "[prices]\nm = [1, -2]"])
def test_bad_prices_are_exit_2(run, tmp_path, prices):
    (tmp_path / "own.toml").write_text(prices)
    assert (
        "prices must be a table of model = [prompt, completion]"
        in run("config", "--config", tmp_path / "own.toml", code=2).stderr
    )


def test_the_models_of_a_server_are_listed(run):
    with FakeOpenAI(models=("b", "a")) as server:
        assert run("models", "--base-url", server.base_url).stdout == "a\nb\n"
        assert json.loads(run("models", "--base-url", server.base_url, "--json").stdout) == ["a", "b"]
    assert "cannot connect" in run("models", "--base-url", server.base_url, code=4).stderr


def test_the_version_is_printed(run):
    assert run("--version").stdout == f"gridwright {__version__}\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_explains_itself_with_an_example(run, name):
    text = run(*name.split(), "--help").stdout
    assert f"  gridwright {name}" in text.partition("Examples:")[2]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_and_option_is_documented(name):
    section = re.search(rf"^## `gridwright {name}`$(.*?)(?=^## |\Z)", DOCS, re.MULTILINE | re.DOTALL)
    assert section, f"docs/cli.md has no section for gridwright {name}"
    text = section[1]
    common = DOCS.partition("## Options of several commands")[2].partition("\n## ")[0]
    command = {" ".join(path): command for path, command in commands()}[name]
    for parameter in command.params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert f"`{option}" in text or f"`{option}" in common, f"{option} of {name}"


def examples():
    """Yield (command line, output) of the examples in docs/cli.md that show their output."""
    for block in re.findall(r"^```console\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL):
        for example in block.split("$ ")[1:]:
            line, _, output = example.partition("\n")
            yield line, output


@pytest.mark.parametrize(("line", "output"), list(examples()))
def test_the_documented_examples_print_what_they_say(run, tmp_path, monkeypatch, line, output):
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(line)
    assert program == "gridwright"
    code = int(output.rpartition("exit code ")[2] or 0) if "exit code " in output else 0
    expected = output.partition("exit code ")[0]
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("..."))
    result = run(*arguments, code=code)
    assert re.fullmatch(pattern, (result.stdout + result.stderr).strip(), re.DOTALL), result.stdout


def test_help_loads_nothing_heavy():
    script = (
        "import sys\nfrom agent.cli import main\nsys.argv = ['gridwright', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'rich', 'pydantic', 'openai', 'requests', 'nltk', 'diskcache', 'platformdirs',"
        " 'agent.solve', 'agent.formats'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_solve_loads_no_reader_of_other_formats(tiny):
    script = (
        "import sys\nfrom agent.cli import main\n"
        f"sys.argv = ['gridwright', 'solve', {tiny!r}, '--offline', '-q']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code in (0, 1)\n"
        "unwanted = {'agent.formats.ipuz', 'agent.formats.text', 'xml.etree.ElementTree'}\n"
        "print(sorted(unwanted & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_clue_set_loads_no_lexicon_network_or_other_kind(tiny, clues):
    script = (
        "import sys\nfrom agent.cli import main\n"
        f"sys.argv = ['gridwright', 'solve', {tiny!r}, '--clue-set', {clues!r}, '--offline', '-q']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "unwanted = {'rich', 'openai', 'requests', 'nltk', 'diskcache', 'ortools', 'lexicon.lexicon'}\n"
        "kinds = {name for name in sys.modules if name.startswith('agent.puzzles.') and name.endswith('.kind')}\n"
        "print(sorted(unwanted & set(sys.modules) | kinds))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_completion_knows_the_commands_and_installs_itself(tmp_path):
    asked = {"_GRIDWRIGHT_COMPLETE": "complete_bash"}
    script = shutil.which("gridwright", path=str(Path(sys.executable).parent))
    if script is None:
        pytest.skip("the command is not installed beside this Python")
    words = subprocess.run(
        [script],
        env={**os.environ, **asked, "COMP_WORDS": "gridwright ca", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    assert words == ["candidates", "cache"]
    home = {**os.environ, "HOME": str(tmp_path)}
    in_bash = ["bash", "-c", '"$0" --install-completion; exit $?', script]  # it is for the shell that starts it
    done = subprocess.run(in_bash, env=home, capture_output=True, text=True, check=True)
    assert "bash completion installed" in done.stdout
    assert list(tmp_path.rglob("gridwright.sh"))


ENDED_TWICE = """
import signal, threading
from agent.cli.common import interruptible
begun = threading.Event()
def last_words():
    begun.set()
    print("the best so far")
with interruptible(last_words):
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)
    begun.wait()
print("the result")
"""


def test_work_that_ends_as_it_is_ended_prints_one_result():
    ended = subprocess.run([sys.executable, "-c", ENDED_TWICE], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "the best so far\n", "")


def test_a_full_disk_under_stdout_is_one_line(spawn, tiny):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with full.open("w") as stdout:
        _, stderr = spawn("solve", tiny, stdout=stdout).communicate(timeout=300)
    assert stderr.startswith("gridwright: stdout cannot be written")
    assert stderr.count("\n") == 1
