"""Every threat is contained, by every back-end, and leaves nothing behind.

The attacks are run without Landlock, as on a kernel that does not have it: with it, more is refused, never less.
"""

import ctypes
import gc
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from agent.autotos.sandbox import Limits, Worker, choose_backend
from agent.autotos.sandbox.native import ALLOWED, FCNTL, FUTEX, IOCTL, MACHINES, MMAP, seccomp_program
from agent.errors import SandboxError, SandboxRefusedError

ROOT = Path(__file__).parents[2]
STATE = [[[None]], [["a"]], [["b"]]]
SMALL = Limits(memory=512 << 20)
LONGEST_SECONDS = 300.0
"""Wall time of what ends by itself or by a limit of processor time: a loaded machine is slow."""
WITHOUT = ("landlock",)

ENDED = {
    "endless-loop": {"timeout"},
    "endless-loop-deaf-to-signals": {"timeout"},
    "endless-generator-that-never-yields": {"timeout"},
    "exits": {"died"},
    "crashes-the-interpreter": {"died"},
    "floods-the-output": {"output"},
    "answers-too-much": {"protocol"},
    "patches-builtins": {"protocol", "died"},
    "forges-frames": {"protocol"},
    "sends-deep-json": {"protocol"},
    "waits-for-a-lock": {"died"},
}
"""Attack -> the kinds of failure it may end in."""

REPORTED = {
    "endless-generator": "TooMany",
    "memory-bomb": "MemoryError",
    "raises-system-exit": "SystemExit",
    "equal-to-everything": "Unfit",
}
"""Attack -> the error that the worker reports and survives."""

HELD = [
    "memory-bomb-that-catches",
    "fork-bomb",
    "threads",
    "starts-a-program",
    "reads-passwords",
    "reads-a-secret-file",
    "reads-environments",
    "writes-files",
    "connects-to-loopback",
    "calls-c",
    "walks-subclasses-to-os-system",
    "kills-another-process",
    "kills-its-parent",
    "asks-about-files",
    "sleeps",
    "calls-the-kernel-through-c",
]
"""Attacks that try something the lock-down refuses, and say so."""


@pytest.fixture
def surroundings(tmp_path, monkeypatch):
    """Set up a folder with a secret, a listening port, another process and a key in the environment."""
    tmp_path.chmod(0o777)
    (tmp_path / "secret").write_text("hunter2")
    (tmp_path / "keep").write_text("keep me")
    monkeypatch.setenv("SECRET_API_KEY", "hunter2")
    with socket.socket() as listener, subprocess.Popen(["sleep", "600"]) as victim:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        try:
            yield tmp_path, listener, victim
            assert victim.poll() is None, "another process was killed"
            with pytest.raises(BlockingIOError):
                listener.accept()
        finally:
            victim.kill()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["keep", "secret"]


def start(worker, source):
    """Load a source and have its function appointed."""
    worker.request("load", LONGEST_SECONDS, role="successor", source=source)
    worker.request("appoint", role="successor", name="successor_state")


def attempt(source, backend, surroundings, *, timeout=LONGEST_SECONDS, limits=SMALL):
    folder, listener, victim = surroundings
    source = source.replace("CANARY", str(folder)).replace("PORT", str(listener.getsockname()[1]))
    source = source.replace("VICTIM", str(victim.pid))
    with Worker(backend, limits, without=WITHOUT) as worker:
        start(worker, source)
        answer = worker.request(
            "call", timeout=timeout, role="successor", arguments=STATE, iterable=True, limit=limits.items
        )
        worker.request("ping")
        return answer


@pytest.mark.parametrize("name", ENDED)
def test_a_rule_breaker_is_ended(name, attacks, backend, surroundings):
    timeout = 1.0 if ENDED[name] == {"timeout"} else LONGEST_SECONDS
    with pytest.raises(SandboxError) as failure:
        attempt(attacks[name], backend, surroundings, timeout=timeout)
    assert failure.value.kind in ENDED[name]


@pytest.mark.parametrize("name", REPORTED)
def test_a_wrong_result_is_reported(name, attacks, backend, surroundings):
    assert attempt(attacks[name], backend, surroundings)["error"] == REPORTED[name]


@pytest.mark.parametrize("name", HELD)
def test_calls_that_computing_does_not_need_are_refused(name, attacks, backend, surroundings):
    answer = attempt(attacks[name], backend, surroundings)
    assert answer["value"][0][0] == "held"


def test_a_changed_input_is_reported_and_ours_is_untouched(attacks, backend, surroundings):
    answer = attempt(attacks["mutates-its-input"], backend, surroundings)
    assert answer["arguments"] != STATE
    assert STATE == [[[None]], [["a"]], [["b"]]]


def test_a_loop_at_the_top_of_the_source_is_ended(attacks, backend):
    with Worker(backend) as worker, pytest.raises(SandboxError) as failure:
        worker.request("load", timeout=0.5, role="successor", source=attacks["loops-while-loading"])
    assert failure.value.kind == "timeout"


