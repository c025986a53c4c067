"""The yardstick for efficiency: trusted successors of one slot only, the one with the fewest."""

from __future__ import annotations

from collections import defaultdict

from agent.autotos.domain import Domain, Instance, State, pack
from agent.autotos.search import Expand, trusted


def fewest(state: State, children: set[State]) -> list[State]:
    """Return the successors that fill one set of cells, the one with the fewest.

    >>> fewest(((None, None),), {(("a", None),), ((None, "b"),), ((None, "c"),)})
    [(('a', None),)]
    """
    groups: dict[tuple[int, ...], list[State]] = defaultdict(list)
    before = pack(state)
    for child in sorted(children, key=repr):
        groups[tuple(at for at, (old, new) in enumerate(zip(before, pack(child), strict=True)) if old != new)].append(
            child
        )
    return min(groups.values(), key=len, default=[])


def fewest_first(domain: Domain, instance: Instance) -> Expand:
    """Return trusted functions that take one slot at a time, in the form that `search` takes."""
    return trusted(domain, instance, fewest)
