"""`gridwright serve` as a process of its own."""

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def address_of(process):
    """Read the address that a server prints once it listens."""
    line = process.stdout.readline()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", line), line + process.stderr.read()
    return line.strip()


def read(url):
    with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - it is our own
        return answer.read()


def test_the_address_is_printed_and_serves_the_page(spawn):
    process = spawn("serve", "--port", "0")
    where = address_of(process)
    assert b"<html" in read(where)
    assert b"lexicon" in read(where + "api/settings")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly(spawn, sign):
    process = spawn("serve", "--port", "0", "--quiet")
    where = address_of(process)
    process.send_signal(sign)
    out, error = process.communicate(timeout=30)
    assert (out, error) == ("", "")
    assert process.returncode in {0, -sign}
    with pytest.raises(urllib.error.URLError):
        read(where)


def test_ctrl_c_ends_it_while_a_search_runs(spawn):
    process = spawn("serve", "--port", "0", "--quiet")
    where = address_of(process)
    opened = urllib.request.Request(where + "api/puzzles?example=midi-01", data=b"")  # noqa: S310 - it is our own
    with urllib.request.urlopen(opened, timeout=30) as answer:  # noqa: S310 - it is our own
        handle = re.search(rb'"id":"([^"]+)"', answer.read())[1].decode()
    body = b'{"providers": ["lexicon"]}'
    solving = urllib.request.Request(where + f"api/puzzles/{handle}/solve", data=body)  # noqa: S310 - it is our own
    with urllib.request.urlopen(solving, timeout=30) as stream:  # noqa: S310 - it is our own
        assert stream.readline() == b"event: started\n"
        process.send_signal(signal.SIGINT)
        told = stream.read().decode()
    assert process.wait(timeout=30) == 0
    assert process.stderr.read() == ""
    assert "event: failed" in told or "event: solution" in told


def ends(process, code):
    """Wait for a server that does not begin to listen; what it says."""
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, ""), error
    assert error.count("\n") == 1
    return error


def test_a_port_that_is_taken_is_said_in_one_line(spawn):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = ends(spawn("serve", "--port", port), 2)
    assert f"port {port}" in said
    assert "--port 0" in said


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.name.invalid"])
def test_an_address_that_is_not_this_machines_is_said_in_one_line(spawn, host):
    assert host in ends(spawn("serve", "--host", host, "--port", "0"), 2)


@pytest.mark.parametrize(
    "arguments",
    [("--providers", "nobody"), ("--clue-set", "none.jsonl"), ("--rounds", "-1"), ("--config", "none.toml")],
)
def test_wrong_options_end_it_before_it_listens(spawn, arguments):
    assert arguments[1] in ends(spawn("serve", "--port", "0", *arguments), 2)


def test_a_base_url_that_is_none_ends_it_before_it_listens(spawn):
    assert "base URL" in ends(spawn("serve", "--port", "0", "-m", "x", "--base-url", "nonsense"), 4)


def test_without_the_extra_it_says_what_to_install(tmp_path, home):
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('no starlette', name='starlette')\n")
    line = [sys.executable, "-m", "agent.cli", "serve"]
    result = subprocess.run(
        line, env={**home, "PYTHONPATH": f"{tmp_path}:{ROOT}"}, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "gridwright: the page needs starlette: pip install 'gridwright[web]'\n"


def test_the_other_commands_do_not_load_the_server():
    code = "import sys, agent.cli; print(sorted({'starlette', 'uvicorn', 'asyncio'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout == "[]\n"


def test_listening_for_everybody_is_warned_about(spawn):
    process = spawn("serve", "--port", "0", "--host", "0.0.0.0")  # noqa: S104 - that is what is tested
    address_of(process)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert "whoever reaches this machine" in error
