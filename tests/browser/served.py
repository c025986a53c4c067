"""`gridwright serve` as a process of its own, for tests and benchmarks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
"""Seconds until a server that was told to end is killed: a loaded machine is slow."""

PROGRAM = """
import os, pathlib, runpy, signal, tempfile, threading

def end_with_the_parent():
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=end_with_the_parent, daemon=True).start()
with tempfile.TemporaryDirectory(prefix="gridwright-served-") as folder:
    home = pathlib.Path(folder)
    places = {"GRIDWRIGHT_CACHE_DIR": home / "cache", "GRIDWRIGHT_DATA_DIR": home / "data", "XDG_CONFIG_HOME": home}
    os.environ.update({name: str(place) for name, place in places.items()})
    runpy.run_module("agent", run_name="__main__", alter_sys=True)
"""
"""Runs the command with a folder of its own, and ends it, and the folder, once standard input is closed: by its parent,
or because the parent was killed."""


@contextmanager
def served(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve on a free port, with a cache of its own; yields the address and the process."""
    home = {
        "GRIDWRIGHT_CONFIG": "",
        "OPENAI_API_KEY": "",
        "OPENAI_BASE_URL": "",
        "GRIDWRIGHT_LEXICON": "permissive",
        "OMP_NUM_THREADS": "1",
    }
    line = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--quiet", *options]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(line, **pipes, text=True, cwd=ROOT, env={**os.environ, **home}) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip().rstrip("/")
            assert address.startswith("http://127.0.0.1:"), "the server did not start"
            yield address, process
        finally:
            try:
                process.communicate(timeout=PATIENCE)  # closes its input: a second signal would leave its folder
            finally:
                process.kill()
