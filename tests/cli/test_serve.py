"""`gridwright serve` as a process of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from agent.testing import FakeOpenAI

ROOT = Path(__file__).parents[2]


def address_of(process):
    """Read the address that a server prints once it listens."""
    line = process.stdout.readline()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", line), line + process.stderr.read()
    return line.strip()


def test_the_address_is_printed_and_serves_the_page(spawn):
    process = spawn("serve", "--port", "0")
    where = address_of(process)
    assert "<html" in requests.get(where, timeout=300).text
    assert "lexicon" in requests.get(where + "api/settings", timeout=300).text


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly(spawn, sign):
    process = spawn("serve", "--port", "0", "--quiet")
    where = address_of(process)
    process.send_signal(sign)
    out, error = process.communicate(timeout=300)
    assert (out, error) == ("", "")
    assert process.returncode in {0, -sign}
    with pytest.raises(requests.ConnectionError):
        requests.get(where, timeout=300)


def test_it_ends_with_a_test_or_benchmark_that_is_killed(tmp_path):
    """It leaves neither a process nor a folder."""
    script = f"""if True:
        import signal, sys
        sys.path.insert(0, {str(ROOT / "tests" / "browser")!r})
        from served import served
        with served("--offline") as (address, _):
            print(address, flush=True)
            signal.pause()
    """
    home = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=home) as starter:
        where = starter.stdout.readline().strip()
        assert requests.get(where, timeout=300).ok
        assert any(tmp_path.iterdir())
        starter.kill()
    with suppress(requests.ConnectionError):
        while requests.get(where, timeout=300):
            pass
    with pytest.raises(requests.ConnectionError):
        requests.get(where, timeout=300)
    deadline = time.monotonic() + 300
    while any(tmp_path.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_ctrl_c_ends_it_while_a_search_runs(spawn):
    process = spawn("serve", "--port", "0", "--quiet")
    where = address_of(process)
    opened = requests.post(where + "api/puzzles?example=midi-01", timeout=300).json()
    path, choice = f"api/puzzles/{opened['id']}/solve", {"providers": ["lexicon"]}
    with requests.post(where + path, json=choice, stream=True, timeout=300) as stream:
        lines = stream.iter_lines(chunk_size=1)
        assert next(lines) == b"event: started"
        process.send_signal(signal.SIGINT)
        told = list(lines)
    assert process.wait(timeout=300) == 0
    assert process.stderr.read() == ""
    assert b"event: failed" in told


def test_ctrl_c_ends_it_while_a_provider_does_not_answer(spawn):
    asked, release = threading.Event(), threading.Event()

    def script(request):
        del request
        asked.set()
        release.wait(300)
        return "too late"

    with FakeOpenAI(script) as model:
        process = spawn("serve", "--port", "0", "--quiet", "-m", "x", "--base-url", model.base_url)
        where = address_of(process)
        opened = requests.post(where + "api/puzzles?example=tiny-01", timeout=300).json()
        path, choice = f"api/puzzles/{opened['id']}/solve", {"providers": ["llm"]}
        with requests.post(where + path, json=choice, stream=True, timeout=300) as stream:
            assert asked.wait(300)
            process.send_signal(signal.SIGINT)
            assert "the server is stopping" in stream.text
        out, error = process.communicate(timeout=300)
        release.set()
    assert (process.returncode, out, error) == (0, "", "")


def ends(process, code):
    """Wait for the end of a server that does not begin to listen; return its message."""
    out, error = process.communicate(timeout=300)
    assert (process.returncode, out) == (code, ""), error
    assert error.count("\n") == 1
    return error


def test_a_port_in_use_is_reported_in_one_line(spawn):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = ends(spawn("serve", "--port", port), 2)
    assert f"port {port}" in said
    assert "--port 0" in said


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.name.invalid"])
def test_an_address_of_another_machine_is_one_line(spawn, host):
    assert host in ends(spawn("serve", "--host", host, "--port", "0"), 2)


@pytest.mark.parametrize(
    "arguments",
    [("--providers", "nobody"), ("--clue-set", "none.jsonl"), ("--rounds", "-1"), ("--config", "none.toml")],
)
def test_wrong_options_end_it_before_it_listens(spawn, arguments):
    assert arguments[1] in ends(spawn("serve", "--port", "0", *arguments), 2)


def test_a_bad_base_url_ends_it_before_it_listens(spawn):
    assert "base URL" in ends(spawn("serve", "--port", "0", "-m", "x", "--base-url", "nonsense"), 2)


def test_without_the_extra_it_says_what_to_install(tmp_path, home):
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('no starlette', name='starlette')\n")
    line = [sys.executable, "-m", "agent", "serve"]
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


def test_other_machines_need_a_token_unless_told_otherwise(spawn):
    process = spawn("serve", "--port", "0", "--host", "0.0.0.0", "--quiet")  # noqa: S104 - that is what is tested
    where = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{16}", where)
    bare = where.partition("?")[0]
    assert requests.get(bare, timeout=300).status_code == 403
    port = bare.rstrip("/").rpartition(":")[2]
    own = {"Host": f"{socket.gethostname()}:{port}", "Authorization": f"Bearer {where.partition('=')[2]}"}
    assert requests.get(bare, headers=own, timeout=300).status_code == 200
    process.send_signal(signal.SIGINT)
    others = process.stdout.read()
    assert f"{socket.gethostname().lower()}:{port}/?token=" in others


def test_every_address_without_a_token_is_warned_about(spawn):
    process = spawn("serve", "--port", "0", "--host", "0.0.0.0", "--token", "none")  # noqa: S104 - as above
    address_of(process)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=300)
    assert "anyone who can reach this machine" in error


def test_the_printed_address_carries_the_token(spawn):
    process = spawn("serve", "--port", "0", "--quiet", "--token", "open.sesame")
    where = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=open\.sesame", where)
    assert "<html" in requests.get(where, timeout=300).text
    assert requests.get(where.partition("?")[0], timeout=300).status_code == 403


def test_a_token_that_no_address_can_carry_is_refused(spawn):
    process = spawn("serve", "--port", "0", "--token", "a b")
    assert process.wait(timeout=300) == 2
    assert "--token takes letters" in process.stderr.read()
