"""A full disk, a missing folder, two processes: an answer that was found or paid for is never lost."""

import subprocess
import sys

import pytest

from agent.cache import Cache
from agent.candidates.clueset import read_entries
from agent.candidates.llm import LlmProvider
from agent.disk import check_writable, drop_torn_line, write_file
from agent.errors import UsageError
from agent.llm.client import Client
from agent.solve import solve
from agent.testing import FakeOpenAI
from agent.tools import Recorder, Tools

FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
from agent.disk import write_file
write_file({path!r}, b"x" * 4096)
"""


def test_a_file_is_never_half_written(tmp_path):
    path = tmp_path / "today.xd"
    path.write_text("as it was")
    ended = subprocess.run(
        [sys.executable, "-c", FULL.format(path=str(path))], capture_output=True, text=True, check=False
    )
    assert f"File too large: '{path}'" in ended.stderr
    assert (path.read_text(), [*tmp_path.iterdir()]) == ("as it was", [path])


def test_a_link_and_the_rights_of_a_file_stay(tmp_path):
    path, link = tmp_path / "secret", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(path)
    write_file(link, "new")
    assert (link.is_symlink(), path.read_text(), path.stat().st_mode & 0o777) == (True, "new", 0o600)


@pytest.mark.parametrize(
    ("place", "complaint"), [(".", "found a folder"), ("no/x", "there is no folder"), ("/proc/x", "cannot be written")]
)
def test_a_place_that_takes_no_file_is_named_before_the_work(tmp_path, place, complaint):
    with pytest.raises(UsageError, match=complaint):
        check_writable(tmp_path / place)


@pytest.mark.parametrize("option", ["--save", "--html", "--svg"])
def test_the_answer_is_printed_even_if_its_file_cannot_be_written(run, tiny, clues, tmp_path, option):
    full = tmp_path / "full.xd"
    full.symlink_to("/dev/full")
    result = run("solve", tiny, "--clue-set", clues, option, full, code=2)
    assert "Solved" in result.stdout
    assert result.stderr == f"gridwright: {full}: No space left on device\n"


@pytest.mark.parametrize("content", [None, "no clue set"])
def test_a_record_that_cannot_be_kept_is_refused_before_asking(run, tiny, tmp_path, content):
    path = tmp_path / "recorded" / "x.jsonl"
    if content:
        path.parent.mkdir()
        path.write_text(content)
    with FakeOpenAI() as server:
        result = run("solve", tiny, "-m", "x", "--base-url", server.base_url, "--record", path, code=2)
        assert server.requests == []
    assert result.stderr.startswith(f"gridwright: {path}: ")


def test_an_answer_that_cannot_be_recorded_is_used_and_reported(tmp_path, puzzle, knows):
    said = []
    server, cache = FakeOpenAI([knows]), Cache(tmp_path, warn=said.append)
    with server, cache, Client("x", server.base_url) as client:
        recorder = Recorder(LlmProvider(client, cache), tmp_path / "gone" / "x.jsonl", said.append)
        solution = solve(puzzle, Tools([recorder]))
    assert solution.grid == puzzle.solution
    assert said == [f"{tmp_path / 'gone' / 'x.jsonl'}: not recorded: No such file or directory"]


RECORD = """
import sys
from agent.candidates.clueset import record
from agent.candidates.provider import Question
from agent.grid import Candidate
print("ready", flush=True)
input()
for n in range(30):
    record(sys.argv[1], [Question("1A", f"clue {n}", 2)], {"1A": [Candidate("NO", 0.5, "llm:x")]})
"""


def test_two_processes_that_record_the_same_answers_write_each_once(tmp_path):
    path = tmp_path / "recorded.jsonl"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen([sys.executable, "-c", RECORD, path], **pipes) for _ in range(2)]
    for one in both:
        assert one.stdout.readline() == "ready\n"
    for one in both:
        one.stdin.write("\n")
        one.stdin.flush()
    assert [one.wait() for one in both] == [0, 0]
    for one in both:
        one.communicate()
    assert sorted(entry.clue for entry in read_entries(path)) == sorted(f"clue {n}" for n in range(30))


@pytest.mark.parametrize("whole", [b"", b"one\n", b"one\n" + b"y" * 70_000 + b"\n"])
@pytest.mark.parametrize("torn", [b"", b"tw", b"x" * 200_000])
def test_a_line_that_was_cut_short_is_dropped_however_long(tmp_path, whole, torn):
    (tmp_path / "lines").write_bytes(whole + torn)
    with (tmp_path / "lines").open("a+b") as file:
        drop_torn_line(file)
        file.write(b"three\n")
    assert (tmp_path / "lines").read_bytes() == whole + b"three\n"
