"""Check a finished fill-in, with nothing taken from the code that found it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.verify.rows import changed


def check_fillin(
    pattern: Sequence[str], words: Sequence[str], filled: Sequence[str], *, spare: bool = False
) -> tuple[str, ...]:
    """Check a filled grid against its pattern (`#` block, `_` empty) and its words.

    Every run of two or more cells must be a listed word, each word used as often as it is listed (with `spare`, at
    most as often), and blocks and givens must have stayed.

    >>> check_fillin(["#h#", "___", "#_#"], ["hat", "bag"], ["#h#", "bag", "#t#"])
    ()
    >>> check_fillin(["___"], ["abc"], ["abd"])
    ('abd stands in the grid 1 times, it is listed 0 times', 'abc stands in the grid 0 times, it is listed 1 times')
    """
    faults = changed(pattern, filled, empty="_")
    if faults and "size" in faults[0]:
        return tuple(faults)
    used: Counter[str] = Counter()
    for line in (*filled, *("".join(column) for column in zip(*filled, strict=True))):
        used.update(run for run in line.split("#") if len(run) > 1)
    listed = Counter(words)
    for word in sorted(used.keys() | listed.keys(), key=lambda w: (w not in used, w)):
        if used[word] > listed[word] or (used[word] < listed[word] and not spare):
            faults.append(f"{word} stands in the grid {used[word]} times, it is listed {listed[word]} times")
    return tuple(faults)
