"""Fill-in, Gogen and nonogram behind one door: know the kind by content, solve, verify, explain, report.

>>> puzzle = read_puzzle("#h#\\n___\\n#_#\\n\\nhat\\nbag")
>>> result = solve_kind(puzzle)
>>> print(result)
# h #
b a g
# t #
<BLANKLINE>
Verified. Proved unique, by propagation alone.
"""

from agent.kinds.detect import detect, read_puzzle
from agent.kinds.result import GridResult, GridSolution, GridStats, Kind, KindPuzzle
from agent.kinds.solving import check, find_backend, kind_of, solve_kind, work_of

__all__ = [
    "GridResult",
    "GridSolution",
    "GridStats",
    "Kind",
    "KindPuzzle",
    "check",
    "detect",
    "find_backend",
    "kind_of",
    "read_puzzle",
    "solve_kind",
    "work_of",
]
