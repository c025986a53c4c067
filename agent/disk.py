"""Files written whole or not at all, checked before any work is done for them, and locked while they are added to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from agent.errors import UsageError

STEP = 65_536
"""Bytes that are read at a time to find the last line end of a file."""


def write_file(path: Path | str, content: bytes | str) -> None:
    """Write a file beside its place and move it there; text as UTF-8.

    If that fails, as on a full disk, what stood there before is untouched and nothing is left over. Devices and pipes
    are written directly. Raises OSError, which names the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(Path(folder) / "x.txt", "hello")
    ...     (Path(folder) / "x.txt").read_bytes(), os.listdir(folder)
    (b'hello', ['x.txt'])
    """
    data = content.encode() if isinstance(content, str) else content
    place = Path(os.path.realpath(path))  # a link stays a link
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)
            return
        part = _open_part(place)
        try:
            with os.fdopen(os.open(part, os.O_WRONLY), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if place.exists():
                part.chmod(place.stat().st_mode & 0o7777)
            part.replace(place)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def check_writable(path: Path | str) -> None:
    """Raise UsageError, which names the file, if :func:`write_file` or adding to a file could not work there.

    >>> check_writable("no-such-folder/x.txt")
    Traceback (most recent call last):
    agent.errors.UsageError: no-such-folder/x.txt: there is no folder no-such-folder
    >>> check_writable("-")
    Traceback (most recent call last):
    agent.errors.UsageError: -: expected a file, found the sign for stdout
    """
    if str(path) == "-":
        raise UsageError("-: expected a file, found the sign for stdout")
    place = Path(os.path.realpath(path))
    if not place.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {Path(path).parent}")
    if place.is_dir():
        raise UsageError(f"{path}: expected a file, found a folder")
    try:
        if not place.exists() or place.is_file():
            _open_part(place).unlink()
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error


def lock(file: IO[bytes], *, wait: bool) -> None:
    """Lock an open file until it is closed, also by a kill; do nothing on systems without fcntl.

    Raises BlockingIOError if another process has locked it and this one is not to `wait`.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def open_alone(path: Path, others: str) -> IO[bytes]:
    """Open a file to read and to add to, locked until it is closed.

    Raises UsageError, which says what `others` do, if another process has locked it; OSError if it cannot be written.
    """
    file = path.open("a+b")
    try:
        lock(file, wait=False)
    except BlockingIOError as error:
        file.close()
        raise UsageError(f"{path}: {others}") from error
    except BaseException:
        file.close()
        raise
    return file


def drop_torn_line(file: IO[bytes]) -> None:
    """Remove what stands after the last line end of an open file: a line that a kill cut short.

    >>> import io
    >>> file = io.BytesIO(b"one\\ntw")
    >>> drop_torn_line(file)
    >>> file.getvalue()
    b'one\\n'
    """
    end = size = file.seek(0, os.SEEK_END)
    while end:
        end = max(0, end - STEP)
        file.seek(end)
        if b"\n" in (piece := file.read(STEP)):
            end += piece.rfind(b"\n") + 1
            break
    if end < size:
        file.truncate(end)


def _open_part(place: Path) -> Path:
    """Make an empty file beside a place, with the rights of any new file."""
    part = place.with_name(f".{place.name[:80]}.{os.urandom(4).hex()}.part")
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return part
