"""Lock a Linux process down for good: resource limits, no new privileges, Landlock, a seccomp allow-list.

Run inside the worker after its last trusted import and before the first untrusted byte. Needs no root, no user
namespace and no package: the standard library's ctypes makes the system calls. The process itself cannot undo any of
it. The parent reads which measures took effect and refuses to continue without seccomp.

What stays possible: computing, and talking over the inherited pipes. No file can be opened or looked up, so whatever
a function may import has to be imported before. Nothing can sleep, so that wall time stays close to processor time.
Landlock repeats much of this if the kernel has it; nothing depends on it.
Sources: seccomp(2), landlock(7), prctl(2), capabilities(7); numbers from the kernel's unistd tables.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
import sys
from collections.abc import Sequence
from typing import Any

# System calls that CPython needs to compute: name -> (x86_64, aarch64); None if an architecture lacks it.
ALLOWED: dict[str, tuple[int, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "getpid": (39, 172),
    "exit": (60, 93),
    "uname": (63, 160),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "sched_getaffinity": (204, 123),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "exit_group": (231, 94),
    "set_robust_list": (273, 99),
    "getrandom": (318, 278),
    "rseq": (334, 293),
}
# Calls that are allowed for some arguments only: name -> (x86_64, aarch64).
MMAP = (9, 222)
MPROTECT = (10, 226)
IOCTL = (16, 29)
FCNTL = (72, 25)
FUTEX = (202, 98)
CAPSET = {"x86_64": 126, "aarch64": 91}

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine -> (column of the tables above, audit architecture that a seccomp program must check first)."""

PROT_EXEC = 4
TERMINAL_QUERIES = (0x5401, 0x5450, 0x5451)
"""TCGETS (isatty), FIONCLEX, FIOCLEX: the only ioctl requests that Python's own files make."""
DESCRIPTOR_QUERIES = (1, 2, 3)
"""F_GETFD, F_SETFD, F_GETFL: with F_SETOWN and F_SETSIG a pipe could be made to kill the process at its other end."""
WAKE = (1, 129)
"""FUTEX_WAKE, shared and private. Waiting is refused: a process of one thread would wait for ever."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
X32_BIT = 0x40000000
"""System calls of the x32 interface carry this bit; they would slip past a table of x86_64 numbers."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
SIGKILL = 9
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value & 0xFFFFFFFF)


def _argument_at(index: int) -> int:
    return 16 + 8 * index  # the low half: both machines are little-endian


def seccomp_program(machine: str) -> bytes:
    """Assemble the allow-list as a classic BPF program of 8-byte instructions.

    >>> len(seccomp_program("x86_64")) % 8
    0
    """
    column, architecture = MACHINES[machine]
    steps = [_step(_LOAD, _ARCHITECTURE_AT), _step(_EQUAL, architecture, 1, 0), _step(_RETURN, _KILL)]
    steps.append(_step(_LOAD, _NUMBER_AT))
    if machine == "x86_64":
        steps += [_step(_AT_LEAST, X32_BIT, 0, 1), _step(_RETURN, _KILL)]

    def rule(number: int | None, body: list[bytes]) -> None:
        if number is not None:
            steps.append(_step(_EQUAL, number, 0, len(body)))
            steps.extend(body)

    def allow_values(argument: int, values: Sequence[int]) -> list[bytes]:
        """Allow the call if the argument is one of the values; each comparison jumps over those left and a refusal."""
        compare = [_step(_EQUAL, value, len(values) - place, 0) for place, value in enumerate(values)]
        return [_step(_LOAD, _argument_at(argument)), *compare, _step(_RETURN, _REFUSE), _step(_RETURN, _ALLOW)]

    def refuse_bit(argument: int, bit: int) -> list[bytes]:
        return [
            _step(_LOAD, _argument_at(argument)),
            _step(_ANY_BIT, bit, 0, 1),
            _step(_RETURN, _REFUSE),
            _step(_RETURN, _ALLOW),
        ]

    for numbers in ALLOWED.values():
        rule(numbers[column], [_step(_RETURN, _ALLOW)])
    for numbers in (MMAP, MPROTECT):  # no new executable memory: no dlopen, no machine code
        rule(numbers[column], refuse_bit(2, PROT_EXEC))
    rule(IOCTL[column], allow_values(1, TERMINAL_QUERIES))
    rule(FCNTL[column], allow_values(1, DESCRIPTOR_QUERIES))
    rule(FUTEX[column], allow_values(1, WAKE))
    steps.append(_step(_RETURN, _REFUSE))
    return b"".join(steps)


def set_limits(memory: int, cpu_seconds: int) -> bool:
    """Cap address space, CPU time, files, descriptors and processes; hard equals soft, so none can be raised again."""
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    done = True
    for kind, value in limits.items():
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            done = False
    return done


def _landlock(call: Any) -> int:
    """Apply Landlock: no file, no TCP, no signals or abstract sockets outwards; return the ABI or 0."""
    abi = int(call(LANDLOCK_CREATE, None, 0, 1))
    if abi < 1:
        return 0
    files = (1 << 13) - 1
    for version, right in ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15)):
        files |= right if abi >= version else 0
    network = 0b11 if abi >= 4 else 0
    scopes = 0b11 if abi >= 6 else 0
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = int(call(LANDLOCK_CREATE, struct.pack("QQQ", files, network, scopes)[:size], size, 0))
    if ruleset < 0:
        return 0
    done = int(call(LANDLOCK_RESTRICT, ruleset, 0)) == 0
    os.close(ruleset)
    return abi if done else 0


def lock_down(memory: int, cpu_seconds: int, without: Sequence[str] = ()) -> dict[str, Any]:
    """Drop every right that computing does not need, and return the measures that took effect.

    `memory` in bytes. `without` leaves out "seccomp" or "landlock": the first for tests of the parent's refusal, the
    second for tests of what holds on a kernel that does not have it.
    """
    applied: dict[str, Any] = {"rlimits": set_limits(memory, cpu_seconds), "landlock": 0, "seccomp": False}
    machine = platform.machine()
    if not sys.platform.startswith("linux") or machine not in MACHINES:
        return applied
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)  # a parent that is killed leaves no worker behind
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # siblings of the same user cannot trace it or read its memory
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = struct.pack("Ii", 0x20080522, 0)
    applied["capabilities dropped"] = libc.syscall(CAPSET[machine], header, b"\0" * 24) == 0
    applied["no_new_privs"] = libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    if "landlock" not in without:
        applied["landlock"] = _landlock(libc.syscall)
    if "seccomp" not in without:
        code = seccomp_program(machine)
        buffer = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
        applied["seccomp"] = libc.prctl(PR_SET_SECCOMP, 2, ctypes.create_string_buffer(program), 0, 0) == 0
    return applied
