"""The command line that runs a worker in bubblewrap: namespaces of its own, and a file system with Python alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

NOBODY = "65534"
SYSTEM_FOLDERS = ("/usr", "/lib", "/lib64", "/bin")
"""Folders of an interpreter's shared libraries; mounted read-only."""


def wrap(command: Sequence[str], visible: Sequence[str]) -> list[str]:
    """Return a command prefixed with bubblewrap; it may read the folders `visible` besides the system's libraries.

    The worker gets no network, no other process, an empty `/tmp` as its working folder, and ends with its parent.

    >>> wrap(["true"], ["/opt/python"])[0]
    'bwrap'
    """
    line = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    line += ["--uid", NOBODY, "--gid", NOBODY, "--hostname", "sandbox"]
    for folder in SYSTEM_FOLDERS:
        if Path(folder).is_symlink():
            line += ["--symlink", str(Path(folder).readlink()), folder]
        elif Path(folder).exists():
            line += ["--ro-bind", folder, folder]
    line += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp"]  # noqa: S108 - inside the sandbox
    for folder in visible:
        if not folder.startswith("/usr/"):
            line += ["--ro-bind", folder, folder]
    return [*line, "--", *command]