def test_the_last_words_of_a_process_are_reported(backend):
    source = "import os\nos.write(2, b'first\\nlast words')\nos._exit(3)"
    for _ in range(5):
        with Worker(backend) as worker, pytest.raises(SandboxError) as failure:
            start(worker, source)
        assert failure.value.detail == "the process ended (exit code 3) last words"


def test_the_processor_limit_ends_an_unwatched_loop(attacks, backend, surroundings):
    with pytest.raises(SandboxError) as failure:
        attempt(attacks["endless-loop"], backend, surroundings, limits=Limits(cpu=1))
    assert failure.value.kind == "limit"


DIES_SLOWLY = """
import os
os.closerange(3, 64)
for _ in range(3_000_000): pass
os._exit(7)
"""


def test_a_worker_that_dies_slowly_is_reported_with_its_own_exit_code(backend):
    with Worker(backend) as worker, pytest.raises(SandboxError, match="exit code 7") as failure:
        worker.request("load", LONGEST_SECONDS, role="successor", source=DIES_SLOWLY)
    assert failure.value.kind == "died"


def test_every_attack_of_the_file_is_tested(attacks):
    assert set(attacks) == {*ENDED, *REPORTED, *HELD, "mutates-its-input", "loops-while-loading"}


def test_a_number_of_ordinary_modules_is_at_hand(backend):
    source = "import itertools, collections, copy, functools, heapq, string, typing, dataclasses, enum, math, re\n"
    source += "import hashlib; hashlib.md5(b'').hexdigest(); 'a'.encode('latin-1'); hash('\\N{BULLET}')\n"
    source += "import datetime; datetime.datetime.strptime('2026', '%Y')\nimport numpy\n"
    with Worker(backend) as worker:
        answer = worker.request("load", role="successor", source=source)
    assert (answer["error"], answer["line"]) == ("ModuleNotFoundError", 4)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make temporary folders in a place that no other process uses."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_no_process_and_no_folder_is_left(backend, folder):
    with Worker(backend) as worker:
        pid = worker.pid
        assert Path(f"/proc/{pid}").exists()
        assert list(folder.iterdir()) == []
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors in /proc")
def test_nothing_is_left_when_the_start_fails(folder):
    gc.collect()
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(SandboxError) as failure:
        Worker("native", python=str(folder / "no-python"))
    assert failure.value.kind == "died"
    with pytest.raises(SandboxError):
        Worker("native", python="/bin/true")
    assert list(folder.iterdir()) == []
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors


def test_without_the_system_call_filter_it_refuses(safe_backend):
    with pytest.raises(SandboxRefusedError, match="filter"):
        Worker(safe_backend, without=["seccomp"])


def test_unsafe_execution_must_be_asked_for():
    with pytest.raises(SandboxRefusedError, match="unsafe-exec"):
        choose_backend("unsafe")
    assert choose_backend("unsafe", allow_unsafe=True) == "unsafe"
    with pytest.raises(ValueError, match="unknown back-end docker"):
        choose_backend("docker")


