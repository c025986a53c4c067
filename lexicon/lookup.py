"""Look-up in sorted text: fast enough for the few words of a clue, without a dictionary to build first."""

from __future__ import annotations

from mmap import mmap


class SortedLines:
    r"""Lines of a key, a space and a value, sorted by the bytes of their keys: `content`, from `start` to `end`.

    >>> lines = SortedLines(b"men man n\nmice mouse n\nran run v\n")
    >>> lines.get("mice"), lines.get("mouse")
    ('mouse n', None)
    """

    def __init__(self, content: bytes | mmap, start: int = 0, end: int | None = None) -> None:
        self._content = content
        self._start, self._end = start, len(content) if end is None else end

    def get(self, key: str) -> str | None:
        """Return the value of a key, or None if no line has it."""
        wanted = key.encode()
        low, high = self._start, self._end
        # Both are always at the beginning of a line (or at the end), and the line of the key, if there is one, begins
        # at `low` or between them. Each step drops at least the line that it reads.
        while low < high:
            begin = self._content.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._content.find(b"\n", begin)
            found, _, value = self._content[begin:end].partition(b" ")
            if found == wanted:
                return value.decode()
            if found < wanted:
                low = end + 1
            else:
                high = begin
        return None