def is_running(pid: int) -> bool:
    """Return whether a process runs; one that has ended may wait for the machine's first process to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_killed_parent_leaves_no_worker(safe_backend):
    script = (
        "import sys, time\nfrom agent.autotos.sandbox import Worker\n"
        f"w = Worker({safe_backend!r})\nprint(w.pid, flush=True)\n"
        "w.request('load', timeout=600, role='goal', source='while True: pass')\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        pid = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 300
    while is_running(pid):
        assert time.monotonic() < deadline, "the worker outlived its parent"
        time.sleep(0.02)


def filtered(machine, number, *arguments):
    """Run the filter's program on a system call, as the kernel does, and return what it decides."""
    program = list(struct.iter_unpack("HBBI", seccomp_program(machine)))
    data = struct.pack("IIQ6Q", number, MACHINES[machine][1], 0, *arguments, *[0] * (6 - len(arguments)))
    at = accumulator = 0
    while True:
        code, if_true, if_false, value = program[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("I", data, value)
        elif code == 0x06:
            return "allowed" if value == 0x7FFF0000 else "killed" if value == 0x80000000 else "refused"
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            at += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_lets_pass_what_computing_needs_only(machine):
    column = MACHINES[machine][0]
    named = {numbers[column] for numbers in (*ALLOWED.values(), FCNTL, FUTEX, IOCTL, MMAP)}
    for number in range(600):
        if number not in named:
            assert filtered(machine, number) != "allowed" or number == {"x86_64": 10, "aarch64": 226}[machine]
    for numbers in ALLOWED.values():
        assert numbers[column] is None or filtered(machine, numbers[column]) == "allowed"
    for call, kept in ((FCNTL, {1, 2, 3}), (FUTEX, {1, 129}), (IOCTL, {0x5401, 0x5450, 0x5451})):
        for command in {*range(300), *kept, 0x5452}:
            assert filtered(machine, call[column], 5, command) == ("allowed" if command in kept else "refused")
    assert filtered(machine, MMAP[column], 0, 4096, 3) == "allowed"
    assert filtered(machine, MMAP[column], 0, 4096, 7) == "refused"


def test_calls_of_the_x32_interface_end_the_process():
    assert filtered("x86_64", 0x40000000) == "killed"


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_landlock_is_applied_if_the_kernel_has_it(safe_backend):
    has_landlock = ctypes.CDLL(None).syscall(444, None, 0, 1) > 0
    with Worker(safe_backend) as worker:
        assert bool(worker.applied["landlock"]) == has_landlock


def interpreters():
    """Find the running Python and others on this machine that are new enough."""
    found = {os.path.realpath(sys.executable)}
    versions = Path.home() / ".pyenv" / "versions"
    found.update(str(path.resolve()) for path in versions.glob("3.1[1-9].*/bin/python3") if path.exists())
    found.update(filter(None, map(shutil.which, ("python3.11", "python3.12", "python3.13", "python3.14"))))
    return sorted(path for path in found if "shims" not in path)


@pytest.mark.parametrize("python", interpreters())
def test_every_python_at_hand_locks_down(python, backend, attacks):
    with Worker(backend, python=python, without=WITHOUT) as worker:
        for name in ("fork-bomb", "asks-about-files", "reads-passwords"):
            start(worker, attacks[name].replace("PORT", "9"))
            answer = worker.request("call", role="successor", arguments=STATE, iterable=True, limit=9)
            assert answer["value"][0][0] == "held"


AS_NOBODY = """
import sys
from agent.autotos.sandbox import Limits, Worker
from agent.errors import SandboxError
sections = open("tests/autotos/attacks.txt").read().split("\\n### ")[1:]
attacks = {part.split("\\n", 1)[0]: part.split("\\n", 1)[1] for part in sections}
for name in sys.argv[2:]:
    try:
        with Worker(sys.argv[1], Limits(memory=512 << 20), without=["landlock"]) as worker:
            source = attacks[name].replace("PORT", "9").replace("VICTIM", "1").replace("CANARY", "/nonexistent")
            worker.request("load", timeout=300, role="successor", source=source)
            worker.request("appoint", role="successor", name="successor_state")
            patience = 1 if name == "endless-loop" else 300
            answer = worker.request("call", timeout=patience, role="successor", arguments=[[[None]], [[]], [[]]],
                                    iterable=True, limit=9)
            worker.request("ping")
    except SandboxError as failure:
        answer = failure.kind
    print(name, "|", answer)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become nobody")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv: apt-get install util-linux")
def test_the_same_holds_for_the_user_nobody(backend):
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    for python in ("/usr/bin/python3", "/usr/local/bin/python3", os.path.realpath(sys.executable)):
        if not Path(python).exists():
            continue
        check = "import sys; sys.path.insert(0, '.'); import agent.autotos.sandbox; assert sys.version_info >= (3, 11)"
        usable = subprocess.run([*nobody, python, "-B", "-c", check], cwd=ROOT, capture_output=True, check=False)
        readable = subprocess.run(
            [*nobody, python, "-c", "import os; os.listdir(os.path.dirname(os.__file__))"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        started = subprocess.run([*nobody, "sh", "-c", f"exec {python} -V"], capture_output=True, check=False)
        if usable.returncode == readable.returncode == started.returncode == 0:
            break
    else:
        pytest.skip("no Python that the user nobody may run: install one outside of the home of root")
    names = [*HELD, *REPORTED, "endless-loop", "exits", "floods-the-output", "forges-frames"]
    run = subprocess.run(
        [*nobody, python, "-B", "-c", AS_NOBODY, backend, *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        env={"PATH": os.environ["PATH"]},
    )
    lines = dict(line.split(" | ", 1) for line in run.stdout.splitlines())
    assert set(lines) == set(names), run.stderr
    assert "LEAK" not in run.stdout
    assert [name for name in HELD if "'held'" not in lines[name]] == []
    assert (lines["endless-loop"], lines["exits"]) == ("timeout", "died")
    assert (lines["floods-the-output"], lines["forges-frames"]) == ("output", "protocol")


def test_untrusted_code_is_executed_in_the_worker_only():
    """Our own values may be told how they cross to our own processes (copyreg); nothing may be read from a pickle."""
    readers = r"(?<!copyreg\.)\b(pickle|marshal|shelve|cloudpickle)\b"
    forbidden = re.compile(readers + r"|(?<![\w.])(eval|exec|compile)\(|__import__\(")
    for path in (ROOT / "agent" / "autotos").rglob("*.py"):
        if path.name != "worker.py":
            assert not forbidden.search(path.read_text()), path
